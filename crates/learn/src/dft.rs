//! Distance of two number series by their Fourier magnitudes.

use rustfft::FftPlannerScalar;
use rustfft::num_complex::Complex;

/// Frequencies in (0, 0.5] of the fast spectrum.
pub const GRID: usize = 1024;

/// `|DFT(k)|` for `k = 0..=m/2` of the series, zero-padded to `m` points (to its own length when `m` is smaller).
pub fn magnitudes(series: &[f64], m: usize) -> Vec<f64> {
    let full = full_magnitudes(series, m);
    let half = full.len() / 2;
    full.into_iter().take(half + 1).collect()
}

/// The exact distance of two series.
///
/// # What it does
/// Zero-pads both to `M = N1 + N2 - 1` and takes the Euclidean distance of the magnitudes for `k = 1..=M/2`; the constant part
/// (`k = 0`) is left out.
/// # Assumes
/// Series that encode the tag sequence of a page; `N log N` for each pair.
/// # When it fails
/// Shifted series look equal. In a published comparison (Buttler 2004) it was the least accurate of several measures.
/// # Paper
/// Flesca, Manco, Masciari, Pontieri, Pugliese (Fourier similarity); grid and scaling are our reading.
pub fn exact_distance(a: &[f64], b: &[f64]) -> f64 {
    let m = (a.len() + b.len()).saturating_sub(1);
    euclidean(&magnitudes(a, m), &magnitudes(b, m), 1)
}

/// The fast form: a spectrum computed once for each series, on a grid common to all.
///
/// # What it does
/// Magnitudes at the series' own frequencies `k/N`, interpolated linearly onto [`GRID`] frequencies in (0, 0.5], divided by
/// `sqrt(N)` so that length does not matter. The distance of two series is the Euclidean distance of their spectra.
/// # Assumes
/// As [`exact_distance`]; `n` pages cost `n` transforms instead of `n^2`.
/// # When it fails
/// Series much longer than the grid lose fine detail; an empty series is all zeros.
/// # Paper
/// As [`exact_distance`].
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    magnitudes: Vec<f64>,
}

impl Spectrum {
    /// The spectrum of a series.
    pub fn of(series: &[f64]) -> Self {
        let full = full_magnitudes(series, series.len());
        let n = full.len();
        if n == 0 {
            return Spectrum { magnitudes: vec![0.0; GRID] };
        }
        let scale = (n as f64).sqrt();
        let at = |point: usize| {
            let position = 0.5 * (point + 1) as f64 / GRID as f64 * n as f64;
            let below = position.floor();
            let part = position - below;
            let k = below as usize;
            (full[k % n] * (1.0 - part) + full[(k + 1) % n] * part) / scale
        };
        Spectrum { magnitudes: (0..GRID).map(at).collect() }
    }

    /// A spectrum that was kept; missing frequencies are silent.
    pub fn from_magnitudes(mut magnitudes: Vec<f64>) -> Self {
        magnitudes.resize(GRID, 0.0);
        Spectrum { magnitudes }
    }

    /// Euclidean distance to another spectrum.
    pub fn distance(&self, other: &Spectrum) -> f64 {
        euclidean(&self.magnitudes, &other.magnitudes, 0)
    }

    /// The magnitudes on the grid.
    pub fn magnitudes(&self) -> &[f64] {
        &self.magnitudes
    }
}

/// `1 / (1 + distance)`, in 0..1.
pub fn similarity(distance: f64) -> f64 {
    1.0 / (1.0 + distance.max(0.0))
}

fn full_magnitudes(series: &[f64], m: usize) -> Vec<f64> {
    let n = m.max(series.len());
    if n == 0 {
        return Vec::new();
    }
    let mut buffer: Vec<Complex<f64>> = series.iter().map(|&x| Complex::new(x, 0.0)).collect();
    buffer.resize(n, Complex::new(0.0, 0.0));
    // The scalar planner gives the same bits on every machine, whatever vector instructions it has.
    FftPlannerScalar::new().plan_fft_forward(n).process(&mut buffer);
    buffer.into_iter().map(|z| z.norm()).collect()
}

fn euclidean(a: &[f64], b: &[f64], from: usize) -> f64 {
    let pairs = a.iter().zip(b).skip(from);
    pairs.map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NULL: [f64; 12] = [1.0, 2.0, 3.0, 0.0, 4.0, 0.0, 4.0, 0.0, 5.0, 0.0, 0.0, 0.0];
    const NULL_ONE_AUTHOR: [f64; 10] = [1.0, 2.0, 3.0, 0.0, 4.0, 0.0, 5.0, 0.0, 0.0, 0.0];
    const SYMMETRIC: [f64; 12] = [1.0, 2.0, 3.0, -3.0, 4.0, -4.0, 4.0, -4.0, 5.0, -5.0, -2.0, -1.0];
    const SYMMETRIC_ONE_AUTHOR: [f64; 10] = [1.0, 2.0, 3.0, -3.0, 4.0, -4.0, 5.0, -5.0, -2.0, -1.0];

    #[test]
    fn golden_magnitudes() {
        let want = [19.0, 5.067494, 5.196152, 3.605551, 2.645751, 7.766628, 15.0];
        let got = magnitudes(&NULL, NULL.len());
        assert_eq!(got.len(), want.len());
        assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-6), "{got:?}");
    }

    #[test]
    fn golden_distances() {
        assert!((exact_distance(&NULL, &NULL_ONE_AUTHOR) - 7.995874).abs() < 1e-6);
        assert!((exact_distance(&SYMMETRIC, &SYMMETRIC_ONE_AUTHOR) - 13.203739).abs() < 1e-6);
        assert_eq!(exact_distance(&NULL, &NULL), 0.0);
    }

    #[test]
    fn the_fast_spectrum_keeps_the_order_of_distances() {
        let (a, b) = (Spectrum::of(&NULL), Spectrum::of(&NULL_ONE_AUTHOR));
        let far = Spectrum::of(&SYMMETRIC);
        assert_eq!(a.distance(&a), 0.0);
        assert!(a.distance(&b) < a.distance(&far));
        // The last grid point is frequency 0.5, which is k = 6 of 12.
        assert!((a.magnitudes()[GRID - 1] - 15.0 / 12f64.sqrt()).abs() < 1e-9);
        // Repeating a series keeps its peaks where they are and lets them grow with the length.
        let twice: Vec<f64> = SYMMETRIC.iter().chain(&SYMMETRIC).copied().collect();
        let peak = Spectrum::of(&twice).magnitudes()[GRID - 1];
        assert!((peak / far.magnitudes()[GRID - 1] - 2f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn short_series() {
        assert_eq!(exact_distance(&[], &[]), 0.0);
        assert_eq!(Spectrum::of(&[]).magnitudes(), [0.0; GRID]);
        assert!(Spectrum::of(&[3.0]).magnitudes().iter().all(|&x| (x - 3.0).abs() < 1e-12));
        assert!(exact_distance(&[1.0], &[]).is_finite());
        assert_eq!(similarity(0.0), 1.0);
        assert_eq!(similarity(1.0), 0.5);
    }
}
