//! HTML to a tree, the way browsers do it, for the pages that there are.
//!
//! # What it does
//! Follows the rules of the HTML standard for tokens and tree construction, over the whole text at once. Names are numbers,
//! attributes and texts go straight to where the tree keeps them, and nodes to their final place.
//!
//! # Assumes
//! Pages are as pages are: no zero bytes, no framesets, no formulas, no nesting beyond the limits. Whatever else comes up,
//! [`parse`] gives up and html5ever parses the page from its beginning, so the tree is always the same; tests hold the two
//! against each other on random soup and on real sites.
//!
//! # When it fails
//! Where it gives up late, a page costs its time and that of html5ever.

mod adoption;
mod arena;
mod attributes;
mod body;
mod body_end;
mod doctype;
mod element;
mod entity;
mod foreign;
mod head;
mod key;
mod scan;
mod stack;
mod tables;

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::names::IGNORED;
use crate::page::Limits;
use crate::tree::Tree;
use crate::xml;
use adoption::Formatting;
use arena::{Arena, NONE};
use attributes::{RECENT_NAMES, RECENT_RUNS, Run};
use element::{KINDS, Tag, VOID};
use key::Key;
use scan::Token;
use stack::Open;

/// Parses a page that is already characters; `None` when it is one for html5ever.
pub(crate) fn parse(html: &str, limits: &Limits) -> Option<Tree> {
    if memchr(0, html.as_bytes()).is_some() {
        return None;
    }
    let html = with_line_feeds(html);
    let mut parser = Parser::new(&html, limits);
    parser.run();
    (!parser.gave_up).then(|| parser.arena.finish())
}

/// The page with every end of a line as one line feed.
fn with_line_feeds(html: &str) -> Cow<'_, str> {
    let mut rest = html;
    let mut normal = String::new();
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        if normal.is_empty() {
            normal.reserve(html.len());
        }
        normal.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if !rest.starts_with('\n') {
            normal.push('\n');
        }
    }
    if rest.len() == html.len() {
        return Cow::Borrowed(html);
    }
    normal.push_str(rest);
    Cow::Owned(normal)
}

/// What the rules call the insertion mode: where on the page the parser stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    AfterBody,
    AfterAfterBody,
}

/// Whether a token is done with, or has to be looked at in the mode that is set now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Done,
    Again,
}

struct Parser<'p> {
    html: &'p str,
    at: usize,
    limits: &'p Limits,
    /// Where the name of the last tag stands.
    tag_name: Range<usize>,
    arena: Arena,
    /// What the tree calls each kind of element, once it has one.
    tag_names: [u16; KINDS],
    recent_names: [(Key, u16); RECENT_NAMES],
    recent_runs: [Run; RECENT_RUNS],
    mode: Mode,
    open: Vec<Open>,
    formatting: Vec<Formatting>,
    head: u32,
    form: u32,
    /// Characters in a table, until a tag shows what to do with them.
    table_text: String,
    foster: bool,
    frameset_ok: bool,
    quirks: bool,
    skip_line_feed: bool,
    /// Whether the page was written as XML, once somebody asked.
    is_xml: Option<bool>,
    /// How many open elements were closed from the middle: so much deeper than the stack is high can a node stand.
    closed_inside: usize,
    gave_up: bool,
}

const NO_NAME: u16 = u16::MAX;

impl<'p> Parser<'p> {
    fn new(html: &'p str, limits: &'p Limits) -> Self {
        Parser {
            html,
            at: 0,
            limits,
            tag_name: 0..0,
            arena: Arena::new(html.len()),
            tag_names: [NO_NAME; KINDS],
            recent_names: [(Key::default(), 0); RECENT_NAMES],
            recent_runs: [Run::default(); RECENT_RUNS],
            mode: Mode::Initial,
            open: Vec::with_capacity(32),
            formatting: Vec::new(),
            head: NONE,
            form: NONE,
            table_text: String::new(),
            foster: false,
            frameset_ok: true,
            quirks: false,
            skip_line_feed: false,
            is_xml: None,
            closed_inside: 0,
            gave_up: false,
        }
    }

