//! The address.
//!
//! # What it does
//! Compares addresses slot by slot: host, steps of the path, ending, names and values of parameters. The values of a slot are
//! told apart into route words (`tag`, `category`), folders (the same routes go on below) and data, by how often and
//! where they come on the site; only route words that differ speak against one type. Pagers are left out.
//! # Assumes
//! Routes are made by a program: one route, one kind of page.
//! # When it fails
//! Sites with one opaque route for everything; few folders that nothing else marks as such.
//! # Paper
//! Gazen 2008 (CONFHEX) compares characters (longest common subsequence); slots and routes are ours.

use super::{Expert, url_shape};

pub(super) const EXPERT: Expert = Expert {
    name: "url",
    about: "the address: route words, depth, parameters",
    read: |page| url_shape::read(page.url),
    weigh: url_shape::weigh,
    weight: |_, _| Some(1.0),
    score: url_shape::score,
};
