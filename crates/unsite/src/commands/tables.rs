//! `unsite tables`: the tables of a site with their columns, for people who want just that.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};
use unsite::{Exit, Options, Outcome};
use unsite_store::TableSummary;
use unsite_wrapper::TableInfo;

use super::from_database;
use super::scratch::{Scratch, run_in_scratch};
use crate::cli::{Discovery, Global, Published};
use crate::ui::er::{Diagram, mermaid, svg};
use crate::ui::{self, Grid, STRONG, styled};

/// Examples of one column.
const EXAMPLES: usize = 3;
/// Widest example.
const EXAMPLE_WIDTH: usize = 28;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, - for standard input, or a database that `run` wrote
    source: String,
    /// The entity-relationship diagram instead: Mermaid on standard output, or a file .svg or .mmd
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    er: Option<Option<PathBuf>>,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let drawing = args.er.as_ref().map(|file| Drawing::of(file.as_deref())).transpose()?;
    if drawing.is_none() && from_database::is_database(&args.source) {
        return from_database::tables(&args.source, ui);
    }
    let source = args.discovery.open(&args.source)?;
    let options = Options { data_method: args.published.method(), ..args.discovery.options(global) };
    let scratch = run_in_scratch(&source, &options, ui)?;
    let outcome = &scratch.outcome;
    if ui.json {
        let mut summary = ui::summary_json(outcome);
        if let Some(summary) = summary.as_object_mut() {
            // There is no output that anybody could look at.
            summary.remove("output");
            if matches!(drawing, Some(Drawing::Shown)) {
                summary.insert("er".into(), mermaid(&diagram(&scratch)?).into());
            }
        }
        ui.print_json(&summary)?;
    } else if outcome.summary.tables.is_empty() {
        ui.warn("no tables were found; structure shows only between several pages of the same kind");
    } else if matches!(drawing, Some(Drawing::Shown)) {
        ui.print(&mermaid(&diagram(&scratch)?))?;
    } else if drawing.is_none() {
        ui.print(&text(outcome, ui.width()))?;
    }
    if let Some(Drawing::Written(path, draw)) = drawing {
        let drawn = draw(&diagram(&scratch)?);
        fs::write(path, drawn).with_context(|| format!("cannot write {}", path.display()))?;
        ui.hint(&format!("the diagram is in {}", path.display()));
    }
    Ok(scratch.exit(ui))
}

/// Where the diagram goes.
enum Drawing<'a> {
    Shown,
    Written(&'a Path, fn(&Diagram) -> String),
}

impl<'a> Drawing<'a> {
    /// A name that says nothing is told before hours of reading, not after.
    fn of(file: Option<&'a Path>) -> Result<Self> {
        let Some(path) = file else { return Ok(Drawing::Shown) };
        match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
            Some("svg") => Ok(Drawing::Written(path, svg)),
            Some("mmd" | "mermaid") => Ok(Drawing::Written(path, mermaid)),
            _ => bail!(
                "--er cannot tell from {} what to draw; name a file .svg or .mmd, or give SOURCE before --er",
                path.display()
            ),
        }
    }
}

/// The tables as they stand in the database.
fn diagram(scratch: &Scratch) -> Result<Diagram> {
    let db = Connection::open_with_flags(scratch.database(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let names: Vec<&str> = scratch.outcome.summary.tables.iter().map(|table| table.name.as_str()).collect();
    Diagram::read(&db, &names)
}

fn text(outcome: &Outcome, width: usize) -> String {
    let summary = &outcome.summary;
    let stored = &outcome.stored;
    let mut parts = Vec::new();
    for table in ui::in_order(&summary.tables, stored) {
        let info = &stored.tables[table.at];
        let mut head =
            format!("{}: {}", styled(STRONG, &ui::printable(&table.name)), ui::counted(table.rows, "row"));
        let ties = ui::ties(table, &summary.tables, stored);
        if !ties.is_empty() {
            head += &format!(" — {}", ui::printable(&ties));
        }
        parts.push(format!("{head}\n{}\n", columns(table, info, width).join("\n")));
    }
    parts.join("\n")
}

fn columns(table: &TableSummary, info: &TableInfo, width: usize) -> Vec<String> {
    let mut grid = Grid::new(table.columns.len());
    grid.text("column", 30, &table.columns);
    let infos = || table.places.iter().map(|&place| &info.columns[place]);
    grid.text("type", 10, infos().map(|column| column.value_type.name()));
    grid.numbers("filled", infos().map(|column| format!("{:.0} %", column.coverage * 100.0)));
    let examples = (0..table.columns.len()).map(|at| {
        let values = table.samples.iter().filter_map(|row| row.get(at)?.as_deref());
        let short = values.take(EXAMPLES).map(|value| ui::fit(&ui::printable(value), EXAMPLE_WIDTH));
        short.collect::<Vec<_>>().join(" | ")
    });
    grid.text("examples", usize::MAX, examples);
    grid.lines(2, width).0
}
