//! Constant texts that introduce something: `Height`, `ISBN:`, a section's heading.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::NodeId;
use unsite_wrapper::{Introduced, Introduction, ValueType, View, inline_label, introduce, label_in, typed};

use super::coincidences;
use super::companions;
use super::exchange;
use super::grow::Instance;
use super::opening_words;
use super::siblings::{Member, by_parent};
use crate::thing_names::ThingNames;

/// A text that stands under at least this share of the parents is constant. The share of the known baseline
/// for such sites (nearest preceding text on over 30 % of the pages).
pub(crate) const COMMON: f64 = 0.3;

/// In a place where nearly all texts recur, the recurring ones are labels even if each is rare.
const RECURRING_MASS: f64 = 0.8;
const RECURRING_PARENTS: usize = 3;

/// A label stands once under a parent; a text doubled under more than this share of its parents is none.
pub(super) const DOUBLED: f64 = 0.2;

/// A text that stands alone in its element is a label if this share of the elements of its kind are constant:
/// otherwise it is a frequent value among others (`Drama` in a list of genres).
pub(super) const PURE: f64 = 0.7;

/// A text under this share of the parents is constant whatever its neighbours are.
pub(super) const NEARLY_ALWAYS: f64 = 0.9;

/// Groups whose size under a parent varies more than this say nothing about what a missing text takes away.
const STEADY: f64 = 2.0;

/// A label's absence takes one sibling away; half of one tells the two cases apart.
const ONE_LESS: f64 = 0.5;

/// Standard errors within which a difference may be chance.
const CHANCES: f64 = 3.0;

/// Labels introduce values that differ. Where fewer than this share of them do, the "labels" are entries of
/// a static list.
const VARYING: f64 = 0.3;

const LONGEST: usize = 60;

/// The labels among the children of one step.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(super) known: FxHashSet<String>,
}

impl Labels {
    pub(crate) fn into_sorted(self) -> Vec<String> {
        let mut sorted: Vec<String> = self.known.into_iter().collect();
        sorted.sort_unstable();
        sorted
    }

    /// The label of a text: all of it, or what stands before its colon.
    pub(crate) fn of<'t>(&self, text: &'t str) -> Option<&'t str> {
        label_in(text, |label| self.known.contains(label))
    }

    /// The label of a text, or else all of it.
    fn named<'t>(&self, text: &'t str) -> &'t str {
        self.of(text).unwrap_or(text)
    }

    /// What the labels say about every child of the instances. One pass, however many kinds of children there are.
    pub(crate) fn introductions<'v>(
        &self,
        views: &'v [View],
        instances: &[Instance],
    ) -> FxHashMap<(u32, NodeId), Introduced<'v>> {
        let mut found = FxHashMap::default();
        if self.is_empty() {
            return found;
        }
        for instance in instances {
            let view = &views[instance.page as usize];
            let mut introduction = Introduction::default();
            for child in view.content_children(instance.node) {
                let introduced = introduce(view, child, &mut introduction, |text| self.of(text));
                found.insert((instance.page, child), introduced);
            }
        }
        found
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[derive(Default)]
pub(super) struct Count {
    pub(super) parents: usize,
    doubled: usize,
    last: Option<u32>,
    last_was_doubled: bool,
}

impl Count {
    pub(super) fn see(&mut self, parent: u32) {
        if self.last == Some(parent) {
            if !self.last_was_doubled {
                self.doubled += 1;
                self.last_was_doubled = true;
            }
        } else {
            self.parents += 1;
            self.last = Some(parent);
            self.last_was_doubled = false;
        }
    }

    pub(super) fn is_single(&self) -> bool {
        self.doubled as f64 <= DOUBLED * self.parents as f64
    }
}

/// The labels among the children of the instances.
pub(crate) fn find(
    views: &[View],
    instances: &[Instance],
    members: &[(u64, Vec<Member>)],
    names: &ThingNames,
) -> Labels {
    let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
    let mut in_order: Vec<&Member> = members.iter().flat_map(|(_, group)| group).collect();
    in_order.sort_unstable_by_key(|member| (member.parent, member.position));
    for member in in_order {
        for candidate in candidates(views, member).filter(|text| !names.has(text)) {
            counts.entry(candidate).or_default().see(member.parent);
        }
    }
    let mut labels = Labels::default();
    let enough = (COMMON * instances.len() as f64).max(2.0);
    if instances.len() == 1 {
        return alone(views, members);
    }
    let values = frequent_values(views, instances.len(), members, &counts);
    for (text, count) in &counts {
        let enough =
            if has_digit(text) { enough.max(NEARLY_ALWAYS * instances.len() as f64) } else { enough };
        if count.parents as f64 >= enough && count.is_single() && !values.contains(text) {
            labels.known.insert((*text).to_owned());
        }
    }
    coincidences::drop(views, members, enough <= SO_FEW, &mut labels);
    for (_, group) in members {
        extend_by_place(views, group, &counts, &values, &mut labels);
    }
    for (_, group) in members {
        let words = opening_words::find(views, group, enough, |text| labels.of(text).is_some());
        labels.known.extend(words);
    }
    drop_block_labels(views, members, &mut labels);
    // What is dropped may have been what another one introduced.
    for _ in 0..IDLE_ROUNDS {
        drop_idle_labels(views, instances, &mut labels);
    }
    drop_static_lists(views, members, &mut labels);
    drop_shuffled(views, members, &mut labels);
    labels
}

