//! Measures of a similarity against classes: q_k, epsilon, class similarity, k-NN error.
//!
//! The similarity is a function of two item numbers; the time is `n^2 log n`, so these are for labelled test sets only.

use super::clustering::dense_labels;

/// Whether an item is one of its own nearest neighbours in [`q_k`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfRule {
    /// The item is its own first neighbour; denominator `min(k, class size)`. The published reading.
    Included,
    /// The item is left out, the denominator stays `min(k, class size)`.
    ExcludedSameDenominator,
    /// The item is left out and the denominator is `min(k, class size - 1)`.
    Excluded,
}

/// Mean share of an item's class found among its `k` nearest items.
///
/// # What it does
/// `q_k = (1/N) sum_i |F_k(i) ∩ Cl(i)| / min(k, |Cl(i)|)`, neighbours ordered by similarity, then by number.
/// # Assumes
/// `k` is at most the smallest class size when values are compared between sets.
/// # When it fails
/// A class of one scores 1 when the item itself counts; with [`SelfRule::Excluded`] it is left out of the mean.
/// # Paper
/// Flesca, Manco, Masciari, Pontieri, Pugliese (Fourier similarity).
pub fn q_k<L: Ord>(classes: &[L], k: usize, rule: SelfRule, similarity: impl Fn(usize, usize) -> f64) -> f64 {
    let (class, count) = dense_labels(classes);
    let sizes = class_sizes(&class, count);
    let (mut sum, mut items) = (0.0, 0usize);
    for i in 0..class.len() {
        let size = sizes[class[i] as usize];
        let denominator = match rule {
            SelfRule::Excluded => k.min(size - 1),
            _ => k.min(size),
        };
        if denominator == 0 {
            continue;
        }
        let own = usize::from(rule == SelfRule::Included);
        let others = nearest(class.len(), i, &similarity);
        let mates = others.iter().take(k.saturating_sub(own)).filter(|&&j| class[j] == class[i]).count();
        sum += (mates + own) as f64 / denominator as f64;
        items += 1;
    }
    if items == 0 { 0.0 } else { sum / items as f64 }
}

/// Chance that an outsider looks strictly closer than a class mate.
///
/// # What it does
/// `epsilon = (1/N) sum_i 1/((n_i-1)(N-n_i)) * #{(j, k): j mate of i, k outsider, S(i,j) < S(i,k)}`.
/// # Assumes
/// At least two classes, each of two or more items; other items contribute 0.
/// # When it fails
/// Equal similarities count as no error, so a constant similarity scores 0.
/// # Paper
/// Flesca, Manco, Masciari, Pontieri, Pugliese (Fourier similarity).
pub fn epsilon<L: Ord>(classes: &[L], similarity: impl Fn(usize, usize) -> f64) -> f64 {
    let (class, _) = dense_labels(classes);
    let n = class.len();
    let mut sum = 0.0;
    for i in 0..n {
        let mut outsiders: Vec<f64> = Vec::new();
        let mut mates: Vec<f64> = Vec::new();
        for j in (0..n).filter(|&j| j != i) {
            if class[j] == class[i] { mates.push(similarity(i, j)) } else { outsiders.push(similarity(i, j)) }
        }
        if mates.is_empty() || outsiders.is_empty() {
            continue;
        }
        outsiders.sort_by(f64::total_cmp);
        let closer = |s: f64| outsiders.len() - outsiders.partition_point(|&o| o <= s);
        let errors: usize = mates.iter().map(|&s| closer(s)).sum();
        sum += errors as f64 / (mates.len() * outsiders.len()) as f64;
    }
    if n == 0 { 0.0 } else { sum / n as f64 }
}

/// CS(i,j): mean similarity inside each class (without the diagonal) and between classes, as a square matrix in the
/// order of the class labels. A class of one has inner similarity 0.
pub fn class_similarity<L: Ord>(classes: &[L], similarity: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let (class, count) = dense_labels(classes);
    let sizes = class_sizes(&class, count);
    let mut sums = vec![vec![0.0; count]; count];
    for i in 0..class.len() {
        for j in (0..class.len()).filter(|&j| j != i) {
            sums[class[i] as usize][class[j] as usize] += similarity(i, j);
        }
    }
    for (a, row) in sums.iter_mut().enumerate() {
        for (b, cell) in row.iter_mut().enumerate() {
            let pairs = if a == b { sizes[a] * (sizes[a] - 1) } else { sizes[a] * sizes[b] };
            *cell /= pairs.max(1) as f64;
        }
    }
    sums
}

