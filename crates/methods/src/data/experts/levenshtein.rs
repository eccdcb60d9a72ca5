//! The texts themselves.
//!
//! # What it does
//! One less the edit distance of the characters over the sum of their lengths.
//! # Assumes
//! Values of one field share words or letters.
//! # When it fails
//! Titles and names share nothing with each other; short numbers share much with other short numbers.
//! # Paper
//! Gazen 2008 (CONFHEX), Levenshtein expert: `distance / (len1 + len2)`, a distance; turned round here.

use super::DataExpert;
use crate::data::sample::Sample;

pub(super) const EXPERT: DataExpert =
    DataExpert { name: "levenshtein", about: "how many letters have to be changed", score };

fn score(a: &Sample, b: &Sample) -> Option<f64> {
    Some(1.0 - unsite_learn::edit::distance_by_sum(&a.letters, &b.letters))
}

#[cfg(test)]
mod tests {
    use unsite_learn::edit::{distance_by_sum, levenshtein};

    #[test]
    fn golden_distance() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(levenshtein(&letters("12.49"), &letters("109.49")), 2);
        assert!((distance_by_sum(&letters("12.49"), &letters("109.49")) - 2.0 / 11.0).abs() < 1e-12);
    }
}
