//! How repeated siblings are told apart: by label, by shape, by place; or they are the rows of a list.

use std::ops::Range;

use rustc_hash::FxHashMap;
use unsite_dom::NodeId;
use unsite_wrapper::{Introduced, View, shape};

use super::alternation::Turns;
use super::landmarks::Landmarks;
use super::{blocks, exchange, prose, shapes};

/// What labels say about children, by page and node.
pub(crate) type Introductions<'v> = FxHashMap<(u32, NodeId), Introduced<'v>>;

/// A child of an instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// Which instance it is a child of.
    pub(crate) parent: u32,
    pub(crate) page: u32,
    /// Its place among the content children of that instance.
    pub(crate) position: u32,
    pub(crate) node: NodeId,
}

/// One of the steps that a group of siblings splits into.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Plan {
    pub(crate) label: Option<String>,
    /// The numbers of the landmarks it holds, where these tell it from its siblings.
    pub(crate) holds: Vec<u32>,
    pub(crate) shape: Vec<u64>,
    pub(crate) index: Option<u32>,
    pub(crate) list: bool,
    /// Stands once under most parents and looks like none of its siblings.
    pub(crate) apart: bool,
}

/// Places that are told apart by number: wide tables have some dozen columns.
const MOST_PLACES: u32 = 64;

/// Texts directly under one parent that are told apart by number; more of them are a list of lines.
const MOST_TEXTS: usize = 12;

/// A few texts, as many under every one of this many parents, are fields and not a list. Layouts have no more blocks
/// beside each other either.
const MANY_PARENTS: usize = 10;
const FEW_PLACES: usize = 6;

/// Equal counts under this share of the parents make the places meaningful.
pub(super) const SAME_COUNT: f64 = 0.9;

/// A feature that this much more of the cells of one place have than of another's tells places apart.
const DIFFERENT: f64 = 0.5;

/// From this many features on, a subtree is a block of its own rather than a value with markup.
pub(crate) const COMPLEX: usize = 3;

