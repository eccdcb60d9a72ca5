//! Which kind of venue a citation names.

use super::{Expert, ExpertSet, Judge};
use crate::record::RecordIndex;

/// The fields that say where something appeared.
pub(super) const VENUE_FIELDS: [&str; 8] =
    ["journal", "booktitle", "venue", "institution", "school", "tech", "publisher", "conference"];

/// # What it does
/// 1 when the same venue fields are present in both citations, 0 when different ones are; no opinion when one has none.
/// With a single `venue` field the kind is read from its first words (proceedings, technical report, thesis, book) as a
/// stand-in for the fields that the citation did not separate.
/// # Assumes
/// A paper appears in one kind of venue.
/// # When it fails
/// A paper that appeared as a report first.
/// # Paper
/// Gazen 2008, citation experts: venue type.
pub(super) const EXPERT: Expert = Expert {
    name: "venue_type",
    about: "the same kind of venue is named",
    set: ExpertSet::Citation,
    cost: 1,
    judges: |corpus| {
        let columns: Vec<usize> =
            VENUE_FIELDS.iter().filter_map(|name| corpus.column_named(&[name])).collect();
        if columns.is_empty() {
            return Vec::new();
        }
        let single = columns.len() == 1;
        let kinds: Vec<u16> = (0..corpus.len() as RecordIndex)
            .map(|record| {
                let mut kind = 0_u16;
                for (bit, &column) in columns.iter().enumerate() {
                    let text = corpus.columns[column].text(record);
                    kind |= u16::from(text.is_some()) << bit;
                    if single {
                        kind |= text.map_or(0, |t| worded_kind(t) << 8);
                    }
                }
                kind
            })
            .collect();
        let compare = move |a: RecordIndex, b: RecordIndex| {
            let (a, b) = (kinds[a as usize], kinds[b as usize]);
            if a == 0 || b == 0 { None } else { Some(if a == b { 1.0 } else { 0.0 }) }
        };
        vec![Judge { expert: "venue_type", on: "venue".to_owned(), compare: Box::new(compare) }]
    },
};

fn worded_kind(folded: &str) -> u16 {
    let words: Vec<&str> = crate::text::words(folded).take(12).collect();
    let has = |stems: &[&str]| words.iter().any(|w| stems.iter().any(|s| w.starts_with(s)));
    if has(&["thes", "dissertation", "phd"]) {
        1
    } else if has(&["report", "tech", "memo"]) {
        2
    } else if has(&["proc", "conf", "workshop", "symp"]) || words.first() == Some(&"in") {
        3
    } else if has(&["press", "publish"]) {
        4
    } else {
        5
    }
}
