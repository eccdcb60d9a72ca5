//! What a value looks like, coarsely.

/// The look of a value: which kinds of characters it is made of, and roughly how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pattern {
    digits: bool,
    letters: bool,
    capitals_only: bool,
    symbol: Option<char>,
    /// The binary logarithm of the length.
    length: u8,
}

/// The look of a text.
pub(crate) fn pattern(text: &str) -> Pattern {
    let letters = text.chars().any(char::is_alphabetic);
    Pattern {
        digits: text.chars().any(|c| c.is_numeric()),
        letters,
        capitals_only: letters && !text.chars().any(char::is_lowercase),
        symbol: text.chars().find(|c| !c.is_alphanumeric() && !c.is_whitespace()),
        length: text.chars().count().checked_ilog2().unwrap_or(0) as u8,
    }
}
