//! The page as a flat array in document order.

use crate::names::Names;

/// A node of one [`Tree`]: its position in document order. The document itself is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document node.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The name of an attribute, looked up once; it holds for one page.
#[derive(Debug, Clone, Copy)]
pub struct AttrName(Option<u16>);

/// An immutable HTML tree. Nodes lie in preorder, so the subtree of `n` is the range `n..end(n)`
/// and document order is numeric order. Comments and doctypes are not kept.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) attrs: Vec<Attr>,
    /// Texts and attribute values, one after the other.
    pub(crate) text: String,
    pub(crate) names: Names,
    /// Form controls and the form that the parser gave them to, in document order.
    pub(crate) owners: Vec<(NodeId, NodeId)>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The element's name, or [`TEXT`] or [`DOCUMENT`].
    pub(crate) name: u16,
    pub(crate) parent: u32,
    /// One past the last node of the subtree.
    pub(crate) end: u32,
    /// Elements: where its attributes start in `attrs`. Texts: where the text starts in `text`.
    pub(crate) start: u32,
    /// Elements: how many attributes. Texts: how many bytes.
    pub(crate) len: u32,
}

pub(crate) const TEXT: u16 = u16::MAX;
pub(crate) const DOCUMENT: u16 = u16::MAX - 1;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Attr {
    pub(crate) name: u16,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// What depends on the names of a tree's elements alone, see [`Tree::by_name`].
#[derive(Debug)]
pub struct ByName<'t, T> {
    tree: &'t Tree,
    known: Vec<T>,
    nameless: T,
}

impl<T: Copy> ByName<'_, T> {
    /// What holds for a node; texts and the document have an empty name.
    #[inline]
    pub fn of(&self, node: NodeId) -> T {
        self.known.get(self.tree.name_id(node) as usize).copied().unwrap_or(self.nameless)
    }
}

