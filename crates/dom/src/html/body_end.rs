//! The rules for end tags in the body.

use super::element::{BLOCK, FORMATTING, HEADING, SPECIAL, Tag};
use super::scan::Token;
use super::{Mode, NONE, Next, Parser};

impl Parser<'_> {
    pub(super) fn end_in_body(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Button | Tag::Listing | Tag::Pre | Tag::Select => self.end_block(token.tag),
            tag if tag.has(BLOCK) => self.end_block(tag),
            tag if tag.has(FORMATTING) => self.adopt(&token),
            Tag::P => {
                if !self.in_button_scope(Tag::P) {
                    self.insert_unwritten(Tag::P);
                }
                self.close_p();
            }
            Tag::Li | Tag::Dd | Tag::Dt => {
                let in_scope = match token.tag {
                    Tag::Li => self.in_list_scope(Tag::Li),
                    tag => self.in_scope(tag),
                };
                if in_scope {
                    self.close_implied(Some(token.tag));
                    self.close_through(|tag| tag == token.tag);
                }
            }
            tag if tag.has(HEADING) => {
                if self.heading_in_scope() {
                    self.close_implied(None);
                    self.close_through(|tag| tag.has(HEADING));
                }
            }
            Tag::Form => self.end_form(),
            Tag::Applet | Tag::Marquee | Tag::Object => {
                if self.in_scope(token.tag) {
                    self.end_block(token.tag);
                    self.clear_formatting();
                }
            }
            Tag::Br => {
                let name = self.name_of(Tag::Br);
                return self.start_in_body(Token { name, attrs: (0, 0), ..token });
            }
            Tag::Body => {
                if self.in_scope(Tag::Body) {
                    self.mode = Mode::AfterBody;
                }
            }
            Tag::Html => {
                if self.in_scope(Tag::Body) {
                    return self.again_in(Mode::AfterBody);
                }
            }
            Tag::Template => {}
            _ => self.end_other(&token),
        }
        Next::Done
    }

    fn end_block(&mut self, tag: Tag) {
        if self.in_scope(tag) {
            self.close_implied(None);
            self.close_through(|open| open == tag);
        }
    }

    fn end_form(&mut self) {
        let form = std::mem::replace(&mut self.form, NONE);
        if form != NONE && self.node_in_scope(form) {
            self.close_implied(None);
            self.close_node(form);
        }
    }

    /// An end tag without a rule of its own closes its element unless a special one is open inside.
    pub(super) fn end_other(&mut self, token: &Token) {
        let found = self.open.iter().rposition(|open| open.is(token) || open.tag.has(SPECIAL));
        if let Some(at) = found
            && self.open[at].is(token)
        {
            // Elements that may stay open are closed with all else.
            self.open.truncate(at);
        }
    }
}
