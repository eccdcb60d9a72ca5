//! Where they stand from left to right.
//!
//! # What it does
//! Same column or not. Nothing is rendered: the column of a text is the cells and lists it stands in.
//! # Assumes
//! Tables and lists make the columns.
//! # When it fails
//! Style sheets place texts wherever they like.
//! # Paper
//! Gazen 2008 (CONFHEX), layout expert: same x coordinate or not, which needs a browser; an approximation.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "layout",
    about: "whether both stand in the same column (approximated from tables and lists)",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    Some(f64::from(u8::from(a.layout == b.layout)))
}
