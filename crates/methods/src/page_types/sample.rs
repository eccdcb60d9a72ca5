//! Published methods that compare every pair run on a bounded sample; the rest of the pages follow the nearest.

use crate::kmedoids::kmedoids;
use rayon::prelude::*;
use unsite_learn::rng::Rng;

use unsite_discover::page_types::Options;

/// Pages that a quadratic method compares with each other. THOR's sites had 110, the Fourier paper's about 100.
pub(super) const PAIRWISE_PAGES: usize = 400;

/// The largest number of types that is tried where a method has to find it. The labelled sites have 3 to 14.
pub(super) const MAX_TYPES: usize = 16;

/// Below this mean silhouette a site is one type: what Kaufman and Rousseeuw call no substantial structure.
const MIN_SILHOUETTE: f64 = 0.25;

/// Random starts of k-medoids, as many as THOR's k-means has.
const RESTARTS: usize = 10;

/// Distances of all pairs of the sample.
pub(super) struct Distances {
    n: usize,
    rows: Vec<f64>,
}

impl Distances {
    /// All pairs of `n` items; the function is asked once for each with the lower item first.
    pub(super) fn new(n: usize, distance: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let upper: Vec<Vec<f64>> =
            (0..n).into_par_iter().map(|i| (i + 1..n).map(|j| distance(i, j)).collect()).collect();
        let mut rows = vec![0.0; n * n];
        for (i, row) in upper.iter().enumerate() {
            for (j, &d) in (i + 1..n).zip(row) {
                rows[i * n + j] = d;
                rows[j * n + i] = d;
            }
        }
        Distances { n, rows }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.rows[i * self.n + j]
    }

    /// Mean silhouette of a clustering: for each item `(b - a) / max(a, b)` with `a` the mean distance to its own
    /// cluster and `b` to the nearest other; 0 in a cluster of one (Rousseeuw 1987).
    fn silhouette(&self, labels: &[u32]) -> f64 {
        let clusters = labels.iter().max().map_or(0, |&c| c as usize + 1);
        let mut sizes = vec![0usize; clusters];
        labels.iter().for_each(|&c| sizes[c as usize] += 1);
        if clusters < 2 {
            return 0.0;
        }
        let of = |i: usize| {
            let own = labels[i] as usize;
            if sizes[own] < 2 {
                return 0.0;
            }
            let mut sums = vec![0.0; clusters];
            for (j, &c) in labels.iter().enumerate() {
                sums[c as usize] += self.get(i, j);
            }
            let a = sums[own] / (sizes[own] - 1) as f64;
            let others = (0..clusters).filter(|&c| c != own && sizes[c] > 0);
            let b = others.map(|c| sums[c] / sizes[c] as f64).fold(f64::INFINITY, f64::min);
            // Two equal distances of rounding size say nothing.
            if a.max(b) > 1e-12 { (b - a) / a.max(b) } else { 0.0 }
        };
        let each: Vec<f64> = (0..self.n).into_par_iter().map(of).collect();
        each.iter().sum::<f64>() / self.n.max(1) as f64
    }

    /// k-medoids into the number of types asked for, or into the best.
    pub(super) fn medoid_clusters(&self, options: &Options) -> Vec<u32> {
        self.best(options.k, |k| kmedoids(self.n, k, options.seed, RESTARTS, |i, j| self.get(i, j)))
    }

    /// The clustering into `k`, or into the number in `2..=MAX_TYPES` with the best silhouette; one cluster when none
    /// is good.
    fn best(&self, k: Option<usize>, group: impl Fn(usize) -> Vec<u32>) -> Vec<u32> {
        if let Some(k) = k {
            return group(k.max(1));
        }
        let mut best = (MIN_SILHOUETTE, vec![0; self.n]);
        for k in 2..=MAX_TYPES.min(self.n) {
            let labels = group(k);
            let silhouette = self.silhouette(&labels);
            if silhouette > best.0 + 1e-9 {
                best = (silhouette, labels);
            }
        }
        best.1
    }

    /// For each cluster the member with the least summed distance to the others.
    fn medoids(&self, labels: &[u32]) -> Vec<usize> {
        let clusters = labels.iter().max().map_or(0, |&c| c as usize + 1);
        let mut members = vec![Vec::new(); clusters];
        labels.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
        let cost = |i: usize, group: &[usize]| group.iter().map(|&j| self.get(i, j)).sum::<f64>();
        let central = |group: &Vec<usize>| {
            let costs = group.iter().map(|&i| (cost(i, group), i));
            costs.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).map_or(0, |x| x.1)
        };
        members.iter().map(central).collect()
    }
}

/// The pages that are compared: all of them, or `limit` drawn from the seed.
pub(super) fn sample(pages: usize, limit: usize, seed: u64) -> Vec<usize> {
    Rng::new(seed).sample(pages, limit)
}

/// Clusters the sample by k-medoids and gives every other page the label of the nearest medoid.
pub(super) fn cluster_by_distance<F: Send + Sync>(
    pages: usize,
    options: &Options,
    feature: impl Fn(usize) -> F + Sync,
    distance: impl Fn(&F, &F) -> f64 + Sync,
) -> Vec<usize> {
    let chosen = sample(pages, PAIRWISE_PAGES, options.seed);
    let features: Vec<F> = chosen.par_iter().map(|&page| feature(page)).collect();
    let distances = Distances::new(chosen.len(), |i, j| distance(&features[i], &features[j]));
    let labels = distances.medoid_clusters(options);
    let medoids = distances.medoids(&labels);
    let label = |page: usize| match chosen.binary_search(&page) {
        Ok(at) => labels[at] as usize,
        Err(_) => {
            let own = feature(page);
            nearest(medoids.iter().map(|&medoid| distance(&own, &features[medoid])))
        }
    };
    (0..pages).into_par_iter().map(label).collect()
}

/// The place of the smallest distance, the first among equals; 0 when there is none.
pub(super) fn nearest(distances: impl Iterator<Item = f64>) -> usize {
    distances.enumerate().min_by(|x, y| x.1.total_cmp(&y.1)).map_or(0, |x| x.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_groups_is_found_and_strangers_join_the_nearest() {
        let points: Vec<f64> = (0..900).map(|i| f64::from(i % 3) * 100.0 + f64::from(i % 7)).collect();
        let distance = |a: &f64, b: &f64| (a - b).abs();
        let labels = cluster_by_distance(points.len(), &Options::default(), |page| points[page], distance);
        assert!((0..900).all(|i| labels[i] == labels[i % 3]));
        assert_eq!(labels.iter().max(), Some(&2));
    }

    #[test]
    fn no_structure_is_one_group() {
        let distances = Distances::new(12, |_, _| 1.0);
        assert_eq!(distances.best(None, |k| (0..12).map(|i| i % k as u32).collect()), vec![0; 12]);
        assert_eq!(distances.silhouette(&[0; 12]), 0.0);
        assert!(Distances::new(0, |_, _| 0.0).best(None, |_| Vec::new()).is_empty());
    }
}
