//! Bytes to characters: byte-order mark, declared charset, UTF-8 validity, then detection on a prefix.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How much of a page may hold the `<meta charset>`: browsers look at 1,024 bytes, careless pages need more.
const PRESCAN: usize = 4096;

/// How much the statistical detector reads. Over a whole page it would cost as much as parsing.
const DETECTION_PREFIX: usize = 16 * 1024;

/// Decodes a page; `declared` is the charset of the transport. Malformed sequences become U+FFFD.
pub fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> (Cow<'a, str>, &'static Encoding) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[length..]).0, encoding);
    }
    let encoding = declared
        .and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        .or_else(|| meta_charset(bytes));
    // A declaration is believed unless it says UTF-8 and the bytes are not, or the bytes are UTF-8 beyond doubt.
    if let Some(text) = whole_utf8(bytes)
        && encoding.is_none_or(|e| e.is_ascii_compatible() && (e == UTF_8 || !bytes.is_ascii()))
    {
        return (Cow::Borrowed(text), UTF_8);
    }
    let encoding = match encoding {
        Some(encoding) if encoding != UTF_8 => encoding,
        Some(_) if mostly_utf8(bytes) => UTF_8,
        _ => detect(bytes),
    };
    (encoding.decode_without_bom_handling(bytes).0, encoding)
}

/// The bytes as UTF-8, if they are; a character cut in two at the very end is no objection.
fn whole_utf8(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok().filter(|text| !text.is_ascii())
        }
        Err(_) => None,
    }
}

/// A page that declares UTF-8 and keeps the promise but for a few bytes is UTF-8.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut bad, mut multi) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        bad += usize::from(!chunk.invalid().is_empty());
        multi += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
    }
    bad <= multi
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    // Start where the first non-ASCII byte is: a long ASCII head says nothing.
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let start = first.saturating_sub(64);
    let prefix = &bytes[start..bytes.len().min(start + DETECTION_PREFIX)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(prefix, start + prefix.len() == bytes.len());
    let guess = detector.guess(None, Utf8Detection::Allow);
    if guess.is_ascii_compatible() { guess } else { WINDOWS_1252 }
}

/// The charset of a `<meta charset=...>` or `<meta http-equiv content="...charset=...">` near the top.
fn meta_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(PRESCAN)].to_ascii_lowercase();
    let mut at = 0;
    while let Some(found) = find(&head[at..], b"<meta") {
        let start = at + found;
        let end = find(&head[start..], b">").map_or(head.len(), |length| start + length);
        if let Some(position) = find(&head[start..end], b"charset") {
            let value = head[start + position + 7..end]
                .iter()
                .skip_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b'\'' | b'\t' | b'\n'))
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
                .copied()
                .collect::<Vec<u8>>();
            if let Some(encoding) = Encoding::for_label(&value) {
                // A page whose meta could be read byte by byte is not UTF-16, whatever it says.
                return Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 });
            }
        }
        at = end;
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
