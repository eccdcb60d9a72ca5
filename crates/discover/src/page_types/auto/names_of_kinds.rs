//! What it is worth that two pages call themselves alike.
//!
//! # What it does
//! Some sites mark every template (`body.single-product`), others only tell `website` from `article`. The other experts say how
//! surely two pages are of different types; how often such pages call themselves alike all the same is how little that is worth
//! on this site. It is never worth more than on the sites that were learned from, and being called otherwise keeps its worth.
//! # Assumes
//! Given the type, what pages call themselves depends on nothing that the other experts see.
//! # When it fails
//! Pages of one type that all other experts take apart.
//! # Paper
//! Co-training (Blum and Mitchell 1998) for the idea, as for addresses; its use is ours.

use unsite_learn::evidence::{BINS, PairCounter};

use super::grouping::{PairOfSets, Sets};
use crate::evidence::{Calibrated, Model};
use crate::experts::position;

/// The expert on what pages call themselves.
const NAMES: &str = "embedded";

/// From this score on two pages call themselves alike: the last bin of a histogram.
const ALIKE: f64 = 1.0 - 1.0 / BINS as f64;

/// Pairs that a distribution is written down as; their number cancels out.
const PAIRS: f64 = 10_000.0;

/// The model with what being called alike is worth on this site.
pub(super) fn limited(
    model: Calibrated,
    (trained, on): (&Model, &[bool]),
    sets: &Sets,
    pairs: &[PairOfSets],
) -> Calibrated {
    let Some(names) = position(NAMES).filter(|&at| model.hears(at)) else { return model };
    let Some(known) = model.histograms(names) else { return model };
    let others: Vec<bool> = on.iter().enumerate().map(|(at, &on)| on && at != names).collect();
    let Some(chance) = alike_though_different(names, &trained.calibrate(&others), sets, pairs) else {
        return model;
    };
    let usual = known.between.probability(1.0);
    if chance <= usual {
        return model;
    }
    let mut counter = PairCounter::default();
    for bin in 0..BINS {
        let score = (bin as f64 + 0.5) / BINS as f64;
        let between = if score > ALIKE {
            chance
        } else {
            known.between.probability(score) * (1.0 - chance) / (1.0 - usual)
        };
        counter.add_weighted(score, true, PAIRS * known.within.probability(score));
        counter.add_weighted(score, false, PAIRS * between);
    }
    let histograms = counter.train();
    model.with_histograms(names, histograms)
}

/// How often pages that are of different types, as `judge` sees them, call themselves alike.
fn alike_though_different(
    names: usize,
    judge: &Calibrated,
    sets: &Sets,
    pairs: &[PairOfSets],
) -> Option<f64> {
    let size = |set: u32| sets.pages[set as usize].len() as f64;
    let (mut alike, mut all) = (0.0, 0.0);
    for pair in pairs {
        let told: Vec<f64> = pair.judged.iter().filter_map(|scores| scores[names]).collect();
        if !told.is_empty() {
            let different = 1.0 / (1.0 + pair.log_odds(judge).exp());
            let weight = size(pair.a) * size(pair.b) * different;
            all += weight;
            alike += weight * told.iter().filter(|&&score| score >= ALIKE).count() as f64 / told.len() as f64;
        }
    }
    (all > 0.0).then(|| alike / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experts::EXPERTS;

    /// Four sets of one page each: two lists, two articles. Addresses tell all four apart, names only lists from articles.
    fn site(alike_lists: f64) -> (Sets, Vec<PairOfSets>) {
        let sets = Sets::of(&[None, None, None, None]);
        let (url, names) = (position("url").unwrap(), position(NAMES).unwrap());
        let pair = |(a, b): (u32, u32)| {
            let mut scores = vec![None; EXPERTS.len()];
            scores[url] = Some(0.05);
            scores[names] = Some(if (a, b) == (0, 1) || (a, b) == (2, 3) { alike_lists } else { 0.0 });
            PairOfSets { a, b, judged: vec![scores] }
        };
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].into_iter().map(pair).collect();
        (sets, pairs)
    }

    fn worth(alike_lists: f64) -> f64 {
        let (sets, pairs) = site(alike_lists);
        let (trained, on) = (Model::built_in(), vec![true; EXPERTS.len()]);
        let model = limited(trained.calibrate(&on), (&trained, &on), &sets, &pairs);
        let names = position(NAMES).unwrap();
        model.share_of(names, Some(1.0))
    }

    #[test]
    fn names_that_types_share_are_worth_little() {
        assert!(worth(1.0) > 0.0 && worth(1.0) < 0.7 * worth(0.0), "{} {}", worth(1.0), worth(0.0));
    }
}
