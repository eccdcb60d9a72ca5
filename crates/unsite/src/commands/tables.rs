//! `unsite tables`: the tables of a site with their columns, for people who want just that.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;
use unsite::{Exit, Options};
use unsite_store::{Meta, Output, Sink, TableSummary};
use unsite_wrapper::{Schema, TableInfo};

use super::by_hand;
use super::outline::outline;
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
    /// A database or wrapper file that was written before, or a folder, .warc[.gz, .zst], .wacz, .jsonl, gold site,
    /// .html file, or - for standard input
    source: String,
    /// The entity-relationship diagram instead, as a picture (SVG)
    #[arg(long)]
    er: bool,
    /// The diagram as Mermaid text
    #[arg(long)]
    mermaid: bool,
    /// Write the diagram into this file: .svg or .mmd
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    discovery: Discovery,
}

/// Where the tables are.
enum Tables {
    /// Of a run that was made for them.
    Run(Box<Scratch>),
    /// In a database, which goes away with the folder if there is one.
    There(PathBuf, #[allow(dead_code, reason = "it is removed when this goes")] Option<tempfile::TempDir>),
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let draw = drawing(args)?;
    let tables = Tables::of(args, global)?;
    let db = Connection::open_with_flags(tables.database(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let drawn = draw.map(|draw| Ok::<_, anyhow::Error>(draw(&Diagram::read(&db)?))).transpose()?;
    let (summaries, stored) = match &tables {
        Tables::Run(scratch) => (scratch.outcome.summary.tables.clone(), scratch.outcome.stored.clone()),
        Tables::There(path, _) => {
            outline(&db).with_context(|| format!("cannot read the tables of {}", path.display()))?
        }
    };
    if let (Some(file), Some(drawn)) = (&args.output, &drawn) {
        fs::write(file, drawn).with_context(|| format!("cannot write {}", file.display()))?;
        ui.hint(&format!("the diagram is in {}", file.display()));
    } else if ui.json {
        let mut told = match &tables {
            Tables::Run(scratch) => ui::summary_json(&scratch.outcome),
            Tables::There(..) => json!({"tables": ui::tables_json(&summaries, &stored)}),
        };
        if let Some(told) = told.as_object_mut() {
            // There is no output that anybody could look at.
            told.remove("output");
            told.extend(drawn.map(|drawn| ("er".to_owned(), drawn.into())));
        }
        ui.print_json(&told)?;
    } else if let Some(drawn) = drawn {
        ui.print(&drawn)?;
    } else if summaries.is_empty() {
        ui.warn("no tables were found; structure shows only between several pages of the same kind");
    } else {
        ui.print(&text(&summaries, &stored, ui.width()))?;
    }
    Ok(match &tables {
        Tables::Run(scratch) => scratch.exit(ui),
        Tables::There(..) => Exit::Done,
    })
}

/// How a diagram is written down.
type Drawing = fn(&Diagram) -> String;

/// How the diagram is drawn, if one is asked for. A name that says nothing is told before hours of reading, not after.
fn drawing(args: &Args) -> Result<Option<Drawing>> {
    let asked: Option<Drawing> = match (args.mermaid, args.er) {
        (true, _) => Some(mermaid),
        (false, true) => Some(svg),
        (false, false) => None,
    };
    let Some(path) = &args.output else { return Ok(asked) };
    match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
        Some("svg") if !args.mermaid => Ok(Some(svg)),
        Some("mmd" | "mermaid") => Ok(Some(mermaid)),
        _ => bail!("-o cannot tell from {} what to draw; name a file .svg or .mmd", path.display()),
    }
}

impl Tables {
    fn of(args: &Args, global: &Global) -> Result<Tables> {
        let path = Path::new(&args.source);
        if is_database(path) {
            return Ok(Tables::There(path.to_owned(), None));
        }
        if path.extension().is_some_and(|ending| ending == "unsite") {
            // A database without rows shows how its tables hang together.
            let schema = by_hand::open(path, global.ui())?.wrapper.stored_schema();
            let folder =
                tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR to one with room")?;
            let database = folder.path().join("site.db");
            Sink::create(&Output::parse(&database)?, &schema, &Meta::default())?.finish()?;
            return Ok(Tables::There(database, Some(folder)));
        }
        let source = args.discovery.open(&args.source)?;
        let options = Options { data_method: args.published.method(), ..args.discovery.options(global) };
        Ok(Tables::Run(Box::new(run_in_scratch(&source, &options, global.ui())?)))
    }

    fn database(&self) -> PathBuf {
        match self {
            Tables::Run(scratch) => scratch.database(),
            Tables::There(path, _) => path.clone(),
        }
    }
}

fn is_database(path: &Path) -> bool {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut first = [0; 16];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *MAGIC
}

fn text(tables: &[TableSummary], stored: &Schema, width: usize) -> String {
    let mut parts = Vec::new();
    for table in ui::in_order(tables, stored) {
        let info = &stored.tables[table.at];
        let mut head =
            format!("{}: {}", styled(STRONG, &ui::printable(&table.name)), ui::counted(table.rows, "row"));
        let ties = ui::ties(table, tables, stored);
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
