//! NUL, which PostgreSQL's text cannot hold: `␀0` stands for it, and `␀␀` for the sign itself.

use std::borrow::Cow;

const SIGN: char = '␀';

/// A text that the server takes. [`restored`] undoes it.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', SIGN]) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\0' => out.extend([SIGN, '0']),
            SIGN => out.extend([SIGN, SIGN]),
            c => out.push(c),
        }
    }
    out.into()
}

/// The text before [`escaped`].
pub(crate) fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains(SIGN) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == SIGN) {
            (_, true) => match chars.next() {
                Some('0') => out.push('\0'),
                Some(SIGN) | None => out.push(SIGN),
                Some(other) => out.extend([SIGN, other]),
            },
            (c, false) => out.push(c),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(text in "[a0\u{0}␀\u{1f600}]{0,12}") {
            let there = escaped(&text);
            prop_assert!(!there.contains('\0'));
            prop_assert_eq!(restored(&there), text.as_str());
        }
    }

    #[test]
    fn plain_text_stays() {
        assert_eq!(escaped("a\\0b"), "a\\0b");
        assert_eq!(escaped("a\0␀0"), "a␀0␀␀0");
    }
}
