//! Spherical k-means over sparse vectors, with restarts and an automatic number of clusters.

use rayon::prelude::*;
use unsite_learn::rng::Rng;
use unsite_learn::tfidf::SparseVec;

/// What the restarts compete for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// Mean cosine to the own centroid.
    MeanCos,
    /// THOR's printed formula, in which size enters twice; prefers lumped clusters.
    ThorLiteral,
}

/// How the first centres are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Distinct random items, as THOR does. With many clusters a start rarely meets each of them once.
    Random,
    /// Each next centre with a chance proportional to its distance (1 - cosine) from the nearest one so far
    /// (k-means++, Arthur and Vassilvitskii 2007; for unit vectors 1 - cosine is half the squared distance).
    Spread,
}

/// How to run k-means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Seed of the random starts.
    pub seed: u64,
    /// Independent starts, the best one is kept (THOR: 10).
    pub restarts: usize,
    /// Upper limit of assignment rounds in one start.
    pub max_rounds: usize,
    /// How the first centres are drawn.
    pub start: Start,
    /// What the starts compete for.
    pub selection: Selection,
    /// [`auto`] answers one cluster when no split reaches this simplified silhouette. Kaufman and Rousseeuw call
    /// structure below 0.5 weak; not yet calibrated on labelled sites.
    pub min_silhouette: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 0,
            restarts: 10,
            max_rounds: 100,
            start: Start::Spread,
            selection: Selection::MeanCos,
            min_silhouette: 0.5,
        }
    }
}

/// A clustering and how good its parts look from inside.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeans {
    /// Cluster of each item, dense, numbered by first item.
    pub labels: Vec<u32>,
    /// Number of clusters.
    pub k: usize,
    /// The value that the restarts competed for.
    pub score: f64,
    /// Mean simplified silhouette; 0 for one cluster.
    pub silhouette: f64,
}

/// Clusters the vectors into at most `k` groups.
///
/// # What it does
/// Centres start as `k` items drawn by [`Options::start`]; every item goes to the centre with the highest cosine (ties to the lowest
/// cluster); a centre is the arithmetic mean of its normalised members; an empty cluster is seeded with the item least
/// similar to its own centre; until no item changes or `max_rounds`. Of all restarts the one with the highest internal
/// similarity is kept, the first among equals. Time is linear in the non-zero weights. The threads share the restarts
/// and cannot change the result.
/// # Assumes
/// Directions matter, lengths do not. A zero vector is similar to nothing and lands in the first cluster.
/// # When it fails
/// Clusters of very different size are cut or lumped; a bad `k` refines or merges clusters.
/// # Paper
/// THOR (Caverlee, Liu, Buttler 2004), page clustering.
pub fn kmeans(vectors: &[SparseVec], k: usize, options: &Options) -> KMeans {
    Problem::new(vectors).best(k, options)
}

/// [`kmeans`] with `k` in `1..=k_max` chosen by the simplified silhouette.
///
/// For each item `a` is the distance (1 - cosine) to its own centroid and `b` to the next best one; the item scores
/// `(b - a) / max(a, b)`, 0 in a cluster of one. This needs `n * k` cosines, where the full silhouette needs `n^2`. The
/// highest mean wins, the smaller `k` among equals; below [`Options::min_silhouette`] everything is one cluster.
pub fn auto(vectors: &[SparseVec], k_max: usize, options: &Options) -> KMeans {
    let problem = Problem::new(vectors);
    let mut best: Option<KMeans> = None;
    for k in 2..=k_max.min(vectors.len()) {
        let found = problem.best(k, options);
        if found.k == k && best.as_ref().is_none_or(|b| found.silhouette > b.silhouette + 1e-9) {
            best = Some(found);
        }
    }
    match best {
        Some(found) if found.silhouette >= options.min_silhouette => found,
        _ => problem.best(1, options),
    }
}

/// The vectors with unit length and dimensions numbered without gaps.
struct Problem {
    vectors: Vec<Vec<(u32, f64)>>,
    dimensions: usize,
}

struct Run {
    labels: Vec<u32>,
    centres: Vec<Centre>,
    score: f64,
}

struct Centre {
    mean: Vec<f64>,
    length: f64,
}

impl Problem {
    fn new(vectors: &[SparseVec]) -> Self {
        let mut used: Vec<u32> = vectors.iter().flat_map(|v| v.entries().iter().map(|e| e.0)).collect();
        used.sort_unstable();
        used.dedup();
        let unit = |vector: &SparseVec| {
            let mut vector = vector.clone();
            vector.normalise();
            let place = |d: u32| used.binary_search(&d).unwrap_or(0) as u32;
            vector.entries().iter().map(|&(d, w)| (place(d), w)).collect()
        };
        Problem { vectors: vectors.iter().map(unit).collect(), dimensions: used.len() }
    }

