//! THOR's second phase: the subtree that answers a search, and its items.

mod candidates;
mod clusters;
mod common;
mod objects;
mod page;
mod select;
mod turns;

use rayon::prelude::*;
use unsite_dom::{NodeId, Terms, Tree};

pub use candidates::Shape;
pub use clusters::{ClusterTraits, clusters_forwarded, rank_clusters};

use crate::site::spread;
use candidates::Candidate;
use objects::{ItemKind, learn_items};
use page::{Page, PageTerms};

/// Pages of a cluster that are compared with each other. THOR's own figures are flat from about 40 pages on; common subtrees
/// show between far fewer.
const COMPARED: usize = 16;

/// What a page answers to the search that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// Several items.
    Multi,
    /// One item.
    Single,
    /// Nothing was found.
    NoMatch,
    /// Something went wrong.
    Error,
}

impl Answer {
    /// The word that stands for it in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Multi => "multi-match",
            Answer::Single => "single-match",
            Answer::NoMatch => "no-match",
            Answer::Error => "error",
        }
    }
}

/// The answer region of one page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pagelet {
    /// The smallest subtree that holds the answer; `None` where there is no answer.
    pub node: Option<NodeId>,
    /// Its items in order; each is a run of siblings.
    pub objects: Vec<Vec<NodeId>>,
}

impl Pagelet {
    /// The class of the answer, by the number of items.
    pub fn answer(&self) -> Answer {
        match self.objects.len() {
            0 => Answer::NoMatch,
            1 => Answer::Single,
            _ => Answer::Multi,
        }
    }
}

/// The answer regions of a cluster of pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pagelets {
    /// One for each page, in the order given.
    pub pages: Vec<Pagelet>,
    /// The mean cosine of the answers' contents; 0 where none was found.
    pub similarity: f64,
    /// How many dynamic subtrees there are on the prototype page.
    pub dynamic: usize,
    /// What was learned, to read further pages with; `None` where no answer was found.
    pub model: Option<PageletModel>,
}

/// Finds the answer regions of pages of one kind.
///
/// # What it does
/// Takes the candidate subtrees of each page (with text; of those with the same text the smallest). For each one of the
/// prototype page finds the most alike on the other pages by [`Shape::distance`]; drops the sets whose contents have a mean
/// cosine above 0.5; and scores the rest by how many of the others they hold and how deep they stand. The answer's items are
/// its most frequent kind of child, or runs of children that begin with it, at least two on some page. On each page the
/// answer is the subtree at the same path that is most alike.
/// # Assumes
/// Answers to different searches, all made by one template. The prototype is the page with the most candidates, where the
/// paper draws one: a page without an answer would not show any.
/// # When it fails
/// With fewer than two pages nothing varies. Answers that are spread over several columns of a page.
/// # Paper
/// Caverlee, Liu, Buttler: Probe, Cluster, and Discover (ICDE 2004), sections 3 and 4.
pub fn pagelets(trees: &[&Tree], terms: &Terms) -> Pagelets {
    let pages: Vec<Page> = trees.par_iter().map(|tree| Page::of(tree)).collect();
    let Some(found) = learn(&pages, terms) else {
        return Pagelets { pages: vec![Pagelet::default(); trees.len()], ..Pagelets::default() };
    };
    let read = |page: &Page| found.read_page(page);
    Pagelets {
        pages: pages.par_iter().map(read).collect(),
        similarity: found.similarity,
        dynamic: found.dynamic,
        model: Some(found),
    }
}

/// The answer region of a cluster as it was learned. It also reads pages of clusters that are too small to learn from: a
/// single answer often has a page type of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct PageletModel {
    shape: Shape,
    path: u64,
    items: ItemKind,
    similarity: f64,
    dynamic: usize,
}

fn learn(all: &[Page], terms: &Terms) -> Option<PageletModel> {
    if all.len() < 2 {
        return None;
    }
    let sample: Vec<&Page> =
        spread(&(0..all.len()).collect::<Vec<_>>(), COMPARED).into_iter().map(|at| &all[at]).collect();
    let candidates: Vec<Vec<Candidate>> = sample.par_iter().map(|page| page.candidates()).collect();
    let words: Vec<PageTerms> = sample.par_iter().map(|page| PageTerms::of(page.tree, terms)).collect();
    let prototype = (0..sample.len()).max_by_key(|&at| (candidates[at].len(), std::cmp::Reverse(at)))?;
    let mut sets = common::common_sets(&candidates, prototype);
    common::measure(&mut sets, &candidates, |page, node| words[page].of_subtree(sample[page], node));
    let ranked = select::rank(sample[prototype].tree, &candidates[prototype], &sets);
    ranked.iter().find_map(|scored| {
        let set = &sets[scored.set];
        let best = &candidates[prototype][set.prototype];
        let path = best.path_hash;
        let places: Vec<(&Page, NodeId)> =
            sample.iter().filter_map(|page| Some((*page, locate(page, path, &best.shape)?))).collect();
        let items = learn_items(&places)?;
        Some(PageletModel {
            shape: best.shape.clone(),
            path,
            items,
            similarity: set.similarity,
            dynamic: ranked.len(),
        })
    })
}

impl PageletModel {
    /// The answer on a page; none where the path is missing or holds no item.
    pub fn read(&self, tree: &Tree) -> Pagelet {
        self.read_page(&Page::of(tree))
    }

    fn read_page(&self, page: &Page) -> Pagelet {
        let Some(node) = locate(page, self.path, &self.shape) else { return Pagelet::default() };
        let objects = self.items.items(page, node);
        Pagelet { node: (!objects.is_empty()).then_some(node), objects }
    }
}

/// The subtree with text at a path that is most alike; ties in document order. Not only candidates: a list with a single item
/// is none, since the item has the same text.
fn locate(page: &Page, path: u64, shape: &Shape) -> Option<NodeId> {
    let at_path =
        page.tree.nodes().filter(|node| page.paths[node.index()] == path && page.tree.is_element(*node));
    let distance = |node: NodeId| {
        let own = Shape {
            path: shape.path.clone(),
            fanout: page.tree.children(node).count(),
            depth: shape.depth,
            nodes: (page.tree.end(node).0 - node.0) as usize,
        };
        own.distance(shape)
    };
    let measured = at_path.filter(|&node| page.has_text(node)).map(|node| (distance(node), node));
    measured.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, node)| node)
}

#[cfg(test)]
mod tests;
