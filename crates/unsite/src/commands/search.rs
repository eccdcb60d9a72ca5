//! `unsite search`: what a database says about words.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::json;
use unsite::Exit;
use unsite_store::search::{Hit, MARKS, search};

use crate::cli::Global;
use crate::ui::{self, FAINT, STRONG, fit, printable, styled};

/// Widest title of a row.
const TITLE_WIDTH: usize = 70;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A database that `unsite run` wrote
    db: PathBuf,
    /// What to look for: all of these words, "several in quotes" one behind the other
    #[arg(required = true)]
    words: Vec<String>,
    /// Look in this table alone
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Rows that are shown, best first
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let name = args.db.display();
    if !args.db.is_file() {
        bail!("there is no file {name}; give a database that `unsite run -o site.db` wrote");
    }
    let words = args.words.join(" ");
    let found = search(&args.db, &words, args.table.as_deref(), args.limit)
        .with_context(|| format!("cannot search in {name}"))?;
    if found.tables.is_empty() {
        bail!("{name} has no table with texts to search in; `unsite run -o site.db` makes one that has");
    }
    if let Some(table) = args.table.as_ref().filter(|table| !found.tables.contains(table)) {
        bail!("there is no table {table:?} to search in; there are {}", found.tables.join(", "));
    }
    if ui.json {
        let hit = |hit: &Hit| {
            json!({
                "table": hit.table, "id": hit.id, "title": hit.title, "url": hit.url, "column": hit.column,
                "snippet": hit.snippet.replace(MARKS, ""), "score": hit.score, "why": why(args, hit),
            })
        };
        ui.print_json(&json!({"words": words, "hits": found.hits.iter().map(hit).collect::<Vec<_>>()}))?;
        return Ok(Exit::Done);
    }
    if found.hits.is_empty() {
        ui.warn(&format!("nothing says {words:?}; looked in {}", found.tables.join(", ")));
    }
    for hit in &found.hits {
        ui.print(&text(args, hit))?;
    }
    Ok(Exit::Done)
}

fn text(args: &Args, hit: &Hit) -> String {
    let title = fit(&printable(&hit.title), TITLE_WIDTH);
    let place = printable(&format!("{} {}", hit.table, hit.id));
    let mut out = format!("{} {}\n", styled(STRONG, &title), styled(FAINT, &place));
    let mut said = String::new();
    for (at, piece) in hit.snippet.split(MARKS).enumerate() {
        let piece = printable(piece);
        said += &if at % 2 == 1 { styled(STRONG, &piece) } else { piece };
    }
    out += &format!("  {}\n", said.trim());
    for line in [&hit.url, &why(args, hit)] {
        out += &format!("  {}\n", styled(FAINT, &ui::printable(line)));
    }
    out + "\n"
}

/// How to ask where it stands.
fn why(args: &Args, hit: &Hit) -> String {
    format!("unsite why {} {} {} {}", args.db.display(), hit.table, hit.id, hit.column)
}
