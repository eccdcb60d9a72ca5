//! A page as a row of text blocks.

use std::borrow::Cow;

use unsite_dom::{NodeId, Tree, collapse, count_bytes};

use super::page_texts::PageTexts;

/// A run of text that no block element interrupts.
#[derive(Debug, Clone)]
pub(super) struct Block<'t> {
    /// The block element that it stands in.
    pub element: NodeId,
    /// Its first text node.
    pub start: NodeId,
    /// All its text nodes.
    pub texts: Vec<NodeId>,
    /// What it says; forced line breaks are kept.
    pub text: Cow<'t, str>,
    /// How long it is for a reader, see [`width`].
    pub width: f64,
    /// The share of that inside links.
    pub link_density: f64,
    /// Marks that end or part sentences.
    pub marks: usize,
    /// A word may reach over the end of one of its texts: `f<b>ou</b>r`.
    pub is_glued: bool,
}

/// The visible text blocks in document order. All text is taken where none is visible: some pages show themselves
/// by script.
pub(super) fn blocks(tree: &Tree) -> Vec<Block<'_>> {
    let visible = collect(tree, tree.visible_texts());
    if visible.is_empty() { all_blocks(tree) } else { visible }
}

/// [`blocks`] of a page whose texts were read before.
pub(super) fn blocks_of<'t>(page: &PageTexts<'t>) -> Vec<Block<'t>> {
    let visible = collect(page.tree, page.texts.iter().map(|text| (text.node, text.text.clone())));
    if visible.is_empty() { all_blocks(page.tree) } else { visible }
}

fn all_blocks(tree: &Tree) -> Vec<Block<'_>> {
    collect(tree, tree.texts().map(|text| (text.node, text.text)))
}

fn collect<'t>(tree: &'t Tree, texts: impl Iterator<Item = (NodeId, Cow<'t, str>)>) -> Vec<Block<'t>> {
    let surroundings = surroundings(tree);
    let mut blocks: Vec<Block> = Vec::new();
    // The text of the last block as it stands, where it has several text nodes; and how much of it is linked.
    let (mut raw, mut linked) = (String::new(), 0.0);
    for (node, text) in texts {
        let here = surroundings[node.index()];
        let text_width = if here.linked { width(&text) } else { 0.0 };
        let Some(block) = blocks.last_mut().filter(|block| block.element == here.element) else {
            if let Some(block) = blocks.last_mut() {
                finish(block, &raw, linked);
            }
            raw.clear();
            linked = text_width;
            blocks.push(Block {
                element: here.element,
                start: node,
                texts: vec![node],
                text,
                width: 0.0,
                link_density: 0.0,
                marks: 0,
                is_glued: false,
            });
            continue;
        };
        if let [only] = block.texts[..] {
            push_line(&mut raw, tree.text(only));
        }
        // Breaks and blanks between two texts are what keeps their words apart.
        let last = block.texts.last().map_or(node, |last| *last);
        for between in (last.0 + 1..node.0).map(NodeId) {
            match tree.name(between) {
                "br" => raw.push('\n'),
                _ if tree.is_text(between) => raw.push(' '),
                _ => {}
            }
        }
        let own = tree.text(node);
        let is_apart = raw.ends_with(char::is_whitespace) || own.starts_with(char::is_whitespace);
        // A mark outside ASCII may belong to the space before it.
        block.is_glued |= !is_apart || !text.starts_with(|c: char| c.is_ascii());
        push_line(&mut raw, own);
        linked += text_width;
        block.texts.push(node);
    }
    if let Some(block) = blocks.last_mut() {
        finish(block, &raw, linked);
    }
    blocks.retain(|block| block.width > 0.0);
    blocks
}

/// Adds a text; its line breaks are mere blanks.
fn push_line(raw: &mut String, text: &str) {
    let mut lines = text.split('\n');
    raw.push_str(lines.next().unwrap_or_default());
    for line in lines {
        raw.push(' ');
        raw.push_str(line);
    }
}

fn finish(block: &mut Block, raw: &str, linked: f64) {
    if block.texts.len() > 1 {
        let mut text = String::with_capacity(raw.len());
        for line in raw.split('\n').map(collapse).filter(|line| !line.is_empty()) {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&line);
        }
        block.text = Cow::Owned(text);
    }
    block.width = width(&block.text);
    block.link_density = if block.width > 0.0 { linked / block.width } else { 0.0 };
    block.marks = match block.text.is_ascii() {
        true => count_bytes(&block.text, is_ascii_mark),
        false => block.text.chars().filter(|&c| is_mark(c)).count(),
    };
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Surrounding {
    /// The innermost block element around it.
    element: NodeId,
    /// Inside a link.
    linked: bool,
}

fn surroundings(tree: &Tree) -> Vec<Surrounding> {
    let kinds = tree.by_name(|name| (name == "a", is_block(name)));
    let mut all: Vec<Surrounding> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let mut here = Surrounding { element: NodeId::DOCUMENT, linked: false };
        if let Some(parent) = tree.parent(node) {
            let (is_link, is_block) = kinds.of(node);
            here = all[parent.index()];
            here.linked |= is_link;
            if is_block {
                here.element = node;
            }
        }
        all.push(here);
    }
    all
}

/// Letters and digits, where a letter of a script that writes words with one or two characters counts for more.
pub(super) fn width(text: &str) -> f64 {
    if text.is_ascii() {
        return count_bytes(text, |byte| byte.is_ascii_alphanumeric()) as f64;
    }
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_dense(c) { DENSE_WIDTH } else { 1.0 }).sum()
}

/// How many letters of an alphabet say as much as one Chinese character. Set by hand: few labelled articles have any.
const DENSE_WIDTH: f64 = 2.5;

fn is_dense(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_ascii_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?')
}

fn is_mark(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => is_ascii_mark(byte),
        _ => {
            matches!(c, '…' | '。' | '，' | '、' | '；' | '：' | '！' | '？' | '।' | '،' | '؛' | '؟' | '۔')
        }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "html"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "select"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "button"
            | "legend"
            | "noscript"
            | "option"
    )
}
