//! Characters to a tree, within limits.

use std::cell::{Cell, RefCell};

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{LocalName, TokenizerResult, local_name};
use rustc_hash::FxHashMap;

use crate::attributes;
use crate::builder::{Builder, Handle, MAX_ATTRIBUTES};
use crate::page::Limits;
use crate::tree::Tree;
use crate::xml;

/// What a limit took away from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Elements nested deeper than allowed were flattened; their text is kept.
    Depth,
    /// The page has more nodes than allowed; what comes after them was dropped.
    Nodes,
    /// The page has more bytes than allowed; what comes after them was dropped.
    Bytes,
    /// A tag has more attributes than any honest one; those after the first hundreds were dropped.
    Attributes,
}

/// Parses a page that is already characters. Never fails: broken markup is repaired as browsers do.
pub(crate) fn parse(html: &str, limits: &Limits) -> (Tree, Vec<Cut>) {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let guard = Guard {
        inner: TreeBuilder::new(Builder::new(), options),
        limits: *limits,
        xml: xml::is_serialised(html),
        input: BufferQueue::default(),
        fed: Cell::new(0),
        token_end: Cell::new(0),
        dropped: RefCell::default(),
        any_dropped: Cell::new(0),
        too_deep: Cell::new(false),
        too_many: Cell::new(false),
    };
    // Decoding has seen to the byte-order mark; any other U+FEFF is a character.
    let tokenizer = Tokenizer::new(guard, TokenizerOpts { discard_bom: false, ..Default::default() });
    let cut_attributes = feed(&tokenizer, html);
    tokenizer.end();
    let guard = tokenizer.sink;
    let mut cuts = Vec::new();
    if guard.too_deep.get() {
        cuts.push(Cut::Depth);
    }
    if guard.too_many.get() {
        cuts.push(Cut::Nodes);
    }
    if cut_attributes {
        cuts.push(Cut::Attributes);
    }
    (guard.inner.sink.finish(), cuts)
}

/// Whether a document type makes browsers lay a page out as they did before there were standards.
pub(crate) fn is_quirky(declaration: &str) -> bool {
    let builder = TreeBuilder::new(Builder::new(), TreeBuilderOpts::default());
    let tokenizer = Tokenizer::new(builder, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(declaration));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.sink.sink.is_quirky()
}

/// How much the tokenizer gets at a time, in bytes.
const CHUNK: usize = 4096;

/// Tags longer than this, in bytes, are looked at closer: a tag of this length has too few attributes to
/// cost anything.
const LONG_TAG: usize = 1024;

/// Feeds the page to the tokenizer in pieces. The tokenizer compares each attribute of a tag with all
/// before it, so when it stands inside a long tag, the rest of that tag is looked through and attributes
/// beyond [`MAX_ATTRIBUTES`] are kept from it. True when that happened.
fn feed(tokenizer: &Tokenizer<Guard>, html: &str) -> bool {
    let whole = StrTendril::from_slice(html);
    let guard = &tokenizer.sink;
    let mut cut = false;
    let mut at = 0;
    // Up to here the current tag was looked through.
    let mut checked = 0;
    let push = |from: usize, to: usize| {
        if from < to {
            guard.fed.set(to);
            guard.input.push_back(whole.subtendril(from as u32, (to - from) as u32));
            while !matches!(tokenizer.feed(&guard.input), TokenizerResult::Done) {}
        }
    };
    while at < html.len() {
        let next = html.floor_char_boundary((at + CHUNK).min(html.len()));
        push(at, next);
        at = next;
        let start = guard.token_end.get();
        if at - start > LONG_TAG && at > checked {
            let (end, excess) = attributes::look_through(html.as_bytes(), start, at, MAX_ATTRIBUTES);
            checked = end;
            if let Some(excess) = excess {
                cut = true;
                push(at, excess.start);
                at = excess.end;
            }
        }
    }
    cut
}

