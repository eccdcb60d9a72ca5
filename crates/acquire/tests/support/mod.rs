//! What the black-box tests share: reading a source to its end, and making archives by hand.

use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};
use unsite_acquire::{Source, SourceOptions, warc};
use unsite_dom::{Limits, Problem, ProblemKind, RawPage};

/// Everything that a source yields, in order. No source of these tests is long, so a stream that does not end fails.
pub(crate) fn read(spec: &Path, page_bytes: usize) -> (Vec<RawPage>, Vec<Problem>) {
    let limits = Limits { page_bytes, ..Limits::default() };
    let source =
        Source::open(spec.to_str().unwrap(), &SourceOptions { limits, ..SourceOptions::default() }).unwrap();
    drain(&source)
}

pub(crate) fn drain(source: &Source) -> (Vec<RawPage>, Vec<Problem>) {
    let (mut pages, mut problems) = (Vec::new(), Vec::new());
    let mut stream = source.pages().unwrap();
    while let Some(item) = stream.next_page() {
        match item {
            Ok(page) => pages.push(page),
            Err(problem) => problems.push(problem),
        }
        assert!(pages.len() + problems.len() < 100_000, "the stream does not end");
    }
    assert!(stream.next_page().is_none(), "a finished stream stays finished");
    (pages, problems)
}

/// Writes `bytes` to a file of that name and reads it.
pub(crate) fn read_bytes(name: &str, bytes: &[u8]) -> (Vec<RawPage>, Vec<Problem>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&path, Limits::default().page_bytes)
}

pub(crate) fn urls(pages: &[RawPage]) -> Vec<&str> {
    pages.iter().map(|page| page.url.as_str()).collect()
}

pub(crate) fn kinds(problems: &[Problem]) -> Vec<ProblemKind> {
    problems.iter().map(|problem| problem.kind).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record with any header lines.
pub(crate) fn record(headers: &[(&str, &str)], block: &[u8]) -> Vec<u8> {
    let mut bytes = b"WARC/1.0\r\n".to_vec();
    for (name, value) in headers {
        bytes.extend(format!("{name}: {value}\r\n").into_bytes());
    }
    bytes.extend(format!("Content-Length: {}\r\n\r\n", block.len()).into_bytes());
    bytes.extend(block);
    bytes.extend(b"\r\n\r\n");
    bytes
}

/// A response record whose HTTP message is given as it is.
pub(crate) fn response(url: &str, message: &[u8]) -> Vec<u8> {
    let id = format!("<urn:test:{url}>");
    let headers = [
        ("WARC-Type", "response"),
        ("WARC-Target-URI", url),
        ("WARC-Record-ID", &id),
        ("Content-Type", "application/http;msgtype=response"),
    ];
    record(&headers, message)
}

/// An ordinary page's record.
pub(crate) fn page(url: &str, html: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let response = warc::Response {
        url,
        id: &format!("urn:test:{url}"),
        date: "2026-11-15T00:00:00Z",
        status: 200,
        headers: &[("Content-Type", "text/html; charset=utf-8")],
        body: html.as_bytes(),
    };
    warc::write_response(&mut bytes, &response).unwrap();
    bytes
}

/// Ten gibibytes of zeros in ten megabytes: one flushed deflate block, repeated. Its check sum is never reached.
pub(crate) fn gzip_bomb() -> Vec<u8> {
    let mut encoder = flate2::Compress::new(Compression::best(), false);
    let zeros = vec![0; 1 << 20];
    let mut block = Vec::with_capacity(1 << 16);
    encoder.compress_vec(&zeros, &mut block, flate2::FlushCompress::Full).unwrap();
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    for _ in 0..10 << 10 {
        bytes.extend(&block);
    }
    bytes
}

/// Bytes without any pattern, the same on every run.
pub(crate) fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}

/// A gold site with its files in the given order.
pub(crate) fn gold(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    zstd::encode_all(&builder.into_inner().unwrap()[..], 3).unwrap()
}

/// A zip with the given files, compressed or not.
pub(crate) fn zip(files: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
