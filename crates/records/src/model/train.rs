//! Learning from pairs whose answer is known.

use super::evidence::Evidence;
use super::histogram::{BINS, NO_OPINION, pair_of_histograms};
use super::regression::{Example, Logistic};
use super::votes::independent_votes;
use super::{JudgeModel, Model};
use crate::record::RecordsError;

/// How to learn from labels.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainConfig {
    /// Share of every bin given to each neighbour.
    pub neighbour: f64,
    /// Pairs' worth of "no difference" that each judge starts with.
    pub prior: f64,
    /// Pull of the weights towards what each judge's independence gives it, as a share of the pairs.
    pub ridge: f64,
}

impl TrainConfig {
    /// For pairs of groups: these do not repeat each other as pairs of records of one cluster do, so fewer of them weigh more.
    pub fn for_groups() -> TrainConfig {
        TrainConfig { prior: 10.0, ridge: 0.03, ..TrainConfig::default() }
    }
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        // Prior and ridge: the largest of a coarse grid (1, 3, 10...) before the scores on held-out folds fell.
        TrainConfig { neighbour: 0.03, prior: 300.0, ridge: 0.3 }
    }
}

/// Learns histograms and the weights that calibrate their sum.
///
/// # What it does
/// One histogram of scores for pairs that are the same and one for those that are not, made monotone; then a logistic
/// regression on the log-odds, which finds how much of each expert is repetition of the others.
/// # Assumes
/// The labelled pairs were proposed by the same blocking as the pairs to be judged.
/// # When it fails
/// Fewer than a few dozen labelled pairs of either kind.
/// # Paper
/// Gazen 2008 (histograms); Platt 1999 (calibration).
pub fn learn_from_labels(
    evidence: &Evidence,
    judges: &[String],
    config: &TrainConfig,
) -> Result<Model, RecordsError> {
    let same = evidence.same_shares();
    let positive: f64 = (0..evidence.len()).map(|at| evidence.count(at) * same[at]).sum();
    if positive <= 0.0 || positive >= evidence.pairs() {
        let missing = if positive <= 0.0 { "the same" } else { "different" };
        return Err(RecordsError::NothingToLearn(format!("no labelled pair of records that are {missing}")));
    }
    let mut learned = histograms(judges, &counts(evidence, &same), config.neighbour, config.prior);
    let tables: Vec<[f64; BINS]> = learned.iter().map(JudgeModel::log_odds).collect();
    let examples: Vec<Example> = (0..evidence.len())
        .map(|at| Example {
            features: features(evidence.row(at), &tables),
            positive: same[at],
            weight: evidence.count(at),
        })
        .collect();
    let logistic = Logistic { ridge: config.ridge, centre: independent_votes(evidence, &learned, &same) };
    let (weights, bias) = logistic.fit(&examples, learned.len());
    learned.iter_mut().zip(weights).for_each(|(judge, weight)| judge.weight = weight);
    Ok(Model { provenance: String::new(), judges: learned, bias, kinds: Vec::new() })
}

/// How the scores of one judge are spread: over the pairs believed to be the same, and over the others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) within: [f64; BINS],
    pub(super) between: [f64; BINS],
}

/// The counts of every judge, given how surely each row is the same.
pub(super) fn counts(evidence: &Evidence, same: &[f64]) -> Vec<Counts> {
    let mut out = vec![Counts::default(); evidence.width()];
    for (at, same) in same.iter().enumerate() {
        let count = evidence.count(at);
        for (k, &bin) in evidence.row(at).iter().enumerate().filter(|(_, b)| **b != NO_OPINION) {
            out[k].within[bin as usize] += count * same;
            out[k].between[bin as usize] += count * (1.0 - same);
        }
    }
    out
}

/// The histograms of every judge, with weight 1.
pub(super) fn histograms(
    judges: &[String],
    counts: &[Counts],
    neighbour: f64,
    prior: f64,
) -> Vec<JudgeModel> {
    judges
        .iter()
        .zip(counts)
        .map(|(label, counts)| {
            let (within, between) = pair_of_histograms(&counts.within, &counts.between, neighbour, prior);
            JudgeModel { label: label.clone(), within, between, weight: 1.0 }
        })
        .collect()
}

fn features(row: &[u8], tables: &[[f64; BINS]]) -> Vec<f32> {
    row.iter()
        .zip(tables)
        .map(|(&bin, table)| if bin == NO_OPINION { 0.0 } else { table[bin as usize] as f32 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_kind_teach_nothing() {
        let evidence = Evidence::gather(&[], &[]);
        let error = learn_from_labels(&evidence, &[], &TrainConfig::default());
        assert!(matches!(error, Err(RecordsError::NothingToLearn(_))));
    }
}
