//! Measures wrappers on gold sites: routing of unseen pages, drift between halves and between themes, repair.
//!
//! `cargo run --release -p unsite-eval --example wrappers -- MODE DATA [FILTER]`, where DATA holds the suites and MODE is
//! - `mixed`: all sites of `swde` thrown together, 50 pages of each learned, the rest routed; pages of `live` are foreign;
//! - `route`: each site of `live` alone, every other page learned; pages of the other sites are foreign;
//! - `halves`: drift alarms over random halves of every site of `swde`, `live` and `redesign` (must be none);
//! - `themes`: drift over all ordered pairs of themes of `redesign` (must be noticed);
//! - `repair`: repair over the same pairs; `OLD:NEW` behind the filter takes one pair and shows what went wrong;
//! - `synthetic`: drift and repair over redesigns that the site generator makes, one change at a time and all of them;
//! - `same`: repair on the very pages that were learned from, alone and with pages of another site among them, over `redesign`,
//!   `live` and `swde`: no column may lose a value;
//! - `edits`: changes by hand on one half of each site of `live`, made again on what is learned from the other half;
//! - `edits-repaired`: the same after a repair, over the pairs of themes;
//! - `unseen`: extraction of unseen pages from 20 training pages beside discovery on the same pages, on `swde`.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

mod drift;
mod edits;
mod repair;
mod routing;
mod same;
mod synthetic;
mod unseen;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use unsite_discover::{Site, induce, page_types, remember};
use unsite_dom::{Limits, RawPage};
use unsite_eval::{GoldPage, GoldSite};
use unsite_wrapper::{Provenance, SavedWrapper, Wrapper};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().ok_or("which mode?")?;
    let data = PathBuf::from(arguments.next().ok_or("where are the gold sites?")?);
    let filter = arguments.next().unwrap_or_default();
    match mode.as_str() {
        "mixed" => routing::mixed(&data),
        "route" => routing::route(&data, &filter),
        "halves" => drift::halves(&data, &filter),
        "themes" => drift::themes(&data, &filter),
        "repair" => repair::repair(&data, &filter, arguments.next().as_deref()),
        "synthetic" => synthetic::synthetic(&filter),
        "same" => same::same(&data, &filter),
        "edits" => edits::again(&data, &filter),
        "edits-repaired" => edits::repaired(&data, &filter),
        "unseen" => unseen::unseen(&data, &filter),
        _ => Err("no such mode".into()),
    }
}

/// The pages of a gold site with their page types.
struct Gold {
    name: String,
    pages: Vec<(RawPage, Option<String>)>,
    labels: BTreeMap<String, GoldPage>,
}

fn load(path: &Path) -> Result<Gold, Box<dyn Error>> {
    let gold = GoldSite::load(path)?;
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let kinds: BTreeMap<String, Option<String>> =
        gold.pages.iter().map(|page| (file(&page.file), page.page_type.clone())).collect();
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default())?;
    let mut stream = source.pages()?;
    let mut pages = Vec::new();
    while let Some(page) = stream.next_page() {
        let Ok(page) = page else { continue };
        let kind = kinds.get(&file(&page.reference)).cloned().flatten();
        pages.push((page, kind));
    }
    let labels = gold.pages.iter().map(|page| (file(&page.file), page.clone())).collect();
    Ok(Gold { name: gold.meta.name, pages, labels })
}

fn sites(data: &Path, suites: &[&str], filter: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for suite in suites {
        paths.extend(unsite_eval::gold_paths(&[data.join(suite)])?);
    }
    paths.retain(|path| path.to_string_lossy().contains(filter));
    Ok(paths)
}

/// Learns from pages; also the site.
fn learn(pages: Vec<RawPage>) -> (Site, Wrapper) {
    let site = Site::parse(pages, &Limits::default());
    let types = page_types::cluster(&site, &page_types::Options { seed: 42, ..Default::default() });
    let wrapper = induce(&site, types);
    (site, wrapper)
}

/// The themes of each site of `redesign`.
fn theme_groups(data: &Path, filter: &str) -> Result<Vec<Vec<Gold>>, Box<dyn Error>> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in sites(data, &["redesign"], filter)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        groups.entry(name.split("__").next().unwrap_or_default().to_owned()).or_default().push(path);
    }
    groups.values().map(|paths| paths.iter().map(|path| load(path)).collect()).collect()
}

fn saved(pages: Vec<RawPage>) -> SavedWrapper {
    let (site, wrapper) = learn(pages);
    remember(&site, wrapper, Provenance::default())
}
