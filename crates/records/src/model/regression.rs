//! Logistic regression with a ridge, by Newton's method; small and dense.

use rayon::prelude::*;

/// Learns `bias + w·x` as log-odds; the ridge pulls every weight towards `centre`.
///
/// # What it does
/// Newton steps on the penalised log-likelihood until the step is tiny. Weights that come out negative are set to 0 and
/// the others refitted: an expert may be useless but not perverse.
/// # Assumes
/// Few features (they make a dense matrix).
/// # When it fails
/// Never: with nothing to learn it returns the centre.
/// # Paper
/// Hosmer and Lemeshow 2000.
pub(super) struct Logistic {
    /// Strength of the pull, as a share of the examples' weight.
    pub(super) ridge: f64,
    /// Where each weight is pulled.
    pub(super) centre: Vec<f64>,
}

/// One example: features, whether positive, and how much it counts.
pub(super) struct Example {
    pub(super) features: Vec<f32>,
    pub(super) positive: f64,
    pub(super) weight: f64,
}

const STEPS: usize = 30;

impl Logistic {
    pub(super) fn fit(&self, examples: &[Example], width: usize) -> (Vec<f64>, f64) {
        let mut active = vec![true; width];
        loop {
            let (weights, bias) = self.newton(examples, &active);
            let negative: Vec<usize> = (0..width).filter(|&k| active[k] && weights[k] < 0.0).collect();
            if negative.is_empty() {
                return (weights, bias);
            }
            negative.into_iter().for_each(|k| active[k] = false);
        }
    }

    fn newton(&self, examples: &[Example], active: &[bool]) -> (Vec<f64>, f64) {
        let used: Vec<usize> = (0..active.len()).filter(|&k| active[k]).collect();
        let size = used.len() + 1;
        let mut beta = used.iter().map(|&k| self.centre[k]).chain([0.0]).collect::<Vec<f64>>();
        let ridge = self.ridge * examples.iter().map(|e| e.weight).sum::<f64>() + 1e-6;
        for _ in 0..STEPS {
            let sums: Vec<(Vec<f64>, Vec<f64>)> = examples
                .par_chunks(4096)
                .map(|examples| {
                    let mut gradient = vec![0.0; size];
                    let mut hessian = vec![0.0; size * size];
                    for example in examples {
                        let x =
                            |k: usize| if k + 1 == size { 1.0 } else { f64::from(example.features[used[k]]) };
                        let z: f64 = (0..size).map(|k| beta[k] * x(k)).sum();
                        let p = 1.0 / (1.0 + (-z).exp());
                        let (g, h) =
                            (example.weight * (example.positive - p), example.weight * p * (1.0 - p));
                        for i in 0..size {
                            let xi = x(i);
                            gradient[i] += g * xi;
                            if xi != 0.0 {
                                for j in 0..=i {
                                    hessian[i * size + j] += h * xi * x(j);
                                }
                            }
                        }
                    }
                    (gradient, hessian)
                })
                .collect();
            let mut gradient = vec![0.0; size];
            let mut hessian = vec![0.0; size * size];
            for (g, h) in sums {
                gradient.iter_mut().zip(g).for_each(|(a, b)| *a += b);
                hessian.iter_mut().zip(h).for_each(|(a, b)| *a += b);
            }
            for i in 0..size {
                for j in 0..i {
                    hessian[j * size + i] = hessian[i * size + j];
                }
                if i + 1 < size {
                    gradient[i] -= ridge * (beta[i] - self.centre[used[i]]);
                    hessian[i * size + i] += ridge;
                }
                hessian[i * size + i] += 1e-9;
            }
            let step = solve(hessian, gradient, size);
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            // Long steps leave the region where the quadratic is a good picture.
            let shrink = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            beta.iter_mut().zip(&step).for_each(|(b, s)| *b += shrink * s);
            if longest < 1e-6 {
                break;
            }
        }
        let mut weights = vec![0.0; active.len()];
        for (k, &at) in used.iter().enumerate() {
            weights[at] = if beta[k].is_finite() { beta[k] } else { self.centre[at] };
        }
        (weights, if beta[size - 1].is_finite() { beta[size - 1] } else { 0.0 })
    }
}

/// Gaussian elimination with partial pivoting.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>, size: usize) -> Vec<f64> {
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a * size + column].abs().total_cmp(&matrix[b * size + column].abs()))
            .unwrap_or(column);
        if matrix[pivot * size + column].abs() < 1e-300 {
            continue;
        }
        if pivot != column {
            for k in 0..size {
                matrix.swap(pivot * size + k, column * size + k);
            }
            right.swap(pivot, column);
        }
        for row in column + 1..size {
            let factor = matrix[row * size + column] / matrix[column * size + column];
            if factor != 0.0 {
                for k in column..size {
                    matrix[row * size + k] -= factor * matrix[column * size + k];
                }
                right[row] -= factor * right[column];
            }
        }
    }
    let mut out = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| matrix[row * size + k] * out[k]).sum();
        let diagonal = matrix[row * size + row];
        out[row] = if diagonal.abs() < 1e-300 { 0.0 } else { (right[row] - known) / diagonal };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_useful_feature() {
        let examples: Vec<Example> = (0..400)
            .map(|i| {
                let positive = i % 2 == 0;
                let good = if positive == (i % 7 != 0) { 1.0 } else { -1.0 };
                let junk = if i % 3 == 0 { 1.0 } else { -1.0 };
                Example { features: vec![good, junk], positive: f64::from(u8::from(positive)), weight: 1.0 }
            })
            .collect();
        let (weights, bias) = Logistic { ridge: 0.001, centre: vec![0.0; 2] }.fit(&examples, 2);
        assert!(weights[0] > 1.0 && weights[1].abs() < 0.2, "{weights:?}");
        assert!(bias.abs() < 1.0);
    }

    #[test]
    fn nothing_to_learn_gives_the_centre() {
        let (weights, bias) = Logistic { ridge: 1.0, centre: vec![0.5; 3] }.fit(&[], 3);
        assert!(weights.iter().all(|w| (w - 0.5).abs() < 1e-9));
        assert_eq!(bias, 0.0);
    }
}
