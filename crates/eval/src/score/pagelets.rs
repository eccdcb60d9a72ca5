//! The answers on pages of search results, and their items, against the labelled records.

use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::GoldPage;
use crate::observed::{Observed, ObservedPagelet};
use rustc_hash::FxHashMap;
use unsite_learn::measures::Prf;
use unsite_learn::measures::text_match::is_word;

/// How the labels call searches that found nothing: `search_none`, `job_search_none`.
const NONE: [&str; 5] = ["none", "nothing", "empty", "no-match", "no_match"];

/// THOR's measures on the pages that answer a search: `pagelets`, the correct ones among those reported and among those
/// there are; and `objects`, the labelled records that are separated exactly (precision: among all items reported).
///
/// A pagelet is correct when it holds every labelled record and none of its children holds all of them (of a single record it
/// is enough to hold it). Where searches that found nothing are a class of their own (by its name, such as `search_none`), all other pages
/// without records are not labelled: some designs do not show what the records are made of. An item separates a record exactly when it holds all its values and no other whole record.
pub(super) fn score(observed: &Observed, gold: &[GoldPage]) -> Vec<TargetScore> {
    let Some(all) = &observed.pagelets else { return Vec::new() };
    let found: FxHashMap<&str, &ObservedPagelet> =
        all.iter().map(|(page, found)| (key(page), found)).collect();
    let (mut right, mut reported, mut present) = (0, 0, 0);
    let (mut separated, mut items, mut records) = (0, 0, 0);
    let (mut misses, mut inside) = (Vec::new(), Vec::new());
    let searches = gold.iter().filter(|page| page.role.as_deref() == Some("search"));
    // Some search pages have labelled answers, others none because nothing was found; without the former nothing is known.
    if !gold.iter().any(|page| page.role.as_deref() == Some("search") && !page.records.is_empty()) {
        return Vec::new();
    }
    let is_labelled = labelled(gold);
    for page in searches.filter(|page| is_labelled(page)) {
        let file = key(&page.file);
        let wanted: Vec<Vec<String>> = page
            .records
            .iter()
            .map(|record| record.iter().map(|(_, value)| squeezed(value.as_str())).collect())
            .collect();
        let here = found.get(file);
        present += usize::from(!wanted.is_empty());
        reported += usize::from(here.is_some());
        records += wanted.len();
        let Some(here) = here else {
            if !wanted.is_empty() {
                misses.push(Miss::new(file, ["a pagelet"], ["none"]));
            }
            continue;
        };
        let whole = squeezed(&here.text);
        let parts: Vec<String> = here.parts.iter().map(|part| squeezed(part)).collect();
        let holds = |text: &str| wanted.iter().all(|record| holds_record(text, record));
        let is_right = !wanted.is_empty()
            && holds(&whole)
            && (wanted.len() < 2 || !parts.iter().any(|part| holds(part)));
        right += usize::from(is_right);
        if !is_right {
            misses.push(Miss::new(
                file,
                page.records.first().into_iter().flat_map(texts),
                [here.text.as_str()],
            ));
        }
        items += here.objects.len();
        let objects: Vec<String> = here.objects.iter().map(|object| squeezed(object)).collect();
        for (at, record) in wanted.iter().enumerate() {
            let separates = |object: &String| {
                let other = |(other, values): (usize, &Vec<String>)| {
                    other != at && values != record && holds_record(object, values)
                };
                holds_record(object, record) && !wanted.iter().enumerate().any(other)
            };
            if objects.iter().any(separates) {
                separated += 1;
            } else if inside.len() < EXAMPLES {
                inside.push(Miss::new(
                    file,
                    texts(&page.records[at]),
                    here.objects.iter().map(String::as_str),
                ));
            }
        }
    }
    let mut pagelets = TargetScore::new("pagelets", Prf::from_counts(right, reported, present));
    pagelets.note = format!("{present} pages with an answer");
    pagelets.misses = misses.into_iter().take(EXAMPLES).collect();
    let mut objects = TargetScore::new("objects", Prf::from_counts(separated, items.max(separated), records));
    objects.note = format!("{separated} of {records} records separated exactly");
    objects.misses = inside;
    vec![pagelets, objects]
}

/// Whether the records of a page that answers a search are known, the case that there are none included.
fn labelled(gold: &[GoldPage]) -> impl Fn(&GoldPage) -> bool {
    let says_none = |page: &GoldPage| {
        page.page_type.as_ref().is_some_and(|class| NONE.iter().any(|none| class.ends_with(none)))
    };
    let none_is_a_class = gold.iter().any(|page| page.role.as_deref() == Some("search") && says_none(page));
    move |page| !page.records.is_empty() || !none_is_a_class || says_none(page)
}

fn texts(record: &crate::gold::Ordered<crate::gold::Text>) -> Vec<&str> {
    record.iter().map(|(_, value)| value.as_str()).collect()
}

fn holds_record(text: &str, record: &[String]) -> bool {
    record.iter().all(|value| text.contains(value.as_str()))
}

/// Letters and digits alone: what stands between them depends on how markup is turned into text.
fn squeezed(text: &str) -> String {
    text.chars().filter(|&c| is_word(c)).flat_map(char::to_lowercase).collect()
}
