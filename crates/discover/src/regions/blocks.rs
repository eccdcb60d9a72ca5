//! A page as a row of text blocks.

use unsite_dom::{NodeId, Tree, collapse};

/// A run of text that no block element interrupts.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The block element that it stands in.
    pub element: NodeId,
    /// Its first text node.
    pub start: NodeId,
    /// All its text nodes.
    pub texts: Vec<NodeId>,
    /// What it says; forced line breaks are kept.
    pub text: String,
    /// How long it is for a reader, see [`width`].
    pub width: f64,
    /// The share of that inside links.
    pub link_density: f64,
    /// Marks that end or part sentences.
    pub marks: usize,
}

/// The visible text blocks in document order. All text is taken where none is visible: some pages show themselves
/// by script.
pub(super) fn blocks(tree: &Tree) -> Vec<Block> {
    let visible = collect(tree, false);
    if visible.is_empty() { collect(tree, true) } else { visible }
}

fn collect(tree: &Tree, hidden_too: bool) -> Vec<Block> {
    let surroundings = surroundings(tree);
    let mut blocks: Vec<Block> = Vec::new();
    let (mut raw, mut linked) = (String::new(), 0.0);
    let mut last: Option<NodeId> = None;
    for text in tree.texts().filter(|text| hidden_too || !text.hidden) {
        let here = surroundings[text.node.index()];
        let same = blocks.last().is_some_and(|block| block.element == here.element);
        if !same {
            finish(&mut blocks, &raw, linked);
            (raw, linked) = (String::new(), 0.0);
            blocks.push(Block {
                element: here.element,
                start: text.node,
                texts: Vec::new(),
                text: String::new(),
                width: 0.0,
                link_density: 0.0,
                marks: 0,
            });
        } else if let Some(last) = last {
            // Breaks and blanks between two texts are what keeps their words apart.
            for between in (last.0 + 1..text.node.0).map(NodeId) {
                match tree.name(between) {
                    "br" => raw.push('\n'),
                    _ if tree.is_text(between) => raw.push(' '),
                    _ => {}
                }
            }
        }
        raw.push_str(&tree.text(text.node).replace('\n', " "));
        linked += if here.linked { width(&text.text) } else { 0.0 };
        last = Some(text.node);
        if let Some(block) = blocks.last_mut() {
            block.texts.push(text.node);
        }
    }
    finish(&mut blocks, &raw, linked);
    blocks.retain(|block| block.width > 0.0);
    blocks
}

fn finish(blocks: &mut [Block], raw: &str, linked: f64) {
    let Some(block) = blocks.last_mut() else { return };
    let lines = raw.split('\n').map(collapse).filter(|line| !line.is_empty());
    block.text = lines.collect::<Vec<_>>().join("\n");
    block.width = width(&block.text);
    block.link_density = if block.width > 0.0 { linked / block.width } else { 0.0 };
    block.marks = block.text.chars().filter(|&c| is_mark(c)).count();
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
    let mut all: Vec<Surrounding> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let mut here = Surrounding { element: NodeId::DOCUMENT, linked: false };
        if let Some(parent) = tree.parent(node) {
            here = all[parent.index()];
            here.linked |= tree.name(node) == "a";
            if is_block(tree.name(node)) {
                here.element = node;
            }
        }
        all.push(here);
    }
    all
}

/// Letters and digits, where a letter of a script that writes words with one or two characters counts for more.
pub(super) fn width(text: &str) -> f64 {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_dense(c) { DENSE_WIDTH } else { 1.0 }).sum()
}

/// How many letters of an alphabet say as much as one Chinese character. Set by hand: few labelled articles have any.
const DENSE_WIDTH: f64 = 2.5;

fn is_dense(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '…'
            | '。'
            | '，'
            | '、'
            | '；'
            | '：'
            | '！'
            | '？'
            | '।'
            | '،'
            | '؛'
            | '؟'
            | '۔'
    )
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
