//! Sparse vectors and THOR's term weights.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A sparse vector: pairs of dimension and weight, sorted by dimension, each dimension once.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SparseVec {
    entries: Vec<(u32, f64)>,
}

impl SparseVec {
    /// From pairs in any order; weights of a repeated dimension are added, zero weights dropped.
    pub fn new(mut pairs: Vec<(u32, f64)>) -> Self {
        pairs.sort_by_key(|p| p.0);
        let mut entries: Vec<(u32, f64)> = Vec::with_capacity(pairs.len());
        for (dimension, weight) in pairs {
            match entries.last_mut() {
                Some(last) if last.0 == dimension => last.1 += weight,
                _ => entries.push((dimension, weight)),
            }
        }
        entries.retain(|e| e.1 != 0.0);
        SparseVec { entries }
    }

    /// The sorted entries.
    pub fn entries(&self) -> &[(u32, f64)] {
        &self.entries
    }

    /// Scalar product.
    pub fn dot(&self, other: &SparseVec) -> f64 {
        let (mut a, mut b) = (self.entries.iter().peekable(), other.entries.iter().peekable());
        let mut sum = 0.0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Less => _ = a.next(),
                std::cmp::Ordering::Greater => _ = b.next(),
                std::cmp::Ordering::Equal => {
                    sum += x.1 * y.1;
                    a.next();
                    b.next();
                }
            }
        }
        sum
    }

    /// Euclidean length.
    pub fn norm(&self) -> f64 {
        self.entries.iter().map(|e| e.1 * e.1).sum::<f64>().sqrt()
    }

    /// Cosine of the angle between the two; 0 when either is the zero vector.
    pub fn cosine(&self, other: &SparseVec) -> f64 {
        let lengths = self.norm() * other.norm();
        if lengths > 0.0 { (self.dot(other) / lengths).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Divides by the Euclidean length; the zero vector stays as it is.
    pub fn normalise(&mut self) {
        let length = self.norm();
        if length > 0.0 {
            self.entries.iter_mut().for_each(|e| e.1 /= length);
        }
    }

    /// Weight of a dimension.
    pub fn get(&self, dimension: u32) -> f64 {
        self.entries.binary_search_by_key(&dimension, |e| e.0).map_or(0.0, |i| self.entries[i].1)
    }
}

/// The document frequencies of a collection: what turns counts into tf-idf vectors, also for items seen later.
///
/// # What it does
/// `w(i,k) = ln(tf(i,k) + 1) * ln((n + 1) / n_k)`, then each vector is divided by its length.
/// # Assumes
/// Counts per item, features numbered site-wide. A feature of every item still weighs `ln((n+1)/n) > 0`.
/// # When it fails
/// With one item the weights say nothing. A feature never seen in training is ignored when a later item is weighed.
/// # Paper
/// THOR (Caverlee, Liu, Buttler 2004), tag signatures and content vectors.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TfIdf {
    items: usize,
    /// Sorted by feature: (feature, number of items that contain it).
    frequencies: Vec<(u32, u32)>,
}

impl TfIdf {
    /// Counts in how many items each feature occurs.
    pub fn fit(counts: &[SparseVec]) -> Self {
        let mut containing: FxHashMap<u32, u32> = FxHashMap::default();
        for item in counts {
            item.entries.iter().for_each(|e| *containing.entry(e.0).or_default() += 1);
        }
        let mut frequencies: Vec<(u32, u32)> = containing.into_iter().collect();
        frequencies.sort_unstable();
        TfIdf { items: counts.len(), frequencies }
    }

    /// The normalised tf-idf vector of one item's counts.
    pub fn weigh(&self, counts: &SparseVec) -> SparseVec {
        let weight = |&(feature, tf): &(u32, f64)| {
            let at = self.frequencies.binary_search_by_key(&feature, |f| f.0).ok()?;
            let rarity = ((self.items as f64 + 1.0) / f64::from(self.frequencies[at].1)).ln();
            Some((feature, (tf.max(0.0) + 1.0).ln() * rarity))
        };
        let mut vector = SparseVec::new(counts.entries.iter().filter_map(weight).collect());
        vector.normalise();
        vector
    }
}

/// Normalised THOR tf-idf vectors of a whole collection of counts.
pub fn tfidf(counts: &[SparseVec]) -> Vec<SparseVec> {
    let model = TfIdf::fit(counts);
    counts.iter().map(|item| model.weigh(item)).collect()
}

/// Arithmetic mean of the vectors; the zero vector when there is none.
pub fn centroid<'a>(vectors: impl IntoIterator<Item = &'a SparseVec>) -> SparseVec {
    let mut all = Vec::new();
    let mut n = 0usize;
    for vector in vectors {
        all.extend_from_slice(&vector.entries);
        n += 1;
    }
    let mut mean = SparseVec::new(all);
    mean.entries.iter_mut().for_each(|e| e.1 /= n.max(1) as f64);
    mean
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// THOR's four golden pages; dimensions 0..8 = a, b, body, html, p, table, td, tr.
    fn golden_pages() -> Vec<SparseVec> {
        tfidf(&golden_counts())
    }

    fn golden_counts() -> Vec<SparseVec> {
        [
            [6, 3, 1, 1, 0, 1, 9, 3],
            [10, 5, 1, 1, 0, 1, 15, 5],
            [2, 0, 1, 1, 1, 1, 3, 1],
            [1, 0, 1, 1, 2, 0, 0, 0],
        ]
        .iter()
        .map(|row| SparseVec::new(row.iter().enumerate().map(|(k, &tf)| (k as u32, f64::from(tf))).collect()))
        .collect()
    }

    #[test]
    fn thor_golden_vectors() {
        let want = [
            [0.221003, 0.646517, 0.078723, 0.078723, 0.0, 0.180214, 0.598659, 0.360429],
            [0.218469, 0.670329, 0.063152, 0.063152, 0.0, 0.144568, 0.578273, 0.373704],
            [0.218088, 0.0, 0.137598, 0.137598, 0.565018, 0.314994, 0.629987, 0.314994],
            [0.148482, 0.0, 0.148482, 0.148482, 0.966364, 0.0, 0.0, 0.0],
        ];
        for (page, row) in golden_pages().iter().zip(want) {
            for (k, weight) in row.into_iter().enumerate() {
                assert!(
                    (page.get(k as u32) - weight).abs() < 1e-6,
                    "{k}: {} is not {weight}",
                    page.get(k as u32)
                );
            }
        }
    }

    #[test]
    fn thor_golden_cosines() {
        let p = golden_pages();
        let want = [
            (0, 1, 0.998540),
            (0, 2, 0.617309),
            (0, 3, 0.056193),
            (1, 2, 0.592582),
            (1, 3, 0.051192),
            (2, 3, 0.619257),
        ];
        for (i, j, cos) in want {
            assert!((p[i].cosine(&p[j]) - cos).abs() < 1e-6);
        }
    }

    #[test]
    fn zero_vectors_and_unseen_features() {
        let zero = SparseVec::default();
        assert_eq!(zero.cosine(&golden_pages()[0]), 0.0);
        let model = TfIdf::fit(&golden_counts());
        assert_eq!(model.weigh(&SparseVec::new(vec![(99, 4.0)])), zero);
        assert_eq!(tfidf(std::slice::from_ref(&zero)), std::slice::from_ref(&zero));
        assert_eq!(centroid([]), zero);
        assert_eq!(SparseVec::new(vec![(3, 1.0), (1, 2.0), (3, -1.0)]).entries(), [(1, 2.0)]);
    }
}
