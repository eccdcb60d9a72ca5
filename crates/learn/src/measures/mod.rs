//! How good is a result: the measures of the papers and of the public benchmarks.
//!
//! Everything here compares a result with labels; nothing here is used to find a structure.

pub mod clustering;
pub mod effort;
pub mod fields;
pub mod key_paths;
pub mod main_text;
pub mod neighbours;
pub mod ranking;
pub mod records;
pub mod text_match;

use serde::{Deserialize, Serialize};

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Prf {
    /// Share of what was returned that is right.
    pub precision: f64,
    /// Share of what is right that was returned.
    pub recall: f64,
    /// Harmonic mean of the two; 0 when both are 0.
    pub f1: f64,
}

impl Prf {
    /// From precision and recall.
    pub fn new(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Prf { precision, recall, f1 }
    }

    /// From counts: `overlap` of `returned` are among the `relevant`. An empty denominator counts as 0.
    pub fn from_counts(overlap: usize, returned: usize, relevant: usize) -> Self {
        let share = |whole: usize| if whole == 0 { 0.0 } else { overlap as f64 / whole as f64 };
        Prf::new(share(returned), share(relevant))
    }

    /// The mean of each of the three numbers (F1 is averaged, not recomputed); zeros for no input.
    pub fn mean(all: &[Prf]) -> Self {
        let n = all.len().max(1) as f64;
        Prf {
            precision: all.iter().map(|x| x.precision).sum::<f64>() / n,
            recall: all.iter().map(|x| x.recall).sum::<f64>() / n,
            f1: all.iter().map(|x| x.f1).sum::<f64>() / n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Prf;

    #[test]
    fn target_cluster_examples_of_the_thesis() {
        let a = Prf::from_counts(3, 3, 5);
        assert_eq!((a.precision, a.recall), (1.0, 0.6));
        assert!((a.f1 - 0.75).abs() < 1e-12);
        let b = Prf::from_counts(5, 7, 5);
        assert!((b.precision - 5.0 / 7.0).abs() < 1e-12 && (b.f1 - 0.8333).abs() < 1e-4);
        // The print says 2/9 for C; 2/7 and 1 give 4/9.
        assert!((Prf::from_counts(2, 7, 2).f1 - 4.0 / 9.0).abs() < 1e-12);
        assert_eq!(Prf::from_counts(0, 0, 0), Prf::default());
    }

    #[test]
    fn published_chex_field_scores() {
        let price = Prf::from_counts(77, 88, 103);
        assert!((price.f1 - 0.806).abs() < 5e-4);
        assert!((Prf::from_counts(528, 528, 1212).recall - 0.436).abs() < 5e-4);
    }
}
