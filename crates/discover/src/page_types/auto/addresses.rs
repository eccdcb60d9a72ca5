//! Do the addresses of this site tell its types? Asked of all other experts, on the site itself.

use unsite_learn::evidence::{BINS, PairCounter, PairHistograms};
use unsite_learn::rng::Rng;

use super::FITS_NOTHING;
use super::grouping::{PairOfSets, Sets};
use super::names_of_kinds;
use crate::evidence::{Calibrated, Model};
use crate::experts::position;

/// The expert on addresses.
pub(super) const ADDRESS: &str = "url";

/// Where addresses tell nothing, what other sites say about them counts as much as this share of all pairs of pages of this
/// one: it decides only what this site has hardly any pairs for. With .25, 1 and 4 perturbed sites measure alike.
const ELSEWHERE: f64 = 0.25;

/// Times that addresses are dealt to other pages at random: what tells more than in all of them does so by chance once in 21.
const DEALS: usize = 20;

/// A site has certainly several types where at least this share of all pairs of pages fit together as little as strangers:
/// a type of one page in a hundred, and the rest. Of the labelled sites of a single type the highest has .016.
const SEVERAL: f64 = 0.02;

/// What addresses say on this site.
pub(super) struct Addresses {
    /// The model to judge the pages of this site by.
    pub(super) model: Calibrated,
    /// Pages of one type have more alike addresses than pages of two.
    pub(super) tell: bool,
}

impl Addresses {
    /// Asks the other experts.
    ///
    /// # What it does
    /// On sites that were learned from, addresses that differ in a route word mean different types, and addresses that differ
    /// in data alone mean one. Where a brand or a hash stands in the address, neither holds. So the other experts judge
    /// all pairs of pages: addresses tell types where those of one type are more alike than those of two, and more so than
    /// when the same addresses are dealt to the pages at random. Where they do not, and the site has certainly
    /// several types, what a score of two addresses means is counted on the pairs of this site.
    /// # Assumes
    /// Given the type, what addresses say depends on nothing that the other experts see.
    /// # When it fails
    /// Types that nothing tells apart but their addresses, and that most pages are of.
    /// # Paper
    /// Co-training (Blum and Mitchell 1998) for the idea; its use is ours.
    pub(super) fn of(
        model: &Calibrated,
        (trained, on): (&Model, &[bool]),
        sets: &Sets,
        pairs: &[PairOfSets],
    ) -> Self {
        let silent = || Addresses { model: model.clone(), tell: false };
        let Some(url) = position(ADDRESS).filter(|&at| model.hears(at)) else { return silent() };
        let Some(elsewhere) = model.histograms(url) else { return silent() };
        let others: Vec<bool> = on.iter().enumerate().map(|(at, &on)| on && at != url).collect();
        let judge = names_of_kinds::limited(trained.calibrate(&others), (trained, &others), sets, pairs);
        let judged = Judged::of(&judge, url, sets, pairs);
        // The seed is arbitrary; it is fixed so that a site is always judged alike.
        let mut rng = Rng::new(7);
        let dealt = (0..DEALS).map(|_| judged.dealt(&mut rng, sets.pages.len()).told());
        let tell = judged.told() > dealt.fold(0.0, f64::max);
        if tell || judged.strangers() < SEVERAL {
            return Addresses { model: model.clone(), tell };
        }
        Addresses { model: model.clone().with_histograms(url, judged.histograms(elsewhere)), tell }
    }
}

/// A pair of pages, as the other experts see it.
#[derive(Clone, Copy)]
struct JudgedPair {
    sets: (u32, u32),
    /// How alike their addresses are.
    address: Option<f64>,
    /// How surely they are of one type without.
    same: f64,
    log_odds: f64,
    /// The share of all pairs of pages that it stands for.
    weight: f64,
}

/// All pairs of pages of different sets, and those within sets.
#[derive(Clone)]
struct Judged {
    pairs: Vec<JudgedPair>,
    /// The share of all pairs of pages that are within sets: of one type, and with the words of one route.
    within_sets: f64,
}

impl Judged {
    fn of(judge: &Calibrated, url: usize, sets: &Sets, pairs: &[PairOfSets]) -> Self {
        let size = |set: u32| sets.pages[set as usize].len() as f64;
        let alike: f64 = sets.pages.iter().map(|set| (set.len() * (set.len() - 1)) as f64 / 2.0).sum();
        let across: f64 = pairs.iter().map(|pair| size(pair.a) * size(pair.b)).sum();
        let all = (alike + across).max(1.0);
        let judged = pairs.iter().map(|pair| {
            let addresses: Vec<f64> = pair.judged.iter().filter_map(|scores| scores[url]).collect();
            let mean = addresses.iter().sum::<f64>() / addresses.len() as f64;
            let log_odds = pair.log_odds(judge);
            JudgedPair {
                sets: (pair.a, pair.b),
                address: (!addresses.is_empty()).then_some(mean),
                same: 1.0 / (1.0 + (-log_odds).exp()),
                log_odds,
                weight: size(pair.a) * size(pair.b) / all,
            }
        });
        Judged { pairs: judged.collect(), within_sets: alike / all }
    }