/// The ranges of a group that share a parent; groups are ordered by parent.
pub(crate) fn by_parent(group: &[Member]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, member) in group.iter().enumerate() {
        match ranges.last_mut() {
            Some(range) if group[range.start].parent == member.parent => range.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

/// Splits a repeated group into steps. A group that takes turns with another is a list, whatever its places hold.
pub(crate) fn plan(
    views: &[View],
    group: &[Member],
    landmarks: &Landmarks,
    introductions: &Introductions,
    turns: Turns,
) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (label, labelled) in split_by_label(group, introductions) {
        if !repeats(&labelled) {
            plans.push(Plan { label, ..Plan::default() });
            continue;
        }
        let (blocks, labelled) = match turns {
            Turns::None => blocks::split(views, landmarks, &labelled),
            _ => (Vec::new(), labelled),
        };
        let of_block =
            |block: blocks::Block| Plan { label: label.clone(), holds: block.landmarks, ..Plan::default() };
        plans.extend(blocks.into_iter().map(of_block));
        if labelled.is_empty() {
            continue;
        }
        if !repeats(&labelled) {
            plans.push(Plan { label, ..Plan::default() });
            continue;
        }
        let by_place = || cells_by_place(views, &labelled).or_else(|| blocks_by_place(views, &labelled));
        if let Some(places) = by_place().filter(|_| turns == Turns::None) {
            let plan = Plan { label, ..Plan::default() };
            plans.extend((0..places).map(|index| Plan { index: Some(index), ..plan.clone() }));
            continue;
        }
        let shapes = shapes::split(views, &labelled);
        let single = shapes.len() == 1;
        for (shape, alike) in shapes {
            let shape_told = if single { Vec::new() } else { shape.clone() };
            let plan = Plan { label: label.clone(), shape: shape_told, ..Plan::default() };
            if !repeats(&alike) {
                let apart =
                    !single && alike.len() as f64 >= prose::ANCHORED * by_parent(&labelled).len() as f64;
                plans.push(Plan { apart, ..plan });
            } else if let Some(places) = places(views, &alike, &shape).filter(|_| turns == Turns::None) {
                plans.extend((0..places).map(|index| Plan { index: Some(index), ..plan.clone() }));
            } else {
                if turns == Turns::TakenAfterFirst {
                    plans.push(Plan { index: Some(0), ..plan.clone() });
                }
                plans.push(Plan { list: true, ..plan });
            }
        }
    }
    plans
}

/// Something repeats when any noticeable share of the parents has it twice.
fn repeats(group: &[Member]) -> bool {
    let parents = by_parent(group);
    let several = parents.iter().filter(|range| range.len() > 1).count();
    several as f64 > 0.02 * parents.len() as f64
}

/// By the label that a member begins with, or else by the nearest label before it under the same parent. Members
/// that are nothing but labels are left out.
fn split_by_label(group: &[Member], introductions: &Introductions) -> Vec<(Option<String>, Vec<Member>)> {
    if introductions.is_empty() {
        return vec![(None, group.to_vec())];
    }
    let mut parts: FxHashMap<Option<&str>, Vec<Member>> = FxHashMap::default();
    for member in group {
        if let Some(Introduced::By(label)) = introductions.get(&(member.page, member.node)) {
            parts.entry(*label).or_default().push(*member);
        }
    }
    let mut parts: Vec<(Option<&str>, Vec<Member>)> = parts.into_iter().collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    parts.into_iter().map(|(label, members)| (label.map(str::to_owned), members)).collect()
}

/// The number of places of a table's cells, when every row has as many and the places do not look alike. Cells that all look
/// alike are the tiles of a grid, which are rows themselves.
fn cells_by_place(views: &[View], group: &[Member]) -> Option<u32> {
    let tree = views[group[0].page as usize].tree;
    let parents = by_parent(group);
    let count = parents.first().map_or(0, Range::len);
    let full: Vec<&Range<usize>> = parents.iter().filter(|range| range.len() == count).collect();
    if !matches!(tree.name(group[0].node), "td" | "th")
        || parents.len() < 3
        || count > MOST_PLACES as usize
        || (full.len() as f64) < SAME_COUNT * parents.len() as f64
    {
        return None;
    }
    let features = features_by_place(views, group, &full);
    let differs = |counts: &Vec<usize>| {
        let (least, most) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
        (most - least) as f64 > DIFFERENT * full.len() as f64
    };
    let most = parents.iter().map(Range::len).max().unwrap_or(0) as u32;
    features.values().any(differs).then_some(most.min(MOST_PLACES))
}

/// The number of places of a few blocks that the template names apart, whatever some of them hold besides.
fn blocks_by_place(views: &[View], group: &[Member]) -> Option<u32> {
    let parents = by_parent(group);
    let most = parents.iter().map(Range::len).max().unwrap_or(0);
    let are_places = !views[group[0].page as usize].tree.is_text(group[0].node)
        && most <= FEW_PLACES
        && parents.len() >= 3
        && places_are_named(views, group, &parents, most);
    are_places.then_some(most as u32)
}

/// For each feature, how many siblings of each place have it. All of these parents have as many.
fn features_by_place(views: &[View], group: &[Member], full: &[&Range<usize>]) -> FxHashMap<u64, Vec<usize>> {
    let count = full.first().map_or(0, |range| range.len());
    let mut features: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for range in full {
        for (place, member) in group[(*range).clone()].iter().enumerate() {
            for feature in shape(&views[member.page as usize], member.node) {
                features.entry(feature).or_insert_with(|| vec![0; count])[place] += 1;
            }
        }
    }
    features
}

/// The number of places if the places mean something, `None` for a list.
fn places(views: &[View], group: &[Member], shape: &[u64]) -> Option<u32> {
    let parents = by_parent(group);
    let most = parents.iter().map(Range::len).max().unwrap_or(0);
    let first = &group[0];
    let tree = views[first.page as usize].tree;
    if tree.is_text(first.node) {
        return (most <= MOST_TEXTS).then_some(most as u32);
    }
    if matches!(tree.name(first.node), "td" | "th") && shape.len() < COMPLEX {
        return Some((most as u32).min(MOST_PLACES));
    }
    // Blocks that are built alike and not named apart are rows, however many there are.
    if shape.len() >= COMPLEX {
        return None;
    }
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for range in &parents {
        *counts.entry(range.len()).or_default() += 1;
    }
    // Where most parents have one, a second one is another of the same.
    let usual = counts.iter().max_by_key(|(count, parents)| (**parents, **count));
    let same = usual
        .is_some_and(|(count, having)| *count > 1 && *having as f64 >= SAME_COUNT * parents.len() as f64);
    let links = prose::are_links(views, group);
    let many = most > if links { FEW_PLACES } else { MOST_PLACES as usize };
    if !same || many || parents.len() < 3 {
        return None;
    }
    let shorter = exchange::told_by_place(views, group, &parents);
    // A few texts, as many everywhere, are fields until something that was seen in one place is seen in another; of
    // links, each place has to show that it is one.
    let fields = !links
        && most <= FEW_PLACES
        && parents.len() >= MANY_PARENTS
        && counts.len() == 1
        && !exchange::wander(views, group, &parents);
    (shorter > 0.0 || fields).then_some(most as u32)
}

/// Has each place a class of its own, the same under all parents (`span2`, `span8`)?
fn places_are_named(views: &[View], group: &[Member], parents: &[Range<usize>], most: usize) -> bool {
    let class = |member: &Member| views[member.page as usize].tree.attr(member.node, "class");
    let first = parents.iter().find(|range| range.len() == most).map(|range| &group[range.clone()]);
    let Some(first) = first else { return false };
    let names: Vec<Option<&str>> = first.iter().map(class).collect();
    let distinct = (0..names.len()).all(|at| names[at].is_some() && !names[..at].contains(&names[at]));
    let agree = |range: &&Range<usize>| group[(*range).clone()].iter().map(class).eq(names.iter().copied());
    distinct && parents.iter().filter(agree).count() as f64 >= SAME_COUNT * parents.len() as f64
}
