//! Lists whose rows are facts: a name and its value. The names are landmarks, and the values columns of the page.
//!
//! # What it does
//! Rows are exchangeable. A list of pairs whose first texts each stand once on a page and again on other pages is not: it is
//! told what stands where, by name. Such a list is taken apart, and what its rows say is read behind their names.
//! # Assumes
//! Names recur on pages, each once on a page, and what stands behind a name differs from page to page.
//! # When it fails
//! Tables of two columns in which every page lists the same things in the same order with other numbers are taken for facts.
//! # Paper
//! The name-value lists that the thesis (Gazen 2008) names as its main cause of low precision; the test is ours.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{View, What};
use xxhash_rust::xxh3::xxh3_64;

use super::columns::Slot;
use super::exchange;
use super::grow::Grown;
use super::labels::{Count, DOUBLED, could_be_label, has_digit};
use crate::thing_names::ThingNames;

/// A place holds names where this share of its texts recur, each once on a page.
const NAMES: f64 = 0.8;

/// What stands behind a name differs for at least this share of the names; otherwise the rows are the same few things on
/// every page.
const VARYING: f64 = 0.3;

/// A name and a value.
const PAIR: usize = 2;

/// Takes lists of facts out of the slots. Gives the names that no landmark was made of yet, sorted.
pub(super) fn take_apart(
    views: &[View],
    landmarks: &[String],
    things: &ThingNames,
    slots: &mut Vec<Slot>,
) -> Vec<String> {
    let is_landmark = |text: &str| landmarks.binary_search_by(|known| known.as_str().cmp(text)).is_ok();
    let mut lists: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, slot) in slots.iter().enumerate() {
        if slot.list != 0 && matches!(slot.what, What::Text | What::Prose) {
            lists.entry(slot.list).or_default().push(at);
        }
    }
    let mut apart: FxHashSet<usize> = FxHashSet::default();
    let mut names: FxHashSet<u64> = FxHashSet::default();
    for (&list, texts) in &lists {
        let texts: Vec<&Slot> = texts.iter().map(|&at| &slots[at]).collect();
        if let Some(key) = key_of_pairs(&texts, things) {
            apart.insert(list);
            names.extend(key.examples.iter().map(|name| xxh3_64(name.as_bytes())));
            names.extend(key.distinct_hashes());
        }
    }
    if apart.is_empty() {
        return Vec::new();
    }
    slots.retain(|slot| !apart.contains(&slot.list));
    recurring(views, &names, is_landmark)
}

/// Takes the lists for none whose rows are groups of labelled facts under headings (`Physical`, `Image`): each fact stands
/// once on a page, in the group that it belongs to, and a list says the same of all its rows. Says whether there are any.
pub(super) fn dissolve_groups(grown: &mut Grown, slots: &[Slot], list_of: &[usize]) -> bool {
    let mut texts_of: FxHashMap<usize, Vec<&Slot>> = FxHashMap::default();
    for slot in slots.iter().filter(|slot| slot.list != 0 && slot.values > 0) {
        if matches!(slot.what, What::Text | What::Prose)
            && list_of[grown.template.nodes[slot.list].parent] == 0
        {
            texts_of.entry(slot.list).or_default().push(slot);
        }
    }
    let groups: Vec<usize> = texts_of
        .into_iter()
        .filter(|(list, texts)| are_groups(grown, *list, texts))
        .map(|(list, _)| list)
        .collect();
    for &list in &groups {
        grown.lists[list] = false;
        for step in (0..grown.opened_by.len()).filter(|&step| list_of[step] == list) {
            // What a heading opened is no list of its own either.
            if grown.opened_by[step].take().is_some() {
                grown.lists[step] = false;
            }
        }
    }
    !groups.is_empty()
}

