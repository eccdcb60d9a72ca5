//! Which slots are worth a column. A site with a thousand columns is as hard to use as one with none.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Url;
use unsite_wrapper::{View, What};
use xxhash_rust::xxh3::xxh3_64;

use super::columns::Slot;
use super::grow::Grown;
use super::parts;

/// A slot without a label that stands on fewer pages than this share is a splinter: what it holds there is a whim of the
/// page and not a field of the type.
const RARE: f64 = 0.08;

/// From this many pages on, rare can be told from few.
const MANY_PAGES: usize = 30;

/// Links whose hosts differ in at least this share of the pages lead to something that belongs to the page.
const HOSTS_DIFFER: f64 = 0.1;

/// A list whose pages all show the same entries has hardly more different ones than a page has.
const SAME_ENTRIES: f64 = 1.1;

/// The lists that say the same on every page (menus, link farms), whatever their links carry.
pub(super) fn static_lists(slots: &[Slot], pages: usize) -> FxHashSet<usize> {
    let mut stays: FxHashSet<usize> = FxHashSet::default();
    let mut lists: FxHashSet<usize> = FxHashSet::default();
    for slot in slots.iter().filter(|slot| slot.list != 0 && matches!(slot.what, What::Text | What::Prose)) {
        lists.insert(slot.list);
        let on_pages = pages_with(slot);
        let entries = slot.values as f64 / on_pages.max(1) as f64;
        if on_pages < MANY_PAGES || slot.distinct_values() as f64 > SAME_ENTRIES * entries {
            stays.insert(slot.list);
        }
    }
    lists.retain(|list| pages >= MANY_PAGES && !stays.contains(list));
    lists
}

fn pages_with(slot: &Slot) -> usize {
    let mut pages: Vec<u32> = slot.rows.iter().map(|(page, _)| *page).collect();
    pages.sort_unstable();
    pages.dedup();
    pages.len()
}

/// A list on few pages tells as much as a field when it has a row for this share of all pages.
const ROWS: f64 = 0.5;

/// And when it has so many rows wherever it stands, on more than one page: a pair may be an accident, three are a pattern.
const SEVERAL: usize = 3;

/// Is this slot too rare to be a field? A label makes it one, however rare, and so do many rows.
pub(super) fn is_splinter(grown: &Grown, slot: &Slot, pages: usize) -> bool {
    let shown_on = pages_with(slot);
    let several = shown_on > 1 && slot.values >= SEVERAL * shown_on;
    let many_rows = slot.list != 0 && (several || slot.values as f64 >= ROWS * pages as f64);
    let rare = !many_rows && (shown_on as f64) < RARE * pages as f64;
    pages >= MANY_PAGES && rare && !is_labelled(grown, slot.step)
}

fn is_labelled(grown: &Grown, step: usize) -> bool {
    let mut at = step;
    while at != 0 && !grown.lists[at] {
        if grown.label_of[at].is_some() {
            return true;
        }
        at = grown.template.nodes[at].parent;
    }
    false
}

/// A word goes on behind a text in this share of its places: otherwise that is an accident.
const WHOLE_WORDS: f64 = 0.9;

/// The steps whose texts begin words that say more than the text: what follows varies, and the text itself varies as well or is
/// a sign (`£`).
pub(super) fn whole_words(slots: &[Slot], instances: &[usize]) -> FxHashSet<usize> {
    let mut own: FxHashMap<(usize, (u32, u32)), &str> = FxHashMap::default();
    for slot in slots.iter().filter(|slot| matches!(slot.what, What::Text | What::Prose)) {
        let rows = slot.examples.iter().zip(&slot.example_rows);
        own.extend(rows.map(|(value, row)| ((slot.step, *row), value.as_str())));
    }
    let words = slots.iter().filter(|slot| {
        slot.what == What::Word && slot.values as f64 >= WHOLE_WORDS * instances[slot.step] as f64
    });
    let tells = |slot: &&Slot| {
        let (mut beginnings, mut endings) = (FxHashSet::default(), FxHashSet::default());
        for (word, row) in slot.examples.iter().zip(&slot.example_rows) {
            let Some(text) = own.get(&(slot.step, *row)) else { continue };
            beginnings.insert(*text);
            endings.extend(word.strip_prefix(text));
        }
        let is_sign = |text: &&str| !text.contains(char::is_alphanumeric);
        endings.len() > 1 && (beginnings.len() > 1 || beginnings.iter().all(is_sign))
    };
    words.filter(tells).map(|slot| slot.step).collect()
}

/// Inline markup that sets a value off from the sentence around it.
const EMPHASIS: [&str; 8] = ["a", "b", "code", "em", "i", "span", "strong", "time"];

