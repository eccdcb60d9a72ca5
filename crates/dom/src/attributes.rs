//! Finds, inside one long tag, the attributes that are too many.

use std::ops::Range;

/// Looks through the tag that starts at `start` in `html`, of which everything before `fed` is already
/// with the tokenizer. Gives the end of the tag and, if it has more than `limit` attributes, what to leave
/// out: from the first attribute beyond the limit that starts at `fed` or later up to the end of the tag.
///
/// Follows the rules by which browsers split a tag into attributes. What is no tag (a comment, a long
/// declaration) has no attributes.
pub(crate) fn look_through(
    html: &[u8],
    start: usize,
    fed: usize,
    limit: usize,
) -> (usize, Option<Range<usize>>) {
    let mut at = start + 1;
    if html.get(at) == Some(&b'/') {
        at += 1;
    }
    if html.get(start) != Some(&b'<') || !html.get(at).is_some_and(u8::is_ascii_alphabetic) {
        return (fed, None);
    }
    at = skip(html, at, |byte| !ends_name(byte));
    let mut count = 0;
    let mut excess = None;
    loop {
        at = skip(html, at, |byte| is_space(byte) || byte == b'/');
        if at >= html.len() || html[at] == b'>' {
            return (at, excess.map(|from| from..at));
        }
        count += 1;
        if count > limit && at >= fed && excess.is_none() {
            excess = Some(at);
        }
        at = value_end(html, name_end(html, at));
    }
}

/// An equals sign at the very start belongs to the name.
fn name_end(html: &[u8], at: usize) -> usize {
    skip(html, at + 1, |byte| !ends_name(byte) && byte != b'=')
}

fn value_end(html: &[u8], name_end: usize) -> usize {
    let equals = skip(html, name_end, is_space);
    if html.get(equals) != Some(&b'=') {
        return name_end;
    }
    let value = skip(html, equals + 1, is_space);
    match html.get(value) {
        Some(&quote @ (b'"' | b'\'')) => (skip(html, value + 1, |byte| byte != quote) + 1).min(html.len()),
        Some(b'>') | None => value,
        Some(_) => skip(html, value, |byte| !is_space(byte) && byte != b'>'),
    }
}

fn skip(html: &[u8], from: usize, while_true: impl Fn(u8) -> bool) -> usize {
    let from = from.min(html.len());
    html[from..].iter().position(|&byte| !while_true(byte)).map_or(html.len(), |length| from + length)
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(html: &str, fed: usize, limit: usize) -> Option<&str> {
        look_through(html.as_bytes(), 0, fed, limit).1.map(|range| &html[range])
    }

    #[test]
    fn attributes_are_counted_as_browsers_count_them() {
        let html = "<p a b=1 c = '>' d=\"x y\"e=/f/g =h i>text";
        let rests = ["a b=1", "b=1 c", "c = '>'", "d=\"x y\"e", "e=/f/g =h", "=h i", "i"];
        for (limit, rest) in rests.into_iter().enumerate() {
            assert!(left_out(html, 0, limit).is_some_and(|found| found.starts_with(rest)), "{limit}");
        }
        assert_eq!(left_out(html, 0, 100), None);
        assert_eq!(left_out("</p a b>", 0, 1), Some("b"));
    }

    #[test]
    fn what_the_tokenizer_has_is_left_alone() {
        assert_eq!(left_out("<p a b c d>", 6, 1), Some("c d"));
        assert_eq!(left_out("<p a b c d>", 8, 1), Some("d"));
        assert_eq!(left_out("<p a b c d>", 11, 1), None);
    }

    #[test]
    fn comments_and_unfinished_tags() {
        assert_eq!(left_out("<!-- a b c -->", 0, 1), None);
        assert_eq!(left_out("text", 0, 1), None);
        assert_eq!(left_out("<p a b=\"c d", 0, 1), Some("b=\"c d"));
        assert_eq!(left_out("<p a b=", 0, 1), Some("b="));
        assert_eq!(left_out("<", 0, 1), None);
    }
}
