//! `unsite show`: a wrapper file for people.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::read_wrapper;
use unsite_wrapper::profile::KINDS;
use unsite_wrapper::{SavedWrapper, TypeModel, Wrapper};

use super::by_hand;
use crate::cli::Global;
use crate::ui::{self, FAINT, Grid, STRONG, styled};

/// Marks of a page type that are shown.
const MARKS_SHOWN: usize = 6;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this table, with its columns in full
    table: Option<String>,
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    if let Some(file) = args.table.as_ref().filter(|name| Path::new(name).is_file()) {
        bail!("{file} is a file and no table; a wrapper is given with -w: unsite show -w {file}");
    }
    let learned = read_wrapper(&args.wrapper)?;
    let saved = SavedWrapper { edits: learned.edits.clone(), ..by_hand::edited(&learned, ui) };
    if let Some(table) = &args.table {
        let tables = &saved.wrapper.schema.tables;
        let Some(at) = tables.iter().position(|info| info.name == *table) else {
            let names: Vec<&str> = tables.iter().map(|info| info.name.as_str()).collect();
            bail!("the wrapper has no table {table:?}; its tables are {}", names.join(", "));
        };
        match ui.json {
            true => ui.print_json(&table_json(&saved, at))?,
            false => ui.print(&table_text(&saved, at, usize::MAX))?,
        }
        return Ok(Exit::Done);
    }
    if ui.json {
        ui.print_json(&json(&saved))?;
        return Ok(Exit::Done);
    }
    let mut text = overview(&saved, ui.width());
    text += &recognised_by(&saved, ui.width());
    for at in 0..saved.wrapper.schema.tables.len() {
        text += &table_text(&saved, at, ui.width());
    }
    ui.print(&text)?;
    Ok(Exit::Done)
}

/// Where the wrapper comes from, and its page types.
pub(crate) fn overview(saved: &SavedWrapper, width: usize) -> String {
    let (from, schema) = (&saved.provenance, &saved.wrapper.schema);
    let mut out = format!(
        "{}: {}, {}, learned from {} of {} by {}, seed {}\n",
        styled(STRONG, &ui::printable(&from.source)),
        ui::counted(schema.page_types.len() as u64, "page type"),
        ui::counted(schema.tables.len() as u64, "table"),
        from.learned_from,
        ui::counted(from.pages as u64, "page"),
        ui::printable(&from.program),
        from.seed,
    );
    for line in &from.history {
        out += &format!("then: {}\n", ui::printable(line));
    }
    for step in &saved.edits {
        out += &format!("by hand: {}\n", ui::printable(&step.edit.to_string()));
    }
    let types = &schema.page_types;
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(types[at].pages));
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("pages", order.iter().map(|&at| types[at].pages.to_string()));
    grid.text("role", 10, order.iter().map(|&at| &types[at].role));
    let tables = |at: usize| schema.tables.iter().filter(|table| table.page_type == at).count().to_string();
    grid.numbers("tables", order.iter().map(|&at| tables(at)));
    grid.text("URLs", width, order.iter().map(|&at| &types[at].url_pattern));
    out + "\n" + &grid.lines(2, width).0.join("\n") + "\n"
}

/// What each page type is recognised by: marks that most of its pages have and few others.
fn recognised_by(saved: &SavedWrapper, width: usize) -> String {
    let recogniser = &saved.wrapper.recogniser;
    let mut out = String::new();
    for (at, info) in saved.wrapper.schema.page_types.iter().enumerate() {
        let own = f64::from(recogniser.pages.get(at).copied().unwrap_or(0).max(1));
        let mut marks: Vec<(f64, &str)> = recogniser
            .marks
            .iter()
            .filter_map(|mark| {
                let here = mark.types.iter().find(|(page_type, _)| *page_type as usize == at)?.1;
                let all: u32 = mark.types.iter().map(|(_, with)| with).sum();
                let share = f64::from(here) / own;
                (share >= 0.8)
                    .then_some((share * f64::from(here) / f64::from(all.max(1)), mark.name.as_str()))
            })
            .collect();
        marks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(b.1)));
        let names: Vec<&str> = marks.iter().take(MARKS_SHOWN).map(|(_, name)| *name).collect();
        if !names.is_empty() {
            let line = format!("  {} by {}", info.name, names.join(" | "));
            out += &(ui::fit(&ui::printable_indented(&line), width) + "\n");
        }
    }
    if out.is_empty() { out } else { format!("\n{}\n{out}", styled(STRONG, "recognised")) }
}

