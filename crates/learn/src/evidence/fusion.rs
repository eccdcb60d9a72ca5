//! Weights for correlated experts: naive Bayes counts the same opinion twice, this does not.

use super::linear::solve_positive;
use serde::{Deserialize, Serialize};

/// Most Newton steps: a safety limit, the problem is convex.
const MAX_STEPS: usize = 50;
/// A step that moves no weight by more than this ends the fit.
const TOLERANCE: f64 = 1e-9;

/// How to fit a [`Fusion`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusionOptions {
    /// Strength of the pull towards [`FusionOptions::prior_weight`], in pairs; 1 is weak, 0 may not converge.
    pub ridge: f64,
    /// The weight every expert has before evidence: 1 is naive Bayes.
    pub prior_weight: f64,
    /// Gives both classes the same total weight, so that the score is a likelihood ratio as CONFHEX's model wants it
    /// and not a posterior that depends on how many pairs of each kind were sampled.
    pub balanced: bool,
    /// Drops experts whose weight would be negative: an expert's "alike" shall never count against.
    pub non_negative: bool,
}

impl Default for FusionOptions {
    fn default() -> Self {
        FusionOptions { ridge: 1.0, prior_weight: 1.0, balanced: true, non_negative: true }
    }
}

/// A linear combination of the experts' log-odds.
///
/// # What it does
/// Logistic regression `P(same) = 1 / (1 + exp(-(bias + sum_k w_k x_k)))` on the experts' log-odds `x_k`, by Newton's
/// method, with a ridge that pulls towards naive Bayes. A missing opinion contributes 0; without any opinion the score
/// is 0, without the bias.
/// # Assumes
/// The log-odds come from histograms trained on other sites than the pairs used here.
/// # When it fails
/// Few labelled pairs: the result then stays near naive Bayes.
/// # Paper
/// Ours; the thesis (Gazen 2008) names the double counting of correlated experts as an open problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fusion {
    /// Added once to every pair with at least one opinion.
    pub bias: f64,
    /// One weight for each expert.
    pub weights: Vec<f64>,
}

impl Fusion {
    /// Naive Bayes: every weight 1, no bias.
    pub fn naive(experts: usize) -> Self {
        Fusion { bias: 0.0, weights: vec![1.0; experts] }
    }

    /// Fits bias and weights. `opinions` holds `experts` log-odds for each pair, one pair after another, NaN for no
    /// opinion; `same` says which pairs belong together.
    pub fn fit(opinions: &[f64], same: &[bool], experts: usize, options: &FusionOptions) -> Self {
        let pairs = same.len().min(opinions.len().checked_div(experts).unwrap_or(0));
        let data = Data { opinions, same: &same[..pairs], experts };
        let mut active = vec![true; experts];
        loop {
            let fitted = newton(&data, &active, options);
            let worst = (0..experts)
                .filter(|&k| active[k] && options.non_negative && fitted.weights[k] < 0.0)
                .min_by(|&a, &b| fitted.weights[a].total_cmp(&fitted.weights[b]));
            match worst {
                Some(k) => active[k] = false,
                None => return fitted,
            }
        }
    }

    /// The fused log-odds of a pair; missing opinions (`None`, NaN) contribute nothing.
    pub fn score(&self, log_odds: &[Option<f64>]) -> f64 {
        let mut heard = false;
        let mut sum = self.bias;
        for (weight, x) in self.weights.iter().zip(log_odds) {
            if let Some(x) = x.filter(|x| !x.is_nan()) {
                heard = true;
                sum += weight * x;
            }
        }
        if heard { sum } else { 0.0 }
    }
}

struct Data<'a> {
    opinions: &'a [f64],
    same: &'a [bool],
    experts: usize,
}

/// Newton's method on the penalised log-likelihood; inactive experts keep weight 0.
fn newton(data: &Data<'_>, active: &[bool], options: &FusionOptions) -> Fusion {
    let columns: Vec<usize> = (0..data.experts).filter(|&k| active[k]).collect();
    let n = columns.len() + 1;
    let mut beta = vec![options.prior_weight; n];
    beta[0] = 0.0;
    let (weight_same, weight_other) = class_weights(data.same, options.balanced);
    let ridge = options.ridge.max(1e-9);
    for _ in 0..MAX_STEPS {
        let mut gradient = vec![0.0; n];
        let mut hessian = vec![0.0; n * n];
        for (i, pair) in data.opinions.chunks_exact(data.experts.max(1)).take(data.same.len()).enumerate() {
            let row: Vec<f64> = std::iter::once(1.0)
                .chain(columns.iter().map(|&k| if pair[k].is_finite() { pair[k] } else { 0.0 }))
                .collect();
            let z: f64 = row.iter().zip(&beta).map(|(x, b)| x * b).sum();
            let p = 1.0 / (1.0 + (-z).exp());
            let (target, weight) = if data.same[i] { (1.0, weight_same) } else { (0.0, weight_other) };
            let curvature = weight * (p * (1.0 - p)).max(1e-12);
            for a in 0..n {
                gradient[a] += weight * (target - p) * row[a];
                for b in 0..=a {
                    hessian[a * n + b] += curvature * row[a] * row[b];
                }
            }
        }
        for a in 0..n {
            // The bias is barely penalised: it only has to exist when there is no data.
            let (pull, centre) = if a == 0 { (1e-6, 0.0) } else { (ridge, options.prior_weight) };
            gradient[a] -= pull * (beta[a] - centre);
            hessian[a * n + a] += pull;
            for b in 0..a {
                hessian[b * n + a] = hessian[a * n + b];
            }
        }
        let Some(step) = solve_positive(&hessian, &gradient) else { break };
        // Capped steps keep Newton from overshooting when the classes are separable.
        let largest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        beta.iter_mut().zip(&step).for_each(|(b, s)| *b += scale * s);
        if largest < TOLERANCE {
            break;
        }
    }
    let mut weights = vec![0.0; data.experts];
    columns.iter().zip(&beta[1..]).for_each(|(&k, &w)| weights[k] = w);
    Fusion { bias: beta[0], weights }
}

