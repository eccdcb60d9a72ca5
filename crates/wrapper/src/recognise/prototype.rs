//! What the pages of a type look like, for telling a strange page: by the paths of their elements.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::hex;

/// The paths of elements on the pages of one type.
///
/// # What it does
/// Keeps each path with the share of the type's pages that have it, and how like the type its own pages are when
/// each is left out in turn. A page that is much less like the type than those is not of it.
/// # Assumes
/// The pages that were learned from are a fair sample of the type.
/// # When it fails
/// A type learned from one or two pages does not know what varies; it borrows the variation of the whole site.
/// # Paper
/// Ours. The threshold from the training pages' own likeness is the [OUR] of the Fourier classifier's specification.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prototype {
    /// `(path, share of the type's pages that have it)`, sorted by path.
    #[serde(with = "hex::shares")]
    pub paths: Vec<(u64, f32)>,
    /// The lowest likeness that a page of the type has to be taken for one of its own.
    pub least: f64,
    /// The mean likeness of its own pages, each left out in turn.
    pub usual: f64,
}

/// Of a type's own pages, each left out in turn, at most this share is less like it than its floor.
const OWN_OUTLIERS: f64 = 0.02;

/// Types with fewer pages than this borrow from the site: their own spread is not known.
const ENOUGH_PAGES: f64 = 10.0;

/// How far below the most unlike of its own pages a page may be. See `docs/wrappers.md` for what was measured.
const BELOW_OWN: f64 = 0.72;

/// No page that has less than this in common with a type is of it, however varied the type is.
const NEVER: f64 = 0.2;

impl Prototype {
    /// Learns all types of a site from their pages' path sets.
    pub fn learn_all(types: &[Vec<&[u64]>]) -> Vec<Prototype> {
        let spreads: Vec<(Prototype, Vec<f64>)> =
            types.iter().map(|pages| Prototype::spread(pages)).collect();
        let mut all: Vec<f64> = spreads.iter().flat_map(|(_, own)| own.iter().copied()).collect();
        all.sort_by(f64::total_cmp);
        let (site_low, site_mean) = if all.is_empty() { (0.6, 0.8) } else { (low(&all), mean(&all)) };
        spreads
            .into_iter()
            .map(|(mut prototype, mut own)| {
                own.sort_by(f64::total_cmp);
                let trust = own.len() as f64 / (own.len() as f64 + ENOUGH_PAGES);
                let (own_low, own_mean) =
                    if own.is_empty() { (site_low, site_mean) } else { (low(&own), mean(&own)) };
                let floor = (trust * own_low + (1.0 - trust) * site_low.min(own_low)) * BELOW_OWN;
                prototype.least = floor.max(NEVER);
                prototype.usual = trust * own_mean + (1.0 - trust) * site_mean;
                prototype
            })
            .collect()
    }

    /// The shares, and the likeness of each page to all others. A single page has nothing to be like.
    fn spread(pages: &[&[u64]]) -> (Prototype, Vec<f64>) {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for path in pages.iter().flat_map(|paths| paths.iter()) {
            *counts.entry(*path).or_default() += 1;
        }
        let count = pages.len() as f64;
        let mut paths: Vec<(u64, f32)> =
            counts.iter().map(|(&path, &with)| (path, (f64::from(with) / count) as f32)).collect();
        paths.sort_unstable_by_key(|path| path.0);
        let own = if pages.len() < 2 {
            Vec::new()
        } else {
            // All shares without the page: sums over everything, corrected by what the page has.
            let all: f64 = counts.values().map(|&with| f64::from(with) / (count - 1.0)).sum();
            pages
                .iter()
                .map(|page| {
                    let (mut both, mut either) = (0.0, all);
                    for path in page.iter() {
                        let with = f64::from(counts.get(path).copied().unwrap_or(1));
                        both += (with - 1.0) / (count - 1.0);
                        either += 1.0 - with / (count - 1.0);
                    }
                    if either <= 0.0 { 1.0 } else { both / either }
                })
                .collect()
        };
        (Prototype { paths, ..Prototype::default() }, own)
    }

    /// How much a page is like the pages of the type, 0 to 1: the weighted Jaccard similarity of its sorted paths
    /// to the type's shares.
    pub fn likeness(&self, page: &[u64]) -> f64 {
        let (mut both, mut either) = (0.0, 0.0);
        let mut next = page.iter().peekable();
        for &(path, share) in &self.paths {
            while next.next_if(|&&own| own < path).is_some() {
                either += 1.0;
            }
            if next.next_if(|&&own| own == path).is_some() {
                both += f64::from(share);
                either += 1.0;
            } else {
                either += f64::from(share);
            }
        }
        either += next.count() as f64;
        if either == 0.0 { 1.0 } else { both / either }
    }
}

/// The value that the given share of a sorted list lies below.
fn low(sorted: &[f64]) -> f64 {
    sorted[((sorted.len() - 1) as f64 * OWN_OUTLIERS) as usize]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A short fingerprint of bytes that is stable between runs and machines.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}
