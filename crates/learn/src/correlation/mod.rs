//! Correlation clustering: the clusters that maximise the summed log-odds of the pairs inside them.

mod merges;
mod moves;

use crate::union_find::UnionFind;
use merges::Clusters;
use moves::Adjacency;
use rustc_hash::FxHashMap;

/// Gains up to this are rounding noise of added logarithms, not evidence.
const NOISE: f64 = 1e-9;
/// Scores are clamped to this, so that an infinite "must not" still leaves sums that can be compared.
const MAX_SCORE: f64 = 1e9;
/// Most alternations of moves and merges, and most sweeps of moves: a safety limit, since each one raises the objective.
const MAX_ROUNDS: usize = 20;

/// Log-odds for pairs of items `0..n`; a pair that was never scored counts 0 or what [`PairScores::with_missing`] says.
///
/// Scores of a repeated pair add up, pairs of an item with itself and NaN are ignored.
#[derive(Debug, Clone)]
pub struct PairScores {
    items: usize,
    missing: f64,
    /// Sorted by (low, high), each pair once.
    pairs: Vec<(u32, u32, f64)>,
}

impl PairScores {
    /// From scored pairs in any order. Pairs that name an item outside `0..items` are dropped.
    pub fn new(items: usize, pairs: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let mut all: Vec<(u32, u32, f64)> = pairs
            .into_iter()
            .filter(|&(a, b, s)| a != b && a.max(b) < items as u32 && !s.is_nan())
            .map(|(a, b, s)| (a.min(b), a.max(b), s.clamp(-MAX_SCORE, MAX_SCORE)))
            .collect();
        // The score is part of the key so that repeated pairs are added in the same order for any input order.
        all.sort_unstable_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2)));
        all.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        PairScores { items, missing: 0.0, pairs: all }
    }

    /// From a function of two items (low, high): all pairs, for a few thousand items at most.
    pub fn dense(items: usize, score: impl Fn(usize, usize) -> f64) -> Self {
        let pairs = (0..items).flat_map(|a| (a + 1..items).map(move |b| (a, b)));
        PairScores::new(items, pairs.map(|(a, b)| (a as u32, b as u32, score(a, b))))
    }

    /// What a pair that was never scored counts; above 0 is taken as 0, because strangers must not attract each other.
    pub fn with_missing(mut self, missing: f64) -> Self {
        self.missing = if missing.is_nan() { 0.0 } else { missing.clamp(-MAX_SCORE, 0.0) };
        self
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The distinct scored pairs, sorted.
    pub fn pairs(&self) -> &[(u32, u32, f64)] {
        &self.pairs
    }

    /// The sum of the scores of all pairs inside clusters: what clustering maximises. Singletons have 0. `labels` holds one
    /// label for each item.
    pub fn objective(&self, labels: &[u32]) -> f64 {
        let inside = self.pairs.iter().filter(|p| labels[p.0 as usize] == labels[p.1 as usize]);
        let (mut sum, mut scored) = (0.0, 0.0);
        inside.for_each(|p| {
            sum += p.2;
            scored += 1.0;
        });
        if self.missing == 0.0 {
            return sum;
        }
        let mut sorted = labels.to_vec();
        sorted.sort_unstable();
        let pairs_of = |size: usize| size as f64 * (size as f64 - 1.0) / 2.0;
        let together: f64 = sorted.chunk_by(|a, b| a == b).map(|c| pairs_of(c.len())).sum();
        sum + self.missing * (together - scored)
    }

    /// Greedy agglomerative clustering; labels are dense, numbered by first item.
    ///
    /// # What it does
    /// Starts with singletons and merges the two clusters with the largest sum of scores across, while it is above 0; ties
    /// go to the lowest items. A heap with lazily renewed entries and the smaller neighbour map poured into the larger
    /// keep it near linear in the number of scored pairs.
    /// # Assumes
    /// Scores are log-odds, positive for "together". Unscored pairs are neutral or mildly negative.
    /// # When it fails
    /// An early merge is never undone; [`PairScores::refine`] moves items afterwards. The optimum is NP-hard.
    /// # Paper
    /// Gazen 2008 (CONFHEX), search; details reconstructed.
    pub fn greedy(&self) -> Vec<u32> {
        let singletons: Vec<u32> = (0..self.items as u32).collect();
        self.merge_clusters(&singletons)
    }

    /// [`PairScores::greedy`] followed by [`PairScores::refine`].
    pub fn cluster(&self) -> Vec<u32> {
        self.refine(&self.greedy())
    }

    /// Improves a clustering: moves single items to the cluster that gains most (or out into a new one), then merges
    /// clusters, until neither helps. The objective never falls.
    pub fn refine(&self, labels: &[u32]) -> Vec<u32> {
        let adjacency = Adjacency::of(self);
        let mut best = renumber(labels);
        let mut value = self.objective(&best);
        for _ in 0..MAX_ROUNDS {
            let moved = self.merge_clusters(&self.move_items(&adjacency, &best));
            let reached = self.objective(&moved);
            if reached <= value + NOISE {
                break;
            }
            (best, value) = (moved, reached);
        }
        best
    }

    /// Greedy merging that starts from given clusters.
    fn merge_clusters(&self, labels: &[u32]) -> Vec<u32> {
        let labels = renumber(labels);
        let count = labels.iter().max().map_or(0, |m| *m as usize + 1);
        let mut clusters = Clusters::new(count, self.missing);
        labels.iter().for_each(|&c| clusters.grow(c));
        // Clusters that no chain of attraction connects can never be merged: their repulsion need not be stored.
        let across = || {
            let of_clusters = |p: &(u32, u32, f64)| (labels[p.0 as usize], labels[p.1 as usize], p.2);
            self.pairs.iter().map(of_clusters).filter(|p| p.0 != p.1)
        };
        let mut attracted = UnionFind::new(count);
        across().filter(|p| p.2 > 0.0).for_each(|p| _ = attracted.join(p.0, p.1));
        for (a, b, score) in across() {
            if attracted.root(a) == attracted.root(b) {
                clusters.add(a, b, score);
            }
        }
        clusters.merge_all();
        renumber(&labels.iter().map(|&c| clusters.root(c)).collect::<Vec<_>>())
    }
}

