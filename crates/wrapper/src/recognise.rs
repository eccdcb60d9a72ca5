//! Which page type a page is of: by the paths that mark the type.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use unsite_dom::Tree;
use xxhash_rust::xxh3::xxh3_64;

use crate::classes::ClassMap;

/// What marks the pages of one type: paths of elements with the share of its pages that have them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prototype {
    /// `(path, share of the type's pages that have it)`, sorted by path.
    pub paths: Vec<(u64, f32)>,
    /// The lowest likeness that a page of the type had while learning.
    pub least: f64,
}

/// The distinct element paths of a page, sorted: what page types are told apart by.
pub fn path_set(tree: &Tree, classes: &ClassMap) -> Vec<u64> {
    let mut paths: Vec<u64> =
        tree.fold_paths(|node| if tree.is_element(node) { classes.signature(tree, node) } else { 0 });
    let mut node = 0u32;
    paths.retain(|_| {
        node += 1;
        tree.is_element(unsite_dom::NodeId(node - 1))
    });
    paths.sort_unstable();
    paths.dedup();
    paths
}

impl Prototype {
    /// Learns a type from its pages' path sets.
    pub fn learn(pages: &[&[u64]]) -> Self {
        let mut all: Vec<u64> = pages.iter().flat_map(|paths| paths.iter().copied()).collect();
        all.sort_unstable();
        let mut paths: Vec<(u64, f32)> = Vec::new();
        for run in all.chunk_by(|a, b| a == b) {
            paths.push((run[0], run.len() as f32 / pages.len() as f32));
        }
        let mut prototype = Prototype { paths, least: 0.0 };
        prototype.least = pages.iter().map(|page| prototype.likeness(page)).fold(1.0, f64::min);
        prototype
    }

    /// How much a page is like the pages of the type, 0 to 1: the weighted Jaccard similarity of its paths
    /// to the type's shares.
    pub fn likeness(&self, page: &[u64]) -> f64 {
        let shared: FxHashSet<u64> = page.iter().copied().collect();
        let (mut both, mut either) = (0.0, 0.0);
        let mut known = 0usize;
        for &(path, share) in &self.paths {
            let share = f64::from(share);
            if shared.contains(&path) {
                known += 1;
                both += share;
                either += 1.0;
            } else {
                either += share;
            }
        }
        either += (page.len() - known) as f64;
        if either == 0.0 { 1.0 } else { both / either }
    }
}

/// A short fingerprint of bytes that is stable between runs and machines.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}
