//! Lists of names and values.
//!
//! # What it does
//! Inside a list whose rows begin with constant names (`Price $9`, `Tax $1`) values with different names are different,
//! however alike they look. No opinion elsewhere.
//! # Assumes
//! Names come first in their row.
//! # When it fails
//! A list of things that stand on every page looks like names.
//! # Paper
//! Ours; the known failure of CONFHEX that such lists become one column.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "name-value",
    about: "in a list of names and values, whether the names are the same",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    super::label::same_where_known(a.row_name, b.row_name)
}
