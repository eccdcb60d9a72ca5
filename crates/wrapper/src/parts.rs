//! Parts of a text: what varies between constant words (`22` in `In stock (22 available)`).

use serde::{Deserialize, Serialize};

/// One of the varying parts of a text that is otherwise constant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The constant stretches: before the first part, between the parts, and after the last; the outer two may be empty.
    pub constants: Vec<String>,
    /// Which part: the one behind the constant of this number.
    pub index: usize,
}

impl Part {
    /// The part of a text; `None` when the text is built otherwise.
    pub fn read<'t>(&self, text: &'t str) -> Option<&'t str> {
        split(text, &self.constants)?.get(self.index).copied()
    }
}

/// Splits a text at its constants, in order. `None` when one is missing, or a part is empty.
pub fn split<'t>(text: &'t str, constants: &[String]) -> Option<Vec<&'t str>> {
    let (first, rest) = constants.split_first()?;
    let (last, between) = rest.split_last()?;
    let text = text.trim();
    let mut text = text.strip_prefix(first.as_str()).filter(|rest| is_apart(first, rest))?;
    let body = text.strip_suffix(last.as_str())?;
    if !is_apart(body, last) {
        return None;
    }
    text = body;
    let mut parts = Vec::with_capacity(constants.len() - 1);
    for constant in between {
        let at = find_apart(text, constant)?;
        parts.push(text[..at].trim());
        text = &text[at + constant.len()..];
    }
    parts.push(text.trim());
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// Where a constant stands in a text as words of its own.
fn find_apart(text: &str, constant: &str) -> Option<usize> {
    text.match_indices(constant).map(|(at, _)| at).find(|&at| {
        let (left, right) = (&text[..at], &text[at + constant.len()..]);
        is_apart(left, constant) && is_apart(constant, right) && (has_word(constant) || is_loose(left, right))
    })
}

fn has_word(constant: &str) -> bool {
    constant.chars().any(char::is_alphanumeric)
}

/// Is there a gap on a side of a sign? The colon of `12:30` separates nothing.
fn is_loose(left: &str, right: &str) -> bool {
    left.is_empty() || right.is_empty() || left.ends_with(' ') || right.starts_with(' ')
}

/// Does no word run over the border between two stretches?
fn is_apart(left: &str, right: &str) -> bool {
    let ends = left.chars().next_back().is_some_and(char::is_alphanumeric);
    let begins = right.chars().next().is_some_and(char::is_alphanumeric);
    !(ends && begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(constants: &[&str]) -> Vec<String> {
        constants.iter().map(|constant| (*constant).to_owned()).collect()
    }

    #[test]
    fn the_parts_stand_between_the_constants() {
        let stock = constants(&["In stock (", "available)"]);
        assert_eq!(split("In stock (22 available)", &stock), Some(vec!["22"]));
        assert_eq!(split("In stock", &stock), None);
        let both = constants(&["Height:", "| Weight:", ""]);
        assert_eq!(split("Height: 6-9 | Weight: 240", &both), Some(vec!["6-9", "240"]));
        assert_eq!(Part { constants: both, index: 1 }.read("Height: 6-9 | Weight: 240"), Some("240"));
    }

    #[test]
    fn a_constant_is_not_found_inside_a_word() {
        let by = constants(&["", "by", ""]);
        assert_eq!(split("Ruby by Anna", &by), Some(vec!["Ruby", "Anna"]));
        assert_eq!(split("Babylon", &by), None);
        assert_eq!(split("", &constants(&["", ""])), None);
        let colon = constants(&["", ":", ""]);
        assert_eq!(split("aapt 1:10.0: tool", &colon), Some(vec!["aapt 1:10.0", "tool"]));
    }
}
