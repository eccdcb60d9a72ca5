//! Which types list the pages of another: rows that lead to entities, whatever the rest of the link graph looks like.

use rustc_hash::FxHashMap;
use unsite_wrapper::PageLinks;

/// For each type, how many more pages of another type its pages lead to than the other's lead back to, at its best: the
/// difference of `ln(1 + pages)`, 0 for a type without such links.
///
/// # What it does
/// Counts for each two types the mean number of different pages of the one that a page of the other leads to, the frame of the
/// site left out. A page of a list leads to many entities, each of which leads to few lists. Links within a type say
/// nothing: pages of a wiki or of a catalogue lead to each other, and so do the further pages of a list.
/// # Assumes
/// The pages that lists lead to are in the sample.
/// # When it fails
/// Entities that stand in more lists than lists have entities (many tags, each with one post).
/// # Paper
/// None.
pub(super) fn listing<'l>(
    links: impl Iterator<Item = &'l PageLinks> + Clone,
    frame: &[u64],
    type_of: &[usize],
    count: usize,
) -> Vec<f64> {
    let mut page_type: FxHashMap<u64, usize> = FxHashMap::default();
    for (links, &own) in links.clone().zip(type_of) {
        if let Some(key) = links.own_key() {
            page_type.entry(key).or_insert(own);
        }
    }
    let mut pages = vec![0.0; count];
    let mut leads: FxHashMap<(usize, usize), f64> = FxHashMap::default();
    for (links, &own) in links.zip(type_of) {
        pages[own] += 1.0;
        for target in links.targets().iter().filter(|target| frame.binary_search(target).is_err()) {
            if let Some(&other) = page_type.get(target).filter(|&&other| other != own) {
                *leads.entry((own, other)).or_default() += 1.0;
            }
        }
    }
    let mean = |from: usize, to: usize| {
        let all = leads.get(&(from, to)).copied().unwrap_or(0.0);
        (1.0 + all / f64::max(pages[from], 1.0)).ln()
    };
    let mut lists = vec![f64::NEG_INFINITY; count];
    for &(from, to) in leads.keys() {
        lists[from] = lists[from].max(mean(from, to) - mean(to, from));
        lists[to] = lists[to].max(mean(to, from) - mean(from, to));
    }
    lists.into_iter().map(|lists| if lists.is_finite() { lists } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, Tree};

    fn links(url: &str, to: &[&str]) -> PageLinks {
        let html: String = to.iter().map(|to| format!("<p><a href='{to}'></a>")).collect();
        PageLinks::of(&Tree::parse(html.as_bytes(), None, &Limits::default()).0, url)
    }

    #[test]
    fn a_page_whose_rows_lead_to_entities_lists_and_entities_that_lead_to_each_other_do_not() {
        let pages = [
            links("http://a.test/list/1", &["/e/1", "/e/2", "/e/3", "/list/2"]),
            links("http://a.test/list/2", &["/e/2", "/e/3", "/e/1", "/list/1"]),
            links("http://a.test/e/1", &["/e/2", "/e/3", "/list/1"]),
            links("http://a.test/e/2", &["/e/1", "/e/3", "/list/1"]),
            links("http://a.test/e/3", &["/e/1", "/e/2", "/list/2"]),
        ];
        let lists = listing(pages.iter(), &[], &[0, 0, 1, 1, 1], 3);
        assert!((lists[0] - (4f64.ln() - 2f64.ln())).abs() < 1e-9, "{lists:?}");
        assert!((lists[1] + (4f64.ln() - 2f64.ln())).abs() < 1e-9, "{lists:?}");
        assert_eq!(lists[2], 0.0);
    }

    #[test]
    fn what_all_pages_lead_to_is_listed_by_none() {
        let home = unsite_wrapper::address_key(&unsite_dom::Url::parse("http://a.test/").unwrap());
        let pages = [links("http://a.test/", &[]), links("http://a.test/e/1", &["/"])];
        assert_eq!(listing(pages.iter(), &[home], &[0, 1], 2), [0.0, 0.0]);
    }
}
