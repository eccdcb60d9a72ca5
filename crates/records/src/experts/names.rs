//! Names of people: surnames, initials, lists cut short.

use super::word_match::{Leniency, overlap};
use super::{Expert, ExpertSet, for_columns, nearly};
use crate::corpus::Column;
use crate::kinds::FieldKind;
use crate::record::RecordIndex;

/// # What it does
/// Matches the words of two lists of people; an initial stands for any word that begins with it. The score is the
/// mean of shared over all and shared over the shorter list, because lists are often cut ("et al.").
/// # Assumes
/// Order of given name and surname does not matter.
/// # When it fails
/// Different people of one surname and initial.
/// # Paper
/// Names and initials expert of the CONFHEX frame; Winkler 1994 for frequency weighting.
pub(super) const EXPERT: Expert = Expert {
    name: "names",
    about: "people: surnames, initials, lists cut short",
    set: ExpertSet::General,
    judges: |corpus| {
        for_columns(
            corpus,
            "names",
            |c| c.kind == FieldKind::Names,
            |column| {
                let mut words: Vec<u32> = Vec::new();
                let mut starts = vec![0_usize];
                for record in 0..corpus.len() as RecordIndex {
                    words
                        .extend(column.words(record).iter().copied().filter(|&w| !is_filler(corpus.word(w))));
                    starts.push(words.len());
                }
                Box::new(move |a, b| {
                    let side = |r: RecordIndex| &words[starts[r as usize]..starts[r as usize + 1]];
                    score(corpus, column, side(a), side(b))
                })
            },
        )
    },
};

fn score(corpus: &crate::corpus::Corpus<'_>, column: &Column, a: &[u32], b: &[u32]) -> Option<f32> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let shared = overlap(corpus, a, b, &column.rarity, Leniency::Initials);
    Some(if shared.equal { 1.0 } else { nearly(0.5 * shared.dice() + 0.5 * shared.containment()) })
}

fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "and" | "et" | "al" | "mr" | "mrs" | "ms" | "dr" | "prof" | "jr" | "sr" | "eds" | "ed" | "editors"
    )
}
