//! What a file is, by its name or by its first bytes.

use std::io::Read;

use flate2::bufread::GzDecoder;

use super::SourceKind;
use super::zstd_frames::DICTIONARY_MAGIC;

/// How much of a file the decision may look at.
pub(crate) const START_BYTES: usize = 4096;

pub(crate) const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
pub(crate) const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";

/// Elements that a page's first tag may be; those of the MIME sniffing standard and some that old pages start with.
const FIRST_TAGS: [&str; 28] = [
    "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body",
    "br", "p", "meta", "link", "base", "center", "form", "ul", "span", "section", "article", "main",
    "header", "h2", "nav",
];

/// The format that a file's extension promises, if it is one of ours.
pub(crate) fn kind_by_extension(name: &str) -> Option<SourceKind> {
    let name = name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".warc", ".warc.gz", ".warc.zst"]) {
        Some(SourceKind::Warc)
    } else if ends(&[".wacz"]) {
        Some(SourceKind::Wacz)
    } else if ends(&[".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"]) {
        Some(SourceKind::JsonLines)
    } else if ends(&[".tar.zst"]) {
        Some(SourceKind::Gold)
    } else if ends(&[".html", ".htm", ".xhtml"]) {
        Some(SourceKind::Page)
    } else {
        None
    }
}

/// The format that the first bytes show.
pub(crate) fn kind_by_content(start: &[u8]) -> Option<SourceKind> {
    if start.starts_with(GZIP_MAGIC) {
        return text_kind(&inflated_start(start)).filter(|kind| *kind != SourceKind::Page);
    }
    if start.starts_with(ZIP_MAGIC) {
        return Some(SourceKind::Wacz);
    }
    if is_zstd(start) {
        return Some(zstd_kind(start));
    }
    text_kind(start)
}

/// How the records of a WARC file are packed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// The packing that the first bytes show; where they are damaged, the one that the name promises.
pub(crate) fn packing(start: &[u8], name: &str) -> Packing {
    if start.starts_with(GZIP_MAGIC) {
        return Packing::Gzip;
    }
    if is_zstd(start) {
        return Packing::Zstd;
    }
    let name = name.to_ascii_lowercase();
    match start {
        _ if start.starts_with(b"WARC/") => Packing::Plain,
        _ if name.ends_with(".gz") => Packing::Gzip,
        _ if name.ends_with(".zst") => Packing::Zstd,
        _ => Packing::Plain,
    }
}

/// Whether bytes start a zstd frame, or the dictionary that a WARC file puts before its frames.
pub(crate) fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(ZSTD_MAGIC) || start.starts_with(DICTIONARY_MAGIC)
}

/// What comes as zstd: WARC files, JSON Lines, and gold sites.
fn zstd_kind(start: &[u8]) -> SourceKind {
    let mut text = Vec::new();
    if let Ok(decoder) = zstd::stream::read::Decoder::with_buffer(start) {
        let _ = decoder.take(8).read_to_end(&mut text);
    }
    match text.as_slice() {
        _ if start.starts_with(DICTIONARY_MAGIC) || text.starts_with(b"WARC/") => SourceKind::Warc,
        text if without_mark(text).trim_ascii_start().starts_with(b"{") => SourceKind::JsonLines,
        _ => SourceKind::Gold,
    }
}

fn text_kind(start: &[u8]) -> Option<SourceKind> {
    if start.starts_with(b"WARC/") {
        return Some(SourceKind::Warc);
    }
    let text = without_mark(start);
    if text.trim_ascii_start().starts_with(b"{") {
        return Some(SourceKind::JsonLines);
    }
    looks_like_html(start).then_some(SourceKind::Page)
}

fn inflated_start(start: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    // The prefix ends somewhere inside the member, so the error at its end says nothing.
    let _ = GzDecoder::new(start).take(START_BYTES as u64).read_to_end(&mut text);
    text
}

