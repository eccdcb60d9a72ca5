//! Constant words.
//!
//! # What it does
//! Share of the pairs of neighbouring tokens (tags and words), each standing once on its page, that two pages have in
//! common; pairs on nearly all pages of the site count little. A sample of the pairs stands for them all.
//! # Assumes
//! What a template writes stands once on a page and on many pages.
//! # When it fails
//! Pages with little constant text of their own; long texts on the same subject.
//! # Paper
//! Gazen 2008 (CONFHEX), template expert: unique common runs. Sampling and site-wide weights are ours.

use rustc_hash::FxHashMap;

use super::page_view::{hash, mix};
use super::{Expert, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "template",
    about: "how much of the pages is the same words and tags, each once on a page",
    read,
    weigh: Weights::counted,
    weight: |weights, run| weights.template(run.key),
    score,
};

/// Runs kept of a page.
const MAX_RUNS: usize = 200;
/// Tokens looked at.
const MAX_TOKENS: usize = 20_000;

/// Pairs of neighbouring tokens (tags and words) that stand exactly once on the page: what CONFHEX's template expert
/// may use as constants. A sample of them stands for the stripes.
fn read(page: &PageView<'_>) -> Features {
    let mut tokens: Vec<u64> = Vec::new();
    let mut parent = None;
    for (node, text) in &page.texts {
        let above = page.tree.parent(*node);
        if above != parent {
            parent = above;
            tokens.push(above.map_or(0, |above| hash(&["<", page.tree.name(above)])));
        }
        tokens.extend(text.split_whitespace().map(|word| hash(&[word])));
        if tokens.len() > MAX_TOKENS {
            break;
        }
    }
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    for pair in tokens.windows(2) {
        *counts.entry(mix(pair[0], pair[1])).or_default() += 1;
    }
    Features::of_keys(counts.into_iter().filter(|&(_, count)| count == 1).map(|(pair, _)| pair))
        .sketched(MAX_RUNS)
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}
