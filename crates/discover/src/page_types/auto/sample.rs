//! Which pages stand for all others.

use rustc_hash::FxHashMap;
use unsite_dom::Url;

use crate::experts::{hash, site};
use crate::site::Site;

/// Pages compared in pairs: what they cost together is less than parsing a thousand pages. With 150 and fewer, lists that are
/// few among the pages of two labelled sites came apart.
pub(super) const MAX_PROTOTYPES: usize = 200;

/// Of these, the share taken evenly over all pages; the others go to kinds of addresses that are rare.
const EVEN_SHARE: f64 = 0.7;

/// The pages to compare, in order: all if there are few; else some evenly spread over the sorted addresses, and some
/// from each kind of address that has few or none among those.
pub(super) fn prototypes(site: &Site) -> Vec<usize> {
    let pages = site.pages.len();
    if pages <= MAX_PROTOTYPES {
        return (0..pages).collect();
    }
    let even = (MAX_PROTOTYPES as f64 * EVEN_SHARE) as usize;
    let mut chosen: Vec<usize> = (0..even).map(|at| at * pages / even).collect();
    let kinds: Vec<u64> = site.urls().iter().map(|url| kind(url)).collect();
    let mut taken: FxHashMap<u64, usize> = FxHashMap::default();
    let mut is_chosen = vec![false; pages];
    for &page in &chosen {
        is_chosen[page] = true;
        *taken.entry(kinds[page]).or_default() += 1;
    }
    // One more page of every kind, the least represented kinds first, until the places are used up.
    let mut rest: Vec<(usize, u64, usize)> = Vec::new();
    let mut waiting: FxHashMap<u64, usize> = FxHashMap::default();
    for page in (0..pages).filter(|&page| !is_chosen[page]) {
        let before = taken.get(&kinds[page]).copied().unwrap_or(0);
        let place = waiting.entry(kinds[page]).or_default();
        rest.push((before + *place, hash(&[&site.pages[page].raw.url]), page));
        *place += 1;
    }
    rest.sort_unstable();
    chosen.extend(rest.iter().take(MAX_PROTOTYPES - even).map(|&(_, _, page)| page));
    chosen.sort_unstable();
    chosen
}

/// What an address looks like from far: site, depth, first word, ending, names of parameters.
pub(super) fn kind(url: &str) -> u64 {
    let Ok(url) = Url::parse(url) else { return 0 };
    let path = url.path();
    let steps = path.split('/').filter(|step| !step.is_empty());
    let first: String =
        path.split('/').nth(1).unwrap_or_default().chars().filter(|c| c.is_alphabetic()).collect();
    let deep = steps.count();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).take(4).collect();
    let first = if deep > 1 { first.as_str() } else { "" };
    hash(&[site(url.host_str().unwrap_or_default()), first, ending, &deep.to_string(), &names.join("&")])
}
