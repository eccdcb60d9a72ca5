//! Every page of the sample against every other.

use rayon::prelude::*;

use super::Typing;

/// How surely pages are of one type, pair by pair, in an order that puts pages of one type beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The pages of the rows, which are also those of the columns: the largest type first.
    pub pages: Vec<usize>,
    /// Row after row, the probability that two pages are of one type, before anything was clustered.
    pub likeness: Vec<f64>,
}

impl Matrix {
    /// One cell.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.likeness[row * self.pages.len() + column]
    }
}

impl Typing {
    /// The matrix of all pages that were compared in pairs, ordered by the types in `type_of`: those found here, or those
    /// that another method gave the same pages.
    pub fn matrix(&self, type_of: &[usize]) -> Matrix {
        let kind = |place: usize| type_of.get(self.sample[place]).copied().unwrap_or(usize::MAX);
        let mut sizes = rustc_hash::FxHashMap::<usize, usize>::default();
        for place in 0..self.sample.len() {
            *sizes.entry(kind(place)).or_default() += 1;
        }
        let mut places: Vec<usize> = (0..self.sample.len()).collect();
        places.sort_by_key(|&place| (std::cmp::Reverse(sizes[&kind(place)]), kind(place), place));
        let row = |&row: &usize| -> Vec<f64> {
            let cell = |&column: &usize| match row == column {
                true => 1.0,
                false => {
                    let (a, b) = (&self.readings.pages[row], &self.readings.pages[column]);
                    1.0 / (1.0 + (-self.readings.log_odds(&self.model, a, b)).exp())
                }
            };
            places.iter().map(cell).collect()
        };
        let likeness: Vec<Vec<f64>> = places.par_iter().map(row).collect();
        Matrix {
            pages: places.iter().map(|&place| self.sample[place]).collect(),
            likeness: likeness.concat(),
        }
    }
}
