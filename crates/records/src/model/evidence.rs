//! The scores of many pairs, in bins.

use rayon::prelude::*;

use super::{NO_OPINION, bin_of};
use crate::experts::Judge;
use crate::record::RecordIndex;

/// One row of bins for each pair, one column for each judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    width: usize,
    bins: Vec<u8>,
}

impl Evidence {
    /// Asks every judge about every pair, in parallel.
    pub fn gather(judges: &[Judge<'_>], pairs: &[(RecordIndex, RecordIndex)]) -> Evidence {
        let width = judges.len();
        let mut bins = vec![NO_OPINION; pairs.len() * width];
        if width > 0 {
            bins.par_chunks_mut(width).zip(pairs).for_each(|(row, &(a, b))| {
                for (bin, judge) in row.iter_mut().zip(judges) {
                    *bin = bin_of((judge.compare)(a, b));
                }
            });
        }
        Evidence { width, bins }
    }

    /// How many pairs.
    pub fn len(&self) -> usize {
        self.bins.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there is no pair (or no judge).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many judges.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The bins of one pair.
    pub fn row(&self, pair: usize) -> &[u8] {
        &self.bins[pair * self.width..(pair + 1) * self.width]
    }
}
