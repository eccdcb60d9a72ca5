//! Ten bins of scores, and one place for having no opinion.

use serde::{Deserialize, Serialize};

/// Bins of width 0.1. The experts give exactly 1 for "the same" and at most 0.899 otherwise, so the last bin is theirs.
pub const BINS: usize = 10;
/// The bin number of a judge without opinion; its log-odds are 0.
pub const NO_OPINION: u8 = BINS as u8;
/// No probability goes below this (spec of CONFHEX, ours).
const FLOOR: f64 = 1e-4;

/// Probabilities of the bins; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Histogram(pub [f64; BINS]);

/// The bin of a score.
pub fn bin_of(score: Option<f32>) -> u8 {
    match score {
        Some(s) => ((s * BINS as f32) as usize).min(BINS - 1) as u8,
        None => NO_OPINION,
    }
}

impl Histogram {
    /// Smooths weighted counts by mixing in a little of the neighbouring bins and of a uniform distribution.
    ///
    /// The thesis convolves with a Gaussian of half a bin, which gives 12 % of every bin to each neighbour; that drowns the
    /// last bin ("the same") in the one below it, so less is shared here: `neighbour` of each count.
    pub fn smoothed(counts: &[f64; BINS], neighbour: f64, uniform: f64) -> Histogram {
        let mut out = [0.0; BINS];
        for (bin, count) in counts.iter().enumerate() {
            let sides = usize::from(bin > 0) + usize::from(bin + 1 < BINS);
            out[bin] += count * (1.0 - neighbour * sides as f64);
            if bin > 0 {
                out[bin - 1] += count * neighbour;
            }
            if bin + 1 < BINS {
                out[bin + 1] += count * neighbour;
            }
        }
        let total: f64 = out.iter().sum::<f64>() + uniform;
        if total <= 0.0 {
            return Histogram([1.0 / BINS as f64; BINS]);
        }
        let mut out = out.map(|c| ((c + uniform / BINS as f64) / total).max(FLOOR));
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|p| *p /= sum);
        Histogram(out)
    }

    /// Whether all probabilities are usable.
    pub fn is_sound(&self) -> bool {
        self.0.iter().all(|p| p.is_finite() && *p > 0.0 && *p <= 1.0)
    }
}

/// The histograms of pairs that are the same and of those that are not, from weighted counts.
///
/// Both are pulled towards the distribution of all pairs together by `prior` pairs' worth, so that a judge heard seldom
/// has little to say: pairs of one cluster are not independent, and a few hundred of them may be the work of one record.
pub(super) fn pair_of_histograms(
    within: &[f64; BINS],
    between: &[f64; BINS],
    neighbour: f64,
    prior: f64,
) -> (Histogram, Histogram) {
    let all: [f64; BINS] = std::array::from_fn(|bin| within[bin] + between[bin]);
    let pooled = Histogram::smoothed(&all, neighbour, 1.0);
    let pulled = |counts: &[f64; BINS]| -> Histogram {
        let mixed: [f64; BINS] = std::array::from_fn(|bin| counts[bin] + prior * pooled.0[bin]);
        Histogram::smoothed(&mixed, neighbour, 1.0)
    };
    let (mut within, mut between) = (pulled(within), pulled(between));
    make_monotone(&mut within, &mut between);
    (within, between)
}

/// Makes the ratio `within / between` grow with the score, changing each as little as possible.
///
/// # What it does
/// Pools neighbouring bins whose ratios are in the wrong order (pool adjacent violators): in a pool both histograms keep
/// their mass, spread so that all its bins have one ratio.
/// # Assumes
/// A higher score never speaks less for identity.
/// # When it fails
/// Experts for which a middle score is the suspicious one.
/// # Paper
/// Ayer et al. 1955.
fn make_monotone(within: &mut Histogram, between: &mut Histogram) {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for bin in 0..BINS {
        let mut pool = (within.0[bin], between.0[bin], 1);
        while let Some(&(w, b, n)) = pools.last() {
            if w * pool.1 <= pool.0 * b {
                break;
            }
            pools.pop();
            pool = (w + pool.0, b + pool.1, n + pool.2);
        }
        pools.push(pool);
    }
    let mut bin = 0;
    for (w, b, n) in pools {
        for _ in 0..n {
            // The ratio of the pool; the mean mass of the bin's two histograms is kept.
            let mass = within.0[bin] + between.0[bin];
            (within.0[bin], between.0[bin]) = (mass * w / (w + b), mass * b / (w + b));
            bin += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_into_their_bins() {
        assert_eq!(bin_of(Some(0.0)), 0);
        assert_eq!(bin_of(Some(0.899)), 8);
        assert_eq!(bin_of(Some(1.0)), 9);
        assert_eq!(bin_of(None), NO_OPINION);
    }

    #[test]
    fn nothing_is_impossible() {
        let h = Histogram::smoothed(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0], 0.05, 0.0);
        assert!(h.is_sound());
        assert!((h.0.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(h.0[9] > h.0[8] && h.0[8] > h.0[0]);
    }

    #[test]
    fn ratios_become_monotone() {
        let mut within = Histogram([0.1; BINS]);
        let mut between = Histogram([0.1; BINS]);
        within.0[3] = 0.3;
        between.0[7] = 0.4;
        make_monotone(&mut within, &mut between);
        let ratios: Vec<f64> = (0..BINS).map(|b| within.0[b] / between.0[b]).collect();
        assert!(ratios.windows(2).all(|w| w[0] <= w[1] + 1e-9), "{ratios:?}");
    }
}
