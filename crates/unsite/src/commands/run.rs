//! `unsite run`: everything, from pages to a database.

use std::path::PathBuf;

use anyhow::Result;
use unsite::{Exit, Options, Outcome};
use unsite_store::{Format, Output, Summary, TableSummary};

use super::from_web::{Fetched, WebArgs, acquire};
use crate::cli::{Destination, Discovery, Global};
use crate::ui::{self, Ui};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A web address to crawl, or a folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    #[command(flatten)]
    destination: Destination,
    /// Also write the main text of every page, into the table _main_text
    #[arg(long)]
    main_text: bool,
    #[command(flatten)]
    discovery: Discovery,
    #[command(flatten)]
    web: WebArgs,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = args.destination.open(&args.source)?;
    let mut fetched = Fetched::All;
    let source = if is_web_address(&args.source) {
        let archive = archive_beside(&output);
        fetched = acquire(&args.source, &args.web, &archive, &output, global)?;
        if let Fetched::NoGoingOn(exit) = fetched {
            return Ok(exit);
        }
        args.discovery.open(&archive.to_string_lossy())?
    } else {
        args.discovery.open(&args.source)?
    };
    let options = Options { main_text: args.main_text, ..args.discovery.options(global) };
    let outcome = unsite::run(&source, &output, &options, ui.progress().as_mut())?;
    if output.format() == Format::Sqlite
        && let Err(error) = unsite::write_datasette(&outcome.summary.path)
    {
        ui.warn(&format!("{} is not written: {error:#}", unsite::DATASETTE));
    }
    if ui.json {
        ui.print_json(&ui::summary_json(&outcome))?;
    } else if !ui.quiet {
        ui.print(&ui::summary_text(source.name(), &outcome, ui.width()))?;
    }
    let exit = conclude(ui, &outcome, &output);
    Ok(if exit == Exit::Done && fetched == Fetched::Part { Exit::Partial } else { exit })
}

/// Whether a SOURCE is an address of the web.
fn is_web_address(source: &str) -> bool {
    let start = source.get(..8).unwrap_or(source).to_ascii_lowercase();
    start.starts_with("http://") || start.starts_with("https://")
}

/// `site.db` is made from `site.warc.gz`; what goes to a server, from an archive here.
pub(super) fn archive_beside(output: &Output) -> PathBuf {
    let path = output.path();
    let name = path.file_stem().map_or_else(|| "pages".into(), |stem| stem.to_string_lossy().into_owned());
    match output.format() {
        Format::Postgres => format!("{}.warc.gz", name.split('?').next().unwrap_or("pages")).into(),
        _ => path.with_file_name(format!("{name}.warc.gz")),
    }
}

/// Warnings, what to try next, and how the run ended.
pub(crate) fn conclude(ui: Ui, outcome: &Outcome, output: &Output) -> Exit {
    let summary = &outcome.summary;
    if summary.duplicate_urls > 0 {
        let pages = ui::counted(summary.duplicate_urls, "page");
        ui.warn(&format!("{pages} with the URL of another page; all were kept, see _problems"));
    }
    if outcome.is_partial() {
        ui.warn(&format!("part of the source could not be read ({})", ui::problem_counts(outcome)));
    }
    warn_of_files(ui, summary);
    let path = summary.path.display();
    let tables = ui::in_order(&summary.tables, &outcome.stored);
    match (tables.first().and_then(|table| cell(table)), output.format()) {
        (None, _) => {
            ui.warn("no tables were found; structure shows only between several pages of the same kind");
        }
        (Some((table, row, column)), Format::Sqlite) => {
            ui.hint(&format!("look into it: sqlite3 {path} 'select * from {table} limit 5'"));
            ui.hint(&format!("where a value comes from: unsite why {path} {table} {row} {column}"));
        }
        (Some((table, ..)), Format::Postgres) => {
            let schema = output.schema().map_or_else(String::new, |schema| format!("{}.", quoted(schema)));
            ui.hint(&format!("look into it with psql: select * from {schema}{} limit 5", quoted(table)));
        }
        (Some(_), _) => ui.hint("-o site.db writes one SQLite file with keys, which `unsite why` can read"),
    }
    if outcome.is_partial() { Exit::Partial } else { Exit::Done }
}

/// What files leave out, and what was left beside them.
pub(crate) fn warn_of_files(ui: Ui, summary: &Summary) {
    if summary.left_out > 0 {
        let values = ui::counted(summary.left_out, "value");
        ui.warn(&format!("{values} not of their column's type are left out; a folder (-o name.parquet/) keeps them in _cells"));
    }
    if let Some(stale) = &summary.stale {
        ui.warn(&format!(
            "{} is of an earlier run and was left as it is; remove it if you do not need it",
            stale.display()
        ));
    }
}

/// A name as SQL takes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A cell of the table that holds something: its table, row and column.
fn cell(table: &TableSummary) -> Option<(&str, i64, &str)> {
    let filled = |(row, id): (&Vec<Option<String>>, &i64)| Some((*id, row.iter().position(Option::is_some)?));
    let (id, column) = table.samples.iter().zip(&table.sample_ids).find_map(filled)?;
    Some((&table.name, id, table.columns.get(column)?))
}