    fn run(&mut self) {
        let html = self.html;
        while self.at < html.len() && !self.gave_up {
            let rest = &html.as_bytes()[self.at..];
            match rest[0] {
                b'<' => self.markup(&rest[1..]),
                b'&' => self.reference(),
                _ => {
                    let length = memchr2(b'<', b'&', rest).unwrap_or(rest.len());
                    let text = &html[self.at..self.at + length];
                    self.at += length;
                    self.characters(text);
                }
            }
        }
        self.end_of_page();
    }

    /// Everything that begins with `<`; `rest` is what follows.
    fn markup(&mut self, rest: &[u8]) {
        match rest {
            [b'a'..=b'z' | b'A'..=b'Z', ..] => match self.read_tag(1, false) {
                Some(token) => self.start_tag(token),
                None => self.at = self.html.len(),
            },
            [b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => match self.read_tag(2, true) {
                Some(token) => self.end_tag(token),
                None => self.at = self.html.len(),
            },
            [b'/', b'>', ..] => self.at += 3,
            [b'!', b'-', b'-', ..] => self.skip_comment(),
            [b'!', rest @ ..] if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) => {
                self.doctype();
            }
            [b'!', b'[', ..] if self.in_foreign() => self.gave_up = true,
            [b'/', _, ..] | [b'!' | b'?', ..] => self.skip_declaration(),
            _ => {
                self.at += 1;
                self.characters("<");
            }
        }
    }

    fn reference(&mut self) {
        let rest = &self.html[self.at..];
        match entity::read(rest, false) {
            Some((chars, length)) => {
                self.at += length;
                self.characters(entity::encode(chars, &mut [0; 8]));
            }
            None => {
                self.at += 1;
                self.characters("&");
            }
        }
    }

    fn start_tag(&mut self, token: Token) {
        self.before_tag();
        if token.self_closing && self.is_whole_element(&token) {
            self.gave_up = true;
            return;
        }
        loop {
            let next =
                if self.is_foreign_tag(true) { self.foreign_start(token) } else { self.start_in_mode(token) };
            if next == Next::Done || self.gave_up {
                return;
            }
        }
    }

