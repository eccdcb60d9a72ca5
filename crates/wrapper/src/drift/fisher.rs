//! Fisher's exact test.

/// How probable it is that two samples of one population differ in a share at least as much as these do: `a` of `m` in one,
/// `b` of `n` in the other. Two-sided by doubling the smaller tail; exact for small samples, 1 for empty ones.
pub fn fisher_exact(a: u32, m: u32, b: u32, n: u32) -> f64 {
    if m == 0 || n == 0 {
        return 1.0;
    }
    let (a, m, b, n) = (f64::from(a.min(m)), f64::from(m), f64::from(b.min(n)), f64::from(n));
    let with = a + b;
    // P(x of the first sample have it | x + y = with), hypergeometric.
    let log = |x: f64| choose(m, x) + choose(n, with - x) - choose(m + n, with);
    let (least, most) = ((with - n).max(0.0), with.min(m));
    let tail = |step: f64, end: f64| {
        let (mut x, mut sum) = (a, 0.0);
        loop {
            let term = log(x).exp();
            sum += term;
            if x == end || term < sum * 1e-12 {
                return sum;
            }
            x += step;
        }
    };
    let lower = tail(-1.0, least);
    let upper = tail(1.0, most);
    (2.0 * lower.min(upper)).min(1.0)
}

/// `ln (n over k)`.
fn choose(n: f64, k: f64) -> f64 {
    log_factorial(n) - log_factorial(k) - log_factorial(n - k)
}

/// `ln n!`: the product for small numbers, Stirling's series beyond, whose error is then below 1e-12.
fn log_factorial(n: f64) -> f64 {
    if n < 20.0 {
        return (2..=n.max(0.0) as u32).map(|k| f64::from(k).ln()).sum();
    }
    let x = n + 1.0;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lady_tasting_tea() {
        // 3 of 4 against 1 of 4: the one-sided tail is 17/70.
        assert!((fisher_exact(3, 4, 1, 4) - 2.0 * 17.0 / 70.0).abs() < 1e-12);
        assert!((fisher_exact(4, 4, 0, 4) - 2.0 / 70.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_and_much() {
        assert_eq!(fisher_exact(0, 0, 3, 4), 1.0);
        assert_eq!(fisher_exact(5, 10, 5, 10), 1.0);
        assert!(fisher_exact(50, 50, 0, 10) < 1e-9);
        assert!(fisher_exact(500_000, 1_000_000, 500_300, 1_000_000) > 0.1);
        assert!(fisher_exact(900_000, 1_000_000, 100_000, 1_000_000) < 1e-300);
    }
}
