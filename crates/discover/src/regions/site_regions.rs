//! From index pages to article pages: the regions of a whole site.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Terms, Url};
use xxhash_rust::xxh3::xxh3_64;

use super::informative::{CutBlocks, InformativeSet, Region};
use super::lines::Cut;
use super::page_texts::PageTexts;
use super::samples::samples;
use super::type_text::TypeText;
use crate::site::Site;

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
    let terms = Terms::shared();
    // Pages are cut once, those that are learned from before the others.
    let cut = |page: usize| {
        let texts = PageTexts::of(&site.pages[page].tree, terms);
        let lines = (!is_index[type_of[page]]).then(|| Cut::of(&texts, terms));
        CutPage { blocks: CutBlocks::of(&texts), texts, lines }
    };
    let samples = samples(type_of, is_index.len());
    let mut cuts: Vec<Vec<CutPage>> =
        samples.par_iter().map(|sample| sample.par_iter().map(|&page| cut(page)).collect()).collect();
    let learned: Vec<(InformativeSet, TypeText)> = cuts
        .par_iter_mut()
        .map(|pages| {
            let (mut lines, mut blocks) = (Vec::new(), Vec::new());
            for CutPage { texts, blocks: cut, lines: page } in pages {
                lines.extend(page.as_mut());
                blocks.push((&*texts, &*cut));
            }
            rayon::join(|| InformativeSet::learn_cut(&blocks), || TypeText::learn_cut(&mut lines))
        })
        .collect();
    let mut known: Vec<Option<CutPage>> = (0..site.pages.len()).map(|_| None).collect();
    for (page, cut) in samples.iter().flatten().zip(cuts.into_iter().flatten()) {
        known[*page] = Some(cut);
    }
    let pages: Vec<Vec<Region>> = known
        .into_par_iter()
        .enumerate()
        .map(|(page, known)| {
            let CutPage { texts, blocks, lines } = known.unwrap_or_else(|| cut(page));
            let (set, text) = &learned[type_of[page]];
            let main = lines.map(|lines| text.blocks_of(lines)).unwrap_or_default();
            let main: Vec<NodeId> = main.into_iter().flat_map(|block| block.texts).collect();
            set.regions_of(&texts, &blocks, &main)
        })
        .collect();
    let listed = listed(site, type_of, is_index, &pages);
    let of_type = learned.iter().zip(&samples);
    let types = of_type
        .map(|((set, _), sample)| TypeRegions { threshold: set.threshold(), learned_from: sample.len() })
        .collect();
    SiteRegions { types, pages, listed }
}

/// A page as both methods cut it.
struct CutPage<'t> {
    texts: PageTexts<'t>,
    blocks: CutBlocks,
    /// For main texts; index pages have none.
    lines: Option<Cut<'t>>,
}

/// The pages that the links in informative blocks of index pages lead to and that are no indexes themselves.
fn listed(site: &Site, type_of: &[usize], is_index: &[bool], regions: &[Vec<Region>]) -> Vec<Listed> {
    let key = |address: &str| xxh3_64(address.split('#').next().unwrap_or(address).as_bytes());
    let number: FxHashMap<u64, usize> =
        site.pages.iter().enumerate().rev().map(|(at, page)| (key(&page.raw.url), at)).collect();
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
            let mut targets: Vec<(usize, usize)> = Vec::new();
            page.tree.each_link(Url::parse(&page.raw.url).ok().as_ref(), |link| {
                if informs[block_of[link.node.index()] as usize] {
                    let to = number.get(&key(link.address)).copied();
                    targets
                        .extend(to.filter(|&to| to != from && !is_index[type_of[to]]).map(|to| (to, from)));
                }
            });
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
