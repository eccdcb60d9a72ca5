//! How much of what is there was seen.
//!
//! # What it does
//! Each query is a sample of the things behind the form. Those that only one query brought tell how many none brought:
//! `N = S + f1 (f1 - 1) / (2 (f2 + 1))`, where `S` things were seen, `f1` by one query and `f2` by two.
//! # Assumes
//! Queries draw independently.
//! # When it fails
//! Words that stand together bring the same things again, and things that no word reaches are never missed: the estimate
//! is a lower bound of what is there, so that the coverage is an upper one.
//! # Paper
//! Chao, Nonparametric estimation of the number of classes in a population (1984), in the form without bias (2005).

use std::collections::BTreeMap;

/// What was seen by how many queries.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// For each thing, how many queries brought it and which was the last.
    times: BTreeMap<u64, (u32, usize)>,
}

impl Seen {
    /// Notes that a query brought something; true the first time that anything did.
    pub(super) fn note(&mut self, thing: u64, query: usize) -> bool {
        match self.times.get_mut(&thing) {
            Some((count, last)) => {
                if *last != query {
                    (*count, *last) = (*count + 1, query);
                }
                false
            }
            None => {
                self.times.insert(thing, (1, query));
                true
            }
        }
    }

    /// How many different things were seen.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// How many there are, estimated.
    pub(super) fn estimate(&self) -> f64 {
        let with = |times: u32| self.times.values().filter(|(count, _)| *count == times).count() as f64;
        let (once, twice) = (with(1), with(2));
        self.times.len() as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_of_a_small_example() {
        let mut seen = Seen::default();
        // Three things once, one twice, one three times: 5 + 3 * 2 / (2 * 2) = 6.5.
        for (query, things) in [vec![1, 4, 5], vec![2, 4, 5], vec![3, 5, 5]].into_iter().enumerate() {
            for thing in things {
                seen.note(thing, query);
            }
        }
        assert_eq!(seen.len(), 5);
        assert_eq!(seen.estimate(), 6.5);
    }

    #[test]
    fn what_was_seen_often_is_all_there_is() {
        let mut seen = Seen::default();
        for query in 0..3 {
            for thing in 0..10 {
                assert_eq!(seen.note(thing, query), query == 0);
            }
        }
        assert_eq!(seen.estimate(), 10.0);
        assert_eq!(Seen::default().estimate(), 0.0);
    }
}
