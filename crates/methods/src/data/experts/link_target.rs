//! Where they lead.
//!
//! # What it does
//! Links to the same kind of address (its folders, without what looks like a name or number) are alike; a link and a
//! plain text are not; no opinion on two plain texts.
//! # Assumes
//! Addresses of one kind of page share their folders.
//! # When it fails
//! Sites with all pages in one folder.
//! # Paper
//! Ours.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "link-target", about: "whether both link to the same kind of page", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    (a.link != 0 || b.link != 0).then(|| f64::from(u8::from(a.link == b.link)))
}
