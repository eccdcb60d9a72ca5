//! The pages of the sample put together into types.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_learn::agglomerative::{Linkage, agglomerative};
use unsite_learn::correlation::PairScores;

use super::readings::Readings;
use super::{EXEMPLARS, FITS_NOTHING, divided};
use crate::evidence::Calibrated;

/// Further than any log-odds: pages of different types are this much further from each other than pages of one.
const APART: f64 = 1e6;

/// Pairs of pages that are judged for two sets. One alone was measured to be too few: what the data says on just these two
/// pages then speaks for all, and on one labelled blog lists by tag and by author became one type. With five no
/// labelled site measures better.
const JUDGED_PAIRS: usize = 2;

/// Which pages of the sample are of one type, and how surely.
pub(super) struct Grouping {
    /// For each page of the sample, its type.
    pub(super) labels: Vec<u32>,
    /// How many types there are.
    pub(super) count: usize,
    /// For each page of the sample, its set of structurally equal pages.
    set_of: Vec<usize>,
    /// For each set and each type, the mean log-odds of a page of the set and the other pages of the type.
    belonging: Vec<Vec<f64>>,
}

impl Grouping {
    /// Judges some pages of each set of structurally equal pages against some of each other set, the mean counting for
    /// all pairs of the two, and takes the types that maximise the sum of log-odds within them; or as many types as
    /// were asked for. Two experts on `routes` divide types where both say so.
    pub(super) fn of(
        readings: &Readings,
        sets: Sets,
        scores: &[PairOfSets],
        model: &Calibrated,
        routes: Option<[usize; 2]>,
        route: impl Fn(&[usize]) -> Vec<String>,
        k: Option<usize>,
    ) -> Self {
        let pairs: Vec<(u32, u32, f64)> =
            scores.iter().map(|pair| (pair.a, pair.b, pair.log_odds(model))).collect();
        let weight = |set: u32| sets.pages[set as usize].len() as f64;
        let weighed = pairs.iter().map(|&(a, b, odds)| (a, b, odds * weight(a) * weight(b)));
        let mut types = PairScores::new(sets.pages.len(), weighed).cluster();
        if let Some(experts) = routes.filter(|_| k.is_none()) {
            types = divided::divided(&sets, scores, &types, experts, route);
        }
        let of_sets = |types: &[u32]| -> Vec<u32> { sets.of_page.iter().map(|&set| types[set]).collect() };
        let labels = match k {
            Some(k) => of_sets(&into_types(&pairs, &types, k)),
            None => of_sets(&types),
        };
        let count = labels.iter().max().map_or(0, |&label| label as usize + 1);
        let belonging = sets.belonging(&pairs, &labels, count, readings, model);
        Grouping { labels, count, set_of: sets.of_page, belonging }
    }

    /// How much more a page is like its own type than like the next one.
    pub(super) fn margin(&self, place: usize) -> f64 {
        let (belonging, own) = (&self.belonging[self.set_of[place]], self.labels[place] as usize);
        let next = belonging.iter().enumerate().filter(|&(other, _)| other != own).map(|(_, &odds)| odds);
        belonging[own] - next.fold(FITS_NOTHING, f64::max)
    }

    /// For each type the places of its most typical pages, those of different sets first.
    pub(super) fn exemplars(&self) -> Vec<Vec<usize>> {
        let mut exemplars: Vec<Vec<usize>> = vec![Vec::new(); self.count];
        for (place, &label) in self.labels.iter().enumerate() {
            exemplars[label as usize].push(place);
        }
        let mut seen: FxHashMap<usize, usize> = FxHashMap::default();
        let turn: Vec<usize> = self
            .set_of
            .iter()
            .map(|&set| {
                let turn = seen.entry(set).or_default();
                *turn += 1;
                *turn
            })
            .collect();
        for (page_type, places) in exemplars.iter_mut().enumerate() {
            let belonging = |place: usize| self.belonging[self.set_of[place]][page_type];
            places.sort_by(|&a, &b| {
                (turn[a].cmp(&turn[b])).then(belonging(b).total_cmp(&belonging(a))).then(a.cmp(&b))
            });
            places.truncate(EXEMPLARS);
        }
        exemplars
    }
}

/// Sets of structurally equal pages of the sample.
pub(super) struct Sets {
    /// For each set its pages.
    pub(super) pages: Vec<Vec<usize>>,
    /// For each page its set.
    of_page: Vec<usize>,
}

/// What the experts say about some pairs of pages of two sets, which stand for all.
pub(super) struct PairOfSets {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) judged: Vec<Vec<Option<f64>>>,
}

impl PairOfSets {
    /// The log-odds that their pages are of one type.
    pub(super) fn log_odds(&self, model: &Calibrated) -> f64 {
        self.judged.iter().map(|scores| model.log_odds(scores)).sum::<f64>() / self.judged.len() as f64
    }
}

