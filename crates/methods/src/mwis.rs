//! Independent items of a ranked list: the greedy maximum weighted independent set.

/// Walks a ranking top-down and keeps an item when it is independent of all kept before; returns the kept positions.
///
/// # What it does
/// The item at position `r` weighs `lambda^r`. For `lambda <= 0.5` an item outweighs everything behind it, so taking the best
/// remaining one and deleting its neighbours is optimal, and the weights never need to be computed.
/// # Assumes
/// `dependent(i, j)` is symmetric; it is asked with `i < j`.
/// # When it fails
/// For `lambda` above 0.5 several later items may outweigh a kept one.
/// # Paper
/// KeyClus, independent key paths.
pub fn independent(items: usize, mut dependent: impl FnMut(usize, usize) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for item in 0..items {
        if !kept.iter().any(|&earlier| dependent(earlier, item)) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::independent;
    use unsite_learn::rng::Rng;

    const NODES: usize = 8;

    fn weight(set: u32, lambda: f64) -> f64 {
        (0..NODES).filter(|&i| set >> i & 1 == 1).map(|i| lambda.powi(i as i32 + 1)).sum()
    }

    /// How often greedy misses the best of all 256 sets, over 400 random graphs.
    fn misses(lambda: f64) -> usize {
        let mut rng = Rng::new(17);
        (0..400)
            .filter(|_| {
                let density = rng.next_f64();
                let mut neighbours = [0u32; NODES];
                for i in 0..NODES {
                    for j in 0..i {
                        if rng.chance(density) {
                            neighbours[i] |= 1 << j;
                            neighbours[j] |= 1 << i;
                        }
                    }
                }
                let free = |set: &u32| (0..NODES).all(|i| set >> i & 1 == 0 || set & neighbours[i] == 0);
                let best = (0..1u32 << NODES).filter(free).map(|s| weight(s, lambda)).fold(0.0, f64::max);
                let greedy = independent(NODES, |i, j| neighbours[i] >> j & 1 == 1);
                let found: u32 = greedy.iter().map(|&i| 1 << i).sum();
                weight(found, lambda) < best - 1e-12
            })
            .count()
    }

    #[test]
    fn greedy_is_optimal_up_to_one_half_and_not_beyond() {
        assert_eq!(misses(0.3), 0);
        assert_eq!(misses(0.5), 0);
        assert!(misses(0.6) > 0);
        assert!(misses(0.9) > misses(0.7) && misses(0.7) > misses(0.6));
    }

    #[test]
    fn keyclus_golden_selection() {
        // R_F = A B D C N; A, B, C depend on each other, and so do D and N.
        let group = [0, 0, 1, 0, 1];
        assert_eq!(independent(5, |i, j| group[i] == group[j]), [0, 2]);
        assert!(independent(0, |_, _| true).is_empty());
    }
}
