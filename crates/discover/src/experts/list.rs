//! The page with its lists collapsed.
//!
//! # What it does
//! Share of common runs of three element paths, when neighbours of equal shape count once, so that lists of any
//! length are equal.
//! # Assumes
//! Rows of a list have the same shape.
//! # When it fails
//! Lists whose rows differ in optional parts.
//! # Paper
//! Gazen 2008 (CONFHEX), list expert; shapes instead of its unpublished list induction.

use super::page_view::mix;
use super::{Expert, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "list",
    about: "tag runs the pages share when repeated neighbours count once",
    read,
    weigh: Weights::counted,
    weight: |weights, run| weights.template(run.key),
    score,
};

/// Elements in a run.
const RUN: usize = 3;
/// Runs kept of a page.
const MAX_RUNS: usize = 200;

fn read(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let name = |node: unsite_dom::NodeId| page.paths[node.index()];
    // Shapes bottom-up: an element's own path and the shapes of its children, equal neighbours once.
    let mut shape: Vec<u64> = vec![0; tree.len()];
    for node in tree.nodes().rev().filter(|&node| tree.is_element(node)) {
        let mut all = name(node);
        let mut last = 0;
        for child in tree.children(node).filter(|&child| tree.is_element(child)) {
            if shape[child.index()] != last {
                last = shape[child.index()];
                all = mix(all, last);
            }
        }
        shape[node.index()] = all;
    }
    let mut row: Vec<u64> = Vec::new();
    let mut last: Vec<u64> = vec![0; tree.len()];
    let mut skip_until = 0;
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        if node.0 < skip_until {
            continue;
        }
        let above = tree.parent(node).map_or(0, |above| above.index());
        if last[above] == shape[node.index()] {
            skip_until = tree.end(node).0;
            continue;
        }
        last[above] = shape[node.index()];
        row.push(name(node));
    }
    runs(&row, RUN, MAX_RUNS)
}

/// The distinct runs of a sequence, sampled.
pub(super) fn runs(row: &[u64], width: usize, most: usize) -> Features {
    let mut keys: Vec<u64> =
        row.windows(width).map(|run| run.iter().fold(0, |all, &step| mix(all, step))).collect();
    keys.sort_unstable();
    keys.dedup();
    Features::of_keys(keys).sketched(most)
}

pub(super) fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}
