//! Learning without labels.

use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION};
use super::train::{TrainConfig, histograms};
use super::votes::independent_votes;
use super::{JudgeModel, Model, Scorer};

/// How much surer a belief is taken to be while learning. With soft beliefs the two classes melt into each other when many
/// judges share few votes; any value from 1.5 up to a hard choice gives the same results within half a point.
const SHARPNESS: f64 = 4.0;

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
/// Starts from what a model learned elsewhere (the defaults) believes; then alternates: histograms of both classes
/// given the beliefs (made monotone: more alike never speaks against), votes given the histograms (judges that repeat each
/// other share one), beliefs given both, sharpened so that nearly every pair is counted in one class.
/// # Assumes
/// Both kinds of pairs occur among those that blocking proposes, and alike records are more often the same.
/// # When it fails
/// No duplicates at all, or nothing but duplicates: the split then falls inside one class.
/// # Paper
/// Fellegi and Sunter 1969, Winkler 1988 for the mixture; Celeux and Govaert 1992 for the sharp beliefs; the votes are ours.
pub fn learn_unsupervised(
    evidence: &Evidence,
    judges: &[String],
    start: &Scorer,
    config: &EmConfig,
) -> (Model, Vec<f64>) {
    let mut belief: Vec<f64> = (0..evidence.len())
        .map(|at| 1.0 / (1.0 + (-f64::from(start.score_bins(evidence.row(at)))).exp()))
        .collect();
    let smoothing = TrainConfig::default();
    let mut model = Model::default();
    for _ in 0..config.rounds {
        let mut learned = histograms(evidence, judges, &belief, &smoothing);
        let votes = independent_votes(evidence, &learned, &belief);
        learned.iter_mut().zip(votes).for_each(|(judge, vote)| judge.weight = vote);
        let same: f64 = belief.iter().enumerate().map(|(at, b)| b * evidence.count(at)).sum();
        let share = (same / evidence.pairs().max(1.0)).clamp(1e-6, 0.999);
        model = Model {
            provenance: String::new(),
            judges: learned,
            bias: (share / (1.0 - share)).ln(),
            kinds: Vec::new(),
        };
        if expect(evidence, &model, &mut belief) < config.tolerance {
            break;
        }
    }
    (model, belief)
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
        let new = 1.0 / (1.0 + (-z * SHARPNESS).exp());
        change += (new - *old).abs() * evidence.count(at);
        *old = new;
    }
    change / evidence.pairs().max(1.0)
}
