//! What the data experts' scores mean.

use serde::{Deserialize, Serialize};
use unsite_learn::evidence::{PairCounter, PairHistograms};

use super::experts::{DATA_EXPERTS, PUBLISHED};

/// For each data expert how its scores are distributed over pairs of one field and over pairs of two.
///
/// # What it does
/// Ten bins smoothed by a Gaussian for each expert; the evidence of a pair is the sum of the logarithms of their
/// ratios, without opinion 0.
/// # Assumes
/// Experts are independent and mean the same on all sites.
/// # When it fails
/// Experts that look at the same thing (path, layout, DOM template) count it more than once.
/// # Paper
/// Gazen 2008 (CONFHEX).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataModel {
    /// Which sites it was trained on, and how.
    pub provenance: String,
    /// The experts' names, in the order of the histograms.
    pub experts: Vec<String>,
    /// Each expert's scores within and between fields.
    pub histograms: Vec<PairHistograms>,
}

/// Counts of labelled pairs: what a [`DataModel`] is trained from.
#[derive(Debug, Clone, Default)]
pub struct DataCounts {
    counters: Vec<PairCounter>,
}

impl DataCounts {
    /// Adds the labelled pairs of a site, which counts as much as any other.
    pub fn add_site(&mut self, pairs: impl IntoIterator<Item = (Vec<Option<f64>>, bool)>) {
        let mut here = vec![PairCounter::default(); DATA_EXPERTS.len()];
        for (scores, same) in pairs {
            for (counter, score) in here.iter_mut().zip(scores) {
                counter.add(score.unwrap_or(f64::NAN), same);
            }
        }
        self.counters.resize_with(DATA_EXPERTS.len(), PairCounter::default);
        self.counters.iter_mut().zip(&here).for_each(|(all, here)| all.merge(&here.balanced()));
    }

    /// The smoothed histograms.
    pub fn train(&self, provenance: &str) -> DataModel {
        let mut counters = self.counters.clone();
        counters.resize_with(DATA_EXPERTS.len(), PairCounter::default);
        DataModel {
            provenance: provenance.to_owned(),
            experts: DATA_EXPERTS.iter().map(|expert| expert.name.to_owned()).collect(),
            histograms: counters.iter().map(PairCounter::train).collect(),
        }
    }
}

impl DataModel {
    /// A model that knows nothing of labelled sites: a likeness of more than one half speaks for one field.
    pub fn naive() -> Self {
        let mut counter = PairCounter::default();
        for at in 0..10 {
            counter.add_weighted(at as f64 / 10.0 + 0.05, true, 1.0 + at as f64);
            counter.add_weighted(at as f64 / 10.0 + 0.05, false, 10.0 - at as f64);
        }
        DataModel {
            histograms: vec![counter.train(); DATA_EXPERTS.len()],
            ..DataCounts::default().train("untrained")
        }
    }

    /// The evidence that two texts are values of one field. `all` hears every expert, else those of the thesis.
    pub(crate) fn evidence(&self, scores: &[Option<f64>], all: bool) -> f64 {
        let heard = if all { DATA_EXPERTS.len() } else { PUBLISHED };
        let number = heard.min(scores.len()).min(self.histograms.len());
        PairHistograms::sum_log_odds(&self.histograms[..number], &scores[..number])
    }
}
