//! Learning without labels.

use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION};
use super::train::{TrainConfig, histograms};
use super::votes::independent_votes;
use super::{JudgeModel, Model};

/// How to learn without labels.
#[derive(Debug, Clone, PartialEq)]
pub struct EmConfig {
    /// Rounds at most.
    pub rounds: usize,
    /// Stops when the mean change of a pair's belief is below this.
    pub tolerance: f64,
}

impl Default for EmConfig {
    fn default() -> EmConfig {
        EmConfig { rounds: 60, tolerance: 2e-4 }
    }
}

/// Estimates the histograms, each judge's share of a vote and the share of same pairs from the pairs themselves.
///
/// # What it does
/// Starts from the pairs' mean scores split in two by one-dimensional 2-means; then alternates: histograms of both classes
/// given the beliefs (made monotone: more alike never speaks against), votes given the histograms (judges that repeat each
/// other share one), beliefs given both.
/// # Assumes
/// Both kinds of pairs occur among those that blocking proposes, and alike records are more often the same.
/// # When it fails
/// No duplicates at all, or nothing but duplicates: the split then falls inside one class.
/// # Paper
/// Fellegi and Sunter 1969, Winkler 1988 for the mixture; the votes are ours.
pub fn learn_unsupervised(evidence: &Evidence, judges: &[String], config: &EmConfig) -> (Model, Vec<f64>) {
    let mut belief = first_guess(evidence);
    let smoothing = TrainConfig::default();
    let mut model = Model::default();
    for _ in 0..config.rounds {
        let mut learned = histograms(evidence, judges, &belief, &smoothing);
        let votes = independent_votes(evidence, &learned, &belief);
        learned.iter_mut().zip(votes).for_each(|(judge, vote)| judge.weight = vote);
        let same: f64 = belief.iter().enumerate().map(|(at, b)| b * evidence.count(at)).sum();
        let share = (same / evidence.pairs().max(1.0)).clamp(1e-6, 0.999);
        model = Model { provenance: String::new(), judges: learned, bias: (share / (1.0 - share)).ln() };
        if expect(evidence, &model, &mut belief) < config.tolerance {
            break;
        }
    }
    (model, belief)
}

/// The mean score of every row's opinions, split in two by 2-means; near the border the belief is soft.
fn first_guess(evidence: &Evidence) -> Vec<f64> {
    let means: Vec<f64> = (0..evidence.len())
        .map(|at| {
            let opinions = evidence.row(at).iter().filter(|b| **b != NO_OPINION);
            let (sum, count) = opinions.fold((0.0, 0.0), |(s, c), &b| (s + f64::from(b) + 0.5, c + 1.0));
            if count > 0.0 { sum / count / BINS as f64 } else { 0.0 }
        })
        .collect();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    means.iter().for_each(|&m| (low, high) = (low.min(m), high.max(m)));
    for _ in 0..50 {
        let border = (low + high) / 2.0;
        let centre = |above: bool| {
            let rows = means.iter().enumerate().filter(|(_, m)| (**m > border) == above);
            let (sum, count) = rows.fold((0.0, 0.0), |(s, c), (at, m)| (s + m * evidence.count(at), c + evidence.count(at)));
            if count > 0.0 { sum / count } else { border }
        };
        (low, high) = (centre(false), centre(true));
    }
    let (border, slope) = ((low + high) / 2.0, 8.0 / (high - low).max(1e-3));
    means.iter().map(|m| 1.0 / (1.0 + (-slope * (m - border)).exp())).collect()
}

/// Recomputes the beliefs; returns the mean change.
fn expect(evidence: &Evidence, model: &Model, belief: &mut [f64]) -> f64 {
    let tables: Vec<[f64; BINS]> = model.judges.iter().map(JudgeModel::log_odds).collect();
    let mut change = 0.0;
    for (at, old) in belief.iter_mut().enumerate() {
        let mut z = model.bias;
        for (table, &bin) in tables.iter().zip(evidence.row(at)) {
            if bin != NO_OPINION {
                z += table[bin as usize];
            }
        }
        let new = 1.0 / (1.0 + (-z).exp());
        change += (new - *old).abs() * evidence.count(at);
        *old = new;
    }
    change / evidence.pairs().max(1.0)
}