    fn best(&self, k: usize, options: &Options) -> KMeans {
        let n = self.vectors.len();
        let k = k.clamp(1, n.max(1));
        // One cluster has one answer.
        let restarts = if k == 1 { 1 } else { options.restarts.max(1) };
        let base = Rng::new(options.seed).fork(k as u64);
        let runs: Vec<Run> =
            (0..restarts as u64).into_par_iter().map(|r| self.run(k, base.fork(r), options)).collect();
        let mut best: Option<Run> = None;
        for run in runs {
            if best.as_ref().is_none_or(|b| run.score > b.score + 1e-12) {
                best = Some(run);
            }
        }
        let Some(run) = best else {
            return KMeans { labels: Vec::new(), k: 0, score: 0.0, silhouette: 0.0 };
        };
        let silhouette = self.simplified_silhouette(&run);
        let labels = unsite_learn::correlation::renumber(&run.labels);
        let k = labels.iter().max().map_or(0, |m| *m as usize + 1);
        KMeans { labels, k, score: run.score, silhouette }
    }

    fn run(&self, k: usize, mut rng: Rng, options: &Options) -> Run {
        let n = self.vectors.len();
        let starts = match options.start {
            Start::Random => {
                let mut starts = rng.sample(n, k);
                rng.shuffle(&mut starts);
                starts
            }
            Start::Spread => self.spread_start(k, &mut rng),
        };
        let mut centres: Vec<Centre> = starts.iter().map(|&i| self.mean(std::iter::once(i))).collect();
        let mut labels = vec![u32::MAX; n];
        for _ in 0..options.max_rounds.max(1) {
            let mut next: Vec<u32> = (0..n).map(|i| self.nearest(i, &centres)).collect();
            self.fill_empty(&mut next, &centres);
            if next == labels {
                break;
            }
            labels = next;
            centres = self.centres(&labels, k);
        }
        let score = self.internal_similarity(&labels, &centres, options.selection);
        Run { labels, centres, score }
    }

    fn spread_start(&self, k: usize, rng: &mut Rng) -> Vec<usize> {
        let n = self.vectors.len();
        let mut starts = rng.sample(n, 1);
        let mut distance = vec![f64::INFINITY; n];
        while let (Some(&last), true) = (starts.last(), starts.len() < k) {
            let centre = self.mean(std::iter::once(last));
            for (i, d) in distance.iter_mut().enumerate() {
                *d = d.min((1.0 - self.cosine(i, &centre)).max(0.0));
            }
            distance[last] = 0.0;
            let mut left = rng.next_f64() * distance.iter().sum::<f64>();
            let chosen = distance.iter().position(|&d| {
                left -= d;
                left < 0.0
            });
            // Nothing is at a distance any more: take any item that is not a centre yet.
            let next = chosen.or_else(|| (0..n).find(|i| !starts.contains(i)));
            starts.extend(next);
        }
        starts
    }

    fn centres(&self, labels: &[u32], k: usize) -> Vec<Centre> {
        let mut members = vec![Vec::new(); k];
        labels.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
        members.into_iter().map(|m| self.mean(m.into_iter())).collect()
    }

    fn mean(&self, members: impl Iterator<Item = usize>) -> Centre {
        let mut mean = vec![0.0; self.dimensions];
        let mut n = 0usize;
        for i in members {
            self.vectors[i].iter().for_each(|&(d, w)| mean[d as usize] += w);
            n += 1;
        }
        mean.iter_mut().for_each(|x| *x /= n.max(1) as f64);
        let length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
        Centre { mean, length }
    }

    fn cosine(&self, item: usize, centre: &Centre) -> f64 {
        if centre.length == 0.0 {
            return 0.0;
        }
        self.vectors[item].iter().map(|&(d, w)| w * centre.mean[d as usize]).sum::<f64>() / centre.length
    }

