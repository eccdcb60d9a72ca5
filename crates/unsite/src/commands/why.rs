//! `unsite why`: the receipt of one cell.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite::Exit;
use unsite_store::receipts::open;

use super::receipt::{Asked, receipt};
use super::{why_experts, witnesses};
use crate::cli::Global;
use crate::ui::{self, FAINT, styled};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What `unsite run` wrote: a database, a folder of files, or postgres://user@host/database[?schema=NAME]
    db: PathBuf,
    /// The table, also one that is kept out of sight
    table: String,
    /// The row's id
    row: i64,
    /// The column, also a key or a unit beside another
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
    if !args.db.exists() && !args.db.to_string_lossy().contains("://") {
        bail!("there is no file {name}; give what `unsite run -o site.db` wrote");
    }
    let asked = Asked { table: &args.table, row: args.row, column: &args.column };
    let (receipt, options) = open(&args.db, &args.table, args.row)
        .map_err(anyhow::Error::from)
        .and_then(|db| Ok((receipt(&db, &asked)?, why_experts::options(&db))))
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
    line("is", &receipt["is"]);
    if values.is_empty() || !receipt["is"].is_null() {
        line("stored", &receipt["stored"]);
    }
    for value in values {
        line(if value["copy"] == true { "told again" } else { "value" }, &value["value"]);
        line("at", &value["path"]);
        if value["page"]["ref"] != receipt["page"]["ref"] || value["page"]["url"] != receipt["page"]["url"] {
            line("on page", &value["page"]["url"]);
        }
    }
    if values.is_empty() && receipt["is"].is_null() {
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
    let (table, facts) = (&receipt["table_is"], &receipt["found_by"]);
    let kind = [&table["kind"], &table["why"]].map(|text| text.as_str().unwrap_or_default());
    let kind: Vec<&str> = kind.into_iter().filter(|text| !text.is_empty()).collect();
    line("table is", &json!(kind.join(": ")));
    line("column is", &facts["note"]);
    if facts["hidden"] == true {
        line("shown", &json!("only with --all"));
    }
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
