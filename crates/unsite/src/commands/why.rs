//! `unsite why`: the receipt of one cell.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde_json::{Value, json};
use unsite::Exit;

use super::{why_experts, witnesses};
use crate::cli::Global;
use crate::ui::{self, FAINT, styled};

/// Names that an error lists.
const NAMES_SHOWN: usize = 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A database that `unsite run` wrote
    db: PathBuf,
    /// The table
    table: String,
    /// The row's id
    row: i64,
    /// The column
    column: String,
    /// The pages it came from, to show the text around it; looked for beside the database and here if not given
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// A wrapper file, to show how it recognises the page
    #[arg(short, long, value_name = "FILE")]
    wrapper: Option<PathBuf>,
    /// Do not ask the experts again why the page is of its type: they look at the whole source
    #[arg(long)]
    no_experts: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let name = args.db.display();
    if !args.db.is_file() {
        bail!("there is no file {name}; give a database that `unsite run -o site.db` wrote");
    }
    let (receipt, options) = Connection::open_with_flags(&args.db, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(anyhow::Error::from)
        .and_then(|db| Ok((receipt(&db, args)?, why_experts::options(&db))))
        .with_context(|| format!("cannot tell why from {name}"))?;
    let places = witnesses::Places {
        db: &args.db,
        source: args.source.as_deref(),
        wrapper: args.wrapper.as_deref(),
        experts: options.as_ref().filter(|_| !args.no_experts),
    };
    let receipt = witnesses::added(receipt, &places, ui)?;
    match ui.json {
        true => ui.print_json(&receipt)?,
        false => ui.print(&text(&receipt))?,
    }
    Ok(Exit::Done)
}

