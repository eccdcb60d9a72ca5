//! The tree while it grows.
//!
//! Nearly every node comes behind all others, so nodes go to their final place at once. Only when broken markup makes the
//! parser move a node, or put one before another, are nodes linked; they are then laid out at the end.

use crate::builder::MAX_ATTRIBUTES;
use crate::names::Names;
use crate::tree::{Attr, DOCUMENT, Node, NodeId, TEXT, Tree};

pub(super) const NONE: u32 = u32::MAX;

/// Where a node or text goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// As the last child.
    Inside(u32),
    /// Before a node, under the same parent.
    Before(u32),
}

#[derive(Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    pub(super) attrs: Vec<Attr>,
    pub(super) text: String,
    pub(super) names: Names,
    /// Empty as long as nodes are in document order.
    links: Vec<Links>,
    /// Form controls and their forms.
    owners: Vec<(u32, u32)>,
    /// Bytes of texts that had to be moved because something was written behind them.
    pub(super) moved: usize,
}

#[derive(Debug, Clone, Copy)]
struct Links {
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
}

const UNLINKED: Links = Links { first: NONE, last: NONE, previous: NONE, next: NONE };

impl Arena {
    /// Room for the tree of a page of so many bytes.
    pub(super) fn new(html: usize) -> Self {
        let mut nodes = Vec::with_capacity(html / 24 + 16);
        nodes.push(Node { name: DOCUMENT, parent: NONE, end: 1, start: 0, len: 0 });
        Arena {
            nodes,
            attrs: Vec::with_capacity(html / 32 + 16),
            text: String::with_capacity(html / 2 + 64),
            ..Arena::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A new element that stands nowhere yet. As long as nodes are in document order it has to be put as the last child of
    /// a node that is not closed before anything else is created.
    pub(super) fn create(&mut self, name: u16, start: u32, len: u32) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { name, parent: NONE, end: node + 1, start, len });
        if !self.links.is_empty() {
            self.links.push(UNLINKED);
        }
        node
    }

    pub(super) fn insert(&mut self, place: Place, node: u32) {
        match place {
            Place::Inside(parent) if self.links.is_empty() => self.nodes[node as usize].parent = parent,
            Place::Inside(parent) => self.attach(parent, node, NONE),
            Place::Before(next) => {
                self.link();
                let parent = self.nodes[next as usize].parent;
                self.attach(parent, node, next);
            }
        }
    }

    pub(super) fn insert_text(&mut self, place: Place, text: &str) {
        let (parent, previous) = match place {
            Place::Inside(parent) if self.links.is_empty() => {
                let last = self.nodes.len() as u32 - 1;
                (parent, if self.nodes[last as usize].parent == parent { last } else { NONE })
            }
            Place::Inside(parent) => (parent, self.links[parent as usize].last),
            Place::Before(next) => {
                self.link();
                (self.nodes[next as usize].parent, self.links[next as usize].previous)
            }
        };
        if previous != NONE && self.nodes[previous as usize].name == TEXT {
            return self.extend(previous, text);
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { name: TEXT, parent, end: node + 1, start, len: text.len() as u32 });
        if !self.links.is_empty() {
            self.links.push(UNLINKED);
            self.insert(place, node);
        }
    }

    fn extend(&mut self, node: u32, text: &str) {
        let node = &mut self.nodes[node as usize];
        let have = node.start as usize..(node.start + node.len) as usize;
        if have.end != self.text.len() {
            node.start = self.text.len() as u32;
            self.moved += have.len();
            self.text.extend_from_within(have);
        }
        node.len += text.len() as u32;
        self.text.push_str(text);
    }

    /// From now on nodes may stand anywhere.
    pub(super) fn link(&mut self) {
        if !self.links.is_empty() {
            return;
        }
        self.links = vec![UNLINKED; self.nodes.len()];
        for node in 1..self.nodes.len() as u32 {
            let parent = self.nodes[node as usize].parent;
            self.attach(parent, node, NONE);
        }
    }

    /// Links a node that stands nowhere under `parent` before `next` (`NONE`: as the last child).
    fn attach(&mut self, parent: u32, node: u32, next: u32) {
        let links = &mut self.links;
        let previous = match next {
            NONE => std::mem::replace(&mut links[parent as usize].last, node),
            _ => std::mem::replace(&mut links[next as usize].previous, node),
        };
        match previous {
            NONE => links[parent as usize].first = node,
            _ => links[previous as usize].next = node,
        }
        (links[node as usize].previous, links[node as usize].next) = (previous, next);
        self.nodes[node as usize].parent = parent;
    }

