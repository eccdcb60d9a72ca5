//! The rules for tables.

use super::adoption::Formatting;
use super::element::{FOSTER, TABLE_SCOPE, Tag};
use super::scan::Token;
use super::{Mode, NONE, Next, Parser};

/// Tags that only a table has a place for.
fn is_part(tag: Tag) -> bool {
    matches!(tag, Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Td | Tag::Th | Tag::Tr) || is_rows(tag)
}

fn is_rows(tag: Tag) -> bool {
    matches!(tag, Tag::Tbody | Tag::Tfoot | Tag::Thead)
}

fn is_cell(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th)
}

impl Parser<'_> {
    /// Characters between the parts of a table wait for the next tag; elsewhere they go before the table.
    pub(super) fn text_in_table(&mut self, text: &str) {
        if self.table_text.is_empty() && !self.current().tag.has(FOSTER) {
            return self.fostered(|parser| parser.text_in_body(text));
        }
        self.table_text.push_str(text);
    }

    pub(super) fn end_table_text(&mut self) {
        if self.table_text.is_empty() {
            return;
        }
        let mut text = std::mem::take(&mut self.table_text);
        if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.append_text(&text);
        } else {
            self.fostered(|parser| parser.text_in_body(&text));
        }
        text.clear();
        self.table_text = text;
    }

    /// What a table has no place for goes before it.
    fn fostered<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.foster = true;
        let done = act(self);
        self.foster = false;
        done
    }

    fn close_to_table(&mut self) {
        self.close_up_to(|tag| tag.has(TABLE_SCOPE));
    }

    pub(super) fn start_in_table(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Caption => {
                self.close_to_table();
                self.formatting.push(Formatting::Marker);
                self.insert(token);
                self.mode = Mode::InCaption;
            }
            Tag::Colgroup => {
                self.close_to_table();
                self.insert(token);
                self.mode = Mode::InColumnGroup;
            }
            Tag::Col => {
                self.close_to_table();
                self.insert_unwritten(Tag::Colgroup);
                return self.again_in(Mode::InColumnGroup);
            }
            tag if is_rows(tag) => {
                self.close_to_table();
                self.insert(token);
                self.mode = Mode::InTableBody;
            }
            Tag::Td | Tag::Th | Tag::Tr => {
                self.close_to_table();
                self.insert_unwritten(Tag::Tbody);
                return self.again_in(Mode::InTableBody);
            }
            Tag::Table => {
                if self.in_table_scope(|tag| tag == Tag::Table) {
                    self.close_through(|tag| tag == Tag::Table);
                    self.reset_mode();
                    return Next::Again;
                }
            }
            Tag::Style | Tag::Script | Tag::Template => return self.start_in_head(token),
            Tag::Input if self.is_hidden(&token) => {
                self.insert_closed(token);
            }
            Tag::Form => {
                if self.form == NONE {
                    self.form = self.insert_closed(token);
                }
            }
            _ => return self.fostered(|parser| parser.start_in_body(token)),
        }
        Next::Done
    }

    pub(super) fn end_in_table(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Table => {
                if self.in_table_scope(|tag| tag == Tag::Table) {
                    self.close_through(|tag| tag == Tag::Table);
                    self.reset_mode();
                }
                Next::Done
            }
            Tag::Body | Tag::Html | Tag::Template => Next::Done,
            tag if is_part(tag) => Next::Done,
            _ => self.fostered(|parser| parser.end_in_body(token)),
        }
    }

    pub(super) fn start_in_caption(&mut self, token: Token) -> Next {
        match token.tag {
            tag if is_part(tag) => self.end_caption(),
            _ => self.start_in_body(token),
        }
    }

    pub(super) fn end_in_caption(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Caption => {
                self.end_caption();
                Next::Done
            }
            Tag::Table => self.end_caption(),
            Tag::Body | Tag::Html => Next::Done,
            tag if is_part(tag) => Next::Done,
            _ => self.end_in_body(token),
        }
    }

    fn end_caption(&mut self) -> Next {
        if !self.in_table_scope(|tag| tag == Tag::Caption) {
            return Next::Done;
        }
        self.close_implied(None);
        self.close_through(|tag| tag == Tag::Caption);
        self.clear_formatting();
        self.again_in(Mode::InTable)
    }

    pub(super) fn start_in_columns(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Col => {
                self.insert_closed(token);
                Next::Done
            }
            Tag::Template => self.give_up(),
            _ => self.leave_mode(),
        }
    }

    pub(super) fn end_in_columns(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Colgroup => {
                self.leave_mode();
                Next::Done
            }
            Tag::Col | Tag::Template => Next::Done,
            _ => self.leave_mode(),
        }
    }

    fn close_to_rows(&mut self) {
        self.close_up_to(|tag| is_rows(tag) || matches!(tag, Tag::Template | Tag::Html));
    }

    pub(super) fn start_in_rows(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Tr => {
                self.close_to_rows();
                self.insert(token);
                self.mode = Mode::InRow;
                Next::Done
            }
            Tag::Td | Tag::Th => {
                self.close_to_rows();
                self.insert_unwritten(Tag::Tr);
                self.again_in(Mode::InRow)
            }
            tag if is_part(tag) => self.end_rows(),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_rows(&mut self, token: Token) -> Next {
        match token.tag {
            tag if is_rows(tag) => {
                if self.in_table_scope(|open| open == tag) {
                    self.close_to_rows();
                    self.open.pop();
                    self.mode = Mode::InTable;
                }
                Next::Done
            }
            Tag::Table => self.end_rows(),
            Tag::Body | Tag::Html => Next::Done,
            tag if is_part(tag) => Next::Done,
            _ => self.end_in_table(token),
        }
    }

    fn end_rows(&mut self) -> Next {
        if !self.in_table_scope(|tag| matches!(tag, Tag::Table | Tag::Tbody | Tag::Tfoot)) {
            return Next::Done;
        }
        self.close_to_rows();
        self.open.pop();
        self.again_in(Mode::InTable)
    }

    fn close_to_row(&mut self) {
        self.close_up_to(|tag| matches!(tag, Tag::Tr | Tag::Template | Tag::Html));
    }

    pub(super) fn start_in_row(&mut self, token: Token) -> Next {
        match token.tag {
            tag if is_cell(tag) => {
                self.close_to_row();
                self.insert(token);
                self.mode = Mode::InCell;
                self.formatting.push(Formatting::Marker);
                Next::Done
            }
            tag if is_part(tag) => self.end_row(),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_row(&mut self, token: Token) -> Next {
        match token.tag {
            Tag::Tr => {
                self.end_row();
                Next::Done
            }
            Tag::Table => self.end_row(),
            tag if is_rows(tag) => match self.in_table_scope(|open| open == tag) {
                true => self.end_row(),
                false => Next::Done,
            },
            Tag::Body | Tag::Html => Next::Done,
            tag if is_part(tag) => Next::Done,
            _ => self.end_in_table(token),
        }
    }

    fn end_row(&mut self) -> Next {
        if !self.in_table_scope(|tag| tag == Tag::Tr) {
            return Next::Done;
        }
        self.close_to_row();
        self.open.pop();
        self.again_in(Mode::InTableBody)
    }

    pub(super) fn start_in_cell(&mut self, token: Token) -> Next {
        match token.tag {
            tag if is_part(tag) => match self.in_table_scope(is_cell) {
                true => self.end_cell(),
                false => Next::Done,
            },
            _ => self.start_in_body(token),
        }
    }

    pub(super) fn end_in_cell(&mut self, token: Token) -> Next {
        match token.tag {
            tag if is_cell(tag) => {
                if self.in_table_scope(|open| open == tag) {
                    self.close_implied(None);
                    self.close_through(|open| open == tag);
                    self.clear_formatting();
                    self.mode = Mode::InRow;
                }
                Next::Done
            }
            Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html => Next::Done,
            tag if is_part(tag) || tag == Tag::Table => match self.in_table_scope(|open| open == tag) {
                true => self.end_cell(),
                false => Next::Done,
            },
            _ => self.end_in_body(token),
        }
    }

    fn end_cell(&mut self) -> Next {
        self.close_implied(None);
        self.close_through(is_cell);
        self.clear_formatting();
        self.again_in(Mode::InRow)
    }
}
