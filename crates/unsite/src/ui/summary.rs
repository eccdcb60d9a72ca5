//! What came out of a run, for people and for programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use unsite::Outcome;
use unsite_dom::ProblemKind;
use unsite_store::{Summary, TableSummary};
use unsite_wrapper::Schema;

use super::text::{counted, fit, number, printable};
use super::ties::{in_order, ties};
use super::{FAINT, Grid, STRONG, styled};

/// Page types that are listed; the others are counted.
const TYPES_SHOWN: usize = 15;
/// Tables that are shown with rows; the others are named.
const TABLES_SHOWN: usize = 6;
/// Widest column of sample values.
const WIDEST: usize = 30;
/// Stands where a row has no value.
const NO_VALUE: &str = "·";

/// A summary people like to read.
pub(crate) fn summary_text(title: &str, outcome: &Outcome, width: usize) -> String {
    let summary = &outcome.summary;
    let mut out = format!(
        "{}: {}, {}, {}, {}\n",
        styled(STRONG, &printable(title)),
        counted(summary.pages, "page"),
        counted(outcome.pages_of_type.len() as u64, "page type"),
        counted(summary.tables.len() as u64, "table"),
        counted(summary.rows, "row"),
    );
    if (outcome.learned_from as u64) < summary.pages {
        out += &format!("Learned from {} of them.\n", counted(outcome.learned_from as u64, "page"));
    }
    out += &page_types(outcome, width);
    let tables = in_order(&summary.tables, &outcome.stored);
    for table in tables.iter().take(TABLES_SHOWN) {
        out += &table_text(table, &ties(table, &summary.tables, &outcome.stored), width);
    }
    if let Some(more) = tables.get(TABLES_SHOWN..).filter(|more| !more.is_empty()) {
        let names: Vec<&str> = more.iter().map(|table| table.name.as_str()).collect();
        let line = format!("and {}: {}", counted(more.len() as u64, "more table"), names.join(", "));
        out += &format!("\n{}\n", fit(&line, width));
    }
    out.push('\n');
    if summary.problems > 0 {
        out += &format!("Problems: {} (listed in _problems)\n", problem_counts(outcome));
    }
    out += &format!("Written to {}\n", printable(&summary.path.display().to_string()));
    out + &merged_text(summary)
}

/// What became of the rows that a database held before; nothing where it was written anew.
pub(crate) fn merged_text(summary: &Summary) -> String {
    let Some(merged) = summary.merged else { return String::new() };
    let counts = [(merged.added, "added"), (merged.changed, "changed"), (merged.removed, "removed")];
    let counts: Vec<String> =
        counts.iter().map(|(count, what)| format!("{} {what}", counted(*count, "row"))).collect();
    let mut out = format!("Added to what was there before: {}\n", counts.join(", "));
    if merged.set_aside > 0 {
        let pages = counted(merged.set_aside, "page");
        out += &format!("Kept as it was: what was read off {pages} before that fit no page type now\n");
    }
    out
}

/// The same for programs.
pub(crate) fn merged_json(summary: &Summary) -> Value {
    json!(summary.merged.map(|merged| {
        json!({
            "added": merged.added, "changed": merged.changed, "removed": merged.removed, "set_aside": merged.set_aside
        })
    }))
}

/// How much of a source could not be read.
pub(crate) fn unread(problems: &BTreeMap<&'static str, u64>) -> String {
    let unread = [ProblemKind::Unreadable, ProblemKind::Truncated].map(ProblemKind::name);
    let counts: Vec<String> = problems
        .iter()
        .filter(|(kind, _)| unread.contains(kind))
        .map(|(kind, count)| format!("{} {kind}", number(*count)))
        .collect();
    format!(
        "part of the source could not be read ({}); a database lists each in _problems",
        counts.join(", ")
    )
}

/// How many problems of which kind, as in `3 limit, 1 truncated`.
pub(crate) fn problem_counts(outcome: &Outcome) -> String {
    let counts: Vec<String> =
        outcome.problems.iter().map(|(kind, count)| format!("{} {kind}", number(*count))).collect();
    counts.join(", ")
}

/// Everything in the summary, for programs.
pub(crate) fn summary_json(outcome: &Outcome) -> Value {
    let summary = &outcome.summary;
    let stored = &outcome.stored;
    let page_types: Vec<Value> = stored
        .page_types
        .iter()
        .zip(&outcome.pages_of_type)
        .zip(&outcome.type_pages)
        .map(|((info, pages), shown)| {
            json!({
                "name": info.name, "pages": pages, "role": info.role, "url_pattern": info.url_pattern,
                "confidence": info.confidence, "typical": shown.typical, "doubtful": shown.doubtful,
            })
        })
        .collect();
    let tables = tables_json(&summary.tables, stored);
    json!({
        "output": summary.path,
        "pages": summary.pages,
        "learned_from": outcome.learned_from,
        "duplicate_urls": summary.duplicate_urls,
        "rows": summary.rows,
        "cells": summary.cells,
        "problems": outcome.problems,
        "page_types": page_types,
        "tables": tables,
        "merged": merged_json(summary),
        "left_out": summary.left_out,
        "stale": summary.stale,
    })
}

