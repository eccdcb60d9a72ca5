//! The single-page method: where the main text of a page stands.

use unsite_dom::{NodeId, Tree};

use super::blocks::{Block, blocks};
use super::furniture::furniture;
use super::repeated::without_repeated;

/// The main text of a page: the body of an article without its title, paragraphs on lines of their own. Empty where
/// nothing reads like prose.
///
/// # What it does
/// Splits the page into text blocks; sets aside those in furniture (navigation, comments, share bars, by element and by
/// class name); takes the element whose paragraphs weigh most after its linked text is taken off; and gives its blocks
/// from the first paragraph to the last, without lists of links. A paragraph is a block with enough letters, a mark that
/// ends or parts sentences, and little of it in links.
/// # Assumes
/// The text stands in one element, and paragraphs are longer than labels. Only lengths, marks and links are counted, so
/// the language does not matter; names of classes are English on most pages.
/// # When it fails
/// Teasers of other articles in plain paragraphs beside the text are taken along; texts of short lines (tables of
/// results, poems) are cut at both ends.
/// # Paper
/// None is followed to the letter. Blocks by length and link density: Kohlschütter, Fankhauser, Nejdl, "Boilerplate
/// Detection using Shallow Text Features" (WSDM 2010).
pub fn main_text(tree: &Tree) -> String {
    let blocks = main_blocks(tree);
    joined(&blocks)
}

/// The texts of blocks, each on a line of its own.
pub(super) fn joined(blocks: &[Block]) -> String {
    blocks.iter().map(|block| &*block.text).collect::<Vec<_>>().join("\n")
}

/// The blocks that make up the main text, in document order.
pub(super) fn main_blocks(tree: &Tree) -> Vec<Block<'_>> {
    let mut blocks = blocks(tree);
    let furniture = furniture(tree, &blocks);
    let kept = choose(tree, &blocks, &furniture);
    let mut at = 0;
    blocks.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
    without_repeated(tree, blocks)
}

/// Which blocks are the main text, given those that are furniture; ascending.
fn choose(tree: &Tree, blocks: &[Block], furniture: &[bool]) -> Vec<usize> {
    let Some(container) = container(tree, blocks, furniture) else { return Vec::new() };
    let end = tree.end(container);
    let inside: Vec<usize> = (0..blocks.len())
        .filter(|&at| !furniture[at] && blocks[at].start > container && blocks[at].start < end)
        .collect();
    let is_prose = |&&at: &&usize| reads_like_prose(&blocks[at]);
    let (Some(&first), Some(&last)) = (inside.iter().find(is_prose), inside.iter().rev().find(is_prose))
    else {
        return Vec::new();
    };
    let kept = inside.into_iter().filter(|at| (first..=last).contains(at));
    kept.filter(|&at| belongs(tree, &blocks[at])).collect()
}

/// The element with the most prose against everything else in it.
fn container(tree: &Tree, blocks: &[Block], furniture: &[bool]) -> Option<NodeId> {
    let mut before = vec![0.0; tree.len() + 1];
    for (block, &is_furniture) in blocks.iter().zip(furniture) {
        before[block.start.index() + 1] += match (is_furniture, reads_like_prose(block)) {
            (true, _) => 0.0,
            (false, true) => block.width * (1.0 - block.link_density),
            (false, false) => -block.width * block.link_density,
        };
    }
    for at in 1..before.len() {
        before[at] += before[at - 1];
    }
    let gain = |node: NodeId| before[tree.end(node).index()] - before[node.index()];
    let mut best: Option<(NodeId, f64)> = None;
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        let gain = gain(node);
        if gain > 0.0 && best.is_none_or(|(_, most)| gain >= most) {
            best = Some((node, gain));
        }
    }
    best.map(|(node, _)| node)
}

/// Long enough, with marks of sentences, and not a list of links.
pub(super) fn reads_like_prose(block: &Block) -> bool {
    block.width >= PROSE_WIDTH && block.marks > 0 && block.link_density < PROSE_LINKS
}

