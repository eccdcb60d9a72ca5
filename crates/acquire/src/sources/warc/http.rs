//! An HTTP response as it was stored: status, content type, and the body with its encodings undone.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use super::fields::{self, FieldsEnd};
use crate::sources::sniff;

/// Nobody stacks more encodings than this for a reason.
const MOST_ENCODINGS: usize = 4;

/// RFC 9659 obliges servers to stay within 8 MiB.
const LARGEST_ZSTD_WINDOW_LOG: u32 = 23;

const BROTLI_BUFFER_BYTES: usize = 4096;

/// A chunk's size line with extensions; longer ones are not chunks.
const LONGEST_CHUNK_LINE: usize = 4096;

/// How much of a body is looked at to see whether its declared encoding was already undone.
const PEEKED_BYTES: usize = 512;

/// The head of a response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    chunked: bool,
    encodings: Vec<String>,
}

impl Response {
    /// Reads the status line and the header.
    pub(crate) fn read(reader: &mut impl BufRead) -> Result<Response, String> {
        let (fields, end) = fields::read_fields(reader, true);
        if end == FieldsEnd::TooLong {
            return Err(format!("the HTTP header is longer than {} bytes", fields::LONGEST_HEADER));
        }
        let mut words = fields.first_line.split_ascii_whitespace();
        let protocol = words.next().unwrap_or_default();
        let status = words.next().and_then(|word| word.parse().ok());
        let (true, Some(status)) = (protocol.starts_with("HTTP/"), status) else {
            return Err("the record does not start with an HTTP status line".to_owned());
        };
        Ok(Response {
            status,
            content_type: fields.get("content-type").map(str::to_owned),
            chunked: fields.list("transfer-encoding").iter().any(|coding| coding == "chunked"),
            encodings: fields.list("content-encoding"),
        })
    }

    /// The body that follows, chunks joined and decompressed as it is read. Archives often keep the header of an
    /// encoding that they have undone, so each is undone only where the bytes look like it.
    pub(crate) fn body<'a>(&self, reader: impl BufRead + 'a) -> Result<Box<dyn BufRead + 'a>, String> {
        let mut body: Box<dyn BufRead + 'a> = Box::new(reader);
        if self.chunked {
            let (start, whole) = peek(body);
            body =
                if starts_with_chunk(&start) { Box::new(BufReader::new(Chunks::new(whole))) } else { whole };
        }
        undo_encodings(body, &self.encodings)
    }
}

/// The body behind its content encodings (in lower case, in the order they were applied).
pub(crate) fn undo_encodings<'a>(
    mut body: Box<dyn BufRead + 'a>,
    encodings: &[String],
) -> Result<Box<dyn BufRead + 'a>, String> {
    if encodings.len() > MOST_ENCODINGS {
        return Err(format!("the body is encoded {} times over", encodings.len()));
    }
    for encoding in encodings.iter().rev() {
        body = decoded(body, encoding)?;
    }
    Ok(body)
}

/// The charset that a Content-Type names.
pub(crate) fn charset(content_type: &str) -> Option<String> {
    let parameter = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim())
    })?;
    let value = parameter.trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

fn decoded<'a>(body: Box<dyn BufRead + 'a>, encoding: &str) -> Result<Box<dyn BufRead + 'a>, String> {
    let (start, body) = peek(body);
    let decoder: Box<dyn Read + 'a> = match encoding {
        "gzip" | "x-gzip" if start.starts_with(sniff::GZIP_MAGIC) => {
            Box::new(flate2::bufread::GzDecoder::new(body))
        }
        "deflate" if has_zlib_header(&start) => Box::new(flate2::bufread::ZlibDecoder::new(body)),
        "deflate" if !sniff::looks_like_html(&start) => Box::new(flate2::bufread::DeflateDecoder::new(body)),
        "br" if !sniff::looks_like_html(&start) => {
            Box::new(brotli::Decompressor::new(body, BROTLI_BUFFER_BYTES))
        }
        "zstd" if start.starts_with(sniff::ZSTD_MAGIC) => {
            let mut decoder =
                zstd::stream::read::Decoder::with_buffer(body).map_err(|error| error.to_string())?;
            decoder.window_log_max(LARGEST_ZSTD_WINDOW_LOG).map_err(|error| error.to_string())?;
            Box::new(decoder)
        }
        "gzip" | "x-gzip" | "deflate" | "br" | "zstd" | "identity" | "none" => return Ok(body),
        _ if sniff::looks_like_html(&start) => return Ok(body),
        _ => return Err(format!("the body has an unknown Content-Encoding: {encoding}")),
    };
    Ok(Box::new(BufReader::new(decoder)))
}

