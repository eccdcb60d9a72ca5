//! Search forms among all forms.

use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::GoldPage;
use crate::observed::Observed;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use unsite_learn::measures::Prf;

/// The code of a search form.
const SEARCH: &str = "s";
/// Codes of forms that nobody labelled; what a method says about them is not counted.
const UNLABELLED: [&str; 2] = ["X", "-"];

/// Precision, recall and F1 over search forms, matched by their position on the page. `more` has the share of pages
/// with a search form on which at least one was found. A method that says nothing about forms scores 0.
pub(super) fn score(observed: &Observed, gold: &[GoldPage]) -> Option<TargetScore> {
    let found: FxHashMap<&str, &Vec<String>> =
        observed.forms.iter().flatten().map(|(page, kinds)| (key(page), kinds)).collect();
    let (mut both, mut returned, mut relevant) = (0, 0, 0);
    let (mut pages, mut pages_found) = (0usize, 0usize);
    let mut misses = Vec::new();
    for page in gold.iter().filter(|page| !page.form_types.is_empty()) {
        let kinds = found.get(key(&page.file)).map_or(&[][..], |kinds| kinds.as_slice());
        let (mut here, mut wrong) = (0, false);
        for position in 0..kinds.len().max(page.form_types.len()) {
            let label = page.form_types.get(position).map(String::as_str);
            if label.is_some_and(|label| UNLABELLED.contains(&label)) {
                continue;
            }
            let wanted = label == Some(SEARCH);
            let given = kinds.get(position).is_some_and(|kind| kind == SEARCH);
            here += usize::from(wanted && given);
            returned += usize::from(given);
            relevant += usize::from(wanted);
            wrong |= wanted != given;
        }
        both += here;
        if page.form_types.iter().any(|label| label == SEARCH) {
            pages += 1;
            pages_found += usize::from(here > 0);
        }
        if wrong && misses.len() < EXAMPLES {
            let expected = page.form_types.iter().map(String::as_str);
            misses.push(Miss::new(key(&page.file), expected, kinds.iter().map(String::as_str)));
        }
    }
    if relevant == 0 {
        return None;
    }
    let mut score = TargetScore::new("search forms", Prf::from_counts(both, returned, relevant));
    score.note = format!("found on {pages_found} of {pages} pages");
    score.more = BTreeMap::from([("pages", pages_found as f64 / pages.max(1) as f64)]);
    score.misses = misses;
    Some(score)
}
