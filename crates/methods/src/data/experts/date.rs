//! Dates and times.
//!
//! # What it does
//! Two texts with a date are alike, the more so the more their formats agree; a text with a date and one without are not.
//! # Assumes
//! A site writes the dates of one field in one format.
//! # When it fails
//! Two fields of dates in one format (published, updated) are one to it; texts without dates get no opinion.
//! # Paper
//! Gazen 2008 (CONFHEX), date expert: sequences of date patterns, edit distance over length.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "date", about: "whether both are dates, in one format", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    match (a.is_date, b.is_date) {
        (false, false) => None,
        (true, true) => Some(1.0 - 0.5 * unsite_learn::edit::distance_by_longer(&a.pattern, &b.pattern)),
        _ => Some(0.0),
    }
}
