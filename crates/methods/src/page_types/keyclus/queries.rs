//! What people searched for when they came to a page, or a stand-in for it.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{Terms, Url};
use xxhash_rust::xxh3::xxh3_64;

use unsite_discover::page_types::{SEARCH_PARAMETERS, SearchLog};
use unsite_discover::{Site, SitePage};

/// Terms of this share of all titles are the site's name, not the page's.
const SITE_NAME_SHARE: f64 = 0.5;

/// `Q(p)`: for each page the hashes of its query terms and how often each occurs.
pub(super) type Queries = Vec<FxHashMap<u64, u32>>;

/// The terms that [`Queries`] and pages are compared by: any script, lower case, no stemming, nothing left out.
pub(super) fn term_hashes(terms: &Terms, text: &str) -> Vec<u64> {
    terms.terms(text, None).iter().map(|term| xxh3_64(term.as_bytes())).collect()
}

/// The queries of a log that led to the chosen pages, each distinct query once for a page.
pub(super) fn from_log(site: &Site, chosen: &[usize], log: &SearchLog, terms: &Terms) -> Queries {
    let places: FxHashMap<String, usize> =
        chosen.iter().enumerate().rev().map(|(at, &page)| (address(&site.pages[page].raw.url), at)).collect();
    let mut queries: Queries = vec![FxHashMap::default(); chosen.len()];
    let mut seen: FxHashSet<(usize, &str)> = FxHashSet::default();
    for click in &log.clicks {
        let Some(&at) = places.get(&address(&click.url)) else { continue };
        if seen.insert((at, &click.query)) {
            for term in term_hashes(terms, &click.query) {
                *queries[at].entry(term).or_default() += 1;
            }
        }
    }
    queries
}

/// Our extension for sites without a log: the distinct terms of the title (without the site's name), of the first-level
/// headings, of the anchors of links from other chosen pages, and of the search words in the URL.
pub(super) fn from_pages(site: &Site, chosen: &[usize], terms: &Terms) -> Queries {
    use rayon::prelude::*;
    let pages: Vec<&SitePage> = chosen.iter().map(|&page| &site.pages[page]).collect();
    let metas: Vec<_> = pages.par_iter().map(|page| page.tree.meta(&page.raw.url)).collect();
    let titles: Vec<FxHashSet<u64>> =
        metas.iter().map(|meta| term_hashes(terms, &meta.title).into_iter().collect()).collect();
    let mut frequency: FxHashMap<u64, usize> = FxHashMap::default();
    titles.iter().flatten().for_each(|&term| *frequency.entry(term).or_default() += 1);
    let site_name = |term: &u64| frequency[term] as f64 > SITE_NAME_SHARE * pages.len() as f64;

    let places: FxHashMap<String, usize> =
        pages.iter().enumerate().rev().map(|(at, page)| (address(&page.raw.url), at)).collect();
    let anchors: Vec<Vec<(usize, String)>> = pages
        .par_iter()
        .enumerate()
        .map(|(from, page)| {
            let links = page.tree.links(&page.raw.url).into_iter();
            let target = |url: Url| places.get(&address(url.as_str())).copied().filter(|&to| to != from);
            links.filter_map(|link| Some((target(link.url?)?, link.text))).collect()
        })
        .collect();

    let mut queries: Queries = vec![FxHashMap::default(); pages.len()];
    for (at, title) in titles.iter().enumerate() {
        for word in probe_words(&pages[at].raw.url) {
            queries[at].extend(term_hashes(terms, &word).into_iter().map(|term| (term, 1)));
        }
        queries[at].extend(title.iter().filter(|term| !site_name(term)).map(|&term| (term, 1)));
        for heading in metas[at].headings.iter().filter(|heading| heading.level == 1) {
            queries[at].extend(term_hashes(terms, &heading.text).into_iter().map(|term| (term, 1)));
        }
    }
    for (to, text) in anchors.into_iter().flatten() {
        queries[to].extend(term_hashes(terms, &text).into_iter().map(|term| (term, 1)));
    }
    queries
}

/// What a search form was asked for this page.
fn probe_words(url: &str) -> Vec<String> {
    let Ok(url) = Url::parse(url) else { return Vec::new() };
    let asked = url.query_pairs().filter(|(name, _)| SEARCH_PARAMETERS.contains(&name.as_ref()));
    asked.map(|(_, value)| value.into_owned()).collect()
}

/// A URL without what does not change the page: scheme, `www.`, fragment, last slash.
fn address(url: &str) -> String {
    let plain = match Url::parse(url) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.to_string()
        }
        Err(_) => url.to_owned(),
    };
    let rest = plain.split_once("://").map_or(plain.as_str(), |(_, rest)| rest);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    fn site() -> Site {
        let raw =
            |url: &str, html: &str| RawPage { url: url.into(), bytes: html.into(), ..RawPage::default() };
        Site::parse(
            vec![
                raw("http://a.example/1", "<title>Acme phone - Shop</title><h1>Acme 3</h1>"),
                raw("http://a.example/2", "<title>Zeta - Shop</title><a href='/1#x'>best buy</a>"),
                raw("http://a.example/3", "<title>Mini - Shop</title>"),
            ],
            &Limits::default(),
        )
    }

    fn has(queries: &Queries, page: usize, term: &str) -> bool {
        queries[page].contains_key(&xxh3_64(term.as_bytes()))
    }

    #[test]
    fn pages_stand_in_for_a_log() {
        let queries = from_pages(&site(), &[0, 1, 2], &Terms::new());
        for term in ["acme", "phone", "3", "best", "buy"] {
            assert!(has(&queries, 0, term), "{term}");
        }
        assert!(!has(&queries, 0, "shop"), "the site's name");
        assert!(has(&queries, 1, "zeta") && !has(&queries, 1, "best"));
    }

    #[test]
    fn search_results_know_their_probe_word() {
        assert_eq!(probe_words("http://a.example/find?page=2&q=red+shoe"), ["red shoe"]);
        assert!(probe_words("http://a.example/?page=2").is_empty() && probe_words("q=1").is_empty());
    }

    #[test]
    fn a_log_finds_its_pages() {
        let (log, _) =
            SearchLog::parse("q,url\nacme acme,https://www.a.example/1/#top\nnew,http://a.example/9");
        let queries = from_log(&site(), &[0, 1, 2], &log, &Terms::new());
        assert_eq!(queries[0].get(&xxh3_64(b"acme")), Some(&2));
        assert!(queries[1].is_empty() && queries[2].is_empty());
    }
}