    /// How much more alike the addresses of pages of one type are than those of pages of two.
    fn told(&self) -> f64 {
        let mean = |share: fn(f64) -> f64| {
            let heard = self.pairs.iter().filter_map(|pair| Some((pair.address?, share(pair.same))));
            let (sum, all) =
                heard.fold((0.0, 0.0), |all, (score, weight)| (all.0 + score * weight, all.1 + weight));
            if all > 0.0 { sum / all } else { 0.0 }
        };
        mean(|same| same) - mean(|same| 1.0 - same)
    }

    /// The same pages with each other's addresses.
    fn dealt(&self, rng: &mut Rng, sets: usize) -> Self {
        let mut order: Vec<u32> = (0..sets as u32).collect();
        rng.shuffle(&mut order);
        let mut addresses = vec![None; sets * sets];
        for pair in &self.pairs {
            let (a, b) = (pair.sets.0 as usize, pair.sets.1 as usize);
            addresses[a * sets + b] = pair.address;
            addresses[b * sets + a] = pair.address;
        }
        let mut dealt = self.clone();
        for pair in &mut dealt.pairs {
            let (a, b) = (order[pair.sets.0 as usize] as usize, order[pair.sets.1 as usize] as usize);
            pair.address = addresses[a * sets + b];
        }
        dealt
    }

    /// The share of all pairs of pages that fit together as little as a page and a type that it is not of.
    fn strangers(&self) -> f64 {
        let strange = self.pairs.iter().filter(|pair| pair.log_odds < FITS_NOTHING);
        strange.map(|pair| pair.weight).sum()
    }

    /// How the scores of addresses are distributed, as far as this site can tell.
    fn histograms(&self, elsewhere: &PairHistograms) -> PairHistograms {
        let mut counter = PairCounter::default();
        counter.add_weighted(1.0, true, self.within_sets);
        for pair in &self.pairs {
            let Some(score) = pair.address else { continue };
            counter.add_weighted(score, true, pair.weight * pair.same);
            counter.add_weighted(score, false, pair.weight * (1.0 - pair.same));
        }
        for bin in 0..BINS {
            let score = (bin as f64 + 0.5) / BINS as f64;
            counter.add_weighted(score, true, ELSEWHERE * elsewhere.within.probability(score));
            counter.add_weighted(score, false, ELSEWHERE * elsewhere.between.probability(score));
        }
        counter.train()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty sets of one page, every second of one type, with a likeness of addresses for each pair.
    fn judged(address: impl Fn(usize, usize) -> f64) -> Judged {
        let pairs = (0..20).flat_map(|b| (0..b).map(move |a| (a, b)));
        let judged = pairs.map(|(a, b)| {
            let log_odds = if a % 2 == b % 2 { 6.0 } else { -6.0f64 };
            JudgedPair {
                sets: (a as u32, b as u32),
                address: Some(address(a, b)),
                same: 1.0 / (1.0 + (-log_odds).exp()),
                log_odds,
                weight: 1.0 / 190.0,
            }
        });
        Judged { pairs: judged.collect(), within_sets: 0.0 }
    }

    fn chance(judged: &Judged) -> f64 {
        let mut rng = Rng::new(7);
        (0..DEALS).map(|_| judged.dealt(&mut rng, 20).told()).fold(0.0, f64::max)
    }

    #[test]
    fn routes_tell_types() {
        let routes = judged(|a, b| if a % 2 == b % 2 { 1.0 } else { 0.08 });
        assert!(routes.told() > 0.8);
        assert!(routes.told() > chance(&routes));
    }

    #[test]
    fn brands_and_hashes_tell_none() {
        // Five brands, dealt over both types alike.
        let brands = judged(|a, b| if a / 2 % 5 == b / 2 % 5 { 1.0 } else { 0.08 });
        assert!(brands.told() <= chance(&brands), "{} {}", brands.told(), chance(&brands));
        let hashes = judged(|_, _| 1.0);
        assert!(hashes.told() <= chance(&hashes));
        assert!(hashes.strangers() > 0.5);
    }

    #[test]
    fn an_address_that_all_pages_have_is_then_heard_no_more() {
        let mut elsewhere = PairCounter::default();
        elsewhere.add(1.0, true);
        elsewhere.add(0.0, false);
        let elsewhere = elsewhere.train();
        let hashes = judged(|_, _| 1.0).histograms(&elsewhere);
        assert!(elsewhere.log_odds(Some(1.0)) > 5.0);
        assert!(hashes.log_odds(Some(1.0)) < 0.6, "{}", hashes.log_odds(Some(1.0)));
    }
}
