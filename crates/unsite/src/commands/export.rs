//! `unsite export`: a wrapper as code or selectors for other tools.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use unsite::Exit;
use unsite::export::verify::{Agreement, Verified, verify};
use unsite::export::{Exported, Parser, Target, export};
use unsite_acquire::{Source, SourceOptions};
use unsite_dom::{Limits, RawPage};
use unsite_wrapper::Wrapper;

use super::by_hand;
use crate::cli::Global;
use crate::ui::{self, Grid, Ui};

/// Pages that Python is given together.
const BATCH: usize = 500;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    /// What to write: a Scrapy spider, a Python module for parsel, or a list of XPath or CSS selectors
    #[arg(long, value_name = "TARGET", value_parser = parse_target)]
    to: Target,
    /// Where to write it; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Parse pages with html5lib, as browsers do, instead of lxml: slower, and right where markup is broken
    #[arg(long)]
    html5lib: bool,
    /// Run it on these pages and say, column by column, how far it reads what extract reads
    #[arg(long, value_name = "SOURCE")]
    verify: Option<String>,
    /// The Python to verify with; it needs parsel, and for scrapy also Scrapy
    #[arg(long, value_name = "FILE", default_value = "python3")]
    python: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let wrapper = by_hand::open(&args.wrapper, ui)?.wrapper;
    let name = args.wrapper.file_name().unwrap_or_default().to_string_lossy();
    let parser = if args.html5lib { Parser::Html5lib } else { Parser::Lxml };
    let exported = export(&wrapper, args.to, parser, &name);
    let agreement = match &args.verify {
        Some(source) => Some(agreement(&wrapper, &exported, source, &args.python)?),
        None => None,
    };
    match &args.output {
        Some(path) => write(path, &exported.text)?,
        None if !ui.json => ui.print(&exported.text)?,
        None => {}
    }
    if ui.json {
        ui.print_json(&as_json(args, &exported, agreement.as_ref()))?;
    } else if let Some(agreement) = &agreement {
        let text = table(agreement, ui.width());
        // Standard output is the code, unless that went elsewhere.
        match args.output {
            Some(_) => ui.print(&text)?,
            None => ui.note(&text),
        }
    }
    tell(ui, args, &exported, agreement.as_ref());
    Ok(Exit::Done)
}

fn tell(ui: Ui, args: &Args, exported: &Exported, verified: Option<&Verified>) {
    for left in &exported.left_out {
        let dot = if left.column.is_empty() { "" } else { "." };
        ui.warn(&format!("{}{dot}{} is not exported: {}", left.table, left.column, left.reason));
    }
    let Some(verified) = verified else {
        ui.hint("--verify SOURCE runs it on pages and says how far it agrees, column by column");
        return;
    };
    for (page, ours, theirs) in &verified.misrouted {
        let theirs = if theirs.is_empty() { "none" } else { theirs };
        ui.warn(&format!("{page} is of type {ours} here, {theirs} there"));
    }
    for ((table, column), found) in verified.columns.iter().filter(|(_, found)| found.equal < found.cells) {
        if let Some((page, ours, theirs)) = found.examples.first() {
            let shown = |text: &Option<String>| {
                text.as_deref().map_or_else(|| "nothing".to_owned(), |t| format!("{:?}", ui::fit(t, 60)))
            };
            ui.warn(&format!("{table}.{column} on {page}: {} here, {} there", shown(ours), shown(theirs)));
        }
    }
    let (cells, equal) = totals(verified);
    if !args.html5lib && (equal as f64) < WELL_AGREED * cells as f64 {
        ui.hint("markup that is broken is read otherwise by lxml; --html5lib writes code that parses as browsers do");
    }
    if let Some(path) = &args.output {
        let how = match args.to {
            Target::Scrapy => format!("scrapy runspider {} -a start=URL -O items.jsonl", path.display()),
            Target::Parsel => format!("python3 {} < pages.jsonl > items.jsonl", path.display()),
            Target::XPath | Target::Css => return,
        };
        ui.hint(&format!("run it: {how}"));
    }
}

