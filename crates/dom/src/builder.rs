//! html5ever's tree builder on top of a linked arena, which is then laid out flat.
//!
//! The parser moves nodes around while it repairs broken markup, so nodes are linked first and
//! get their final, document-order place at the end.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, ExpandedName, QualName};

use crate::names::Names;
use crate::tree::{Attr, DOCUMENT, Node, NodeId, TEXT, Tree};

/// What the parser holds on to: an index into [`Builder::nodes`].
pub(crate) type Handle = u32;

const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct Builder {
    nodes: RefCell<Vec<Linked>>,
    /// The depth of the element appended last: how deep the parser stands, as far as the sink can see.
    depth: Cell<usize>,
    /// Form controls and their forms, as the parser pairs them.
    owners: RefCell<Vec<(Handle, Handle)>>,
}

struct Linked {
    parent: u32,
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
    depth: u32,
    content: Content,
}

enum Content {
    Document,
    Text(StrTendril),
    Element(Box<Element>),
    /// Comments and processing instructions: the parser wants a node, the tree does not.
    Ignored,
}

struct Element {
    name: QualName,
    attrs: Vec<Attribute>,
    mathml_integration: bool,
}

/// html5ever asks for names by reference, but ours live behind a `RefCell`; a clone of an atom is a copied word.
#[derive(Debug)]
pub(crate) struct Name(QualName);

impl html5ever::tree_builder::ElemName for Name {
    fn ns(&self) -> &html5ever::Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &html5ever::LocalName {
        &self.0.local
    }
    fn expanded(&self) -> ExpandedName<'_> {
        self.0.expanded()
    }
}

impl Builder {
    pub(crate) fn new() -> Self {
        let builder = Builder::default();
        builder.push(Content::Document);
        builder
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth.get()
    }

    /// An end tag went by: the parser stands one higher, until an element tells exactly.
    pub(crate) fn rise(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    fn push(&self, content: Content) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Linked {
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            depth: 0,
            content,
        });
        (nodes.len() - 1) as Handle
    }

    fn detach(&self, node: Handle) {
        let mut nodes = self.nodes.borrow_mut();
        let Linked { parent, previous, next, .. } = nodes[node as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first = next,
            _ => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = previous,
            _ => nodes[next as usize].previous = previous,
        }
        let node = &mut nodes[node as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Links `child` under `parent` before `next` (`NONE`: as the last child).
    fn attach(&self, parent: Handle, child: Handle, next: u32) {
        let mut nodes = self.nodes.borrow_mut();
        let previous = if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].previous };
        match previous {
            NONE => nodes[parent as usize].first = child,
            _ => nodes[previous as usize].next = child,
        }
        match next {
            NONE => nodes[parent as usize].last = child,
            _ => nodes[next as usize].previous = child,
        }
        let depth = nodes[parent as usize].depth + 1;
        let node = &mut nodes[child as usize];
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, next, depth);
        if matches!(node.content, Content::Element(_)) {
            self.depth.set(depth as usize);
        }
    }

    fn insert(&self, parent: Handle, child: NodeOrText<Handle>, next: u32) {
        match child {
            NodeOrText::AppendNode(node) => {
                self.detach(node);
                self.attach(parent, node, next);
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let previous =
                    if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].previous };
                if previous != NONE
                    && let Content::Text(before) = &mut nodes[previous as usize].content
                {
                    before.push_tendril(&text);
                    return;
                }
                drop(nodes);
                let node = self.push(Content::Text(text));
                self.attach(parent, node, next);
            }
        }
    }

    /// Lays the linked nodes out in document order.
    fn flatten(self) -> Tree {
        let linked = self.nodes.into_inner();
        let owners = self.owners.into_inner();
        // Where each linked node went, wanted only to carry over the pairs of controls and forms.
        let mut places = vec![NONE; if owners.is_empty() { 0 } else { linked.len() }];
        let mut tree = Tree { nodes: Vec::with_capacity(linked.len()), ..Tree::default() };
        let mut names = Names::default();
        // The open nodes: where we are in the links, and where that node went.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut at = 0u32;
        loop {
            let node = &linked[at as usize];
            if !matches!(node.content, Content::Ignored) {
                let parent = open.last().map_or(0, |&(_, placed)| placed);
                let placed = tree.nodes.len() as u32;
                let flat = place(&node.content, parent, &mut names, &mut tree);
                tree.nodes.push(flat);
                if let Some(place) = places.get_mut(at as usize) {
                    *place = placed;
                }
                open.push((at, placed));
                if node.first != NONE {
                    at = node.first;
                    continue;
                }
                tree.close(&mut open);
            }
            // Up until something has a next sibling.
            let mut from = at;
            loop {
                if linked[from as usize].next != NONE {
                    at = linked[from as usize].next;
                    break;
                }
                let Some(&(parent, _)) = open.last() else {
                    tree.owners = owners
                        .iter()
                        .map(|&(field, form)| (places[field as usize], places[form as usize]))
                        .filter(|&(field, form)| field != NONE && form != NONE)
                        .map(|(field, form)| (NodeId(field), NodeId(form)))
                        .collect();
                    tree.owners.sort_unstable();
                    tree.names = names;
                    tree.text.shrink_to_fit();
                    tree.attrs.shrink_to_fit();
                    tree.nodes.shrink_to_fit();
                    return tree;
                };
                tree.close(&mut open);
                from = parent;
            }
        }
    }
}

