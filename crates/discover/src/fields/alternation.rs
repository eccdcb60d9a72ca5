//! Kinds of siblings that take turns: heading, date, text, heading, date, text. They are records that no element
//! holds together, however few and regular they are.

use std::ops::Range;

use rustc_hash::FxHashMap;
use unsite_wrapper::{Introduced, TEXT_SIGNATURE, View};

use super::siblings::{Introductions, Member, by_parent};

/// Kinds take turns under this share of the parents that hold both of them several times.
const MOSTLY: f64 = 0.8;

/// Kinds under one parent that are compared pairwise.
const MOST_KINDS: usize = 12;

/// How a kind of sibling stands to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turns {
    /// On its own.
    None,
    /// In turns with another kind.
    Taken,
    /// In turns with another kind, after a first one that stands before them all: a line of introduction.
    TakenAfterFirst,
}

/// For each kind, whether it takes turns with another. Labels take turns with their values and do not count.
pub(super) fn taking_turns(
    views: &[View],
    members: &[(u64, Vec<Member>)],
    introductions: &Introductions,
) -> Vec<Turns> {
    let mut turns = vec![Turns::None; members.len()];
    let is_label =
        |member: &Member| matches!(introductions.get(&(member.page, member.node)), Some(Introduced::Label));
    let mut kinds: Vec<(usize, FxHashMap<u32, Vec<u32>>)> = Vec::new();
    for (at, (kind, group)) in members.iter().enumerate() {
        if *kind == TEXT_SIGNATURE {
            continue;
        }
        let group: Vec<Member> = group.iter().filter(|member| !is_label(member)).copied().collect();
        let several = |range: &Range<usize>| range.len() > 1;
        let places: FxHashMap<u32, Vec<u32>> = by_parent(&group)
            .into_iter()
            .filter(several)
            .map(|range| {
                (group[range.start].parent, group[range].iter().map(|member| member.position).collect())
            })
            .collect();
        if !places.is_empty() {
            kinds.push((at, places));
        }
    }
    if kinds.len() > MOST_KINDS {
        return turns;
    }
    for (at, (first, places)) in kinds.iter().enumerate() {
        for (second, others) in &kinds[at + 1..] {
            for (one, a, b) in [(*first, places, others), (*second, others, places)] {
                if turns[one] == Turns::None && take_turns(a, b, 0) {
                    turns[one] = Turns::Taken;
                } else if turns[one] == Turns::None && take_turns(a, b, 1) {
                    turns[one] = Turns::TakenAfterFirst;
                }
            }
        }
    }
    // Headings and paragraphs take turns in every article.
    let marked = (0..turns.len()).any(|at| turns[at] != Turns::None && is_marked(views, &members[at].1));
    if marked {
        return turns;
    }
    turns = vec![Turns::None; members.len()];
    for at in headed_records(views, members, is_label) {
        turns[at] = Turns::Taken;
    }
    turns
}

/// Sections that a heading opens are records if so many are built alike; those of an article are not.
const LEAST_SECTIONS: usize = 4;

/// The kinds of siblings that make up records: a heading, and what follows each heading in the same order and number
/// (`h2 p p h2 p p`).
fn headed_records(
    views: &[View],
    members: &[(u64, Vec<Member>)],
    is_label: impl Fn(&Member) -> bool,
) -> Vec<usize> {
    let is_heading = |group: &[Member]| {
        matches!(views[group[0].page as usize].tree.name(group[0].node), "h2" | "h3" | "h4" | "h5" | "h6")
    };
    let openers: Vec<usize> = (0..members.len()).filter(|&at| is_heading(&members[at].1)).collect();
    if openers.is_empty() {
        return Vec::new();
    }
    // The kinds of the siblings under each parent, in their order.
    let mut in_order: Vec<(u32, u32, usize)> = Vec::new();
    for (at, (_, group)) in members.iter().enumerate() {
        let siblings = group.iter().filter(|member| !is_label(member));
        in_order.extend(siblings.map(|member| (member.parent, member.position, at)));
    }
    in_order.sort_unstable();
    for opener in openers {
        let mut sections: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        let (mut all, mut parents, mut at) = (0usize, 0usize, 0usize);
        while at < in_order.len() {
            let siblings: Vec<usize> = in_order[at..]
                .iter()
                .take_while(|next| next.0 == in_order[at].0)
                .map(|next| next.2)
                .collect();
            at += siblings.len();
            let mut opened: Vec<&[usize]> = siblings.split(|&kind| kind == opener).skip(1).collect();
            // Behind the last record other things may follow.
            opened.pop();
            all += opened.len();
            parents += usize::from(!opened.is_empty());
            for section in opened {
                *sections.entry(section.to_vec()).or_default() += 1;
            }
        }
        let usual = sections.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((section, times)) = usual.filter(|(section, _)| !section.is_empty())
            && all >= LEAST_SECTIONS.max(2 * parents)
            && times as f64 >= MOSTLY * all as f64
        {
            return section.into_iter().chain([opener]).collect();
        }
    }
    Vec::new()
}

/// Members that are looked at.
const LOOKED_AT: usize = 30;

/// Are these named by the template, or links? Plain headings and paragraphs are running text.
fn is_marked(views: &[View], group: &[Member]) -> bool {
    let looked_at: Vec<&Member> = group.iter().step_by(group.len().div_ceil(LOOKED_AT).max(1)).collect();
    let marked = looked_at.iter().filter(|member| {
        let tree = views[member.page as usize].tree;
        tree.attr(member.node, "class").is_some()
            || tree.descendants(member.node).take(LOOKED_AT).any(|node| tree.name(node) == "a")
    });
    marked.count() as f64 >= MOSTLY * looked_at.len() as f64
}

/// Places of one kind by parent, the first so many left out, against those of another.
fn take_turns(one: &FxHashMap<u32, Vec<u32>>, other: &FxHashMap<u32, Vec<u32>>, without: usize) -> bool {
    let (mut both, mut turns) = (0usize, 0usize);
    for (parent, places) in one {
        let Some(others) = other.get(parent) else { continue };
        both += 1;
        let places = &places[without..];
        turns +=
            usize::from(places.len() == others.len() && (before(places, others) || before(others, places)));
    }
    both > 0 && turns as f64 >= MOSTLY * both as f64 && both * 2 > one.len().max(other.len())
}

/// Does each of the first stand before its partner, and the partner before the next of the first?
fn before(first: &[u32], second: &[u32]) -> bool {
    let pairs = first.iter().zip(second).all(|(a, b)| a < b);
    pairs && second.iter().zip(first.iter().skip(1)).all(|(b, next)| b < next)
}
