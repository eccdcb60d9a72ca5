//! Where the site links to a page from.
//!
//! # What it does
//! Share of common places among the places that the less linked page is linked from. A place is the link with four
//! elements above it and its `rel`.
//! # Assumes
//! A list links to pages of one type.
//! # When it fails
//! Lists of mixed results; pages that nothing links to (no opinion).
//! # Paper
//! After Grigalis and Cenys 2014 (clustering by XPaths of inbound links).

use super::{Expert, Feature, Features, InLink, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "in-links",
    about: "from which lists and places of the site's pages links lead to the page",
    read,
    weigh: Weights::counted,
    weight: |weights, place| (weights.count(place.key) >= 2.0).then(|| weights.share(place.key).sqrt()),
    score,
};

fn read(page: &PageView<'_>) -> Features {
    let links = page.in_links.iter().filter(|link| link.path != InLink::SEARCH);
    Features::new(links.map(|link| Feature::new(link.path, 1.0)).collect())
}

/// What both pages are linked from, as a share of the page that is linked from fewer places: a famous page is linked
/// from everywhere, the others of its type from their list alone.
fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.overlap(b)
}
