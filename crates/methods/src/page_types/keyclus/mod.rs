//! KeyClus: the paths that hold what people search for tell the types of pages apart.

mod marks;
mod queries;
mod ranking;
mod reading;

pub use marks::TypeMark;

use crate::minhash::bottom_k;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{HashInterner, NodeId, PathStyle, Terms, Tree};
use unsite_wrapper::ClassMap;

use super::sample::sample;
use super::shingles::by_key;
use ranking::{OnPage, PageFacts, SAME_PAGES, borda, expected, key_paths};
use reading::{Constants, PathContent, body, contents, path_hashes, read, text_marks};
use unsite_discover::Site;
use unsite_discover::class_map;
use unsite_discover::page_types::Options;

/// Pages that the key paths are learnt from; the others are assigned in one pass.
const LEARNT_PAGES: usize = 2_000;

/// Extra weight of frequent paths: the exponent g of the printed product.
const FREQUENT: i32 = 1;

/// A text that stands at the same path on this share of pages, and on at least so many, is template.
const TEMPLATE_SHARE: f64 = 0.1;
const TEMPLATE_PAGES: usize = 3;

/// A tab stands on this share of pages, and on at least so many, with 2 to 10 contents (KeyClus) of at most so
/// many bytes (ours: a longer one is no label).
const TAB_SHARE: f64 = 0.05;
const TAB_PAGES: usize = 20;
const TAB_CONTENTS: usize = 10;
const TAB_BYTES: usize = 40;

/// Keys that no place in the list of key paths can be.
const NO_KEY_PATH: u64 = u64::MAX;

/// A path that marks a type of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPath {
    /// The path with ids and classes.
    pub path: String,
    /// Learnt pages that have it.
    pub pages: usize,
    /// What it holds on one of them.
    pub example: String,
    hash: u64,
}

/// The key paths of a site: what KeyClus learns, and what it needs to place a page seen later.
#[derive(Debug, Clone, Default)]
pub struct KeyPaths {
    /// Independent key paths, the best first.
    pub paths: Vec<KeyPath>,
    /// Ids and classes of the template.
    names: ClassMap,
    /// Paths whose few contents are the names of tabs.
    tabs: FxHashSet<u64>,
    seed: u64,
}

/// Groups pages by the best key path they have.
///
/// # What it does
/// For every path (tags with id and class) the expected precision and recall of its text against the queries that led
/// to the page; both rankings joined by Borda count (recall weighs 0.3); of the best 100 paths those that are
/// independent (they share less than 97 % of the rarer one's pages), greedily from the top. A page belongs to its best
/// key path; one without any to the smallest hash of its paths. Text that stands at the same place on many pages is
/// template and does not count. A short text with 2 to 10 different contents over many pages is a tab: each of its
/// contents is a path of its own.
/// # Assumes
/// Pages of a type carry the name of their subject at the same path, and types carry it at different ones.
/// # When it fails
/// Types that share the path of their heading and its body class are one. Paths on nearly all pages depend on every
/// other, so they are left out, and so are ids and classes that the data wrote (both ours). Without a log the queries are made from titles, headings, the anchors of
/// links and the search words in URLs (ours): poor titles give poor paths.
/// # Paper
/// KeyClus (WWW 2010).
pub(super) fn cluster(site: &Site, options: &Options) -> Vec<usize> {
    let learnt = KeyPaths::learn(site, options);
    by_key(site.pages.par_iter().map(|page| learnt.key(&page.tree)).collect())
}

