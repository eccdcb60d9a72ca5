//! The links of a site as LAMIS sees them: from page and block, to page, in which terms.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{Interner, NodeId, Terms, Tree, Url};
use unsite_learn::entropy::FeatureEntropy;
use unsite_wrapper::{address_key, same_site};

use super::blocks::blocks;
use crate::site::Site;

/// Links above this entropy are navigation and the like. LAMIS's own figure: 71.6 % of the links on its sites.
pub const REDUNDANT: f64 = 0.8;

/// Which words of a page count in the entropy of a term. The paper leaves it open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counted {
    /// Those in anchor texts, as in the paper's example.
    #[default]
    Anchors,
    /// All visible ones.
    PageText,
}

/// One link between pages of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct PageLink {
    /// The page it stands on.
    pub from: u32,
    /// The innermost block it stands in; blocks are numbered over the whole site.
    pub block: u32,
    /// The page it leads to. Numbers from the number of pages on are pages of the site that were not read.
    pub to: u32,
    /// How many distinct terms its anchor text has.
    pub terms: usize,
    /// The mean entropy of those terms; 1 where there is none.
    pub entropy: f64,
}

/// All links inside a site.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteLinks {
    /// How many pages were read.
    pub pages: usize,
    /// How many pages are known: read or linked to.
    pub targets: usize,
    /// For each block its page.
    pub block_page: Vec<u32>,
    /// The links in page order, those of a page to itself left out.
    pub links: Vec<PageLink>,
}

/// What one page contributes, before the site's numbers are known.
struct Found {
    blocks: usize,
    /// Block, target, terms.
    links: Vec<(u32, u64, Vec<String>)>,
    /// Terms outside anchors, where they count.
    words: Vec<String>,
}

impl SiteLinks {
    /// Reads the links of all pages. Linear in their text.
    pub fn of(site: &Site, counted: Counted) -> Self {
        let terms = Terms::new();
        let found: Vec<Found> =
            site.pages.par_iter().map(|page| Found::on(&page.tree, &page.raw.url, &terms, counted)).collect();
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        for (at, page) in site.pages.iter().enumerate() {
            if let Some(key) = own_key(&page.raw.url) {
                numbers.entry(key).or_insert(at as u32);
            }
        }
        let mut names = Interner::default();
        let mut counts: Vec<(u32, u32, f64)> = Vec::new();
        let mut all =
            SiteLinks { pages: site.pages.len(), targets: site.pages.len(), ..SiteLinks::default() };
        let mut anchors: Vec<Vec<u32>> = Vec::new();
        for (from, page) in (0u32..).zip(found) {
            let first = all.block_page.len() as u32;
            all.block_page.extend(std::iter::repeat_n(from, page.blocks));
            for word in &page.words {
                counts.push((from, names.intern(word), 1.0));
            }
            for (block, key, words) in page.links {
                let mut words: Vec<u32> = words.iter().map(|word| names.intern(word)).collect();
                counts.extend(words.iter().map(|&word| (from, word, 1.0)));
                let to = *numbers.entry(key).or_insert_with(|| {
                    all.targets += 1;
                    all.targets as u32 - 1
                });
                if to == from {
                    continue;
                }
                words.sort_unstable();
                words.dedup();
                all.links.push(PageLink { from, block: first + block, to, terms: words.len(), entropy: 1.0 });
                anchors.push(words);
            }
        }
        let entropy = FeatureEntropy::new(all.pages, counts);
        for (link, words) in all.links.iter_mut().zip(anchors) {
            link.entropy = entropy.mean(words).unwrap_or(1.0);
        }
        all
    }

    /// How many links carry next to no information, by [`REDUNDANT`].
    pub fn redundant(&self) -> usize {
        self.links.iter().filter(|link| link.entropy > REDUNDANT).count()
    }
}

impl Found {
    fn on(tree: &Tree, page_url: &str, terms: &Terms, counted: Counted) -> Self {
        let language = terms.language(tree);
        let page = Url::parse(page_url).ok();
        let (block, elements) = blocks(tree);
        let mut anchors: Vec<NodeId> = Vec::new();
        let mut links = Vec::new();
        for link in tree.links(page_url) {
            let (Some(url), Some(page)) = (&link.url, &page) else { continue };
            if link.web && !link.same_page && same_site(page, url) {
                anchors.push(link.node);
                links.push((block[link.node.index()], address_key(url), terms.terms(&link.text, language)));
            }
        }
        let mut words = Vec::new();
        if counted == Counted::PageText {
            let (mut next, mut until) = (0, 0);
            for (node, text) in tree.visible_texts() {
                while anchors.get(next).is_some_and(|&anchor| anchor <= node) {
                    until = until.max(tree.end(anchors[next]).0);
                    next += 1;
                }
                if node.0 >= until {
                    words.extend(terms.terms(&text, language));
                }
            }
        }
        Found { blocks: elements.len(), links, words }
    }
}

fn own_key(page_url: &str) -> Option<u64> {
    let mut url = Url::parse(page_url).ok()?;
    url.set_fragment(None);
    Some(address_key(&url))
}
