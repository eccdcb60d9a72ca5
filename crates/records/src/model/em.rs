//! Learning without labels.

use rustc_hash::FxHashMap;

use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION};
use super::train::{Labelled, TrainConfig, histograms};
use super::{JudgeModel, Model};

/// How to learn without labels.
#[derive(Debug, Clone, PartialEq)]
pub struct EmConfig {
    /// Rounds at most.
    pub rounds: usize,
    /// Stops when the mean change of a pair's belief is below this.
    pub tolerance: f64,
    /// The share of pairs believed to be the same before looking.
    pub start_threshold: f64,
    /// How sharply the first guess separates.
    pub start_slope: f64,
}

impl Default for EmConfig {
    fn default() -> EmConfig {
        EmConfig { rounds: 100, tolerance: 1e-4, start_threshold: 0.7, start_slope: 20.0 }
    }
}

/// Estimates the histograms and the share of same pairs from the pairs themselves.
pub fn learn_unsupervised(evidence: &Evidence, judges: &[String], config: &EmConfig) -> (Model, Vec<f64>) {
    let mut shares = shared_votes(judges);
    let mut belief: Vec<f64> = (0..evidence.len())
        .map(|pair| {
            let row = evidence.row(pair);
            let (mut sum, mut mass) = (0.0, 0.0);
            for (k, &bin) in row.iter().enumerate().filter(|(_, b)| **b != NO_OPINION) {
                sum += shares[k] * (f64::from(bin) + 0.5) / BINS as f64;
                mass += shares[k];
            }
            let mean = if mass > 0.0 { sum / mass } else { 0.0 };
            1.0 / (1.0 + (-config.start_slope * (mean - config.start_threshold)).exp())
        })
        .collect();
    let weight = vec![1.0; evidence.len()];
    let smoothing = TrainConfig { uniform: 5.0, ..TrainConfig::default() };
    let mut model = Model::default();
    for _ in 0..config.rounds {
        let labelled = Labelled { evidence, judges: judges.to_vec(), same: belief.clone(), weight: weight.clone() };
        let mut learned = histograms(&labelled, &smoothing);
        shares = independent_votes(evidence, &learned, &belief);
        learned.iter_mut().zip(&shares).for_each(|(judge, share)| judge.weight = *share);
        let share = (belief.iter().sum::<f64>() / belief.len().max(1) as f64).clamp(1e-6, 0.999);
        model = Model { provenance: String::new(), judges: learned, bias: (share / (1.0 - share)).ln() };
        let change = expect(evidence, &model, &mut belief);
        if change < config.tolerance {
            break;
        }
    }
    (model, belief)
}

/// Recomputes the beliefs; returns the mean change.
fn expect(evidence: &Evidence, model: &Model, belief: &mut [f64]) -> f64 {
    let tables: Vec<[f64; BINS]> = model.judges.iter().map(JudgeModel::log_odds).collect();
    let mut change = 0.0;
    for (pair, old) in belief.iter_mut().enumerate() {
        let mut z = model.bias;
        for (table, &bin) in tables.iter().zip(evidence.row(pair)) {
            if bin != NO_OPINION {
                z += table[bin as usize];
            }
        }
        let new = 1.0 / (1.0 + (-z).exp());
        change += (new - *old).abs();
        *old = new;
    }
    change / belief.len().max(1) as f64
}

/// The part of a vote that each judge has: the judges of one field share one.
pub(super) fn shared_votes(judges: &[String]) -> Vec<f64> {
    let field = |label: &str| label.split_once(':').map_or(label, |(_, on)| on).to_owned();
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    judges.iter().for_each(|j| *counts.entry(field(j)).or_insert(0) += 1);
    judges.iter().map(|j| 1.0 / counts[&field(j)] as f64).collect()
}

/// The part of a vote that each judge has: one over the sum of its correlations with all judges inside the classes.
fn independent_votes(evidence: &Evidence, judges: &[JudgeModel], belief: &[f64]) -> Vec<f64> {
    let width = judges.len();
    let tables: Vec<[f64; BINS]> = judges.iter().map(JudgeModel::log_odds).collect();
    let mut product = vec![0.0; width * width];
    let mut counts = vec![0.0; width * width];
    let step = evidence.len().div_ceil(50_000).max(1);
    let mut sums = vec![0.0; width * 2];
    let mut mass = vec![0.0; width * 2];
    let value = |k: usize, bin: u8| if bin == NO_OPINION { None } else { Some(tables[k][bin as usize]) };
    for pair in (0..evidence.len()).step_by(step) {
        for (k, &bin) in evidence.row(pair).iter().enumerate() {
            if let Some(v) = value(k, bin) {
                for (class, p) in [(0, belief[pair]), (1, 1.0 - belief[pair])] {
                    sums[class * width + k] += p * v;
                    mass[class * width + k] += p;
                }
            }
        }
    }
    let mean: Vec<f64> = sums.iter().zip(&mass).map(|(s, m)| if *m > 0.0 { s / m } else { 0.0 }).collect();
    let mut var = vec![0.0; width];
    for pair in (0..evidence.len()).step_by(step) {
        let row = evidence.row(pair);
        for (class, p) in [(0, belief[pair]), (1, 1.0 - belief[pair])] {
            let centred: Vec<f64> = row.iter().enumerate().map(|(k, &bin)| value(k, bin).map_or(0.0, |v| v - mean[class * width + k])).collect();
            for i in 0..width {
                if row[i] == NO_OPINION { continue; }
                var[i] += p * centred[i] * centred[i];
                for j in 0..width {
                    product[i * width + j] += p * centred[i] * centred[j];
                    counts[i * width + j] += p;
                }
            }
        }
    }
    (0..width)
        .map(|i| {
            let total: f64 = (0..width)
                .map(|j| {
                    let scale = (var[i] * var[j]).sqrt();
                    if i == j { 1.0 } else if scale > 0.0 { (product[i * width + j] / scale).clamp(0.0, 1.0) } else { 0.0 }
                })
                .sum();
            1.0 / total
        })
        .collect()
}