    fn start_in_mode(&mut self, token: Token) -> Next {
        match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => self.start_before_head(token),
            Mode::InHead => self.start_in_head(token),
            Mode::InHeadNoscript => self.start_in_noscript(token),
            Mode::AfterHead => self.start_after_head(token),
            Mode::InBody => self.start_in_body(token),
            Mode::InTable => self.start_in_table(token),
            Mode::InCaption => self.start_in_caption(token),
            Mode::InColumnGroup => self.start_in_columns(token),
            Mode::InTableBody => self.start_in_rows(token),
            Mode::InRow => self.start_in_row(token),
            Mode::InCell => self.start_in_cell(token),
            Mode::AfterBody | Mode::AfterAfterBody => match token.tag {
                Tag::Html => self.start_in_body(token),
                _ => self.again_in(Mode::InBody),
            },
        }
    }

    fn end_tag(&mut self, token: Token) {
        self.before_tag();
        loop {
            let next =
                if self.is_foreign_tag(false) { self.foreign_end(token) } else { self.end_in_mode(token) };
            if next == Next::Done || self.gave_up {
                return;
            }
        }
    }

    fn end_in_mode(&mut self, token: Token) -> Next {
        match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => self.end_before_head(token),
            Mode::InHead => self.end_in_head(token),
            Mode::InHeadNoscript => self.end_in_noscript(token),
            Mode::AfterHead => self.end_after_head(token),
            Mode::InBody => self.end_in_body(token),
            Mode::InTable => self.end_in_table(token),
            Mode::InCaption => self.end_in_caption(token),
            Mode::InColumnGroup => self.end_in_columns(token),
            Mode::InTableBody => self.end_in_rows(token),
            Mode::InRow => self.end_in_row(token),
            Mode::InCell => self.end_in_cell(token),
            Mode::AfterBody if token.tag == Tag::Html => {
                self.mode = Mode::AfterAfterBody;
                Next::Done
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.again_in(Mode::InBody),
        }
    }

    /// What any tag ends.
    fn before_tag(&mut self) {
        self.skip_line_feed = false;
        if !self.table_text.is_empty() {
            self.end_table_text();
        }
        self.gave_up |= self.arena.len() >= self.limits.nodes
            || self.open.len() + self.closed_inside + 1 >= self.limits.depth
            || self.formatting.len() > adoption::MOST
            || self.arena.moved > self.html.len();
    }

    /// Self-closed elements are whole in a page written as XML, which is none for this parser.
    fn is_whole_element(&mut self, token: &Token) -> bool {
        let may_have_content = !token.tag.has(VOID) && !matches!(token.tag, Tag::Svg | Tag::Math);
        may_have_content
            && !self.in_foreign()
            && *self.is_xml.get_or_insert_with(|| xml::is_serialised(self.html))
    }

    fn characters(&mut self, mut text: &str) {
        if std::mem::take(&mut self.skip_line_feed) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        while !text.is_empty() && !self.gave_up {
            match self.mode {
                _ if self.is_foreign_text() => {
                    self.note_characters(text);
                    return self.append_text(text);
                }
                Mode::InBody | Mode::InCaption | Mode::InCell => return self.text_in_body(text),
                Mode::InTable | Mode::InTableBody | Mode::InRow => return self.text_in_table(text),
                _ => {
                    let spaces =
                        text.len() - text.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
                    if spaces > 0 {
                        self.space(&text[..spaces]);
                        text = &text[spaces..];
                    } else {
                        self.leave_mode();
                    }
                }
            }
        }
    }

    /// White space outside of a body.
    fn space(&mut self, text: &str) {
        match self.mode {
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead | Mode::InColumnGroup => {
                self.append_text(text);
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.text_in_body(text),
            _ => {}
        }
    }

    /// Something came up that the mode has no place for: the elements that must come before it are there without tags.
    fn leave_mode(&mut self) -> Next {
        match self.mode {
            Mode::Initial => {
                self.quirks = true;
                self.mode = Mode::BeforeHtml;
            }
            Mode::BeforeHtml => {
                self.insert_root((0, 0));
                self.mode = Mode::BeforeHead;
            }
            Mode::BeforeHead => {
                self.head = self.insert_unwritten(Tag::Head);
                self.mode = Mode::InHead;
            }
            Mode::InHead => {
                self.open.pop();
                self.mode = Mode::AfterHead;
            }
            Mode::InHeadNoscript => {
                self.open.pop();
                self.mode = Mode::InHead;
            }
            Mode::AfterHead => {
                self.insert_unwritten(Tag::Body);
                self.mode = Mode::InBody;
            }
            Mode::InColumnGroup => {
                self.open.pop();
                self.mode = Mode::InTable;
            }
            _ => self.mode = Mode::InBody,
        }
        Next::Again
    }

    fn again_in(&mut self, mode: Mode) -> Next {
        self.mode = mode;
        Next::Again
    }

    fn end_of_page(&mut self) {
        self.end_table_text();
        while matches!(
            self.mode,
            Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead
        ) {
            self.leave_mode();
        }
    }

    fn intern(&mut self, name: &str) -> u16 {
        let id = self.arena.names.intern(name);
        self.gave_up |= id >= IGNORED;
        id
    }

    fn name_of(&mut self, tag: Tag) -> u16 {
        let known = self.tag_names[tag as usize];
        if known != NO_NAME {
            return known;
        }
        let name = self.intern(tag.name());
        self.tag_names[tag as usize] = name;
        name
    }
}