fn table_text(saved: &SavedWrapper, at: usize, width: usize) -> String {
    let schema = &saved.wrapper.schema;
    let table = &schema.tables[at];
    let under = match table.parent.and_then(|parent| schema.tables.get(parent)) {
        Some(parent) => format!("rows of {}", parent.name),
        None => without_parent(&saved.wrapper, at),
    };
    let mut out = format!(
        "\n{} {}\n",
        styled(STRONG, &ui::printable(&table.name)),
        styled(FAINT, &ui::printable(&under))
    );
    let columns = &table.columns;
    let mut grid = Grid::new(columns.len());
    grid.text("column", 28, columns.iter().map(|column| &column.name));
    grid.text("type", 8, columns.iter().map(|column| column.value_type.name()));
    grid.numbers("filled", columns.iter().map(|column| format!("{:.0} %", column.coverage * 100.0)));
    grid.text("values", 14, (0..columns.len()).map(|column| usual_kind(saved, at, column)));
    grid.text("label", 16, columns.iter().map(|column| column.label.as_deref().unwrap_or_default()));
    grid.text("for example", 30, (0..columns.len()).map(|column| example(saved, at, column)));
    grid.text("where", usize::MAX, columns.iter().map(|column| &column.selector));
    out += &(grid.lines(2, width).0.join("\n") + "\n");
    out
}

/// What the rows of a table are that belong to no other table's.
fn without_parent(wrapper: &Wrapper, at: usize) -> String {
    let names = |is_wanted: &dyn Fn(&TypeModel) -> bool| -> Vec<&str> {
        let types = wrapper.types.iter().zip(&wrapper.schema.page_types);
        types.filter(|(model, _)| is_wanted(model)).map(|(_, info)| info.name.as_str()).collect()
    };
    let pages = names(&|model| model.page_table == Some(at));
    if !pages.is_empty() {
        return format!("one row a page of type {}", pages.join(", "));
    }
    if wrapper.lists.as_ref().is_some_and(|lists| lists.table == at) {
        return "one row for each link from a list to an article".into();
    }
    let lists = names(&|model| model.template.nodes.iter().any(|node| node.rows_of == Some(at)));
    format!("rows of lists on pages of type {}", lists.join(", "))
}

fn usual_kind(saved: &SavedWrapper, table: usize, column: usize) -> &'static str {
    let profile = profile(saved, table, column);
    let most = profile.and_then(|profile| (0..KINDS.len()).rev().max_by_key(|&kind| profile.kinds.of(kind)));
    most.filter(|&kind| profile.is_some_and(|profile| profile.kinds.of(kind) > 0))
        .map_or("", |kind| KINDS[kind])
}

fn example(saved: &SavedWrapper, table: usize, column: usize) -> &str {
    profile(saved, table, column).and_then(|profile| profile.examples.first()).map_or("", String::as_str)
}

fn profile(
    saved: &SavedWrapper,
    table: usize,
    column: usize,
) -> Option<&unsite_wrapper::profile::ColumnProfile> {
    let page_type = saved.wrapper.schema.tables[table].page_type;
    saved.profile.types.get(page_type)?.tables.get(&table)?.columns.get(&column)
}

/// Everything that people are shown, for programs.
pub(crate) fn json(saved: &SavedWrapper) -> Value {
    let schema = &saved.wrapper.schema;
    let tables: Vec<Value> = (0..schema.tables.len()).map(|at| table_json(saved, at)).collect();
    json!({"provenance": saved.provenance, "page_types": schema.page_types, "tables": tables})
}

fn table_json(saved: &SavedWrapper, at: usize) -> Value {
    let schema = &saved.wrapper.schema;
    let table = &schema.tables[at];
    let columns: Vec<Value> = table
        .columns
        .iter()
        .enumerate()
        .map(|(column, info)| {
            json!({
                "name": info.name, "type": info.value_type.name(), "label": info.label, "selector": info.selector,
                "confidence": info.confidence, "coverage": info.coverage, "routes": info.routes,
                "values": usual_kind(saved, at, column),
                "examples": profile(saved, at, column).map(|profile| &profile.examples),
            })
        })
        .collect();
    let parent = table.parent.and_then(|parent| schema.tables.get(parent)).map(|parent| &parent.name);
    let page_type = schema.page_types.get(table.page_type).map(|info| &info.name);
    json!({"name": table.name, "parent": parent, "page_type": page_type, "columns": columns})
}