    /// Takes a node from where it stands. Nodes are linked when that is needed.
    pub(super) fn detach(&mut self, node: u32) {
        let parent = self.nodes[node as usize].parent;
        if parent == NONE {
            return;
        }
        let Links { previous, next, .. } = self.links[node as usize];
        match previous {
            NONE => self.links[parent as usize].first = next,
            _ => self.links[previous as usize].next = next,
        }
        match next {
            NONE => self.links[parent as usize].last = previous,
            _ => self.links[next as usize].previous = previous,
        }
        (self.links[node as usize].previous, self.links[node as usize].next) = (NONE, NONE);
        self.nodes[node as usize].parent = NONE;
    }

    /// Moves all children of one node behind those of another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        while self.links[from as usize].first != NONE {
            let child = self.links[from as usize].first;
            self.detach(child);
            self.attach(to, child, NONE);
        }
    }

    pub(super) fn has_parent(&self, node: u32) -> bool {
        self.nodes[node as usize].parent != NONE
    }

    pub(super) fn set_owner(&mut self, control: u32, form: u32) {
        self.owners.push((control, form));
    }

    /// Where the attributes of an element are.
    pub(super) fn attrs_of(&self, node: u32) -> (u32, u32) {
        let node = &self.nodes[node as usize];
        (node.start, node.len)
    }

    /// The same attributes once more.
    pub(super) fn copied_attrs(&mut self, (start, len): (u32, u32)) -> (u32, u32) {
        let copied = self.attrs.len() as u32;
        self.attrs.extend_from_within(start as usize..(start + len) as usize);
        (copied, len)
    }

    pub(super) fn attr_slice(&self, (start, len): (u32, u32)) -> &[Attr] {
        &self.attrs[start as usize..(start + len) as usize]
    }

    pub(super) fn attr_value(&self, attr: &Attr) -> &str {
        &self.text[attr.start as usize..(attr.start + attr.len) as usize]
    }

    /// Whether two runs of attributes are the same in any order.
    pub(super) fn same_attrs(&self, one: (u32, u32), other: (u32, u32)) -> bool {
        let others = self.attr_slice(other);
        one.1 == other.1
            && self.attr_slice(one).iter().all(|attr| {
                others.iter().any(|o| o.name == attr.name && self.attr_value(o) == self.attr_value(attr))
            })
    }

    /// Gives an element the attributes that it does not have: pages repeat their `html` and `body` tags.
    pub(super) fn add_missing(&mut self, node: u32, attrs: (u32, u32)) {
        for at in attrs.0..attrs.0 + attrs.1 {
            let attr = self.attrs[at as usize];
            let (start, len) = self.attrs_of(node);
            let have = start as usize..(start + len) as usize;
            if have.len() >= MAX_ATTRIBUTES
                || self.attrs[have.clone()].iter().any(|old| old.name == attr.name)
            {
                continue;
            }
            // The attributes of one element lie together: those it has move to the end.
            if have.end != self.attrs.len() {
                self.nodes[node as usize].start = self.attrs.len() as u32;
                self.attrs.extend_from_within(have);
            }
            self.attrs.push(attr);
            self.nodes[node as usize].len += 1;
        }
    }

    pub(super) fn finish(mut self) -> Tree {
        self.nodes[0].parent = 0;
        if self.links.is_empty() {
            for at in (1..self.nodes.len()).rev() {
                let Node { parent, end, .. } = self.nodes[at];
                let above = &mut self.nodes[parent as usize];
                above.end = above.end.max(end);
            }
        } else {
            self.lay_out();
        }
        self.owners.sort_unstable();
        let owners = self.owners.into_iter().map(|(control, form)| (NodeId(control), NodeId(form))).collect();
        Tree { nodes: self.nodes, attrs: self.attrs, text: self.text, names: self.names, owners }
    }

    /// Puts linked nodes in document order.
    fn lay_out(&mut self) {
        let mut laid: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut places = vec![NONE; self.nodes.len()];
        let mut at = 0u32;
        // The place of the parent of what comes next.
        let mut parent = 0u32;
        'nodes: loop {
            let placed = laid.len() as u32;
            places[at as usize] = placed;
            laid.push(Node { parent, end: placed + 1, ..self.nodes[at as usize] });
            if self.links[at as usize].first != NONE {
                (at, parent) = (self.links[at as usize].first, placed);
                continue;
            }
            // Up until something has a next sibling.
            while self.links[at as usize].next == NONE {
                if at == 0 || self.nodes[at as usize].parent == 0 {
                    break 'nodes;
                }
                at = self.nodes[at as usize].parent;
                let end = laid.len() as u32;
                laid[parent as usize].end = end;
                parent = laid[parent as usize].parent;
            }
            at = self.links[at as usize].next;
        }
        laid[0].end = laid.len() as u32;
        self.nodes = laid;
        let place = |node: u32| Some(places[node as usize]).filter(|&place| place != NONE);
        self.owners =
            self.owners.iter().filter_map(|&(control, form)| Some((place(control)?, place(form)?))).collect();
    }
}
