//! Spaces between the words of scripts that write none, for programs that find words by their spaces.

use std::borrow::Cow;

use unsite_dom::Terms;

/// Scripts that write words without spaces between them: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
fn spaceless(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0x1780..=0x17FF
        | 0x3005..=0x3007 | 0x3031..=0x3035 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF)
}

/// The text with a space on either side of each such word.
pub(crate) fn spaced(text: &str) -> Cow<'_, str> {
    if !text.contains(spaceless) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = spaceless(first);
        let (run, after) = rest.split_at(rest.find(|c| spaceless(c) != kind).unwrap_or(rest.len()));
        rest = after;
        if !kind {
            out.push_str(run);
            continue;
        }
        Terms::shared().words(run, |word| {
            if !out.is_empty() && !out.ends_with(char::is_whitespace) {
                out.push(' ');
            }
            out.push_str(word);
        });
        out.push(' ');
    }
    Cow::Owned(out)
}

/// Such a text as people write it. Marks are characters that stand for nothing.
pub(crate) fn unspaced(text: &str, marks: [char; 2]) -> String {
    let mut out = String::with_capacity(text.len());
    let is_text = |c: &char| !marks.contains(c);
    for (at, c) in text.char_indices() {
        let before = || out.chars().rev().find(is_text);
        let after = || text[at + c.len_utf8()..].chars().find(is_text);
        if c != ' ' || !(before().is_some_and(spaceless) && after().is_none_or(|c| spaceless(c) || c == '…'))
        {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_apart_and_together() {
        assert_eq!(spaced("a plain text"), "a plain text");
        let text = "我喜欢学习中文 and English";
        let apart = spaced(text);
        assert!(apart.split(' ').count() > 4, "{apart}");
        assert_eq!(
            unspaced("我 喜欢 \u{2}学习\u{3} 中文 and", ['\u{2}', '\u{3}']),
            "我喜欢\u{2}学习\u{3}中文 and"
        );
    }
}
