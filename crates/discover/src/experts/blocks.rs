//! Which blocks change together.
//!
//! # What it does
//! Weights every path by how many independent blocks come and go with it over the site, and takes the weighted share
//! of common paths. A comment form that comes and goes alone says nothing; a title, a price and a cart that change
//! together say type.
//! # Assumes
//! Types differ in several places at once, optional parts in one.
//! # When it fails
//! Sites of one type: whatever co-varies most looks like types.
//! # Paper
//! Ours.

use rustc_hash::FxHashMap;

use super::{Expert, Features, Weights, path_set};

pub(super) const EXPERT: Expert = Expert {
    name: "blocks",
    about: "blocks that come and go together with other blocks: what a type changes, not what a page lacks",
    read: path_set::read,
    weigh,
    weight: |weights, path| weights.of.get(&path.key).copied(),
    score,
};

/// Pages that correlations are taken over; one machine word for each 64.
const MAX_PAGES: usize = 512;

/// Distinct presence patterns compared with each other; the most frequent ones first.
const MAX_PATTERNS: usize = 600;

/// Patterns that agree less than this are independent.
const COMPANY: f64 = 0.7;

/// Weights of paths: 0 for a path whose presence no other block shares, towards 1 for one that many independent
/// blocks share; divided by the number of paths with the same presence, so that a block counts once.
fn weigh(pages: &[&Features]) -> Weights {
    let step = pages.len().div_ceil(MAX_PAGES).max(1);
    let sample: Vec<&&Features> = pages.iter().step_by(step).collect();
    let words = sample.len().div_ceil(64);
    let mut presence: FxHashMap<u64, (u64, Vec<u64>)> = FxHashMap::default();
    for (at, page) in sample.iter().enumerate() {
        for feature in page.iter() {
            let entry = presence.entry(feature.key).or_insert_with(|| (feature.above, vec![0; words]));
            entry.1[at / 64] |= 1 << (at % 64);
        }
    }
    let mut patterns: FxHashMap<&[u64], Pattern> = FxHashMap::default();
    for (above, bits) in presence.values() {
        let pattern = patterns.entry(bits).or_default();
        pattern.paths += 1;
        // A path is the root of a block when its parent comes on other pages than itself.
        pattern.roots += usize::from(presence.get(above).is_none_or(|parent| parent.1 != *bits));
    }
    let enough = (sample.len() / 50).max(2) as u32;
    let mut kept: Vec<(&[u64], u32, usize)> = patterns
        .iter()
        .map(|(&bits, pattern)| (bits, bits.iter().map(|word| word.count_ones()).sum::<u32>(), pattern.roots))
        .filter(|&(_, count, _)| count >= enough && count < sample.len() as u32)
        .collect();
    kept.sort_unstable_by(|a, b| (b.2, b.1, a.0).cmp(&(a.2, a.1, b.0)));
    kept.truncate(MAX_PATTERNS);
    let n = sample.len() as f64;
    let mut weight: FxHashMap<&[u64], f64> = FxHashMap::default();
    for &(bits, count, roots) in &kept {
        let mut company = roots as f64;
        for &(other, other_count, other_roots) in &kept {
            if std::ptr::eq(bits, other) {
                continue;
            }
            let both: u32 = bits.iter().zip(other).map(|(a, b)| (a & b).count_ones()).sum();
            let (p, q) = (f64::from(count) / n, f64::from(other_count) / n);
            let phi = (f64::from(both) / n - p * q) / (p * (1.0 - p) * q * (1.0 - q)).sqrt();
            if phi.abs() >= COMPANY {
                company += phi * phi * other_roots as f64;
            }
        }
        weight.insert(bits, (1.0 - 1.0 / company.max(1.0)) * (1.0 + roots as f64).log2());
    }
    let mut of = FxHashMap::default();
    for (key, (_, bits)) in &presence {
        if let (Some(weight), Some(pattern)) = (weight.get(bits.as_slice()), patterns.get(bits.as_slice())) {
            of.insert(*key, weight / pattern.paths as f64);
        }
    }
    Weights { pages: n, of }
}

#[derive(Default)]
struct Pattern {
    paths: usize,
    roots: usize,
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}
