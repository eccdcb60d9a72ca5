//! Siblings that are parts of a layout, told apart by the landmarks they hold.
//!
//! # What it does
//! Rows are exchangeable: shuffle them, and the page is as likely as before. A sibling that holds a text which stands once
//! on the pages of the type is not: shuffled, the text would move. Siblings that hold the same landmarks on
//! different pages are one block.
//! # Assumes
//! Blocks of a layout have a heading, a label or another constant text somewhere inside.
//! # When it fails
//! Blocks without any constant text are left to their shape and place.
//! # Paper
//! Ours: the exchangeability test of rows.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::NodeId;
use unsite_wrapper::{SAME_SHAPE, View, shape, similarity};

use super::exchange;
use super::labels::{DOUBLED, NEARLY_ALWAYS, PURE};
use super::landmarks::{COLON_PAGES, Landmarks};
use super::siblings::{COMPLEX, Member, SAME_COUNT, by_parent};

/// Landmarks that stand in the same sibling more often than not are of one block.
const TOGETHER: f64 = 0.5;

/// Where more siblings than not hold a landmark, the others do not make a list of them.
const MOSTLY_BLOCKS: f64 = 0.5;

/// A block says other things on other pages, or always stands there. One that comes and goes, and of whose members fewer
/// than this share differ, is an entry that several lists have in common.
const VARYING: f64 = 0.3;

/// Members whose shapes are looked at to find the usual one.
const LOOKED_AT: usize = 30;

/// A block and its members.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The numbers of its landmarks, sorted.
    pub(super) landmarks: Vec<u32>,
    pub(super) members: Vec<Member>,
}

