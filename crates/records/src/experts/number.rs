//! Quantities.

use super::{Expert, ExpertSet, for_columns, nearly};
use crate::kinds::FieldKind;
use crate::record::RecordIndex;
use crate::values::parse_number;

/// # What it does
/// Equal numbers 1; otherwise the larger of `1 - |a-b| / max(|a|,|b|)` squared (rounding, drift) and half the edit
/// similarity of the digits (a slip of the finger).
/// # Assumes
/// Units agree within a field.
/// # When it fails
/// Numbers that are codes: give the field the kind `identifier`.
/// # Paper
/// Ours.
pub(super) const EXPERT: Expert = Expert {
    name: "number",
    about: "relative difference of quantities",
    set: ExpertSet::General,
    cost: 2,
    judges: |corpus| {
        for_columns(
            corpus,
            "number",
            |c| c.kind == FieldKind::Number,
            |column| {
                let numbers: Vec<Option<f64>> = (0..corpus.len() as RecordIndex)
                    .map(|r| corpus.records.value(r, column.field).and_then(parse_number))
                    .collect();
                Box::new(move |a, b| {
                    let (x, y) = (numbers[a as usize]?, numbers[b as usize]?);
                    if x == y {
                        return Some(1.0);
                    }
                    let near = (1.0 - (x - y).abs() / x.abs().max(y.abs())).max(0.0) as f32;
                    let slip = crate::edit::similarity(column.text(a)?, column.text(b)?);
                    Some(nearly((near * near).max(0.5 * slip)))
                })
            },
        )
    },
};
