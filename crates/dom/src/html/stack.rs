//! The stack of open elements.

use super::arena::{NONE, Place};
use super::element::{CONTROL, FOSTER, IMPLIED, SCOPE, TABLE_SCOPE, Tag};
use super::scan::Token;
use super::{Mode, Parser};

/// An element that has begun and not ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) node: u32,
    pub(super) name: u16,
    /// `Other` for every element of SVG.
    pub(super) tag: Tag,
    pub(super) space: Space,
}

/// Whose rules hold inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Html,
    Svg,
    /// An element of SVG with HTML in it.
    SvgWithHtml,
}

impl Open {
    /// Whether a tag is of this element.
    pub(super) fn is(&self, token: &Token) -> bool {
        self.tag == token.tag
            && (token.tag != Tag::Other || self.name == token.name && self.space == Space::Html)
    }

    fn ends_scope(&self, also: Option<Tag>) -> bool {
        self.tag.has(SCOPE) || self.space == Space::SvgWithHtml || also == Some(self.tag)
    }
}

/// What is open before there is anything.
const DOCUMENT: Open = Open { node: 0, name: 0, tag: Tag::Other, space: Space::Html };

impl Parser<'_> {
    pub(super) fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(DOCUMENT)
    }

    pub(super) fn is_current(&self, tag: Tag) -> bool {
        self.current().tag == tag
    }

    fn in_scope_by(&self, also: Option<Tag>, is_it: impl Fn(&Open) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if is_it(open) {
                return true;
            }
            if open.ends_scope(also) {
                return false;
            }
        }
        false
    }

    pub(super) fn in_scope(&self, tag: Tag) -> bool {
        self.in_scope_by(None, |open| open.tag == tag)
    }

    pub(super) fn node_in_scope(&self, node: u32) -> bool {
        self.in_scope_by(None, |open| open.node == node)
    }

    pub(super) fn heading_in_scope(&self) -> bool {
        self.in_scope_by(None, |open| open.tag.has(super::element::HEADING))
    }

    pub(super) fn in_button_scope(&self, tag: Tag) -> bool {
        self.in_scope_by(Some(Tag::Button), |open| open.tag == tag)
    }

    pub(super) fn in_list_scope(&self, tag: Tag) -> bool {
        for open in self.open.iter().rev() {
            if open.tag == tag {
                return true;
            }
            if open.ends_scope(Some(Tag::Ul)) || open.tag == Tag::Ol {
                return false;
            }
        }
        false
    }

    pub(super) fn in_table_scope(&self, is_it: impl Fn(Tag) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if is_it(open.tag) {
                return true;
            }
            if open.tag.has(TABLE_SCOPE) {
                return false;
            }
        }
        false
    }

    pub(super) fn close_implied(&mut self, except: Option<Tag>) {
        while let Some(open) = self.open.last()
            && open.tag.has(IMPLIED)
            && Some(open.tag) != except
        {
            self.open.pop();
        }
    }

    /// Closes elements up to and with one of this kind.
    pub(super) fn close_through(&mut self, is_it: impl Fn(Tag) -> bool) {
        while let Some(open) = self.open.pop() {
            if is_it(open.tag) {
                return;
            }
        }
    }

    pub(super) fn close_up_to(&mut self, is_it: impl Fn(Tag) -> bool) {
        while let Some(open) = self.open.last()
            && !is_it(open.tag)
        {
            self.open.pop();
        }
    }

    pub(super) fn close_p(&mut self) {
        self.close_implied(Some(Tag::P));
        self.close_through(|tag| tag == Tag::P);
    }

    pub(super) fn close_p_in_button_scope(&mut self) {
        if self.in_button_scope(Tag::P) {
            self.close_p();
        }
    }

    /// Opens an element once more.
    pub(super) fn reopen(&mut self, node: u32, tag: Tag) {
        let name = self.name_of(tag);
        self.open.push(Open { node, name, tag, space: Space::Html });
    }

    /// Takes an element from the stack wherever it is.
    pub(super) fn close_node(&mut self, node: u32) {
        if let Some(at) = self.open.iter().rposition(|open| open.node == node) {
            if at + 1 < self.open.len() {
                self.closed_inside += 1;
            }
            self.open.remove(at);
        }
    }

    /// The appropriate place for inserting a node.
    pub(super) fn place_in(&self, target: Open) -> Place {
        if !(self.foster && target.tag.has(FOSTER)) {
            return Place::Inside(target.node);
        }
        match self.open.iter().rposition(|open| open.tag == Tag::Table) {
            Some(at) if self.arena.has_parent(self.open[at].node) => Place::Before(self.open[at].node),
            Some(at) => Place::Inside(self.open[at.saturating_sub(1)].node),
            None => Place::Inside(self.open.first().map_or(0, |open| open.node)),
        }
    }

    pub(super) fn append_text(&mut self, text: &str) {
        let place = self.place_in(self.current());
        self.arena.insert_text(place, text);
    }

    /// Inserts the element of a start tag and leaves it open.
    pub(super) fn insert(&mut self, token: Token) -> u32 {
        let node = self.insert_closed(token);
        self.open.push(Open { node, name: token.name, tag: token.tag, space: Space::Html });
        node
    }

    /// Inserts an element without content.
    pub(super) fn insert_closed(&mut self, token: Token) -> u32 {
        let place = self.place_in(self.current());
        // An element that goes before another is the last to come in document order no more.
        if matches!(place, Place::Before(_)) {
            self.arena.link();
        }
        let node = self.arena.create(token.name, token.attrs.0, token.attrs.1);
        if token.tag.has(CONTROL) && self.form != NONE && !self.names_its_form(&token) {
            self.arena.set_owner(node, self.form);
        }
        self.arena.insert(place, node);
        node
    }

    fn names_its_form(&self, token: &Token) -> bool {
        token.tag != Tag::Img
            && self.arena.attr_slice(token.attrs).iter().any(|attr| self.arena.names.get(attr.name) == "form")
    }

    pub(super) fn insert_unwritten(&mut self, tag: Tag) -> u32 {
        let name = self.name_of(tag);
        self.insert(Token { tag, name, attrs: (0, 0), self_closing: false })
    }

    pub(super) fn insert_root(&mut self, attrs: (u32, u32)) {
        let name = self.name_of(Tag::Html);
        self.insert(Token { tag: Tag::Html, name, attrs, self_closing: false });
    }

    /// Resets the insertion mode appropriately.
    pub(super) fn reset_mode(&mut self) {
        self.mode = self
            .open
            .iter()
            .rev()
            .find_map(|open| match open.tag {
                Tag::Td | Tag::Th => Some(Mode::InCell),
                Tag::Tr => Some(Mode::InRow),
                Tag::Tbody | Tag::Thead | Tag::Tfoot => Some(Mode::InTableBody),
                Tag::Caption => Some(Mode::InCaption),
                Tag::Colgroup => Some(Mode::InColumnGroup),
                Tag::Table => Some(Mode::InTable),
                Tag::Head => Some(Mode::InHead),
                Tag::Body => Some(Mode::InBody),
                Tag::Html => Some(Mode::AfterHead),
                _ => None,
            })
            .unwrap_or(Mode::InBody);
    }
}