/// Everything that is known about the cell, in the order it is printed.
fn receipt(db: &Connection, args: &Args) -> Result<Value> {
    let tables = names(db, "SELECT DISTINCT table_name FROM _columns ORDER BY id", &[])
        .context("expected the tables of a database that `unsite run` wrote")?;
    if !tables.contains(&args.table) {
        bail!("there is no table {:?}; the tables are {}", args.table, listed(&tables));
    }
    let (table, column) = (&args.table, &args.column);
    let sql = "SELECT id, type, label, selector, confidence, coverage FROM _columns WHERE table_name = ? AND column_name = ?";
    let known = db
        .query_row(sql, params![table, column], |row| {
            let facts = json!({
                "type": row.get::<_, Option<String>>(1)?, "label": row.get::<_, Option<String>>(2)?,
                "selector": row.get::<_, Option<String>>(3)?, "confidence": row.get::<_, Option<f64>>(4)?,
                "coverage": row.get::<_, Option<f64>>(5)?,
            });
            Ok((row.get::<_, i64>(0)?, facts))
        })
        .optional()?;
    let Some((column_id, facts)) = known else {
        let all = names(
            db,
            "SELECT column_name FROM _columns WHERE table_name = ? ORDER BY id",
            &[table.as_str()],
        )?;
        bail!("{table} has no column {column:?}; its columns are {}", listed(&all));
    };
    // The table's name is one of `tables`, so that quoting it is all it needs.
    let quoted = format!("\"{}\"", table.replace('"', "\"\""));
    let page = db
        .query_row(
            &format!("SELECT p.url, p.ref, p.page_type FROM {quoted} t JOIN _pages p ON p.id = t.page_id WHERE t.id = ?"),
            [args.row],
            |row| {
                let text = |at| row.get::<_, Option<String>>(at);
                Ok(json!({"url": text(0)?, "ref": text(1)?, "page_type": text(2)?}))
            },
        )
        .optional()?;
    let Some(page) = page else {
        let ends = format!("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM {quoted}");
        let (first, last): (i64, i64) = db.query_row(&ends, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        bail!("{table} has no row {}; its rows are {first} to {last}", args.row);
    };
    let mut values = db.prepare(
        "SELECT v.value, t.path FROM _values v LEFT JOIN _paths t ON t.id = v.path_id
         WHERE v.column_id = ? AND v.row_id = ? ORDER BY v.id",
    )?;
    let values: Vec<Value> = values
        .query_map(params![column_id, args.row], |row| {
            Ok(json!({"value": row.get::<_, Option<String>>(0)?, "path": row.get::<_, Option<String>>(1)?}))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let meta = |key: &str| {
        let sql = "SELECT value FROM _meta WHERE key = ?";
        db.query_row(sql, [key], |row| row.get::<_, Option<String>>(0)).optional().ok().flatten().flatten()
    };
    // Every way to the column, under the names of the schema.
    let ways: Value = meta("routes").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(json!({
        "table": table, "row": args.row, "column": column, "values": values, "page": page, "found_by": facts,
        "routes": ways[format!("{table}.{column}")], "source": meta("source"),
    }))
}

fn names(db: &Connection, sql: &str, values: &[&str]) -> Result<Vec<String>> {
    let mut statement = db.prepare(sql)?;
    let names = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(NAMES_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMES_SHOWN {
        text += &format!(" and {} more", names.len() - NAMES_SHOWN);
    }
    text
}

fn text(receipt: &Value) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &Value| {
        let value = match value {
            Value::Null => return,
            Value::String(text) if text.is_empty() => return,
            Value::String(text) => ui::printable(text),
            other => {
                other.as_f64().map_or_else(|| other.to_string(), |share| format!("{:.0} %", share * 100.0))
            }
        };
        out += &format!("{} {value}\n", styled(FAINT, &format!("{name:11}")));
    };
    let values = receipt["values"].as_array().map(Vec::as_slice).unwrap_or_default();
    for value in values {
        line("value", &value["value"]);
        line("at", &value["path"]);
    }
    if values.is_empty() {
        line("value", &json!("none: this page has nothing for the column"));
    }
    for (name, key) in [("on page", "url"), ("in source", "ref"), ("page type", "page_type")] {
        line(name, &receipt["page"][key]);
    }
    if let Some(offset) = receipt["page"]["offset"].as_u64() {
        line("at byte", &json!(offset.to_string()));
    }
    for around in receipt["around"].as_array().map(Vec::as_slice).unwrap_or_default() {
        line("around", around);
    }
    let facts = &receipt["found_by"];
    for name in ["label", "selector", "type", "coverage", "confidence"] {
        line(name, &facts[name]);
    }
    for route in receipt["routes"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let by = route["by"].as_object().and_then(|by| by.iter().next());
        if let (Some((kind, text)), Some(agreement)) = (by, route["agreement"].as_f64()) {
            let text = text.as_str().unwrap_or_default();
            line("way", &json!(format!("{kind} ({:.0} %): {text}", agreement * 100.0)));
        }
    }
    let types = &receipt["page_type_by"];
    for expert in types["experts"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let score = |key: &str| expert[key].as_f64().map_or("nothing".into(), |score| format!("{score:.2}"));
        let mut text = format!(
            "{}: {} like {} ({:+.1})",
            expert["expert"].as_str().unwrap_or_default(),
            score("score"),
            types["page_type"].as_str().unwrap_or_default(),
            expert["log_odds"].as_f64().unwrap_or_default()
        );
        if let Some(other) = types["runner_up"].as_str() {
            let odds = expert["runner_up_log_odds"].as_f64().unwrap_or_default();
            text += &format!(", {} like {other} ({odds:+.1})", score("runner_up_score"));
        }
        line("expert", &json!(text));
    }
    for expert in receipt["recognised_by"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let (name, odds) = (expert["expert"].as_str().unwrap_or_default(), expert["log_odds"].as_f64());
        let text = format!(
            "{name}: {:+.1} for {}",
            odds.unwrap_or_default(),
            expert["for"].as_str().unwrap_or_default()
        );
        line("evidence", &json!(text));
    }
    out
}
