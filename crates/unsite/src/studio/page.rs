//! A page beside the rows that were read off it.

use anyhow::{Context, Result};
use rusqlite::params;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use unsite_dom::{Limits, NodeId, RawPage, Tree};
use unsite_wrapper::{Cell, node_at};

use super::inert::inert;
use super::session::{Session, Studio};

/// Letters of a value that are sent.
const MOST_LETTERS: usize = 400;

/// Pages that a list has at most.
const MOST_LISTED: usize = 100;

pub(super) fn tree(page: &RawPage) -> Tree {
    Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default()).0
}

pub(super) fn page(session: &Session, at: usize) -> Result<&RawPage> {
    session
        .pages
        .list
        .get(at)
        .with_context(|| format!("there is no page {at}; there are {}", session.pages.list.len()))
}

/// `GET page/N/view`: the page itself.
pub(super) fn view(studio: &Studio, at: usize) -> Result<String> {
    let pages = std::sync::Arc::clone(&studio.session().pages);
    let raw = pages.list.get(at).with_context(|| format!("there is no page {at}"))?;
    Ok(inert(&tree(raw)))
}

/// The node that a cell stands at, as its page is drawn.
pub(super) fn node(tree: &Tree, cell: &Cell) -> Option<usize> {
    let node = node_at(tree, &cell.path).filter(|_| !cell.path.is_empty())?;
    // The text itself where its element has others too.
    let texts =
        tree.children(node).filter(|&child| tree.is_text(child) && !tree.text(child).trim().is_empty());
    let mut own = texts.filter(|&child| tree.text(child).trim() == cell.value);
    Some(own.next().unwrap_or(node).index()).filter(|_| node != NodeId::DOCUMENT)
}

/// `GET api/page/N`: what was read off it.
pub(super) fn told(studio: &Studio, at: usize) -> Result<Value> {
    let built = studio.built()?;
    let session = studio.session();
    let raw = page(&session, at)?;
    let tree = tree(raw);
    let edited = session.wrapper().ok().cloned();
    let mut told = json!({
        "page": at, "url": raw.url, "ref": raw.reference, "pages": session.pages.list.len(), "nodes": tree.len(),
    });
    let (Some(edited), Some(stored)) = (edited, session.stored(at)) else { return Ok(told) };
    let schema = edited.wrapper.stored_schema();
    told["page_type"] =
        json!(stored.page_type.and_then(|at| schema.page_types.get(at)).map(|info| &info.name));
    told["role"] = json!(stored.role);
    let ids = built.as_ref().map(|built| ids(built, raw)).transpose()?.unwrap_or_default();
    let mut rows = Vec::new();
    for row in &stored.rows {
        let Some(table) = schema.tables.get(row.table) else { continue };
        if row.cells.is_empty() {
            continue;
        }
        let cells: Vec<Value> = row
            .cells
            .iter()
            .map(|cell| {
                let column = &table.columns[cell.column];
                let value: String = cell.value.chars().take(MOST_LETTERS).collect();
                json!({
                    "column": column.name, "value": value, "node": node(&tree, cell), "path": cell.path,
                    "copy": cell.is_copy, "hidden": column.is_hidden || !table.is_shown(), "type": column.value_type.name(),
                    "typed": cell.typed(), "row": row_id(&ids, &table.name, &column.name, cell),
                })
            })
            .collect();
        rows.push(json!({
            "table": table.name, "kind": table.kind.name(), "hidden": !table.is_shown(), "parent": row.parent,
            "is_view": row.is_view, "cells": cells,
        }));
    }
    told["rows"] = json!(rows);
    Ok(told)
}

/// The rows of the database that the values of a page stand in, by table, column, path and value.
type Ids = FxHashMap<(String, String, String, String), i64>;

fn ids(built: &super::built::Built, page: &RawPage) -> Result<Ids> {
    built.ask(|open| {
        let mut select = open.db.prepare_cached(
            "SELECT c.table_name, c.column_name, coalesce(t.path, ''), v.value, v.row_id FROM _pages p
             JOIN _values v ON v.page_id = p.id JOIN _columns c ON c.id = v.column_id LEFT JOIN _paths t ON t.id = v.path_id
             WHERE p.url = ?1 AND p.ref = ?2",
        )?;
        let mut rows = select.query(params![page.url, page.reference])?;
        let mut found = Ids::default();
        while let Some(row) = rows.next()? {
            let text = |at| row.get::<_, Option<String>>(at).map(Option::unwrap_or_default);
            found.insert((text(0)?, text(1)?, text(2)?, text(3)?), row.get(4)?);
        }
        Ok(found)
    })
}

fn row_id(ids: &Ids, table: &str, column: &str, cell: &Cell) -> Option<i64> {
    ids.get(&(table.to_owned(), column.to_owned(), cell.path.clone(), cell.value.clone())).copied()
}

/// `GET api/pages?q=&type=&offset=`: the pages of the source.
pub(super) fn list(studio: &Studio, request: &super::server::Request) -> Value {
    let session = studio.session();
    let words = request.get("q").unwrap_or_default().to_lowercase();
    let only = request.get("type").unwrap_or_default();
    let offset = request.number("offset").unwrap_or(0);
    let edited = session.edited.clone();
    let types = edited.as_ref().map(|edited| edited.wrapper.stored_schema().page_types).unwrap_or_default();
    let type_of = |at: usize| {
        let raw = session.raw(at)?;
        let of = edited.as_ref()?.wrapper.by_hand.page_type(raw.page_type?, &raw.url);
        types.get(of).map(|info| info.name.clone())
    };
    let all = session.pages.list.iter().enumerate();
    let found = all.filter(|(_, page)| words.is_empty() || page.url.to_lowercase().contains(&words));
    let found = found.map(|(at, page)| (at, page, type_of(at)));
    let found = found.filter(|(_, _, of)| match only {
        "" => true,
        "none" => of.is_none(),
        only => of.as_deref() == Some(only),
    });
    let found: Vec<Value> =
        found.map(|(at, page, of)| json!({"page": at, "url": page.url, "page_type": of})).collect();
    let total = found.len();
    json!({"total": total, "offset": offset, "pages": found.into_iter().skip(offset).take(MOST_LISTED).collect::<Vec<_>>()})
}
