//! How often each tag occurs.
//!
//! # What it does
//! Cosine of `ln(tf + 1) * ln((n + 1) / n_k)` over tags.
//! # Assumes
//! Types use other tags, or other numbers of them.
//! # When it fails
//! Types made from the same tags; long and short pages of one type.
//! # Paper
//! Caverlee, Liu, Buttler 2004 (THOR), TFIDF tag signatures.

use rustc_hash::FxHashMap;

use super::page_view::hash;
use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "tag-signature",
    about: "how often each tag occurs, rare tags counting more (THOR)",
    read,
    weigh: Weights::counted,
    weight: |weights, tag| Some(f64::from(tag.value + 1.0).ln() * weights.idf(tag.key)),
    score,
};

fn read(page: &PageView<'_>) -> Features {
    let mut counts: FxHashMap<&str, f32> = FxHashMap::default();
    for node in page.tree.nodes().filter(|&node| page.tree.is_element(node)) {
        *counts.entry(page.tree.name(node)).or_default() += 1.0;
    }
    Features::new(counts.into_iter().map(|(tag, value)| Feature::new(hash(&[tag]), value)).collect())
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.cosine(b)
}
