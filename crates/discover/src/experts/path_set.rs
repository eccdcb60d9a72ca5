//! Which element paths a page has.
//!
//! # What it does
//! Weighted share of common element paths. A path that only one page has counts only where its parent stands on both:
//! an optional block costs once, however large, as it would in a description of the page given its template.
//! # Assumes
//! Templates write the same class names for the same thing.
//! # When it fails
//! Class names made by data or by a build tool.
//! # Paper
//! After path shingles (KeyClus, its comparison) with a description-length view; ours.

use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "path-set",
    about: "which element paths the pages have; an optional block counts once, however large",
    read,
    weigh: Weights::counted,
    // Paths that count nothing are what others hang on.
    weight: |weights, path| Some(weights.template(path.key).unwrap_or(0.0)),
    score,
};

/// Distinct paths kept of a page: the smallest hashes, the same ones on every page.
const MAX_PATHS: usize = 1500;

pub(super) fn read(page: &PageView<'_>) -> Features {
    page.element_paths.get_or_init(|| element_paths(page)).clone()
}

fn element_paths(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let mut seen: Vec<(u64, u64)> = tree
        .nodes()
        .filter(|&node| tree.is_element(node))
        .map(|node| {
            (page.paths[node.index()], tree.parent(node).map_or(0, |above| page.paths[above.index()]))
        })
        .collect();
    seen.sort_unstable();
    seen.dedup_by_key(|path| path.0);
    Features::new(seen.into_iter().map(|(key, above)| Feature::new(key, 1.0).below(above)).collect())
        .sketched(MAX_PATHS)
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    let weight = |feature: &Feature| f64::from(feature.weight);
    let (mut both, mut apart) = (0.0, 0.0);
    a.beside(b, |x, y| match (x, y) {
        (Some(x), Some(_)) => both += weight(x),
        // A block that only one page has costs at its root; what hangs below follows from it.
        (Some(x), None) if b.contains(x.above) => apart += weight(x),
        (None, Some(y)) if a.contains(y.above) => apart += weight(y),
        _ => {}
    });
    (both + apart > 0.0).then(|| both / (both + apart))
}
