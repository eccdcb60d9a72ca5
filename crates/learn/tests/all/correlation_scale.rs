//! Correlation clustering at the sizes that record linkage and large sites need.

use unsite_learn::correlation::PairScores;
use unsite_learn::measures::clustering::adjusted_rand;
use unsite_learn::rng::Rng;

#[test]
fn a_million_items_with_two_million_sparse_pairs() {
    // Unoptimised builds get a tenth, so that they stay quick too.
    let items = if cfg!(debug_assertions) { 100_000u32 } else { 1_000_000 };
    let mut rng = Rng::new(1);
    let group = |item: u32| item / 4;
    let mut pairs = Vec::new();
    for item in 0..items {
        // Mates attract, a random stranger repels.
        pairs.push((item, group(item) * 4 + (item + 1) % 4, 1.0 + rng.next_f64()));
        let stranger = rng.below(items as usize) as u32;
        if group(stranger) != group(item) {
            pairs.push((item, stranger, -1.0 - rng.next_f64()));
        }
    }
    let scores = PairScores::new(items as usize, pairs);
    let labels = scores.cluster();
    let truth: Vec<u32> = (0..items).map(group).collect();
    assert!(adjusted_rand(&labels, &truth) > 0.99);
}

#[test]
fn one_component_with_hubs_stays_fast() {
    // A star of stars: every hub meets thousands of leaves, and the hubs attract each other.
    let (hubs, leaves) = (50u32, 4_000u32);
    let mut pairs = Vec::new();
    for hub in 0..hubs {
        pairs.push((hub, (hub + 1) % hubs, 1.0));
        pairs.extend((0..leaves).map(|leaf| (hub, hubs + hub * leaves + leaf, 0.5)));
    }
    let scores = PairScores::new((hubs + hubs * leaves) as usize, pairs);
    assert!(scores.cluster().iter().all(|&label| label == 0));
}

#[test]
fn a_dense_problem_of_two_thousand_items() {
    let items = if cfg!(debug_assertions) { 600 } else { 2_000 };
    let mut rng = Rng::new(2);
    let truth: Vec<usize> = (0..items).map(|_| rng.below(12)).collect();
    let noise: Vec<f64> = (0..4_096).map(|_| rng.next_f64() * 4.0 - 2.0).collect();
    let score = |a: usize, b: usize| {
        (if truth[a] == truth[b] { 0.5 } else { -0.5 }) + noise[(a * 31 + b * 17 + a * b) % noise.len()]
    };
    let labels = PairScores::dense(truth.len(), score).cluster();
    assert!(adjusted_rand(&labels, &truth) > 0.95);
}
