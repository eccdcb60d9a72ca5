//! Where a page says what it is about.

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
