//! The main text of pages whose kind is known: where the body stands, and which lines of it are template.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Terms, Tree};

use super::blocks::Block;
use super::lines::{Cut, Line};
use super::main_text::{HEADING_LINKS, SHORT_LINKS, joined, main_blocks, reads_like_prose};
use super::markdown::markdown;
use super::page_texts::PageTexts;
use super::repeated::without_repeated;
use super::samples::samples;
use crate::site::Site;

/// Fewer pages say too little: each is then read by itself.
const FEWEST: usize = 4;

/// A word on this share of the pages belongs to the template or to the language, not to one text.
const COMMON: f64 = 0.5;

/// A line whose common words recur in the same order on this share of the pages is template: `Reviewed by ... on ...`.
const RECURRING: f64 = 0.3;

/// Where the texts of one page type stand.
///
/// # What it does
/// Cuts pages into text blocks as [`main_text`] does. Over all pages it sums, for each path of elements, the width of the prose
/// below it that is not template, less the linked text; the path with the most is the body's. On a page the text is everything
/// at that path but furniture, lists of links, the title, and template lines: those that stand there on many pages word by word,
/// or with the same common words in the same order, numbers aside.
/// # Assumes
/// Bodies stand at one path, and differ from page to page. Then short ones are found as surely as long ones.
/// # When it fails
/// Where the path is missing on a page, or nothing is left, the page is read by itself.
/// # Paper
/// InfoDiscoverer's redundancy within a page set, carried from blocks to lines; the sum over paths is ours.
#[derive(Debug, Default)]
pub struct TypeText {
    body: Option<u64>,
    template: FxHashSet<u64>,
    common: FxHashSet<u64>,
}

impl TypeText {
    /// Learns from pages of one type.
    pub fn learn(pages: &[&Tree], terms: &Terms) -> Self {
        if pages.len() < FEWEST {
            return TypeText::default();
        }
        let mut cut: Vec<Cut> =
            pages.par_iter().map(|tree| Cut::of(&PageTexts::of(tree, terms), terms)).collect();
        TypeText::learn_cut(&mut cut.iter_mut().collect::<Vec<_>>())
    }

    /// The same from pages that were cut before.
    pub(super) fn learn_cut(pages: &mut [&mut Cut]) -> Self {
        if pages.len() < FEWEST {
            return TypeText::default();
        }
        let least = |share: f64| (share * pages.len() as f64).ceil() as u32;
        let (often, recurring) = (least(COMMON), least(RECURRING).max(2));
        let common = on_many(pages.iter().map(|page| page.words.iter().copied()), often);
        pages.par_iter_mut().for_each(|page| page.draw_lines(&common));
        let lines = pages.iter().map(|page| page.lines.iter().flat_map(Line::hashes));
        let template = on_many(lines, recurring);
        let mut learned = TypeText { body: None, template, common };
        let gains: Vec<Vec<(u64, f64)>> = pages.par_iter().map(|page| learned.gains(page)).collect();
        // Paths in document order of their first page, so that equal sums go to the deeper one.
        let mut order: Vec<u64> = Vec::new();
        let mut sums: FxHashMap<u64, f64> = FxHashMap::default();
        for (path, gain) in gains.into_iter().flatten() {
            *sums.entry(path).or_insert_with(|| {
                order.push(path);
                0.0
            }) += gain;
        }
        let best = order.into_iter().map(|path| (path, sums[&path])).filter(|(_, gain)| *gain > 0.0);
        learned.body =
            best.reduce(|best, other| if other.1 >= best.1 { other } else { best }).map(|(path, _)| path);
        learned
    }

    /// The main text of a page of this type, paragraphs on lines of their own.
    pub fn main_text(&self, tree: &Tree, terms: &Terms) -> String {
        joined(&self.blocks(tree, terms))
    }

    /// The main text of a page of this type as Markdown. `page_url` makes links absolute.
    pub fn main_markdown(&self, tree: &Tree, page_url: &str, terms: &Terms) -> String {
        markdown(tree, page_url, &self.blocks(tree, terms))
    }