/// Splits siblings into blocks and the rest; no blocks where they are exchangeable.
pub(super) fn split(views: &[View], landmarks: &Landmarks, group: &[Member]) -> (Vec<Block>, Vec<Member>) {
    let mut held = held(views, landmarks, group);
    let parents = by_parent(group);
    drop_shuffled(landmarks, &parents, &mut held);
    let mut holders: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (at, held) in held.iter().enumerate() {
        for &landmark in held {
            let own = holders.entry(landmark).or_default();
            if own.last() != Some(&at) {
                own.push(at);
            }
        }
    }
    // Where there are several siblings, a landmark stands in one of them; a label of rows stands in all.
    let siblings: FxHashMap<u32, usize> =
        parents.iter().map(|range| (group[range.start].parent, range.len())).collect();
    let is_in_one = |own: &[usize]| {
        let (mut several, mut again) = (0usize, 0usize);
        for holders in own.chunk_by(|&a, &b| group[a].parent == group[b].parent) {
            several += usize::from(siblings[&group[holders[0]].parent] > 1);
            again += usize::from(holders.len() > 1);
        }
        again as f64 <= DOUBLED * several as f64
    };
    let mut order: Vec<(u32, Vec<usize>)> =
        holders.into_iter().filter(|(_, own)| own.len() > 1 && is_in_one(own)).collect();
    order.sort_unstable_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(&b.0)));
    let mut block_of: Vec<Option<usize>> = vec![None; group.len()];
    let mut landmarks_of: Vec<Vec<u32>> = Vec::new();
    for (landmark, own) in order {
        let mut together: FxHashMap<usize, usize> = FxHashMap::default();
        own.iter().filter_map(|&at| block_of[at]).for_each(|block| *together.entry(block).or_default() += 1);
        let most = together.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        let taken = own.iter().filter(|&&at| block_of[at].is_some()).count();
        let block = match most {
            Some((block, count)) if count as f64 >= TOGETHER * own.len() as f64 => block,
            // Scattered over several blocks: it names none of them.
            _ if taken as f64 >= TOGETHER * own.len() as f64 => continue,
            _ => {
                landmarks_of.push(Vec::new());
                landmarks_of.len() - 1
            }
        };
        landmarks_of[block].push(landmark);
        for at in own {
            block_of[at].get_or_insert(block);
        }
    }
    let mut blocks: Vec<Block> = landmarks_of
        .into_iter()
        .map(|mut landmarks| {
            landmarks.sort_unstable();
            Block { landmarks, members: Vec::new() }
        })
        .collect();
    let mut rest = Vec::new();
    for (member, block) in group.iter().zip(&block_of) {
        match block {
            Some(block) => blocks[*block].members.push(*member),
            None => rest.push(*member),
        }
    }
    let (mut blocks, others): (Vec<Block>, Vec<Block>) =
        blocks.into_iter().partition(|block| block.members.len() >= COLON_PAGES && is_single(&block.members));
    rest.extend(others.into_iter().flat_map(|block| block.members));
    let (varied, constant): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(|block| {
        block.members.len() as f64 >= NEARLY_ALWAYS * parents.len() as f64 || varies(views, &block.members)
    });
    blocks = varied;
    let in_blocks: usize = blocks.iter().map(|block| block.members.len()).sum();
    let constants: usize = constant.iter().map(|block| block.members.len()).sum();
    let mostly = blocks.len() >= 2 && in_blocks as f64 >= MOSTLY_BLOCKS * (group.len() - constants) as f64;
    blocks.extend(constant);
    let rows = usual_shape(views, &rest);
    let shapes: Vec<Vec<u64>> = blocks.iter().map(|block| usual_shape(views, &block.members)).collect();
    // A heading among rows is built otherwise than they are; a row with a badge is not. Where most siblings are blocks they may
    // be simple and look alike, but several that are built alike from more than a few parts are rows.
    let is_row = |at: usize| {
        let is_like = |other: &Vec<u64>| similarity(&shapes[at], other) >= SAME_SHAPE;
        let has_twin = (0..shapes.len()).any(|other| other != at && is_like(&shapes[other]));
        if mostly { shapes[at].len() >= COMPLEX && has_twin } else { rest.is_empty() || is_like(&rows) }
    };
    let in_column = in_columns(group, &parents, &blocks);
    let are_rows: Vec<bool> = (0..blocks.len()).map(|at| in_column[at] || is_row(at)).collect();
    let mut kept = Vec::new();
    for (block, is_row) in blocks.into_iter().zip(are_rows) {
        if is_row { rest.extend(block.members) } else { kept.push(block) }
    }
    let blocks = kept;
    rest.sort_unstable_by_key(|member| (member.parent, member.position));
    (blocks, rest)
}

/// What rows are called recurs too where pages list the same things in another order; blocks keep theirs.
fn drop_shuffled(landmarks: &Landmarks, parents: &[Range<usize>], held: &mut [Vec<u32>]) {
    let text = |&landmark: &u32| landmarks.texts[landmark as usize].as_str();
    let named: Vec<Vec<&str>> =
        parents.iter().map(|range| held[range.clone()].iter().flatten().map(text).collect()).collect();
    let shuffled = exchange::shuffled(&named);
    if !shuffled.is_empty() {
        held.iter_mut().for_each(|held| held.retain(|landmark| !shuffled.contains(text(landmark))));
    }
}

/// For each block, whether it is what some rows say in one of their columns. Where all parents have as many siblings, nothing
/// is ever missing and the place alone tells what a sibling is: other siblings stand in the block's own place under most
/// parents, and it is one of them, whatever words are marked in it.
fn in_columns(group: &[Member], parents: &[Range<usize>], blocks: &[Block]) -> Vec<bool> {
    let count = parents.first().map_or(0, Range::len);
    let full = parents.iter().filter(|range| range.len() == count).count();
    if count < 2 || (full as f64) < SAME_COUNT * parents.len() as f64 {
        return vec![false; blocks.len()];
    }
    let place_of: FxHashMap<NodeIn, usize> = parents
        .iter()
        .flat_map(|range| group[range.clone()].iter().enumerate())
        .map(|(place, member)| ((member.page, member.node), place))
        .collect();
    // For each block, how many of its members stand in each place.
    let places: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            let mut places = vec![0; count];
            let of_members =
                block.members.iter().filter_map(|member| place_of.get(&(member.page, member.node)));
            of_members.filter(|place| **place < count).for_each(|place| places[*place] += 1);
            places
        })
        .collect();
    let taken: Vec<usize> = (0..count).map(|place| places.iter().map(|places| places[place]).sum()).collect();
    let is_in_column = |(block, places): (&Block, &Vec<usize>)| {
        let place = (0..count).max_by_key(|&place| places[place]).unwrap_or(0);
        places[place] == block.members.len() && 2 * taken[place] < full
    };
    blocks.iter().zip(&places).map(is_in_column).collect()
}

