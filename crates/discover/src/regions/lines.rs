//! The text blocks of a page as lines that pages of one type are compared by.

use rustc_hash::FxHashSet;
use unsite_dom::{Terms, Tree};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::blocks::{Block, blocks_of};
use super::furniture::furniture;
use super::page_texts::PageTexts;

/// A line is looked up by its common words when it has at least so many; fewer recur by chance.
const TELLING: usize = 2;

/// The text blocks of a page with their words.
pub(super) struct Cut<'t> {
    pub tree: &'t Tree,
    pub blocks: Vec<Block<'t>>,
    pub furniture: Vec<bool>,
    /// The words of all blocks, see [`HashedWord::spelled`](unsite_dom::HashedWord::spelled).
    pub words: Vec<u64>,
    /// By block: where its words end.
    ends: Vec<usize>,
    /// By node: a hash of its path.
    pub paths: Vec<u64>,
    /// By block, once the common words are known.
    pub lines: Vec<Line>,
}

/// What a block is compared by.
pub(super) struct Line {
    /// Its words at its place.
    whole: u64,
    /// Its common words there, without numbers: dates, times and counts differ where the words around them stay.
    telling: Option<u64>,
    /// How many words it has.
    pub words: usize,
    /// How many of them are not common.
    pub own: usize,
}

impl Line {
    /// The hashes under which it is known if it is template.
    pub(super) fn hashes(&self) -> impl Iterator<Item = u64> + use<> {
        std::iter::once(self.whole).chain(self.telling)
    }
}

impl<'t> Cut<'t> {
    pub(super) fn of(page: &PageTexts<'t>, terms: &Terms) -> Self {
        let blocks = blocks_of(page);
        let furniture = furniture(page.tree, &blocks);
        let mut words: Vec<u64> = Vec::with_capacity(page.words.len());
        let mut at = 0;
        let mut ends = Vec::with_capacity(blocks.len());
        for block in &blocks {
            at = page.place(block.start, at);
            let known = page.texts.get(at..at + block.texts.len()).filter(|texts| {
                !block.is_glued && texts.iter().map(|text| text.node).eq(block.texts.iter().copied())
            });
            match known {
                Some([first, .., last] | [first @ last]) => {
                    let range = first.words.start..last.words.end;
                    words.extend(page.words[range].iter().map(|word| word.spelled));
                }
                _ => terms.hashed_words(&block.text, page.language, |word| words.push(word.spelled)),
            }
            ends.push(words.len());
        }
        Cut { tree: page.tree, blocks, furniture, words, ends, paths: paths(page.tree), lines: Vec::new() }
    }

    /// Makes the lines, given the common words.
    pub(super) fn draw_lines(&mut self, common: &FxHashSet<u64>) {
        let mut start = 0;
        self.lines.clear();
        for (block, &end) in self.blocks.iter().zip(&self.ends) {
            let words = &self.words[std::mem::replace(&mut start, end)..end];
            let place = self.paths[block.element.index()];
            let (mut whole, mut telling) = (place, !place);
            let (mut own, mut told, mut numbers) = (0, 0, 0);
            for &word in words {
                whole = combined(whole, word);
                let is_common = common.contains(&word);
                own += usize::from(!is_common);
                if is_number(word) {
                    numbers += 1;
                } else if is_common {
                    told += 1;
                    telling = combined(telling, word);
                }
            }
            let tells = told >= TELLING && 2 * told > words.len() - numbers;
            self.lines.push(Line { whole, telling: tells.then_some(telling), words: words.len(), own });
        }
    }
}

fn is_number(word: u64) -> bool {
    word & 1 == 1
}

fn combined(hash: u64, word: u64) -> u64 {
    hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ word
}

/// The path of every node as a hash: tags with their first class, if that has no digit (those are ids in disguise).
fn paths(tree: &Tree) -> Vec<u64> {
    let names = tree.by_name(|name| xxh3_64(name.as_bytes()));
    let class = tree.attr_reader("class");
    tree.fold_paths(|node| {
        let class = class(node).and_then(|names| names.split_whitespace().next());
        let class = class.filter(|name| !name.bytes().any(|b| b.is_ascii_digit())).unwrap_or_default();
        xxh3_64_with_seed(class.as_bytes(), names.of(node))
    })
}
