//! What the data experts' scores mean.

use serde::{Deserialize, Serialize};
use unsite_learn::evidence::{Fusion, FusionOptions, PairCounter, PairHistograms};

use super::experts::{DATA_EXPERTS, PUBLISHED};

/// For each data expert how its scores are distributed over pairs of one field and over pairs of two.
///
/// # What it does
/// Ten bins smoothed by a Gaussian for each expert; the evidence of a pair is the sum of the logarithms of their
/// ratios, without opinion 0. Where all experts are heard, weights that were fitted on the same pairs account for those
/// that look at the same thing, and for how rare pairs of one field are.
/// # Assumes
/// Experts mean the same on all sites; those of the thesis, heard alone, are independent.
/// # When it fails
/// As published, experts that look at the same thing (path, layout, DOM template) count it more than once.
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
    /// What each expert's opinion weighs beside those of the others; `None` for 1 each.
    #[serde(default)]
    pub fusion: Option<Fusion>,
}

/// Pairs of one field of each site that the weights are fitted on.
const KEPT_PAIRS: usize = 500;

/// For each of them so many pairs of two fields: a page has about as many fields of one look. All pairs of a page would
/// be fifty times as many, and labels that few texts have would be all that counts.
const OTHER_PAIRS: usize = 8;

/// Counts of labelled pairs: what a [`DataModel`] is trained from.
#[derive(Debug, Clone, Default)]
pub struct DataCounts {
    counters: Vec<PairCounter>,
    /// Some of the pairs, evenly spread.
    pairs: Vec<(Vec<Option<f64>>, bool)>,
}

impl DataCounts {
    /// Adds the labelled pairs of a site, which counts as much as any other.
    pub fn add_site(&mut self, pairs: Vec<(Vec<Option<f64>>, bool)>) {
        let of_one: Vec<_> = pairs.iter().filter(|pair| pair.1).collect();
        let of_two: Vec<_> = pairs.iter().filter(|pair| !pair.1).collect();
        let kept = KEPT_PAIRS.min(of_one.len());
        for (from, most) in [(of_one, kept), (of_two, kept * OTHER_PAIRS)] {
            let every = from.len().div_ceil(most.max(1)).max(1);
            self.pairs.extend(from.into_iter().step_by(every).cloned());
        }
        let mut here = vec![PairCounter::default(); DATA_EXPERTS.len()];
        for (scores, same) in pairs {
            for (counter, score) in here.iter_mut().zip(scores) {
                counter.add(score.unwrap_or(f64::NAN), same);
            }
        }
        self.counters.resize_with(DATA_EXPERTS.len(), PairCounter::default);
        self.counters.iter_mut().zip(&here).for_each(|(all, here)| all.merge(&here.balanced()));
    }

    /// The smoothed histograms, and the weights.
    pub fn train(&self, provenance: &str) -> DataModel {
        let mut counters = self.counters.clone();
        counters.resize_with(DATA_EXPERTS.len(), PairCounter::default);
        let histograms: Vec<PairHistograms> = counters.iter().map(PairCounter::train).collect();
        let opinion = |(score, histograms): (&Option<f64>, &PairHistograms)| {
            score.map_or(f64::NAN, |score| histograms.log_odds(Some(score)))
        };
        let opinions: Vec<f64> =
            self.pairs.iter().flat_map(|(scores, _)| scores.iter().zip(&histograms).map(opinion)).collect();
        let same: Vec<bool> = self.pairs.iter().map(|(_, same)| *same).collect();
        let options = FusionOptions { balanced: false, ..FusionOptions::default() };
        let fusion = (!same.is_empty()).then(|| Fusion::fit(&opinions, &same, DATA_EXPERTS.len(), &options));
        DataModel {
            provenance: provenance.to_owned(),
            experts: DATA_EXPERTS.iter().map(|expert| expert.name.to_owned()).collect(),
            histograms,
            fusion,
        }
    }
}

impl DataModel {
    /// What comes with the program. Its provenance says which sites it has seen.
    pub fn built_in() -> Self {
        serde_json::from_str(include_str!("model.json")).unwrap_or_else(|_| DataModel::naive())
    }

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
        if let Some(fusion) = self.fusion.as_ref().filter(|_| all) {
            let opinion = |(score, histograms): (&Option<f64>, &PairHistograms)| {
                score.map(|score| histograms.log_odds(Some(score)))
            };
            let opinions: Vec<Option<f64>> = scores.iter().zip(&self.histograms).map(opinion).collect();
            return fusion.score(&opinions);
        }
        let heard = if all { DATA_EXPERTS.len() } else { PUBLISHED };
        let number = heard.min(scores.len()).min(self.histograms.len());
        PairHistograms::sum_log_odds(&self.histograms[..number], &scores[..number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_model_knows_every_expert() {
        let model = DataModel::built_in();
        let names: Vec<&str> = DATA_EXPERTS.iter().map(|expert| expert.name).collect();
        assert_eq!(model.experts, names);
        assert_eq!(model.histograms.len(), names.len());
        assert_ne!(model.provenance, DataModel::naive().provenance);
    }
}
