//! The thesis's normalised title.

use super::{Expert, ExpertSet, for_columns, nearly};
use crate::edit::similarity;
use crate::kinds::FieldKind;
use crate::text::squeeze;

/// Characters kept. The thesis cuts to a fixed length without giving it; 50 keeps what tells titles apart and fits one
/// machine word.
const KEPT: usize = 50;

/// # What it does
/// Edit similarity of the values in lower case, without spaces and punctuation, cut to fifty characters.
/// # Assumes
/// The beginning of a title identifies it; spacing and hyphens are noise.
/// # When it fails
/// A word added at the front pushes others out at the end.
/// # Paper
/// Gazen 2008, citation and venue experts: normalised title.
pub(super) const EXPERT: Expert = Expert {
    name: "normalized_title",
    about: "edit distance without spaces, first 50 characters",
    set: ExpertSet::General,
    cost: 3,
    judges: |corpus| {
        for_columns(
            corpus,
            "normalized_title",
            |c| c.kind == FieldKind::Text,
            |column| {
                Box::new(move |a, b| {
                    let (a, b) = (column.text(a)?, column.text(b)?);
                    // Squeezing is quick; a copy of every title would be one more far place to read from.
                    Some(if a == b { 1.0 } else { nearly(similarity(&squeeze(a, KEPT), &squeeze(b, KEPT))) })
                })
            },
        )
    },
};