/// With a smaller share of equal cells than this, what lxml makes of broken markup is the likely reason.
const WELL_AGREED: f64 = 0.99;

/// All cells, and those that are equal.
fn totals(verified: &Verified) -> (u64, u64) {
    let columns = || verified.columns.values();
    (columns().map(|found| found.cells).sum(), columns().map(|found| found.equal).sum())
}

/// Runs the exported code on all pages of a source, some at a time.
fn agreement(wrapper: &Wrapper, exported: &Exported, source: &str, python: &str) -> Result<Verified> {
    let limits = Limits::default();
    let source = Source::open(source, &SourceOptions { limits, ..SourceOptions::default() })?;
    let mut pages = source.pages()?;
    let mut verified = Verified::default();
    loop {
        let mut batch: Vec<RawPage> = Vec::new();
        while batch.len() < BATCH
            && let Some(item) = pages.next_page()
        {
            batch.extend(item.ok());
        }
        if batch.is_empty() {
            return Ok(verified);
        }
        verify(wrapper, &exported.program, &batch, python, &limits, &mut verified)?;
    }
}

fn table(verified: &Verified, width: usize) -> String {
    let agreement = &verified.columns;
    let mut grid = Grid::new(agreement.len() + 1);
    let (cells, equal) = totals(verified);
    let all = Agreement { cells, equal, examples: Vec::new() };
    let names = agreement.keys().map(|(table, _)| table.as_str()).chain(["all"]);
    grid.text("table", 30, names);
    grid.text("column", 30, agreement.keys().map(|(_, column)| column.as_str()).chain([""]));
    grid.numbers("cells", agreement.values().chain([&all]).map(|found| ui::number(found.cells)));
    grid.numbers("agreement", agreement.values().chain([&all]).map(share));
    let pages = format!(
        "{} of {} pages are taken for the same type",
        ui::number(verified.routed),
        ui::number(verified.pages)
    );
    grid.lines(0, width).0.join("\n") + "\n" + &pages + "\n"
}

/// In percent; only what is equal to the last cell is 100.
fn share(found: &Agreement) -> String {
    let share = 100.0 * found.equal as f64 / found.cells.max(1) as f64;
    let rounded = if found.equal < found.cells { share.min(99.9) } else { share };
    format!("{rounded:.1} %")
}

fn as_json(args: &Args, exported: &Exported, verified: Option<&Verified>) -> Value {
    let left_out: Vec<Value> = exported
        .left_out
        .iter()
        .map(|left| json!({"table": left.table, "column": left.column, "reason": left.reason}))
        .collect();
    let columns = verified.map(|verified| {
        let one = |((table, column), found): (&(String, String), &Agreement)| {
            let differs: Vec<Value> = found
                .examples
                .iter()
                .map(|(page, here, there)| json!({"page": page, "here": here, "there": there}))
                .collect();
            json!({
                "table": table, "column": column, "cells": found.cells, "equal": found.equal, "differs": differs
            })
        };
        verified.columns.iter().map(one).collect::<Vec<Value>>()
    });
    let text = if args.output.is_none() { Some(&exported.text) } else { None };
    let routed = verified.map(|verified| json!({"pages": verified.pages, "as_here": verified.routed}));
    json!({
        "columns": exported.columns, "left_out": left_out, "agreement": columns, "page_types": routed, "text": text
    })
}

/// Replaces a file whole or not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    let lines: Vec<String> = vec![text.trim_end_matches('\n').to_owned()];
    Ok(unsite_store::records_io::write_text(path, &lines)?)
}

fn parse_target(name: &str) -> Result<Target, String> {
    let known = || Target::ALL.map(|(name, _)| name).join(", ");
    Target::ALL
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, target)| *target)
        .ok_or_else(|| format!("there is no such target; the targets are {}", known()))
}