/// Dense labels in the order of first appearance.
pub fn renumber(labels: &[u32]) -> Vec<u32> {
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    labels
        .iter()
        .map(|&label| {
            let next = number.len() as u32;
            *number.entry(label).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partitions::partitions;
    use proptest::prelude::*;

    fn odds(p: f64) -> f64 {
        (p / (1.0 - p)).ln()
    }

    fn beliefs(bc: f64) -> PairScores {
        PairScores::new(3, [(0, 1, odds(0.7)), (0, 2, odds(0.8)), (1, 2, odds(bc))])
    }

    #[test]
    fn confhex_golden_posteriors() {
        // Order of the partitions: abc; ab,c; ac,b; a,bc; a,b,c.
        let cases = [
            (0.5, 0.7 * 0.8, [0.5283, 0.1321, 0.2264, 0.0566, 0.0566]),
            (0.4, 0.7 * 0.8 * 0.4, [0.4375, 0.1641, 0.28125, 0.0469, 0.0703]),
        ];
        for (bc, abc, want) in cases {
            let scores = beliefs(bc);
            let weights: Vec<f64> = partitions(3).map(|l| scores.objective(&l).exp()).collect();
            let sum: f64 = weights.iter().sum();
            for (w, p) in weights.iter().zip(want) {
                assert!((w / sum - p).abs() < 5e-5, "{} is not {p}", w / sum);
            }
            // The unnormalised product for singletons is the product of (1 - belief).
            let apart = 0.3 * 0.2 * (1.0 - bc);
            assert!((weights[0] * apart - abc * if bc == 0.5 { 0.5 } else { 1.0 }).abs() < 1e-12);
        }
    }

    #[test]
    fn confhex_golden_search() {
        assert_eq!(beliefs(0.4).greedy(), [0, 0, 0]);
        assert_eq!(beliefs(0.2).greedy(), [0, 1, 0]);
        assert_eq!(beliefs(0.3).greedy(), [0, 1, 0], "a gain of 0 is not merged");
        assert_eq!(beliefs(0.300001).greedy(), [0, 0, 0]);
        assert!((beliefs(0.4).objective(&[0, 1, 0]) - 1.386294).abs() < 1e-6);
        let added = beliefs(0.4).objective(&[0; 3]) - beliefs(0.4).objective(&[0, 1, 0]);
        assert!((added - 0.441833).abs() < 1e-6);
    }

    #[test]
    fn moves_undo_a_wrong_first_merge() {
        // 1 and 2 attract each other most, but 1 belongs with the pair 0, 3, which repels 2.
        let pairs = [(1, 2, 2.0), (0, 1, 1.9), (1, 3, 1.9), (0, 3, 1.5), (0, 2, -1.9), (2, 3, -1.9)];
        let scores = PairScores::new(4, pairs);
        assert_eq!(scores.greedy(), [0, 1, 1, 0]);
        assert_eq!(scores.cluster(), [0, 0, 1, 0]);
    }

    #[test]
    fn unscored_pairs_can_cost() {
        let chain = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)];
        assert_eq!(PairScores::new(4, chain).greedy(), [0; 4]);
        assert_eq!(PairScores::new(4, chain).with_missing(-0.9).greedy(), [0, 0, 1, 1]);
        assert_eq!(PairScores::new(4, chain).with_missing(7.0).greedy(), [0; 4]);
        let labels = [0, 0, 0, 1];
        assert!((PairScores::new(4, chain).with_missing(-0.9).objective(&labels) - 1.1).abs() < 1e-12);
    }

    #[test]
    fn odd_input() {
        assert!(PairScores::new(0, []).cluster().is_empty());
        let scores = PairScores::new(
            3,
            [(0, 0, 9.0), (0, 7, 9.0), (1, 2, f64::NAN), (2, 1, 1.0), (1, 2, f64::INFINITY)],
        );
        assert_eq!(scores.pairs().len(), 1);
        assert_eq!(scores.cluster(), [0, 1, 1]);
    }

    fn naive_greedy(scores: &PairScores) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..scores.items() as u32).collect();
        loop {
            let before = scores.objective(&labels);
            let mut best = (NOISE, 0, 0);
            for a in 0..scores.items() as u32 {
                for b in a + 1..scores.items() as u32 {
                    let merged: Vec<u32> = labels.iter().map(|&l| if l == b { a } else { l }).collect();
                    let gain = scores.objective(&merged) - before;
                    if gain > best.0 + 1e-9 {
                        best = (gain, a, b);
                    }
                }
            }
            if best.0 <= NOISE {
                return renumber(&labels);
            }
            labels.iter_mut().filter(|l| **l == best.2).for_each(|l| *l = best.1);
        }
    }

    proptest! {
        #[test]
        fn never_below_singletons_and_refinement_never_falls(
            pairs in proptest::collection::vec((0u32..12, 0u32..12, -3.0f64..3.0), 0..60),
            missing in -1.0f64..0.0,
        ) {
            let scores = PairScores::new(12, pairs).with_missing(missing);
            let greedy = scores.greedy();
            let refined = scores.refine(&greedy);
            prop_assert!(scores.objective(&greedy) >= 0.0);
            prop_assert!(scores.objective(&refined) >= scores.objective(&greedy) - 1e-9);
        }

        #[test]
        fn the_heap_finds_the_same_merges_as_plain_search(
            pairs in proptest::collection::vec((0u32..8, 0u32..8, -3.0f64..3.0), 0..28),
            missing in -1.0f64..0.0,
        ) {
            let scores = PairScores::new(8, pairs).with_missing(missing);
            prop_assert_eq!(scores.greedy(), naive_greedy(&scores));
        }

        #[test]
        fn order_of_pairs_does_not_matter(
            mut pairs in proptest::collection::vec((0u32..10, 0u32..10, -3.0f64..3.0), 0..40),
            seed in 0u64..1000,
        ) {
            let first = PairScores::new(10, pairs.clone()).cluster();
            crate::rng::Rng::new(seed).shuffle(&mut pairs);
            prop_assert_eq!(first, PairScores::new(10, pairs).cluster());
        }
    }

    #[test]
    fn refined_clusterings_are_mostly_optimal_on_small_problems() {
        let mut rng = crate::rng::Rng::new(5);
        let mut optimal = 0;
        for _ in 0..100 {
            let scores = PairScores::dense(7, |_, _| 0.0);
            let pairs: Vec<_> =
                scores.pairs().iter().map(|p| (p.0, p.1, rng.next_f64() * 2.0 - 1.0)).collect();
            let scores = PairScores::new(7, pairs);
            let best = partitions(7).map(|l| scores.objective(&l)).fold(0.0, f64::max);
            optimal += usize::from(scores.objective(&scores.cluster()) > best - 1e-9);
        }
        assert!(optimal >= 80, "{optimal} of 100");
    }
}
