//! Evidence: what the experts' scores mean, learned from labelled sites.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use unsite_learn::evidence::{Fusion, FusionOptions, PairCounter, PairHistograms};

use crate::experts::EXPERTS;

/// Pairs of each site that a [`Model`] keeps for calibration, half of them within types: enough for fifteen weights.
const KEPT_PAIRS: usize = 60;

/// A pair of pages of which it is known whether they are of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledPair {
    /// Each expert's score, in the order of the registry.
    pub scores: Vec<Option<f64>>,
    /// One type?
    pub same: bool,
}

/// What the experts' scores mean.
///
/// # What it does
/// Keeps, for each expert, how its scores are distributed over pairs within and between types (10 bins, Gaussian
/// smoothing), and some labelled pairs of every training site, as bins. [`Model::calibrate`] fits the weights of
/// exactly those experts that are switched on to these pairs, so that no expert's absence leaves the others
/// miscalibrated.
/// # Assumes
/// Experts rank pairs alike on all sites: that is what their site-wide weights are for.
/// # When it fails
/// A site whose types differ in a way that no training site's do.
/// # Paper
/// Gazen 2008 (CONFHEX) for the histograms; the calibration is ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Which sites it was trained on, and how.
    pub provenance: String,
    /// The experts' names, in the order of everything below.
    pub experts: Vec<String>,
    /// Each expert's scores within and between types.
    pub histograms: Vec<PairHistograms>,
    /// The weights with every expert switched on: the fit to `pairs`, kept because it takes its time.
    #[serde(default)]
    pub fusion: Option<Fusion>,
    /// Labelled pairs: `+` (one type) or `-`, then each expert's bin, `.` for no opinion.
    pub pairs: Vec<String>,
}

/// A [`Model`] for the experts that are switched on.
#[derive(Debug, Clone)]
pub struct Calibrated {
    histograms: Vec<Option<PairHistograms>>,
    fusion: Fusion,
}

impl Model {
    /// The model that comes with the program.
    pub fn built_in() -> Self {
        serde_json::from_str(include_str!("experts/model.json")).unwrap_or_else(|_| Model::naive())
    }

    /// What makes a model that was read from a file unfit for use, if anything.
    pub fn problem(&self) -> Option<String> {
        if self.histograms.len() != self.experts.len() {
            return Some(format!(
                "the model has histograms for {} of its {} experts",
                self.histograms.len(),
                self.experts.len()
            ));
        }
        let missing: Vec<&str> = EXPERTS
            .iter()
            .map(|expert| expert.name)
            .filter(|name| !self.experts.iter().any(|own| own == name))
            .collect();
        (!missing.is_empty()).then(|| format!("the model does not know the experts {}", missing.join(", ")))
    }

    /// Whether its experts are those of the registry.
    fn is_in_order(&self) -> bool {
        self.experts.iter().map(String::as_str).eq(EXPERTS.iter().map(|expert| expert.name))
    }

    /// A model that knows nothing: without training, a likeness of more than one half speaks for one type.
    pub fn naive() -> Self {
        let mut counter = PairCounter::default();
        for at in 0..10 {
            counter.add_weighted(at as f64 / 10.0 + 0.05, true, 1.0 + at as f64);
            counter.add_weighted(at as f64 / 10.0 + 0.05, false, 10.0 - at as f64);
        }
        Model {
            provenance: "untrained".into(),
            experts: EXPERTS.iter().map(|expert| expert.name.to_owned()).collect(),
            histograms: vec![counter.train(); EXPERTS.len()],
            fusion: None,
            pairs: Vec::new(),
        }
    }

    /// Learns from the labelled pairs of several sites; within and between pairs of each site count the same in all.
    pub fn train(sites: &[&[LabelledPair]], provenance: &str) -> Self {
        let histograms = (0..EXPERTS.len())
            .map(|expert| {
                let mut all = PairCounter::default();
                for site in sites {
                    let mut here = PairCounter::default();
                    for pair in site.iter() {
                        if let Some(score) = pair.scores.get(expert).copied().flatten() {
                            here.add(score, pair.same);
                        }
                    }
                    all.merge(&here.balanced());
                }
                all.train()
            })
            .collect();
        // A site of one type says how alike pages of a type are and nothing about those of two: with as many pairs of one type
        // from each site as leaves both in balance, it does not shift what is likely.
        let of_several = sites.iter().filter(|site| site.iter().any(|pair| !pair.same)).count();
        let kept = |site: &[LabelledPair], same: bool| -> Vec<String> {
            let pairs: Vec<&LabelledPair> = site.iter().filter(|pair| pair.same == same).collect();
            let share = if same { of_several as f64 / sites.len() as f64 } else { 1.0 };
            let most = ((KEPT_PAIRS as f64 / 2.0 * share).round() as usize).min(pairs.len());
            (0..most).map(|at| spell(pairs[at * pairs.len() / most])).collect()
        };
        let mut model = Model {
            provenance: provenance.to_owned(),
            experts: EXPERTS.iter().map(|expert| expert.name.to_owned()).collect(),
            histograms,
            fusion: None,
            pairs: (sites.iter()).flat_map(|site| [kept(site, true), kept(site, false)].concat()).collect(),
        };
        model.fusion = Some(model.calibrate(&[true; EXPERTS.len()]).fusion);
        model
    }

