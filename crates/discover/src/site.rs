//! The pages that discovery looks at, in an order that does not depend on where they came from.

use unsite_dom::{Cut, Limits, RawPage, Tree};
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

/// The pages of a site, or a sample of them.
#[derive(Debug, Default)]
pub struct Site {
    /// Sorted by URL, reference and content.
    pub pages: Vec<SitePage>,
}

impl Site {
    /// Parses the pages in parallel and puts them in their canonical order.
    pub fn parse(mut pages: Vec<RawPage>, limits: &Limits) -> Self {
        use rayon::prelude::*;
        pages.sort_by_cached_key(|page| (page.url.clone(), page.reference.clone(), fingerprint(&page.bytes)));
        let pages = pages
            .into_par_iter()
            .map(|raw| {
                let (tree, cuts) = Tree::parse(&raw.bytes, raw.charset.as_deref(), limits);
                SitePage { raw, tree, cuts }
            })
            .collect();
        Site { pages }
    }

    /// The pages' addresses.
    pub fn urls(&self) -> Vec<&str> {
        self.pages.iter().map(|page| page.raw.url.as_str()).collect()
    }
}
