//! Greedy merging with a heap whose entries are renewed lazily.

use super::NOISE;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Clusters under greedy merging. A slot lives until it is poured into another one.
pub(super) struct Clusters {
    missing: f64,
    size: Vec<f64>,
    /// Lowest cluster number merged into the slot, for ties.
    lowest: Vec<u32>,
    parent: Vec<u32>,
    /// Per live slot: neighbour slot -> (sum of scores across, number of scored pairs across).
    across: Vec<FxHashMap<u32, (f64, f64)>>,
}

impl Clusters {
    pub(super) fn new(count: usize, missing: f64) -> Self {
        Clusters {
            missing,
            size: vec![0.0; count],
            lowest: (0..count as u32).collect(),
            parent: (0..count as u32).collect(),
            across: vec![FxHashMap::default(); count],
        }
    }

    /// Counts one more item in a cluster.
    pub(super) fn grow(&mut self, cluster: u32) {
        self.size[cluster as usize] += 1.0;
    }

    /// Records the score of a pair of items that lie in two different clusters.
    pub(super) fn add(&mut self, a: u32, b: u32, score: f64) {
        for (from, to) in [(a, b), (b, a)] {
            let entry = self.across[from as usize].entry(to).or_default();
            entry.0 += score;
            entry.1 += 1.0;
        }
    }

    /// The live slot that a slot was poured into; paths are halved so that long chains of merges cost little.
    pub(super) fn root(&mut self, mut slot: u32) -> u32 {
        while self.parent[slot as usize] != slot {
            let up = self.parent[slot as usize];
            self.parent[slot as usize] = self.parent[up as usize];
            slot = self.parent[slot as usize];
        }
        slot
    }

    fn candidate(&self, a: u32, b: u32) -> Option<Candidate> {
        let &(sum, scored) = self.across[a as usize].get(&b)?;
        let gain = sum + self.missing * (self.size[a as usize] * self.size[b as usize] - scored);
        let (x, y) = (self.lowest[a as usize], self.lowest[b as usize]);
        let (a, b) = if x < y { (a, b) } else { (b, a) };
        Some(Candidate { gain, low: x.min(y), high: x.max(y), a, b })
    }

    /// Merges the best pair of clusters until no merge gains anything.
    pub(super) fn merge_all(&mut self) {
        let mut initial = Vec::new();
        for a in 0..self.across.len() as u32 {
            let neighbours = self.across[a as usize].keys().filter(|b| **b > a);
            initial.extend(neighbours.filter_map(|&b| self.candidate(a, b)).filter(|c| c.gain > NOISE));
        }
        let mut heap = BinaryHeap::from(initial);
        while let Some(top) = heap.pop() {
            // Entries may be out of date. A dead slot has no neighbours any more; a gain that has risen was pushed
            // again when it rose; one that has fallen (unscored pairs cost) goes back to its place.
            let Some(current) = self.candidate(top.a, top.b) else { continue };
            match current.gain.total_cmp(&top.gain) {
                Ordering::Equal => self.merge(top.a, top.b, &mut heap),
                Ordering::Less if current.gain > NOISE => heap.push(current),
                _ => {}
            }
        }
    }

    fn merge(&mut self, a: u32, b: u32, heap: &mut BinaryHeap<Candidate>) {
        let bigger = self.across[a as usize].len() >= self.across[b as usize].len();
        let (keep, drop) = if bigger { (a, b) } else { (b, a) };
        let poured = std::mem::take(&mut self.across[drop as usize]);
        self.across[keep as usize].remove(&drop);
        self.parent[drop as usize] = keep;
        self.size[keep as usize] += self.size[drop as usize];
        self.lowest[keep as usize] = self.lowest[keep as usize].min(self.lowest[drop as usize]);
        for (other, (sum, scored)) in poured {
            if other == keep {
                continue;
            }
            self.across[other as usize].remove(&drop);
            for (from, to) in [(keep, other), (other, keep)] {
                let entry = self.across[from as usize].entry(to).or_default();
                entry.0 += sum;
                entry.1 += scored;
            }
            heap.extend(self.candidate(keep, other).filter(|c| c.gain > NOISE));
        }
    }
}

/// A possible merge: ordered by gain, then by lowest items.
struct Candidate {
    gain: f64,
    low: u32,
    high: u32,
    a: u32,
    b: u32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain
            .total_cmp(&other.gain)
            .then((other.low, other.high).cmp(&(self.low, self.high)))
            .then((other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
