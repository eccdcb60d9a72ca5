//! MinHash: small signatures of large sets, whose agreement estimates the Jaccard similarity.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A hash of a run of symbols, stable across machines and versions.
pub fn shingle_hash(run: &[u64], seed: u64) -> u64 {
    let mut bytes = Vec::with_capacity(run.len() * 8);
    run.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
    xxh3_64_with_seed(&bytes, seed)
}

/// The set of hashes of all runs of `width` symbols, sorted; a shorter sequence is one run.
pub fn shingles(symbols: &[u64], width: usize) -> Vec<u64> {
    let width = width.clamp(1, symbols.len().max(1));
    let mut set: Vec<u64> = symbols.windows(width).map(|run| shingle_hash(run, 0)).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Jaccard similarity of two sorted sets; 1 for two empty ones.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let common = a.iter().filter(|x| b.binary_search(x).is_ok()).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// A family of seeded hash functions that makes signatures.
///
/// # What it does
/// A signature holds, for each of `size` hash functions, the smallest hash over the set. The share of equal places of two
/// signatures estimates the Jaccard similarity with a standard error of at most `0.5 / sqrt(size)`.
/// # Assumes
/// Elements are 64-bit hashes or identifiers. The empty set has all places at the maximum.
/// # When it fails
/// Tiny sets, and similarities that differ by less than the error.
/// # Paper
/// Broder 1997.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinHasher {
    seeds: Vec<u64>,
}

impl MinHasher {
    /// `size` hash functions drawn from `seed`.
    pub fn new(size: usize, seed: u64) -> Self {
        let mut rng = unsite_learn::rng::Rng::new(seed);
        MinHasher { seeds: (0..size).map(|_| rng.next_u64()).collect() }
    }

    /// The signature of a set; repeated elements do not matter.
    pub fn signature(&self, set: &[u64]) -> Vec<u64> {
        let smallest = |&seed: &u64| set.iter().map(|x| xxh3_64_with_seed(&x.to_le_bytes(), seed)).min();
        self.seeds.iter().map(|seed| smallest(seed).unwrap_or(u64::MAX)).collect()
    }
}

/// Share of equal places of two signatures.
pub fn estimate(a: &[u64], b: &[u64]) -> f64 {
    let n = a.len().min(b.len());
    if n == 0 { 0.0 } else { a.iter().zip(b).filter(|(x, y)| x == y).count() as f64 / n as f64 }
}

