//! Slots of the template.
//!
//! # What it does
//! Same slot between the constants that all pages have once, or not.
//! # Assumes
//! Constants stand once on each page, in one order.
//! # When it fails
//! All rows of a list fall into one slot, whatever they say.
//! # Paper
//! Gazen 2008 (CONFHEX), template expert over the template of all pages.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "template",
    about: "whether both stand in the same slot of the pages'\'' template",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    Some(f64::from(u8::from(a.slot == b.slot)))
}
