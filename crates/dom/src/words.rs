//! Where words begin and end: what can be told by single bytes, and what needs Unicode's rules.

/// A piece of text between white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chunk<'t> {
    /// One word of ASCII letters and digits.
    Word(&'t str),
    /// Anything else that may hold words.
    Mixed(&'t str),
}

/// Cuts a text at ASCII white space. The words of the text are those of the chunks: by Unicode's rules nothing reaches
/// across such a space but a combining mark behind it, so there is no cut before a character outside ASCII.
pub(crate) fn chunks(text: &str) -> impl Iterator<Item = Chunk<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            // The first run of letters and digits, and whether there is more to the chunk.
            let (mut first, mut first_end, mut is_mixed) = (bytes.len(), 0, false);
            let start = at;
            loop {
                match bytes.get(at) {
                    None => break,
                    Some(byte) if byte.is_ascii_alphanumeric() => {
                        is_mixed |= first_end > 0;
                        first = first.min(at);
                        at += 1;
                        while bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                            at += 1;
                        }
                        first_end = at;
                        continue;
                    }
                    Some(byte) if is_space(*byte) && bytes.get(at + 1).is_none_or(starts_chunk) => break,
                    Some(byte) => is_mixed |= *byte == b'_' || !byte.is_ascii(),
                }
                at += 1;
            }
            let end = at;
            at += 1;
            if is_mixed {
                return Some(Chunk::Mixed(&text[start..end]));
            }
            if first_end > 0 {
                return Some(Chunk::Word(&text[first..first_end]));
            }
        }
        None
    })
}

fn starts_chunk(byte: &u8) -> bool {
    byte.is_ascii() && !is_space(*byte)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Splits a text into runs that are written with spaces and runs that are not.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let kind = spaceless(rest.chars().next()?);
        let end = rest.char_indices().find(|&(_, c)| spaceless(c) != kind).map_or(rest.len(), |(at, _)| at);
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

/// Scripts that write words without spaces between them.
pub(crate) fn spaceless(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF // Thai, Lao
        | 0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F // Burmese
        | 0x1780..=0x17FF // Khmer
        | 0x3005..=0x3007 | 0x3031..=0x3035 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F // Japanese
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF) // Han
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_segmentation::UnicodeSegmentation;

    /// All texts of up to four of these characters have the words that Unicode's rules give them.
    #[test]
    fn chunks_have_the_words_of_the_text() {
        let letters = ['a', '7', ' ', '.', '\'', '_', '-', 'é', '\u{301}', '\u{93f}', '\n', '\u{a0}'];
        let mut texts = vec![String::new()];
        let mut start = 0;
        for _ in 0..4 {
            let end = texts.len();
            for at in start..end {
                letters.iter().for_each(|letter| texts.push(format!("{}{letter}", texts[at])));
            }
            start = end;
        }
        for text in texts {
            let words = chunks(&text).flat_map(|chunk| match chunk {
                Chunk::Word(word) => vec![word],
                Chunk::Mixed(mixed) => mixed.unicode_words().collect(),
            });
            assert_eq!(words.collect::<Vec<_>>(), text.unicode_words().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
