//! `unsite repair`: a wrapper made fit for a site that has changed.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{read_wrapper, repair_wrapper, write_wrapper};
use unsite_discover::{ColumnProof, Repair};

use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    /// Only show what would change; write nothing
    #[arg(long)]
    propose: bool,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let saved = read_wrapper(&args.wrapper)?;
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let repair = repair_wrapper(&source, &saved, &options, ui.progress().as_mut())?;
    let write = repair.is_proved() && !args.propose;
    if write {
        write_wrapper(&args.wrapper, &repair.saved)?;
    }
    if ui.json {
        ui.print_json(&json(&repair, write))?;
    } else if !ui.quiet {
        ui.print(&text(&repair, ui.width()))?;
    }
    let path = args.wrapper.display();
    if !repair.is_proved() {
        ui.warn(&format!(
            "refused: {} of {} known records were found again, which is no proof; {path} is as it was",
            repair.found, repair.records
        ));
        ui.hint(&format!(
            "learn the site anew if it has become another one: unsite learn {} -w NEW",
            args.source
        ));
        return Ok(Exit::Drift);
    }
    match write {
        true => ui
            .hint(&format!("{path} was written; unsite check {} -w {path} should find nothing", args.source)),
        false => ui.hint("nothing was written; leave out --propose to accept it"),
    }
    Ok(Exit::Done)
}

fn text(repair: &Repair, width: usize) -> String {
    let (found, lost): (Vec<&ColumnProof>, Vec<&ColumnProof>) =
        repair.columns.iter().partition(|column| column.is_proved());
    let mut out = format!(
        "{} of {} known records found again; {} of {} columns proved\n",
        repair.found,
        repair.records,
        found.len(),
        repair.columns.len(),
    );
    out += &columns("= found again under its old name", &found, width);
    out += &columns("- not found again; stays in its table, empty", &lost, width);
    if !repair.added.is_empty() {
        out += "\n+ new\n";
        for name in &repair.added {
            out += &format!("  {}\n", ui::printable(name));
        }
    }
    out
}

fn columns(title: &str, columns: &[&ColumnProof], width: usize) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(columns.len());
    grid.text("column", 44, columns.iter().map(|column| format!("{}.{}", column.table, column.column)));
    grid.text("on", 24, columns.iter().map(|column| &column.page_type));
    grid.numbers("values", columns.iter().map(|column| format!("{}/{}", column.agreed, column.compared)));
    grid.text("was at", 40, columns.iter().map(|column| &column.selectors.0));
    grid.text("is at", usize::MAX, columns.iter().map(|column| &column.selectors.1));
    format!("\n{title}\n{}\n", grid.lines(2, width).0.join("\n"))
}

fn json(repair: &Repair, written: bool) -> Value {
    let columns: Vec<Value> = repair
        .columns
        .iter()
        .map(|column| {
            json!({
                "table": column.table, "column": column.column, "page_type": column.page_type, "proved": column.is_proved(),
                "agreed": column.agreed, "compared": column.compared,
                "selector_before": column.selectors.0, "selector_now": column.selectors.1,
            })
        })
        .collect();
    json!({
        "proved": repair.is_proved(), "written": written, "records": repair.records, "found": repair.found,
        "columns": columns, "added": repair.added,
    })
}
