//! The scores of many pairs, in bins; equal rows are kept once with their number.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{NO_OPINION, bin_of};
use crate::experts::Judge;
use crate::record::RecordIndex;

/// Distinct rows of bins, one column for each judge, and how often each occurred.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    width: usize,
    bins: Vec<u8>,
    counts: Vec<f64>,
    same: Vec<f64>,
}

impl Evidence {
    /// Asks every judge about every pair, in parallel.
    pub fn gather(judges: &[Judge<'_>], pairs: &[(RecordIndex, RecordIndex)]) -> Evidence {
        Evidence::labelled(judges, pairs, |_, _| false, |_, _| 1.0)
    }

    /// The same, with the answer of every pair and how much it counts.
    pub fn labelled(
        judges: &[Judge<'_>],
        pairs: &[(RecordIndex, RecordIndex)],
        same: impl Fn(RecordIndex, RecordIndex) -> bool,
        weight: impl Fn(RecordIndex, RecordIndex) -> f64,
    ) -> Evidence {
        let width = judges.len();
        let mut all = vec![NO_OPINION; pairs.len() * width];
        let mut evidence = Evidence { width, bins: Vec::new(), counts: Vec::new(), same: Vec::new() };
        if width == 0 {
            return evidence;
        }
        all.par_chunks_mut(width).zip(pairs).for_each(|(row, &(a, b))| {
            for (bin, judge) in row.iter_mut().zip(judges) {
                *bin = bin_of((judge.compare)(a, b));
            }
        });
        // Rows are numbered in the order of their first pair, which does not depend on threads.
        let mut known: FxHashMap<&[u8], usize> = FxHashMap::default();
        for (row, &(a, b)) in all.chunks_exact(width).zip(pairs) {
            let at = *known.entry(row).or_insert_with(|| {
                evidence.bins.extend_from_slice(row);
                evidence.counts.push(0.0);
                evidence.same.push(0.0);
                evidence.counts.len() - 1
            });
            let weight = weight(a, b);
            evidence.counts[at] += weight;
            evidence.same[at] += if same(a, b) { weight } else { 0.0 };
        }
        evidence
    }

    /// How many distinct rows.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no pair (or no judge).
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many judges.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The bins of one row.
    pub fn row(&self, at: usize) -> &[u8] {
        &self.bins[at * self.width..(at + 1) * self.width]
    }

    /// How many pairs have that row.
    pub fn count(&self, at: usize) -> f64 {
        self.counts[at]
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The share of each row's pairs that are labelled the same.
    pub fn same_shares(&self) -> Vec<f64> {
        self.same.iter().zip(&self.counts).map(|(s, c)| s / c).collect()
    }
}
