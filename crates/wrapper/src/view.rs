//! One page prepared for matching: texts, signatures, and constant-time counts of what a subtree holds.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64;

use crate::classes::ClassMap;
use crate::data::{Datum, embedded_data};

/// The signature that all text nodes share.
pub const TEXT_SIGNATURE: u64 = 1;

/// A page as the template sees it.
pub struct View<'t> {
    /// The page itself.
    pub tree: &'t Tree,
    /// Its texts in document order.
    pub texts: Vec<ViewText<'t>>,
    /// One number per node, equal for elements that the template treats as the same kind.
    pub signatures: Vec<u64>,
    /// What the head says: `title` and the names of `meta` elements, with the element.
    pub head: Vec<(String, NodeId)>,
    /// What it says to machines, read when it is first asked for.
    data: OnceLock<Vec<Datum>>,
    /// How many texts stand before each node.
    texts_before: Vec<u32>,
    /// How many pictures stand before each node.
    pictures_before: Vec<u32>,
}

/// A text that is not empty.
pub struct ViewText<'t> {
    /// The text node.
    pub node: NodeId,
    /// White space collapsed.
    pub value: Cow<'t, str>,
    /// Equal for equal values on all pages.
    pub hash: u64,
}

impl<'t> View<'t> {
    /// Reads the page once.
    pub fn new(tree: &'t Tree, classes: &ClassMap) -> Self {
        let texts: Vec<ViewText> = tree
            .texts()
            .map(|text| ViewText { node: text.node, hash: xxh3_64(text.text.as_bytes()), value: text.text })
            .collect();
        let mut texts_before = Vec::with_capacity(tree.len() + 1);
        let mut pictures_before = Vec::with_capacity(tree.len() + 1);
        let mut signatures = Vec::with_capacity(tree.len());
        let mut head: Vec<(String, NodeId)> = Vec::new();
        let (mut next, mut pictures) = (0, 0);
        let mut signer = classes.signer(tree);
        for node in tree.nodes() {
            texts_before.push(next as u32);
            pictures_before.push(pictures);
            if texts.get(next).is_some_and(|text| text.node == node) {
                next += 1;
            }
            if tree.is_element(node) {
                match tree.name(node) {
                    "img" => pictures += 1,
                    "title" if head.iter().all(|(name, _)| name != "title") => {
                        head.push(("title".to_owned(), node))
                    }
                    "meta" => head.extend(meta_name(tree, node).map(|name| (name, node))),
                    _ => {}
                }
                signatures.push(signer.signature(node));
            } else {
                signatures.push(TEXT_SIGNATURE);
            }
        }
        texts_before.push(next as u32);
        pictures_before.push(pictures);
        View { tree, texts, signatures, head, data: OnceLock::new(), texts_before, pictures_before }
    }

    /// What the page says to machines.
    pub fn data(&self) -> &[Datum] {
        self.data.get_or_init(|| embedded_data(self.tree))
    }

    /// The texts in the subtree of a node, as a range of [`View::texts`].
    pub fn texts_in(&self, node: NodeId) -> Range<usize> {
        let end = self.tree.end(node).index();
        self.texts_before[node.index()] as usize..self.texts_before[end] as usize
    }

    /// Does the subtree show anything?
    pub fn has_content(&self, node: NodeId) -> bool {
        let end = self.tree.end(node).index();
        self.texts_before[node.index()] < self.texts_before[end]
            || self.pictures_before[node.index()] < self.pictures_before[end]
    }

    /// The children that show something: elements and texts.
    pub fn content_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree.children(node).filter(|&child| self.has_content(child))
    }
}

/// The lower-case name of a `meta` element that says something about the page.
fn meta_name(tree: &Tree, node: NodeId) -> Option<String> {
    tree.attr(node, "content")?;
    let name = tree.attr(node, "name").or_else(|| tree.attr(node, "property"))?;
    Some(name.trim().to_lowercase()).filter(|name| !name.is_empty() && name != "title")
}