/// Pairs of items `(low, high)` that share at least one band of `rows` places of their signatures, sorted.
///
/// # What it does
/// Items of Jaccard similarity `s` become a pair with probability `1 - (1 - s^rows)^bands`. A bucket of more than
/// `max_bucket` items gives a chain (each with the next) instead of all pairs, so the work stays linear in the items.
/// # Assumes
/// All signatures come from one [`MinHasher`]; places that do not fill a band are not used.
/// # When it fails
/// In an overfull bucket distant members are connected only through others.
/// # Paper
/// Indyk and Motwani 1998; Leskovec, Rajaraman, Ullman.
pub fn candidate_pairs(signatures: &[Vec<u64>], rows: usize, max_bucket: usize) -> Vec<(u32, u32)> {
    let rows = rows.max(1);
    let bands = signatures.iter().map(|s| s.len() / rows).min().unwrap_or(0);
    let mut pairs = Vec::new();
    for band in 0..bands {
        let mut keyed: Vec<(u64, u32)> = signatures
            .iter()
            .enumerate()
            .map(|(i, s)| (shingle_hash(&s[band * rows..(band + 1) * rows], band as u64), i as u32))
            .collect();
        keyed.sort_unstable();
        for bucket in keyed.chunk_by(|a, b| a.0 == b.0) {
            if bucket.len() > max_bucket.max(2) {
                pairs.extend(bucket.windows(2).map(|w| (w[0].1, w[1].1)));
            } else {
                for (i, a) in bucket.iter().enumerate() {
                    pairs.extend(bucket[i + 1..].iter().map(|b| (a.1, b.1)));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The `k` smallest seeded hashes of a set, sorted: KeyClus's shingle of a page.
pub fn bottom_k(set: &[u64], k: usize, seed: u64) -> Vec<u64> {
    let mut hashes: Vec<u64> = set.iter().map(|x| xxh3_64_with_seed(&x.to_le_bytes(), seed)).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(k);
    hashes
}

/// Longest shingle that [`m_of_k`] takes apart: 12 over 6 gives 924 subsets.
const MAX_SHINGLE: usize = 12;

/// Clusters shingles by their most common `m`-subset; labels numbered by first item.
///
/// # What it does
/// Counts how many items contain each `m`-subset of their shingle; an item belongs to the most frequent of its own subsets,
/// ties to the smallest. With `m = 6`, `k = 8` that is 28 subsets an item.
/// # Assumes
/// Shingles of at most 12 elements, such as from [`bottom_k`]; longer ones are cut. A shingle with fewer than `m`
/// elements is a subset of its own.
/// # When it fails
/// Template noise inside the smallest hashes splits a cluster.
/// # Paper
/// The m/k shingle baseline of KeyClus.
pub fn m_of_k(shingles: &[Vec<u64>], m: usize) -> Vec<u32> {
    let mut counts: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    for shingle in shingles {
        for_each_subset(shingle, m, |subset| *counts.entry(subset.to_vec()).or_default() += 1);
    }
    let mut number: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    shingles
        .iter()
        .map(|shingle| {
            let mut best: (u32, Vec<u64>) = (0, Vec::new());
            for_each_subset(shingle, m, |subset| {
                let count = counts.get(subset).copied().unwrap_or(0);
                if count > best.0 || (count == best.0 && subset < best.1.as_slice()) {
                    best = (count, subset.to_vec());
                }
            });
            let next = number.len() as u32;
            *number.entry(best.1).or_insert(next)
        })
        .collect()
}

/// Calls `visit` with every sorted subset of `m` elements, or with the whole shingle when it has no more than `m`.
fn for_each_subset(shingle: &[u64], m: usize, mut visit: impl FnMut(&[u64])) {
    let mut set = shingle.to_vec();
    set.sort_unstable();
    set.dedup();
    set.truncate(MAX_SHINGLE);
    if set.len() <= m {
        return visit(&set);
    }
    for mask in 0u32..1 << set.len() {
        if mask.count_ones() as usize == m {
            let subset: Vec<u64> = (0..set.len()).filter(|i| mask >> i & 1 == 1).map(|i| set[i]).collect();
            visit(&subset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_near_the_truth() {
        let hasher = MinHasher::new(400, 9);
        let a: Vec<u64> = (0..300).collect();
        for shift in [0u64, 50, 150, 300] {
            let b: Vec<u64> = (shift..shift + 300).collect();
            let guess = estimate(&hasher.signature(&a), &hasher.signature(&b));
            assert!((guess - jaccard(&a, &b)).abs() < 0.08, "{shift}: {guess} for {}", jaccard(&a, &b));
        }
        assert_eq!(hasher.signature(&[]), vec![u64::MAX; 400]);
        assert_eq!(jaccard(&[], &[]), 1.0);
        assert_eq!(estimate(&[], &[]), 0.0);
    }

    #[test]
    fn shingles_of_sequences() {
        assert_eq!(shingles(&[1, 2, 3, 1, 2], 2).len(), 3);
        assert_eq!(shingles(&[1, 2], 4).len(), 1);
        assert!(shingles(&[], 3).is_empty());
        assert_eq!(shingles(&[1, 2], 0).len(), 2);
        assert_ne!(shingle_hash(&[1, 2], 0), shingle_hash(&[2, 1], 0));
    }

    #[test]
    fn bands_find_the_alike_and_skip_strangers() {
        let hasher = MinHasher::new(60, 1);
        let set = |from: u64| (from..from + 100).collect::<Vec<u64>>();
        let signatures: Vec<_> =
            [0, 5, 1_000, 1_003, 9_000].iter().map(|&f| hasher.signature(&set(f))).collect();
        assert_eq!(candidate_pairs(&signatures, 5, 50), [(0, 1), (2, 3)]);
        let same = vec![hasher.signature(&set(0)); 500];
        assert_eq!(candidate_pairs(&same, 5, 50).len(), 499);
        assert!(candidate_pairs(&[], 5, 50).is_empty());
    }

    #[test]
    fn m_of_k_tolerates_missing_elements() {
        let page = |extra: &[u64]| {
            let mut set: Vec<u64> = (1..=6).collect();
            set.extend(extra);
            set
        };
        let pages = [page(&[70, 71]), page(&[80, 81]), page(&[90]), vec![20, 21], vec![20, 21], vec![]];
        assert_eq!(m_of_k(&pages, 6), [0, 0, 0, 1, 1, 2]);
        assert_eq!(bottom_k(&[5, 6, 7, 5], 2, 3).len(), 2);
    }
}
