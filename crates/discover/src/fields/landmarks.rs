//! Texts that stand once on the pages of a type, and where: what does not move when rows are shuffled.

use rustc_hash::FxHashMap;
use unsite_wrapper::{View, inline_label};

use super::labels::{COMMON, Count, NEARLY_ALWAYS, could_be_label, has_digit};
use super::siblings::Member;
use crate::thing_names::ThingNames;

/// A text that ends with a colon says by itself that it introduces something; on so many pages it is no accident.
pub(super) const COLON_PAGES: usize = 3;

/// The landmarks of a page type.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// The texts, sorted; an index into them is a landmark's number.
    pub(super) texts: Vec<String>,
    /// For each page the landmarks in reading order: place in [`View::texts`], number.
    placed: Vec<Vec<(u32, u32)>>,
}

impl Landmarks {
    /// The texts, or what stands before their colons, that stand once on the pages: on many of them, or with a colon on a
    /// few. Dates and counts recur too: with a digit, on nearly all.
    pub(super) fn learn(views: &[View], names: &ThingNames) -> Self {
        let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
        for (page, view) in (0u32..).zip(views) {
            for (_, label) in labels(view) {
                counts.entry(label).or_default().see(page);
            }
        }
        let enough = |text: &str| {
            let share = match (has_digit(text), text.ends_with([':', '：'])) {
                (true, _) => NEARLY_ALWAYS,
                (false, true) => 0.0,
                (false, false) => COMMON,
            };
            (share * views.len() as f64).max(COLON_PAGES as f64)
        };
        counts.retain(|text, count| {
            count.parents as f64 >= enough(text) && count.is_single() && !names.has(text)
        });
        let mut texts: Vec<String> = counts.into_keys().map(str::to_owned).collect();
        texts.sort_unstable();
        let number = |label: &str| texts.binary_search_by(|known| known.as_str().cmp(label)).ok();
        let on_page = |view: &View| {
            labels(view).filter_map(|(at, label)| Some((at as u32, number(label)? as u32))).collect()
        };
        let placed = views.iter().map(on_page).collect();
        Landmarks { texts, placed }
    }

    /// The landmarks inside a member: place in [`View::texts`], number.
    pub(super) fn within(&self, views: &[View], member: &Member) -> &[(u32, u32)] {
        let range = views[member.page as usize].texts_in(member.node);
        let placed = self.placed.get(member.page as usize).map_or(&[][..], Vec::as_slice);
        let from = placed.partition_point(|(at, _)| (*at as usize) < range.start);
        let until = placed.partition_point(|(at, _)| (*at as usize) < range.end);
        &placed[from..until.max(from)]
    }
}

/// The visible texts that could be labels, or have one before a colon.
fn labels<'v>(view: &'v View) -> impl Iterator<Item = (usize, &'v str)> {
    view.texts.iter().enumerate().filter(|(_, text)| !text.hidden).filter_map(|(at, text)| {
        let value = text.value.as_ref();
        let label = inline_label(value).unwrap_or(value);
        could_be_label(label).then_some((at, label))
    })
}
