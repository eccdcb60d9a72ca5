//! One page prepared for matching: texts, signatures, and constant-time counts of what a subtree holds.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64;

use crate::classes::ClassMap;
use crate::data::{Datum, embedded_data};
use crate::kinds::Kinds;

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
    /// What the head says, read when it is first asked for.
    head: OnceLock<Vec<(String, NodeId)>>,
    /// What it says to machines, likewise.
    data: OnceLock<Vec<Datum>>,
    /// What stands before each node, and before the end.
    before: Vec<Before>,
}

/// How much stands before a node.
#[derive(Clone, Copy, Default)]
struct Before {
    texts: u32,
    /// Pictures, and links with a name for those who do not see: a card may be covered by an empty one.
    marks: u32,
}

/// A text that is not empty.
pub struct ViewText<'t> {
    /// The text node.
    pub node: NodeId,
    /// White space collapsed.
    pub value: Cow<'t, str>,
    /// See [`unsite_dom::Text::hidden`].
    pub hidden: bool,
}

impl<'t> ViewText<'t> {
    /// The texts of a page.
    pub fn all(tree: &'t Tree) -> Vec<Self> {
        let mut texts = Vec::with_capacity(tree.len() / 2);
        texts.extend(tree.texts().map(|text| ViewText {
            node: text.node,
            value: text.text,
            hidden: text.hidden,
        }));
        texts
    }

    /// Equal for equal values on all pages.
    pub fn hash(&self) -> u64 {
        xxh3_64(self.value.as_bytes())
    }
}

impl<'t> View<'t> {
    /// Reads the page once.
    pub fn new(tree: &'t Tree, classes: &ClassMap) -> Self {
        View::of_read(tree, classes, &Kinds::of(tree), ViewText::all(tree))
    }

    /// Of a page whose kinds of elements and texts were read before.
    pub fn of_read(tree: &'t Tree, classes: &ClassMap, kinds: &Kinds, texts: Vec<ViewText<'t>>) -> Self {
        let of_kinds = classes.signatures(tree, kinds, TEXT_SIGNATURE);
        let are_called = |name: &'static str| -> Vec<bool> {
            kinds.all().iter().map(|kind| tree.name(kind.first) == name).collect()
        };
        let (are_pictures, are_links) = (are_called("img"), are_called("a"));
        let signatures = kinds.by_node().iter().map(|&kind| of_kinds[kind as usize]).collect();
        let mut before = Vec::with_capacity(tree.len() + 1);
        let mut passed = Before::default();
        let mut next = texts.iter().map(|text| text.node).peekable();
        for (node, &kind) in tree.nodes().zip(kinds.by_node()) {
            before.push(passed);
            passed.texts += u32::from(next.next_if_eq(&node).is_some());
            let kind = kind as usize;
            passed.marks += u32::from(are_pictures[kind] || (are_links[kind] && is_named_link(tree, node)));
        }
        before.push(passed);
        View { tree, texts, signatures, head: OnceLock::new(), data: OnceLock::new(), before }
    }

    /// What the head says: `title` and the names of `meta` elements, with the element.
    pub fn head(&self) -> &[(String, NodeId)] {
        self.head.get_or_init(|| head(self.tree))
    }

    /// What the page says to machines.
    pub fn data(&self) -> &[Datum] {
        self.data.get_or_init(|| embedded_data(self.tree))
    }

    /// The texts in the subtree of a node, as a range of [`View::texts`].
    pub fn texts_in(&self, node: NodeId) -> Range<usize> {
        let end = self.tree.end(node).index();
        self.before[node.index()].texts as usize..self.before[end].texts as usize
    }

    /// Does the subtree show anything: a text, a picture, a link with a name?
    pub fn has_content(&self, node: NodeId) -> bool {
        let (start, end) = (self.before[node.index()], self.before[self.tree.end(node).index()]);
        start.texts < end.texts || start.marks < end.marks
    }

    /// The cell of a table that has no other: such a table is a box, and laying a page out with boxes says no more than
    /// laying it out with `div` does. Any other node is itself.
    pub fn unboxed(&self, node: NodeId) -> NodeId {
        if self.tree.name(node) != "table" {
            return node;
        }
        let mut at = node;
        loop {
            let mut inside = self.content_children(at);
            let (Some(only), None) = (inside.next(), inside.next()) else { return node };
            match self.tree.name(only) {
                "tbody" | "thead" | "tr" => at = only,
                "td" | "th" => return only,
                _ => return node,
            }
        }
    }

    /// The children that show something: elements and texts.
    pub fn content_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree.children(node).filter(|&child| self.has_content(child))
    }
}

/// A link that says where it leads even if nothing stands in it.
fn is_named_link(tree: &Tree, link: NodeId) -> bool {
    tree.attr(link, "href").is_some() && tree.attr(link, "aria-label").is_some()
}

fn head(tree: &Tree) -> Vec<(String, NodeId)> {
    let told = tree.by_name(|name| matches!(name, "title" | "meta"));
    let mut head = Vec::new();
    let mut has_title = false;
    for node in tree.nodes().filter(|&node| told.of(node)) {
        match tree.name(node) {
            "title" if !has_title => {
                has_title = true;
                head.push(("title".to_owned(), node));
            }
            "meta" => head.extend(meta_name(tree, node).map(|name| (name, node))),
            _ => {}
        }
    }
    head
}

/// The lower-case name of a `meta` element that says something about the page.
fn meta_name(tree: &Tree, node: NodeId) -> Option<String> {
    tree.attr(node, "content")?;
    let name = tree.attr(node, "name").or_else(|| tree.attr(node, "property"))?;
    Some(name.trim().to_lowercase()).filter(|name| !name.is_empty() && name != "title")
}
