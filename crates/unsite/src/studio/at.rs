//! What stands where somebody clicked: a cell, or why it is none.

use anyhow::{Context, Result, bail};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use unsite_dom::{NodeId, Tree, collapse};
use unsite_wrapper::View;
use unsite_wrapper::edits::{Edit, ExampleCell, Trail};

use super::page::{node, page, tree};
use super::session::{Session, Studio};

/// Other pages of the type that are asked whether they say the same.
const OTHERS: usize = 24;

/// What stands on this share of them belongs to the template.
const SAME_ON: f64 = 0.6;

/// `GET api/at/N/NODE`: what the page says there.
pub(super) fn at(studio: &Studio, at: usize, number: usize) -> Result<Value> {
    let session = studio.session();
    let raw = page(&session, at)?;
    let tree = tree(raw);
    let clicked = node_of(&tree, number)?;
    let text = shown_text(&tree, clicked);
    let edited = session.wrapper()?.clone();
    let schema = edited.wrapper.stored_schema();
    let mut cells: Vec<(usize, Value)> = Vec::new();
    if let Some(stored) = session.stored(at) {
        for (row_at, row) in stored.rows.iter().enumerate() {
            let table = &schema.tables[row.table];
            for cell in &row.cells {
                let Some(place) = node(&tree, cell).and_then(|place| node_of(&tree, place).ok()) else {
                    continue;
                };
                let holds = |above: NodeId, below: NodeId| above <= below && below < tree.end(above);
                if !holds(place, clicked) && !holds(clicked, place) {
                    continue;
                }
                // The nearest cell is the one that is meant.
                let distance = place.index().abs_diff(clicked.index());
                let column = &table.columns[cell.column];
                let hidden = column.is_hidden || !table.is_shown();
                cells.push((
                    usize::from(hidden) * 1_000_000 + distance,
                    json!({
                        "table": table.name, "column": column.name, "value": cell.value, "node": place.index(),
                        "hidden": hidden, "row": row_at, "why": why_hidden(table, column, cell.is_copy),
                    }),
                ));
            }
        }
    }
    cells.sort_by_key(|(distance, _)| *distance);
    let cells: Vec<Value> = cells.into_iter().map(|(_, cell)| cell).take(6).collect();
    let reason = if cells.is_empty() { Some(reason(&session, at, &tree, clicked, &text)) } else { None };
    let links: Vec<&str> = ["href", "src"]
        .into_iter()
        .filter(|name| tree.attr(element(&tree, clicked), name).is_some())
        .collect();
    Ok(json!({
        "node": clicked.index(), "text": text, "cells": cells, "reason": reason, "attributes": links,
        "can_repeat": alike(&tree, clicked) > 1,
    }))
}

fn node_of(tree: &Tree, number: usize) -> Result<NodeId> {
    tree.nodes().nth(number).with_context(|| format!("the page has no node {number}"))
}

/// The element that something stands in.
fn element(tree: &Tree, node: NodeId) -> NodeId {
    if tree.is_text(node) { tree.parent(node).unwrap_or(node) } else { node }
}

fn shown_text(tree: &Tree, node: NodeId) -> String {
    let text =
        if tree.is_text(node) { collapse(tree.text(node)).into_owned() } else { tree.visible_text(node) };
    text.chars().take(400).collect()
}

fn why_hidden(
    table: &unsite_wrapper::TableInfo,
    column: &unsite_wrapper::ColumnInfo,
    is_copy: bool,
) -> String {
    if !column.note.is_empty() {
        return column.note.clone();
    }
    if !table.is_shown() {
        return format!("{}: {}", table.kind.name(), table.why);
    }
    if is_copy { "told again: the row has it from elsewhere too".into() } else { String::new() }
}