/// Names of facts come in an order of their own, first words of values in any: the labels of rows that are shuffled from
/// parent to parent are values.
fn drop_shuffled(views: &[View], members: &[(u64, Vec<Member>)], labels: &mut Labels) {
    for (_, group) in members {
        let label_of = |member: &Member| {
            let view = &views[member.page as usize];
            let label = labels.of(&view.texts[view.texts_in(member.node)].first()?.value)?;
            (!label.ends_with([':', '：'])).then_some(label)
        };
        let named = by_parent(group)
            .into_iter()
            .map(|range| group[range].iter().filter_map(label_of).collect::<Vec<_>>());
        let named: Vec<Vec<&str>> = named.collect();
        if exchange::are_shuffled(&named) {
            for label in named.into_iter().flatten().map(str::to_owned).collect::<FxHashSet<_>>() {
                labels.known.remove(&label);
            }
        }
    }
}

/// Where this many parents are enough for a label, any name that is on two pages would be one.
const SO_FEW: f64 = 2.0;

/// Under a single parent nothing can be seen to be constant: only a text that ends with a colon is a label, and one that
/// stands before a single sibling (`Sticky:` before two rows of many is something they say).
fn alone(views: &[View], members: &[(u64, Vec<Member>)]) -> Labels {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for member in members.iter().flat_map(|(_, group)| group) {
        let view = &views[member.page as usize];
        if let Some(first) = view.texts[view.texts_in(member.node)].first()
            && first.value.ends_with([':', '：'])
            && could_be_label(&first.value)
        {
            *counts.entry(first.value.as_ref()).or_default() += 1;
        }
    }
    let single = counts.into_iter().filter(|(_, times)| *times == 1);
    Labels { known: single.map(|(label, _)| label.to_owned()).collect() }
}

/// Texts that fill their elements and are frequent, among neighbours of the same kind that are not.
fn frequent_values<'v>(
    views: &'v [View],
    parents: usize,
    members: &[(u64, Vec<Member>)],
    counts: &FxHashMap<&str, Count>,
) -> FxHashSet<&'v str> {
    let mut values = FxHashSet::default();
    for (_, group) in members {
        let mut alone: Vec<&str> = Vec::new();
        let (mut constant, mut all) = (0usize, 0usize);
        for member in group {
            let view = &views[member.page as usize];
            let texts = &view.texts[view.texts_in(member.node)];
            let Some(first) = texts.first() else { continue };
            all += 1;
            let text = first.value.as_ref();
            let seen = counts.get(text).map_or(0, |count| count.parents) as f64;
            if seen >= COMMON * parents as f64 {
                constant += 1;
                if texts.len() == 1 && !text.ends_with([':', '：']) && seen < NEARLY_ALWAYS * parents as f64
                {
                    alone.push(text);
                }
            }
        }
        if (constant as f64) < PURE * all as f64 {
            values.extend(alone);
        }
        values.extend(exchangeable(views, parents, group, counts));
    }
    values
}

