//! Edit distance between whole values; alone, the thesis's baseline.

use super::{Expert, ExpertSet, for_columns, nearly};
use crate::edit::similarity;

/// # What it does
/// `1 - distance / longer length` of the folded values of a field.
/// # Assumes
/// Duplicates differ by slips, not by words left out or moved.
/// # When it fails
/// Abbreviations and swapped words look like other values.
/// # Paper
/// Gazen 2008, chapter on citations: the baseline has one such expert for each field.
pub(super) const EXPERT: Expert = Expert {
    name: "string_edit",
    about: "edit distance between whole values",
    set: ExpertSet::General,
    cost: 3,
    judges: |corpus| {
        for_columns(
            corpus,
            "string_edit",
            |_| true,
            |column| Box::new(move |a, b| Some(nearly(similarity(column.text(a)?, column.text(b)?)))),
        )
    },
};
