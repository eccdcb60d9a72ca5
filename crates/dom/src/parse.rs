//! Characters to a tree, within limits.

use std::cell::{Cell, RefCell};

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{LocalName, TokenizerResult, local_name};
use rustc_hash::FxHashMap;

use crate::builder::{Builder, Handle};
use crate::page::Limits;
use crate::tree::Tree;

/// What a limit took away from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Elements nested deeper than allowed were flattened; their text is kept.
    Depth,
    /// The page has more nodes than allowed; what comes after them was dropped.
    Nodes,
    /// The page has more bytes than allowed; what comes after them was dropped.
    Bytes,
}

/// Parses a page that is already characters. Never fails: broken markup is repaired as browsers do.
pub(crate) fn parse(html: &str, limits: &Limits) -> (Tree, Vec<Cut>) {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let guard = Guard {
        inner: TreeBuilder::new(Builder::new(), options),
        limits: *limits,
        dropped: RefCell::default(),
        any_dropped: Cell::new(0),
        too_deep: Cell::new(false),
        too_many: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    let guard = tokenizer.sink;
    let mut cuts = Vec::new();
    if guard.too_deep.get() {
        cuts.push(Cut::Depth);
    }
    if guard.too_many.get() {
        cuts.push(Cut::Nodes);
    }
    (guard.inner.sink.finish(), cuts)
}

/// Stands between tokenizer and tree builder and keeps the stack of open elements short: the builder
/// searches that stack on most tags, so unbounded nesting would cost the square of the page.
struct Guard {
    inner: TreeBuilder<Handle, Builder>,
    limits: Limits,
    /// Start tags that were not let through, so that their end tags are not either.
    dropped: RefCell<FxHashMap<LocalName, usize>>,
    any_dropped: Cell<usize>,
    too_deep: Cell<bool>,
    too_many: Cell<bool>,
}

impl Guard {
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
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let pass = match &token {
            Token::EOFToken => true,
            Token::CommentToken(_) | Token::ParseError(_) => false,
            _ if self.inner.sink.len() >= self.limits.nodes => {
                self.too_many.set(true);
                false
            }
            Token::TagToken(tag) => self.lets_through(tag),
            _ => true,
        };
        if pass { self.inner.process_token(token, line) } else { TokenSinkResult::Continue }
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
