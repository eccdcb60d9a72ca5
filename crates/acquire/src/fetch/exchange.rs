//! One request and what came back, as it is archived.

use std::io::{BufReader, Cursor};
use std::net::IpAddr;

use jiff::Timestamp;
use url::Url;

use super::Method;
use crate::sources::{ReadEnd, charset, read_bounded, undo_encodings};

/// A request that was sent, and its response.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What was asked for.
    pub url: Url,
    /// How it was asked for.
    pub method: Method,
    /// When the request was sent.
    pub date: Timestamp,
    /// Who answered.
    pub address: IpAddr,
    /// The protocol that was spoken.
    pub protocol: Protocol,
    /// The request line and header with the empty line behind it, in the form of HTTP/1.1.
    pub request_head: Vec<u8>,
    /// What was sent along.
    pub request_body: Vec<u8>,
    /// The HTTP status.
    pub status: u16,
    /// The words behind the status, if any.
    pub reason: String,
    /// The header fields in their order, names as they came (HTTP/2 knows only lower case).
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body as it was sent: content encodings stay, chunks are joined.
    pub body: Vec<u8>,
    /// Why the body is not whole, if it is not.
    pub truncated: Option<Truncated>,
}

/// The protocols that are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.0 or 1.1.
    Http1,
    /// HTTP/2.
    Http2,
}

/// Why a body is not whole, in the words of WARC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncated {
    /// It went beyond the limit on bytes.
    Length,
    /// It went beyond the limit on time.
    Time,
    /// The connection broke, or the length was wrong.
    Disconnect,
}

impl Truncated {
    /// The value of `WARC-Truncated`.
    pub fn name(self) -> &'static str {
        match self {
            Truncated::Length => "length",
            Truncated::Time => "time",
            Truncated::Disconnect => "disconnect",
        }
    }

    /// Whether another run may bring the rest; not beyond a limit that was set.
    pub(crate) fn may_pass_later(self) -> bool {
        self != Truncated::Length
    }

    /// Whether another try may bring the rest.
    pub(crate) fn may_pass(self) -> bool {
        self == Truncated::Disconnect
    }
}

/// A body with its content encodings undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The bytes that could be had.
    pub bytes: Vec<u8>,
    /// Why they are not all, if they are not.
    pub problem: Option<String>,
}

impl Exchange {
    /// The first header field of this name that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let of_name = |(have, _): &&(String, Vec<u8>)| have.eq_ignore_ascii_case(name);
        self.headers.iter().filter(of_name).find_map(|(_, value)| std::str::from_utf8(value).ok())
    }

    /// All header fields of this name that are text.
    pub fn header_values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let of_name = move |(have, _): &&(String, Vec<u8>)| have.eq_ignore_ascii_case(name);
        self.headers.iter().filter(of_name).filter_map(|(_, value)| std::str::from_utf8(value).ok())
    }

    /// The media type without its parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let essence = self.header("content-type")?.split(';').next()?.trim().to_ascii_lowercase();
        (!essence.is_empty()).then_some(essence)
    }

    /// The charset that the header names.
    pub fn charset(&self) -> Option<String> {
        self.header("content-type").and_then(charset)
    }

    /// Where a redirect leads; `None` for everything else and for addresses that make no sense.
    pub fn redirect(&self) -> Option<Url> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let place = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
        // Servers send raw UTF-8 here; browsers take it.
        let text = String::from_utf8_lossy(&place.1);
        self.url.join(text.trim()).ok()
    }

    /// The body with gzip, deflate, brotli and zstd undone, at most `limit` bytes of it.
    pub fn decoded(&self, limit: usize) -> Decoded {
        let encodings: Vec<String> = self
            .header_values("content-encoding")
            .flat_map(|value| value.split(','))
            .map(|encoding| encoding.trim().to_ascii_lowercase())
            .filter(|encoding| !encoding.is_empty())
            .collect();
        if encodings.is_empty() {
            let bytes = self.body[..self.body.len().min(limit)].to_vec();
            let problem = (bytes.len() < self.body.len()).then(|| too_large(limit));
            return Decoded { bytes, problem };
        }
        let body = Box::new(BufReader::new(Cursor::new(self.body.as_slice())));
        match undo_encodings(body, &encodings) {
            Err(message) => Decoded { bytes: Vec::new(), problem: Some(message) },
            Ok(reader) => {
                let (bytes, end) = read_bounded(reader, limit);
                let problem = match end {
                    ReadEnd::Complete => None,
                    ReadEnd::Limit => Some(too_large(limit)),
                    ReadEnd::Failed(error) => Some(format!("the compressed body is damaged: {error}")),
                };
                Decoded { bytes, problem }
            }
        }
    }

    /// The status line and header with the empty line behind it, as archives keep it. Chunks were joined, so that
    /// the field which announces them is kept under another name.
    pub fn response_head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} {}", self.status, self.reason).trim_end().as_bytes().to_vec();
        head.extend_from_slice(b"\r\n");
        for (name, value) in &self.headers {
            if name.eq_ignore_ascii_case("transfer-encoding") {
                head.extend_from_slice(b"X-Archive-Orig-");
            }
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            // A line break inside a value would forge a field; hyper lets none through, and neither do we.
            head.extend(value.iter().map(|byte| if matches!(byte, b'\r' | b'\n') { b' ' } else { *byte }));
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        head
    }
}

fn too_large(limit: usize) -> String {
    format!("the page is larger than the limit; only its first {limit} bytes are used")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(headers: &[(&str, &str)], body: &[u8]) -> Exchange {
        Exchange {
            url: Url::parse("http://a.test/dir/page").unwrap(),
            method: Method::Get,
            date: Timestamp::UNIX_EPOCH,
            address: [127, 0, 0, 1].into(),
            protocol: Protocol::Http1,
            request_head: Vec::new(),
            request_body: Vec::new(),
            status: 302,
            reason: "Found".into(),
            headers: headers.iter().map(|(n, v)| ((*n).to_owned(), v.as_bytes().to_vec())).collect(),
            body: body.to_vec(),
            truncated: None,
        }
    }

    #[test]
    fn redirects_are_resolved() {
        let lead = |to: &str| exchange(&[("Location", to)], b"").redirect().map(String::from);
        assert_eq!(lead("../x?y#z").as_deref(), Some("http://a.test/x?y#z"));
        assert_eq!(lead("//b.test").as_deref(), Some("http://b.test/"));
        assert_eq!(lead("http://[bad"), None);
        assert_eq!(exchange(&[], b"").redirect(), None);
    }

    #[test]
    fn bombs_are_cut() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut gzip, &vec![b'a'; 1 << 20]).unwrap();
        let bomb = exchange(&[("content-encoding", "GZIP")], &gzip.finish().unwrap());
        let decoded = bomb.decoded(1000);
        assert_eq!(decoded.bytes.len(), 1000);
        assert!(decoded.problem.unwrap().contains("1000 bytes"));
        assert_eq!(bomb.decoded(2 << 20).bytes.len(), 1 << 20);
    }

    #[test]
    fn the_archived_head_has_no_chunks() {
        let head = exchange(&[("Transfer-Encoding", "chunked"), ("X", "a\r\nb")], b"").response_head();
        let text = String::from_utf8(head).unwrap();
        assert_eq!(
            text,
            "HTTP/1.1 302 Found\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nX: a  b\r\n\r\n"
        );
    }
}
