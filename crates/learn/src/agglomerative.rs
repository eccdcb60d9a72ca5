//! Hierarchical clustering of a bounded number of items by single, complete or average link.

use crate::correlation::renumber;
use crate::union_find::UnionFind;

/// How the distance of two clusters follows from the distances of their members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// Smallest member distance.
    Single,
    /// Largest member distance.
    Complete,
    /// Mean member distance.
    Average,
}

/// The merges of a hierarchical clustering, in ascending height.
#[derive(Debug, Clone, PartialEq)]
pub struct Dendrogram {
    items: usize,
    /// (an item of the one cluster, an item of the other, height).
    merges: Vec<(u32, u32, f64)>,
}

/// Builds the hierarchy of `n` items.
///
/// # What it does
/// Follows chains of nearest neighbours and merges reciprocal pairs, with the Lance-Williams update; the same tree as
/// merging the closest pair each time, in `n^2` time and memory.
/// # Assumes
/// A symmetric distance and a sample of at most a few thousand items. NaN counts as infinitely far.
/// # When it fails
/// Single link chains, complete link cuts long clusters, average link wants clusters of like spread.
/// # Paper
/// Murtagh 1983 (nearest-neighbour chains).
pub fn agglomerative(n: usize, linkage: Linkage, distance: impl Fn(usize, usize) -> f64) -> Dendrogram {
    let mut matrix = vec![f64::INFINITY; n * n];
    for i in 0..n {
        for j in i + 1..n {
            let d = distance(i, j);
            let d = if d.is_nan() { f64::INFINITY } else { d };
            matrix[i * n + j] = d;
            matrix[j * n + i] = d;
        }
    }
    let mut size = vec![1.0; n];
    let mut alive: Vec<usize> = (0..n).collect();
    let mut chain: Vec<usize> = Vec::new();
    let mut merges = Vec::with_capacity(n.saturating_sub(1));
    while alive.len() > 1 {
        let Some(&top) = chain.last() else {
            chain.push(alive[0]);
            continue;
        };
        let before = chain.len().checked_sub(2).map(|i| chain[i]);
        let next = nearest(&matrix, n, &alive, top, before);
        if Some(next) != before {
            chain.push(next);
            continue;
        }
        chain.truncate(chain.len() - 2);
        let (keep, drop) = (top.min(next), top.max(next));
        merges.push((keep as u32, drop as u32, matrix[keep * n + drop]));
        alive.retain(|&x| x != drop);
        for &other in alive.iter().filter(|&&x| x != keep) {
            let (a, b) = (matrix[keep * n + other], matrix[drop * n + other]);
            let merged = match linkage {
                Linkage::Single => a.min(b),
                Linkage::Complete => a.max(b),
                Linkage::Average => (size[keep] * a + size[drop] * b) / (size[keep] + size[drop]),
            };
            matrix[keep * n + other] = merged;
            matrix[other * n + keep] = merged;
        }
        size[keep] += size[drop];
    }
    merges.sort_by(|x, y| x.2.total_cmp(&y.2));
    Dendrogram { items: n, merges }
}

/// The live cluster nearest to `from`; the one before it in the chain wins ties, else the lowest.
fn nearest(matrix: &[f64], n: usize, alive: &[usize], from: usize, before: Option<usize>) -> usize {
    let mut best = before;
    for &x in alive.iter().filter(|&&x| x != from) {
        if best.is_none_or(|b| matrix[from * n + x] < matrix[from * n + b]) {
            best = Some(x);
        }
    }
    best.unwrap_or(from)
}

impl Dendrogram {
    /// Clusters whose merges are no higher than `height`; labels numbered by first item.
    pub fn cut(&self, height: f64) -> Vec<u32> {
        self.join(self.merges.iter().take_while(|m| m.2 <= height).count())
    }

    /// `k` clusters (as many as there are items when `k` is larger).
    pub fn cut_into(&self, k: usize) -> Vec<u32> {
        self.join(self.items.saturating_sub(k.max(1)).min(self.merges.len()))
    }

    /// Heights of the merges, ascending.
    pub fn heights(&self) -> Vec<f64> {
        self.merges.iter().map(|m| m.2).collect()
    }

    fn join(&self, merges: usize) -> Vec<u32> {
        let mut sets = UnionFind::new(self.items);
        self.merges[..merges].iter().for_each(|&(a, b, _)| _ = sets.join(a, b));
        renumber(&sets.roots())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const POINTS: [f64; 6] = [0.0, 1.0, 2.5, 10.0, 11.0, 30.0];

    fn tree(linkage: Linkage) -> Dendrogram {
        agglomerative(6, linkage, |i, j| (POINTS[i] - POINTS[j]).abs())
    }

    #[test]
    fn heights_by_hand() {
        assert_eq!(tree(Linkage::Single).heights(), [1.0, 1.0, 1.5, 7.5, 19.0]);
        assert_eq!(tree(Linkage::Complete).heights(), [1.0, 1.0, 2.5, 11.0, 30.0]);
        let average = tree(Linkage::Average).heights();
        let want = [1.0, 1.0, 2.0, 10.5 - 3.5 / 3.0, 30.0 - 24.5 / 5.0];
        assert!(average.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{average:?}");
    }

    #[test]
    fn cuts() {
        assert_eq!(tree(Linkage::Average).cut(3.0), [0, 0, 0, 1, 1, 2]);
        assert_eq!(tree(Linkage::Complete).cut_into(2), [0, 0, 0, 0, 0, 1]);
        assert_eq!(tree(Linkage::Single).cut_into(99), [0, 1, 2, 3, 4, 5]);
        assert_eq!(tree(Linkage::Single).cut_into(0), [0; 6]);
        assert!(agglomerative(0, Linkage::Single, |_, _| 0.0).cut(1.0).is_empty());
        assert_eq!(agglomerative(3, Linkage::Average, |_, _| f64::NAN).cut(9.0), [0, 1, 2]);
        assert_eq!(agglomerative(3, Linkage::Average, |_, _| 0.0).cut(0.0), [0, 0, 0]);
    }

    proptest! {
        #[test]
        fn single_link_is_connected_components(points in proptest::collection::vec(0.0f64..50.0, 1..40)) {
            let labels = agglomerative(points.len(), Linkage::Single, |i, j| (points[i] - points[j]).abs()).cut(1.0);
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|&a, &b| points[a].total_cmp(&points[b]));
            for pair in order.windows(2) {
                let near = points[pair[1]] - points[pair[0]] <= 1.0;
                prop_assert_eq!(labels[pair[0]] == labels[pair[1]], near);
            }
        }
    }
}
