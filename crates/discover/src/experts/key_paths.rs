//! Where a page says what it is about.
//!
//! # What it does
//! Share of common paths among those whose text stands in the title, in a link to the page, or in a search that led to it
//! (`--search-log`).
//! # Assumes
//! Title and in-links name what the page is about (pseudo-queries in place of a search log).
//! # When it fails
//! Titles that are constant.
//! # Paper
//! After KeyClus (key paths); its statistics over the log are in `--method keyclus`.

use rustc_hash::FxHashSet;

use super::page_view::hash;
use super::{Expert, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "key-paths",
    about: "where the words of the title and of links to the page stand on it (KeyClus without a search log)",
    read,
    weigh: Weights::counted,
    weight: |weights, path| weights.template(path.key),
    score,
};

/// Shorter texts are in every title by chance.
const SHORTEST: usize = 4;

fn read(page: &PageView<'_>) -> Features {
    let title = page.meta.title.to_lowercase();
    let anchors: FxHashSet<u64> = page.in_links.iter().map(|link| link.words).collect();
    let mut keys = Vec::new();
    for (node, text) in &page.texts {
        let text = text.to_lowercase();
        if text.len() >= SHORTEST && (title.contains(text.as_str()) || anchors.contains(&hash(&[&text]))) {
            keys.push(page.paths[node.index()]);
        }
    }
    Features::of_keys(keys)
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}