/// Where a label is missing, one sibling less is there; where a value is missing, another value stands in its place.
/// These are the frequent first texts whose absence does not make the group smaller, among parents of the kind that they stand
/// under.
fn exchangeable<'v>(
    views: &'v [View],
    parents: usize,
    group: &[Member],
    counts: &FxHashMap<&str, Count>,
) -> Vec<&'v str> {
    let ranges = by_parent(group);
    let mean = group.len() as f64 / parents as f64;
    let variance =
        ranges.iter().map(|range| (range.len() as f64 - mean).powi(2)).sum::<f64>() / ranges.len() as f64;
    if variance.sqrt() > STEADY {
        return Vec::new();
    }
    // For each first text: in how many parents, how many siblings it had there, and how often it stood alone in an
    // element that is not for labels.
    let mut with: FxHashMap<&str, (usize, usize, usize)> = FxHashMap::default();
    for range in &ranges {
        for member in &group[range.clone()] {
            let view = &views[member.page as usize];
            let texts = &view.texts[view.texts_in(member.node)];
            let last = if texts.len() > 1 { texts.last() } else { None };
            for text in texts.first().into_iter().chain(last) {
                let entry = with.entry(&text.value).or_default();
                entry.0 += 1;
                entry.1 += range.len();
                entry.2 += usize::from(texts.len() == 1 && !names_value(view, member.node));
            }
        }
    }
    let recurs = |text: &str| counts.get(text).is_some_and(|count| count.parents > 1);
    let comparable = companions::comparable(views, group, &ranges, recurs);
    with.retain(|text, (here, siblings, alone)| {
        let seen = counts.get(text).map_or(0, |count| count.parents) as f64;
        let optional = seen >= 2.0 && seen < NEARLY_ALWAYS * parents as f64;
        let others = (parents.saturating_sub(*here), group.len().saturating_sub(*siblings));
        let (without, siblings_there) = comparable.get(text).copied().unwrap_or(others);
        if !optional || text.ends_with([':', '：']) || without == 0 {
            return false;
        }
        let elsewhere = siblings_there as f64 / without as f64;
        let more = *siblings as f64 / *here as f64 - elsewhere;
        // On few pages chance alone makes the difference small. A text with its value beside it in one element, or
        // in one for labels, is taken for a label until that is out of the question.
        let chance = (variance * (1.0 / *here as f64 + 1.0 / without as f64)).sqrt();
        more < ONE_LESS && (2 * *alone > *here || more + CHANCES * chance < 1.0)
    });
    with.into_keys().collect()
}

/// Elements that are there for labels.
fn names_value(view: &View, node: NodeId) -> bool {
    matches!(view.tree.name(node), "dt" | "th" | "label")
}

/// What a child could be labelled with: its first text, that text up to a colon, and its last text.
pub(super) fn candidates<'v>(views: &'v [View], member: &Member) -> impl Iterator<Item = &'v str> + use<'v> {
    let view = &views[member.page as usize];
    let texts = view.texts_in(member.node);
    let first = texts.clone().next().map(|at| view.texts[at].value.as_ref());
    let last = (texts.len() > 1).then(|| view.texts[texts.end - 1].value.as_ref());
    let inline = first.and_then(inline_label);
    // `Camera: D750` is a label with its value, however often it stands there.
    let first = first.filter(|_| inline.is_none());
    let last = last.filter(|last| inline_label(last).is_none());
    [first, inline, last].into_iter().flatten().filter(|text| could_be_label(text))
}

pub(super) fn could_be_label(text: &str) -> bool {
    let is_date = || has_digit(text) && typed(ValueType::Date, text).is_some();
    text.len() <= LONGEST && text.chars().any(char::is_alphabetic) && !is_date() && !is_entry(text)
}

/// One letter alone is an entry of an alphabet, which lists are ordered by; scripts whose letters are words have no case.
fn is_entry(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_uppercase() || first.is_lowercase())
        && letters.next().is_none()
}

/// Dates and counts recur too: a text with a digit is a label only where it nearly always stands.
pub(super) fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// A repeated sibling whose first texts nearly all recur is labelled by them, also by the rare ones.
fn extend_by_place(
    views: &[View],
    group: &[Member],
    counts: &FxHashMap<&str, Count>,
    values: &FxHashSet<&str>,
    labels: &mut Labels,
) {
    let firsts: Vec<&str> = group
        .iter()
        .filter_map(|member| {
            let view = &views[member.page as usize];
            let texts = view.texts_in(member.node);
            (texts.len() > 1).then(|| view.texts[texts.start].value.as_ref())
        })
        .collect();
    if firsts.len() * 2 < group.len() {
        return;
    }
    let recurs = |text: &str| {
        could_be_label(text)
            && !has_digit(text)
            && !values.contains(text)
            && counts.get(text).is_some_and(|count| count.parents >= RECURRING_PARENTS && count.is_single())
    };
    let recurring = firsts.iter().filter(|text| recurs(text)).count();
    if recurring as f64 >= RECURRING_MASS * firsts.len() as f64 && recurring > 0 {
        labels.known.extend(firsts.into_iter().filter(|text| recurs(text)).map(str::to_owned));
    }
}

/// A label alone in its element has something to introduce right behind it in all but this share of the cases: tags and
/// genres follow each other.
const IDLE: f64 = 0.3;
const IDLE_ROUNDS: usize = 2;

/// A heading that always stands there may more often have nothing behind it: no reviews yet.
const IDLE_OF_ALWAYS: f64 = 0.5;