impl Tree {
    /// How many nodes there are, the document included.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when there is nothing but the document.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Every node in document order, the document first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The parent, or `None` for the document.
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 != 0).then(|| NodeId(self.nodes[node.index()].parent))
    }

    /// One past the last node of the subtree.
    #[inline]
    pub fn end(&self, node: NodeId) -> NodeId {
        NodeId(self.nodes[node.index()].end)
    }

    /// The nodes below `node` in document order, without itself.
    #[inline]
    pub fn descendants(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.0 + 1..self.end(node).0).map(NodeId)
    }

    /// The children in order.
    #[inline]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end(node);
        let mut next = NodeId(node.0 + 1);
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.end(child);
                child
            })
        })
    }

    /// The parent, its parent, ... up to the document.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(node), |&n| self.parent(n))
    }

    /// True for an element.
    #[inline]
    pub fn is_element(&self, node: NodeId) -> bool {
        self.nodes[node.index()].name < DOCUMENT
    }

    /// True for a text.
    #[inline]
    pub fn is_text(&self, node: NodeId) -> bool {
        self.nodes[node.index()].name == TEXT
    }

    /// The element's name in lower case (`svg` names keep their case); empty for texts and the document.
    #[inline]
    pub fn name(&self, node: NodeId) -> &str {
        self.names.get(self.nodes[node.index()].name)
    }

    /// The element's name as a number that holds inside this tree only; texts and the document have their own.
    #[inline]
    pub fn name_id(&self, node: NodeId) -> u16 {
        self.nodes[node.index()].name
    }

    /// Something that depends on the names of elements alone, asked for each name once.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<h1>A</h1><p>b<p>c", None, &Limits::default());
    /// let is_heading = tree.by_name(|name| matches!(name, "h1" | "h2"));
    /// assert_eq!(tree.nodes().filter(|&node| is_heading.of(node)).count(), 1);
    /// ```
    pub fn by_name<T: Copy>(&self, ask: impl Fn(&str) -> T) -> ByName<'_, T> {
        ByName { tree: self, nameless: ask(""), known: self.names.iter().map(ask).collect() }
    }

    /// The text of a text node as it stands; empty for other nodes.
    #[inline]
    pub fn text(&self, node: NodeId) -> &str {
        let node = &self.nodes[node.index()];
        if node.name == TEXT { self.slice(node.start, node.len) } else { "" }
    }

    /// The value of an attribute.
    pub fn attr(&self, node: NodeId, name: &str) -> Option<&str> {
        if self.node_attrs(node).is_empty() {
            return None;
        }
        self.attr_by(node, self.names.find(name))
    }

    /// The value of one attribute of any node, its name looked up once.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<p class=a>1<p>2", None, &Limits::default());
    /// let class = tree.attr_reader("class");
    /// assert_eq!(tree.elements("p").map(class).collect::<Vec<_>>(), [Some("a"), None]);
    /// ```
    pub fn attr_reader<'t>(&'t self, name: &str) -> impl Fn(NodeId) -> Option<&'t str> + use<'t> {
        let name = self.names.find(name);
        move |node| self.attr_by(node, name)
    }

    /// The name of an attribute on this page, for those who keep it; see [`Tree::attr_named`].
    pub fn attr_name(&self, name: &str) -> AttrName {
        AttrName(self.names.find(name))
    }

    /// The value of an attribute whose name was looked up on this page.
    #[inline]
    pub fn attr_named(&self, node: NodeId, name: AttrName) -> Option<&str> {
        self.attr_by(node, name.0)
    }

    /// The value of an attribute whose name was looked up before; `None` is a name the page does not have.
    #[inline]
    pub(crate) fn attr_by(&self, node: NodeId, name: Option<u16>) -> Option<&str> {
        let name = name?;
        let attr = self.node_attrs(node).iter().find(|attr| attr.name == name)?;
        Some(self.slice(attr.start, attr.len))
    }

    /// Every attribute in order.
    pub fn attrs(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.node_attrs(node).iter().map(|attr| (self.names.get(attr.name), self.slice(attr.start, attr.len)))
    }

    /// Where the attributes of an element are among those of the page, and how many. Elements that were written alike
    /// mostly have them at one place, so that what depends on attributes can be worked out once for each.
    #[inline]
    pub fn attr_place(&self, element: NodeId) -> (usize, usize) {
        let node = &self.nodes[element.index()];
        (node.start as usize, node.len as usize)
    }

    /// How many places [`Tree::attr_place`] can tell.
    pub fn attr_places(&self) -> usize {
        self.attrs.len() + 1
    }

    /// Elements with this name in document order.
    pub fn elements<'a>(&'a self, name: &str) -> impl Iterator<Item = NodeId> + use<'a> {
        // On a page without such a name there is nothing to look through.
        let id = self.names.find(name);
        let searched = if id.is_some() { self.nodes.len() } else { 0 };
        (0..searched as u32).map(NodeId).filter(move |&node| id == Some(self.name_id(node)))
    }

    /// The `html` element, if the page has anything at all.
    pub fn root(&self) -> Option<NodeId> {
        self.children(NodeId::DOCUMENT).find(|&node| self.is_element(node))
    }

    /// How many bytes of text and attribute values there are: the measure for budgets of readers.
    pub(crate) fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Gives back memory that was set aside while the page was parsed, for those who keep trees.
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.attrs.shrink_to_fit();
        self.text.shrink_to_fit();
    }

    /// Bytes that the tree itself takes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.attrs.len() * size_of::<Attr>()
            + self.text.len()
            + self.owners.len() * size_of::<(NodeId, NodeId)>()
            + self.names.bytes()
    }

    #[inline]
    pub(crate) fn node_attrs(&self, node: NodeId) -> &[Attr] {
        let node = &self.nodes[node.index()];
        if node.name >= DOCUMENT {
            return &[];
        }
        &self.attrs[node.start as usize..(node.start + node.len) as usize]
    }

    #[inline]
    pub(crate) fn slice(&self, start: u32, len: u32) -> &str {
        &self.text[start as usize..(start + len) as usize]
    }
}
