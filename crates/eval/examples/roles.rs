//! Measures page roles on gold sites: R-precision of index pages for every published ranking and the default.
//!
//! `cargo run --release -p unsite-eval --example roles -- [--dump FILE] [--page-text] GOLD...` where GOLD are gold sites or
//! folders of them. `--dump` writes the traits of every page, from which the weights are trained, and leaves out the default.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use unsite_discover::page_types::{self, Options};
use unsite_discover::roles::{self, Counted, METHODS, SiteLinks};
use unsite_discover::{Site, induce};
use unsite_dom::{Limits, RawPage};

/// The gold role of each page; the news sites tell articles from the rest by their page types.
fn gold_roles(path: &Path) -> Result<(String, BTreeMap<String, String>), Box<dyn Error>> {
    let gold = unsite_eval::GoldSite::load(path)?;
    let roles = gold.pages.iter().filter_map(|page| {
        let role = page.role.clone().or_else(|| match page.page_type.as_deref() {
            Some("article") => Some("article".to_owned()),
            Some("non-article") => Some("index".to_owned()),
            _ => None,
        })?;
        Some((file(&page.file), role))
    });
    Ok((gold.meta.name.clone(), roles.collect()))
}

fn file(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

fn read(path: &Path) -> Result<Site, Box<dyn Error>> {
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default())?;
    let mut pages: Vec<RawPage> = Vec::new();
    let mut stream = source.pages()?;
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    Ok(Site::parse(pages, &Limits::default()))
}

/// The share of index pages among the first R, R being their number. Pages of equal score share their places, so that
/// the order of files, which follows the labels on some sites, cannot help. `None` without both index and article pages,
/// where every ranking would be perfect.
fn r_precision(scores: &[f64], files: &[String], gold: &BTreeMap<String, String>) -> Option<f64> {
    let label = |at: usize| match gold.get(&files[at]).map(String::as_str) {
        Some("index") => Some((scores[at], true)),
        Some("article") => Some((scores[at], false)),
        _ => None,
    };
    let mut known: Vec<(f64, bool)> = (0..files.len()).filter_map(label).collect();
    known.sort_by(|a, b| b.0.total_cmp(&a.0));
    let index = known.iter().filter(|page| page.1).count();
    let (mut open, mut hits) = (index, 0.0);
    for same in known.chunk_by(|a, b| a.0 == b.0) {
        let taken = open.min(same.len());
        hits += taken as f64 * same.iter().filter(|page| page.1).count() as f64 / same.len() as f64;
        open -= taken;
    }
    (index > 0 && index < known.len()).then(|| hits / index as f64)
}

fn shown(columns: &[Option<f64>]) -> String {
    let shown = columns.iter().map(|value| value.map_or("".into(), |value| format!("{value:.3}")));
    shown.collect::<Vec<_>>().join(" | ")
}

fn add(sums: &mut [(f64, usize)], columns: &[Option<f64>]) {
    for (sum, value) in sums.iter_mut().zip(columns) {
        *sum = (sum.0 + value.unwrap_or(0.0), sum.1 + usize::from(value.is_some()));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut dump, mut counted, mut gold) = (None, Counted::Anchors, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dump" => dump = arguments.next(),
            "--page-text" => counted = Counted::PageText,
            _ => gold.push(PathBuf::from(argument)),
        }
    }
    let mut table = String::new();
    let mut sums = vec![(0.0, 0usize); METHODS.len() + 1];
    let mut right: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    println!("| site | {} | ours | roles right |", METHODS.map(|method| method.name).join(" | "));
    println!("|---|{}---|---|", "---|".repeat(METHODS.len()));
    for path in unsite_eval::gold_paths(&gold)? {
        let (name, gold) = gold_roles(&path)?;
        if gold.is_empty() {
            continue;
        }
        let site = read(&path)?;
        let files: Vec<String> = site.pages.iter().map(|page| file(&page.raw.reference)).collect();
        let start = Instant::now();
        let links = SiteLinks::of(&site, counted);
        let mut columns: Vec<Option<f64>> =
            METHODS.iter().map(|method| r_precision(&method.rank(&links), &files, &gold)).collect();
        let published = start.elapsed().as_secs_f64();
        let types = page_types::cluster(&site, &Options { seed: 42, ..Options::default() });
        if dump.is_some() {
            for (at, (page, rank)) in roles::traits(&site).into_iter().enumerate() {
                let role = gold.get(&files[at]).map_or("?", String::as_str);
                write!(
                    table,
                    "{name}\t{}\t{role}\t{}\t{rank}\t{}",
                    files[at], types.type_of[at], page.answers_search
                )?;
                page.values.iter().try_for_each(|value| write!(table, "\t{value}"))?;
                writeln!(table, "\t{}", site.pages[at].raw.url)?;
            }
            eprintln!("{name} {published:.2} s");
            println!("| {name} | {} | | |", shown(&columns));
            add(&mut sums, &columns);
            continue;
        }
        let type_of = types.type_of.clone();
        let wrapper = induce(&site, types);
        let records: Vec<_> = site
            .pages
            .iter()
            .zip(&type_of)
            .map(|(page, &at)| wrapper.read(&page.raw, &page.tree, &page.cuts, Some(at)))
            .collect();
        let scores: Vec<f64> = records.iter().map(|record| record.index_score).collect();
        columns.push(r_precision(&scores, &files, &gold));
        let suite =
            path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let all = right.entry(suite).or_default();
        let mut own = (0, 0);
        for (record, file) in records.iter().zip(&files) {
            if let Some(role) = gold.get(file).filter(|role| *role != "other") {
                let found = if record.role == "no-match" { "search" } else { record.role.as_str() };
                own.0 += usize::from(role == found);
                own.1 += 1;
            }
        }
        (all.0, all.1) = (all.0 + own.0, all.1 + own.1);
        println!("| {name} | {} | {:.3} |", shown(&columns), own.0 as f64 / own.1.max(1) as f64);
        add(&mut sums, &columns);
    }
    if let Some(dump) = dump {
        std::fs::write(dump, table)?;
    }
    let means: Vec<String> = sums.iter().map(|(sum, n)| format!("{:.3}", sum / (*n).max(1) as f64)).collect();
    println!("| **mean** | {} | |", means.join(" | "));
    for (suite, (right, all)) in right {
        println!("{suite}: role right on {right} of {all} pages, {:.3}", right as f64 / all.max(1) as f64);
    }
    Ok(())
}
