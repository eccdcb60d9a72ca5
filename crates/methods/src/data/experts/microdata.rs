//! What the site itself calls them.
//!
//! # What it does
//! Texts under the same `itemprop` or `property`, or equal to the same leaf of the page's JSON-LD, are alike; under
//! different ones not.
//! # Assumes
//! Sites name their data rightly.
//! # When it fails
//! One property for several things, such as `name` of the product and of its maker.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "microdata", about: "whether microdata or JSON-LD give both the same name", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    super::label::same_where_known(a.property, b.property)
}
