//! html5ever's tree builder on top of a linked arena, which is then laid out flat.
//!
//! The parser moves nodes around while it repairs broken markup, so nodes are linked first and
//! get their final, document-order place at the end. Names and attributes never change once they
//! are there: they go to their final place at once, which keeps the linked nodes small.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, QualName};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::IGNORED;
use crate::tree::{Attr, DOCUMENT, Node, NodeId, TEXT, Tree};

/// The most attributes of one element. The tokenizer and the repair of repeated `html` and `body` tags
/// compare every attribute with all before it; the fullest honest elements have some dozens.
pub(crate) const MAX_ATTRIBUTES: usize = 256;

/// What the parser holds on to: a node, and the name that the parser asks for all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle {
    node: u32,
    name: u32,
}

const NONE: u32 = u32::MAX;
/// The place of the name of everything that is not an element.
const NO_NAME: u32 = 0;

pub(crate) struct Builder {
    arena: RefCell<Arena>,
    names: RefCell<Vec<QualName>>,
    /// For each name its place in `names` and what the tree calls its local part.
    name_ids: RefCell<FxHashMap<QualName, (u32, u16)>>,
    count: Cell<usize>,
    /// The depth of the element appended last: how deep the parser stands, as far as the sink can see.
    depth: Cell<usize>,
    quirks: Cell<bool>,
}

#[derive(Default)]
struct Arena {
    nodes: Vec<Linked>,
    texts: Vec<StrTendril>,
    /// Names, attributes and their values, already in their final form.
    tree: Tree,
    local_ids: FxHashMap<LocalName, u16>,
    /// Form controls and their forms, as the parser pairs them.
    owners: Vec<(u32, u32)>,
    mathml_integration: FxHashSet<u32>,
}

struct Linked {
    parent: u32,
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
    /// Elements: the first attribute. Texts: the place in `texts`.
    start: u32,
    /// Elements: how many attributes.
    len: u32,
    depth: u16,
    name: u16,
}

impl Builder {
    pub(crate) fn new() -> Self {
        let builder = Builder {
            arena: RefCell::default(),
            names: RefCell::new(vec![QualName::new(None, html5ever::ns!(), html5ever::local_name!(""))]),
            name_ids: RefCell::default(),
            count: Cell::new(0),
            depth: Cell::new(0),
            quirks: Cell::new(false),
        };
        builder.push(DOCUMENT, 0, 0);
        builder
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth.get()
    }

    /// An end tag went by: the parser stands one higher, until an element tells exactly.
    pub(crate) fn rise(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }

    pub(crate) fn is_quirky(&self) -> bool {
        self.quirks.get()
    }

    pub(crate) fn len(&self) -> usize {
        self.count.get()
    }

    fn push(&self, name: u16, start: u32, len: u32) -> u32 {
        self.count.set(self.count.get() + 1);
        self.arena.borrow_mut().push(name, start, len)
    }

    /// Links `child` under `parent` before `next` (`NONE`: as the last child).
    fn insert(&self, parent: u32, child: NodeOrText<Handle>, next: u32) {
        let mut arena = self.arena.borrow_mut();
        let node = match child {
            NodeOrText::AppendNode(node) => {
                arena.detach(node.node);
                node.node
            }
            NodeOrText::AppendText(text) => {
                let previous = arena.before(parent, next);
                if previous != NONE && arena.nodes[previous as usize].name == TEXT {
                    let place = arena.nodes[previous as usize].start;
                    arena.texts[place as usize].push_tendril(&text);
                    return;
                }
                self.count.set(self.count.get() + 1);
                arena.texts.push(text);
                let place = arena.texts.len() as u32 - 1;
                arena.push(TEXT, place, 0)
            }
        };
        arena.attach(parent, node, next);
        let node = &arena.nodes[node as usize];
        if node.name < DOCUMENT && node.name != IGNORED {
            self.depth.set(node.depth as usize);
        }
    }

    fn name_id(&self, name: QualName, arena: &mut Arena) -> (u32, u16) {
        *self.name_ids.borrow_mut().entry(name).or_insert_with_key(|name| {
            let mut names = self.names.borrow_mut();
            names.push(name.clone());
            (names.len() as u32 - 1, arena.local_id(&name.local))
        })
    }
}

impl Arena {
    fn push(&mut self, name: u16, start: u32, len: u32) -> u32 {
        let unlinked = NONE;
        self.nodes.push(Linked {
            parent: unlinked,
            first: unlinked,
            last: unlinked,
            previous: unlinked,
            next: unlinked,
            start,
            len,
            depth: 0,
            name,
        });
        self.nodes.len() as u32 - 1
    }

    fn local_id(&mut self, name: &LocalName) -> u16 {
        if let Some(&id) = self.local_ids.get(name) {
            return id;
        }
        let id = self.tree.names.intern(name);
        self.local_ids.insert(name.clone(), id);
        id
    }

    fn before(&self, parent: u32, next: u32) -> u32 {
        if next == NONE { self.nodes[parent as usize].last } else { self.nodes[next as usize].previous }
    }