/// A node and its page.
type NodeIn = (u32, NodeId);

/// The landmarks that each member holds at places where siblings have landmarks too, or nothing. Where they say this and
/// that, a text that recurs is one of the values of their rows.
fn held(views: &[View], landmarks: &Landmarks, group: &[Member]) -> Vec<Vec<u32>> {
    if group.iter().all(|member| landmarks.within(views, member).is_empty()) {
        return vec![Vec::new(); group.len()];
    }
    // By place inside the members: texts, and how many of them are landmarks.
    let mut places: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    let mut found: Vec<Vec<(u64, u32)>> = Vec::with_capacity(group.len());
    for member in group {
        let view = &views[member.page as usize];
        let mut own = landmarks.within(views, member).iter().peekable();
        let mut inside = Vec::new();
        for text in view.texts_in(member.node) {
            let place = place_inside(view, member.node, view.texts[text].node);
            let count = places.entry(place).or_default();
            count.0 += 1;
            if let Some((_, landmark)) = own.next_if(|(at, _)| *at as usize == text) {
                count.1 += 1;
                inside.push((place, *landmark));
            }
        }
        found.push(inside);
    }
    let is_pure = |place: &u64| {
        let (texts, constant) = places[place];
        constant as f64 >= PURE * texts as f64
    };
    let pure =
        |inside: Vec<(u64, u32)>| inside.into_iter().filter(|(place, _)| is_pure(place)).map(|one| one.1);
    found.into_iter().map(|inside| pure(inside).collect()).collect()
}

/// The way from a node down to one inside it: kinds, and which of its kind among its siblings.
fn place_inside(view: &View, from: NodeId, to: NodeId) -> u64 {
    let mut place = 0u64;
    let mut at = to;
    while at != from {
        let Some(parent) = view.tree.parent(at) else { break };
        let kind = view.signatures[at.index()];
        let before = view.tree.children(parent).take_while(|&child| child != at);
        let index = before.filter(|child| view.signatures[child.index()] == kind).count() as u64;
        place = (place.rotate_left(7) ^ kind).wrapping_add(index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at = parent;
    }
    place
}

/// Do the members say different things?
fn varies(views: &[View], members: &[Member]) -> bool {
    let said = |member: &Member| {
        let view = &views[member.page as usize];
        view.texts[view.texts_in(member.node)]
            .iter()
            .fold(0u64, |hash, text| hash.rotate_left(5) ^ text.hash())
    };
    let distinct: FxHashSet<u64> = members.iter().map(said).collect();
    distinct.len() > 1 && distinct.len() as f64 >= VARYING * members.len() as f64
}

/// One of them under nearly every parent that has any.
fn is_single(members: &[Member]) -> bool {
    let parents = by_parent(members);
    let several = parents.iter().filter(|range| range.len() > 1).count();
    several as f64 <= DOUBLED * parents.len() as f64
}

fn usual_shape(views: &[View], members: &[Member]) -> Vec<u64> {
    let mut counts: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    for member in members.iter().step_by(members.len().div_ceil(LOOKED_AT).max(1)) {
        *counts.entry(shape(&views[member.page as usize], member.node)).or_default() += 1;
    }
    let usual = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    usual.map(|(shape, _)| shape).unwrap_or_default()
}
