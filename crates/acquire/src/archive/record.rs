//! WARC 1.1 records, each in a gzip member of its own.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use jiff::Timestamp;
use ring::digest;
use xxhash_rust::xxh3::Xxh3;

/// How hard records are compressed. Level 3 is within a tenth of the default's size on HTML at twice its speed.
const COMPRESSION: u32 = 3;

/// The kinds of records that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// About the file and the program that wrote it.
    Info,
    /// What was sent.
    Request,
    /// What came back.
    Response,
    /// What came back is what an earlier record holds.
    Revisit,
    /// Made from another record, such as the rendered tree of a page.
    Conversion,
    /// About another record.
    Metadata,
    /// Something that was not fetched over HTTP.
    Resource,
}

impl RecordKind {
    /// The value of `WARC-Type`.
    pub fn name(self) -> &'static str {
        match self {
            RecordKind::Info => "warcinfo",
            RecordKind::Request => "request",
            RecordKind::Response => "response",
            RecordKind::Revisit => "revisit",
            RecordKind::Conversion => "conversion",
            RecordKind::Metadata => "metadata",
            RecordKind::Resource => "resource",
        }
    }
}

/// A record to be written.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// What it is.
    pub kind: RecordKind,
    /// Its id, `urn:uuid:...`; [`new_id`] makes one.
    pub id: String,
    /// When its content was had.
    pub date: Timestamp,
    /// What it is about; none for `warcinfo`.
    pub url: Option<&'a str>,
    /// The media type of the block.
    pub content_type: &'a str,
    /// Further header fields, such as `WARC-Refers-To`.
    pub fields: Vec<(&'static str, String)>,
    /// The block, in parts that are written one behind the other.
    pub block: &'a [&'a [u8]],
}

impl Record<'_> {
    /// The record as one gzip member.
    pub fn compressed(&self) -> io::Result<Vec<u8>> {
        let length: usize = self.block.iter().map(|part| part.len()).sum();
        let mut head = String::with_capacity(512);
        let mut field = |name: &str, value: &str| {
            if value.contains(['\r', '\n']) {
                let message = format!("a WARC header cannot hold a line break: {}", value.escape_debug());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            head.push_str(name);
            head.push_str(": ");
            head.push_str(value);
            head.push_str("\r\n");
            Ok(())
        };
        field("WARC/1.1\r\nWARC-Type", self.kind.name())?;
        field("WARC-Record-ID", &format!("<{}>", self.id))?;
        field("WARC-Date", &date_text(self.date))?;
        if let Some(url) = self.url {
            field("WARC-Target-URI", url)?;
        }
        field("WARC-Block-Digest", &sha256(self.block))?;
        for (name, value) in &self.fields {
            field(name, value)?;
        }
        field("Content-Type", self.content_type)?;
        field("Content-Length", &length.to_string())?;
        head.push_str("\r\n");
        let parts = [head.as_bytes()].into_iter().chain(self.block.iter().copied()).chain([&b"\r\n\r\n"[..]]);
        gzip_member(parts, length / 3 + 512)
    }
}

thread_local! {
    /// Making the state of a compressor takes longer than compressing a small page, so that each thread keeps one.
    static DEFLATE: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(COMPRESSION), false));
}

/// The parts one behind the other as one gzip member; `room` is a guess of its size.
fn gzip_member<'p>(parts: impl Iterator<Item = &'p [u8]>, room: usize) -> io::Result<Vec<u8>> {
    DEFLATE.with_borrow_mut(|deflate| {
        deflate.reset();
        let mut out = Vec::with_capacity(room);
        // Deflate, no fields, no time, unknown system.
        out.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
        let mut sum = Crc::new();
        for part in parts {
            sum.update(part);
            let begun = deflate.total_in();
            loop {
                let done = usize::try_from(deflate.total_in() - begun).unwrap_or(part.len());
                if done >= part.len() {
                    break;
                }
                make_room(&mut out);
                deflate
                    .compress_vec(&part[done..], &mut out, FlushCompress::None)
                    .map_err(io::Error::other)?;
            }
        }
        loop {
            make_room(&mut out);
            let status =
                deflate.compress_vec(&[], &mut out, FlushCompress::Finish).map_err(io::Error::other)?;
            if status == Status::StreamEnd {
                break;
            }
        }
        out.extend(sum.sum().to_le_bytes());
        out.extend(sum.amount().to_le_bytes());
        Ok(out)
    })
}

