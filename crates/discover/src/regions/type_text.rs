//! The main text of pages whose kind is known: where the body stands, and which lines of it are template.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Terms, Tree};
use xxhash_rust::xxh3::xxh3_64;

use super::blocks::{Block, blocks};
use super::furniture::furniture;
use super::main_text::{HEADING_LINKS, SHORT_LINKS, main_blocks, reads_like_prose};
use super::markdown::markdown;
use super::repeated::without_repeated;
use super::site_regions::spread;
use crate::site::Site;

/// Pages of a type that are learned from.
const LEARNED_FROM: usize = 40;

/// Fewer pages say too little: each is then read by itself.
const FEWEST: usize = 4;

/// A word on this share of the pages belongs to the template or to the language, not to one text.
const COMMON: f64 = 0.5;

/// A line whose common words recur in the same order on this share of the pages is template: `Reviewed by ... on ...`.
const RECURRING: f64 = 0.3;

/// A line is looked up by its common words when it has at least so many; fewer recur by chance.
const TELLING: usize = 2;

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
        let cut: Vec<Cut> = pages.par_iter().map(|tree| Cut::of(tree, terms)).collect();
        let least = |share: f64| (share * pages.len() as f64).ceil() as usize;
        let words = cut.iter().map(|page| page.words.iter().flatten().copied().collect());
        let common = on_many(words, least(COMMON));
        let lines = cut.iter().map(|page| page.lines(&common).into_iter().flatten().collect());
        let template = on_many(lines, least(RECURRING).max(2));
        let mut learned = TypeText { body: None, template, common };
        let gains: Vec<Vec<(u64, f64)>> =
            pages.par_iter().zip(&cut).map(|(tree, cut)| learned.gains(tree, cut)).collect();
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
        let blocks = self.blocks(tree, terms);
        blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The main text of a page of this type as Markdown. `page_url` makes links absolute.
    pub fn main_markdown(&self, tree: &Tree, page_url: &str, terms: &Terms) -> String {
        markdown(tree, page_url, &self.blocks(tree, terms))
    }

    /// The text nodes of the main text, ascending.
    pub(super) fn text_nodes(&self, tree: &Tree, terms: &Terms) -> Vec<NodeId> {
        self.blocks(tree, terms).into_iter().flat_map(|block| block.texts).collect()
    }

    /// The blocks that make up the main text, in document order.
    fn blocks(&self, tree: &Tree, terms: &Terms) -> Vec<Block> {
        let found = self.body.map(|path| self.blocks_at(path, tree, terms)).unwrap_or_default();
        if found.is_empty() { main_blocks(tree) } else { found }
    }

    fn blocks_at(&self, path: u64, tree: &Tree, terms: &Terms) -> Vec<Block> {
        let mut cut = Cut::of(tree, terms);
        let paths = paths(tree);
        let gain = self.gain_before(tree, &cut);
        let at_path = tree.nodes().filter(|node| paths[node.index()] == path && tree.is_element(*node));
        let of = |node: &NodeId| gain[tree.end(*node).index()] - gain[node.index()];
        let Some(body) = at_path.reduce(|best, node| if of(&node) > of(&best) { node } else { best }) else {
            return Vec::new();
        };
        let lines = cut.lines(&self.common);
        let kept = std::mem::take(&mut cut.blocks).into_iter().enumerate().filter(|(at, block)| {
            let inside = block.start > body && block.start < tree.end(body);
            let is_template = lines[*at].iter().any(|line| self.template.contains(line));
            inside && !cut.furniture[*at] && !is_template && is_text(tree, block)
        });
        without_repeated(tree, kept.map(|(_, block)| block).collect())
    }

    /// For every path of elements on a page what its best element gains there, in document order of the first.
    fn gains(&self, tree: &Tree, cut: &Cut) -> Vec<(u64, f64)> {
        let before = self.gain_before(tree, cut);
        let paths = paths(tree);
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
    fn gain_before(&self, tree: &Tree, cut: &Cut) -> Vec<f64> {
        let mut before = vec![0.0; tree.len() + 1];
        let lines = cut.lines(&self.common);
        for (at, block) in cut.blocks.iter().enumerate() {
            let is_heading = matches!(tree.name(block.element), "h1" | "h2" | "h3");
            let is_template = lines[at].iter().any(|line| self.template.contains(line));
            if cut.furniture[at] || is_template || is_heading {
                continue;
            }
            let own = cut.words[at].iter().filter(|word| !self.common.contains(word)).count();
            let share = own as f64 / cut.words[at].len().max(1) as f64;
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
    let terms = Terms::new();
    (0..count)
        .into_par_iter()
        .map(|at| {
            let members: Vec<usize> = (0..type_of.len()).filter(|&page| type_of[page] == at).collect();
            let sample = spread(&members, LEARNED_FROM);
            TypeText::learn(&sample.iter().map(|&page| &site.pages[page].tree).collect::<Vec<_>>(), &terms)
        })
        .collect()
}

/// The text blocks of a page with their words.
struct Cut {
    blocks: Vec<Block>,
    furniture: Vec<bool>,
    /// By block: the hashes of its words in lower case, see [`word_hash`].
    words: Vec<Vec<u64>>,
    /// By block: a hash of the path of its element.
    places: Vec<u64>,
}

impl Cut {
    fn of(tree: &Tree, terms: &Terms) -> Self {
        let blocks = blocks(tree);
        let furniture = furniture(tree, &blocks);
        let paths = paths(tree);
        let words = blocks
            .iter()
            .map(|block| {
                let mut words = Vec::new();
                terms.words(&block.text, |word| words.push(word_hash(word)));
                words
            })
            .collect();
        let places = blocks.iter().map(|block| paths[block.element.index()]).collect();
        Cut { blocks, furniture, words, places }
    }

    /// By block: the hashes under which it is known if it is template. Its words at its place; and its common words there,
    /// without numbers: dates, times and counts differ where the words around them stay.
    fn lines(&self, common: &FxHashSet<u64>) -> Vec<Vec<u64>> {
        let line = |(words, place): (&Vec<u64>, &u64)| {
            let mut known = vec![combined(*place, words.iter())];
            let telling: Vec<&u64> =
                words.iter().filter(|word| common.contains(word) && !is_number(**word)).collect();
            let numbers = words.iter().filter(|word| is_number(**word)).count();
            if telling.len() >= TELLING && 2 * telling.len() > words.len() - numbers {
                known.push(combined(!*place, telling.into_iter()));
            }
            known
        };
        self.words.iter().zip(&self.places).map(line).collect()
    }
}

/// The hash of a word in lower case; an odd one when it has a digit.
fn word_hash(word: &str) -> u64 {
    let is_number = word.chars().any(char::is_numeric);
    xxh3_64(word.to_lowercase().as_bytes()) & !1 | u64::from(is_number)
}

fn is_number(hash: u64) -> bool {
    hash & 1 == 1
}

fn combined<'w>(place: u64, words: impl Iterator<Item = &'w u64>) -> u64 {
    words.fold(place, |hash, word| hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word)
}

/// What stands on at least so many of the pages.
fn on_many(pages: impl Iterator<Item = FxHashSet<u64>>, least: usize) -> FxHashSet<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for page in pages {
        page.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
    }
    counts.into_iter().filter(|(_, count)| *count >= least).map(|(item, _)| item).collect()
}

/// The path of every node as a hash: tags with their first class, if that has no digit (those are ids in disguise).
fn paths(tree: &Tree) -> Vec<u64> {
    tree.fold_paths(|node| {
        let class = tree.attr(node, "class").and_then(|names| names.split_whitespace().next());
        let class = class.filter(|name| !name.bytes().any(|b| b.is_ascii_digit())).unwrap_or_default();
        xxh3_64(format!("{} {class}", tree.name(node)).as_bytes())
    })
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
