//! The constant text in front.
//!
//! # What it does
//! Texts behind the same constant text are alike, behind different ones not; no opinion where one has none.
//! # Assumes
//! What a site calls a value stands in front of it and on many pages.
//! # When it fails
//! Values behind each other have the label of the first only.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "label", about: "whether the same constant text introduces both", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    same_where_known(a.label, b.label)
}

/// 1 for equal and 0 for different marks; no opinion when one has none.
pub(super) fn same_where_known(a: u64, b: u64) -> Option<f64> {
    (a != 0 && b != 0).then(|| f64::from(u8::from(a == b)))
}
