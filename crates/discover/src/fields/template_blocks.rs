//! Lists that the regions of a page rule out as tables, and which of the others is the main one.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{View, walk};

use super::columns::Slot;
use super::grow::Grown;
use crate::regions::{PlacedTexts, SharedBlocks};

/// Pages that are looked at: numbers of pages are on all.
const LOOKED_AT: usize = 8;

/// So many pages of a type tell by themselves what they repeat; fewer need the pages of other types.
const ENOUGH_PAGES: usize = 3;

/// A list is template when this share of its texts is: the entry of the page itself may be marked.
const TEMPLATE: f64 = 0.8;

/// Page numbers are smaller than years.
const LARGEST_PAGE: u32 = 1_900;

/// The lists that are no tables: blocks of the site's template, and the numbers of further pages.
pub(super) fn template_lists(
    views: &[View],
    grown: &Grown,
    page_type: usize,
    shared: &SharedBlocks,
) -> FxHashSet<usize> {
    let mut seen: FxHashMap<usize, Seen> = FxHashMap::default();
    for view in views.iter().take(LOOKED_AT) {
        let texts = PlacedTexts::of(view.tree);
        let mut last: FxHashMap<usize, u32> = FxHashMap::default();
        walk(view, &grown.template, |visit| {
            if grown.lists[visit.step] {
                let list = seen.entry(visit.step).or_default();
                let (template, all) = shared.share(page_type, &texts, view.tree, visit.node);
                (list.template, list.texts) = (list.template + template, list.texts + all);
                list.rows += 1;
                if let [text] = &view.texts[view.texts_in(visit.node)]
                    && let Some(number) = text.value.parse().ok().filter(|number| *number < LARGEST_PAGE)
                {
                    // Ascending: ratings and counts are not.
                    let before = last.insert(visit.step, number);
                    list.numbers += usize::from(before.is_none_or(|before| before < number));
                }
            }
            None
        });
    }
    let of = |part: usize, all: usize| part > 0 && part as f64 >= TEMPLATE * all as f64;
    let is_menu = |seen: &Seen| views.len() < ENOUGH_PAGES && of(seen.template, seen.texts);
    let is_template = |seen: &Seen| is_menu(seen) || of(seen.numbers, seen.rows);
    seen.into_iter().filter(|(_, seen)| is_template(seen)).map(|(list, _)| list).collect()
}

/// What the rows of a list say.
#[derive(Default)]
struct Seen {
    rows: usize,
    texts: usize,
    /// Of the texts, those of the site's template.
    template: usize,
    /// Rows that are a number above the one before, and nothing else.
    numbers: usize,
}

/// Puts the list that says most, the main region's, before the others of the page; inner lists go with it.
pub(super) fn main_first(lists: &mut [usize], grown: &Grown, slots: &[Slot], list_of: &[usize]) {
    let outermost = |mut list: usize| {
        loop {
            match list_of[grown.template.nodes[list].parent] {
                0 => return list,
                above => list = above,
            }
        }
    };
    let mut said: FxHashMap<usize, f64> = FxHashMap::default();
    for slot in slots.iter().filter(|slot| slot.list != 0 && slot.is_line()) {
        let letters: usize = slot.examples.iter().map(|text| text.chars().count()).sum();
        let mean = letters as f64 / slot.examples.len().max(1) as f64;
        *said.entry(outermost(slot.list)).or_default() += mean * slot.values as f64;
    }
    let Some((main, _)) = said.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
        return;
    };
    // A stable sort: everything else stays in page order, the page's own table first.
    lists.sort_by_key(|&list| if list == 0 { 0 } else { 1 + usize::from(outermost(list) != main) });
}
