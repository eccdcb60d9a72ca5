//! One value is the abbreviation of the other.

use super::{Expert, ExpertSet, for_columns};
use crate::corpus::{Column, Corpus};
use crate::kinds::FieldKind;
use crate::record::RecordIndex;

/// Letters of an acronym. The thesis asks for fewer than four; longer ones ("IJCAI", "NIPS") are as common.
const MOST_LETTERS: usize = 8;
/// Fewest letters: a single one stands for anything.
const FEWEST_LETTERS: usize = 2;

/// # What it does
/// When one value has a short word that the other lacks (an acronym), every letter of it must be the first letter of
/// some word of the other: 1 if the letters come in order, 0.8 if not, 0 if some letter has no word. No opinion when
/// neither value has such a word.
/// # Assumes
/// Acronyms are made of first letters.
/// # When it fails
/// Acronyms from inner letters ("SPARC").
/// # Paper
/// Gazen 2008, venue experts: abbreviation (order is not required by the text).
pub(super) const EXPERT: Expert = Expert {
    name: "abbreviation",
    about: "acronyms made of first letters",
    set: ExpertSet::Venue,
    cost: 2,
    judges: |corpus| {
        for_columns(
            corpus,
            "abbreviation",
            |c| c.kind == FieldKind::Text,
            |column| {
                let acronyms: Vec<Option<u32>> =
                    (0..corpus.len() as RecordIndex).map(|r| acronym(corpus, column, r)).collect();
                Box::new(move |a, b| {
                    let one = acronyms[a as usize].filter(|&w| !column.tokens(b).iter().any(|t| t.word == w));
                    let two = acronyms[b as usize].filter(|&w| !column.tokens(a).iter().any(|t| t.word == w));
                    let long_enough = |r: RecordIndex| column.tokens(r).len() >= FEWEST_LETTERS;
                    let first = one.filter(|_| long_enough(b)).map(|w| spelled_by(column, corpus.word(w), b));
                    let second =
                        two.filter(|_| long_enough(a)).map(|w| spelled_by(column, corpus.word(w), a));
                    match (first, second) {
                        (Some(x), Some(y)) => Some(x.max(y)),
                        (x, y) => x.or(y),
                    }
                })
            },
        )
    },
};

/// The acronym of a value: its only word of letters, or a word written in capitals in a short value.
fn acronym(corpus: &Corpus<'_>, column: &Column, record: RecordIndex) -> Option<u32> {
    let raw = corpus.records.value(record, column.field)?;
    if raw.len() > 60 || column.tokens(record).len() > 5 {
        return None;
    }
    let capitals = raw
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.len() >= FEWEST_LETTERS && w.len() <= MOST_LETTERS)
        .find(|w| w.bytes().all(|c| c.is_ascii_uppercase()))?
        .to_ascii_lowercase();
    column.tokens(record).iter().map(|t| t.word).find(|&w| corpus.word(w) == capitals)
}

fn spelled_by(column: &Column, letters: &str, record: RecordIndex) -> f32 {
    let initials = || column.tokens(record).iter().map(|t| t.outline.head[0]);
    let mut rest = initials();
    if letters.bytes().all(|c| rest.any(|d| d == c)) {
        1.0
    } else if letters.bytes().all(|c| initials().any(|d| d == c)) {
        0.8
    } else {
        0.0
    }
}
