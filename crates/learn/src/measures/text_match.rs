//! When a cell's text counts as a labelled value: the text rules shared by the field and record measures.
//!
//! They mirror the outside scorer rule by rule, including what it calls a word character: letters, digits and
//! underscore. (Python leaves combining vowel signs and circled letters out of that class, Rust does not: the one known difference.)

/// Values longer than this are compared by their letters and digits alone.
const LONG_TEXT_CHARS: usize = 60;
/// A part of a labelled text node serves it when it is at least this share of it.
const LARGE_PART: f64 = 0.6;
/// A label before a colon is at most this long.
const LABEL_CHARS: usize = 40;

/// White space collapsed and trimmed; text over 60 characters by its word characters alone, so that inline tags and
/// line breaks do not matter.
pub fn norm(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for part in text.split(is_space).filter(|part| !part.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(part);
    }
    if collapsed.chars().nth(LONG_TEXT_CHARS).is_some() {
        collapsed.retain(is_word);
    }
    collapsed
}

/// True when the cell `got` serves the labelled value `want` (both normalised): it is that value, or that value without
/// its label ("Phone: 555" gives "555"), or most of it at word boundaries. SWDE labels whole text nodes, and a text
/// node may hold more than the value.
pub fn same(got: &str, want: &str) -> bool {
    if got == want {
        return true;
    }
    if got.is_empty() || !want.contains(got) {
        return false;
    }
    let large = got.chars().count() as f64 >= LARGE_PART * want.chars().count() as f64;
    (large && contains_as_words(want, got)) || is_labelled(want, got)
}

/// True when `part` stands somewhere in `text` with no word character directly before or after it.
pub fn contains_as_words(text: &str, part: &str) -> bool {
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(part)) {
        let start = from + found;
        let before = text[..start].chars().next_back();
        let after = text[start + part.len()..].chars().next();
        if !before.is_some_and(is_word) && !after.is_some_and(is_word) {
            return true;
        }
        // Occurrences may overlap, so go on one character further, not behind this one.
        match text[start..].chars().next() {
            Some(c) => from = start + c.len_utf8(),
            None => return false,
        }
    }
    false
}

/// A letter, a digit or an underscore.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `want` is a short label, a colon, white space and then exactly `got`.
fn is_labelled(want: &str, got: &str) -> bool {
    let Some((label, rest)) = want.split_once(':') else { return false };
    let label_fits = !label.is_empty() && label.chars().nth(LABEL_CHARS).is_none();
    label_fits && rest.strip_suffix(got).is_some_and(|gap| gap.chars().all(is_space))
}

/// Unicode white space plus the four separators U+001C..U+001F, which the outside scorer counts too.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalisation() {
        assert_eq!(norm("  a\u{a0}\n b\t"), "a b");
        assert_eq!(norm(""), "");
        let sixty = "x".repeat(58) + " y";
        assert_eq!(norm(&sixty), sixty);
        assert_eq!(norm(&format!("{sixty}!")), "x".repeat(58) + "y");
        assert_eq!(norm(&"é_1-".repeat(20)), "é_1".repeat(20));
    }

    #[test]
    fn serving_a_labelled_value() {
        assert!(same("555", "555"));
        assert!(same("555", "Phone: 555"));
        assert!(same("555", "Phone:555"));
        assert!(!same("1", "::::1"));
        assert!(!same("5", "Phone: 555"));
        assert!(!same("555", "a:b: 555"));
        assert!(!same("555", &format!("{}: 555", "x".repeat(41))));
        assert!(same("555", &format!("{}: 555", "x".repeat(40))));
        assert!(same("Pride and Prejudice", "Pride and Prejudice (novel)"));
        assert!(!same("Pride", "Pride and Prejudice"));
        assert!(!same("Pride and Prejud", "Pride and Prejudice"));
        assert!(!same("", "x"));
        assert!(!same("longer than it", "than"));
    }

    #[test]
    fn word_boundaries_with_overlapping_occurrences() {
        assert!(contains_as_words("x- - -", "- -"));
        assert!(contains_as_words("a 12 b", "12"));
        assert!(!contains_as_words("a 123 b", "12"));
        assert!(!contains_as_words("é12", "12"));
        assert!(contains_as_words("", ""));
        assert!(!contains_as_words("a", ""));
        assert!(contains_as_words("a -", ""));
    }
}