    fn nearest(&self, item: usize, centres: &[Centre]) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (c, centre) in centres.iter().enumerate() {
            let cosine = self.cosine(item, centre);
            if cosine > best.1 {
                best = (c as u32, cosine);
            }
        }
        best.0
    }

    /// Gives every empty cluster the item that is least similar to its own centre, from a cluster that keeps others.
    fn fill_empty(&self, labels: &mut [u32], centres: &[Centre]) {
        let mut sizes = vec![0usize; centres.len()];
        labels.iter().for_each(|&c| sizes[c as usize] += 1);
        for empty in 0..centres.len() {
            if sizes[empty] > 0 {
                continue;
            }
            let worst = (0..labels.len())
                .filter(|&i| sizes[labels[i] as usize] > 1)
                .map(|i| (self.cosine(i, &centres[labels[i] as usize]), i))
                // An item that equals its centre has no reason to leave.
                .filter(|x| x.0 < 1.0 - 1e-12)
                .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            if let Some((_, item)) = worst {
                sizes[labels[item] as usize] -= 1;
                sizes[empty] += 1;
                labels[item] = empty as u32;
            }
        }
    }

    fn internal_similarity(&self, labels: &[u32], centres: &[Centre], selection: Selection) -> f64 {
        let n = labels.len().max(1) as f64;
        let mut size = vec![0.0; centres.len()];
        let mut cosines = vec![0.0; centres.len()];
        for (i, &c) in labels.iter().enumerate() {
            size[c as usize] += 1.0;
            cosines[c as usize] += self.cosine(i, &centres[c as usize]);
        }
        let part = |(s, cos): (&f64, &f64)| match selection {
            Selection::MeanCos => cos / n,
            Selection::ThorLiteral => s / n * cos,
        };
        size.iter().zip(&cosines).map(part).sum()
    }

    fn simplified_silhouette(&self, run: &Run) -> f64 {
        let mut sizes = vec![0usize; run.centres.len()];
        run.labels.iter().for_each(|&c| sizes[c as usize] += 1);
        if sizes.iter().filter(|&&s| s > 0).count() < 2 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (i, &own) in run.labels.iter().enumerate().filter(|(_, c)| sizes[**c as usize] > 1) {
            let a = (1.0 - self.cosine(i, &run.centres[own as usize])).max(0.0);
            let b = (0..run.centres.len())
                .filter(|&c| c != own as usize && sizes[c] > 0)
                .map(|c| (1.0 - self.cosine(i, &run.centres[c])).max(0.0))
                .fold(f64::INFINITY, f64::min);
            // Two equal distances of rounding size say nothing.
            if a.max(b) > 1e-12 {
                sum += (b - a) / a.max(b);
            }
        }
        sum / run.labels.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal_similarity::mean_cos;
    use crate::internal_similarity::tests::golden_pages;
    use unsite_learn::measures::clustering::adjusted_rand;
    use unsite_learn::tfidf::tfidf;

    /// Pages of `kinds` templates with noisy tag counts.
    fn site(kinds: u32, pages: usize, seed: u64) -> (Vec<SparseVec>, Vec<u32>) {
        let mut rng = Rng::new(seed);
        let mut counts = Vec::new();
        let mut truth = Vec::new();
        for _ in 0..pages {
            let kind = rng.below(kinds as usize) as u32;
            let mut tags: Vec<(u32, f64)> = (0..5).map(|t| (t, 3.0 + rng.below(4) as f64)).collect();
            tags.extend((0..6).map(|t| (100 + kind * 6 + t, 2.0 + rng.below(6) as f64)));
            counts.push(SparseVec::new(tags));
            truth.push(kind);
        }
        (tfidf(&counts), truth)
    }

    #[test]
    fn the_golden_pages_fall_into_pairs() {
        let found = kmeans(&golden_pages(), 2, &Options::default());
        assert_eq!(found.labels, [0, 0, 1, 1]);
        assert!((found.score - 0.949714).abs() < 1e-6);
        let random = Options { start: Start::Random, ..Options::default() };
        assert_eq!(kmeans(&golden_pages(), 2, &random).labels, [0, 0, 1, 1]);
        let literal = Options { selection: Selection::ThorLiteral, ..Options::default() };
        assert!(kmeans(&golden_pages(), 2, &literal).score >= 1.899428 - 1e-6);
        let three = kmeans(&golden_pages(), 3, &Options::default());
        assert_eq!(three.labels, [0, 0, 1, 2]);
        assert!((three.score - mean_cos(&golden_pages(), &three.labels)).abs() < 1e-9);
    }

    #[test]
    fn finds_the_number_of_templates() {
        for kinds in [2, 3, 5, 8] {
            let (vectors, truth) = site(kinds, 150, u64::from(kinds));
            let found = auto(&vectors, 12, &Options::default());
            assert_eq!(found.k, kinds as usize);
            assert_eq!(adjusted_rand(&found.labels, &truth), 1.0);
        }
        let (one, _) = site(1, 60, 9);
        assert_eq!(auto(&one, 8, &Options::default()).k, 1);
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let (vectors, _) = site(4, 80, 3);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| kmeans(&vectors, 4, &Options::default()))
        };
        assert_eq!(run(1), run(4));
    }

    #[test]
    fn degenerate_input() {
        let options = Options::default();
        assert_eq!(kmeans(&[], 3, &options).k, 0);
        assert_eq!(auto(&[], 3, &options).k, 0);
        let zero = SparseVec::default();
        assert_eq!(kmeans(&[zero.clone(), zero.clone()], 5, &options).labels.len(), 2);
        let same = vec![SparseVec::new(vec![(u32::MAX, 2.0)]); 9];
        assert_eq!(kmeans(&same, 3, &options).k, 1);
        assert_eq!(auto(&same, 5, &options).k, 1);
        assert_eq!(kmeans(&golden_pages(), 99, &options).k, 4);
        assert_eq!(kmeans(&golden_pages(), 0, &options).k, 1);
    }
}