/// A value that never changes is still told on nearly every page.
const ALWAYS: f64 = 0.9;

/// The kinds of labelled marks in a line of text that are known to hold values, with the step that they stand under.
pub(super) fn varied_marks<'s>(
    grown: &Grown,
    slots: impl Iterator<Item = &'s Slot>,
) -> FxHashSet<(usize, u64)> {
    slots.filter(|slot| is_mark(grown, slot)).map(|slot| mark_of(grown, slot)).collect()
}

/// Is this a constant that the line it stands in marks as it marks its values (`Created on <b>May 4</b> by <b>admin</b>`)?
pub(super) fn is_marked_as_value(
    grown: &Grown,
    slot: &Slot,
    varied: &FxHashSet<(usize, u64)>,
    pages: usize,
) -> bool {
    is_mark(grown, slot)
        && slot.values as f64 >= ALWAYS * pages as f64
        && varied.contains(&mark_of(grown, slot))
}

fn is_mark(grown: &Grown, slot: &Slot) -> bool {
    let said = matches!(slot.what, What::Text | What::Prose);
    said && slot.list == 0
        && grown.label_of[slot.step].is_some()
        && EMPHASIS.contains(&grown.tags[slot.step].as_str())
}

fn mark_of(grown: &Grown, slot: &Slot) -> (usize, u64) {
    (grown.template.nodes[slot.step].parent, grown.kinds[slot.step])
}

/// For each slot, whether it is the address of a link that says the same on all pages (`Print`, `Write a review`,
/// `Share`): the address repeats the page's own key. Links that lead to different sites (`Visit website`) are facts.
pub(super) fn idle_links(grown: &Grown, slots: &[Slot], views: &[View]) -> Vec<bool> {
    let read_texts: FxHashSet<usize> = slots
        .iter()
        .filter(|slot| matches!(slot.what, What::Text | What::Prose))
        .flat_map(|slot| {
            let mut steps = vec![slot.step];
            while let Some(&last) = steps.last().filter(|last| **last != 0) {
                steps.push(grown.template.nodes[last].parent);
            }
            steps
        })
        .collect();
    // A text that is read whole may stand in a link deeper inside, to something that several pages have in common.
    let read_whole: FxHashSet<usize> =
        slots.iter().filter(|slot| slot.what == What::Prose).map(|slot| slot.step).collect();
    let is_read = |slot: &Slot| {
        let above = |&at: &usize| (at != 0).then(|| grown.template.nodes[at].parent);
        let mut steps = std::iter::successors(Some(slot.step), above);
        let shared = 2 * slot.distinct_values() <= slot.values;
        read_texts.contains(&slot.step) || (shared && steps.any(|step| read_whole.contains(&step)))
    };
    slots.iter().map(|slot| !is_read(slot) && is_idle_link(grown, slot, views.len())).collect()
}

fn is_idle_link(grown: &Grown, slot: &Slot, pages: usize) -> bool {
    let is_link = matches!(&slot.what, What::Attribute(name) if name == "href");
    if !is_link || slot.list != 0 || pages < MANY_PAGES {
        return false;
    }
    let node = &grown.template.nodes[slot.step];
    let shows_text = node.prose || node.specs.iter().any(|spec| grown.tags[spec.node].is_empty());
    let hosts: FxHashSet<String> = slot
        .examples
        .iter()
        .filter_map(|address| Url::parse(address).ok()?.host_str().map(str::to_owned))
        .collect();
    shows_text && (hosts.len() as f64) < (HOSTS_DIFFER * slot.examples.len() as f64).max(2.0)
}

/// Drops what is read as a whole beside its parts where it is one of them and punctuation.
pub(super) fn drop_wholes_of_one_part(grown: &Grown, slots: &mut Vec<Slot>) {
    let is_whole = |slot: &Slot| slot.what == What::Prose && !grown.template.nodes[slot.step].prose;
    let known = parts::values_by_row(slots.iter().filter(|slot| !is_whole(slot)));
    let words = |value: &str| xxh3_64(value.trim_matches(|c: char| !c.is_alphanumeric()).as_bytes());
    slots.retain(|slot| {
        let told = slot.examples.iter().zip(&slot.example_rows).filter(|(value, row)| {
            let says = |hash: u64| known.contains(&(slot.list, **row, hash));
            let label = grown.label_of[slot.step].as_deref().unwrap_or_default();
            let behind = value.strip_prefix(label).unwrap_or(value).trim_start_matches([' ', ':', '：']);
            says(xxh3_64(value.as_bytes())) || says(words(value)) || says(xxh3_64(behind.as_bytes()))
        });
        !is_whole(slot) || (told.count() as f64) < parts::KNOWN * slot.examples.len() as f64
    });
}
