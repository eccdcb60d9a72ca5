//! How much of a judge's opinion is its own.

use super::JudgeModel;
use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION};

/// The part of a vote that each judge has.
///
/// # What it does
/// `1 / (1 + sum of its positive correlations with the other judges)`, where the correlation of two judges' log-odds is
/// taken inside the classes (pairs that are the same, pairs that are not). Judges that always say the same thing share one
/// vote; independent ones keep theirs. This is what makes a sum of log-odds believable without labels.
/// # Assumes
/// `belief` is how surely each row is the same.
/// # When it fails
/// Three judges of which each pair agrees by a different half.
/// # Paper
/// Ours, against the double counting that Gazen 2008 names as naive Bayes' weakness.
pub(super) fn independent_votes(evidence: &Evidence, judges: &[JudgeModel], belief: &[f64]) -> Vec<f64> {
    let width = judges.len();
    let tables: Vec<[f64; BINS]> =
        judges.iter().map(|j| JudgeModel { weight: 1.0, ..j.clone() }.log_odds()).collect();
    let mean = class_means(evidence, &tables, belief);
    // Row i, column j: sums over the pairs on which both judges speak, so that silence is not taken for independence.
    let mut product = vec![0.0; width * width];
    let mut square = vec![0.0; width * width];
    let mut centred: Vec<(usize, f64)> = Vec::with_capacity(width);
    for (at, belief) in belief.iter().enumerate() {
        for (class, share) in [(0, *belief), (1, 1.0 - belief)] {
            let weight = share * evidence.count(at);
            if weight < 1e-9 {
                continue;
            }
            let heard = evidence.row(at).iter().enumerate().filter(|(_, b)| **b != NO_OPINION);
            centred.clear();
            centred.extend(heard.map(|(k, &bin)| (k, tables[k][bin as usize] - mean[class * width + k])));
            for &(i, x) in &centred {
                for &(j, y) in &centred {
                    product[i * width + j] += weight * x * y;
                    square[i * width + j] += weight * x * x;
                }
            }
        }
    }
    let correlation = |i: usize, j: usize| {
        let scale = (square[i * width + j] * square[j * width + i]).sqrt();
        if scale > 0.0 { (product[i * width + j] / scale).clamp(0.0, 1.0) } else { 0.0 }
    };
    (0..width)
        .map(|i| 1.0 / (1.0 + (0..width).filter(|&j| j != i).map(|j| correlation(i, j)).sum::<f64>()))
        .collect()
}

/// The mean log-odds of each judge among pairs that are the same, then among those that are not.
fn class_means(evidence: &Evidence, tables: &[[f64; BINS]], belief: &[f64]) -> Vec<f64> {
    let width = tables.len();
    let (mut sums, mut mass) = (vec![0.0; 2 * width], vec![0.0; 2 * width]);
    for (at, belief) in belief.iter().enumerate() {
        for (k, &bin) in evidence.row(at).iter().enumerate().filter(|(_, b)| **b != NO_OPINION) {
            for (class, share) in [(0, *belief), (1, 1.0 - belief)] {
                let weight = share * evidence.count(at);
                sums[class * width + k] += weight * tables[k][bin as usize];
                mass[class * width + k] += weight;
            }
        }
    }
    sums.iter().zip(&mass).map(|(s, m)| if *m > 0.0 { s / m } else { 0.0 }).collect()
}