/// Pair weights of the two classes; balanced ones sum to half of all pairs on each side.
fn class_weights(same: &[bool], balanced: bool) -> (f64, f64) {
    let yes = same.iter().filter(|&&s| s).count();
    let no = same.len() - yes;
    if !balanced || yes == 0 || no == 0 {
        return (1.0, 1.0);
    }
    let half = same.len() as f64 / 2.0;
    (half / yes as f64, half / no as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Log-odds of a signal, drawn so that naive Bayes is right for one expert: N(+2,2) against N(-2,2).
    fn draw(rng: &mut Rng, same: bool) -> f64 {
        let gauss: f64 = (0..12).map(|_| rng.next_f64()).sum::<f64>() - 6.0;
        (if same { 2.0 } else { -2.0 }) + 2.0 * gauss
    }

    #[test]
    fn a_copied_expert_shares_its_weight() {
        let mut rng = Rng::new(3);
        let (mut opinions, mut same) = (Vec::new(), Vec::new());
        for i in 0..4_000 {
            let truth = i % 2 == 0;
            let x = draw(&mut rng, truth);
            opinions.extend([x, x, draw(&mut rng, truth)]);
            same.push(truth);
        }
        let fused = Fusion::fit(&opinions, &same, 3, &FusionOptions::default());
        assert!((fused.weights[0] - fused.weights[1]).abs() < 1e-6);
        assert!((fused.weights[0] + fused.weights[1] - 1.0).abs() < 0.12, "{fused:?}");
        assert!((fused.weights[2] - 1.0).abs() < 0.12, "{fused:?}");
        assert!(fused.bias.abs() < 0.2);
    }

    #[test]
    fn balancing_removes_the_sampling_ratio() {
        let mut rng = Rng::new(4);
        let (mut opinions, mut same) = (Vec::new(), Vec::new());
        for i in 0..6_000 {
            let truth = i % 10 == 0;
            opinions.push(draw(&mut rng, truth));
            same.push(truth);
        }
        let balanced = Fusion::fit(&opinions, &same, 1, &FusionOptions::default());
        assert!(balanced.bias.abs() < 0.3, "{balanced:?}");
        let plain = FusionOptions { balanced: false, ..FusionOptions::default() };
        assert!(Fusion::fit(&opinions, &same, 1, &plain).bias < -1.5);
    }

    #[test]
    fn without_data_it_is_naive_bayes_and_perverse_experts_are_dropped() {
        let options = FusionOptions::default();
        assert_eq!(Fusion::fit(&[], &[], 2, &options), Fusion::naive(2));
        assert_eq!(Fusion::fit(&[], &[], 0, &options), Fusion::naive(0));
        let mut rng = Rng::new(5);
        let (mut opinions, mut same) = (Vec::new(), Vec::new());
        for i in 0..500 {
            let truth = i % 2 == 0;
            opinions.extend([draw(&mut rng, truth), -draw(&mut rng, truth)]);
            same.push(truth);
        }
        let fused = Fusion::fit(&opinions, &same, 2, &options);
        assert_eq!(fused.weights[1], 0.0);
        assert!(fused.weights[0] > 0.5);
    }

    #[test]
    fn missing_opinions_and_separable_classes() {
        let opinions = [5.0, f64::NAN, -5.0, f64::NAN, 4.0, 1.0, -4.0, -1.0];
        let fused = Fusion::fit(&opinions, &[true, false, true, false], 2, &FusionOptions::default());
        assert!(fused.weights.iter().all(|w| w.is_finite()));
        assert_eq!(fused.score(&[None, Some(f64::NAN)]), 0.0);
        assert_eq!(Fusion { bias: 0.5, weights: vec![2.0, 3.0] }.score(&[Some(1.0), None]), 2.5);
    }
}
