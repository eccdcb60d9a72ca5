//! A page of a cluster with what the steps ask of it.

use std::ops::Range;

use unsite_dom::{NodeId, PathStyle, Terms, Tree};
use xxhash_rust::xxh3::xxh3_64;

use super::candidates::{Candidate, candidates};

/// A page of a cluster.
pub(super) struct Page<'t> {
    pub tree: &'t Tree,
    pub texts: TextCounts,
    /// The path of every node, tags only, as a hash.
    pub paths: Vec<u64>,
}

impl<'t> Page<'t> {
    pub(super) fn of(tree: &'t Tree) -> Self {
        Page { tree, texts: TextCounts::of(tree), paths: tree.path_hashes(PathStyle::Tags) }
    }

    /// The candidate subtrees. A tag is a symbol by the hash of its name, which is the same on all pages.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        candidates(self.tree, &self.texts, &self.paths, |name| xxh3_64(name.as_bytes()) as u32)
    }

    /// The element children that hold a visible text.
    pub(super) fn content_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let children = self.tree.children(node);
        children.filter(|&child| self.tree.is_element(child) && self.texts.within(self.tree, child) > 0)
    }

    /// Whether a subtree has any visible text.
    pub(super) fn has_text(&self, node: NodeId) -> bool {
        self.texts.within(self.tree, node) > 0
    }
}

/// How many visible texts stand before each node.
pub(super) struct TextCounts(Vec<u32>);

impl TextCounts {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut before = vec![0u32; tree.len() + 1];
        for node in tree.visible_text_nodes() {
            before[node.index() + 1] = 1;
        }
        for at in 1..before.len() {
            before[at] += before[at - 1];
        }
        TextCounts(before)
    }

    /// How many visible texts a subtree has.
    pub(super) fn within(&self, tree: &Tree, node: NodeId) -> u32 {
        self.0[tree.end(node).index()] - self.0[node.index()]
    }

    /// The numbers of the visible texts of a subtree.
    fn range(&self, tree: &Tree, node: NodeId) -> Range<usize> {
        self.0[node.index()] as usize..self.0[tree.end(node).index()] as usize
    }
}

/// The terms of a page's visible texts, as numbers that hold for the cluster.
pub(super) struct PageTerms {
    ids: Vec<u32>,
    /// Where the terms of each visible text begin, and the end.
    starts: Vec<usize>,
}

impl PageTerms {
    pub(super) fn of(tree: &Tree, terms: &Terms) -> Self {
        let language = terms.language(tree);
        let (mut ids, mut starts) = (Vec::new(), vec![0]);
        for (_, text) in tree.visible_texts() {
            terms.hashed_words(&text, language, |word| ids.extend(word.term.map(|term| term as u32)));
            starts.push(ids.len());
        }
        PageTerms { ids, starts }
    }

    /// The terms of a subtree.
    pub(super) fn of_subtree(&self, page: &Page<'_>, node: NodeId) -> &[u32] {
        let texts = page.texts.range(page.tree, node);
        &self.ids[self.starts[texts.start]..self.starts[texts.end]]
    }

    /// How many distinct terms the page has.
    pub(super) fn distinct(&self) -> usize {
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }
}
