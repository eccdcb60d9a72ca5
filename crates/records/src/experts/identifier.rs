//! Codes: equal or not, with a little room for slips.

use super::{Expert, ExpertSet, for_columns, nearly};
use crate::edit::levenshtein;
use crate::kinds::FieldKind;
use crate::text::squeeze;

/// Characters compared: longer codes are addresses, whose beginning is shared.
const KEPT: usize = 64;

/// # What it does
/// Codes without separators: equal 1, one containing the other 0.8, one slip 0.7, two slips 0.5, else a tenth of the
/// edit similarity. Web addresses drop their scheme and `www`.
/// # Assumes
/// Codes are unique or nearly so.
/// # When it fails
/// Consecutive numbers look like slips of each other.
/// # Paper
/// Ours.
pub(super) const EXPERT: Expert = Expert {
    name: "identifier",
    about: "codes: equal, contained, or a slip apart",
    set: ExpertSet::General,
    cost: 2,
    judges: |corpus| {
        for_columns(
            corpus,
            "identifier",
            |c| c.kind == FieldKind::Identifier,
            |column| {
                Box::new(move |a, b| {
                    let (a, b) = (column.text(a)?, column.text(b)?);
                    Some(if a == b { 1.0 } else { compare(&code(a), &code(b)) })
                })
            },
        )
    },
};

fn code(text: &str) -> String {
    let text = text.strip_prefix("https ").or_else(|| text.strip_prefix("http ")).unwrap_or(text);
    squeeze(text.strip_prefix("www ").unwrap_or(text), KEPT)
}

fn compare(a: &str, b: &str) -> f32 {
    if a == b {
        return 1.0;
    }
    let longer = a.len().max(b.len());
    if a.len().min(b.len()) >= 5 && (a.contains(b) || b.contains(a)) {
        return 0.8;
    }
    match levenshtein(a, b) {
        1 if longer >= 4 => 0.7,
        2 if longer >= 6 => 0.5,
        distance => nearly(0.1 * (1.0 - distance as f32 / longer as f32).max(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn codes_are_equal_or_a_slip_apart() {
        assert_eq!(compare("11112222", "11112222"), 1.0);
        assert_eq!(compare("11112222", "11112223"), 0.7);
        assert_eq!(compare("isbn11112222", "11112222"), 0.8);
        assert!(compare("11112222", "98765432") < 0.1);
    }
}
