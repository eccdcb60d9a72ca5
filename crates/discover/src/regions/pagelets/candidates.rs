//! Single-page analysis: the subtrees of a page that could hold an answer.

use unsite_dom::{NodeId, Tree};

use super::page::TextCounts;

/// The shape of a subtree: THOR's quadruple.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// The tag names from the root, one symbol each.
    pub path: Vec<u32>,
    /// The children of its root.
    pub fanout: usize,
    /// How deep its root stands.
    pub depth: usize,
    /// How many nodes it has.
    pub nodes: usize,
}

impl Shape {
    /// THOR's distance of two shapes, from 0 to 1: a quarter each for the edit distance of the paths, fan-out, depth and size,
    /// all divided by the larger of the two; `0/0 = 0`.
    pub fn distance(&self, other: &Shape) -> f64 {
        let share = |a: usize, b: usize| {
            if a == b { 0.0 } else { a.abs_diff(b) as f64 / a.max(b) as f64 }
        };
        let path = unsite_learn::edit::distance_by_longer(&self.path, &other.path);
        WEIGHT
            * (path
                + share(self.fanout, other.fanout)
                + share(self.depth, other.depth)
                + share(self.nodes, other.nodes))
    }
}

/// The weight of each of the four parts, as published.
const WEIGHT: f64 = 0.25;

/// A subtree that could hold an answer.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub node: NodeId,
    pub shape: Shape,
    /// A hash of its path.
    pub path_hash: u64,
}

/// The candidate subtrees of a page in document order: those with text, and of those with the same text the smallest.
///
/// The paper also asks that all descendants of a candidate branch, which no subtree with a text can satisfy. `symbol` gives
/// each tag name its symbol. Linear in the nodes, but for the paths.
pub(super) fn candidates(
    tree: &Tree,
    texts: &TextCounts,
    hashes: &[u64],
    symbol: impl Fn(&str) -> u32,
) -> Vec<Candidate> {
    let mut depth = vec![0u32; tree.len()];
    let mut path: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for node in tree.nodes().skip(1).filter(|&node| tree.is_element(node)) {
        let above = tree.parent(node).map_or(0, |parent| depth[parent.index()]) as usize;
        depth[node.index()] = above as u32 + 1;
        path.truncate(above);
        path.push(symbol(tree.name(node)));
        let own = texts.within(tree, node);
        let is_smallest = own > 0
            && tree.children(node).all(|child| tree.is_text(child) || texts.within(tree, child) < own);
        if is_smallest {
            // Deeper paths than this are hostile; their ends tell them apart well enough.
            let from = path.len().saturating_sub(LONGEST_PATH);
            let shape = Shape {
                path: path[from..].to_vec(),
                fanout: tree.children(node).count(),
                depth: path.len(),
                nodes: (tree.end(node).0 - node.0) as usize,
            };
            found.push(Candidate { node, shape, path_hash: hashes[node.index()] });
        }
    }
    found
}

/// Steps of a path that are compared.
const LONGEST_PATH: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn shape(path: &str, fanout: usize, depth: usize, nodes: usize) -> Shape {
        Shape { path: path.chars().map(u32::from).collect(), fanout, depth, nodes }
    }

    #[test]
    fn golden_shape_distances() {
        let one = shape("hbt", 10, 3, 120);
        assert!((one.distance(&shape("hbt", 8, 3, 100)) - 0.0916666667).abs() < 1e-9);
        assert!((one.distance(&shape("hbdt", 2, 4, 30)) - 0.5125).abs() < 1e-9);
        assert_eq!(one.distance(&one), 0.0);
        assert_eq!(Shape::default().distance(&Shape::default()), 0.0);
        // html/head against html/head/title: one of three steps.
        assert!((shape("he", 0, 0, 0).distance(&shape("het", 0, 0, 0)) - 0.25 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn of_subtrees_with_one_text_the_smallest_is_kept() {
        let html = b"<div id=a><div id=b><p>one</p><p> </p></div></div><ul id=c><li>two<li>three</ul><i></i>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let hashes = tree.path_hashes(unsite_dom::PathStyle::Tags);
        let found = candidates(&tree, &TextCounts::of(&tree), &hashes, |name| name.len() as u32);
        let shown: Vec<&str> = found.iter().map(|candidate| tree.name(candidate.node)).collect();
        assert_eq!(shown, ["body", "p", "ul", "li", "li"]);
        assert_eq!((found[2].shape.fanout, found[2].shape.depth, found[2].shape.nodes), (2, 3, 5));
    }
}
