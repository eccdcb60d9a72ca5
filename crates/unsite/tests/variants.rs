//! Random sites from the generator: what they were made from comes back.

#[path = "support/variant.rs"]
mod variant;

use unsite_sample::Knobs;
use variant::{read, totals};

/// Seeds of the clean variants. The example `variants` runs 200 and prints what each lost.
const SEEDS: std::ops::Range<u64> = 0..8;

/// Share of cells that must come back.
const CELLS: f64 = 0.95;

#[test]
fn the_sample_site_comes_back() {
    let result = read(&Knobs::default());
    let (cells, found) = totals(&result);
    assert!(found as f64 >= CELLS * cells as f64, "{found} of {cells}: {result:?}");
}

#[test]
fn clean_variants_come_back() {
    let (mut cells, mut found) = (0, 0);
    for seed in SEEDS {
        let result = read(&Knobs::random(seed));
        cells += totals(&result).0;
        found += totals(&result).1;
    }
    assert!(found as f64 >= CELLS * cells as f64, "{found} of {cells}");
}

#[test]
fn missing_values_and_noise_cost_little() {
    let (mut cells, mut found) = (0, 0);
    for seed in SEEDS {
        let result = read(&Knobs { missing: 0.05, noise: 0.05, ..Knobs::random(seed) });
        cells += totals(&result).0;
        found += totals(&result).1;
    }
    assert!(found as f64 >= CELLS * cells as f64, "{found} of {cells}");
}
