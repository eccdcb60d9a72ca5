//! From summed log-odds to a partition.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::record::RecordIndex;

/// Cross pairs of two clusters that are scored before they are merged; of larger products an even sample is taken and
/// scaled up. Bounds the work of a merge.
const CROSS_PAIRS: usize = 1_024;
/// Log-odds that a user's decision counts for: more than any sum of scores.
pub(crate) const DECIDED: f64 = 1e9;

/// What people decided about pairs.
#[derive(Debug, Clone, Default)]
pub struct Decided {
    /// Pairs that are the same.
    pub same: Vec<(RecordIndex, RecordIndex)>,
    /// Pairs that are different.
    pub different: Vec<(RecordIndex, RecordIndex)>,
}

/// The log-odds that two records are the same.
pub type PairScore<'s> = dyn Fn(RecordIndex, RecordIndex) -> f32 + Sync + 's;

/// Merges records into clusters; the result numbers them in the order of their first records.
///
/// # What it does
/// Starts with singletons; merges the two clusters with the largest sum of cross log-odds; stops when the best sum is not
/// positive; ties go to the lowest records. The sum of two clusters includes the pairs that blocking did not propose: they
/// are scored when the clusters are about to be merged, all of them or an even sample. Components that no positive pair
/// connects are solved apart, in parallel.
/// # Assumes
/// `score` gives the log-odds that two records are the same.
/// # When it fails
/// Greedy: an early wrong merge of small clusters is not undone here.
/// # Paper
/// Gazen 2008, greedy agglomerative search for CONFHEX; correlation clustering of Bansal, Blum, Chawla 2004.
pub fn cluster(
    records: usize,
    pairs: &[(RecordIndex, RecordIndex)],
    scores: &[f32],
    decided: &Decided,
    score: &PairScore<'_>,
) -> Vec<u32> {
    let components = components(records, pairs, scores, decided);
    let mut work: Vec<(u32, RecordIndex, RecordIndex, f64)> = Vec::new();
    let mut put = |a: RecordIndex, b: RecordIndex, value: f64| {
        if components[a as usize] == components[b as usize] && a != b {
            work.push((components[a as usize], a.min(b), a.max(b), value));
        }
    };
    pairs.iter().zip(scores).for_each(|(&(a, b), &s)| put(a, b, f64::from(s)));
    decided.same.iter().for_each(|&(a, b)| put(a, b, DECIDED));
    decided.different.iter().for_each(|&(a, b)| put(a, b, -DECIDED));
    work.par_sort_by_key(|&(component, a, b, _)| (component, a, b));
    let pieces: Vec<&[(u32, RecordIndex, RecordIndex, f64)]> = work.chunk_by(|a, b| a.0 == b.0).collect();
    let solved: Vec<Vec<(RecordIndex, RecordIndex)>> =
        pieces.par_iter().map(|piece| Merging::new(piece, score).run()).collect();
    let mut labels: Vec<u32> = (0..records as u32).collect();
    for (record, first) in solved.into_iter().flatten() {
        labels[record as usize] = first;
    }
    number_by_first(&labels)
}

/// Connected components over the pairs that speak for a merge: each record with the first record of its component.
pub(crate) fn components(
    records: usize,
    pairs: &[(RecordIndex, RecordIndex)],
    scores: &[f32],
    decided: &Decided,
) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..records as u32).collect();
    let positive = pairs.iter().zip(scores).filter(|(_, s)| **s > 0.0).map(|(pair, _)| *pair);
    for (a, b) in positive.chain(decided.same.iter().copied()) {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..records as u32).map(|r| root(&mut parent, r)).collect()
}

fn root(parent: &mut [u32], mut record: u32) -> u32 {
    while parent[record as usize] != record {
        // Halving the path keeps later searches short.
        parent[record as usize] = parent[parent[record as usize] as usize];
        record = parent[record as usize];
    }
    record
}

