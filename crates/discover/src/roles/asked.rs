//! Which parameters of addresses hold what people typed, where no form says so.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use unsite_dom::{Tree, Url, collapse};
use unsite_wrapper::address_key;

use crate::site::Site;

/// A parameter is looked at when it has so many different values.
const LEAST_VALUES: usize = 3;

/// The share of pages that say the value in their title: `Shop : blue shoes`. Set by hand; some titles are cut.
const IN_TITLE: f64 = 0.8;

/// The share of values with a blank in them: people type words, programs write names.
const WITH_BLANKS: f64 = 0.3;

/// The share of pages that others link to; the pages of tags and names are linked to, searches are typed.
const LINKED: f64 = 0.5;

/// The names of parameters that hold a question, in order. `linked` are the keys of all targets of links, sorted.
///
/// # What it does
/// Takes a parameter for a question when its values are of several words, stand in the titles of the pages that they lead
/// to, and these pages are mostly not linked to.
/// # Assumes
/// A title repeats what was asked.
/// # When it fails
/// Questions of a single word each; sites that link to popular searches.
/// # Paper
/// None; archived pages of results often lack the form that their script draws.
pub(super) fn parameters(site: &Site, linked: &[u64]) -> Vec<String> {
    let pages = site.pages.par_iter().flat_map_iter(|page| seen(&page.tree, &page.raw.url, linked));
    let pages: Vec<(String, Seen)> = pages.collect();
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for (name, seen) in pages {
        let sum = sums.entry(name).or_default();
        sum.pages += 1;
        sum.in_title += usize::from(seen.in_title);
        sum.with_blanks += usize::from(seen.value.contains(' '));
        sum.linked += usize::from(seen.linked);
        sum.values.insert(seen.value);
    }
    sums.into_iter().filter(|(_, sum)| sum.is_question()).map(|(name, _)| name).collect()
}

struct Seen {
    value: String,
    in_title: bool,
    linked: bool,
}

#[derive(Default)]
struct Sums {
    pages: usize,
    in_title: usize,
    with_blanks: usize,
    linked: usize,
    values: FxHashSet<String>,
}

impl Sums {
    fn is_question(&self) -> bool {
        let share = |count: usize| count as f64 / self.pages.max(1) as f64;
        self.values.len() >= LEAST_VALUES
            && share(self.in_title) >= IN_TITLE
            && share(self.with_blanks) >= WITH_BLANKS
            && share(self.linked) <= LINKED
    }
}

/// The parameters of a page's address with a letter in their value.
fn seen(tree: &Tree, page_url: &str, linked: &[u64]) -> Vec<(String, Seen)> {
    if !page_url.contains('?') {
        return Vec::new();
    }
    let Ok(mut url) = Url::parse(page_url) else { return Vec::new() };
    url.set_fragment(None);
    if url.query().is_none_or(str::is_empty) {
        return Vec::new();
    }
    let linked = linked.binary_search(&address_key(&url)).is_ok();
    let title = tree.elements("title").next().map(|node| tree.visible_text(node)).unwrap_or_default();
    let title = collapse(&title).to_lowercase();
    let pairs = url.query_pairs().map(|(name, value)| (name.into_owned(), collapse(&value).to_lowercase()));
    pairs
        .filter(|(_, value)| value.chars().any(char::is_alphabetic))
        .map(|(name, value)| (name, Seen { in_title: title.contains(&value), value, linked }))
        .collect()
}
