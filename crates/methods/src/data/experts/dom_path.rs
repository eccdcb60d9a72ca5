//! The elements around.
//!
//! # What it does
//! Goes up from both texts while the kinds of elements agree: `2 m / (l1 + l2)`.
//! # Assumes
//! The same field stands in the same elements.
//! # When it fails
//! Pages that write everything in the same few elements: then only tables and classes tell fields apart.
//! # Paper
//! Gazen 2008 (CONFHEX), DOM path expert. The print divides by the length of both paths; doubled here so that equal
//! paths give 1.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "dom-path", about: "how far up the elements around are of the same kind", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    let same = a.path.iter().zip(&b.path).take_while(|(a, b)| a == b).count();
    Some(2.0 * same as f64 / (a.path.len() + b.path.len()).max(1) as f64)
}
