//! `unsite demo`: the whole job on the embedded sample site, and what came back of the tables it was made from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use unsite::{Exit, Options};
use unsite_acquire::Source;
use unsite_dom::RawPage;
use unsite_eval::{GoldSite, Observed, Scorer, Set, TargetScore};
use unsite_sample::{Knobs, Site};
use unsite_store::{Format, Output};

use super::run::conclude;
use super::scratch::Scratch;
use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid, STRONG, styled};

/// What the sample site is called.
const TITLE: &str = "Larkspur Books, the embedded sample site";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to write: .db (SQLite), .csv, .jsonl, or a folder/ of CSV files
    #[arg(short, long, value_name = "FILE", default_value = "demo.db")]
    output: PathBuf,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = Output::parse(&args.output)?;
    let options = args.discovery.options(global);
    let site = Site::generate(&Knobs::default());
    let source = Source::memory(pages(&site));
    let outcome = unsite::run(&source, &output, &options, ui.progress().as_mut())?;
    let observed = match output.format() {
        Format::Sqlite => Observed::from_database(&outcome.summary.path)?,
        _ => observed_apart(&source, &options)?,
    };
    let comparison = compare(&site, &observed)?;
    if ui.json {
        let mut summary = ui::summary_json(&outcome);
        summary["compared"] = json!(comparison.iter().map(Compared::json).collect::<Vec<_>>());
        ui.print_json(&summary)?;
    } else if !ui.quiet {
        let mut text = ui::summary_text(TITLE, &outcome, ui.width());
        text += &comparison_text(&comparison, ui.width());
        ui.print(&text)?;
    }
    Ok(conclude(ui, &outcome, output.format()))
}

/// The site as a source. A page is named as in the labels, so that its values can be compared with them.
fn pages(site: &Site) -> Vec<RawPage> {
    let page = |(page, gold): (&unsite_sample::SamplePage, &unsite_sample::GoldPage)| RawPage {
        url: page.url.clone(),
        reference: gold.file.clone(),
        bytes: page.html.clone().into_bytes(),
        ..RawPage::default()
    };
    site.pages.iter().zip(&site.gold).map(page).collect()
}

/// Only a database can be read back: for other outputs the same run goes into one that is thrown away.
fn observed_apart(source: &Source, options: &Options) -> Result<Observed> {
    let scratch = Scratch::run(source, options, &mut ())?;
    Ok(Observed::from_database(&scratch.database())?)
}

/// How much came back of one part of the known tables.
struct Compared {
    /// The kind of page, and what of it.
    name: String,
    known: u64,
    found: u64,
    precision: f64,
}

impl Compared {
    fn json(&self) -> Value {
        json!({"name": self.name, "known": self.known, "found": self.found, "precision": self.precision})
    }
}

/// Scores the run as `unsite eval` does, summed up for each kind of page.
fn compare(site: &Site, observed: &Observed) -> Result<Vec<Compared>> {
    let files: BTreeMap<String, Vec<u8>> = site.gold_files().into_iter().take(2).collect();
    let part = |name: &str| files.get(name).context("the sample site has no labels");
    let gold = GoldSite::from_parts("sample", part("meta.json")?, part("gold.jsonl")?)?;
    let scorer = Scorer::new(&gold.pages, observed);
    let mut all = sum_up(&scorer.score(Set::Fields), &known_values(site), "values of");
    all.extend(sum_up(&scorer.score(Set::Records), &known_records(site), "list rows on"));
    Ok(all)
}

/// Distinct values of each field on each page, by `page_type.field`.
fn known_values(site: &Site) -> BTreeMap<String, u64> {
    let mut values: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for page in &site.gold {
        for (field, all) in &page.fields {
            let known = values.entry(format!("{}.{field}", page.page_type)).or_default();
            known.extend(all.iter().map(|value| (page.file.as_str(), value.as_str())));
        }
    }
    values.into_iter().map(|(name, values)| (name, values.len() as u64)).collect()
}

/// Rows of the main lists, by page type.
fn known_records(site: &Site) -> BTreeMap<String, u64> {
    let mut records: BTreeMap<String, u64> = BTreeMap::new();
    for page in &site.gold {
        *records.entry(page.page_type.clone()).or_default() += page.records.len() as u64;
    }
    records
}

/// One line for each kind of page: recall weighs each target by what there was to find, precision by what was found.
fn sum_up(targets: &[TargetScore], known: &BTreeMap<String, u64>, what: &str) -> Vec<Compared> {
    let mut kinds: BTreeMap<&str, (u64, f64, f64)> = BTreeMap::new();
    for target in targets {
        let there = known.get(&target.name).copied().unwrap_or_default();
        let hits = target.prf.recall * there as f64;
        let kind = kinds.entry(target.name.split('.').next().unwrap_or_default()).or_default();
        kind.0 += there;
        kind.1 += hits;
        kind.2 += if target.prf.precision > 0.0 { hits / target.prf.precision } else { 0.0 };
    }
    let compared = |(kind, (known, hits, given)): (&str, (u64, f64, f64))| Compared {
        name: format!("{what} {kind} pages"),
        known,
        found: hits.round() as u64,
        precision: if given > 0.0 { hits / given } else { 0.0 },
    };
    kinds.into_iter().map(compared).filter(|compared| compared.known > 0).collect()
}

fn comparison_text(comparison: &[Compared], width: usize) -> String {
    let mut grid = Grid::new(comparison.len());
    let share = |part: f64, all: f64| format!("{:.0} %", if all > 0.0 { part / all * 100.0 } else { 0.0 });
    grid.text("in the right column", 40, comparison.iter().map(|c| &c.name));
    grid.numbers("known", comparison.iter().map(|c| ui::number(c.known)));
    grid.numbers("found", comparison.iter().map(|c| ui::number(c.found)));
    grid.numbers("recall", comparison.iter().map(|c| share(c.found as f64, c.known as f64)));
    grid.numbers("precision", comparison.iter().map(|c| share(c.precision, 1.0)));
    let lines = grid.lines(2, width).0.join("\n");
    format!("\n{}\n{lines}\n", styled(STRONG, "Compared with the tables the sample was made from"))
}
