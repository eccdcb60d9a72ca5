//! How probable are the hints under a clustering, and which clustering makes them most probable?

/// Chance that a hint is noise. "Small" in the print; our choice.
pub(super) const NOISE: f64 = 0.01;

/// Sizes of clusters and the hints inside and outside of them: all that the probability of the hints depends on.
///
/// `P(h | C) = eps / N_all + (1 - eps) [both ends in cluster c] / (N_C * pairs(c))`, multiplied over the hints.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    eps: f64,
    /// `N_all`: all pairs of samples.
    all_pairs: f64,
    /// For each cluster its members and the hints inside.
    clusters: Vec<(u32, u32)>,
    /// Hints whose both ends are placed.
    placed: u32,
}

/// What would happen to a sample that is placed next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It opens a cluster.
    New,
    /// It joins this cluster, with this many hints to its members.
    In(usize, u32),
}

impl Tally {
    pub(super) fn new(samples: usize, eps: f64) -> Self {
        let n = samples as f64;
        Tally { eps, all_pairs: n * (n - 1.0) / 2.0, clusters: Vec::new(), placed: 0 }
    }

    /// The logarithm of the hints' probability when a sample with `hints` hints to placed ones goes to `place`.
    pub(super) fn log_probability_with(&self, place: Place, hints: u32) -> f64 {
        let mut count = self.clusters.len();
        let (mut inside, mut sum) = (0, 0.0);
        count += usize::from(place == Place::New);
        for (number, &(size, own)) in self.clusters.iter().enumerate() {
            let (size, own) = match place {
                Place::In(joined, more) if joined == number => (size + 1, own + more),
                _ => (size, own),
            };
            if own > 0 {
                let pairs = f64::from(size) * (f64::from(size) - 1.0) / 2.0;
                let chance = self.eps / self.all_pairs + (1.0 - self.eps) / (count as f64 * pairs);
                sum += f64::from(own) * chance.ln();
                inside += own;
            }
        }
        let outside = self.placed + hints - inside;
        if outside > 0 { sum + f64::from(outside) * (self.eps / self.all_pairs).ln() } else { sum }
    }

    /// Places a sample; returns the number of its cluster.
    pub(super) fn place(&mut self, place: Place, hints: u32) -> usize {
        self.placed += hints;
        match place {
            Place::New => {
                self.clusters.push((1, 0));
                self.clusters.len() - 1
            }
            Place::In(cluster, inside) => {
                self.clusters[cluster].0 += 1;
                self.clusters[cluster].1 += inside;
                cluster
            }
        }
    }

    /// The best place for a sample among a new cluster and those that it has hints to; a new one among equals.
    pub(super) fn best_place(&self, candidates: &[(usize, u32)], hints: u32) -> (Place, f64) {
        let mut best = (Place::New, self.log_probability_with(Place::New, hints));
        for &(cluster, inside) in candidates {
            let place = Place::In(cluster, inside);
            let reached = self.log_probability_with(place, hints);
            if reached > best.1 + 1e-9 {
                best = (place, reached);
            }
        }
        best
    }
}

/// For each sample the earlier samples that hints connect it to, repeated for repeated hints.
#[derive(Debug, Clone, Default)]
pub(super) struct Hints {
    earlier: Vec<Vec<u32>>,
}

impl Hints {
    pub(super) fn new(samples: usize) -> Self {
        Hints { earlier: vec![Vec::new(); samples] }
    }

    pub(super) fn add(&mut self, a: usize, b: usize) {
        if a != b {
            self.earlier[a.max(b)].push(a.min(b) as u32);
        }
    }

