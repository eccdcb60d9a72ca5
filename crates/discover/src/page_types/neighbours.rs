//! Classification of further pages by their nearest neighbours under the Fourier distance.

use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_learn::dft::Spectrum;
use unsite_wrapper::{PageSpectrum, Spectra};

use crate::site::Site;

/// Pages of each type that are kept.
const TRAINING_PAGES: usize = 12;

/// Neighbours that are asked.
const NEIGHBOURS: usize = 3;

/// Tags of a page that are heard.
const MAX_TAGS: usize = 1 << 14;

/// This share of a type's own pages is within its reach.
const WITHIN_REACH: f64 = 0.95;

/// Pages as far from a type as this times its own most distant pages are still of it.
const SLACK: f64 = 1.5;

/// Recognises page types by the spectra of their pages.
///
/// # What it does
/// Keeps the spectra of some pages of each type. A page is of the type that most of its three nearest neighbours are of,
/// the nearest first, if it is not further from them than the type's own pages are from each other; else of none.
/// # Assumes
/// Pages of a type have the same rhythm of tags.
/// # When it fails
/// Lists of different lengths; types that differ in their words or addresses alone. Slower than the default and less
/// often right.
/// # Paper
/// Flesca and others: k-nearest neighbours of the training pages of each wrapper. Direct tags, Trivial encoding, end tags
/// null, spectra on 1,024 frequencies; the threshold is not printed, ours is a quantile of the distances within the type.
pub struct Neighbours {
    numbers: FxHashMap<String, f64>,
    pages: Vec<(usize, Spectrum)>,
    reach: Vec<f64>,
}

/// Learns the spectra of some pages of each type.
pub fn spectra(site: &Site, type_of: &[usize], count: usize) -> Spectra {
    let type_of: Vec<Option<usize>> = type_of.iter().copied().map(Some).collect();
    renewed(&Spectra::default(), site, &type_of, &vec![true; count])
}

/// The same after a repair: the types that `is_fresh` names are learned anew, the others stay as they were. Pages without
/// a type are not learned from.
pub fn renewed(old: &Spectra, site: &Site, type_of: &[Option<usize>], is_fresh: &[bool]) -> Spectra {
    // What is kept was made with the old numbers: new tags get numbers behind them.
    let mut tags: Vec<String> = if is_fresh.contains(&false) { old.tags.clone() } else { Vec::new() };
    let mut numbers: FxHashMap<String, f64> =
        tags.iter().enumerate().map(|(at, tag)| (tag.clone(), (at + 1) as f64)).collect();
    for page in &site.pages {
        for tag in page.tree.skeleton().take(MAX_TAGS) {
            let name = page.tree.name(tag.node);
            if !numbers.contains_key(name) {
                tags.push(name.to_owned());
                numbers.insert(name.to_owned(), tags.len() as f64);
            }
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); is_fresh.len()];
    for (page, page_type) in type_of.iter().enumerate() {
        if let Some(page_type) = page_type {
            members[*page_type].push(page);
        }
    }
    let (mut pages, mut reach) = (Vec::new(), Vec::new());
    for (page_type, members) in members.iter().enumerate() {
        if !is_fresh[page_type] {
            reach.push(old.reach.get(page_type).copied().unwrap_or(0.0));
            pages.extend(old.pages.iter().filter(|page| page.page_type == page_type).cloned());
            continue;
        }
        let step = members.len().div_ceil(TRAINING_PAGES).max(1);
        let spectra: Vec<Spectrum> =
            members.iter().step_by(step).map(|&page| spectrum(&site.pages[page].tree, &numbers)).collect();
        reach.push(own_reach(&spectra));
        pages.extend(spectra.into_iter().map(|spectrum| PageSpectrum {
            page_type,
            magnitudes: spectrum.magnitudes().iter().map(|&value| rounded(value)).collect(),
        }));
    }
    Spectra { tags, pages, reach }
}

impl Neighbours {
    /// From what a wrapper keeps.
    pub fn new(spectra: &Spectra) -> Self {
        let numbers =
            spectra.tags.iter().enumerate().map(|(at, tag)| (tag.clone(), (at + 1) as f64)).collect();
        let spectrum = |page: &PageSpectrum| {
            Spectrum::from_magnitudes(page.magnitudes.iter().map(|&x| f64::from(x)).collect())
        };
        let pages = spectra.pages.iter().map(|page| (page.page_type, spectrum(page))).collect();
        Neighbours { numbers, pages, reach: spectra.reach.clone() }
    }

    /// The type of a page; `None` if it is too far from all.
    pub fn classify(&self, tree: &Tree) -> Option<usize> {
        let own = spectrum(tree, &self.numbers);
        let mut near: Vec<(f64, usize)> =
            self.pages.iter().map(|(page_type, spectrum)| (own.distance(spectrum), *page_type)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NEIGHBOURS);
        let votes = |page_type: usize| near.iter().filter(|(_, other)| *other == page_type).count();
        let best = near.iter().rev().max_by_key(|(_, page_type)| votes(*page_type))?.1;
        let nearest = near.iter().find(|(_, page_type)| *page_type == best)?.0;
        (nearest <= self.reach.get(best).copied().unwrap_or(0.0) * SLACK).then_some(best)
    }
}

/// Direct codes, Trivial series: the number of each start tag, 0 for end tags and for tags that are not known.
fn spectrum(tree: &Tree, numbers: &FxHashMap<String, f64>) -> Spectrum {
    let number = |name: &str| numbers.get(name).copied().unwrap_or(0.0);
    let series: Vec<f64> = tree
        .skeleton()
        .take(MAX_TAGS)
        .map(|tag| if tag.end { 0.0 } else { number(tree.name(tag.node)) })
        .collect();
    Spectrum::of(&series)
}

/// How far the pages of a type are from their nearest neighbours; for a single page a tenth of its own size.
fn own_reach(spectra: &[Spectrum]) -> f64 {
    let mut nearest: Vec<f64> = Vec::new();
    for (at, one) in spectra.iter().enumerate() {
        let others = spectra.iter().enumerate().filter(|(other, _)| *other != at);
        let distance = others.map(|(_, other)| one.distance(other)).fold(f64::INFINITY, f64::min);
        if distance.is_finite() {
            nearest.push(distance);
        } else {
            nearest.push(one.magnitudes().iter().map(|x| x * x).sum::<f64>().sqrt() / 10.0);
        }
    }
    nearest.sort_by(f64::total_cmp);
    nearest.get(((nearest.len().max(1) - 1) as f64 * WITHIN_REACH) as usize).copied().unwrap_or(0.0)
}

/// Four digits are kept: the distances of pages differ in the first two.
fn rounded(value: f64) -> f32 {
    let scale = 10f64.powi(3 - value.abs().max(1e-9).log10().floor() as i32);
    ((value * scale).round() / scale) as f32
}
