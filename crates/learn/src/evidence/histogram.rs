//! CONFHEX's score histograms.

use serde::{Deserialize, Serialize};

/// Number of bins over 0..1 (CONFHEX: width 0.1).
pub const BINS: usize = 10;

/// Standard deviation of the smoothing Gaussian (CONFHEX).
const SMOOTHING_SIGMA: f64 = 0.05;

/// Smallest probability of a bin. A sigma of half a bin leaves far bins at practically zero, and one zero would veto
/// every other expert; 1e-4 keeps a single expert's log-odds within about 9.
const FLOOR: f64 = 1e-4;

/// A distribution of scores over ten bins: smoothed, no bin zero, sum 1.
///
/// # What it does
/// Convolves the counts with a Gaussian sampled at the bin centres (1, .135335, .000335, ...), divides by the sum, raises
/// every bin to 1e-4 and divides again. No counts give the uniform distribution.
/// # Assumes
/// Scores in 0..1; others are clamped, NaN is not a score.
/// # When it fails
/// Scores that cluster inside one bin cannot be told apart.
/// # Paper
/// Gazen 2008 (CONFHEX), confidence from scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    bins: [f64; BINS],
}

impl Histogram {
    /// From counts (or weights) per bin; negative or unreal ones count as 0.
    pub fn from_counts(counts: &[f64; BINS]) -> Self {
        let smoothed = smooth(counts);
        let raised = smoothed.map(|p| p.max(FLOOR));
        let sum: f64 = raised.iter().sum();
        Histogram { bins: raised.map(|p| p / sum) }
    }

    /// Probability of the bin that the score falls into.
    pub fn probability(&self, score: f64) -> f64 {
        self.bins[bin(score)]
    }

    /// All bins.
    pub fn bins(&self) -> &[f64; BINS] {
        &self.bins
    }
}

/// The bin of a score: `[0, 0.1)` is 0, and 1.0 belongs to the last.
pub fn bin(score: f64) -> usize {
    // A float-to-integer cast saturates, so NaN becomes 0. The nudge puts 0.3 = 3/10 into bin 3 although
    // 0.1 * 3 may be a hair less in binary.
    ((score * BINS as f64 + 1e-9) as usize).min(BINS - 1)
}

/// One expert's evidence: how its scores are distributed over pairs that belong together and pairs that do not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairHistograms {
    /// Scores of pairs inside a cluster.
    pub within: Histogram,
    /// Scores of pairs between clusters.
    pub between: Histogram,
}

impl PairHistograms {
    /// `ln P(score | same) - ln P(score | different)`; no opinion (`None` or NaN) says 0.
    pub fn log_odds(&self, score: Option<f64>) -> f64 {
        match score {
            Some(s) if !s.is_nan() => (self.within.probability(s) / self.between.probability(s)).ln(),
            _ => 0.0,
        }
    }

    /// Naive Bayes: the sum of the log-odds of several experts.
    pub fn sum_log_odds(experts: &[PairHistograms], scores: &[Option<f64>]) -> f64 {
        experts.iter().zip(scores).map(|(expert, &score)| expert.log_odds(score)).sum()
    }
}

/// Counts of one expert's scores over labelled pairs; add up sites, then [`PairCounter::train`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairCounter {
    within: [f64; BINS],
    between: [f64; BINS],
}

impl PairCounter {
    /// Records the score of a pair that belongs together (`same`) or not. NaN is ignored.
    pub fn add(&mut self, score: f64, same: bool) {
        self.add_weighted(score, same, 1.0);
    }

    /// Like [`PairCounter::add`] for a pair that stands for `weight` pairs.
    pub fn add_weighted(&mut self, score: f64, same: bool, weight: f64) {
        if !score.is_nan() {
            let side = if same { &mut self.within } else { &mut self.between };
            side[bin(score)] += weight;
        }
    }

    /// Adds the counts of another site.
    pub fn merge(&mut self, other: &PairCounter) {
        self.within.iter_mut().zip(&other.within).for_each(|(a, b)| *a += b);
        self.between.iter_mut().zip(&other.between).for_each(|(a, b)| *a += b);
    }