    /// How many hints lead to earlier samples, and to which of their clusters; samples labelled `None` are not placed.
    pub(super) fn of(&self, sample: usize, labels: &[Option<usize>]) -> (u32, Vec<(usize, u32)>) {
        let mut clusters: Vec<usize> =
            self.earlier[sample].iter().filter_map(|&other| labels[other as usize]).collect();
        clusters.sort_unstable();
        let counted = clusters.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        (clusters.len() as u32, counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_learn::partitions::partitions;

    /// Leader-follower over the samples in order, as CHEX does for one kind of samples.
    fn leader_follower(samples: usize, hints: &Hints, eps: f64) -> Vec<usize> {
        let mut tally = Tally::new(samples, eps);
        let mut labels: Vec<Option<usize>> = vec![None; samples];
        for sample in 0..samples {
            let (count, candidates) = hints.of(sample, &labels);
            let (place, _) = tally.best_place(&candidates, count);
            labels[sample] = Some(tally.place(place, count));
        }
        labels.into_iter().flatten().collect()
    }

    fn hints(samples: usize, pairs: &[(usize, usize)]) -> Hints {
        let mut hints = Hints::new(samples);
        pairs.iter().for_each(|&(a, b)| hints.add(a, b));
        hints
    }

    /// `P(H | C)` of a whole clustering, given as labels numbered by first appearance.
    fn probability(labels: &[usize], hints: &Hints, eps: f64) -> f64 {
        let mut tally = Tally::new(labels.len(), eps);
        let mut placed: Vec<Option<usize>> = vec![None; labels.len()];
        let mut last = 0.0;
        for (sample, &label) in labels.iter().enumerate() {
            let (count, candidates) = hints.of(sample, &placed);
            let inside = candidates.iter().find(|c| c.0 == label).map_or(0, |c| c.1);
            let place = if label == tally.clusters.len() { Place::New } else { Place::In(label, inside) };
            last = tally.log_probability_with(place, count);
            placed[sample] = Some(tally.place(place, count));
        }
        last.exp()
    }

    #[test]
    fn golden_table_of_three_samples() {
        let ab = hints(3, &[(0, 1)]);
        let clusterings = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]];
        let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-9, "{got} is not {want}");
        for (labels, want) in clusterings.iter().zip([1.0 / 3.0, 0.5, 0.0, 0.0, 0.0]) {
            close(probability(labels, &ab, 0.0), want);
        }
        let thirtieth = 1.0 / 30.0;
        for (labels, want) in
            clusterings.iter().zip([1.0 / 3.0, 29.0 / 60.0, thirtieth, thirtieth, thirtieth])
        {
            close(probability(labels, &ab, 0.1), want);
        }
    }

    /// All clusterings from the most probable down.
    fn ranked(samples: usize, hints: &Hints) -> Vec<(f64, Vec<usize>)> {
        let mut all: Vec<(f64, Vec<usize>)> = partitions(samples)
            .map(|labels| {
                let labels: Vec<usize> = labels.iter().map(|&label| label as usize).collect();
                (probability(&labels, hints, 0.01), labels)
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }

    #[test]
    fn golden_probabilities_of_several_hints() {
        let close = |got: f64, want: f64| assert!((got / want - 1.0).abs() < 1e-6, "{got} is not {want}");
        let chain = hints(3, &[(0, 1), (1, 2)]);
        let best = ranked(3, &chain);
        assert_eq!(best[0].1, [0, 0, 0]);
        close(best[0].0, 0.111_111_1);
        close(best[1].0, 1.661_111e-3);
        close(best[2].0, 1.661_111e-3);
        let two = hints(4, &[(0, 1), (0, 1), (0, 1), (2, 3), (2, 3), (1, 2)]);
        let best = ranked(4, &two);
        assert_eq!((best[0].1.as_slice(), best[1].1.as_slice()), (&[0, 0, 1, 1][..], &[0, 0, 0, 0][..]));
        close(best[0].0, 5.037_022e-5);
        close(best[1].0, 2.143_347e-5);
    }

    #[test]
    fn leader_follower_finds_the_best_of_the_golden_cases() {
        assert_eq!(leader_follower(3, &hints(3, &[(0, 1), (1, 2)]), NOISE), [0, 0, 0]);
        let two = hints(4, &[(0, 1), (0, 1), (0, 1), (2, 3), (2, 3), (1, 2)]);
        // Document order: sample 2 comes before its stronger hints to 3 are known, and joins its only neighbour.
        assert_eq!(leader_follower(4, &two, NOISE)[..2], [0, 0]);
        assert_eq!(leader_follower(3, &Hints::new(3), NOISE), [0, 1, 2]);
        assert!(leader_follower(0, &Hints::new(0), NOISE).is_empty());
    }
}