impl KeyPaths {
    /// Learns the key paths of a site from its search log, or from its titles, headings, links and search URLs
    /// when it has none.
    pub fn learn(site: &Site, options: &Options) -> KeyPaths {
        let chosen = sample(site.pages.len(), LEARNT_PAGES, options.seed);
        let terms = Terms::new();
        let queries = match &options.search_log {
            Some(log) => queries::from_log(site, &chosen, log, &terms),
            None => queries::from_pages(site, &chosen, &terms),
        };
        let trees: Vec<&Tree> = chosen.iter().map(|&page| &site.pages[page].tree).collect();
        let names = class_map(&trees);
        let constants = Constants { template: template(&trees, &names), tabs: tabs(&trees, &names), names };
        let pages: Vec<Vec<PathContent>> = trees
            .par_iter()
            .zip(&queries)
            .map(|(tree, query)| read(tree, query, &constants, &terms))
            .collect();
        let Constants { tabs, names, .. } = constants;

        let mut numbers = HashInterner::default();
        // One page and node for each path, to spell it out.
        let mut instances: Vec<(usize, NodeId)> = Vec::new();
        let mut facts: Vec<PageFacts> = Vec::with_capacity(pages.len());
        for (at, page) in pages.iter().enumerate() {
            let mut paths = Vec::with_capacity(page.len());
            for content in page {
                let path = numbers.intern(identity(content.path, content.content, &tabs));
                if path as usize == instances.len() {
                    instances.push((at, content.node));
                }
                paths.push(OnPage { path, terms: content.terms, matched: content.matched });
            }
            paths.sort_unstable_by_key(|on| on.path);
            facts.push(PageFacts { query_terms: queries[at].values().sum(), paths });
        }
        let all = expected(&facts, numbers.len(), FREQUENT);
        let everywhere = SAME_PAGES * facts.len() as f64;
        let useful = |path: &u32| {
            let path = &all[*path as usize];
            path.precision > 0.0 && f64::from(path.pages) < everywhere
        };
        let mut candidates: Vec<u32> = (0..numbers.len() as u32).filter(useful).collect();
        let spell = |path: u32| {
            let (page, node) = instances[path as usize];
            trees[page].path(node, PathStyle::Attributes)
        };
        candidates.sort_by_cached_key(|&path| {
            let spelled = spell(path);
            (spelled.matches('/').count(), spelled, path)
        });
        let ranked = borda(&all, &candidates);
        let paths = key_paths(&facts, &ranked)
            .into_iter()
            .map(|path| {
                let (page, node) = instances[path as usize];
                KeyPath {
                    path: spell(path),
                    pages: all[path as usize].pages as usize,
                    example: trees[page].visible_text(node),
                    hash: numbers.get(path).unwrap_or_default(),
                }
            })
            .collect();
        KeyPaths { paths, names, tabs, seed: options.seed }
    }

    /// The key path of a page, by its place in [`KeyPaths::paths`]; `None` when it has none of them.
    pub fn of_page(&self, tree: &Tree) -> Option<usize> {
        let found: FxHashSet<u64> = self.identities(tree).into_iter().collect();
        self.paths.iter().position(|key| found.contains(&key.hash))
    }

    /// The shingle of a page (k = 1): equal shingles are one type.
    fn key(&self, tree: &Tree) -> Vec<u64> {
        match self.of_page(tree) {
            Some(place) => vec![place as u64],
            None => {
                let hashes = path_hashes(tree, &self.names);
                let set: Vec<u64> = body(tree).map(|node| hashes[node.index()]).collect();
                let mut key = vec![NO_KEY_PATH];
                key.extend(bottom_k(&set, 1, self.seed));
                key
            }
        }
    }

    fn identities(&self, tree: &Tree) -> Vec<u64> {
        let contents = contents(tree, &self.names);
        contents.iter().map(|found| identity(found.path, found.content, &self.tabs)).collect()
    }
}

/// A path, or for a tab the path and what it says.
fn identity(path: u64, content: u64, tabs: &FxHashSet<u64>) -> u64 {
    if tabs.contains(&path) { path ^ content } else { path }
}

/// Texts at paths that are the same on many pages.
fn template(trees: &[&Tree], names: &ClassMap) -> FxHashSet<u64> {
    let marks: Vec<FxHashSet<u64>> = trees.par_iter().map(|tree| text_marks(tree, names)).collect();
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    marks.iter().flatten().for_each(|&mark| *counts.entry(mark).or_default() += 1);
    let least = TEMPLATE_PAGES.max((TEMPLATE_SHARE * trees.len() as f64).ceil() as usize);
    counts.into_iter().filter(|count| count.1 >= least).map(|count| count.0).collect()
}

