//! Histograms without labels: a two-class mixture over binned comparison scores.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Level of a comparison that could not be made.
pub const MISSING: u8 = u8::MAX;

/// How to fit a [`Mixture`].
#[derive(Debug, Clone, PartialEq)]
pub struct MixtureOptions {
    /// Levels of each expert; levels run from 0 (least alike) to `levels - 1`.
    pub levels: usize,
    /// Pseudo-pairs spread over the levels of each expert and class. Keeps every level possible.
    pub smoothing: f64,
    /// Highest number of EM rounds.
    pub max_rounds: usize,
    /// Ends the fit when no posterior moves by more than this.
    pub tolerance: f64,
    /// Level distributions of pairs known not to match (for example random pairs), held fixed when given.
    pub known_between: Option<Vec<Vec<f64>>>,
}

impl Default for MixtureOptions {
    fn default() -> Self {
        MixtureOptions {
            levels: super::BINS,
            smoothing: 1.0,
            max_rounds: 200,
            tolerance: 1e-6,
            known_between: None,
        }
    }
}

/// Two latent classes, match and non-match; given the class, the experts' levels are independent.
///
/// # What it does
/// Expectation-maximisation over the distinct level patterns. It starts from a split of the pairs into two by their mean
/// level (one-dimensional 2-means), so equal input gives equal output. The match class is the one with the higher mean
/// level; the classes are exchanged at the end if EM has crossed them.
/// # Assumes
/// Higher levels mean more alike for every expert; both classes occur among the pairs (block first: a sample of all pairs
/// of a large set has almost no match).
/// # When it fails
/// Strongly dependent experts make posteriors too extreme; fuse with [`super::Fusion`] when labels exist. With one expert
/// the classes are not identifiable and the starting split is about what comes back.
/// # Paper
/// Fellegi and Sunter 1969; EM as in Winkler 1988.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    /// Share of matching pairs among those fitted.
    pub prior: f64,
    /// Per expert: probability of each level among matches.
    pub within: Vec<Vec<f64>>,
    /// Per expert: probability of each level among non-matches.
    pub between: Vec<Vec<f64>>,
}

impl Mixture {
    /// Fits the mixture. `levels` holds `experts` levels for each pair, one pair after another, [`MISSING`] for none.
    pub fn fit(levels: &[u8], experts: usize, options: &MixtureOptions) -> Self {
        let mut counts: FxHashMap<&[u8], f64> = FxHashMap::default();
        levels.chunks_exact(experts.max(1)).for_each(|pattern| *counts.entry(pattern).or_default() += 1.0);
        let mut patterns: Vec<(&[u8], f64)> = counts.into_iter().collect();
        patterns.sort_unstable_by(|a, b| a.0.cmp(b.0));
        let mut posterior = starting_posterior(&patterns, options.levels);
        let mut model = maximise(&patterns, &posterior, experts, options);
        for _ in 0..options.max_rounds {
            let mut moved = 0.0f64;
            for ((pattern, _), old) in patterns.iter().zip(&mut posterior) {
                let new = model.posterior(pattern);
                moved = moved.max((new - *old).abs());
                *old = new;
            }
            model = maximise(&patterns, &posterior, experts, options);
            if moved < options.tolerance {
                break;
            }
        }
        if options.known_between.is_none() && mean_level(&model.within) < mean_level(&model.between) {
            std::mem::swap(&mut model.within, &mut model.between);
            model.prior = 1.0 - model.prior;
        }
        model
    }

    /// Log-likelihood ratio of a pair's levels, without the prior; missing levels say nothing.
    pub fn log_odds(&self, levels: &[u8]) -> f64 {
        let opinion = |(k, &level): (usize, &u8)| {
            let at = usize::from(level);
            match (self.within.get(k).and_then(|m| m.get(at)), self.between.get(k).and_then(|u| u.get(at))) {
                (Some(m), Some(u)) => (m / u).ln(),
                _ => 0.0,
            }
        };
        levels.iter().enumerate().map(opinion).sum()
    }

    /// Log-likelihood ratio that one level of one expert contributes.
    pub fn level_log_odds(&self, expert: usize, level: u8) -> f64 {
        let mut alone = vec![MISSING; expert + 1];
        alone[expert] = level;
        self.log_odds(&alone)
    }

    /// Probability that the pair matches, the prior included.
    pub fn posterior(&self, levels: &[u8]) -> f64 {
        let prior = self.prior.clamp(1e-12, 1.0 - 1e-12);
        1.0 / (1.0 + (-(self.log_odds(levels) + (prior / (1.0 - prior)).ln())).exp())
    }
}

/// The level of a score in 0..1 among `levels` equal bins; [`MISSING`] without a score.
pub fn level(score: Option<f64>, levels: usize) -> u8 {
    match score {
        Some(s) if !s.is_nan() => {
            let top = levels.clamp(1, usize::from(MISSING)) - 1;
            ((s * levels as f64 + 1e-9) as usize).min(top) as u8
        }
        _ => MISSING,
    }
}

/// How surely a pattern of the upper half of the starting split is taken for a match; a choice, not calibrated.
const STARTING_BELIEF: f64 = 0.9;

