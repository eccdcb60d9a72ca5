//! Slots of the hierarchical template.
//!
//! # What it does
//! The path from the document with places among siblings, rows of lists without a place; shared steps over the longer
//! path.
//! # Assumes
//! Pages of one type are built alike from the top.
//! # When it fails
//! An element more on one page shifts everything behind it.
//! # Paper
//! Gazen 2008 (CONFHEX), DOM template expert: same slot highest, another list lowest. The score is our reading.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "dom-template",
    about: "how far down both stand at the same place, rows of lists apart",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    let same = a.steps.iter().zip(&b.steps).take_while(|(a, b)| a == b).count();
    Some(same as f64 / a.steps.len().max(b.steps.len()).max(1) as f64)
}
