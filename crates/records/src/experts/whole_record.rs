//! The words of the whole record, wherever they stand.

use super::word_match::{Leniency, overlap};
use super::{Expert, ExpertSet, Judge, nearly};
use crate::record::RecordIndex;

/// Words of a record that are compared; further ones are left to the experts of their fields.
const MOST_WORDS: usize = 64;

/// # What it does
/// Mean of dice and containment of the words of all fields together, rare words weighing more.
/// # Assumes
/// Values may stand in the wrong field or be cut in the wrong place.
/// # When it fails
/// Long records that share boilerplate.
/// # Paper
/// Ours; the thesis's fields come from an imperfect segmenter, and this sees through its mistakes.
pub(super) const EXPERT: Expert = Expert {
    name: "whole_record",
    about: "shared words of all fields together",
    set: ExpertSet::General,
    cost: 12,
    judges: |corpus| {
        // One field alone is already judged by its own experts.
        if corpus.columns.len() < 2 {
            return Vec::new();
        }
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let side = |r: RecordIndex| {
                let tokens = corpus.tokens(r);
                &tokens[..tokens.len().min(MOST_WORDS)]
            };
            let (a, b) = (side(a), side(b));
            if a.is_empty() || b.is_empty() {
                return None;
            }
            let shared = overlap(corpus, a, b, |t| t.overall, Leniency::Initials);
            Some(if shared.equal { 1.0 } else { nearly(0.5 * shared.dice() + 0.5 * shared.containment()) })
        };
        vec![Judge { expert: "whole_record", on: "all fields".to_owned(), compare: Box::new(compare) }]
    },
};