/// Stands between tokenizer and tree builder and keeps the stack of open elements short: the builder
/// searches that stack on most tags, so unbounded nesting would cost the square of the page.
struct Guard {
    inner: TreeBuilder<Handle, Builder>,
    limits: Limits,
    /// Self-closed elements are empty whatever their name.
    xml: bool,
    /// What the tokenizer reads from: asked where it stands whenever it has a token.
    input: BufferQueue,
    /// How much of the page was put into `input`, and where the last token ended, in bytes.
    fed: Cell<usize>,
    token_end: Cell<usize>,
    /// Start tags that were not let through, so that their end tags are not either.
    dropped: RefCell<FxHashMap<LocalName, usize>>,
    any_dropped: Cell<usize>,
    too_deep: Cell<bool>,
    too_many: Cell<bool>,
}

impl Guard {
    fn note_position(&self) {
        /// The tokenizer may put back this much when a piece ends in the middle of a declaration.
        const PUT_BACK: usize = 8;
        let mut left = self.input.peek_front_chunk_mut().map_or(0, |front| front.len());
        if (1..=PUT_BACK).contains(&left)
            && let Some(front) = self.input.pop_front()
        {
            left += self.input.peek_front_chunk_mut().map_or(0, |second| second.len());
            self.input.push_front(front);
        }
        self.token_end.set(self.fed.get() - left.min(self.fed.get()));
    }

    fn lets_through(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                let deep = self.inner.sink.depth() >= self.limits.depth && !holds_raw_text(&tag.name);
                if deep {
                    self.too_deep.set(true);
                    if !tag.self_closing && !is_void(&tag.name) {
                        *self.dropped.borrow_mut().entry(tag.name.clone()).or_default() += 1;
                        self.any_dropped.set(self.any_dropped.get() + 1);
                    }
                }
                !deep
            }
            TagKind::EndTag => {
                if self.any_dropped.get() > 0
                    && let Some(count) = self.dropped.borrow_mut().get_mut(&tag.name)
                    && *count > 0
                {
                    *count -= 1;
                    self.any_dropped.set(self.any_dropped.get() - 1);
                    return false;
                }
                self.inner.sink.rise();
                true
            }
        }
    }

    /// Whether a tag begins and ends an element of HTML at once, in a page written as XML. Elements of SVG and MathML do
    /// so in every page, and the tree builder knows.
    fn is_whole(&self, tag: &Tag) -> bool {
        self.xml
            && tag.self_closing
            && tag.kind == TagKind::StartTag
            && !is_void(&tag.name)
            && !matches!(tag.name, local_name!("svg") | local_name!("math"))
            && !self.adjusted_current_node_present_but_not_in_html_namespace()
    }

    fn process_whole(&self, mut tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        // The tokenizer would look for the end tag of such an element, and read all up to it as its text.
        if !holds_raw_text(&tag.name) {
            tag.self_closing = false;
            let end = Tag { kind: TagKind::EndTag, attrs: Vec::new(), ..tag.clone() };
            let _ = self.inner.process_token(Token::TagToken(tag), line);
            self.inner.sink.rise();
            let _ = self.inner.process_token(Token::TagToken(end), line);
        }
        TokenSinkResult::Continue
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        self.note_position();
        let pass = match &token {
            Token::EOFToken => true,
            Token::CommentToken(_) => false,
            _ if self.inner.sink.len() >= self.limits.nodes => {
                self.too_many.set(true);
                false
            }
            Token::TagToken(tag) => self.lets_through(tag),
            _ => true,
        };
        match token {
            _ if !pass => TokenSinkResult::Continue,
            Token::TagToken(tag) if self.is_whole(&tag) => self.process_whole(tag, line),
            token => self.inner.process_token(token, line),
        }
    }

    fn end(&self) {
        self.inner.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.inner.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Elements whose content the tokenizer reads differently: dropping their tag would turn code into text.
fn holds_raw_text(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("textarea")
            | local_name!("xmp")
            | local_name!("iframe")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("plaintext")
    )
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}
