//! Shared words, rare ones counting more.

use super::word_match::{Leniency, overlap};
use super::{Expert, ExpertSet, for_columns, nearly};
use crate::kinds::FieldKind;

/// # What it does
/// Dice overlap of the words of two values, each weighing `ln(1 + N/df)`; slips, cut words and words written
/// together count as matches with a discount.
/// # Assumes
/// Order matters little; rare words identify.
/// # When it fails
/// Titles that differ by one common word ("part one" and "part two" when both words are common).
/// # Paper
/// Cohen, Ravikumar, Fienberg 2003 (SoftTFIDF) for the idea; token sets of the CONFHEX frame.
pub(super) const EXPERT: Expert = Expert {
    name: "word_set",
    about: "shared words, rare ones weigh more",
    set: ExpertSet::General,
    cost: 4,
    judges: |corpus| {
        for_columns(
            corpus,
            "word_set",
            |c| c.kind == FieldKind::Text,
            |column| {
                Box::new(move |a, b| {
                    let (a, b) = (column.tokens(a), column.tokens(b));
                    if a.is_empty() || b.is_empty() {
                        return None;
                    }
                    let shared = overlap(corpus, a, b, |t| t.rarity, Leniency::Words);
                    Some(if shared.equal { 1.0 } else { nearly(shared.dice()) })
                })
            },
        )
    },
};
