//! Siblings of one kind told apart by what they look like inside.

use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::{SAME_SHAPE, View, shape, shape_where, similarity, tag_shape};

use super::siblings::{COMPLEX, Member};

/// Distinct shapes under one parent. Layouts have a handful of blocks; more are rows with many optional parts.
const MOST_SHAPES: usize = 12;

/// Siblings with the same class are the same thing to whoever wrote the template, so they may differ more inside than
/// bare ones; but layout classes (`row`, `box`) hold anything.
const SAME_SHAPE_NAMED: f64 = 0.15;

/// Siblings with the same class and as much of their tags in common are the same thing too: a class more on a part
/// (`by-author`, `has-picture`) makes all below it look different.
const SAME_TAGS: f64 = 0.7;

/// A shape that others are compared with.
struct Leader<'s> {
    shape: &'s [u64],
    tags: Vec<u64>,
    parts: Option<Vec<u64>>,
}

impl<'s> Leader<'s> {
    fn new(view: &View, node: NodeId, shape: &'s [u64]) -> Self {
        Leader { shape, tags: tag_shape(view, node), parts: named_parts(view, node) }
    }

    /// The most similar of the leaders, and whether it is the same thing. `named` says that the template names what is
    /// compared.
    fn nearest(&self, leaders: &[Leader], named: bool) -> (usize, bool) {
        if leaders.is_empty() {
            return (0, false);
        }
        let same_parts = |at: usize| self.parts.is_some() && leaders[at].parts == self.parts;
        let (nearest, likeness) = most(leaders, |leader| similarity(leader.shape, self.shape));
        let enough = if named || same_parts(nearest) { SAME_SHAPE_NAMED } else { SAME_SHAPE };
        if likeness >= enough || !named {
            return (nearest, likeness >= enough);
        }
        let (variant, likeness) = most(leaders, |leader| similarity(&leader.tags, &self.tags));
        if likeness >= SAME_TAGS || (same_parts(variant) && self.holds(&leaders[variant])) {
            return (variant, true);
        }
        (nearest, false)
    }

    /// Whether one of the two has all the tags of the other, and more.
    fn holds(&self, other: &Leader) -> bool {
        let less = self.tags.len().min(other.tags.len());
        less >= COMPLEX
            && similarity(&self.tags, &other.tags)
                >= less as f64 / self.tags.len().max(other.tags.len()) as f64
    }
}

/// The first of the leaders with the highest score.
fn most(leaders: &[Leader], score: impl Fn(&Leader) -> f64) -> (usize, f64) {
    let mut best = (0, 0.0);
    for (at, leader) in leaders.iter().enumerate() {
        let score = score(leader);
        if score > best.1 {
            best = (at, score);
        }
    }
    best
}

/// Leader clustering of the distinct shapes, the most frequent first.
pub(super) fn split(views: &[View], group: &[Member]) -> Vec<(Vec<u64>, Vec<Member>)> {
    let shapes: Vec<Vec<u64>> =
        group.iter().map(|member| own_shape(&views[member.page as usize], member.node)).collect();
    // How often a shape is seen, and where first.
    let mut counts: FxHashMap<&[u64], (usize, usize)> = FxHashMap::default();
    for (at, shape) in shapes.iter().enumerate() {
        counts.entry(shape).or_insert((0, at)).0 += 1;
    }
    let mut distinct: Vec<(&[u64], (usize, usize))> = counts.into_iter().collect();
    distinct.sort_unstable_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let named = is_named(views[group[0].page as usize].tree, group[0].node);
    let mut leaders: Vec<Leader> = Vec::new();
    let mut leader_of: FxHashMap<&[u64], usize> = FxHashMap::default();
    for (shape, (_, first)) in distinct {
        let leader = Leader::new(&views[group[first].page as usize], group[first].node, shape);
        let (best, same) = leader.nearest(&leaders, named);
        let simple =
            shape.len() < COMPLEX && leaders.first().is_some_and(|first| first.shape.len() < COMPLEX);
        if same || simple || leaders.len() >= MOST_SHAPES {
            leader_of.insert(shape, best);
        } else {
            leader_of.insert(shape, leaders.len());
            leaders.push(leader);
        }
    }
    let mut parts: Vec<(Vec<u64>, Vec<Member>)> =
        leaders.iter().map(|leader| (leader.shape.to_vec(), Vec::new())).collect();
    for (member, shape) in group.iter().zip(&shapes) {
        parts[leader_of[shape.as_slice()]].1.push(*member);
    }
    parts
}

/// The shape of a node. An item is known by what it says itself: items inside it are rows of their own, so that one with
/// answers is like one without.
pub(super) fn own_shape(view: &View, node: NodeId) -> Vec<u64> {
    if view.tree.name(node) != "li" {
        return shape(view, node);
    }
    let kind = view.signatures[node.index()];
    shape_where(view, node, |below| view.signatures[below.index()] != kind)
}

fn is_named(tree: &Tree, node: NodeId) -> bool {
    tree.attr(node, "class").or_else(|| tree.attr(node, "id")).is_some()
}

/// The kinds of a node's children, if the template names them all: a bare row is known by its cells.
fn named_parts(view: &View, node: NodeId) -> Option<Vec<u64>> {
    let mut parts = Vec::new();
    for child in view.content_children(node) {
        if !is_named(view.tree, child) {
            return None;
        }
        parts.push(view.signatures[child.index()]);
    }
    parts.sort_unstable();
    parts.dedup();
    (!parts.is_empty()).then_some(parts)
}
