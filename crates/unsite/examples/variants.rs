//! How much of random generated sites comes back, clean and with 5 % missing values and 5 % template noise.
//!
//! `cargo run --release -p unsite --example variants -- [VARIANTS] [-v]`; 200 variants unless told otherwise.
#![allow(clippy::print_stdout, missing_docs)]

#[path = "../tests/support/variant.rs"]
mod variant;

use std::collections::BTreeMap;

use unsite_eval::recovery::Recovered;
use unsite_sample::Knobs;
use variant::{read, totals};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    let variants: u64 = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(200);
    println!(
        "{:8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7}",
        "", "variants", "exact", "cells", "rows", "links", "extra"
    );
    for (name, change) in [("clean", false), ("noisy", true)] {
        let (mut exact, mut broken) = (0, BTreeMap::<String, usize>::new());
        let mut sums = [0usize; 7];
        for seed in 0..variants {
            let clean = Knobs::random(seed);
            let knobs = if change { Knobs { missing: 0.05, noise: 0.05, ..clean } } else { clean };
            let result = read(&knobs);
            exact += u64::from(result.iter().all(|table| table.is_exact()));
            let (cells, found) = totals(&result);
            sums[0] += found;
            sums[1] += cells;
            for table in &result {
                sums[2] += table.rows_found;
                sums[3] += table.rows;
                sums[4] += table.links_found;
                sums[5] += table.links;
                sums[6] += table.extra;
                for (column, found, extra, wanted) in &table.broken {
                    *broken.entry(format!("{}.{column}", table.name)).or_default() += 1;
                    if verbose {
                        let (family, language) = (knobs.family, knobs.language);
                        println!(
                            "  seed {seed} {family:?} {language:?} {}.{column}: {found} of {wanted}, {extra} extra",
                            table.name
                        );
                    }
                }
                if verbose && (table.rows_found < table.rows || table.links_found < table.links) {
                    let Recovered { name, rows, rows_found, links, links_found, .. } = table;
                    println!(
                        "  seed {seed} {name}: rows {rows_found} of {rows}, links {links_found} of {links}"
                    );
                }
            }
        }
        let share = |at: usize| sums[at] as f64 / sums[at + 1].max(1) as f64;
        println!(
            "{name:8} {variants:8} {exact:8} {:7.4} {:7.4} {:7.4} {:7.4}",
            share(0),
            share(2),
            share(4),
            sums[6] as f64 / sums[1].max(1) as f64
        );
        for (column, variants) in broken {
            println!("    {column} is not whole in {variants} variants");
        }
    }
}