/// Posteriors to start from: the patterns split in two by mean level.
fn starting_posterior(patterns: &[(&[u8], f64)], levels: usize) -> Vec<f64> {
    let top = levels.saturating_sub(1).max(1) as f64;
    let mean = |pattern: &[u8]| {
        let heard: Vec<f64> = pattern.iter().filter(|&&l| l != MISSING).map(|&l| f64::from(l)).collect();
        if heard.is_empty() { None } else { Some(heard.iter().sum::<f64>() / heard.len() as f64 / top) }
    };
    let means: Vec<Option<f64>> = patterns.iter().map(|(p, _)| mean(p)).collect();
    let heard = || means.iter().zip(patterns).filter_map(|(m, (_, weight))| m.map(|m| (m, *weight)));
    let mut low = heard().map(|x| x.0).fold(f64::INFINITY, f64::min);
    let mut high = heard().map(|x| x.0).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        let centre = |upper: bool, old: f64| {
            let (sum, weight) = heard()
                .filter(|x| (x.0 > middle) == upper)
                .fold((0.0, 0.0), |(s, w), (m, weight)| (s + m * weight, w + weight));
            if weight > 0.0 { sum / weight } else { old }
        };
        (low, high) = (centre(false, low), centre(true, high));
    }
    let middle = (low + high) / 2.0;
    means
        .iter()
        .map(|m| match m {
            Some(m) if *m > middle => STARTING_BELIEF,
            Some(_) => 1.0 - STARTING_BELIEF,
            None => 0.5,
        })
        .collect()
}

fn maximise(
    patterns: &[(&[u8], f64)],
    posterior: &[f64],
    experts: usize,
    options: &MixtureOptions,
) -> Mixture {
    let levels = options.levels.max(1);
    let start = options.smoothing.max(1e-9) / levels as f64;
    let mut within = vec![vec![start; levels]; experts];
    let mut between = within.clone();
    let (mut matches, mut total) = (0.0, 0.0);
    for ((pattern, weight), p) in patterns.iter().zip(posterior) {
        matches += weight * p;
        total += weight;
        for (k, &l) in pattern.iter().enumerate().filter(|(k, l)| **l != MISSING && *k < experts) {
            let at = usize::from(l).min(levels - 1);
            within[k][at] += weight * p;
            between[k][at] += weight * (1.0 - p);
        }
    }
    let normalise = |rows: &mut Vec<Vec<f64>>| {
        for row in rows {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= sum);
        }
    };
    normalise(&mut within);
    normalise(&mut between);
    if let Some(known) = options.known_between.as_ref().filter(|k| k.len() == experts) {
        between.clone_from(known);
        // A level never seen among known non-matches is rare, not impossible.
        between.iter_mut().flatten().for_each(|u| *u = u.max(1e-6));
        normalise(&mut between);
    }
    let prior = if total > 0.0 { matches / total } else { 0.5 };
    Mixture { prior, within, between }
}

fn mean_level(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flat_map(|row| row.iter().enumerate().map(|(level, p)| level as f64 * p)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const M: [f64; 3] = [0.05, 0.15, 0.8];
    const U: [f64; 3] = [0.85, 0.1, 0.05];

    fn simulate(pairs: usize, prior: f64, experts: usize) -> (Vec<u8>, Vec<bool>) {
        let mut rng = Rng::new(11);
        let (mut levels, mut truth) = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            let same = rng.chance(prior);
            truth.push(same);
            for _ in 0..experts {
                let p = if same { M } else { U };
                let x = rng.next_f64();
                let level = if x < p[0] {
                    0
                } else if x < p[0] + p[1] {
                    1
                } else {
                    2
                };
                levels.push(if rng.chance(0.1) { MISSING } else { level });
            }
        }
        (levels, truth)
    }

    #[test]
    fn recovers_the_classes_it_was_drawn_from() {
        let options = MixtureOptions { levels: 3, ..MixtureOptions::default() };
        for prior in [0.03, 0.3, 0.9] {
            let (levels, truth) = simulate(20_000, prior, 4);
            let model = Mixture::fit(&levels, 4, &options);
            assert!((model.prior - prior).abs() < 0.02, "{prior}: {}", model.prior);
            for k in 0..4 {
                assert!((model.within[k][2] - 0.8).abs() < 0.05, "{prior}: {:?}", model.within);
                assert!((model.between[k][0] - 0.85).abs() < 0.05, "{prior}: {:?}", model.between);
            }
            let right =
                levels.chunks(4).zip(&truth).filter(|(l, t)| (model.posterior(l) > 0.5) == **t).count();
            assert!(right as f64 > 0.97 * truth.len() as f64, "{prior}: {right}");
        }
    }

    #[test]
    fn known_non_matches_are_held_fixed() {
        let (levels, _) = simulate(5_000, 0.1, 3);
        let options = MixtureOptions {
            levels: 3,
            known_between: Some(vec![U.to_vec(); 3]),
            ..MixtureOptions::default()
        };
        let model = Mixture::fit(&levels, 3, &options);
        assert!(model.between.iter().all(|u| (u[0] - 0.85).abs() < 1e-9));
        assert!((model.prior - 0.1).abs() < 0.02);
    }

    #[test]
    fn degenerate_input() {
        let options = MixtureOptions::default();
        let empty = Mixture::fit(&[], 2, &options);
        assert_eq!(empty.log_odds(&[3, 4]), 0.0);
        let silent = Mixture::fit(&[MISSING; 6], 2, &options);
        assert_eq!(silent.posterior(&[MISSING, MISSING]), 0.5);
        let constant = Mixture::fit(&[9; 40], 2, &options);
        assert!(constant.posterior(&[9, 9]).is_finite());
        assert_eq!(Mixture::fit(&[1, 2], 0, &options).within.len(), 0);
        assert_eq!(level(Some(1.0), 10), 9);
        assert_eq!(level(Some(0.35), 4), 1);
        assert_eq!(level(None, 4), MISSING);
        assert_eq!(Mixture::fit(&[200, 3], 2, &options).log_odds(&[200, MISSING]), 0.0);
    }
}