    /// Fits the weights of the experts that are switched on. `on` follows the registry.
    pub fn calibrate(&self, on: &[bool]) -> Calibrated {
        let place: FxHashMap<&str, usize> =
            self.experts.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let of_model: Vec<Option<usize>> = EXPERTS
            .iter()
            .zip(on)
            .map(|(expert, &on)| {
                place.get(expert.name).copied().filter(|&at| on && at < self.histograms.len())
            })
            .collect();
        let histograms: Vec<Option<PairHistograms>> =
            of_model.iter().map(|at| at.and_then(|at| self.histograms.get(at).cloned())).collect();
        if let Some(fusion) = self.fusion.as_ref().filter(|_| on.iter().all(|&on| on) && self.is_in_order()) {
            return Calibrated { histograms, fusion: fusion.clone() };
        }
        let (mut opinions, mut same) = (Vec::new(), Vec::new());
        for pair in &self.pairs {
            let bins = pair.as_bytes();
            same.push(bins.first() == Some(&b'+'));
            for (at, histograms) in of_model.iter().zip(&histograms) {
                let bin = at.and_then(|at| bins.get(at + 1)).filter(|byte| byte.is_ascii_digit());
                opinions.push(match (bin, histograms) {
                    (Some(digit), Some(histograms)) => {
                        histograms.log_odds(Some((f64::from(digit - b'0') + 0.5) / 10.0))
                    }
                    _ => f64::NAN,
                });
            }
        }
        let fusion = if same.is_empty() {
            Fusion { bias: 0.0, weights: vec![1.0; EXPERTS.len()] }
        } else {
            Fusion::fit(&opinions, &same, EXPERTS.len(), &FusionOptions::default())
        };
        Calibrated { histograms, fusion }
    }
}

impl Calibrated {
    /// The log-odds that two pages are of one type.
    pub fn log_odds(&self, scores: &[Option<f64>]) -> f64 {
        let opinions: Vec<Option<f64>> = scores
            .iter()
            .zip(&self.histograms)
            .map(|(score, histograms)| Some(histograms.as_ref()?.log_odds(Some((*score)?))))
            .collect();
        self.fusion.score(&opinions)
    }

    /// What one expert's score adds to the log-odds.
    pub fn share_of(&self, expert: usize, score: Option<f64>) -> f64 {
        match (self.histograms.get(expert), score) {
            (Some(Some(histograms)), Some(score)) => {
                self.fusion.weights[expert] * histograms.log_odds(Some(score))
            }
            _ => 0.0,
        }
    }

    /// How an expert's scores are distributed within and between types; `None` for one that is switched off.
    pub(crate) fn histograms(&self, expert: usize) -> Option<&PairHistograms> {
        self.histograms.get(expert).and_then(Option::as_ref)
    }

    /// The same with other distributions of one expert's scores.
    pub(crate) fn with_histograms(mut self, expert: usize, histograms: PairHistograms) -> Self {
        self.histograms[expert] = Some(histograms);
        self
    }

    /// What every pair starts with.
    pub fn bias(&self) -> f64 {
        self.fusion.bias
    }

    /// True when the expert has a say.
    pub fn hears(&self, expert: usize) -> bool {
        self.histograms[expert].is_some() && self.fusion.weights[expert] > 0.0
    }

    /// Each expert's weight.
    pub fn weights(&self) -> &[f64] {
        &self.fusion.weights
    }
}

fn spell(pair: &LabelledPair) -> String {
    let mut line = String::from(if pair.same { "+" } else { "-" });
    line.extend(pair.scores.iter().map(|score| match score {
        // The same bins as the histograms'.
        Some(score) => char::from(b'0' + ((score * 10.0 + 1e-9) as u8).min(9)),
        None => '.',
    }));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(same: bool, told: f64) -> LabelledPair {
        let mut scores = vec![None; EXPERTS.len()];
        scores[0] = Some(told);
        LabelledPair { scores, same }
    }

    #[test]
    fn a_trained_expert_is_believed_and_a_silenced_one_is_not() {
        let site: Vec<LabelledPair> = (0..40)
            .map(|at| pair(at % 2 == 0, if at % 2 == 0 { 0.9 } else { 0.1 } + f64::from(at) / 1000.0))
            .collect();
        let model = Model::train(&[&site, &site], "test");
        let all = model.calibrate(&vec![true; EXPERTS.len()]);
        assert!(all.log_odds(&pair(true, 0.95).scores) > 1.0);
        assert!(all.log_odds(&pair(true, 0.05).scores) < -1.0);
        assert_eq!(all.log_odds(&vec![None; EXPERTS.len()]), 0.0);
        let mut on = vec![true; EXPERTS.len()];
        on[0] = false;
        assert_eq!(model.calibrate(&on).log_odds(&pair(true, 0.95).scores), 0.0);
    }

    #[test]
    fn models_survive_being_written() {
        let model = Model::train(&[&[pair(true, 0.75), pair(false, 0.0)]], "test");
        assert_eq!(model.pairs[0].as_bytes()[..3], *b"+7.");
        let json = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<Model>(&json).unwrap().pairs, model.pairs);
    }

    #[test]
    fn the_built_in_model_is_there_and_knows_every_expert() {
        let model = Model::built_in();
        assert_ne!(model.provenance, "untrained");
        for expert in EXPERTS {
            assert!(model.experts.iter().any(|name| name == expert.name), "{}", expert.name);
        }
    }
}