/// Does each column of a list stand once on a page behind a label, but for headings that recur?
fn are_groups(grown: &Grown, list: usize, texts: &[&Slot]) -> bool {
    let rows: FxHashSet<(u32, u32)> = texts.iter().flat_map(|slot| slot.rows.iter().copied()).collect();
    let mut rows_on: FxHashMap<u32, usize> = FxHashMap::default();
    rows.iter().for_each(|(page, _)| *rows_on.entry(*page).or_default() += 1);
    let several = rows_on.values().filter(|count| **count > 1).count();
    if 2 * several < rows_on.len() {
        return false;
    }
    let is_labelled = |slot: &Slot| {
        let inside = std::iter::successors(Some(slot.step), |&step| Some(grown.template.nodes[step].parent));
        inside.take_while(|&step| step != list && step != 0).any(|step| grown.label_of[step].is_some())
    };
    let is_single = |slot: &Slot| {
        let pages: FxHashSet<u32> = slot.rows.iter().map(|(page, _)| *page).collect();
        (slot.rows.len() - pages.len()) as f64 <= DOUBLED * pages.len() as f64
    };
    let (facts, others): (Vec<&Slot>, Vec<&Slot>) =
        texts.iter().partition(|slot| is_labelled(slot) && is_single(slot));
    let are_headings = |slot: &&Slot| recurring_share(slot, |_| true) >= NAMES;
    facts.len() >= PAIR && others.iter().all(are_headings)
}

/// The slot with the names, where the rows are pairs of a name and a value.
fn key_of_pairs<'s>(texts: &[&'s Slot], things: &ThingNames) -> Option<&'s Slot> {
    let [one, other] = texts else { return None };
    debug_assert_eq!(texts.len(), PAIR);
    let (key, value) = if one.mean_place() <= other.mean_place() { (one, other) } else { (other, one) };
    let counts = counted(key);
    if recurring_share(key, |text| !things.has(text)) < NAMES || counts.len() < PAIR {
        return None;
    }
    let in_order: Vec<Vec<&str>> = key
        .example_rows
        .chunk_by(|a, b| a.0 == b.0)
        .scan(0, |from, rows| {
            let own = *from..*from + rows.len();
            *from = own.end;
            Some(key.examples[own].iter().map(String::as_str).collect())
        })
        .collect();
    if exchange::are_shuffled(&in_order) {
        return None;
    }
    let values: FxHashMap<(u32, u32), &str> =
        value.example_rows.iter().copied().zip(value.examples.iter().map(String::as_str)).collect();
    let mut said: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for (text, row) in key.examples.iter().zip(&key.example_rows) {
        said.entry(text).or_default().extend(values.get(row).copied());
    }
    said.retain(|text, _| counts[*text].parents > 1);
    let varying = said.values().filter(|values| values.len() > 1).count();
    let rows_of_one_page = pages_with_several(key) > 0;
    (rows_of_one_page && varying as f64 >= VARYING * said.len() as f64).then_some(key)
}

/// On how many pages each text of a slot stands.
fn counted(slot: &Slot) -> FxHashMap<&str, Count> {
    let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
    for (text, row) in slot.examples.iter().zip(&slot.example_rows) {
        counts.entry(text).or_default().see(row.0);
    }
    counts
}

/// The share of a slot's texts that could be names: they recur, each once on a page.
fn recurring_share(slot: &Slot, could_be: impl Fn(&str) -> bool) -> f64 {
    let counts = counted(slot);
    let is_name = |text: &str| {
        let count = &counts[text];
        could_be_label(text) && !has_digit(text) && could_be(text) && count.parents > 1 && count.is_single()
    };
    let named = slot.examples.iter().filter(|text| is_name(text)).count();
    named as f64 / slot.examples.len().max(1) as f64
}

fn pages_with_several(slot: &Slot) -> usize {
    let mut rows_on: FxHashMap<u32, usize> = FxHashMap::default();
    slot.example_rows.iter().for_each(|(page, _)| *rows_on.entry(*page).or_default() += 1);
    rows_on.values().filter(|count| **count > 1).count()
}

/// Of the texts with these hashes, those that stand once on the pages that have them, and on more than one; sorted.
fn recurring(views: &[View], hashes: &FxHashSet<u64>, is_landmark: impl Fn(&str) -> bool) -> Vec<String> {
    if hashes.is_empty() {
        return Vec::new();
    }
    let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
    for (page, view) in (0u32..).zip(views) {
        for text in view.texts.iter().filter(|text| !text.hidden && hashes.contains(&text.hash())) {
            counts.entry(&text.value).or_default().see(page);
        }
    }
    let is_name = |text: &str, count: &Count| {
        could_be_label(text)
            && !has_digit(text)
            && !is_landmark(text)
            && count.parents > 1
            && count.is_single()
    };
    let names = counts.into_iter().filter(|(text, count)| is_name(text, count));
    let mut names: Vec<String> = names.map(|(text, _)| text.to_owned()).collect();
    names.sort_unstable();
    names
}