    /// The blocks that make up the main text, in document order.
    fn blocks<'t>(&self, tree: &'t Tree, terms: &Terms) -> Vec<Block<'t>> {
        match self.body {
            Some(_) => self.blocks_of(Cut::of(&PageTexts::of(tree, terms), terms)),
            None => main_blocks(tree),
        }
    }

    /// The same of a page that was cut before.
    pub(super) fn blocks_of<'t>(&self, cut: Cut<'t>) -> Vec<Block<'t>> {
        let tree = cut.tree;
        let found = self.body.map(|path| self.blocks_at(path, cut)).unwrap_or_default();
        if found.is_empty() { main_blocks(tree) } else { found }
    }

    fn blocks_at<'t>(&self, path: u64, mut cut: Cut<'t>) -> Vec<Block<'t>> {
        let tree = cut.tree;
        if cut.lines.is_empty() {
            cut.draw_lines(&self.common);
        }
        let gain = self.gain_before(&cut);
        let at_path = tree.nodes().filter(|node| cut.paths[node.index()] == path && tree.is_element(*node));
        let of = |node: &NodeId| gain[tree.end(*node).index()] - gain[node.index()];
        let Some(body) = at_path.reduce(|best, node| if of(&node) > of(&best) { node } else { best }) else {
            return Vec::new();
        };
        let kept = std::mem::take(&mut cut.blocks).into_iter().enumerate().filter(|(at, block)| {
            let inside = block.start > body && block.start < tree.end(body);
            inside && !cut.furniture[*at] && !self.is_template(&cut.lines[*at]) && is_text(tree, block)
        });
        without_repeated(tree, kept.map(|(_, block)| block).collect())
    }

    fn is_template(&self, line: &Line) -> bool {
        line.hashes().any(|hash| self.template.contains(&hash))
    }

    /// For every path of elements on a page what its best element gains there, in document order of the first.
    fn gains(&self, cut: &Cut) -> Vec<(u64, f64)> {
        let (tree, paths) = (cut.tree, &cut.paths);
        let before = self.gain_before(cut);
        let elements = tree.nodes().filter(|&node| tree.is_element(node));
        let gain = |node: NodeId| before[tree.end(node).index()] - before[node.index()];
        let mut found: Vec<(u64, f64)> = Vec::new();
        let mut place: FxHashMap<u64, usize> = FxHashMap::default();
        for node in elements.filter(|&node| gain(node) != 0.0) {
            let at = *place.entry(paths[node.index()]).or_insert(found.len());
            match found.get_mut(at) {
                Some((_, best)) => *best = best.max(gain(node)),
                None => found.push((paths[node.index()], gain(node))),
            }
        }
        found
    }

    /// The gain of all blocks that begin before each node.
    fn gain_before(&self, cut: &Cut) -> Vec<f64> {
        let tree = cut.tree;
        let mut before = vec![0.0; tree.len() + 1];
        for (at, (block, line)) in cut.blocks.iter().zip(&cut.lines).enumerate() {
            let is_heading = matches!(tree.name(block.element), "h1" | "h2" | "h3");
            if cut.furniture[at] || is_heading || self.is_template(line) {
                continue;
            }
            let share = line.own as f64 / line.words.max(1) as f64;
            before[block.start.index() + 1] += match reads_like_prose(block) || block.marks > 0 {
                true => block.width * (1.0 - block.link_density) * share,
                false => -block.width * block.link_density,
            };
        }
        for at in 1..before.len() {
            before[at] += before[at - 1];
        }
        before
    }
}

/// Learns the texts of all types of a site; one for each.
pub fn type_texts(site: &Site, type_of: &[usize], count: usize) -> Vec<TypeText> {
    let terms = Terms::shared();
    samples(type_of, count)
        .into_par_iter()
        .map(|sample| {
            TypeText::learn(&sample.iter().map(|&page| &site.pages[page].tree).collect::<Vec<_>>(), terms)
        })
        .collect()
}

/// What stands on at least so many of the pages.
fn on_many(pages: impl Iterator<Item = impl Iterator<Item = u64>>, least: u32) -> FxHashSet<u64> {
    // On how many pages, and the last of them.
    let mut counts: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
    for (page, items) in (1u32..).zip(pages) {
        for item in items {
            let (count, last) = counts.entry(item).or_default();
            *count += u32::from(*last != page);
            *last = page;
        }
    }
    counts.into_iter().filter(|(_, (count, _))| *count >= least).map(|(item, _)| item).collect()
}

/// Whether a block of the body is part of the text: no title, no list of links, nothing that is pressed.
fn is_text(tree: &Tree, block: &Block) -> bool {
    match tree.name(block.element) {
        "h1" | "button" | "figcaption" | "option" => false,
        "h2" | "h3" | "h4" | "h5" | "h6" => block.link_density < HEADING_LINKS,
        _ => block.link_density < SHORT_LINKS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn short_bodies_are_found_where_the_long_ones_stand() {
        let words = ["oak", "ash", "elm", "yew", "fir", "box"];
        let page = |body: &str, name: &str| {
            let html = format!(
                "<nav><a href=/>Home</a></nav><main><h1>About {name}, and what it is good for in a garden of today</h1>\
                 <p class=by>Reviewed by {name} Smith on 15 November 2026 at noon, a permanent link.</p>\
                 <div class=text><p>{body}</p><p>All rights to this text are reserved by the authors, says the lawyer.</p></div></main>"
            );
            Tree::parse(html.as_bytes(), None, &Limits::default()).0
        };
        let long = |name: &str| {
            (0..12)
                .map(|at| format!("{name}{at} grows, {name}{} does not.", at + 20))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut pages: Vec<Tree> = words.iter().map(|name| page(&long(name), name)).collect();
        pages.push(page("Good wood.", "larch"));
        let terms = Terms::new();
        let learned = TypeText::learn(&pages.iter().collect::<Vec<_>>(), &terms);
        assert_eq!(learned.main_text(&pages[6], &terms), "Good wood.");
        let text = learned.main_text(&pages[0], &terms);
        assert!(text.contains(&long("oak")) && !text.contains("Home"), "{text}");
    }

    #[test]
    fn few_pages_are_read_one_by_one() {
        let text =
            "The harbour was quiet that morning, and nobody on the pier expected the ferry before noon.";
        let page = Tree::parse(format!("<p>{text}</p>").as_bytes(), None, &Limits::default()).0;
        let terms = Terms::new();
        assert_eq!(TypeText::learn(&[&page], &terms).main_text(&page, &terms), text);
        let empty = Tree::parse(b"", None, &Limits::default()).0;
        assert_eq!(TypeText::learn(&[], &terms).main_text(&empty, &terms), "");
    }
}