/// What is known between two living clusters.
#[derive(Debug, Clone, Copy, Default)]
struct Link {
    sum: f64,
    /// Pairs that the sum covers; complete when it is the product of the sizes.
    pairs: usize,
}

/// One component being merged; clusters are numbered by position.
struct Merging<'s> {
    members: Vec<Vec<RecordIndex>>,
    links: Vec<FxHashMap<u32, Link>>,
    alive: Vec<bool>,
    heap: BinaryHeap<Offer>,
    score: &'s PairScore<'s>,
}

/// A proposed merge; stale when the link's sum has changed since.
#[derive(PartialEq)]
struct Offer {
    gain: f64,
    a: u32,
    b: u32,
}

impl Eq for Offer {}

impl Ord for Offer {
    fn cmp(&self, other: &Offer) -> Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| (other.a, other.b).cmp(&(self.a, self.b)))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Offer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'s> Merging<'s> {
    fn new(piece: &[(u32, RecordIndex, RecordIndex, f64)], score: &'s PairScore<'s>) -> Merging<'s> {
        let mut records: Vec<RecordIndex> = piece.iter().flat_map(|e| [e.1, e.2]).collect();
        records.sort_unstable();
        records.dedup();
        let place = |r: RecordIndex| records.binary_search(&r).unwrap_or(0) as u32;
        let mut links: Vec<FxHashMap<u32, Link>> = vec![FxHashMap::default(); records.len()];
        for &(_, a, b, value) in piece {
            let (a, b) = (place(a), place(b));
            for (x, y) in [(a, b), (b, a)] {
                let link = links[x as usize].entry(y).or_default();
                // A decision comes beside the score of its pair; together they count as one pair.
                *link = Link { sum: link.sum + value, pairs: 1 };
            }
        }
        let mut heap = BinaryHeap::new();
        for (a, of) in links.iter().enumerate() {
            let a = a as u32;
            heap.extend(of.iter().filter(|(b, l)| a < **b && l.sum > 0.0).map(|(&b, l)| Offer {
                gain: l.sum,
                a,
                b,
            }));
        }
        let members = records.iter().map(|&r| vec![r]).collect();
        let alive = vec![true; records.len()];
        Merging { members, links, alive, heap, score }
    }

    /// Each record with the first record of its cluster.
    fn run(mut self) -> Vec<(RecordIndex, RecordIndex)> {
        while let Some(offer) = self.heap.pop() {
            let (a, b) = (offer.a, offer.b);
            if !self.alive[a as usize] || !self.alive[b as usize] {
                continue;
            }
            let link = self.links[a as usize].get(&b).copied().unwrap_or_default();
            if link.sum != offer.gain {
                continue;
            }
            if link.pairs < self.members[a as usize].len() * self.members[b as usize].len() {
                let whole = self.whole_link(a, b, link.sum);
                self.set(a, b, whole);
                continue;
            }
            self.merge(a, b);
        }
        let clusters = self.alive.iter().zip(&self.members).filter(|(alive, _)| **alive);
        clusters
            .flat_map(|(_, members)| {
                let first = members.iter().copied().min().unwrap_or(0);
                members.iter().map(move |&m| (m, first))
            })
            .collect()
    }

    fn set(&mut self, a: u32, b: u32, link: Link) {
        self.links[a as usize].insert(b, link);
        self.links[b as usize].insert(a, link);
        if link.sum > 0.0 {
            self.heap.push(Offer { gain: link.sum, a: a.min(b), b: a.max(b) });
        }
    }

    /// The sum over all cross pairs, or an even sample of them scaled up; decisions keep their weight.
    fn whole_link(&self, a: u32, b: u32, known: f64) -> Link {
        let (a, b) = (a.min(b), a.max(b));
        let (left, right) = (&self.members[a as usize], &self.members[b as usize]);
        let total = left.len() * right.len();
        let decided = (known / DECIDED).round() * DECIDED;
        let step = total.div_ceil(CROSS_PAIRS).max(1);
        let (mut sum, mut taken) = (0.0, 0_usize);
        for at in (0..total).step_by(step) {
            // Adding the row number spreads a sample whose step divides the row length.
            let (row, column) = (at / right.len(), at % right.len());
            sum += f64::from((self.score)(left[row], right[(column + row) % right.len()]));
            taken += 1;
        }
        Link { sum: decided + sum * total as f64 / taken.max(1) as f64, pairs: total }
    }

    fn merge(&mut self, a: u32, b: u32) {
        // The smaller neighbourhood moves into the larger, so that all moves together cost n log n.
        let (keep, gone) =
            if self.links[a as usize].len() >= self.links[b as usize].len() { (a, b) } else { (b, a) };
        let moved = std::mem::take(&mut self.members[gone as usize]);
        self.members[keep as usize].extend(moved);
        self.alive[gone as usize] = false;
        self.links[keep as usize].remove(&gone);
        let mut moving: Vec<(u32, Link)> =
            std::mem::take(&mut self.links[gone as usize]).into_iter().collect();
        moving.sort_unstable_by_key(|l| l.0);
        for (other, link) in moving.into_iter().filter(|(other, _)| *other != keep) {
            self.links[other as usize].remove(&gone);
            let old = self.links[keep as usize].get(&other).copied().unwrap_or_default();
            self.set(keep, other, Link { sum: old.sum + link.sum, pairs: old.pairs + link.pairs });
        }
    }
}

