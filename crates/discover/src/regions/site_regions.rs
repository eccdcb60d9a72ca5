//! From index pages to article pages: the regions of a whole site.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{Terms, Tree};

use super::informative::{InformativeSet, Region};
use super::type_text::type_texts;
use crate::site::Site;

/// Pages of one kind that entropies are learned from. The paper takes 10; between 20 and 80 the thresholds of the labelled
/// sites stay as they are, and the time grows.
const LEARNED_FROM: usize = 40;

/// The regions of a site.
#[derive(Debug, Default)]
pub struct SiteRegions {
    /// One for each page type.
    pub types: Vec<TypeRegions>,
    /// The regions of each page, in page order.
    pub pages: Vec<Vec<Region>>,
    /// The pages that informative blocks of index pages lead to, in page order.
    pub listed: Vec<Listed>,
}

/// What was learned about the blocks of one page type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypeRegions {
    /// Blocks with at most this entropy inform; `None` for a type with a single page.
    pub threshold: Option<f64>,
    /// How many pages it was learned from.
    pub learned_from: usize,
}

/// A page, and the index pages whose informative blocks lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The page.
    pub page: usize,
    /// The index pages, ascending.
    pub on: Vec<usize>,
}

/// Finds the regions of all pages: the pipeline of InfoDiscoverer.
///
/// # What it does
/// Learns the informative blocks of every page type; outside index pages those that consist of the main text inform too. The
/// links in informative blocks of index pages lead to articles; for each article it is known which index pages list it. `is_index` says of each type whether its pages are indexes.
/// # Assumes
/// Page types are mostly pure.
/// # When it fails
/// Articles that index pages of the sample do not list are not in [`SiteRegions::listed`]; their regions are found all the
/// same, since their type is known.
/// # Paper
/// Kao, Lin, Ho, Chen, section 5.
pub fn site_regions(site: &Site, type_of: &[usize], is_index: &[bool]) -> SiteRegions {
    let terms = Terms::new();
    let sets: Vec<(InformativeSet, usize)> = (0..is_index.len())
        .into_par_iter()
        .map(|at| {
            let members: Vec<usize> = (0..type_of.len()).filter(|&page| type_of[page] == at).collect();
            let sample: Vec<&Tree> =
                spread(&members, LEARNED_FROM).into_iter().map(|page| &site.pages[page].tree).collect();
            (InformativeSet::learn(&sample, &terms), sample.len())
        })
        .collect();
    let texts = type_texts(site, type_of, is_index.len());
    let pages: Vec<Vec<Region>> = site
        .pages
        .par_iter()
        .zip(type_of)
        .map(|(page, &at)| {
            let main = if is_index[at] { Vec::new() } else { texts[at].text_nodes(&page.tree, &terms) };
            sets[at].0.regions_with_text(&page.tree, &terms, &main)
        })
        .collect();
    let listed = listed(site, type_of, is_index, &pages);
    let types = sets
        .iter()
        .map(|(set, pages)| TypeRegions { threshold: set.threshold(), learned_from: *pages })
        .collect();
    SiteRegions { types, pages, listed }
}

/// At most `most` of the pages, evenly spread.
pub(crate) fn spread(pages: &[usize], most: usize) -> Vec<usize> {
    if pages.len() <= most {
        return pages.to_vec();
    }
    (0..most).map(|at| pages[at * pages.len() / most]).collect()
}

/// The pages that the links in informative blocks of index pages lead to and that are no indexes themselves.
fn listed(site: &Site, type_of: &[usize], is_index: &[bool], regions: &[Vec<Region>]) -> Vec<Listed> {
    let plain = |url: &str| url.split('#').next().unwrap_or(url).to_owned();
    let number: FxHashMap<String, usize> =
        site.pages.iter().enumerate().rev().map(|(at, page)| (plain(&page.raw.url), at)).collect();
    let mut pairs: Vec<(usize, usize)> = site
        .pages
        .par_iter()
        .enumerate()
        .filter(|(at, _)| is_index[type_of[*at]])
        .flat_map_iter(|(from, page)| {
            let (block_of, elements) = crate::roles::blocks(&page.tree);
            let mut informs = vec![false; elements.len()];
            for region in regions[from].iter().filter(|region| region.is_informative) {
                if let Ok(block) = elements.binary_search(&region.node) {
                    informs[block] = true;
                }
            }
            let links = page.tree.links(&page.raw.url).into_iter();
            let links = links.filter(|link| informs[block_of[link.node.index()] as usize]);
            let targets: Vec<(usize, usize)> = links
                .filter_map(|link| Some((*number.get(&plain(link.url?.as_str()))?, from)))
                .filter(|(to, from)| to != from && !is_index[type_of[*to]])
                .collect();
            targets
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| Listed { page: same[0].0, on: same.iter().map(|pair| pair.1).collect() })
        .collect()
}
