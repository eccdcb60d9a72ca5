//! Elements that stand for each other: layout variants, A/B tests, zebra rows.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{SAME_SHAPE, View, raw_names, shape, similarity, tag_shape};

use super::siblings::{COMPLEX, Member, by_parent};

/// Kinds that meet under more than this share of the rarer one's parents are different things.
const MEET: f64 = 0.02;

/// Blocks at least this alike inside may be variants of each other.
const ALIKE: f64 = 0.5;

/// Repeated kinds under the same parents at least this alike inside are rows of one list.
pub(super) const SAME_ROWS: f64 = 0.7;

/// Simple kinds that never meet are one place if together they stand under this share of the parents.
const COVER: f64 = 0.95;

/// Kinds of one tag that others are compared with, the largest first. Where there are more, data is in class names, and
/// what it names is mostly like one of these.
const MOST_KINDS: usize = 40;

/// Members whose shapes are looked at to find the usual one.
const SHAPES: usize = 30;

/// Children by kind, in the order of the kinds.
pub(crate) type Kinds = Vec<(u64, Vec<Member>)>;

struct Kind {
    signature: u64,
    members: Vec<Member>,
    parents: FxHashSet<u32>,
    shape: Vec<u64>,
    tag_shape: Vec<u64>,
    repeated: bool,
    /// An element that markup itself makes for rows.
    is_row: bool,
    /// Its class names and id, digits folded.
    names: Vec<String>,
}

/// Joins kinds that stand for each other, and says which was counted as which.
pub(crate) fn join(views: &[View], parents: usize, kinds: Kinds) -> (Kinds, Vec<(u64, u64)>) {
    let mut by_tag: FxHashMap<&str, usize> = FxHashMap::default();
    let tag = |members: &[Member]| views[members[0].page as usize].tree.name(members[0].node);
    for (_, members) in &kinds {
        *by_tag.entry(tag(members)).or_default() += 1;
    }
    if kinds.len() < 2 || by_tag.iter().all(|(tag, &count)| tag.is_empty() || count < 2) {
        return (kinds, Vec::new());
    }
    let mut tags: FxHashMap<&str, Vec<Kind>> = FxHashMap::default();
    let mut joined: Kinds = Vec::new();
    for (signature, members) in kinds {
        let tag = tag(&members);
        if tag.is_empty() || by_tag[tag] < 2 {
            joined.push((signature, members));
            continue;
        }
        tags.entry(tag).or_default().push(Kind::new(views, signature, members));
    }
    let mut aliases = Vec::new();
    for (_, mut group) in tags {
        // The largest first: the others are variants of it.
        group.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then(a.signature.cmp(&b.signature)));
        let mut kept: Vec<Kind> = Vec::new();
        let (group, family) = split_exclusive(group, parents);
        if let Some(family) = family {
            aliases.extend(family.iter().skip(1).map(|kind| (kind.signature, family[0].signature)));
            kept.extend(family.into_iter().reduce(|mut leader, kind| {
                leader.take(kind);
                leader
            }));
        }
        for kind in group {
            match kept.iter_mut().take(MOST_KINDS).find(|leader| leader.stands_for(&kind, parents)) {
                Some(leader) => {
                    aliases.push((kind.signature, leader.signature));
                    leader.take(kind);
                }
                None => kept.push(kind),
            }
        }
        joined.extend(kept.into_iter().map(|kind| (kind.signature, kind.members)));
    }
    aliases.sort_unstable();
    joined.sort_unstable_by_key(|(signature, _)| *signature);
    (joined, aliases)
}

impl Kind {
    fn new(views: &[View], signature: u64, members: Vec<Member>) -> Self {
        let tag = views[members[0].page as usize].tree.name(members[0].node);
        let is_row = matches!(tag, "li" | "tr" | "option");
        let ranges = by_parent(&members);
        let repeated = ranges.iter().filter(|range| range.len() > 1).count() * 2 >= ranges.len();
        let parents = members.iter().map(|member| member.parent).collect();
        let every = members.len().div_ceil(SHAPES);
        let looked_at =
            || members.iter().step_by(every).map(|member| (&views[member.page as usize], member.node));
        let usual_shape = usual(looked_at().map(|(view, node)| shape(view, node)));
        let usual_tag_shape = usual(looked_at().map(|(view, node)| tag_shape(view, node)));
        let names = raw_names(views[members[0].page as usize].tree, members[0].node).collect();
        Kind {
            names,
            signature,
            parents,
            shape: usual_shape,
            tag_shape: usual_tag_shape,
            repeated,
            is_row,
            members,
        }
    }

    /// Does whoever wrote the template call both the same, besides what else they are called?
    fn is_kin(&self, other: &Kind) -> bool {
        let fixed_id = |kind: &Kind| {
            kind.names.iter().find(|name| name.starts_with('#') && !name[1..].contains('#')).cloned()
        };
        // Ids without numbers name places of the layout: `nav-above` is not `nav-below`.
        let apart = matches!((fixed_id(self), fixed_id(other)), (Some(a), Some(b)) if a != b);
        !apart && self.names.iter().any(|name| !name.starts_with('#') && other.names.contains(name))
    }