impl Tree {
    fn close(&mut self, open: &mut Vec<(u32, u32)>) {
        if let Some((_, placed)) = open.pop() {
            self.nodes[placed as usize].end = self.nodes.len() as u32;
        }
    }
}

fn place(content: &Content, parent: u32, names: &mut Names, tree: &mut Tree) -> Node {
    let mut node = Node { name: DOCUMENT, parent, end: 0, start: 0, len: 0 };
    match content {
        Content::Document | Content::Ignored => {}
        Content::Text(text) => {
            node.name = TEXT;
            (node.start, node.len) = store(&mut tree.text, text);
        }
        Content::Element(element) => {
            node.name = names.intern(&element.name.local);
            node.start = tree.attrs.len() as u32;
            node.len = element.attrs.len() as u32;
            for attr in &element.attrs {
                let (start, len) = store(&mut tree.text, &attr.value);
                tree.attrs.push(Attr { name: names.intern(&attr.name.local), start, len });
            }
        }
    }
    node
}

fn store(text: &mut String, value: &str) -> (u32, u32) {
    let start = text.len() as u32;
    text.push_str(value);
    (start, value.len() as u32)
}

impl TreeSink for Builder {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = Name;

    fn finish(self) -> Tree {
        self.flatten()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Name {
        match &self.nodes.borrow()[*target as usize].content {
            Content::Element(element) => Name(element.name.clone()),
            _ => Name(QualName::new(None, html5ever::ns!(html), "".into())),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mathml_integration = flags.mathml_annotation_xml_integration_point;
        self.push(Content::Element(Box::new(Element { name, attrs, mathml_integration })))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.push(Content::Ignored)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.push(Content::Ignored)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[*element as usize].parent;
        match parent {
            NONE => self.append(previous, child),
            _ => self.insert(parent, child, *element),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// A template's content hangs under the template itself; readers of visible text pass it over.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        *target
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.insert(parent, child, *sibling);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let Content::Element(element) = &mut self.nodes.borrow_mut()[*target as usize].content {
            for attr in attrs {
                if element.attrs.iter().all(|have| have.name != attr.name) {
                    element.attrs.push(attr);
                }
            }
        }
    }

    fn associate_with_form(&self, target: &Handle, form: &Handle, _: (&Handle, Option<&Handle>)) {
        self.owners.borrow_mut().push((*target, *form));
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first;
            if child == NONE {
                return;
            }
            self.detach(child);
            self.attach(*new_parent, child, NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        match &self.nodes.borrow()[*handle as usize].content {
            Content::Element(element) => element.mathml_integration,
            _ => false,
        }
    }
}
