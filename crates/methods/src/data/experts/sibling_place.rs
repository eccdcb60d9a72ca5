//! Their place in the row.
//!
//! # What it does
//! One less the difference of their places among the texts of the nearest list row or block, over the larger number.
//! # Assumes
//! The fields of a row come in one order.
//! # When it fails
//! Missing values shift the places of those behind.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "sibling-place",
    about: "whether both are the same-numbered text of their row",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    let (low, high) = (a.place.min(b.place), a.place.max(b.place));
    Some(1.0 - f64::from(high - low) / f64::from(high + 1))
}
