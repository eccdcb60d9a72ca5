//! What they are and how long.
//!
//! # What it does
//! Half for the same type of value (number, amount, date, ...), half for lengths of one order of magnitude.
//! # Assumes
//! Values of a field are of one type and of like lengths.
//! # When it fails
//! Most fields are plain text.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "value-type",
    about: "whether both are of one type of value and of like lengths",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    let (short, long) = (a.letters.len().min(b.letters.len()), a.letters.len().max(b.letters.len()));
    let lengths = (short + 1) as f64 / (long + 1) as f64;
    Some(0.5 * f64::from(u8::from(a.value_type == b.value_type)) + 0.5 * lengths)
}
