//! Active formatting elements: `b`, `i`, `a` and their like go on behind the end of the block they began in.

use super::Parser;
use super::arena::Place;
use super::element::{SPECIAL, Tag};
use super::scan::Token;
use super::stack::{Open, Space};

/// More of them at a time than any page has; each may have to be looked at for every tag.
pub(super) const MOST: usize = 256;

/// The adoption agency looks so many times, says the standard.
const ROUNDS: usize = 8;

/// And clones so many elements at each.
const CLONES: usize = 3;

/// So many of the same kind are kept ("Noah's Ark").
const OF_A_KIND: usize = 3;

#[derive(Debug, Clone, Copy)]
pub(super) enum Formatting {
    /// Elements before it do not go on behind it.
    Marker,
    Element(Entry),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    node: u32,
    tag: Tag,
    name: u16,
    attrs: (u32, u32),
}

impl Entry {
    fn token(&self) -> Token {
        Token { tag: self.tag, name: self.name, attrs: self.attrs, self_closing: false }
    }

    fn open(&self) -> Open {
        Open { node: self.node, name: self.name, tag: self.tag, space: Space::Html }
    }
}

impl Parser<'_> {
    /// Entries from the last to the last marker, with their places.
    fn formatting_to_marker(&self) -> impl Iterator<Item = (usize, Entry)> {
        self.formatting.iter().enumerate().rev().map_while(|(at, entry)| match entry {
            Formatting::Marker => None,
            Formatting::Element(entry) => Some((at, *entry)),
        })
    }

    fn formatting_place(&self, node: u32) -> Option<usize> {
        self.formatting
            .iter()
            .position(|entry| matches!(entry, Formatting::Element(entry) if entry.node == node))
    }

    pub(super) fn clear_formatting(&mut self) {
        while let Some(Formatting::Element(_)) = self.formatting.pop() {}
    }

    pub(super) fn insert_formatting(&mut self, token: Token) {
        let (mut same, mut earliest) = (0, 0);
        for (at, entry) in self.formatting_to_marker() {
            if entry.tag == token.tag && self.arena.same_attrs(entry.attrs, token.attrs) {
                (same, earliest) = (same + 1, at);
            }
        }
        if same >= OF_A_KIND {
            self.formatting.remove(earliest);
        }
        let node = self.insert(token);
        let entry = Entry { node, tag: token.tag, name: token.name, attrs: token.attrs };
        self.formatting.push(Formatting::Element(entry));
    }

    fn is_done_with(&self, entry: &Formatting) -> bool {
        match entry {
            Formatting::Marker => true,
            Formatting::Element(entry) => self.open.iter().rev().any(|open| open.node == entry.node),
        }
    }

    /// Opens again what a block closed.
    pub(super) fn reconstruct_formatting(&mut self) {
        let done = self.formatting.iter().rposition(|entry| self.is_done_with(entry));
        for at in done.map_or(0, |done| done + 1)..self.formatting.len() {
            if let Formatting::Element(entry) = self.formatting[at] {
                let node = self.insert(entry.token());
                self.formatting[at] = Formatting::Element(Entry { node, ..entry });
            }
        }
    }

    /// A link inside a link ends it.
    pub(super) fn close_nested_link(&mut self) {
        let Some((_, entry)) = self.formatting_to_marker().find(|(_, entry)| entry.tag == Tag::A) else {
            return;
        };
        self.adopt(&entry.token());
        if let Some(at) = self.formatting_place(entry.node) {
            self.formatting.remove(at);
        }
        self.close_node(entry.node);
    }

    /// The adoption agency algorithm, for the end tag of a formatting element.
    pub(super) fn adopt(&mut self, token: &Token) {
        let current = self.current();
        if current.is(token) && self.formatting_place(current.node).is_none() {
            self.open.pop();
            return;
        }
        for _ in 0..ROUNDS {
            let found = self.formatting_to_marker().find(|(_, entry)| entry.tag == token.tag);
            let Some((place, entry)) = found else { return self.end_other(token) };
            let Some(at) = self.open.iter().rposition(|open| open.node == entry.node) else {
                self.formatting.remove(place);
                return;
            };
            if !self.node_in_scope(entry.node) {
                return;
            }
            let Some(block) = (at..self.open.len()).find(|&at| self.open[at].tag.has(SPECIAL)) else {
                self.open.truncate(at);
                self.formatting.remove(place);
                return;
            };
            self.adopt_block(entry, at, block);
        }
    }

    /// One round: the block moves out of the formatting element, which is cloned into it.
    fn adopt_block(&mut self, entry: Entry, at: usize, block: usize) {
        self.arena.link();
        let ancestor = self.open[at.saturating_sub(1)];
        let furthest = self.open[block];
        // Behind which entry the new one goes; in the place of the old one when there is none.
        let mut bookmark = None;
        let mut last = furthest.node;
        let mut above = block;
        for step in 1.. {
            above -= 1;
            let node = self.open[above].node;
            if node == entry.node {
                break;
            }
            let place = self.formatting_place(node);
            let (Some(place), true) = (place, step <= CLONES) else {
                if let Some(place) = place {
                    self.formatting.remove(place);
                }
                self.open.remove(above);
                continue;
            };
            let Formatting::Element(old) = self.formatting[place] else { break };
            let clone = Entry { node: self.arena.create(old.name, old.attrs.0, old.attrs.1), ..old };
            self.open[above] = clone.open();
            self.formatting[place] = Formatting::Element(clone);
            if last == furthest.node {
                bookmark = Some(clone.node);
            }
            self.arena.detach(last);
            self.arena.insert(Place::Inside(clone.node), last);
            last = clone.node;
        }
        self.arena.detach(last);
        self.arena.insert(self.place_in(ancestor), last);
        let clone = Entry { node: self.arena.create(entry.name, entry.attrs.0, entry.attrs.1), ..entry };
        self.arena.move_children(furthest.node, clone.node);
        self.arena.insert(Place::Inside(furthest.node), clone.node);
        if let Some(before) = bookmark.and_then(|node| self.formatting_place(node)) {
            self.formatting.insert(before + 1, Formatting::Element(clone));
            if let Some(old) = self.formatting_place(entry.node) {
                self.formatting.remove(old);
            }
        } else if let Some(old) = self.formatting_place(entry.node) {
            self.formatting[old] = Formatting::Element(clone);
        }
        self.open.retain(|open| open.node != entry.node);
        let at = self.open.iter().position(|open| open.node == furthest.node);
        self.open.insert(at.map_or(self.open.len(), |at| at + 1), clone.open());
    }
}
