//! Where something is.

use super::{Expert, ExpertSet, Judge, nearly};
use crate::edit::similarity;
use crate::record::RecordIndex;

/// # What it does
/// Edit similarity of the fields called location, address, city or place.
/// # Assumes
/// A field with such a name.
/// # When it fails
/// The city of a publisher against that of a conference.
/// # Paper
/// Gazen 2008, citation experts: location.
pub(super) const EXPERT: Expert = Expert {
    name: "location",
    about: "edit distance of the place",
    set: ExpertSet::Citation,
    cost: 3,
    judges: |corpus| {
        let Some(at) = corpus.column_named(&["location", "address", "city", "place"]) else {
            return Vec::new();
        };
        let column = &corpus.columns[at];
        let compare =
            move |a: RecordIndex, b: RecordIndex| Some(nearly(similarity(column.text(a)?, column.text(b)?)));
        vec![Judge { expert: "location", on: column.name.clone(), compare: Box::new(compare) }]
    },
};
