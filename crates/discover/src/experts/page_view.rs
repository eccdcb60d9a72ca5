//! A page as experts see it.

use std::borrow::Cow;
use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use unsite_dom::{Layout, Meta, NodeId, TextBox, Tree};
use unsite_wrapper::ClassMap;
use xxhash_rust::xxh3::xxh3_64;

use super::Features;

/// Texts looked at on one page; the rest of a very long page repeats its template.
const MAX_TEXTS: usize = 4000;

/// A link that leads to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct InLink {
    /// The path of the link's element on the page where it stands.
    pub path: u64,
    /// A hash of its words.
    pub words: u64,
}

impl InLink {
    /// Where the words of a search engine's user stand: on no page.
    pub(crate) const SEARCH: u64 = 0;
}

/// A page, with what several experts need computed once.
pub struct PageView<'a> {
    /// Its address.
    pub url: &'a str,
    /// Its tree.
    pub tree: &'a Tree,
    /// For each node, the hash of its path with the site's template names.
    pub paths: Vec<u64>,
    /// Its visible texts.
    pub texts: Vec<(NodeId, Cow<'a, str>)>,
    /// Title, headings, declarations.
    pub meta: Meta,
    /// The site's links to it; empty where they are not known.
    pub in_links: &'a [InLink],
    /// Where a browser put its texts, for a page that was rendered.
    pub boxes: Option<FxHashMap<NodeId, TextBox>>,
    /// The paths of its elements, which two experts look at.
    pub(super) element_paths: OnceCell<Features>,
}

impl<'a> PageView<'a> {
    /// Prepares a page.
    pub fn new(url: &'a str, tree: &'a Tree, classes: &ClassMap, in_links: &'a [InLink]) -> Self {
        PageView {
            url,
            tree,
            paths: paths(tree, classes),
            texts: tree.visible_texts().take(MAX_TEXTS).collect(),
            meta: tree.meta(url),
            in_links,
            boxes: None,
            element_paths: OnceCell::new(),
        }
    }

    /// The same with the places that a browser gave to its texts.
    pub fn with_layout(mut self, layout: Option<&Layout>) -> Self {
        self.boxes = layout.map(|layout| layout.boxes(self.tree));
        self
    }

    /// The same without its texts and the links to it, for experts that look at neither.
    pub(crate) fn without_texts(url: &'a str, tree: &'a Tree, classes: &ClassMap) -> Self {
        PageView {
            url,
            tree,
            paths: paths(tree, classes),
            texts: Vec::new(),
            meta: tree.meta(url),
            in_links: &[],
            boxes: None,
            element_paths: OnceCell::new(),
        }
    }
}

/// The hash of each node's path with the site's template names. Those of the page as a whole are left out: a page
/// says there what it is (`paged`, `logged-in`), and every path below would say it again.
pub(crate) fn paths(tree: &Tree, classes: &ClassMap) -> Vec<u64> {
    let mut signer = classes.signer(tree);
    tree.fold_paths(|node| match tree.name(node) {
        "" => 1,
        "html" => 2,
        "body" => 3,
        _ => signer.signature(node),
    })
}

/// A hash of some parts, in order.
pub fn hash(parts: &[&str]) -> u64 {
    let mut all = xxh3_64(&[]);
    for part in parts {
        all = mix(all, xxh3_64(part.as_bytes()));
    }
    all
}

/// Two hashes as one; the order matters.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&a.to_le_bytes());
    bytes[8..].copy_from_slice(&b.to_le_bytes());
    xxh3_64(&bytes)
}
