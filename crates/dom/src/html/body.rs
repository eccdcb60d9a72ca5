//! The rules for start tags and text in the body.

use super::adoption::Formatting;
use super::element::{BLOCK, FORMATTING, HEADING, OF_HEAD, SPECIAL, Tag};
use super::scan::Token;
use super::{Mode, NONE, Next, Parser};

impl Parser<'_> {
    pub(super) fn text_in_body(&mut self, text: &str) {
        self.reconstruct_formatting();
        self.note_characters(text);
        self.append_text(text);
    }

    pub(super) fn note_characters(&mut self, text: &str) {
        if self.frameset_ok && text.bytes().any(|byte| !byte.is_ascii_whitespace()) {
            self.frameset_ok = false;
        }
    }

    pub(super) fn start_in_body(&mut self, token: Token) -> Next {
        match token.tag {
            tag if tag.has(BLOCK) || tag == Tag::P => {
                self.close_p_in_button_scope();
                self.insert(token);
            }
            Tag::A => {
                self.close_nested_link();
                self.reconstruct_formatting();
                self.insert_formatting(token);
            }
            Tag::Nobr => {
                self.reconstruct_formatting();
                if self.in_scope(Tag::Nobr) {
                    self.adopt(&token);
                    self.reconstruct_formatting();
                }
                self.insert_formatting(token);
            }
            tag if tag.has(FORMATTING) => {
                self.reconstruct_formatting();
                self.insert_formatting(token);
            }
            Tag::Li | Tag::Dd | Tag::Dt => self.start_item(token),
            Tag::Area | Tag::Br | Tag::Embed | Tag::Img | Tag::Keygen | Tag::Wbr => {
                self.reconstruct_formatting();
                self.insert_closed(token);
                self.frameset_ok = false;
            }
            Tag::Table => {
                if !self.quirks {
                    self.close_p_in_button_scope();
                }
                self.insert(token);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            Tag::Template => return self.start_in_head(token),
            tag if tag.has(OF_HEAD) => return self.start_in_head(token),
            _ => return self.start_rarer(token),
        }
        Next::Done
    }

    fn start_rarer(&mut self, token: Token) -> Next {
        match token.tag {
            tag if tag.has(HEADING) => {
                self.close_p_in_button_scope();
                if self.current().tag.has(HEADING) {
                    self.open.pop();
                }
                self.insert(token);
            }
            Tag::Form => {
                if self.form == NONE {
                    self.close_p_in_button_scope();
                    self.form = self.insert(token);
                }
            }
            Tag::Input => {
                if self.in_scope(Tag::Select) {
                    self.close_through(|tag| tag == Tag::Select);
                }
                self.reconstruct_formatting();
                self.insert_closed(token);
                if !self.is_hidden(&token) {
                    self.frameset_ok = false;
                }
            }
            Tag::Select => {
                if self.in_scope(Tag::Select) {
                    self.close_through(|tag| tag == Tag::Select);
                } else {
                    self.reconstruct_formatting();
                    self.insert(token);
                    self.frameset_ok = false;
                }
            }
            Tag::Option | Tag::Optgroup => {
                if self.in_scope(Tag::Select) {
                    let except = (token.tag == Tag::Option).then_some(Tag::Optgroup);
                    self.close_implied(except);
                } else if self.is_current(Tag::Option) {
                    self.open.pop();
                }
                self.reconstruct_formatting();
                self.insert(token);
            }
            Tag::Button => {
                if self.in_scope(Tag::Button) {
                    self.close_implied(None);
                    self.close_through(|tag| tag == Tag::Button);
                }
                self.reconstruct_formatting();
                self.insert(token);
                self.frameset_ok = false;
            }
            Tag::Pre | Tag::Listing => {
                self.close_p_in_button_scope();
                self.insert(token);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            Tag::Hr => {
                self.close_p_in_button_scope();
                if self.in_scope(Tag::Select) {
                    self.close_implied(None);
                }
                self.insert_closed(token);
                self.frameset_ok = false;
            }
            Tag::Applet | Tag::Marquee | Tag::Object => {
                self.reconstruct_formatting();
                self.insert(token);
                self.formatting.push(Formatting::Marker);
                self.frameset_ok = false;
            }
            Tag::Param | Tag::Source | Tag::Track => {
                self.insert_closed(token);
            }
            Tag::Image => {
                let name = self.name_of(Tag::Img);
                return self.start_in_body(Token { tag: Tag::Img, name, ..token });
            }
            Tag::Textarea => {
                self.skip_line_feed = true;
                self.frameset_ok = false;
                return self.raw_text(token, true);
            }
            Tag::Xmp => {
                self.close_p_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.raw_text(token, false);
            }
            Tag::Iframe => {
                self.frameset_ok = false;
                return self.raw_text(token, false);
            }
            Tag::Noembed => return self.raw_text(token, false),
            Tag::Rb | Tag::Rtc | Tag::Rp | Tag::Rt => {
                if self.in_scope(Tag::Ruby) {
                    let except = matches!(token.tag, Tag::Rp | Tag::Rt).then_some(Tag::Rtc);
                    self.close_implied(except);
                }
                self.insert(token);
            }
            Tag::Svg => {
                self.reconstruct_formatting();
                self.start_svg(token);
            }
            Tag::Html => {
                if let Some(root) = self.open.first() {
                    self.arena.add_missing(root.node, token.attrs);
                }
            }
            Tag::Body => {
                if let Some(body) = self.open.get(1)
                    && body.tag == Tag::Body
                {
                    self.frameset_ok = false;
                    self.arena.add_missing(body.node, token.attrs);
                }
            }
            Tag::Frameset if !self.frameset_ok => {}
            Tag::Frameset | Tag::Math | Tag::Plaintext => return self.give_up(),
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Frame
            | Tag::Head
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => {}
            _ => {
                self.reconstruct_formatting();
                self.insert(token);
            }
        }
        Next::Done
    }

    /// An item closes the item before it.
    fn start_item(&mut self, token: Token) {
        self.frameset_ok = false;
        let closes = |tag: Tag| match token.tag {
            Tag::Li => tag == Tag::Li,
            _ => matches!(tag, Tag::Dd | Tag::Dt),
        };
        let ends_search = |tag: Tag| tag.has(SPECIAL) && !matches!(tag, Tag::Address | Tag::Div | Tag::P);
        let found = self.open.iter().rev().map(|open| open.tag).find(|&tag| closes(tag) || ends_search(tag));
        if let Some(item) = found.filter(|&tag| closes(tag)) {
            self.close_implied(Some(item));
            self.close_through(|tag| tag == item);
        }
        self.close_p_in_button_scope();
        self.insert(token);
    }

    pub(super) fn is_hidden(&self, token: &Token) -> bool {
        self.arena
            .attr_slice(token.attrs)
            .iter()
            .find(|attr| self.arena.names.get(attr.name) == "type")
            .is_some_and(|attr| self.arena.attr_value(attr).eq_ignore_ascii_case("hidden"))
    }
}