/// Why nothing is read where somebody clicked.
fn reason(session: &Session, at: usize, tree: &Tree, clicked: NodeId, text: &str) -> Value {
    let told = |word: &str, why: &str| json!({"word": word, "why": why});
    let Some(raw) = session.raw(at) else { return told("unknown", "the page was not read") };
    let Some(page_type) = raw.page_type else {
        return told("stranger", "the page fits no page type, so nothing is read off it");
    };
    if text.is_empty() {
        return told("empty", "nothing is written here");
    }
    let others = (0..session.pages.list.len()).filter(|&other| other != at);
    let others =
        others.filter(|&other| session.raw(other).is_some_and(|raw| raw.page_type == Some(page_type)));
    let (mut asked, mut same) = (0, 0);
    for other in others.take(OTHERS) {
        let other = super::page::tree(&session.pages.list[other]);
        let texts: FxHashSet<String> = other.texts().map(|text| text.text.into_owned()).collect();
        asked += 1;
        same += usize::from(texts.contains(text));
    }
    let inside = |name: &str| tree.ancestors(clicked).any(|above| tree.name(above) == name);
    if asked > 0 && f64::from(same as u32) >= SAME_ON * f64::from(asked as u32) {
        return told(
            "template",
            &format!("it is part of the layout: {same} of {asked} other pages of the type say the same"),
        );
    }
    if inside("nav") || inside("footer") || inside("header") {
        return told("frame", "it stands in what frames the page: a menu, a header or a footer");
    }
    told("lost", "it varies from page to page, and no column reads it; make it one if it matters")
}

/// How many siblings look like the nearest element that is repeated.
fn alike(tree: &Tree, node: NodeId) -> usize {
    repeated(tree, node).map_or(0, |(_, count)| count)
}

/// The nearest element around a node that has siblings of the same tag and class, and how many there are.
fn repeated(tree: &Tree, node: NodeId) -> Option<(NodeId, usize)> {
    let start = element(tree, node);
    std::iter::once(start).chain(tree.ancestors(start)).find_map(|at| {
        let parent = tree.parent(at)?;
        let name = tree.name(at);
        if matches!(name, "body" | "html" | "") {
            return None;
        }
        let class = tree.attr(at, "class");
        let like = |child: &NodeId| tree.name(*child) == name && tree.attr(*child, "class") == class;
        let count = tree.children(parent).filter(like).count();
        (count > 1).then_some((at, count))
    })
}

/// The edit that makes a column of what stands at a node: `POST api/make`.
pub(super) fn made(studio: &Studio, request: &Value) -> Result<Edit> {
    let number = |key: &str| request[key].as_u64().map(|number| number as usize);
    let (Some(at), Some(number)) = (number("page"), number("node")) else { bail!("say which page and node") };
    let name = request["name"].as_str().unwrap_or_default();
    let session = studio.session();
    let raw = page(&session, at)?;
    let tree = tree(raw);
    let clicked = node_of(&tree, number)?;
    let edited = session.wrapper()?;
    let of = session.raw(at).and_then(|raw| raw.page_type);
    let of = of.context("the page fits no page type, so nothing can be read off pages like it")?;
    let page_type = edited.wrapper.schema.page_types[of].name.clone();
    let view = View::new(&tree, &edited.wrapper.types[of].template.classes);
    if request["rows"] == true {
        let (row, _) =
            repeated(&tree, clicked).context("nothing around it is repeated, so there are no rows")?;
        let (row, cells) = (Trail::of(&view, row), Trail::cells(&view, row));
        return Ok(Edit::MakeRows { page_type, table: name.to_owned(), row, cells });
    }
    let attribute = request["attribute"].as_str().map(str::to_owned);
    let place = match &attribute {
        Some(_) => element(&tree, clicked),
        None => whole(&tree, clicked),
    };
    let cell = ExampleCell { name: String::new(), trail: Trail::of(&view, place), attribute };
    Ok(Edit::MakeColumn { page_type, name: name.to_owned(), cell })
}

/// The element whose only text is meant; a text that has others beside it is meant alone.
fn whole(tree: &Tree, node: NodeId) -> NodeId {
    if !tree.is_text(node) {
        return node;
    }
    let Some(parent) = tree.parent(node) else { return node };
    let shows = |child: &NodeId| !tree.is_text(*child) || !tree.text(*child).trim().is_empty();
    if tree.children(parent).filter(shows).count() == 1 { parent } else { node }
}
