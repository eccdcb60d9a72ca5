//! A `.warc.gz` that grows at its end and can be cut back to any record.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::record::{Record, RecordKind, new_id, sha256};
use crate::fetch::{Exchange, Protocol};

/// Writes records behind one another. What was written is safe from a crash of the program at once, and from one of
/// the machine after [`ArchiveWriter::sync`].
#[derive(Debug)]
pub struct ArchiveWriter {
    path: PathBuf,
    file: File,
    length: u64,
}

/// Where in the file something was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The id of the record (of the response, where a request was written too).
    pub id: String,
    /// Where the record starts.
    pub offset: u64,
    /// How many bytes it has, compressed.
    pub length: u64,
    /// The digest of the payload, `sha256:...`; empty where there is none.
    pub digest: String,
}

/// An exchange that is compressed and only has to be written, so that compressing needs no lock.
#[derive(Debug)]
pub struct PackedExchange {
    response: Vec<u8>,
    /// The request, and what else stands behind the response.
    request: Vec<u8>,
    id: String,
    digest: String,
}

impl ArchiveWriter {
    /// Begins a new file, which must not exist yet, with a record about the program. `about` are its fields, such as
    /// `("operator", "me@example.org")`.
    pub fn create(path: &Path, about: &[(&str, &str)]) -> io::Result<ArchiveWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut writer = ArchiveWriter { path: path.to_owned(), file, length: 0 };
        let mut text = format!("software: {}\r\nformat: WARC File Format 1.1\r\n", crate::fetch::USER_AGENT);
        for (name, value) in about {
            text.push_str(&format!("{name}: {}\r\n", value.replace(['\r', '\n'], " ")));
        }
        writer.write(&Record {
            kind: RecordKind::Info,
            id: new_id(text.as_bytes()),
            date: Timestamp::now(),
            url: None,
            content_type: "application/warc-fields",
            fields: path
                .file_name()
                .map(|name| ("WARC-Filename", name.to_string_lossy().into_owned()))
                .into_iter()
                .collect(),
            block: &[text.as_bytes()],
        })?;
        Ok(writer)
    }

    /// Goes on behind the first `length` bytes; whatever stands behind them was never reported and goes.
    pub fn resume(path: &Path, length: u64) -> io::Result<ArchiveWriter> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let there = file.metadata()?.len();
        if there < length {
            let message = format!("{} has {there} bytes and should have at least {length}", path.display());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(ArchiveWriter { path: path.to_owned(), file, length })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes one record.
    pub fn write(&mut self, record: &Record<'_>) -> io::Result<Written> {
        let bytes = record.compressed()?;
        let offset = self.append(&bytes)?;
        Ok(Written { id: record.id.clone(), offset, length: bytes.len() as u64, digest: String::new() })
    }

    /// Writes a response and the request that asked for it. The place is that of the response.
    pub fn write_exchange(&mut self, exchange: &Exchange) -> io::Result<Written> {
        self.write_packed(&PackedExchange::new(exchange)?)
    }

    /// Writes an exchange that was compressed elsewhere.
    pub fn write_packed(&mut self, packed: &PackedExchange) -> io::Result<Written> {
        let offset = self.append(&packed.response)?;
        self.append(&packed.request)?;
        let length = packed.response.len() as u64;
        Ok(Written { id: packed.id.clone(), offset, length, digest: packed.digest.clone() })
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// After an error, such as a full disk, the file is cut back to its last whole record.
    fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let offset = self.length;
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, the journal still knows how much is good.
            let _ = self.file.set_len(offset).and_then(|()| self.file.seek(SeekFrom::Start(offset)));
            let message = format!("cannot write to {}: {error}", self.path.display());
            return Err(io::Error::new(error.kind(), message));
        }
        self.length += bytes.len() as u64;
        Ok(offset)
    }
}

impl PackedExchange {
    /// Makes both records.
    pub fn new(exchange: &Exchange) -> io::Result<PackedExchange> {
        let head = exchange.response_head();
        let (id, digest) = (new_id(&head), sha256(&[&exchange.body]));
        let mut fields = vec![
            ("WARC-Payload-Digest", digest.clone()),
            ("WARC-IP-Address", exchange.address.to_string()),
            ("WARC-Protocol", protocol(exchange.protocol).to_owned()),
        ];
        if exchange.url.scheme() == "https" {
            fields.push(("WARC-Protocol", "tls".to_owned()));
        }
        if let Some(cut) = exchange.truncated {
            fields.push(("WARC-Truncated", cut.name().to_owned()));
        }
        let response = Record {
            kind: RecordKind::Response,
            id: id.clone(),
            date: exchange.date,
            url: Some(exchange.url.as_str()),
            content_type: "application/http; msgtype=response",
            fields,
            block: &[&head, &exchange.body],
        };
        let request = Record {
            kind: RecordKind::Request,
            id: new_id(&exchange.request_head),
            date: exchange.date,
            url: Some(exchange.url.as_str()),
            content_type: "application/http; msgtype=request",
            fields: vec![("WARC-Concurrent-To", format!("<{id}>"))],
            block: &[&exchange.request_head, &exchange.request_body],
        };
        let (response, request) = (response.compressed()?, request.compressed()?);
        Ok(PackedExchange { response, request, id, digest })
    }

    /// The id of the response's record.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Adds a record that is written behind both, such as one that refers to the response.
    pub fn add(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.request.extend(record.compressed()?);
        Ok(())
    }

    /// The digest of the payload, `sha256:...`.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How many bytes all records have.
    pub fn len(&self) -> usize {
        self.response.len() + self.request.len()
    }

    /// Never: a record has a header at least.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Http1 => "http/1.1",
        Protocol::Http2 => "h2",
    }
}
