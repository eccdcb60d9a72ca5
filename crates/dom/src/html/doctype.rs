//! What the document type says: only whether the page is in quirks mode.

use memchr::memchr;

use super::{Mode, Parser};
use crate::parse;

impl Parser<'_> {
    pub(super) fn doctype(&mut self) {
        let rest = &self.html[self.at..];
        let Some(end) = memchr(b'>', rest.as_bytes()) else {
            // What counts of a declaration that does not end is for html5ever to say.
            self.gave_up = true;
            return;
        };
        let declaration = &rest[..=end];
        self.at += end + 1;
        self.skip_line_feed = false;
        if self.mode == Mode::Initial {
            // The list of old document types that browsers go by is html5ever's.
            self.quirks =
                !declaration.eq_ignore_ascii_case("<!doctype html>") && parse::is_quirky(declaration);
            self.mode = Mode::BeforeHtml;
        }
    }
}