    fn detach(&mut self, node: u32) {
        let Linked { parent, previous, next, .. } = self.nodes[node as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.nodes[parent as usize].first = next,
            _ => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last = previous,
            _ => self.nodes[next as usize].previous = previous,
        }
        let node = &mut self.nodes[node as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    fn attach(&mut self, parent: u32, child: u32, next: u32) {
        let previous = self.before(parent, next);
        match previous {
            NONE => self.nodes[parent as usize].first = child,
            _ => self.nodes[previous as usize].next = child,
        }
        match next {
            NONE => self.nodes[parent as usize].last = child,
            _ => self.nodes[next as usize].previous = child,
        }
        let depth = self.nodes[parent as usize].depth.saturating_add(1);
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, next, depth);
    }

    fn store_attr(&mut self, attr: &Attribute) {
        let name = self.local_id(&attr.name.local);
        let (start, len) = store(&mut self.tree.text, &attr.value);
        self.tree.attrs.push(Attr { name, start, len });
    }

    /// Lays the linked nodes out in document order.
    fn flatten(mut self) -> Tree {
        let mut tree = std::mem::take(&mut self.tree);
        tree.nodes.reserve_exact(self.nodes.len());
        let texts: usize = self.texts.iter().map(|text| text.len()).sum();
        tree.text.reserve_exact(texts);
        // Where each linked node went, wanted only to carry over the pairs of controls and forms.
        let mut places = vec![NONE; if self.owners.is_empty() { 0 } else { self.nodes.len() }];
        let mut at = 0u32;
        // The place of the parent of what comes next.
        let mut parent = 0u32;
        loop {
            let node = &self.nodes[at as usize];
            if node.name != IGNORED {
                let placed = tree.nodes.len() as u32;
                let (start, len) = match node.name {
                    TEXT => store(&mut tree.text, &self.texts[node.start as usize]),
                    _ => (node.start, node.len),
                };
                tree.nodes.push(Node { name: node.name, parent, end: placed + 1, start, len });
                if let Some(place) = places.get_mut(at as usize) {
                    *place = placed;
                }
                if node.first != NONE {
                    (at, parent) = (node.first, placed);
                    continue;
                }
            }
            // Up until something has a next sibling.
            while self.nodes[at as usize].next == NONE {
                at = self.nodes[at as usize].parent;
                if at == NONE || at == 0 {
                    let end = tree.nodes.len() as u32;
                    tree.nodes[0].end = end;
                    self.pair_forms(&places, &mut tree);
                    tree.text.shrink_to_fit();
                    tree.attrs.shrink_to_fit();
                    tree.nodes.shrink_to_fit();
                    return tree;
                }
                let end = tree.nodes.len() as u32;
                tree.nodes[parent as usize].end = end;
                parent = tree.nodes[parent as usize].parent;
            }
            at = self.nodes[at as usize].next;
        }
    }

    fn pair_forms(&self, places: &[u32], tree: &mut Tree) {
        let place = |node: u32| places.get(node as usize).copied().filter(|&place| place != NONE).map(NodeId);
        tree.owners =
            self.owners.iter().filter_map(|&(field, form)| Some((place(field)?, place(form)?))).collect();
        tree.owners.sort_unstable();
    }
}

fn store(text: &mut String, value: &str) -> (u32, u32) {
    let start = text.len() as u32;
    text.push_str(value);
    (start, value.len() as u32)
}

impl TreeSink for Builder {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        self.arena.into_inner().flatten()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { node: 0, name: NO_NAME }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Ref<'a, QualName> {
        Ref::map(self.names.borrow(), |names| &names[target.name as usize])
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut arena = self.arena.borrow_mut();
        let start = arena.tree.attrs.len() as u32;
        for attr in attrs.iter().take(MAX_ATTRIBUTES) {
            arena.store_attr(attr);
        }
        let len = arena.tree.attrs.len() as u32 - start;
        let (name, local) = self.name_id(name, &mut arena);
        let node = arena.push(local, start, len);
        self.count.set(self.count.get() + 1);
        if flags.mathml_annotation_xml_integration_point {
            arena.mathml_integration.insert(node);
        }
        Handle { node, name }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Handle { node: self.push(IGNORED, 0, 0), name: NO_NAME }
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        Handle { node: self.push(IGNORED, 0, 0), name: NO_NAME }
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.node, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let parent = self.arena.borrow().nodes[element.node as usize].parent;
        match parent {
            NONE => self.append(previous, child),
            _ => self.insert(parent, child, element.node),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// A template's content hangs under the template itself; readers of visible text pass it over.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        *target
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.node == y.node
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.arena.borrow().nodes[sibling.node as usize].parent;
        if parent != NONE {
            self.insert(parent, child, sibling.node);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let mut arena = self.arena.borrow_mut();
        for attr in attrs {
            let Linked { start, len, .. } = arena.nodes[target.node as usize];
            let name = arena.local_id(&attr.name.local);
            let have = start as usize..(start + len) as usize;
            if len as usize >= MAX_ATTRIBUTES
                || arena.tree.attrs[have.clone()].iter().any(|old| old.name == name)
            {
                continue;
            }
            // The attributes of one element lie together: those it has move to the end.
            if have.end != arena.tree.attrs.len() {
                arena.nodes[target.node as usize].start = arena.tree.attrs.len() as u32;
                arena.tree.attrs.extend_from_within(have);
            }
            arena.store_attr(&attr);
            arena.nodes[target.node as usize].len += 1;
        }
    }

    fn associate_with_form(&self, target: &Handle, form: &Handle, _: (&Handle, Option<&Handle>)) {
        self.arena.borrow_mut().owners.push((target.node, form.node));
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.arena.borrow_mut().detach(target.node);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut arena = self.arena.borrow_mut();
        loop {
            let child = arena.nodes[node.node as usize].first;
            if child == NONE {
                return;
            }
            arena.detach(child);
            arena.attach(new_parent.node, child, NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.arena.borrow().mathml_integration.contains(&handle.node)
    }
}
