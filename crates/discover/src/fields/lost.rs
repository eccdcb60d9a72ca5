//! What varies on the pages and stands in no column yet, found by what stands before it in reading order.
//!
//! # What it does
//! Texts that stand once on many pages are landmarks. Every visible text that no column reads is named by its landmark,
//! the tag that holds it and its place behind the landmark among texts of that tag; names that recur with different
//! texts become columns of the page.
//! # Assumes
//! Nothing about tables, wrappers or classes: only that pages of one type say things in the same order.
//! # When it fails
//! Long lists that no table reads: each of their first entries would be a column, so that only few are taken.
//! # Paper
//! None: T3 of our own design, nothing that varies is lost.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{Behind, Template, View, What, holder, stretches, walk};

use super::columns::Slot;
use super::labels::{COMMON, NEARLY_ALWAYS};
use super::landmarks::COLON_PAGES;

/// Texts of one tag behind one landmark that are told apart by number. Facts have one value or two; what goes on is a list.
const MOST_IN_A_ROW: u32 = 4;

/// Where columns read most of the texts at a place already, the rest are odd pages.
const MOSTLY_LOST: f64 = 0.5;

/// A place without a landmark of its own right before it is believed when this share of the pages have it: the same share
/// that makes a text a landmark.
const FAR_FROM_LANDMARK: f64 = COMMON;

/// Adds a slot for every place behind one of the landmarks (sorted) whose texts vary and are read by none of the slots, and
/// says whether there are any. What stands right behind one of the `names` (sorted) is a fact even where it never changes.
pub(super) fn add_lost(
    views: &[View],
    template: &Template,
    landmarks: &[String],
    names: &[String],
    slots: &mut Vec<Slot>,
) -> bool {
    if landmarks.is_empty() {
        return false;
    }
    let mut reads = vec![false; template.nodes.len()];
    for slot in slots.iter().filter(|slot| says_text(&slot.what)) {
        slot.also.iter().chain([&slot.step]).for_each(|&step| reads[step] = true);
    }
    let is_landmark = |text: &str| landmarks.binary_search_by(|known| known.as_str().cmp(text)).is_ok();
    let pages: Vec<Vec<Place>> =
        views.par_iter().map(|view| places(view, template, &reads, &is_landmark)).collect();
    let mut found: FxHashMap<&Behind, (Slot, usize)> = FxHashMap::default();
    for (page, places) in (0u32..).zip(&pages) {
        for place in places {
            let (slot, lost) = found
                .entry(&place.behind)
                .or_insert_with(|| (Slot::new(0, What::Behind(place.behind.clone()), 0), 0));
            slot.see((page, 0), place.value.clone(), place.at);
            *lost += usize::from(place.is_lost);
        }
    }
    let is_column = |slot: &Slot, lost: usize| {
        let What::Behind(behind) = &slot.what else { return false };
        let close = !behind.landmark.is_empty() && behind.index == 0;
        if close && slot.values > 1 && names.binary_search(&behind.landmark).is_ok() {
            return lost as f64 >= MOSTLY_LOST * slot.values as f64;
        }
        let enough = if close { 0.0 } else { FAR_FROM_LANDMARK * views.len() as f64 };
        slot.distinct_values() > 1
            && (slot.most_frequent() as f64) < NEARLY_ALWAYS * slot.values as f64
            && slot.examples.iter().filter(|value| value.contains(char::is_alphanumeric)).count() * 2
                > slot.examples.len()
            && slot.values >= COLON_PAGES
            && slot.values as f64 >= enough
            && lost as f64 >= MOSTLY_LOST * slot.values as f64
    };
    let mut lost: Vec<Slot> =
        found.into_values().filter(|(slot, lost)| is_column(slot, *lost)).map(|(slot, _)| slot).collect();
    lost.sort_by(|a, b| a.what.cmp(&b.what));
    let any = !lost.is_empty();
    slots.extend(lost);
    any
}

fn says_text(what: &What) -> bool {
    match what {
        What::Text | What::Prose | What::Word | What::Trail => true,
        What::Part(whole, _) | What::Lead(whole) => says_text(whole),
        What::Head(_) | What::Attribute(_) | What::Address | What::Data(_) | What::Behind(_) => false,
    }
}

/// A text on a page by its landmark.
struct Place {
    behind: Behind,
    value: String,
    /// Where on the page, from 0 to 1.
    at: f64,
    /// No column reads it.
    is_lost: bool,
}

/// The places behind the landmarks of one page.
fn places(
    view: &View,
    template: &Template,
    reads: &[bool],
    is_landmark: &(impl Fn(&str) -> bool + Sync),
) -> Vec<Place> {
    let mut covered = vec![false; view.texts.len()];
    walk(view, template, |visit| {
        if reads[visit.step] {
            covered[view.texts_in(visit.node)].fill(true);
        }
        None
    });
    let mut places = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for stretch in stretches(view, is_landmark) {
        // Behind a landmark that comes again nobody looks.
        if !seen.insert(stretch.landmark) {
            continue;
        }
        let place = |text: usize, tag: &str, index: u32, value: &str| Place {
            behind: Behind { landmark: stretch.landmark.to_owned(), tag: tag.to_owned(), index },
            value: value.to_owned(),
            at: view.texts[text].node.index() as f64 / view.tree.len() as f64,
            is_lost: !covered[text],
        };
        if let Some(text) = stretch.inside {
            let rest = view.texts[text].value[stretch.landmark.len()..].trim_start();
            places.push(place(text, "", 0, rest));
        }
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for text in stretch.texts.clone().filter(|&text| !view.texts[text].hidden) {
            let tag = holder(view, text);
            let index = counts.entry(tag).or_default();
            if *index < MOST_IN_A_ROW {
                places.push(place(text, tag, *index, &view.texts[text].value));
            }
            *index += 1;
        }
    }
    places
}