/// Paths on many pages with few contents.
fn tabs(trees: &[&Tree], names: &ClassMap) -> FxHashSet<u64> {
    let pages: Vec<Vec<PathContent>> = trees.par_iter().map(|tree| contents(tree, names)).collect();
    let mut found: FxHashMap<u64, (usize, FxHashSet<u64>)> = FxHashMap::default();
    for path in pages.iter().flatten() {
        let (count, seen) = found.entry(path.path).or_default();
        *count += 1;
        // Too long or nothing at all: no tab, whatever the other pages say.
        if path.bytes == 0 || path.bytes > TAB_BYTES {
            seen.extend((0..=TAB_CONTENTS as u64).map(|i| !i));
        } else if seen.len() <= TAB_CONTENTS {
            seen.insert(path.content);
        }
    }
    let least = TAB_PAGES.max((TAB_SHARE * pages.len() as f64).ceil() as usize);
    let few = |seen: &FxHashSet<u64>| (2..=TAB_CONTENTS).contains(&seen.len());
    found.into_iter().filter(|(_, (count, seen))| *count >= least && few(seen)).map(|x| x.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use unsite_discover::page_types::SearchLog;
    use unsite_dom::{Limits, RawPage};

    fn page(url: &str, html: String) -> RawPage {
        RawPage { url: url.into(), bytes: html.into_bytes(), ..RawPage::default() }
    }

    /// The five golden pages as HTML: A, B, C, D, N are classes.
    fn five_pages() -> Site {
        let of = |url: &str, html: &str| page(url, html.to_owned());
        Site::parse(
            vec![
                of(
                    "http://a/1",
                    "<p class=A>acme phone</p><p class=B>acme phone buy now phone</p><p class=C>great</p>",
                ),
                of("http://a/2", "<p class=A>zeta laptop</p><p class=B>zeta laptop buy now</p>"),
                of("http://a/3", "<p class=A>mini cam</p><p class=B>mini cam buy now</p><p class=C>bad</p>"),
                of("http://a/4", "<p class=D>tv list</p><p class=N>home help</p>"),
                of("http://a/5", "<p class=D>radio list</p><p class=N>home help</p>"),
            ],
            &Limits::default(),
        )
    }

    #[test]
    fn the_golden_example_from_pages_and_a_log() {
        let (log, _) =
            SearchLog::parse("q,url\nacme phone,http://a/1\nzeta laptop price,http://a/2\ntv,http://a/4");
        let options = Options { search_log: Some(Arc::new(log)), ..Options::default() };
        let learnt = KeyPaths::learn(&five_pages(), &options);
        let paths: Vec<&str> = learnt.paths.iter().map(|key| key.path.as_str()).collect();
        assert_eq!(paths, ["html/body/p[@class=A]", "html/body/p[@class=D]"]);
        assert_eq!((learnt.paths[0].pages, learnt.paths[0].example.as_str()), (3, "acme phone"));
        assert_eq!(cluster(&five_pages(), &options), [0, 0, 0, 1, 1]);
    }

    #[test]
    fn tabs_split_pages_of_one_layout() {
        let tab = |i: usize| if i.is_multiple_of(2) { "Reviews" } else { "Offers" };
        let html = |i: usize| format!("<ul><li class=on>{}</ul><p>text {i}</p><h1>thing{i}</h1>", tab(i));
        let site = Site::parse(
            (0..60).map(|i| page(&format!("http://a/{i:02}"), html(i))).collect(),
            &Limits::default(),
        );
        let log: String = (0..60).map(|i| format!("{},http://a/{i:02}\n", tab(i).to_lowercase())).collect();
        let options = Options { search_log: Some(Arc::new(SearchLog::parse(&log).0)), ..Options::default() };
        let labels = cluster(&site, &options);
        assert!((0..60).all(|i| labels[i] == labels[i % 2]), "{labels:?}");
        assert_ne!(labels[0], labels[1]);
    }
}
