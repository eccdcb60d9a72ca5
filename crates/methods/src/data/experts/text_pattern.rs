//! The shape of the texts.
//!
//! # What it does
//! Runs of capitals, of small letters, of digits and of blanks are one token each, every other character is itself; one
//! less the edit distance of the tokens over the sum of their numbers.
//! # Assumes
//! Values of one field are written in one form.
//! # When it fails
//! A column in capitals and mixed case falls apart; all prose has the same shape.
//! # Paper
//! Gazen 2008 (CONFHEX), text pattern expert.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert = DataExpert {
    name: "text-pattern",
    about: "capitals, small letters, digits and marks in the same order",
    score,
};

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    Some(1.0 - unsite_learn::edit::distance_by_sum(&a.pattern, &b.pattern))
}
