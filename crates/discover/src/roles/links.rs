//! The links of a site as LAMIS sees them: from page and block, to page, in which terms.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{HashInterner, NodeId, Terms, Tree};
use unsite_learn::entropy::FeatureEntropy;
use unsite_wrapper::PageLinks;

use super::blocks::blocks;
use crate::site::{Site, SitePage};

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
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The key of its own address.
    own: Option<u64>,
    blocks: usize,
    /// Block, target, and where the terms of the link end in `terms`.
    links: Vec<(u32, u64, usize)>,
    /// The terms of all anchors, as hashes.
    terms: Vec<u64>,
    /// Terms outside anchors, where they count.
    words: Vec<u64>,
}

impl SiteLinks {
    /// Reads the links of all pages. Linear in their text.
    pub fn of(site: &Site, counted: Counted) -> Self {
        let terms = Terms::shared();
        let read = |page: &SitePage| Found::on(&page.tree, &page.raw.url, terms, counted).0;
        let found: Vec<Found> = site.pages.par_iter().map(read).collect();
        SiteLinks::joined(&found)
    }

    /// Puts the links of all pages together.
    pub(super) fn joined(found: &[Found]) -> Self {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        for (at, page) in (0u32..).zip(found) {
            if let Some(key) = page.own {
                numbers.entry(key).or_insert(at);
            }
        }
        let mut names = HashInterner::default();
        let mut counts: Vec<(u32, u32, f64)> = Vec::new();
        let mut all = SiteLinks { pages: found.len(), targets: found.len(), ..SiteLinks::default() };
        // The distinct terms of all anchors, one after the other.
        let mut anchors: Vec<u32> = Vec::new();
        for (from, page) in (0u32..).zip(found) {
            let first = all.block_page.len() as u32;
            all.block_page.extend(std::iter::repeat_n(from, page.blocks));
            counts.extend(page.words.iter().map(|&word| (from, names.intern(word), 1.0)));
            let mut start = 0;
            for &(block, key, end) in &page.links {
                let anchor = anchors.len();
                anchors.extend(page.terms[start..end].iter().map(|&term| names.intern(term)));
                start = end;
                counts.extend(anchors[anchor..].iter().map(|&term| (from, term, 1.0)));
                let to = *numbers.entry(key).or_insert_with(|| {
                    all.targets += 1;
                    all.targets as u32 - 1
                });
                if to == from {
                    anchors.truncate(anchor);
                    continue;
                }
                let terms = sort_and_dedup(&mut anchors, anchor);
                all.links.push(PageLink { from, block: first + block, to, terms, entropy: 1.0 });
            }
        }
        let entropy = FeatureEntropy::new(all.pages, counts);
        let mut rest = anchors.as_slice();
        for link in &mut all.links {
            let (own, after) = rest.split_at(link.terms);
            link.entropy = entropy.mean(own.iter().copied()).unwrap_or(1.0);
            rest = after;
        }
        all
    }

    /// How many links carry next to no information, by [`REDUNDANT`].
    pub fn redundant(&self) -> usize {
        self.links.iter().filter(|link| link.entropy > REDUNDANT).count()
    }
}

impl Found {
    /// Reads a page, and its links for whatever else depends on them.
    pub(super) fn on(tree: &Tree, page_url: &str, terms: &Terms, counted: Counted) -> (Self, PageLinks) {
        let language = terms.language(tree);
        let (block, elements) = blocks(tree);
        let mut found = Found { blocks: elements.len(), ..Found::default() };
        let mut anchors: Vec<NodeId> = Vec::new();
        let links = PageLinks::with_each(tree, page_url, |link, key| {
            if link.same_site {
                anchors.push(link.node);
                terms.hashed_words(&link.text(), language, |word| found.terms.extend(word.term));
                found.links.push((block[link.node.index()], key, found.terms.len()));
            }
        });
        found.own = links.own_key();
        if counted == Counted::PageText {
            let (mut next, mut until) = (0, 0);
            for (node, text) in tree.visible_texts() {
                while anchors.get(next).is_some_and(|&anchor| anchor <= node) {
                    until = until.max(tree.end(anchors[next]).0);
                    next += 1;
                }
                if node.0 >= until {
                    terms.hashed_words(&text, language, |word| found.words.extend(word.term));
                }
            }
        }
        (found, links)
    }
}

/// Sorts what stands in a list from `start` on, each once, and says how much that is.
fn sort_and_dedup(list: &mut Vec<u32>, start: usize) -> usize {
    list[start..].sort_unstable();
    let mut kept = start;
    for at in start..list.len() {
        if at == start || list[at] != list[kept - 1] {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
    kept - start
}
