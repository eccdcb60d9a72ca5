//! The database of generated sites is the one they were made from: those tables, under their names, and no others.

#![allow(clippy::print_stdout, reason = "a measure says what it measured")]
#![allow(clippy::disallowed_methods, reason = "how many variants are measured is said from outside")]

use std::collections::BTreeSet;

use unsite_discover::page_types::Options;
use unsite_sample::{Knobs, Site};

use crate::behind::{Shown, differences};

/// Variants that are measured by default; all 200 take a minute (`UNSITE_VARIANTS=200`, or the example `schemas`).
const VARIANTS: u64 = 12;
/// Of a hundred clean variants so many come back exactly.
const EXACT: f64 = 0.95;
/// Of a hundred names so many may change with a tenth more pages or another seed.
const CHANGED: f64 = 0.02;

#[test]
fn the_sample_site_comes_back_as_it_was_made() {
    let found = differences(&Knobs::default());
    assert!(found.is_nothing(), "{found:#?}");
}

#[test]
fn variants_come_back_as_they_were_made() {
    let wanted = std::env::var("UNSITE_VARIANTS").ok().and_then(|count| count.parse().ok());
    let variants = wanted.unwrap_or(VARIANTS);
    let mut exact = 0;
    let mut others = String::new();
    for seed in 0..variants {
        let found = differences(&Knobs::random(seed));
        exact += u64::from(found.is_exact());
        if !found.is_exact() {
            others += &format!("seed {seed}: {found:#?}\n");
        }
        assert!(found.numbered.is_empty(), "seed {seed}: {:?}", found.numbered);
    }
    println!("{exact} of {variants} variants come back exactly\n{others}");
    assert!(exact as f64 >= EXACT * variants as f64, "{exact} of {variants}\n{others}");
}

#[test]
fn names_stay_with_more_pages_and_another_seed() {
    let site = Site::generate(&Knobs::default());
    let pages = |step: usize| {
        let kept = site.pages.iter().enumerate().filter(move |(at, _)| at % 11 != step);
        kept.map(|(_, page)| (page.url.clone(), page.html.clone()))
    };
    let names =
        |step: usize, seed: u64| Shown::of(pages(step), &Options { seed, ..Options::default() }).names();
    let all: BTreeSet<String> = names(11, 42);
    for (step, seed) in [(0, 42), (4, 42), (7, 42), (11, 1), (11, 2)] {
        let then = names(step, seed);
        let gone: Vec<&String> = then.difference(&all).collect();
        println!(
            "without every 11th page from {step}, seed {seed}: {} of {} names change",
            gone.len(),
            then.len()
        );
        assert!(gone.len() as f64 <= CHANGED * then.len() as f64, "{step} {seed}: {gone:?}");
    }
}