impl Sets {
    pub(super) fn of(signatures: &[Option<u64>]) -> Self {
        let mut pages: Vec<Vec<usize>> = Vec::new();
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        let of_page: Vec<usize> = signatures
            .iter()
            .enumerate()
            .map(|(page, signature)| {
                let next = pages.len();
                let set = signature.map_or(next, |signature| *places.entry(signature).or_insert(next));
                if set == next {
                    pages.push(Vec::new());
                }
                pages[set].push(page);
                set
            })
            .collect();
        Sets { pages, of_page }
    }

    /// What the experts that `hears` names say about all pairs of sets.
    pub(super) fn scores(
        &self,
        readings: &Readings,
        hears: impl Fn(usize) -> bool + Sync,
    ) -> Vec<PairOfSets> {
        let judge = |a: &[usize], b: &[usize]| -> Vec<Vec<Option<f64>>> {
            let turns = a.len().max(b.len()).min(JUDGED_PAIRS);
            let page = |set: &[usize], turn: usize| &readings.pages[set[turn * set.len() / turns]];
            (0..turns).map(|turn| readings.scores(page(a, turn), page(b, turn), &hears)).collect()
        };
        let judge = &judge;
        (0..self.pages.len())
            .into_par_iter()
            .flat_map_iter(|a| {
                (a + 1..self.pages.len()).map(move |b| PairOfSets {
                    a: a as u32,
                    b: b as u32,
                    judged: judge(&self.pages[a], &self.pages[b]),
                })
            })
            .collect()
    }

    fn belonging(
        &self,
        pairs: &[(u32, u32, f64)],
        labels: &[u32],
        count: usize,
        readings: &Readings,
        model: &Calibrated,
    ) -> Vec<Vec<f64>> {
        let label = |set: usize| labels[self.pages[set][0]] as usize;
        let mut sums = vec![vec![(0.0f64, 0.0f64); count]; self.pages.len()];
        for &(a, b, odds) in pairs {
            for (set, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
                let (sum, n) = &mut sums[set][label(other)];
                let weight = self.pages[other].len() as f64;
                *sum += odds * weight;
                *n += weight;
            }
        }
        for (set, pages) in self.pages.iter().enumerate() {
            if let [first, second, ..] = pages[..] {
                let odds = readings.log_odds(model, &readings.pages[first], &readings.pages[second]);
                let (sum, n) = &mut sums[set][label(set)];
                *sum += odds * (pages.len() - 1) as f64;
                *n += (pages.len() - 1) as f64;
            }
        }
        // A page alone in its type is as sure of it as no page can say.
        let mean = |(sum, n): (f64, f64)| if n == 0.0 { 0.0 } else { sum / n };
        sums.into_iter().map(|row| row.into_iter().map(mean).collect()).collect()
    }
}

/// As many types as were asked for: the two that are most alike become one, or the type that is least of one piece comes
/// apart, until their number is right.
fn into_types(pairs: &[(u32, u32, f64)], labels: &[u32], k: usize) -> Vec<u32> {
    let count = labels.len();
    let mut distance = vec![0.0; count * count];
    for &(a, b, odds) in pairs {
        let (a, b) = (a as usize, b as usize);
        // Pages of one type join before any of two types do, whatever the log-odds.
        let apart = if labels[a] == labels[b] { 0.0 } else { APART };
        distance[a * count + b] = apart - odds;
        distance[b * count + a] = apart - odds;
    }
    agglomerative(count, Linkage::Average, |a, b| distance[a * count + b]).cut_into(k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_signatures_are_one_set_and_pages_without_are_alone() {
        let sets = Sets::of(&[Some(7), None, Some(9), Some(7), None]);
        assert_eq!(sets.pages, [vec![0, 3], vec![1], vec![2], vec![4]]);
        assert_eq!(sets.of_page, [0, 1, 2, 0, 3]);
    }

    #[test]
    fn the_number_of_types_can_be_given() {
        // Two types of two and of three sets.
        let labels = [0, 0, 1, 1, 1];
        let odds = |a: usize, b: usize| match (labels[a] == labels[b], a.max(b)) {
            (true, 4) => 1.0,
            (true, _) => 5.0,
            (false, _) => -3.0,
        };
        let pairs: Vec<(u32, u32, f64)> =
            (0..5).flat_map(|b| (0..b).map(move |a| (a as u32, b as u32, odds(a, b)))).collect();
        assert_eq!(into_types(&pairs, &labels, 1), [0; 5]);
        assert_eq!(into_types(&pairs, &labels, 2), [0, 0, 1, 1, 1]);
        assert_eq!(into_types(&pairs, &labels, 3), [0, 0, 1, 1, 2]);
        assert_eq!(into_types(&pairs, &labels, 9), [0, 1, 2, 3, 4]);
    }
}
