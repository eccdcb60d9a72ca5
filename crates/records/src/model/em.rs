//! Learning without labels.

use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION};
use super::train::{Counts, TrainConfig, counts, histograms};
use super::votes::independent_votes;
use super::{JudgeModel, Model};

/// How much surer a belief is taken to be while learning. With soft beliefs the two classes melt into each other when many
/// judges share few votes; any value from 1.5 up to a hard choice gives the same results within half a point.
const SHARPNESS: f64 = 4.0;
/// Pairs' worth of the defaults in either class of every judge: what is said where there is nothing to estimate from. A table
/// of two dozen rows has about as many true pairs; thousands of pairs drown them.
const DEFAULT_PAIRS: f64 = 20.0;
/// Pairs' worth of "no difference" are at most this share of the pairs: the 300 that large sets can afford would silence every
/// judge of a small one. Reached with 60,000 pairs.
const PRIOR_SHARE: f64 = 0.005;
/// True pairs assumed before looking: with none the odds would be zero and stay there.
const ASSUMED_SAME: f64 = 1.0;

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
/// other share one), beliefs given both, sharpened so that nearly every pair is counted in one class. The defaults stay in
/// every histogram with twenty pairs' worth, so that a few records are judged by them and many by themselves.
/// # Assumes
/// Both kinds of pairs occur among those that blocking proposes, and alike records are more often the same.
/// # When it fails
/// No duplicates at all among thousands of pairs, or nothing but duplicates: the split then falls inside one class.
/// # Paper
/// Fellegi and Sunter 1969, Winkler 1988 for the mixture; Celeux and Govaert 1992 for the sharp beliefs; the votes are ours.
pub fn learn_unsupervised(
    evidence: &Evidence,
    judges: &[String],
    defaults: &Model,
    config: &EmConfig,
) -> (Model, Vec<f64>) {
    let known: Vec<Option<&JudgeModel>> = judges.iter().map(|label| defaults.judge(label)).collect();
    let start: Vec<[f64; BINS]> =
        known.iter().map(|judge| judge.map_or([0.0; BINS], JudgeModel::log_odds)).collect();
    let mut belief = vec![0.0; evidence.len()];
    expect(evidence, &start, defaults.bias, 1.0, &mut belief);
    let smoothing = TrainConfig::default();
    let prior = smoothing.prior.min(PRIOR_SHARE * evidence.pairs());
    let mut model = Model::default();
    for _ in 0..config.rounds {
        let mut counted = counts(evidence, &belief);
        counted.iter_mut().zip(&known).for_each(|(counts, judge)| counts.add_defaults(*judge));
        let mut learned = histograms(judges, &counted, smoothing.neighbour, prior);
        let votes = independent_votes(evidence, &learned, &belief);
        learned.iter_mut().zip(votes).for_each(|(judge, vote)| judge.weight = vote);
        let same: f64 = belief.iter().enumerate().map(|(at, b)| b * evidence.count(at)).sum();
        let share = ((same + ASSUMED_SAME) / (evidence.pairs() + 2.0 * ASSUMED_SAME)).clamp(1e-6, 0.999);
        model = Model {
            provenance: String::new(),
            judges: learned,
            bias: (share / (1.0 - share)).ln(),
            kinds: Vec::new(),
        };
        let tables: Vec<[f64; BINS]> = model.judges.iter().map(JudgeModel::log_odds).collect();
        if expect(evidence, &tables, model.bias, SHARPNESS, &mut belief) < config.tolerance {
            break;
        }
    }
    (model, belief)
}

impl Counts {
    /// Adds what a model from elsewhere expects of this judge.
    fn add_defaults(&mut self, judge: Option<&JudgeModel>) {
        let Some(judge) = judge else { return };
        for bin in 0..BINS {
            self.within[bin] += DEFAULT_PAIRS * judge.within.0[bin];
            self.between[bin] += DEFAULT_PAIRS * judge.between.0[bin];
        }
    }
}

/// Computes the beliefs anew; returns the mean change.
fn expect(evidence: &Evidence, tables: &[[f64; BINS]], bias: f64, sharpness: f64, belief: &mut [f64]) -> f64 {
    let mut change = 0.0;
    for (at, old) in belief.iter_mut().enumerate() {
        let mut z = bias;
        for (table, &bin) in tables.iter().zip(evidence.row(at)) {
            if bin != NO_OPINION {
                z += table[bin as usize];
            }
        }
        let new = 1.0 / (1.0 + (-z * sharpness).exp());
        change += (new - *old).abs() * evidence.count(at);
        *old = new;
    }
    change / evidence.pairs().max(1.0)
}
