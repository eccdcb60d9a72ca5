//! Of how many random generated sites the database is the one they were made from: those tables, under their names, and no others.
//!
//! `cargo run --release -p unsite-discover --example schemas -- [VARIANTS] [--from SEED] [--demo] [-v]`; 200 clean variants unless told otherwise.
#![allow(clippy::disallowed_methods, reason = "an example may read arguments")]
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]
#![allow(missing_docs)]

#[path = "../tests/support/behind.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod behind;

use std::collections::BTreeMap;

use behind::{Differences, differences};
use unsite_sample::Knobs;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let from = arguments.iter().position(|argument| argument == "--from");
    let first: u64 = from.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(0);
    let count = arguments.iter().enumerate().filter(|(at, _)| from.is_none_or(|from| *at != from + 1));
    let variants: u64 = count.filter_map(|(_, argument)| argument.parse().ok()).next().unwrap_or(200);
    let all: Vec<(String, Knobs)> = match has("--demo") {
        true => vec![("the demo".into(), Knobs::default())],
        false => {
            (first..first + variants).map(|seed| (format!("seed {seed}"), Knobs::random(seed))).collect()
        }
    };
    let (mut exact, mut whole) = (0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (name, knobs) in &all {
        let found = differences(knobs);
        exact += usize::from(found.is_exact());
        whole += usize::from(found.is_nothing());
        let Differences { tables, rows, columns, numbered } = &found;
        for what in tables.iter().chain(rows).chain(columns).chain(numbered) {
            let kind = format!(
                "{:?} {:?} {}",
                knobs.family,
                knobs.language,
                what.split([',', ':', '(']).next().unwrap_or_default()
            );
            *kinds.entry(kind).or_default() += 1;
            if has("-v") {
                println!("  {name} {:?} {:?}: {what}", knobs.family, knobs.language);
            }
        }
    }
    println!("{exact} of {} exactly, {whole} with every column and no other", all.len());
    let mut kinds: Vec<(String, usize)> = kinds.into_iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    for (what, times) in kinds {
        println!("  {times:4} {what}");
    }
}