/// Share of items whose class differs from the majority of their `k` nearest other items; among equally frequent
/// classes the one with the nearest member is taken.
pub fn knn_error<L: Ord>(classes: &[L], k: usize, similarity: impl Fn(usize, usize) -> f64) -> f64 {
    let (class, count) = dense_labels(classes);
    let mut wrong = 0;
    for i in 0..class.len() {
        let mut votes = vec![0usize; count];
        let neighbours = nearest(class.len(), i, &similarity);
        let voters = &neighbours[..k.min(neighbours.len())];
        voters.iter().for_each(|&j| votes[class[j] as usize] += 1);
        let most = votes.iter().copied().max().unwrap_or(0);
        let winner = voters.iter().map(|&j| class[j]).find(|&c| votes[c as usize] == most);
        wrong += usize::from(winner != Some(class[i]));
    }
    wrong as f64 / class.len().max(1) as f64
}

fn class_sizes(class: &[u32], count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    class.iter().for_each(|&c| sizes[c as usize] += 1);
    sizes
}

/// All other items, the most similar first, equal ones by number.
fn nearest(n: usize, i: usize, similarity: &impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut others: Vec<(f64, usize)> = (0..n).filter(|&j| j != i).map(|j| (similarity(i, j), j)).collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    others.into_iter().map(|(_, j)| j).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: [[f64; 6]; 6] = [
        [1.0, 0.9, 0.8, 0.2, 0.1, 0.85],
        [0.9, 1.0, 0.7, 0.3, 0.2, 0.1],
        [0.8, 0.7, 1.0, 0.4, 0.3, 0.2],
        [0.2, 0.3, 0.4, 1.0, 0.9, 0.8],
        [0.1, 0.2, 0.3, 0.9, 1.0, 0.7],
        [0.85, 0.1, 0.2, 0.8, 0.7, 1.0],
    ];
    const CLASSES: [u8; 6] = [0, 0, 0, 1, 1, 1];

    fn close(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-6, "{got} is not {want}");
    }

    #[test]
    fn fourier_golden_numbers() {
        let s = |i: usize, j: usize| S[i][j];
        close(q_k(&CLASSES, 3, SelfRule::Included, s), 0.888889);
        close(q_k(&CLASSES, 3, SelfRule::ExcludedSameDenominator, s), 0.666667);
        close(q_k(&CLASSES, 2, SelfRule::Included, s), 0.916667);
        close(epsilon(&CLASSES, s), 0.083333);
    }

    #[test]
    fn class_similarity_without_the_diagonal() {
        let cs = class_similarity(&CLASSES, |i, j| S[i][j]);
        close(cs[0][0], 0.8);
        close(cs[1][1], 0.8);
        close(cs[0][1], cs[1][0]);
        close(cs[0][1], (0.2 + 0.1 + 0.85 + 0.3 + 0.2 + 0.1 + 0.4 + 0.3 + 0.2) / 9.0);
    }

    #[test]
    fn nearest_neighbour_error() {
        // Only item 5 has an outsider (item 0) as its nearest.
        close(knn_error(&CLASSES, 1, |i, j| S[i][j]), 1.0 / 6.0);
        close(knn_error(&CLASSES, 3, |i, j| S[i][j]), 0.0);
    }

    #[test]
    fn degenerate_sets() {
        assert_eq!(q_k::<u8>(&[], 3, SelfRule::Included, |_, _| 1.0), 0.0);
        assert_eq!(q_k(&[1], 3, SelfRule::Excluded, |_, _| 1.0), 0.0);
        assert_eq!(epsilon(&[1, 1], |_, _| 1.0), 0.0);
        assert_eq!(knn_error(&[1], 1, |_, _| 1.0), 1.0);
    }
}
