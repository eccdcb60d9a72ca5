//! Learning from pairs whose answer is known.

use super::evidence::Evidence;
use super::histogram::{BINS, Histogram, NO_OPINION, make_monotone};
use super::regression::{Example, Logistic};
use super::{JudgeModel, Model};
use crate::record::RecordsError;

/// How to learn from labels.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainConfig {
    /// Share of every bin given to each neighbour.
    pub neighbour: f64,
    /// Pairs' worth of uniform distribution added to each histogram.
    pub uniform: f64,
    /// Pull of the regression weights towards [`TrainConfig::centre`].
    pub ridge: f64,
    /// The weight an expert has before anything is learned.
    pub centre: f64,
    /// Exponent of the size of a cluster in the weight of its pairs: 0 counts every pair, 1 makes a cluster count by its
    /// records.
    pub size_discount: f64,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig { neighbour: 0.03, uniform: 2.0, ridge: 1.0, centre: 0.3, size_discount: 1.0 }
    }
}

/// Labelled pairs in the form that learning reads.
pub struct Labelled<'e> {
    /// The judges' bins.
    pub evidence: &'e Evidence,
    /// The judges' labels.
    pub judges: Vec<String>,
    /// For each pair how surely it is the same, 0 to 1.
    pub same: Vec<f64>,
    /// For each pair how much it counts.
    pub weight: Vec<f64>,
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
pub fn learn_from_labels(labelled: &Labelled<'_>, config: &TrainConfig) -> Result<Model, RecordsError> {
    let total = |positive: bool| -> f64 {
        labelled.same.iter().zip(&labelled.weight).map(|(s, w)| w * if positive { *s } else { 1.0 - s }).sum()
    };
    if total(true) <= 0.0 || total(false) <= 0.0 {
        let missing = if total(true) <= 0.0 { "the same" } else { "different" };
        return Err(RecordsError::NothingToLearn(format!("no labelled pair of records that are {missing}")));
    }
    let mut judges = histograms(labelled, config);
    let tables: Vec<[f64; BINS]> = judges.iter().map(JudgeModel::log_odds).collect();
    let examples: Vec<Example> = (0..labelled.evidence.len())
        .map(|pair| Example {
            features: features(labelled.evidence.row(pair), &tables),
            positive: labelled.same[pair],
            weight: labelled.weight[pair],
        })
        .collect();
    let logistic = Logistic { ridge: config.ridge, centre: config.centre };
    let (weights, bias) = logistic.fit(&examples, judges.len());
    judges.iter_mut().zip(weights).for_each(|(judge, weight)| judge.weight = weight);
    Ok(Model { provenance: String::new(), judges, bias })
}

/// The histograms of every judge, with weight 1.
pub(super) fn histograms(labelled: &Labelled<'_>, config: &TrainConfig) -> Vec<JudgeModel> {
    let width = labelled.evidence.width();
    let mut within = vec![[0.0; BINS]; width];
    let mut between = vec![[0.0; BINS]; width];
    for pair in 0..labelled.evidence.len() {
        let (same, weight) = (labelled.same[pair], labelled.weight[pair]);
        for (k, &bin) in labelled.evidence.row(pair).iter().enumerate().filter(|(_, b)| **b != NO_OPINION) {
            within[k][bin as usize] += weight * same;
            between[k][bin as usize] += weight * (1.0 - same);
        }
    }
    (0..width)
        .map(|k| {
            let mut w = Histogram::smoothed(&within[k], config.neighbour, config.uniform);
            let mut b = Histogram::smoothed(&between[k], config.neighbour, config.uniform);
            make_monotone(&mut w, &mut b);
            JudgeModel { label: labelled.judges[k].clone(), within: w, between: b, weight: 1.0 }
        })
        .collect()
}

fn features(row: &[u8], tables: &[[f64; BINS]]) -> Vec<f32> {
    row.iter().zip(tables).map(|(&bin, table)| if bin == NO_OPINION { 0.0 } else { table[bin as usize] as f32 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_kind_teach_nothing() {
        let evidence = Evidence::gather(&[], &[]);
        let labelled = Labelled { evidence: &evidence, judges: vec![], same: vec![1.0], weight: vec![1.0] };
        let error = learn_from_labels(&labelled, &TrainConfig::default());
        assert!(matches!(error, Err(RecordsError::NothingToLearn(_))));
    }
}
