//! Comparing a clustering with the true classes: entropy, adjusted Rand, pairwise precision and recall.
//!
//! A clustering is a slice of labels, one for each item; the labels may be of any ordered type.

use super::Prf;

/// The four pair counts of two clusterings of the same items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs together in both.
    pub both: u64,
    /// Pairs together in the first only.
    pub first_only: u64,
    /// Pairs together in the second only.
    pub second_only: u64,
    /// Pairs apart in both.
    pub neither: u64,
}

impl PairCounts {
    /// Counts the pairs in time `n log n` from the contingency table. Extra items of the longer slice are ignored.
    pub fn of<A: Ord, B: Ord>(first: &[A], second: &[B]) -> Self {
        let table = Contingency::of(first, second);
        let pairs = |n: &u64| n * n.saturating_sub(1) / 2;
        let both: u64 = table.cells.iter().map(|(_, _, n)| pairs(n)).sum();
        let in_first: u64 = table.rows.iter().map(pairs).sum();
        let in_second: u64 = table.columns.iter().map(pairs).sum();
        let all = pairs(&table.total);
        PairCounts {
            both,
            first_only: in_first - both,
            second_only: in_second - both,
            neither: all + both - in_first - in_second,
        }
    }

    /// Pairwise precision, recall and F1 with the first clustering as the prediction, the second as the truth.
    pub fn prf(&self) -> Prf {
        let (a, b, c) = (self.both as usize, self.first_only as usize, self.second_only as usize);
        Prf::from_counts(a, a + b, a + c)
    }

    /// Adjusted Rand in the form KeyClus prints it: `2(ad - bc) / ((b+a)(b+d) + (c+a)(c+d))`.
    ///
    /// Equal to Hubert and Arabie's. A denominator of 0 (both trivial and equal) gives 1.
    pub fn adjusted_rand(&self) -> f64 {
        let [a, b, c, d] = [self.both, self.first_only, self.second_only, self.neither].map(|x| x as f64);
        let denominator = (b + a) * (b + d) + (c + a) * (c + d);
        if denominator == 0.0 { 1.0 } else { 2.0 * (a * d - b * c) / denominator }
    }
}

/// Adjusted Rand index of two clusterings of the same items: 1 for equal partitions, about 0 for chance.
pub fn adjusted_rand<A: Ord, B: Ord>(first: &[A], second: &[B]) -> f64 {
    PairCounts::of(first, second).adjusted_rand()
}

/// Precision, recall and F1 over pairs of items, each pair being one yes/no decision.
pub fn pairwise<A: Ord, B: Ord>(predicted: &[A], truth: &[B]) -> Prf {
    PairCounts::of(predicted, truth).prf()
}

/// Entropy of a clustering against the true classes, 0 best and 1 worst.
///
/// # What it does
/// `H(C) = sum_i (n_i/n) * -(1/log c) * sum_j (n_ij/n_i) log(n_ij/n_i)` with `0 log 0 = 0`.
/// # Assumes
/// Every item has a true class; `c` is the number of classes that occur. One class gives 0.
/// # When it fails
/// Singletons score a perfect 0: read it next to the number of clusters or the adjusted Rand.
/// # Paper
/// THOR (Caverlee, Liu, Buttler 2004), evaluation of the page clustering.
pub fn clustering_entropy<A: Ord, B: Ord>(predicted: &[A], classes: &[B]) -> f64 {
    let table = Contingency::of(predicted, classes);
    if table.columns.len() < 2 {
        return 0.0;
    }
    let base = (table.columns.len() as f64).ln();
    let mut total = 0.0;
    for &(row, _, count) in &table.cells {
        let q = count as f64 / table.rows[row as usize] as f64;
        // (n_i/n) * q is simply n_ij/n.
        total -= count as f64 / table.total as f64 * q.ln() / base;
    }
    total.max(0.0)
}

/// Dense numbers `0..k` for labels, in the order of the labels, and `k`.
pub fn dense_labels<L: Ord>(labels: &[L]) -> (Vec<u32>, usize) {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|&i, &j| labels[i].cmp(&labels[j]));
    let mut dense = vec![0; labels.len()];
    let mut next = 0u32;
    for (position, &i) in order.iter().enumerate() {
        if position > 0 && labels[order[position - 1]] != labels[i] {
            next += 1;
        }
        dense[i] = next;
    }
    (dense, if labels.is_empty() { 0 } else { next as usize + 1 })
}

