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
    judges: |corpus| {
        // One field alone is already judged by its own experts.
        if corpus.columns.len() < 2 {
            return Vec::new();
        }
        let mut words: Vec<u32> = Vec::new();
        let mut starts = vec![0_u32];
        for record in 0..corpus.len() as RecordIndex {
            words.extend(corpus.columns.iter().flat_map(|c| c.words(record)).copied().take(MOST_WORDS));
            starts.push(words.len() as u32);
        }
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let side = |r: RecordIndex| &words[starts[r as usize] as usize..starts[r as usize + 1] as usize];
            let (a, b) = (side(a), side(b));
            if a.is_empty() || b.is_empty() {
                return None;
            }
            let shared = overlap(corpus, a, b, &corpus.rarity, Leniency::Initials);
            Some(if shared.equal { 1.0 } else { nearly(0.5 * shared.dice() + 0.5 * shared.containment()) })
        };
        vec![Judge { expert: "whole_record", on: "all fields".to_owned(), compare: Box::new(compare) }]
    },
};
