//! Who edited the venue.

use super::{Expert, ExpertSet, Judge, nearly};
use crate::edit::similarity;
use crate::record::RecordIndex;

/// # What it does
/// Edit similarity of the field called editor or editors.
/// # Assumes
/// A field with such a name.
/// # When it fails
/// Initials against given names.
/// # Paper
/// Gazen 2008, venue experts: editor.
pub(super) const EXPERT: Expert = Expert {
    name: "editor",
    about: "edit distance of the editors",
    set: ExpertSet::Venue,
    cost: 3,
    judges: |corpus| {
        let Some(at) = corpus.column_named(&["editor", "editors"]) else { return Vec::new() };
        let column = &corpus.columns[at];
        let compare =
            move |a: RecordIndex, b: RecordIndex| Some(nearly(similarity(column.text(a)?, column.text(b)?)));
        vec![Judge { expert: "editor", on: column.name.clone(), compare: Box::new(compare) }]
    },
};
