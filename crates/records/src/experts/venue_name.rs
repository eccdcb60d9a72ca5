//! The name of the venue, from whichever field has it.

use super::venue_type::VENUE_FIELDS;
use super::{Expert, ExpertSet, Judge, nearly};
use crate::corpus::StrArena;
use crate::edit::similarity;
use crate::record::RecordIndex;
use crate::text;

/// Words that say nothing about which venue it is.
const STOP: [&str; 16] = [
    "in",
    "of",
    "the",
    "on",
    "and",
    "for",
    "a",
    "an",
    "to",
    "at",
    "proceedings",
    "proc",
    "appear",
    "de",
    "la",
    "s",
];
/// Characters compared.
const KEPT: usize = 64;

/// # What it does
/// Edit similarity of the venue's name (any venue field) without spaces, stop words and case.
/// # Assumes
/// One venue field holds the name.
/// # When it fails
/// Acronyms; the abbreviation expert speaks then.
/// # Paper
/// Gazen 2008, citation and venue experts: venue name.
pub(super) const EXPERT: Expert = Expert {
    name: "venue_name",
    about: "the venue's name without stop words",
    set: ExpertSet::Citation,
    cost: 3,
    judges: |corpus| {
        let columns: Vec<usize> =
            VENUE_FIELDS.iter().filter_map(|name| corpus.column_named(&[name])).collect();
        if columns.is_empty() {
            return Vec::new();
        }
        let mut names = StrArena::default();
        for record in 0..corpus.len() as RecordIndex {
            let folded = columns.iter().find_map(|&c| corpus.columns[c].text(record)).unwrap_or("");
            let kept: String = text::words(folded).filter(|w| !STOP.contains(w)).collect();
            names.push(&text::squeeze(&kept, KEPT));
        }
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let (a, b) = (names.get(a as usize), names.get(b as usize));
            if a.is_empty() || b.is_empty() { None } else { Some(nearly(similarity(a, b))) }
        };
        vec![Judge { expert: "venue_name", on: "venue".to_owned(), compare: Box::new(compare) }]
    },
};
