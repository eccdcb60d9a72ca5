//! Texts that a page says twice: a summary above the article that begins like it.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use unsite_dom::Tree;

use super::blocks::Block;
use super::main_text::PROSE_WIDTH;

/// Two texts may be one when they begin with the same letters, so many.
const HEAD: usize = 40;

/// Leaves out paragraphs that a later one, in another element, says again.
///
/// # What it does
/// A paragraph goes when the texts that follow some later one begin with all its letters; what is cut off with an ellipsis
/// is compared as far as it goes. Of equal ones the last stays. Within one element nothing goes: verses repeat.
/// # Assumes
/// Summaries are taken from the text word by word, and stand before it.
/// # When it fails
/// Summaries in other words stay.
/// # Paper
/// None.
pub(super) fn without_repeated<'t>(tree: &Tree, blocks: Vec<Block<'t>>) -> Vec<Block<'t>> {
    if !some_begin_alike(&blocks) {
        return blocks;
    }
    let texts: Vec<String> = blocks.iter().map(|block| letters(&block.text).collect()).collect();
    let all = texts.concat();
    let mut starts: Vec<usize> = Vec::with_capacity(texts.len());
    texts.iter().fold(0, |start, text| {
        starts.push(start);
        start + text.len()
    });
    // For each beginning the nearest later paragraph that has it.
    let mut later: FxHashMap<&str, usize> = FxHashMap::default();
    let mut stays = vec![true; blocks.len()];
    for at in (0..blocks.len()).rev() {
        let Some(head) = texts[at].char_indices().nth(HEAD).map(|(end, _)| &texts[at][..end]) else {
            continue;
        };
        let is_prose = blocks[at].width >= PROSE_WIDTH;
        let again = later.insert(head, at).filter(|&other| {
            let parent = |block: &Block| tree.parent(block.element);
            is_prose && parent(&blocks[at]) != parent(&blocks[other])
        });
        stays[at] = again.is_none_or(|other| !all[starts[other]..].starts_with(&texts[at]));
    }
    let mut stays = stays.into_iter();
    blocks.into_iter().filter(|_| stays.next().unwrap_or(true)).collect()
}

/// Whether two texts begin with the same letters. On most pages none do, and nothing else has to be looked at.
fn some_begin_alike(blocks: &[Block]) -> bool {
    let mut heads = FxHashSet::default();
    let long = blocks.iter().filter(|block| block.text.len() > HEAD);
    long.into_iter().any(|block| {
        let mut hasher = FxHasher::default();
        letters(&block.text).take(HEAD).for_each(|letter| hasher.write_u32(letter.into()));
        !heads.insert(hasher.finish())
    })
}

/// Letters and digits alone: an ellipsis, quotes and blanks differ between a text and its summary.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}
