//! Which first texts of siblings come together: the labels of one kind of thing, among those of other kinds.
//!
//! # What it does
//! Pages of several kinds of things can share one template. A label is then missing on all pages of the other kinds, where other
//! labels stand. Whether something takes a text's place is asked of the parents that it could stand under: those where most
//! of what stands there stands beside it elsewhere.
//! # Assumes
//! A kind of thing has several labels.
//! # When it fails
//! Values that always come together.
//! # Paper
//! Ours.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::View;

use super::siblings::Member;

/// First texts of one parent that are looked at: facts are fewer, and pairs of them are counted.
const MOST: usize = 64;

/// A text could stand where at least this share of what stands there is its companions: more than is not.
const USUAL: f64 = 0.5;

/// With fewer parents anything comes together.
const FEWEST: usize = 3;

/// How many parents a text could stand under and does not, and how many siblings these have.
pub(super) type Comparable<'v> = FxHashMap<&'v str, (usize, usize)>;

/// For each text that others stand beside again and again, the parents without it that mostly have such others.
pub(super) fn comparable<'v>(
    views: &'v [View],
    group: &[Member],
    ranges: &[Range<usize>],
    recurs: impl Fn(&str) -> bool,
) -> Comparable<'v> {
    let firsts: Vec<Vec<&'v str>> = ranges
        .iter()
        .map(|range| {
            let mut firsts: Vec<&str> = group[range.clone()]
                .iter()
                .filter_map(|member| {
                    let view = &views[member.page as usize];
                    view.texts[view.texts_in(member.node)].first().map(|text| text.value.as_ref())
                })
                .filter(|text| recurs(text))
                .take(MOST)
                .collect();
            firsts.sort_unstable();
            firsts.dedup();
            firsts
        })
        .collect();
    let mut alone: FxHashMap<&str, usize> = FxHashMap::default();
    let mut together: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for firsts in &firsts {
        for &text in firsts {
            *alone.entry(text).or_default() += 1;
            for &other in firsts.iter().filter(|&&other| other != text) {
                *together.entry((text, other)).or_default() += 1;
            }
        }
    }
    let mut companions: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    for (&(text, other), &times) in &together {
        if alone[text] >= FEWEST && times > 1 {
            companions.entry(text).or_default().insert(other);
        }
    }
    let mut found: Comparable<'v> = companions.keys().map(|&text| (text, (0, 0))).collect();
    for (firsts, range) in firsts.iter().zip(ranges) {
        // For each text how much of what stands here is seen beside it elsewhere.
        let mut having: FxHashMap<&str, usize> = FxHashMap::default();
        for &text in firsts.iter().flat_map(|text| companions.get(text)).flatten() {
            *having.entry(text).or_default() += 1;
        }
        let missing = having.into_iter().filter(|(text, _)| firsts.binary_search(text).is_err());
        for (text, _) in missing.filter(|(_, having)| *having as f64 >= USUAL * firsts.len() as f64) {
            if let Some(parents) = found.get_mut(text) {
                *parents = (parents.0 + 1, parents.1 + range.len());
            }
        }
    }
    found
}