/// Whether bytes start like an HTML document: white space aside, with a doctype, a comment or a common tag.
pub(crate) fn looks_like_html(start: &[u8]) -> bool {
    let start = &start[..start.len().min(START_BYTES)];
    let narrow = narrowed(start);
    let text = narrow.as_deref().unwrap_or(start);
    let mut text = without_mark(text).trim_ascii_start();
    if starts_with_ignoring_case(text, b"<?xml") {
        return contains_ignoring_case(text, b"<html");
    }
    if starts_with_ignoring_case(text, b"<!doctype") {
        return starts_with_ignoring_case(text[9..].trim_ascii_start(), b"html");
    }
    if text.starts_with(b"<!--") {
        return true;
    }
    let Some(rest) = text.strip_prefix(b"<") else { return false };
    text = rest;
    FIRST_TAGS.iter().any(|tag| {
        starts_with_ignoring_case(text, tag.as_bytes())
            && text
                .get(tag.len())
                .is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
    })
}

/// UTF-16 text (told by its byte order mark) with the zero bytes taken out, enough to recognise ASCII in it.
pub(crate) fn narrowed(text: &[u8]) -> Option<Vec<u8>> {
    let wide = text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]);
    wide.then(|| text[2..].iter().copied().filter(|byte| *byte != 0).collect())
}

pub(crate) fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

fn contains_ignoring_case(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_recognised_by_its_start() {
        for text in [
            "<!DOCTYPE html>",
            "  \n<HTML lang=en>",
            "\u{feff}<head>",
            "<!-- saved -->",
            "<?xml version='1.0'?><html>",
            "<p>x",
            "<b",
        ] {
            assert!(looks_like_html(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "{}",
            "<?php echo 1; ?>",
            "<?xml version='1.0'?><rss>",
            "<bold>",
            "GIF89a",
            "plain",
            "<!DOCTYPE svg>",
        ] {
            assert!(!looks_like_html(text.as_bytes()), "{text}");
        }
        assert!(looks_like_html(b"\xff\xfe<\0h\0t\0m\0l\0>\0"));
    }

    #[test]
    fn formats_are_recognised_by_name_and_content() {
        assert_eq!(kind_by_extension("a/B.WARC.GZ"), Some(SourceKind::Warc));
        assert_eq!(kind_by_extension("x.ndjson"), Some(SourceKind::JsonLines));
        assert_eq!(kind_by_extension("x.gz"), None);
        assert_eq!(kind_by_content(b"WARC/1.1\r\n"), Some(SourceKind::Warc));
        assert_eq!(kind_by_extension("x.warc.zst"), Some(SourceKind::Warc));
        let zstd = |text: &[u8]| kind_by_content(&zstd::encode_all(text, 3).unwrap());
        assert_eq!(zstd(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n"), Some(SourceKind::Warc));
        assert_eq!(zstd(b"meta.json"), Some(SourceKind::Gold));
        assert_eq!(kind_by_content(b"PK\x03\x04..."), Some(SourceKind::Wacz));
        assert_eq!(kind_by_content(b"\n{\"url\":1}"), Some(SourceKind::JsonLines));
        assert_eq!(kind_by_content(b"<html>"), Some(SourceKind::Page));
        assert_eq!(kind_by_content(b"\x1f\x8b\x08"), None);
        assert_eq!(kind_by_content(b"\x00\x01\x02"), None);
    }

    #[test]
    fn a_damaged_start_is_packed_as_the_name_says() {
        assert_eq!(packing(b"\x1f\x8b\x08", "a.warc"), Packing::Gzip);
        assert_eq!(packing(b"WARC/1.1", "a.warc.gz"), Packing::Plain);
        assert_eq!(packing(b"\x00\x8b\x08", "a.warc.GZ"), Packing::Gzip);
        assert_eq!(packing(b"\x00\xb5\x2f\xfd", "a.warc.zst"), Packing::Zstd);
        assert_eq!(packing(b"xARC/1.1", "a.warc"), Packing::Plain);
    }
}
