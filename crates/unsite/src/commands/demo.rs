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
    /// Where to write: .db (SQLite), .parquet, .csv, .jsonl, a folder/ of CSV files, or postgres://...
    #[arg(short, long, value_name = "FILE", default_value = "demo.db")]
    output: PathBuf,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = Output::parse(&args.output)?.replace(true);
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
        summary["compared"] = comparison.json();
        ui.print_json(&summary)?;
    } else if !ui.quiet {
        let mut text = ui::summary_text(TITLE, &outcome, ui.width());
        text += &comparison.text(ui.width());
        ui.print(&text)?;
    }
    Ok(conclude(ui, &outcome, &output))
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

/// What came back of what the sample was made from.
struct Comparison {
    /// Over pairs of pages that are of one kind.
    page_types: TargetScore,
    parts: Vec<Part>,
}

/// How much came back of one part of the known tables.
struct Part {
    /// The kind of page, and what of it.
    name: String,
    known: u64,
    found: u64,
    precision: f64,
}

/// Scores the run as `unsite eval` does, summed up for each kind of page.
fn compare(site: &Site, observed: &Observed) -> Result<Comparison> {
    let files: BTreeMap<String, Vec<u8>> = site.gold_files().into_iter().take(2).collect();
    let file = |name: &str| files.get(name).context("the sample site has no labels");
    let gold = GoldSite::from_parts("sample", file("meta.json")?, file("gold.jsonl")?)?;
    let scorer = Scorer::new(&gold.pages, observed);
    let mut parts = sum_up(&scorer.score(Set::Fields), &known_values(site), "values on");
    parts.extend(sum_up(&scorer.score(Set::Records), &known_records(site), "list rows on"));
    let page_types =
        scorer.score(Set::Pages).into_iter().next().context("the sample site has no page types")?;
    Ok(Comparison { page_types, parts })
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
fn sum_up(targets: &[TargetScore], known: &BTreeMap<String, u64>, what: &str) -> Vec<Part> {
    let mut kinds: BTreeMap<&str, (u64, f64, f64)> = BTreeMap::new();
    for target in targets {
        let there = known.get(&target.name).copied().unwrap_or_default();
        let hits = target.prf.recall * there as f64;
        let kind = kinds.entry(target.name.split('.').next().unwrap_or_default()).or_default();
        kind.0 += there;
        kind.1 += hits;
        kind.2 += if target.prf.precision > 0.0 { hits / target.prf.precision } else { 0.0 };
    }
    let part = |(kind, (known, hits, given)): (&str, (u64, f64, f64))| Part {
        name: format!("{what} {kind} pages"),
        known,
        found: hits.round() as u64,
        precision: if given > 0.0 { hits / given } else { 0.0 },
    };
    kinds.into_iter().map(part).filter(|part| part.known > 0).collect()
}

impl Comparison {
    fn text(&self, width: usize) -> String {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let mut grid = Grid::new(self.parts.len());
        grid.text("each field in its best column", 40, self.parts.iter().map(|part| &part.name));
        grid.numbers("known", self.parts.iter().map(|part| ui::number(part.known)));
        grid.numbers("found", self.parts.iter().map(|part| ui::number(part.found)));
        grid.numbers("recall", self.parts.iter().map(|part| percent(part.found as f64 / part.known as f64)));
        grid.numbers("precision", self.parts.iter().map(|part| percent(part.precision)));
        let pairs = self.page_types.prf;
        format!(
            "\n{}\n{}\n  pairs of pages of one type: recall {}, precision {}\n",
            styled(STRONG, "Compared with the tables the sample was made from"),
            grid.lines(2, width).0.join("\n"),
            percent(pairs.recall),
            percent(pairs.precision),
        )
    }

    fn json(&self) -> Value {
        let part = |part: &Part| json!({"name": part.name, "known": part.known, "found": part.found, "precision": part.precision});
        json!({"page_types": self.page_types, "parts": self.parts.iter().map(part).collect::<Vec<_>>()})
    }
}
