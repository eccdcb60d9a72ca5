//! The rules for everything before the body.

use super::element::{OF_HEAD, Tag};
use super::scan::Token;
use super::{Mode, Next, Parser, entity};

impl Parser<'_> {
    pub(super) fn start_before_head(&mut self, token: Token) -> Next {
        match (self.mode, token.tag) {
            (Mode::BeforeHtml, Tag::Html) => {
                self.insert_root(token.attrs);
                self.mode = Mode::BeforeHead;
                Next::Done
            }
            (Mode::BeforeHead, Tag::Html) => self.start_in_body(token),
            (Mode::BeforeHead, Tag::Head) => {
                self.head = self.insert(token);
                self.mode = Mode::InHead;
                Next::Done
            }
            _ => self.leave_mode(),
        }
    }

    pub(super) fn end_before_head(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Head | Tag::Body | Tag::Html | Tag::Br => self.leave_mode(),
            _ if self.mode == Mode::Initial => self.leave_mode(),
            _ => Next::Done,
        }
    }

    pub(super) fn start_in_head(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta => {
                self.insert_closed(token);
                Next::Done
            }
            Tag::Title => self.raw_text(token, true),
            Tag::Noframes | Tag::Style => self.raw_text(token, false),
            Tag::Script => self.script(token),
            Tag::Noscript => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
                Next::Done
            }
            Tag::Template => self.give_up(),
            Tag::Head => Next::Done,
            _ => self.leave_mode(),
        }
    }

    pub(super) fn end_in_head(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Head => {
                self.open.pop();
                self.mode = Mode::AfterHead;
                Next::Done
            }
            Tag::Body | Tag::Html | Tag::Br => self.leave_mode(),
            _ => Next::Done,
        }
    }

    pub(super) fn start_in_noscript(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta | Tag::Noframes | Tag::Style => {
                self.start_in_head(token)
            }
            Tag::Head | Tag::Noscript => Next::Done,
            _ => self.leave_mode(),
        }
    }

    pub(super) fn end_in_noscript(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Noscript => {
                self.open.pop();
                self.mode = Mode::InHead;
                Next::Done
            }
            Tag::Br => self.leave_mode(),
            _ => Next::Done,
        }
    }

    pub(super) fn start_after_head(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Body => {
                self.insert(token);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Next::Done
            }
            tag if tag.has(OF_HEAD) => {
                // Into the head, which something may already stand behind.
                self.arena.link();
                let head = self.head;
                self.reopen(head, Tag::Head);
                let next = self.start_in_head(token);
                self.open.retain(|open| open.node != head);
                next
            }
            Tag::Frameset | Tag::Template => self.give_up(),
            Tag::Head => Next::Done,
            _ => self.leave_mode(),
        }
    }

    pub(super) fn end_after_head(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Body | Tag::Html | Tag::Br => self.leave_mode(),
            _ => Next::Done,
        }
    }

    /// An element in which tags are text, up to its own end tag.
    pub(super) fn raw_text(&mut self, token: Token, with_references: bool) -> Next {
        let end = self.raw_end(token.tag.name());
        self.raw_element(token, end, with_references)
    }

    pub(super) fn script(&mut self, token: Token) -> Next {
        let end = self.script_end();
        self.raw_element(token, end, false)
    }

    fn raw_element(&mut self, token: Token, end: usize, with_references: bool) -> Next {
        self.insert(token);
        let html = self.html;
        let mut text = &html[self.at..end];
        let decoded;
        if with_references && text.contains('&') {
            let mut into = String::with_capacity(text.len());
            entity::push_decoded(&mut into, text, false);
            decoded = into;
            text = &decoded;
        }
        if std::mem::take(&mut self.skip_line_feed) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        if !text.is_empty() {
            self.append_text(text);
        }
        self.open.pop();
        self.at = end;
        if end < html.len() && self.read_tag(2, true).is_none() {
            self.at = html.len();
        }
        Next::Done
    }

    /// This page is one for html5ever.
    pub(super) fn give_up(&mut self) -> Next {
        self.gave_up = true;
        Next::Done
    }
}
