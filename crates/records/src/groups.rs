//! Records already known to belong together, compared as one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::blocking::Candidates;
use crate::corpus::Corpus;
use crate::experts::Judge;
use crate::record::RecordIndex;

/// Share of the better side in the score of two groups: a group with few values may be part of one with many, so the side
/// that finds its partners counts for more. Between 0.5 (equal) and 1 (only that side); the middle was best on both ways of
/// making folds (see the guide).
const BETTER_SIDE: f32 = 0.75;
/// How the records of two groups make their pair count while learning: their number of pairs to this power. A mistake between
/// groups costs as many pairs, but a large group is not that many independent examples. From a quarter to a third, venues of
/// both ways of making folds are above .91 (see the guide); at 0 the sections fall to .876, at 1 the disjoint folds to .892.
const SIZE_WEIGHT: f64 = 0.25;
/// Different members of a group that are looked at, the most frequent first.
const VARIANTS: usize = 8;

/// Groups of records as the units of a second clustering: papers, when their venues are clustered.
///
/// # What it does
/// A group is all its different values with how often each occurs. Two groups are as alike as their values find good
/// partners: the mean over one group's values of the best score in the other, both ways.
/// # Assumes
/// All records of a group are one and the same in the second sense too (a paper appears at one venue).
/// # When it fails
/// Groups made wrongly, and papers published twice.
/// # Paper
/// Gazen 2008 names papers and venues together as future work; Culotta and McCallum 2005 do it with a joint model.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    /// The group of each record, numbered from 0.
    pub(crate) of: Vec<u32>,
    sizes: Vec<u32>,
    /// For each group its different members and their shares.
    variants: Arc<Vec<Vec<(RecordIndex, f32)>>>,
}

impl Groups {
    /// Collects the groups; members whose taking-part fields are equal count as one value.
    pub(crate) fn new(corpus: &Corpus<'_>, labels: &[u32]) -> Groups {
        let mut padded = labels.to_vec();
        // Records beyond the labels stand alone.
        let next = padded.iter().max().map_or(0, |m| m + 1);
        padded.extend((0..corpus.len().saturating_sub(labels.len()) as u32).map(|extra| next + extra));
        padded.truncate(corpus.len());
        let of = crate::cluster::number_by_first(&padded);
        let mut counted: Vec<FxHashMap<Vec<&str>, (f32, RecordIndex)>> = Vec::new();
        for (record, &group) in of.iter().enumerate() {
            let record = record as RecordIndex;
            counted.resize(counted.len().max(group as usize + 1), FxHashMap::default());
            let values: Vec<&str> = corpus.columns.iter().map(|c| c.text(record).unwrap_or("")).collect();
            counted[group as usize].entry(values).or_insert((0.0, record)).0 += 1.0;
        }
        let counts = counted.len();
        let variants = counted
            .into_iter()
            .map(|of| {
                let mut list: Vec<(RecordIndex, f32)> =
                    of.into_values().map(|(count, first)| (first, count)).collect();
                list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                list.truncate(VARIANTS);
                list
            })
            .collect();
        let mut sizes = vec![0_u32; counts];
        of.iter().for_each(|&group| sizes[group as usize] += 1);
        Groups { of, sizes, variants: Arc::new(variants) }
    }

    /// How many groups.
    pub(crate) fn len(&self) -> usize {
        self.variants.len()
    }

    /// How much a pair of groups counts while learning.
    pub(crate) fn weight(&self, a: u32, b: u32) -> f64 {
        let size = |group: u32| f64::from(self.sizes[group as usize]);
        (size(a) * size(b)).powf(SIZE_WEIGHT)
    }

    /// The judges made to compare groups; their indices are groups' numbers.
    pub(crate) fn judges<'c>(&self, judges: Vec<Judge<'c>>) -> Vec<Judge<'c>> {
        judges
            .into_iter()
            .map(|judge| {
                let variants = Arc::clone(&self.variants);
                let compare = judge.compare;
                let lifted = move |a: RecordIndex, b: RecordIndex| {
                    // Always in the same order, so that rounding is the same both ways.
                    let (a, b) = (a.min(b) as usize, a.max(b) as usize);
                    mean_best(&variants[a], &variants[b], &compare)
                };
                Judge { expert: judge.expert, on: judge.on, compare: Box::new(lifted) }
            })
            .collect()
    }

    /// The candidate pairs of records as pairs of groups.
    pub(crate) fn candidates(&self, found: Candidates) -> Candidates {
        let mut masks: FxHashMap<(u32, u32), u8> = FxHashMap::default();
        for (&(a, b), mask) in found.pairs.iter().zip(&found.found_by) {
            let (a, b) = (self.of[a as usize], self.of[b as usize]);
            if a != b {
                *masks.entry((a.min(b), a.max(b))).or_insert(0) |= mask;
            }
        }
        let mut list: Vec<((u32, u32), u8)> = masks.into_iter().collect();
        list.sort_unstable();
        let (pairs, found_by) = list.into_iter().unzip();
        Candidates { pairs, found_by, messages: found.messages }
    }

    /// A record that stands for a group.
    pub(crate) fn representative(&self, group: u32) -> RecordIndex {
        self.variants[group as usize].first().map_or(0, |v| v.0)
    }

    /// Clusters of groups as clusters of records.
    pub(crate) fn expand(&self, clusters: &[u32]) -> Vec<u32> {
        crate::cluster::number_by_first(&self.of.iter().map(|&g| clusters[g as usize]).collect::<Vec<_>>())
    }
}

fn mean_best(
    a: &[(RecordIndex, f32)],
    b: &[(RecordIndex, f32)],
    compare: &dyn Fn(RecordIndex, RecordIndex) -> Option<f32>,
) -> Option<f32> {
    let mut best_a = vec![None::<f32>; a.len()];
    let mut best_b = vec![None::<f32>; b.len()];
    for (i, (x, _)) in a.iter().enumerate() {
        for (j, (y, _)) in b.iter().enumerate() {
            if let Some(score) = compare(*x, *y) {
                best_a[i] = Some(best_a[i].map_or(score, |s| s.max(score)));
                best_b[j] = Some(best_b[j].map_or(score, |s| s.max(score)));
            }
        }
    }
    let mean = |best: &[Option<f32>], side: &[(RecordIndex, f32)]| {
        let heard = best.iter().zip(side).filter_map(|(s, (_, weight))| s.map(|s| (s, *weight)));
        let (sum, mass) = heard.fold((0.0, 0.0), |(sum, mass), (s, w)| (sum + s * w, mass + w));
        if mass > 0.0 { Some(sum / mass) } else { None }
    };
    let (x, y) = (mean(&best_a, a)?, mean(&best_b, b)?);
    Some((BETTER_SIDE * x.max(y) + (1.0 - BETTER_SIDE) * x.min(y)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_alike_as_their_best_partners() {
        let compare = |a: RecordIndex, b: RecordIndex| {
            if a == 9 || b == 9 { None } else { Some(if a % 2 == b % 2 { 1.0 } else { 0.0 }) }
        };
        assert_eq!(mean_best(&[(0, 1.0), (1, 1.0)], &[(2, 3.0), (3, 1.0)], &compare), Some(1.0));
        assert_eq!(mean_best(&[(0, 1.0), (1, 3.0)], &[(2, 1.0)], &compare), Some(0.25 * 0.25 + 0.75));
        assert_eq!(mean_best(&[(9, 1.0)], &[(2, 1.0)], &compare), None);
    }
}
