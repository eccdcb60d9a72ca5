//! A solver for small symmetric positive definite systems.

/// Solves `A x = b` by Cholesky decomposition; `None` when `A` (row-major, n x n) is not positive definite.
pub(crate) fn solve_positive(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let rest = a[i * n + j] - known;
            if i == j {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                l[i * n + i] = rest.sqrt();
            } else {
                l[i * n + j] = rest / l[j * n + j];
            }
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        let known: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
        x[i] = (x[i] - known) / l[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
        x[i] = (x[i] - known) / l[i * n + i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::solve_positive;

    #[test]
    fn solves_and_refuses() {
        let x = solve_positive(&[4.0, 2.0, 2.0, 3.0], &[10.0, 8.0]).unwrap();
        assert!((x[0] - 1.75).abs() < 1e-12 && (x[1] - 1.5).abs() < 1e-12);
        assert_eq!(solve_positive(&[1.0, 2.0, 2.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(solve_positive(&[], &[]), Some(vec![]));
    }
}