/// Whether a block between the first and the last paragraph is part of the text.
fn belongs(tree: &Tree, block: &Block) -> bool {
    let name = tree.name(block.element);
    if reads_like_prose(block) {
        return name != "h1";
    }
    match name {
        "h2" | "h3" | "h4" | "h5" | "h6" => block.link_density < HEADING_LINKS,
        "p" | "li" | "blockquote" | "pre" | "dd" | "dt" | "td" | "th" => block.link_density < SHORT_LINKS,
        "h1" | "button" | "figcaption" | "option" => false,
        _ => block.marks > 0 && block.link_density < SHORT_LINKS,
    }
}

// Chosen on the 99 of 181 labelled articles that an even CRC-32 of the host's last two labels picks, so no site is on
// both sides, by a few values of each.

/// The least width of a paragraph. From 30 to 60 there is little difference.
pub(super) const PROSE_WIDTH: f64 = 45.0;
/// Paragraphs have a smaller share of their text in links.
const PROSE_LINKS: f64 = 0.5;
/// The same for headings between paragraphs; others are teasers. Set by hand.
pub(super) const HEADING_LINKS: f64 = 0.5;
/// The same for short lines between paragraphs.
pub(super) const SHORT_LINKS: f64 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn text(html: &str) -> String {
        main_text(&Tree::parse(html.as_bytes(), None, &Limits::default()).0)
    }

    const FIRST: &str =
        "The harbour was quiet that morning, and nobody on the pier expected the ferry before noon.";
    const SECOND: &str =
        "When it came, half of the town had gathered; the mayor himself held one of the ropes.";

    #[test]
    fn the_article_without_what_frames_it() {
        let page = format!(
            "<body class=has-sidebar><nav><a href=/>Home</a> <a href=/n>News, reports and everything else that we print every day</a></nav>\
             <div id=c><h1>A ferry comes, and the whole town of Larkspur stands at the pier to see it</h1>\
             <div class=byline>By Ann Example, who has written about harbours for more than twenty years now.</div>\
             <p>{FIRST}</p><h2>Noon</h2><div class=share-bar>Share this story with your friends, with everybody you know.</div>\
             <p>{SECOND}</p><ul><li><a href=/1>More</a></ul></div>\
             <div class=comments><p>I was there too, and it was not like that at all, I can tell you.</p></div>\
             <footer>Larkspur Gazette, all rights reserved, printed every day but for the holidays.</footer>"
        );
        assert_eq!(text(&page), format!("{FIRST}\nNoon\n{SECOND}"));
    }

    #[test]
    fn chinese_has_no_spaces_and_is_read_all_the_same() {
        let article = "昨天上午，港口十分安静，码头上没有人想到渡船会在中午之前到达。";
        let page = format!(
            "<div><a href=/>首页</a> <a href=/a>新闻</a></div><div><p>{article}</p><p>{article}</p></div>"
        );
        assert_eq!(text(&page), format!("{article}\n{article}"));
    }

    #[test]
    fn an_odd_name_does_not_lose_the_article() {
        let page = format!("<div class=sidebar><p>{FIRST}<p>{SECOND}</div><p>Short.");
        assert_eq!(text(&page), format!("{FIRST}\n{SECOND}"));
    }

    #[test]
    fn words_are_kept_apart_as_on_the_page() {
        let page = format!("<p>{FIRST}<br>One <b>two</b> <i>three</i>, f<b>ou</b>r.</p>");
        assert_eq!(text(&page), format!("{FIRST}\nOne two three, four."));
    }

    #[test]
    fn a_summary_that_the_text_repeats_is_left_out() {
        let whole = format!("{FIRST} {SECOND}");
        let cut = &whole[..120];
        let page = format!(
            "<section><div class=summary><p>{cut} …</p></div><div class=text><p>{FIRST}</p><p>{SECOND}</p></div></section>"
        );
        assert_eq!(text(&page), format!("{FIRST}\n{SECOND}"));
        let verses = format!("<div><p>{FIRST}</p><p>{SECOND}</p><p>{FIRST}</p></div>");
        assert_eq!(text(&verses), format!("{FIRST}\n{SECOND}\n{FIRST}"));
    }

    #[test]
    fn pages_without_prose_have_no_main_text() {
        assert_eq!(text(""), "");
        assert_eq!(text("<ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul>"), "");
        let deep = "<div>".repeat(3_000) + FIRST;
        assert_eq!(text(&deep), FIRST);
    }
}
