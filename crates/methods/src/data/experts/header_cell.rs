//! The head of a table.
//!
//! # What it does
//! Cells under the same header are alike, under different ones not; no opinion outside tables with headers.
//! # Assumes
//! Headers are marked as such.
//! # When it fails
//! Tables for layout with headers in them.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "header-cell", about: "whether both stand under the same header of a table", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    super::label::same_where_known(a.header, b.header)
}
