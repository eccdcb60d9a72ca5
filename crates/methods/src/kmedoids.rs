//! k-medoids: k-means for things that have a distance but no mean, such as URLs and page sizes.

use rayon::prelude::*;
use unsite_learn::correlation::renumber;
use unsite_learn::rng::Rng;

/// Most rounds in one start: a safety limit, since the cost falls in every round.
const MAX_ROUNDS: usize = 100;

/// Clusters `n` items by a distance into at most `k` groups, labels numbered by first item.
///
/// # What it does
/// `restarts` random starts; each assigns every item to its nearest medoid (ties to the first) and takes as new medoid the
/// member with the least summed distance, until nothing changes. The start with the least total distance is kept.
/// # Assumes
/// A symmetric distance, and a sample: it computes all `n^2` distances once.
/// # When it fails
/// Like k-means it lumps clusters of very different size.
/// # Paper
/// Kaufman and Rousseeuw 1990; used for the URL and size baselines of THOR.
pub fn kmedoids(
    n: usize,
    k: usize,
    seed: u64,
    restarts: usize,
    distance: impl Fn(usize, usize) -> f64 + Sync,
) -> Vec<u32> {
    if n == 0 {
        return Vec::new();
    }
    let k = k.clamp(1, n);
    let rows: Vec<Vec<f64>> = (0..n)
        .into_par_iter()
        .map(|i| (0..n).map(|j| if i == j { 0.0 } else { distance(i, j) }).collect())
        .collect();
    let base = Rng::new(seed);
    let runs: Vec<(f64, Vec<u32>)> =
        (0..restarts.max(1) as u64).into_par_iter().map(|r| run(&rows, k, base.fork(r))).collect();
    let best = runs.into_iter().reduce(|best, run| if run.0 < best.0 - 1e-12 { run } else { best });
    renumber(&best.map(|b| b.1).unwrap_or_default())
}

fn run(rows: &[Vec<f64>], k: usize, mut rng: Rng) -> (f64, Vec<u32>) {
    let mut medoids = rng.sample(rows.len(), k);
    let mut labels = Vec::new();
    for _ in 0..MAX_ROUNDS {
        labels = rows.iter().map(|row| nearest(row, &medoids)).collect();
        let mut members = vec![Vec::new(); k];
        labels.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
        let next: Vec<usize> =
            members.iter().zip(&medoids).map(|(group, &old)| central(rows, group).unwrap_or(old)).collect();
        if next == medoids {
            break;
        }
        medoids = next;
    }
    let cost = rows.iter().zip(&labels).map(|(row, &c)| row[medoids[c as usize]]).sum();
    (cost, labels)
}

fn nearest(row: &[f64], medoids: &[usize]) -> u32 {
    let best = (0..medoids.len()).min_by(|&a, &b| row[medoids[a]].total_cmp(&row[medoids[b]]));
    best.unwrap_or(0) as u32
}

fn central(rows: &[Vec<f64>], group: &[usize]) -> Option<usize> {
    let cost = |i: usize| group.iter().map(|&j| rows[i][j]).sum::<f64>();
    group.iter().map(|&i| (cost(i), i)).min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).map(|x| x.1)
}

#[cfg(test)]
mod tests {
    use super::kmedoids;

    #[test]
    fn page_sizes_fall_into_groups() {
        let sizes = [100.0f64, 5_000.0, 110.0, 5_100.0, 90.0, 20_000.0];
        let labels = kmedoids(6, 3, 1, 10, |i, j| (sizes[i] - sizes[j]).abs());
        assert_eq!(labels, [0, 1, 0, 1, 0, 2]);
        assert!(kmedoids(0, 3, 1, 10, |_, _| 0.0).is_empty());
        assert_eq!(kmedoids(3, 9, 1, 10, |_, _| 1.0), [0, 1, 2]);
        assert_eq!(kmedoids(3, 2, 1, 10, |_, _| f64::NAN).len(), 3);
    }
}