/// The tables, for programs.
pub(crate) fn tables_json(tables: &[TableSummary], stored: &Schema) -> Vec<Value> {
    let named = |at: usize| tables.iter().find(|table| table.at == at).map(|table| &table.name);
    in_order(tables, stored)
        .into_iter()
        .map(|table| {
            let info = &stored.tables[table.at];
            let parent = info.parent.and_then(named);
            let columns: Vec<Value> = table
                .columns
                .iter()
                .zip(table.places.iter().map(|&place| &info.columns[place]))
                .map(|(name, column)| {
                    json!({
                        "name": name, "type": column.value_type.name(), "label": column.label,
                        "selector": column.selector, "references": column.references.and_then(named), "coverage": column.coverage, "confidence": column.confidence,
                    })
                })
                .collect();
            json!({
                "name": table.name, "kind": info.kind.name(), "rows": table.rows, "parent": parent,
                "ties": ties(table, tables, stored), "columns": columns, "samples": table.samples,
            })
        })
        .collect()
}

fn page_types(outcome: &Outcome, width: usize) -> String {
    let types = &outcome.wrapper.schema.page_types;
    if types.is_empty() {
        return String::new();
    }
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(outcome.pages_of_type[at]));
    let shown = &order[..order.len().min(TYPES_SHOWN)];
    let mut grid = Grid::new(shown.len());
    grid.text("page type", WIDEST, shown.iter().map(|&at| &types[at].name));
    grid.numbers("pages", shown.iter().map(|&at| number(outcome.pages_of_type[at])));
    if types.iter().any(|info| info.role != "other") {
        grid.text("role", WIDEST, shown.iter().map(|&at| &types[at].role));
    }
    grid.text("URLs", width, shown.iter().map(|&at| &types[at].url_pattern));
    let mut out = format!("\n{}", block(grid.lines(2, width).0));
    if order.len() > shown.len() {
        let pages: u64 = order[shown.len()..].iter().map(|&at| outcome.pages_of_type[at]).sum();
        let types = counted((order.len() - shown.len()) as u64, "more page type");
        out += &format!("  and {types} with {}\n", counted(pages, "page"));
    }
    out
}

fn table_text(table: &TableSummary, ties: &str, width: usize) -> String {
    let mut head =
        format!("({}, {})", counted(table.rows, "row"), counted(table.columns.len() as u64, "column"));
    if !ties.is_empty() {
        let room = width.saturating_sub(table.name.len() + head.len() + 1).max(WIDEST);
        head += &fit(&format!(" — {}", printable(ties)), room);
    }
    let mut out = format!("\n{} {}\n", styled(STRONG, &printable(&table.name)), styled(FAINT, &head));
    let order = by_interest(table);
    let mut grid = Grid::new(table.samples.len());
    for &at in &order {
        let values =
            table.samples.iter().map(|row| row.get(at).and_then(Option::as_deref).unwrap_or(NO_VALUE));
        grid.text(&table.columns[at], WIDEST, values);
    }
    let (lines, left_out) = grid.lines(2, width);
    if !order.is_empty() {
        out += &block(lines);
    }
    let unseen = left_out + table.columns.len() - order.len();
    if unseen > 0 {
        let mut hidden: Vec<usize> = order[order.len() - left_out..].to_vec();
        hidden.extend((0..table.columns.len()).filter(|at| !order.contains(at)));
        let names: Vec<&str> = hidden.iter().map(|&at| table.columns[at].as_str()).collect();
        let line = format!("  and {}: {}", counted(unseen as u64, "column"), names.join(", "));
        out += &format!("{}\n", styled(FAINT, &fit(&line, width)));
    }
    out
}

/// The columns that have something to show, plain values before addresses.
fn by_interest(table: &TableSummary) -> Vec<usize> {
    let values = |at: usize| table.samples.iter().filter_map(move |row| row.get(at)?.as_deref());
    let mut order: Vec<usize> = (0..table.columns.len()).filter(|&at| values(at).next().is_some()).collect();
    order.sort_by_key(|&at| values(at).all(|value| value.starts_with("http") || value.starts_with("file:")));
    order
}

fn block(lines: Vec<String>) -> String {
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        out += &if at == 0 { styled(FAINT, line) } else { line.clone() };
        out.push('\n');
    }
    out
}