/// The compressor writes into what a vector has to spare and does not ask for more.
fn make_room(out: &mut Vec<u8>) {
    const LEAST: usize = 256;
    if out.capacity() - out.len() < LEAST {
        out.reserve(out.len().max(LEAST));
    }
}

/// A fresh id in the form of a UUID (version 8: made from time, process, a counter and `content`).
pub fn new_id(content: &[u8]) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut hasher = Xxh3::new();
    hasher.update(&now.as_nanos().to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.update(&COUNTER.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    hasher.update(content);
    let mut bits = hasher.digest128();
    bits = bits & !(0xf << 76) | 0x8 << 76;
    bits = bits & !(0b11 << 62) | 0b10 << 62;
    let hex = format!("{bits:032x}");
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    format!("urn:uuid:{}", parts.join("-"))
}

/// `2026-11-15T08:00:00.123Z`, as WARC 1.1 allows.
pub(crate) fn date_text(date: Timestamp) -> String {
    format!("{date:.3}")
}

/// `sha256:` and the digest in hexadecimal.
pub(crate) fn sha256(parts: &[&[u8]]) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in parts {
        context.update(part);
    }
    digest_text(context)
}

pub(crate) fn digest_text(context: digest::Context) -> String {
    let mut text = String::from("sha256:");
    for byte in context.finish().as_ref() {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_and_never_the_same() {
        let ids: std::collections::BTreeSet<String> = (0..1000).map(|_| new_id(b"same")).collect();
        assert_eq!(ids.len(), 1000);
        for id in ids {
            let uuid = id.strip_prefix("urn:uuid:").unwrap();
            assert_eq!(uuid.len(), 36);
            assert_eq!(&uuid[14..15], "8");
            assert!(matches!(&uuid[19..20], "8" | "9" | "a" | "b"));
        }
    }

    #[test]
    fn dates_and_digests() {
        assert_eq!(date_text("2026-11-15T08:00:00.98765Z".parse().unwrap()), "2026-11-15T08:00:00.987Z");
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(&[]), empty);
        assert_eq!(sha256(&[b"a", b"b"]), sha256(&[b"ab"]));
    }

    #[test]
    fn members_are_whole_whatever_their_parts() {
        let mut state = 7u64;
        let mut noise = |length: usize| -> Vec<u8> {
            (0..length)
                .map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    state as u8
                })
                .collect()
        };
        for parts in [
            vec![],
            vec![noise(0)],
            vec![noise(1)],
            vec![b"a".repeat(1 << 20)],
            vec![noise(300_000), b"b".repeat(9), noise(5)],
        ] {
            // No guess of the size is bad enough.
            for room in [0, 10, 1 << 20] {
                let member = gzip_member(parts.iter().map(Vec::as_slice), room).unwrap();
                let mut text = Vec::new();
                let mut reader = flate2::read::GzDecoder::new(&member[..]);
                std::io::Read::read_to_end(&mut reader, &mut text).unwrap();
                assert_eq!(text, parts.concat());
            }
        }
    }

    #[test]
    fn a_line_break_forges_no_field() {
        let record = Record {
            kind: RecordKind::Metadata,
            id: new_id(b""),
            date: Timestamp::UNIX_EPOCH,
            url: Some("http://a.test/\r\nX: y"),
            content_type: "text/plain",
            fields: Vec::new(),
            block: &[],
        };
        assert!(record.compressed().is_err());
    }
}
