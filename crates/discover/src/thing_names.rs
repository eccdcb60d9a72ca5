//! What the things of a site are called: texts that are values wherever they stand.
//!
//! # What it does
//! A link whose whole text stands in the title of the page that it leads to says what that page is called. Who is called so may
//! be listed on many pages, once on each, just as a label is; but a name is never a label.
//! # Assumes
//! Links are followed on the pages at hand; what is linked on many of them belongs to the frame and may be anything.
//! # When it fails
//! Labels that lead to a page that explains them, where few pages have them.
//! # Paper
//! None; it is the foreign key of a site read backwards.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree, Url, collapse};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::{Site, page_address, spread};

/// Pages whose links are followed, evenly spread, and links of each that are looked at: more teach no new names that matter,
/// since a label recurs.
const LINKING_PAGES: usize = 1000;
const MOST_LINKS: usize = 2000;

/// A link that this share of the pages have leads to a part of the site, not to a thing: the share that makes a text a label.
const FRAME: f64 = 0.3;

/// A link with more nodes inside is a card that says more than a name.
const MOST_NODES: usize = 16;

/// A name of fewer letters stands in titles by chance.
const SHORTEST: usize = 2;

/// The names, hashed as texts of a view are.
#[derive(Debug, Default)]
pub(crate) struct ThingNames {
    names: FxHashSet<u64>,
    /// Texts of links that most pages have: the ways to the parts of the site.
    ways: FxHashSet<u64>,
}

impl ThingNames {
    /// Reads the names off the links of a site.
    pub(crate) fn of(site: &Site) -> Self {
        let titles: FxHashMap<String, String> = site
            .pages
            .par_iter()
            .filter_map(|page| Some((page_address(Url::parse(&page.raw.url).ok()?), title(&page.tree)?)))
            .collect();
        let all: Vec<usize> = (0..site.pages.len()).collect();
        let linking = spread(&all, LINKING_PAGES);
        let found: Vec<FxHashMap<u64, Led>> =
            linking.par_iter().map(|&page| names_on(site, page, &titles)).collect();
        let mut on: FxHashMap<u64, Seen> = FxHashMap::default();
        for (name, led) in found.into_iter().flatten() {
            let seen = on.entry(name).or_default();
            seen.linked += 1;
            seen.known += usize::from(led != Led::Away);
            seen.named += usize::from(led == Led::ByItsName);
        }
        let is_thing =
            |seen: &Seen| 2 * seen.named > seen.known && (seen.known as f64) < FRAME * linking.len() as f64;
        // Where a way leads need not be at hand.
        let is_way = |seen: &Seen| seen.linked as f64 >= FRAME * linking.len() as f64;
        let those = |which: &dyn Fn(&Seen) -> bool| {
            on.iter().filter(|(_, seen)| which(seen)).map(|(name, _)| *name).collect()
        };
        ThingNames { names: those(&is_thing), ways: those(&is_way) }
    }

    /// Is something called so?
    pub(crate) fn has(&self, text: &str) -> bool {
        !self.names.is_empty() && self.names.contains(&xxh3_64(text.as_bytes()))
    }

    /// Does a link that most pages have say so?
    pub(crate) fn is_way(&self, text: &str) -> bool {
        self.ways.contains(&xxh3_64(text.as_bytes()))
    }
}

/// How often a text was seen in links, on different pages.
#[derive(Default)]
struct Seen {
    linked: usize,
    /// To pages that are at hand.
    known: usize,
    /// To pages that are called so.
    named: usize,
}

/// Where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Led {
    /// To a page that is not at hand.
    Away,
    /// To one that is called otherwise.
    Somewhere,
    /// To one that is called as the link says.
    ByItsName,
}

/// The texts of the links of a page to other pages, and where they lead.
fn names_on(site: &Site, page: usize, titles: &FxHashMap<String, String>) -> FxHashMap<u64, Led> {
    let page = &site.pages[page];
    let mut names: FxHashMap<u64, Led> = FxHashMap::default();
    let (Some(base), Ok(own)) = (page.tree.base_url(&page.raw.url), Url::parse(&page.raw.url)) else {
        return names;
    };
    let own = page_address(own);
    for link in page.tree.elements("a").take(MOST_LINKS) {
        let Some(href) = page.tree.attr(link, "href").filter(|href| !href.starts_with('#')) else { continue };
        if page.tree.end(link).index() - link.index() > MOST_NODES {
            continue;
        }
        let text = words(&page.tree, link);
        if text.chars().count() < SHORTEST {
            continue;
        }
        let Ok(target) = base.join(href.trim()) else { continue };
        let target = page_address(target);
        if target == own {
            continue;
        }
        let led = match titles.get(&target) {
            Some(title) if stands_in(&text, title) => Led::ByItsName,
            Some(_) => Led::Somewhere,
            None => Led::Away,
        };
        let known = names.entry(xxh3_64(text.as_bytes())).or_insert(led);
        *known = led.max(*known);
    }
    names
}

/// The title of a page, and its heading.
fn title(tree: &Tree) -> Option<String> {
    let words: Vec<String> = ["title", "h1"]
        .into_iter()
        .filter_map(|name| tree.elements(name).next())
        .map(|node| words(tree, node))
        .collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

fn words(tree: &Tree, node: NodeId) -> String {
    let all: String =
        tree.descendants(node).filter(|&below| tree.is_text(below)).map(|text| tree.text(text)).collect();
    collapse(&all).into_owned()
}

/// Does it stand there between other words?
fn stands_in(name: &str, title: &str) -> bool {
    let borders = |at: usize| {
        let before = title[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let after = title[at + name.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        before && after
    };
    title.match_indices(name).any(|(at, _)| borders(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    #[test]
    fn what_links_say_and_the_page_is_called_is_a_name() {
        let page = |at: usize, html: String| RawPage {
            url: format!("http://a.test/{at}"),
            bytes: html.into_bytes(),
            ..RawPage::default()
        };
        let menu = "<a href=/0>Home</a>";
        let mut pages = vec![page(0, "<title>Home</title>".into())];
        for at in 1..10 {
            let next = at % 9 + 1;
            pages.push(page(
                at,
                format!("<title>Oak {at} - Trees</title>{menu}<a href=/{next}>Oak {next}</a><a href=/{next}>more</a>"),
            ));
        }
        let names = ThingNames::of(&Site::parse(pages, &Limits::default()));
        assert!(names.has("Oak 3"));
        assert!(!names.has("Oak"));
        assert!(!names.has("Home") && names.is_way("Home"));
        assert!(!names.is_way("Oak 3"));
        assert!(!names.has("more"));
    }
}