    /// The same counts scaled so that each side sums to 1, so that a large site does not drown the others.
    pub fn balanced(&self) -> PairCounter {
        let scale = |side: &[f64; BINS]| {
            let sum: f64 = side.iter().sum();
            if sum > 0.0 { side.map(|x| x / sum) } else { *side }
        };
        PairCounter { within: scale(&self.within), between: scale(&self.between) }
    }

    /// Number of pairs seen (inside, between).
    pub fn totals(&self) -> (f64, f64) {
        (self.within.iter().sum(), self.between.iter().sum())
    }

    /// The smoothed histograms.
    pub fn train(&self) -> PairHistograms {
        PairHistograms {
            within: Histogram::from_counts(&self.within),
            between: Histogram::from_counts(&self.between),
        }
    }
}

/// Gaussian smoothing at bin centres, divided by the sum; the uniform distribution when there is no count.
fn smooth(counts: &[f64; BINS]) -> [f64; BINS] {
    let width = 1.0 / BINS as f64;
    let mut smoothed = [0.0; BINS];
    for (to, value) in smoothed.iter_mut().enumerate() {
        for (from, &count) in counts.iter().enumerate().filter(|(_, c)| **c > 0.0 && c.is_finite()) {
            let distance = width * to.abs_diff(from) as f64 / SMOOTHING_SIGMA;
            *value += count * (-0.5 * distance * distance).exp();
        }
    }
    let sum: f64 = smoothed.iter().sum();
    if sum > 0.0 { smoothed.map(|v| v / sum) } else { [width; BINS] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WITHIN: [f64; BINS] = [6.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    const BETWEEN: [f64; BINS] = [0.0, 0.0, 1.0, 2.0, 3.0, 6.0, 8.0, 12.0, 6.0, 2.0];

    #[test]
    fn confhex_golden_smoothing() {
        let within = smooth(&WITHIN);
        for (got, want) in within.iter().zip([0.538421, 0.331755, 0.118337, 0.011459, 0.000028]) {
            assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        }
        let want = [
            0.000007, 0.002689, 0.025142, 0.050283, 0.080777, 0.148148, 0.206386, 0.274759, 0.156135,
            0.055675,
        ];
        for (got, want) in smooth(&BETWEEN).iter().zip(want) {
            assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        }
    }

    #[test]
    fn log_odds_have_the_right_sign_and_stay_finite() {
        let expert = PairHistograms {
            within: Histogram::from_counts(&WITHIN),
            between: Histogram::from_counts(&BETWEEN),
        };
        assert!(expert.log_odds(Some(0.05)) > 5.0);
        assert!(expert.log_odds(Some(0.75)) < -5.0);
        assert_eq!(expert.log_odds(None), 0.0);
        assert_eq!(expert.log_odds(Some(f64::NAN)), 0.0);
        assert!(expert.log_odds(Some(f64::INFINITY)).is_finite());
        let twice = PairHistograms::sum_log_odds(&[expert.clone(), expert.clone()], &[Some(0.05), None]);
        assert_eq!(twice, expert.log_odds(Some(0.05)));
    }

    #[test]
    fn bins_are_closed_below() {
        assert_eq!([0.0, 0.0999, 0.1, 0.3, 0.7, 0.999, 1.0, 1.5, -2.0].map(bin), [0, 0, 1, 3, 7, 9, 9, 9, 0]);
    }

    #[test]
    fn counting_sites() {
        let mut site = PairCounter::default();
        site.add(0.95, true);
        site.add(0.05, false);
        site.add(f64::NAN, false);
        let mut all = site.clone();
        all.merge(&site);
        assert_eq!(all.totals(), (2.0, 2.0));
        assert_eq!(all.balanced(), site);
        let trained = all.train();
        assert!(trained.log_odds(Some(0.9)) > 0.0 && trained.log_odds(Some(0.0)) < 0.0);
        let json = serde_json::to_string(&trained).unwrap();
        assert_eq!(serde_json::from_str::<PairHistograms>(&json).unwrap(), trained);
        assert_eq!(PairCounter::default().train().log_odds(Some(0.4)), 0.0);
    }

    proptest! {
        #[test]
        fn histograms_are_distributions(counts in proptest::array::uniform10(0.0f64..1e6)) {
            let h = Histogram::from_counts(&counts);
            prop_assert!((h.bins().iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(h.bins().iter().all(|&p| p > 0.0));
        }
    }
}