/// Counts of items per (first label, second label), sorted, with the margins.
struct Contingency {
    cells: Vec<(u32, u32, u64)>,
    rows: Vec<u64>,
    columns: Vec<u64>,
    total: u64,
}

impl Contingency {
    fn of<A: Ord, B: Ord>(first: &[A], second: &[B]) -> Self {
        let n = first.len().min(second.len());
        let (a, rows) = dense_labels(&first[..n]);
        let (b, columns) = dense_labels(&second[..n]);
        let mut pairs: Vec<(u32, u32)> = a.into_iter().zip(b).collect();
        pairs.sort_unstable();
        let mut table = Contingency {
            cells: Vec::new(),
            rows: vec![0; rows],
            columns: vec![0; columns],
            total: n as u64,
        };
        for run in pairs.chunk_by(|x, y| x == y) {
            let (row, column) = run[0];
            let count = run.len() as u64;
            table.cells.push((row, column, count));
            table.rows[row as usize] += count;
            table.columns[column as usize] += count;
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keyclus_golden_pair_counts() {
        let counts = PairCounts::of(&[0, 0, 0, 1, 1, 1], &[0, 0, 1, 1, 2, 2]);
        assert_eq!(counts, PairCounts { both: 2, first_only: 4, second_only: 1, neither: 8 });
        assert!((counts.adjusted_rand() - 8.0 / 33.0).abs() < 1e-12);
        let prf = counts.prf();
        assert!((prf.precision - 1.0 / 3.0).abs() < 1e-12);
        assert!((prf.recall - 2.0 / 3.0).abs() < 1e-12);
        assert!((prf.f1 - 4.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn thor_golden_entropy() {
        let classes = ["m", "m", "m", "m", "m", "m", "s", "s", "n", "n"];
        assert_eq!(clustering_entropy(&classes, &classes), 0.0);
        let mixed = [0, 0, 0, 0, 0, 1, 0, 1, 2, 2];
        assert!((clustering_entropy(&mixed, &classes) - 0.372257).abs() < 1e-6);
        assert!((clustering_entropy(&[0; 10], &classes) - 0.864974).abs() < 1e-6);
        assert_eq!(clustering_entropy(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &classes), 0.0);
        assert_eq!(clustering_entropy(&[0, 1], &["one", "one"]), 0.0);
        assert_eq!(clustering_entropy::<u8, u8>(&[], &[]), 0.0);
    }

    #[test]
    fn trivial_clusterings() {
        assert_eq!(adjusted_rand(&[0, 0, 0], &["x", "x", "x"]), 1.0);
        assert_eq!(adjusted_rand(&[0, 1, 2], &[5, 6, 7]), 1.0);
        assert_eq!(adjusted_rand(&[0, 1, 2], &[5, 5, 5]), 0.0);
        assert_eq!(adjusted_rand::<u8, u8>(&[], &[]), 1.0);
        assert_eq!(pairwise(&[0, 1, 2], &[0, 0, 0]), Prf::default());
    }

    proptest! {
        #[test]
        fn rand_index_laws(labels in proptest::collection::vec((0u8..5, 0u8..5), 0..60)) {
            let (a, b): (Vec<u8>, Vec<u8>) = labels.into_iter().unzip();
            prop_assert!((adjusted_rand(&a, &b) - adjusted_rand(&b, &a)).abs() < 1e-12);
            prop_assert_eq!(adjusted_rand(&a, &a), 1.0);
            let renamed: Vec<u16> = a.iter().map(|&x| 900 - u16::from(x) * 7).collect();
            prop_assert_eq!(adjusted_rand(&a, &renamed), 1.0);
            prop_assert!(adjusted_rand(&a, &b) <= 1.0 + 1e-12);
            let h = clustering_entropy(&a, &b);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&h));
        }

        #[test]
        fn counts_agree_with_pair_enumeration(labels in proptest::collection::vec((0u8..4, 0u8..4), 0..30)) {
            let (a, b): (Vec<u8>, Vec<u8>) = labels.into_iter().unzip();
            let mut want = PairCounts { both: 0, first_only: 0, second_only: 0, neither: 0 };
            for i in 0..a.len() {
                for j in 0..i {
                    match (a[i] == a[j], b[i] == b[j]) {
                        (true, true) => want.both += 1,
                        (true, false) => want.first_only += 1,
                        (false, true) => want.second_only += 1,
                        (false, false) => want.neither += 1,
                    }
                }
            }
            prop_assert_eq!(PairCounts::of(&a, &b), want);
        }
    }
}
