//! Text that comes from a site nobody vouches for, made fit for a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use unsite::harmless::is_obeyed;

/// What stands at the place of what was cut off.
const CUT: char = '…';

/// One line without anything that a terminal would obey: control characters and marks that turn the direction of
/// writing become U+FFFD, white space one blank.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().map(|c| if is_obeyed(c) { '\u{FFFD}' } else { c }));
    }
    out
}

/// How many columns of a terminal the text takes.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text cut to so many columns.
pub(crate) fn fit(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > most {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    if most > 0 {
        out.push(CUT);
    }
    out
}

/// A number with commas between thousands.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 page`, `2 pages`, `2 addresses`.
pub(crate) fn counted(value: u64, one: &str) -> String {
    let ending = match value {
        1 => "",
        _ if one.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {one}{ending}", number(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_of_a_thing() {
        let all = [counted(1, "address"), counted(607, "more address"), counted(2, "page")];
        assert_eq!(all, ["1 address", "607 more addresses", "2 pages"]);
    }

    #[test]
    fn a_terminal_obeys_nothing_of_a_site() {
        assert_eq!(printable(" a\n\t b\u{1b}[31mred\u{202e} "), "a b\u{fffd}[31mred\u{fffd}");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(fit("安静的港湾", 10), "安静的港湾");
        assert_eq!(fit("安静的港湾", 9), "安静的港…");
        assert_eq!(fit("安静的港湾", 8), "安静的…");
        assert_eq!(fit("the quiet harbour", 5), "the…");
        assert_eq!(fit("abc", 0), "");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1234567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "page"), "1 page");
        assert_eq!(counted(1200, "row"), "1,200 rows");
    }
}
