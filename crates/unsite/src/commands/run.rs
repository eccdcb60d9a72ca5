//! `unsite run`: everything, from pages to a database.

use std::path::PathBuf;

use anyhow::Result;
use unsite::{Exit, Outcome};
use unsite_store::{Format, Output, TableSummary};

use crate::cli::{Discovery, Global};
use crate::ui::{self, Ui};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// Where to write: .db (SQLite), .csv, .jsonl, or a folder/ of CSV files
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    // A name that says nothing is told before hours of reading, not after.
    let output = Output::parse(&args.output)?;
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let outcome = unsite::run(&source, &output, &options, ui.progress().as_mut())?;
    if ui.json {
        ui.print_json(&ui::summary_json(&outcome))?;
    } else if !ui.quiet {
        ui.print(&ui::summary_text(source.name(), &outcome, ui.width()))?;
    }
    Ok(conclude(ui, &outcome, output.format()))
}

/// Warnings, what to try next, and how the run ended.
pub(crate) fn conclude(ui: Ui, outcome: &Outcome, format: Format) -> Exit {
    let summary = &outcome.summary;
    if summary.duplicate_urls > 0 {
        let pages = ui::counted(summary.duplicate_urls, "page");
        ui.warn(&format!("{pages} with the URL of another page; all were kept, see _problems"));
    }
    if outcome.is_partial() {
        ui.warn(&format!("part of the source could not be read ({})", ui::problem_counts(outcome)));
    }
    let path = summary.path.display();
    match (ui::largest_first(&summary.tables).first().and_then(|table| cell(table)), format) {
        (None, _) => {
            ui.warn("no tables were found; structure shows only between several pages of the same kind");
        }
        (Some((table, row, column)), Format::Sqlite) => {
            ui.hint(&format!("look into it: sqlite3 {path} 'select * from {table} limit 5'"));
            ui.hint(&format!("where a value comes from: unsite why {path} {table} {row} {column}"));
        }
        (Some(_), _) => ui.hint("-o site.db writes one SQLite file with keys, which `unsite why` can read"),
    }
    if outcome.is_partial() { Exit::Partial } else { Exit::Done }
}

/// A cell of the table that holds something: its table, row and column.
fn cell(table: &TableSummary) -> Option<(&str, usize, &str)> {
    let filled = |(at, row): (usize, &Vec<Option<String>>)| Some((at, row.iter().position(Option::is_some)?));
    let (row, column) = table.samples.iter().enumerate().find_map(filled)?;
    Some((&table.name, row + 1, table.columns.get(column)?))
}
