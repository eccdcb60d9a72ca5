//! The address without its query.
//!
//! # What it does
//! As `url`, without the names of parameters.
//! # Assumes
//! As `url`.
//! # When it fails
//! Sites that tell their pages apart by parameters alone.
//! # Paper
//! Gazen 2008 (CONFHEX) names it in its results without describing it.

use super::{Expert, url_shape};

pub(super) const EXPERT: Expert = Expert {
    name: "base-url",
    about: "the address without its query",
    read: |page| url_shape::read(page.url, false),
    weigh: url_shape::weigh,
    weight: |_, _| Some(1.0),
    score: url_shape::score,
};
