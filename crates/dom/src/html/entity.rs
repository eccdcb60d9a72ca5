//! Character references: `&amp;`, `&#38;`, `&#x26;`.

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// What an ampersand at the start of `text` stands for: the characters and how many bytes they take on the page. `None`
/// when it is an ampersand.
pub(super) fn read(text: &str, in_attribute: bool) -> Option<([char; 2], usize)> {
    let rest = text.get(1..)?;
    match rest.as_bytes().first()? {
        b'#' => numeric(rest).map(|(c, length)| ([c, '\0'], length + 1)),
        first if first.is_ascii_alphanumeric() => named(rest, in_attribute),
        _ => None,
    }
}

fn numeric(rest: &str) -> Option<(char, usize)> {
    let (base, start) = if matches!(rest.as_bytes().get(1), Some(b'x' | b'X')) { (16, 2) } else { (10, 1) };
    let digits = rest.as_bytes()[start..].iter().take_while(|byte| (**byte as char).is_digit(base)).count();
    if digits == 0 {
        return None;
    }
    let value = rest[start..start + digits].bytes().fold(0u32, |value, byte| {
        value.saturating_mul(base).saturating_add((byte as char).to_digit(base).unwrap_or(0))
    });
    let length = start + digits;
    let length = length + usize::from(rest.as_bytes().get(length) == Some(&b';'));
    let replaced = value.checked_sub(0x80).and_then(|at| *C1_REPLACEMENTS.get(at as usize)?);
    let c = match value {
        0 => None,
        _ => replaced.or_else(|| char::from_u32(value)),
    };
    Some((c.unwrap_or(char::REPLACEMENT_CHARACTER), length))
}

/// The longest name that the text starts with counts; some names do without the semicolon.
fn named(rest: &str, in_attribute: bool) -> Option<([char; 2], usize)> {
    let letters = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if rest.as_bytes().get(letters) == Some(&b';')
        && let Some(chars) = chars_of(&rest[..=letters])
    {
        return Some((chars, letters + 2));
    }
    // Addresses have parameters that are called like characters: `?a=1&copy=2`. Nothing may follow the name there, so it
    // is all of the letters or none.
    if in_attribute {
        let is_parameter = rest.as_bytes().get(letters) == Some(&b'=');
        let chars = if is_parameter { None } else { chars_of(&rest[..letters]) };
        return chars.map(|chars| (chars, letters + 1));
    }
    let mut found = None;
    for length in 1..=letters {
        // The table knows every beginning of a name, so the search ends where no name goes on.
        let Some(_) = NAMED_ENTITIES.get(&rest[..length]) else { break };
        if let Some(chars) = chars_of(&rest[..length]) {
            found = Some((chars, length));
        }
    }
    let (chars, length) = found?;
    Some((chars, length + 1))
}

fn chars_of(name: &str) -> Option<[char; 2]> {
    // Most references on most pages are one of these.
    match name {
        "nbsp;" => return Some(['\u{a0}', '\0']),
        "amp;" => return Some(['&', '\0']),
        "quot;" => return Some(['"', '\0']),
        "lt;" => return Some(['<', '\0']),
        "gt;" => return Some(['>', '\0']),
        _ => {}
    }
    let &(first, second) = NAMED_ENTITIES.get(name)?;
    if first == 0 { None } else { Some([char::from_u32(first)?, char::from_u32(second)?]) }
}

/// Appends a text with its references read.
pub(super) fn push_decoded(into: &mut String, mut text: &str, in_attribute: bool) {
    while let Some(at) = memchr::memchr(b'&', text.as_bytes()) {
        into.push_str(&text[..at]);
        text = &text[at..];
        match read(text, in_attribute) {
            Some((chars, length)) => {
                into.push_str(encode(chars, &mut [0; 8]));
                text = &text[length..];
            }
            None => {
                into.push('&');
                text = &text[1..];
            }
        }
    }
    into.push_str(text);
}

/// The characters as text; the second may be missing.
pub(super) fn encode(chars: [char; 2], buffer: &mut [u8; 8]) -> &str {
    let mut length = chars[0].encode_utf8(buffer).len();
    if chars[1] != '\0' {
        length += chars[1].encode_utf8(&mut buffer[length..]).len();
    }
    std::str::from_utf8(&buffer[..length]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, in_attribute: bool) -> String {
        let mut into = String::new();
        push_decoded(&mut into, text, in_attribute);
        into
    }

    #[test]
    fn references_are_read_as_browsers_read_them() {
        for (text, expected) in [
            ("a &amp; b &lt;&gt;", "a & b <>"),
            ("&notit; &notin; &not", "\u{ac}it; \u{2209} \u{ac}"),
            ("&#65;&#x42;&#67&#128;&#0;&#x110000;&#xD800;", "ABC\u{20ac}\u{fffd}\u{fffd}\u{fffd}"),
            ("&#; &#x; &; & &nosuchname; &&amp;", "&#; &#x; &; & &nosuchname; &&"),
            ("&#99999999999999999999;", "\u{fffd}"),
            ("&acE;", "\u{223e}\u{333}"),
            ("fin&eacute", "fin\u{e9}"),
        ] {
            assert_eq!(decoded(text, false), expected, "{text}");
        }
        assert_eq!(decoded("?a=1&copy=2&copy;&copy&copyx", true), "?a=1&copy=2\u{a9}\u{a9}&copyx");
        assert_eq!(decoded("&copyx", false), "\u{a9}x");
    }
}
