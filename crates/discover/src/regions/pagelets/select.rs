//! Which of the varying subtrees is the answer: deep, and holding many of the others.

use unsite_dom::Tree;

use super::candidates::Candidate;
use super::common::{CommonSet, STATIC};

/// What holding other dynamic subtrees counts against depth. The paper's formula is lost; both count the same.
const HOLDING: f64 = 0.5;

/// A dynamic subtree of the prototype page with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scored {
    /// Its set.
    pub set: usize,
    /// `a * inside / most inside + (1 - a) * depth / greatest depth`.
    pub score: f64,
}

/// The dynamic sets, those that vary most first.
pub(super) fn dynamic(sets: &[CommonSet]) -> Vec<usize> {
    let mut dynamic: Vec<usize> = (0..sets.len()).filter(|&at| sets[at].similarity <= STATIC).collect();
    dynamic.sort_by(|&a, &b| sets[a].similarity.total_cmp(&sets[b].similarity).then(a.cmp(&b)));
    dynamic
}

/// The dynamic subtrees of the prototype page by score, the best first; ties go to the deeper, then to document order.
pub(super) fn rank(tree: &Tree, candidates: &[Candidate], sets: &[CommonSet]) -> Vec<Scored> {
    let mut order = dynamic(sets);
    order.sort_by_key(|&at| candidates[sets[at].prototype].node);
    let nodes: Vec<_> = order.iter().map(|&at| candidates[sets[at].prototype].node).collect();
    let depth = |at: usize| candidates[sets[at].prototype].shape.depth as f64;
    // Document order: what is inside a node is the run behind it.
    let inside: Vec<f64> = nodes
        .iter()
        .enumerate()
        .map(|(at, &node)| (nodes.partition_point(|&other| other < tree.end(node)) - at - 1) as f64)
        .collect();
    let most = inside.iter().copied().fold(0.0, f64::max).max(1.0);
    let deepest = order.iter().map(|&at| depth(at)).fold(0.0, f64::max).max(1.0);
    let mut scored: Vec<Scored> = order
        .iter()
        .zip(&inside)
        .map(|(&set, inside)| {
            let score = HOLDING * inside / most + (1.0 - HOLDING) * depth(set) / deepest;
            Scored { set, score }
        })
        .collect();
    scored.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(depth(b.set).total_cmp(&depth(a.set))).then(a.set.cmp(&b.set))
    });
    scored
}
