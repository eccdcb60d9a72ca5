//! The pages that discovery looks at, in an order that does not depend on where they came from.

use unsite_dom::{Cut, Limits, RawPage, Tree, Url};
use unsite_wrapper::fingerprint;

/// A parsed page.
#[derive(Debug)]
pub struct SitePage {
    /// The page as it was read.
    pub raw: RawPage,
    /// Its tree.
    pub tree: Tree,
    /// What limits took away from it.
    pub cuts: Vec<Cut>,
}

/// Pages that are looked at however large they are: what differs from page to page shows on no fewer.
const FEWEST: usize = 6;

/// The pages of a site, or a sample of them.
#[derive(Debug, Default)]
pub struct Site {
    /// Sorted by URL, reference and content.
    pub pages: Vec<SitePage>,
}

impl Site {
    /// Parses the pages in parallel and puts them in their canonical order.
    pub fn parse(pages: Vec<RawPage>, limits: &Limits) -> Self {
        use rayon::prelude::*;
        let pages = pages
            .into_par_iter()
            .map(|raw| {
                let (mut tree, cuts) = Tree::parse(&raw.bytes, raw.charset.as_deref(), limits);
                tree.shrink_to_fit();
                SitePage { raw, tree, cuts }
            })
            .collect();
        let mut site = Site { pages };
        site.sort();
        site
    }

    /// Puts the pages in their canonical order.
    pub fn sort(&mut self) {
        self.pages.sort_by_cached_key(|SitePage { raw, .. }| {
            (raw.url.clone(), raw.reference.clone(), fingerprint(&raw.bytes))
        });
    }

    /// Some of the pages, evenly spread: at most so many, and fewer where pages are large, so that they have about so many
    /// nodes; but no fewer than [`FEWEST`].
    pub(crate) fn sample(&self, pages: &[usize], most: usize, nodes: usize) -> Vec<usize> {
        let all: usize = pages.iter().map(|&page| self.pages[page].tree.len()).sum();
        let fitting = nodes * pages.len() / all.max(1);
        spread(pages, fitting.max(FEWEST).min(most))
    }

    /// The pages' addresses.
    pub fn urls(&self) -> Vec<&str> {
        self.pages.iter().map(|page| page.raw.url.as_str()).collect()
    }
}

/// The address of a page, whichever place on it is meant and however it is closed.
pub(crate) fn page_address(mut url: Url) -> String {
    url.set_fragment(None);
    let mut address = String::from(url);
    while address.ends_with('/') {
        address.pop();
    }
    address
}

/// At most `most` of some pages or places, evenly spread.
pub(crate) fn spread<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most {
        return all.to_vec();
    }
    (0..most).map(|at| all[at * all.len() / most]).collect()
}