/// Labels that introduce nothing are frequent values.
fn drop_idle_labels(views: &[View], instances: &[Instance], labels: &mut Labels) {
    if labels.is_empty() {
        return;
    }
    // For each label that fills its element: how often, and how often nothing came behind it.
    let mut uses: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for instance in instances {
        let view = &views[instance.page as usize];
        let mut introduction = Introduction::default();
        let mut waiting: Option<&str> = None;
        for child in view.content_children(instance.node) {
            match introduce(view, child, &mut introduction, |text| labels.of(text)) {
                Introduced::Label => {
                    if let Some(idle) = waiting {
                        uses.entry(idle).or_default().1 += 1;
                    }
                    waiting = introduction.label;
                    if let Some(label) = waiting {
                        uses.entry(label).or_default().0 += 1;
                    }
                }
                Introduced::By(_) => waiting = None,
            }
        }
        if let Some(idle) = waiting {
            uses.entry(idle).or_default().1 += 1;
        }
    }
    let most_idle = |all: usize| {
        let always = all as f64 >= NEARLY_ALWAYS * instances.len() as f64;
        if always { IDLE_OF_ALWAYS } else { IDLE }
    };
    let idle = uses.into_iter().filter(|(_, (all, idle))| *idle as f64 > most_idle(*all) * *all as f64);
    let gone: Vec<String> = idle.map(|(label, _)| label.to_owned()).collect();
    for label in gone {
        labels.known.remove(&label);
    }
}

/// How many texts of a block are searched for labels.
const BLOCK_TEXTS: usize = 40;

/// A block that holds several labelled rows begins with the label of whichever row comes first: such a label names
/// the row, not the block. It does when a text that begins another block stands inside what it begins.
fn drop_block_labels<'v>(views: &'v [View], members: &[(u64, Vec<Member>)], labels: &mut Labels) {
    for (_, group) in members {
        let mut begins: FxHashMap<&str, usize> = FxHashMap::default();
        let texts_of = |member: &Member| {
            let view = &views[member.page as usize];
            &view.texts[view.texts_in(member.node)]
        };
        // A line with its own label names its value whether or not enough others begin so.
        let named = |text: &'v str| inline_label(text).unwrap_or_else(|| labels.named(text));
        let first = |member: &Member| texts_of(member).first().map(|text| named(&text.value));
        group.iter().filter_map(first).for_each(|text| *begins.entry(text).or_default() += 1);
        let mut inside: FxHashMap<(&str, &str), usize> = FxHashMap::default();
        for member in group {
            let texts = texts_of(member);
            let Some(own) = texts.first().and_then(|text| labels.of(&text.value)) else { continue };
            for text in texts.iter().skip(1).take(BLOCK_TEXTS) {
                let other = named(&text.value);
                if other != own && begins.contains_key(other) {
                    *inside.entry((own, other)).or_default() += 1;
                }
            }
        }
        // Tables and definition lists are there to hold such rows.
        let tag = views[group[0].page as usize].tree.name(group[0].node);
        let enough = if matches!(tag, "table" | "dl") { 1 } else { 2 };
        let mut gone: Vec<String> = Vec::new();
        for ((own, other), count) in inside {
            if count >= enough && count as f64 > DOUBLED * begins[own] as f64 && could_be_label(other) {
                gone.extend([own.to_owned(), other.to_owned()]);
            }
        }
        for label in gone {
            labels.known.remove(&label);
        }
    }
}

/// A sidebar of best sellers has recurring first texts too, but what follows each of them never changes.
fn drop_static_lists(views: &[View], members: &[(u64, Vec<Member>)], labels: &mut Labels) {
    for (_, group) in members {
        if by_parent(group).iter().all(|range| range.len() < 2) {
            continue;
        }
        // For each label: the first thing that followed it, and whether anything else did.
        let mut follows: FxHashMap<&str, (u64, bool, usize)> = FxHashMap::default();
        for member in group {
            let view = &views[member.page as usize];
            let texts = &view.texts[view.texts_in(member.node)];
            let (Some(first), Some(last)) = (texts.first(), texts.last()) else { continue };
            let Some(label) = labels.of(&first.value).or_else(|| labels.of(&last.value)) else { continue };
            let inline = label.len() < first.value.len();
            if texts.len() < 2 && !inline {
                continue;
            }
            let rest = texts.iter().fold(0u64, |hash, text| hash.rotate_left(5) ^ text.hash());
            let entry = follows.entry(label).or_insert((rest, false, 0));
            entry.1 |= entry.0 != rest;
            entry.2 += 1;
        }
        follows.retain(|_, (_, _, seen)| *seen > 1);
        let varying = follows.values().filter(|(_, varies, _)| *varies).count();
        // A single one among many without is an entry that many lists have.
        let labelled: usize = follows.values().map(|(_, _, seen)| *seen).sum();
        let several = follows.len() > 1 || 2 * labelled < group.len();
        if several && (varying as f64) < VARYING * follows.len() as f64 {
            let gone: Vec<String> = follows.into_keys().map(str::to_owned).collect();
            for label in gone {
                labels.known.remove(&label);
            }
        }
    }
}