/// The first bytes and a reader that still has them.
fn peek<'a>(mut body: Box<dyn BufRead + 'a>) -> (Vec<u8>, Box<dyn BufRead + 'a>) {
    let mut start = Vec::new();
    // An error comes again when the rest is read.
    let _ = body.by_ref().take(PEEKED_BYTES as u64).read_to_end(&mut start);
    (start.clone(), Box::new(Cursor::new(start).chain(body)))
}

/// Deflate, and a check that two bytes pass by chance once in five hundred times.
fn has_zlib_header(start: &[u8]) -> bool {
    matches!(start, [first, second, ..]
        if first & 0x0f == 8 && first >> 4 <= 7 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

fn starts_with_chunk(start: &[u8]) -> bool {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    chunk_size(line).is_some()
}

/// The number at the start of a size line. A size that no memory holds is as good as the largest one.
fn chunk_size(line: &[u8]) -> Option<u64> {
    let number = line.split(|byte| *byte == b';').next()?.trim_ascii();
    if number.is_empty() || !number.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let text = std::str::from_utf8(number).ok()?;
    Some(u64::from_str_radix(text, 16).unwrap_or(u64::MAX))
}

/// Joins the chunks of a body.
struct Chunks<R> {
    reader: R,
    left: u64,
    first: bool,
    done: bool,
}

impl<R: BufRead> Chunks<R> {
    fn new(reader: R) -> Self {
        Chunks { reader, left: 0, first: true, done: false }
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        let mut budget = LONGEST_CHUNK_LINE;
        let mut line = Vec::new();
        let mut end = fields::read_line(&mut self.reader, &mut line, &mut budget);
        if !self.first && end == FieldsEnd::Complete && line.is_empty() {
            // The line end behind the chunk before.
            end = fields::read_line(&mut self.reader, &mut line, &mut budget);
        }
        self.first = false;
        match end {
            FieldsEnd::Complete => {}
            FieldsEnd::EndOfInput => return Err(cut()),
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "a chunk of the body has no size")),
        }
        self.left = chunk_size(&line).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "a chunk of the body has a bad size")
        })?;
        self.done = self.left == 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.left == 0 && !self.done {
            self.next_chunk()?;
        }
        if self.done {
            return Ok(0);
        }
        let wanted = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.reader.read(&mut out[..wanted])?;
        if count == 0 {
            return Err(cut());
        }
        self.left -= count as u64;
        Ok(count)
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the body ends inside a chunk")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &[u8]) -> (String, io::Result<usize>) {
        let mut reader = message;
        let response = Response::read(&mut reader).unwrap();
        let mut bytes = Vec::new();
        let result = response.body(reader).unwrap().read_to_end(&mut bytes);
        (String::from_utf8_lossy(&bytes).into_owned(), result)
    }

    #[test]
    fn chunks_are_joined() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let (text, result) = read(format!("{head}3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").as_bytes());
        assert_eq!((text.as_str(), result.is_ok()), ("abcde", true));
        let (text, result) = read(format!("{head}<p>already joined").as_bytes());
        assert_eq!((text.as_str(), result.is_ok()), ("<p>already joined", true));
        for size in ["5", "ffffffffffffffff", "fffffffffffffffffffffffffff"] {
            let (text, result) = read(format!("{head}3\r\nabc\r\n{size}\r\nde").as_bytes());
            assert_eq!((text.as_str(), result.unwrap_err().kind()), ("abcde", io::ErrorKind::UnexpectedEof));
        }
        let (text, result) = read(format!("{head}3\r\nabc\r\n-1\r\nde").as_bytes());
        assert_eq!((text.as_str(), result.unwrap_err().kind()), ("abc", io::ErrorKind::InvalidData));
    }

    #[test]
    fn encodings_are_undone_only_where_they_are() {
        for encoding in ["gzip", "deflate", "br", "zstd", "gzip, br", "identity", "unheard-of"] {
            let message = format!("HTTP/2 200\r\nContent-Encoding: {encoding}\r\n\r\n<html>plain");
            let (text, result) = read(message.as_bytes());
            assert_eq!((text.as_str(), result.is_ok()), ("<html>plain", true), "{encoding}");
        }
        let mut reader = &b"HTTP/1.1 200\r\nContent-Encoding: unheard-of\r\n\r\n\x01\x02"[..];
        let response = Response::read(&mut reader).unwrap();
        assert!(response.body(reader).is_err());
    }

    #[test]
    fn heads_that_are_none() {
        for head in
            ["", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 99999\r\n\r\n", "HTTP/1.1"]
        {
            assert!(Response::read(&mut head.as_bytes()).is_err(), "{head}");
        }
    }

    #[test]
    fn charsets() {
        assert_eq!(charset("text/html; Charset=\"GB2312\""), Some("GB2312".to_owned()));
        assert_eq!(charset("text/html; x=1;charset=utf-8"), Some("utf-8".to_owned()));
        assert_eq!(charset("text/html; charset="), None);
        assert_eq!(charset("charset=utf-8"), None);
    }
}