/// Renames clusters 0, 1, 2... in the order in which their first records come.
pub(crate) fn number_by_first(labels: &[u32]) -> Vec<u32> {
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    labels
        .iter()
        .map(|&label| {
            let next = names.len() as u32;
            *names.entry(label).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(records: usize, edges: &[(u32, u32, f64)], decided: &Decided) -> Vec<u32> {
        let edges: Vec<(u32, u32, f32)> = edges.iter().map(|&(a, b, s)| (a, b, s as f32)).collect();
        let table: FxHashMap<(u32, u32), f32> = edges.iter().map(|&(a, b, s)| ((a, b), s)).collect();
        let score = |a: u32, b: u32| table.get(&(a.min(b), a.max(b))).copied().unwrap_or(-1.0);
        let (pairs, scores): (Vec<(u32, u32)>, Vec<f32>) = edges.iter().map(|e| ((e.0, e.1), e.2)).unzip();
        cluster(records, &pairs, &scores, decided, &score)
    }

    fn odds(p: f64) -> f64 {
        (p / (1.0 - p)).ln()
    }

    #[test]
    fn the_thesis_example() {
        // Beliefs ab .7, ac .8; bc decides: at .4 all three, at .2 b stays alone, at .3 the gain is nothing.
        let with =
            |bc: f64| run(3, &[(0, 1, odds(0.7)), (0, 2, odds(0.8)), (1, 2, odds(bc))], &Decided::default());
        assert_eq!(with(0.4), [0, 0, 0]);
        assert_eq!(with(0.2), [0, 1, 0]);
        assert_eq!(with(0.299), [0, 1, 0]);
    }

    #[test]
    fn chains_do_not_close_over_contradictions() {
        // a-b and b-c look alike, a-c was never compared by blocking and is clearly different.
        let score = |a: u32, b: u32| if (a, b) == (0, 2) || (a, b) == (2, 0) { -9.0 } else { 2.0 };
        assert_eq!(cluster(3, &[(0, 1), (1, 2)], &[2.0, 1.5], &Decided::default(), &score), [0, 0, 1]);
    }

    #[test]
    fn decisions_win() {
        let decided = Decided { same: vec![(0, 3)], different: vec![(0, 1)] };
        assert_eq!(run(4, &[(0, 1, 5.0), (1, 2, 4.0), (0, 3, -6.0)], &decided), [0, 1, 1, 0]);
    }
}
