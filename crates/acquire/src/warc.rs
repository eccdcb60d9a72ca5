//! Writing WARC 1.1 records, plain or each in a gzip member of its own.

use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};

/// A response to be written. Nothing is made up: the caller brings the id and the date.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The absolute URL that was asked for.
    pub url: &'a str,
    /// The record's id, a URI such as `urn:uuid:...`.
    pub id: &'a str,
    /// When it was fetched, as `2026-11-15T08:00:00Z`.
    pub date: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The HTTP header fields in their order.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body as it came, in whatever encoding the headers say.
    pub body: &'a [u8],
}

/// Writes one response record. Fails on a line break in a name or value, which would forge a header.
pub fn write_response(out: &mut impl Write, response: &Response<'_>) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {}\r\n", response.status);
    for (name, value) in response.headers {
        check(&[name, value])?;
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    check(&[response.url, response.id, response.date])?;
    let length = head.len() + response.body.len();
    write!(
        out,
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <{}>\r\nWARC-Date: {}\r\nWARC-Target-URI: {}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n",
        response.id, response.date, response.url,
    )?;
    out.write_all(head.as_bytes())?;
    out.write_all(response.body)?;
    out.write_all(b"\r\n\r\n")
}

/// Writes one response record as a gzip member, so that a reader can start at any record.
pub fn write_response_gzip(out: &mut impl Write, response: &Response<'_>) -> io::Result<()> {
    let mut encoder = GzEncoder::new(out, Compression::default());
    write_response(&mut encoder, response)?;
    encoder.finish()?;
    Ok(())
}

fn check(values: &[&str]) -> io::Result<()> {
    match values.iter().find(|value| value.contains(['\r', '\n'])) {
        Some(value) => {
            let message = format!("a WARC header cannot hold a line break: {}", value.escape_debug());
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
        None => Ok(()),
    }
}