    /// Has the other all of its names, and more (`hit`, `hit best`)? That is how a template marks one of many.
    fn is_marked_as(&self, other: &Kind) -> bool {
        !self.names.is_empty() && self.names.iter().all(|name| other.names.contains(name))
    }

    fn stands_for(&self, other: &Kind, parents: usize) -> bool {
        let meet = other.parents.intersection(&self.parents).count() as f64;
        let rarer = other.parents.len().min(self.parents.len()) as f64;
        let likeness = similarity(&self.shape, &other.shape);
        let complex = self.shape.len() >= COMPLEX && other.shape.len() >= COMPLEX;
        if meet > MEET * rarer {
            let rows = self.repeated && (complex || self.is_row || self.is_marked_as(other));
            if likeness >= SAME_ROWS && (rows || (complex && self.is_kin(other))) {
                return true;
            }
            // Rows of two colours take turns.
            if likeness >= SAME_SHAPE && self.is_row && rows && interleaved(&self.members, &other.members) {
                return true;
            }
            // Results of two kinds in one list: the poorer rows have no part that the richer ones lack.
            return complex
                && self.is_kin(other)
                && containment(&self.shape, &other.shape) >= SAME_ROWS
                && interleaved(&self.members, &other.members);
        }
        let together = self.parents.len() + other.parents.len() - meet as usize;
        if complex {
            likeness >= ALIKE
        } else {
            similarity(&self.tag_shape, &other.tag_shape) >= ALIKE
                && !self.repeated
                && !other.repeated
                && together as f64 >= COVER * parents as f64
        }
    }

    fn take(&mut self, other: Kind) {
        self.parents.extend(other.parents);
        self.members.extend(other.members);
        self.members.sort_by_key(|member| (member.parent, member.position));
    }
}

/// The share of the smaller shape's features that the other has too.
fn containment(a: &[u64], b: &[u64]) -> f64 {
    let (small, large) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let shared = small.iter().filter(|feature| large.binary_search(feature).is_ok()).count();
    shared as f64 / small.len().max(1) as f64
}

/// Do two kinds stand in turn and turn about under most parents that have both, and not one kind after the other?
fn interleaved(a: &[Member], b: &[Member]) -> bool {
    let ends = |members: &[Member]| -> FxHashMap<u32, (u32, u32)> {
        let ranges = by_parent(members);
        let of = |range: &std::ops::Range<usize>| {
            let (first, last) = (members[range.start], members[range.end - 1]);
            (first.parent, (first.position, last.position))
        };
        ranges.iter().map(of).collect()
    };
    let (a, b) = (ends(a), ends(b));
    let (mut both, mut mixed) = (0usize, 0usize);
    for (parent, (first, last)) in &a {
        let Some((other_first, other_last)) = b.get(parent) else { continue };
        both += 1;
        mixed += usize::from(first < other_last && other_first < last);
    }
    both > 0 && 2 * mixed >= both
}

/// Simple kinds of which exactly one stands under nearly every parent: one place whose class tells its value. They are
/// taken out of the group, the largest first.
fn split_exclusive(group: Vec<Kind>, parents: usize) -> (Vec<Kind>, Option<Vec<Kind>>) {
    let mut covered: FxHashSet<u32> = FxHashSet::default();
    let mut chosen = vec![false; group.len()];
    let partial = |kind: &Kind| (kind.parents.len() as f64) < COVER * parents as f64;
    let simple = |kind: &Kind| kind.shape.len() < COMPLEX && !kind.repeated && partial(kind);
    let Some(lead) = group.iter().position(simple) else { return (group, None) };
    for (at, kind) in group.iter().enumerate().skip(lead) {
        let meet = kind.parents.intersection(&covered).count() as f64;
        let alike = similarity(&kind.tag_shape, &group[lead].tag_shape) >= ALIKE;
        if simple(kind) && alike && meet <= MEET * kind.parents.len() as f64 {
            covered.extend(&kind.parents);
            chosen[at] = true;
        }
    }
    let several = chosen.iter().filter(|chosen| **chosen).count() > 1;
    if !several || (covered.len() as f64) < COVER * parents as f64 {
        return (group, None);
    }
    let (mut rest, mut family) = (Vec::new(), Vec::new());
    for (kind, chosen) in group.into_iter().zip(chosen) {
        if chosen { family.push(kind) } else { rest.push(kind) }
    }
    (rest, Some(family))
}

/// The most frequent of some shapes.
fn usual(shapes: impl Iterator<Item = Vec<u64>>) -> Vec<u64> {
    let mut counts: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    for shape in shapes {
        *counts.entry(shape).or_default() += 1;
    }
    let usual = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    usual.map(|(shape, _)| shape).unwrap_or_default()
}
