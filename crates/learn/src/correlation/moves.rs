//! Moves of single items between clusters.

use super::{MAX_ROUNDS, NOISE, PairScores};
use rustc_hash::FxHashMap;

impl PairScores {
    /// One or more sweeps of single-item moves, each to the best of the neighbouring clusters.
    pub(super) fn move_items(&self, adjacency: &Adjacency, labels: &[u32]) -> Vec<u32> {
        let mut labels = labels.to_vec();
        let mut size: Vec<f64> = vec![0.0; self.items];
        labels.iter().for_each(|&c| size[c as usize] += 1.0);
        let mut free: Vec<u32> = (0..self.items as u32).rev().filter(|&c| size[c as usize] == 0.0).collect();
        let mut sums: FxHashMap<u32, (f64, f64)> = FxHashMap::default();
        for _ in 0..MAX_ROUNDS {
            let mut moves = 0;
            for item in 0..self.items {
                sums.clear();
                for &(other, score) in adjacency.of_item(item) {
                    let entry = sums.entry(labels[other as usize]).or_default();
                    entry.0 += score;
                    entry.1 += 1.0;
                }
                let own = labels[item];
                let gain = |cluster: u32, (sum, scored): (f64, f64)| {
                    let others = size[cluster as usize] - f64::from(u8::from(cluster == own));
                    sum + self.missing * (others - scored)
                };
                let stay = gain(own, sums.get(&own).copied().unwrap_or_default());
                let alone = (0.0, u32::MAX);
                let best = sums
                    .iter()
                    .filter(|(c, _)| **c != own)
                    .map(|(&c, &s)| (gain(c, s), c))
                    .chain([alone])
                    .max_by(|x, y| x.0.total_cmp(&y.0).then(y.1.cmp(&x.1)))
                    .unwrap_or(alone);
                if best.0 <= stay + NOISE {
                    continue;
                }
                let target = if best.1 == u32::MAX { free.pop().unwrap_or(own) } else { best.1 };
                size[own as usize] -= 1.0;
                if size[own as usize] == 0.0 {
                    free.push(own);
                }
                size[target as usize] += 1.0;
                labels[item] = target;
                moves += 1;
            }
            if moves == 0 {
                break;
            }
        }
        labels
    }
}

/// Neighbours of each item with their scores, in one array.
pub(super) struct Adjacency {
    start: Vec<usize>,
    neighbours: Vec<(u32, f64)>,
}

impl Adjacency {
    pub(super) fn of(scores: &PairScores) -> Self {
        let mut start = vec![0usize; scores.items + 1];
        for &(a, b, _) in &scores.pairs {
            start[a as usize + 1] += 1;
            start[b as usize + 1] += 1;
        }
        for i in 0..scores.items {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut neighbours = vec![(0, 0.0); scores.pairs.len() * 2];
        for &(a, b, score) in &scores.pairs {
            for (from, to) in [(a, b), (b, a)] {
                neighbours[fill[from as usize]] = (to, score);
                fill[from as usize] += 1;
            }
        }
        Adjacency { start, neighbours }
    }

    fn of_item(&self, item: usize) -> &[(u32, f64)] {
        &self.neighbours[self.start[item]..self.start[item + 1]]
    }
}
