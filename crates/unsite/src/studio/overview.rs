//! What was found, at a glance: tables and how they hang together, page types, and what is wrong.

use anyhow::Result;
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::session::{Session, Studio};
use super::table::quoted;
use crate::ui::er::Diagram;

/// Pages of a type that are named.
const TYPICAL: usize = 4;

/// Problems that are listed.
const PROBLEMS: usize = 200;

/// `GET api/overview`
pub(super) fn overview(studio: &Studio) -> Result<Value> {
    let session = studio.session();
    let mut told = json!({
        "name": studio.name, "wrapper": super::session::short(&session.wrapper_file),
        "pages": session.pages.list.len(), "has_pages": !session.pages.list.is_empty(),
        "has_wrapper": session.learned.is_some(), "state": super::change::state(&session),
    });
    if let Some(learned) = &session.learned {
        told["provenance"] = json!(learned.provenance);
    }
    told["page_types"] = page_types(&session);
    drop(session);
    let Some(built) = studio.built()? else { return Ok(told) };
    built.ask(|open| {
        told["tables"] = tables(&open.db)?;
        told["diagram"] = diagram(&open.db)?;
        told["problems"] = problems(&open.db)?;
        if told["page_types"].is_null() {
            told["page_types"] = stored_page_types(&open.db)?;
        }
        Ok(())
    })?;
    Ok(told)
}

/// The tables with their columns and rows.
fn tables(db: &Connection) -> Result<Value> {
    let mut columns: FxHashMap<String, Vec<Value>> = FxHashMap::default();
    let mut select = db.prepare(
        "SELECT table_name, column_name, type, label, selector, confidence, coverage, hidden, note FROM _columns ORDER BY id",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let text = |at| row.get::<_, Option<String>>(at);
        columns.entry(row.get(0)?).or_default().push(json!({
            "name": text(1)?, "type": text(2)?, "label": text(3)?, "selector": text(4)?,
            "confidence": row.get::<_, Option<f64>>(5)?, "coverage": row.get::<_, Option<f64>>(6)?,
            "hidden": row.get::<_, Option<i64>>(7)?.unwrap_or(0) != 0, "note": text(8)?,
        }));
    }
    let mut select = db.prepare(
        "SELECT t.name, t.page_type, t.parent, t.kind, t.why, m.name IS NOT NULL FROM _tables t
         LEFT JOIN sqlite_master m ON m.type = 'table' AND m.name = t.name ORDER BY t.rowid",
    )?;
    let mut rows = select.query([])?;
    let mut tables = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |at| row.get::<_, Option<String>>(at);
        let name: String = row.get(0)?;
        let count = match row.get::<_, bool>(5)? {
            true => db
                .query_row(&format!("SELECT count(*) FROM {}", quoted(&name)), [], |row| row.get::<_, i64>(0))
                .ok(),
            false => None,
        };
        let kind = text(3)?.unwrap_or_default();
        tables.push(json!({
            "name": name, "page_type": text(1)?, "parent": text(2)?, "hidden": kind == "view" || kind == "template",
            "kind": kind, "why": text(4)?, "rows": count, "columns": columns.remove(&name).unwrap_or_default(),
        }));
    }
    Ok(json!(tables))
}

fn diagram(db: &Connection) -> Result<Value> {
    let diagram = Diagram::read(db)?;
    let entities: Vec<Value> = diagram
        .entities
        .iter()
        .map(|entity| json!({"name": entity.name, "columns": entity.attributes.iter().map(|one| &one.name).collect::<Vec<_>>()}))
        .collect();
    let links: Vec<Value> = diagram
        .links
        .iter()
        .map(|link| json!({"from": link.from, "to": link.to, "key": link.key, "many": link.many}))
        .collect();
    Ok(json!({"entities": entities, "links": links}))
}

fn problems(db: &Connection) -> Result<Value> {
    let mut select = db.prepare("SELECT kind, count(*) FROM _problems GROUP BY 1 ORDER BY 2 DESC")?;
    let counts = select
        .query_map([], |row| Ok(json!({"kind": row.get::<_, String>(0)?, "count": row.get::<_, i64>(1)?})))?;
    let counts: Vec<Value> = counts.collect::<rusqlite::Result<_>>()?;
    let mut select = db.prepare("SELECT kind, ref, url, message FROM _problems LIMIT ?")?;
    let list = select.query_map([PROBLEMS as i64], |row| {
        let text = |at| row.get::<_, Option<String>>(at);
        Ok(json!({"kind": text(0)?, "ref": text(1)?, "url": text(2)?, "message": text(3)?}))
    })?;
    let list: Vec<Value> = list.collect::<rusqlite::Result<_>>()?;
    Ok(json!({"counts": counts, "list": list}))
}

/// The page types with pages that are most like the others of their type: those that have the usual rows.
fn page_types(session: &Session) -> Value {
    let Some(edited) = &session.edited else { return Value::Null };
    let types = edited.wrapper.stored_schema().page_types;
    let mut pages: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut without = Vec::new();
    for at in 0..session.pages.list.len() {
        let Some(raw) = session.raw(at) else { return Value::Null };
        match raw.page_type.map(|of| edited.wrapper.by_hand.page_type(of, &raw.url)) {
            Some(of) if of < pages.len() => pages[of].push(at),
            _ => without.push(at),
        }
    }
    let rows = |at: usize| {
        session.raw(at).map_or(0, |raw| raw.rows.iter().map(|row| row.cells.len()).sum::<usize>())
    };
    let named = |pages: &[usize]| -> Vec<Value> {
        let mut counts: Vec<usize> = pages.iter().map(|&at| rows(at)).collect();
        counts.sort_unstable();
        let usual = counts.get(counts.len() / 2).copied().unwrap_or(0);
        let mut near: Vec<usize> = pages.to_vec();
        near.sort_by_key(|&at| (rows(at).abs_diff(usual), at));
        near.iter().take(TYPICAL).map(|&at| json!({"page": at, "url": session.pages.list[at].url})).collect()
    };
    let list = types.iter().zip(&pages).enumerate();
    let list = list.filter(|(at, (_, pages))| !pages.is_empty() || !edited.wrapper.by_hand.is_merged(*at));
    let list: Vec<Value> = list
        .map(|(_, (info, pages))| {
            json!({
                "name": info.name, "pages": pages.len(), "role": info.role, "urls": info.url_pattern,
                "confidence": info.confidence, "typical": named(pages),
            })
        })
        .collect();
    json!({"list": list, "without": without.len(), "strangers": named(&without)})
}

fn stored_page_types(db: &Connection) -> Result<Value> {
    let mut select =
        db.prepare("SELECT name, pages, role, url_pattern, confidence FROM _page_types ORDER BY pages DESC")?;
    let list = select.query_map([], |row| {
        Ok(json!({
            "name": row.get::<_, String>(0)?, "pages": row.get::<_, i64>(1)?, "role": row.get::<_, Option<String>>(2)?,
            "urls": row.get::<_, Option<String>>(3)?, "confidence": row.get::<_, Option<f64>>(4)?, "typical": [],
        }))
    })?;
    let list: Vec<Value> = list.collect::<rusqlite::Result<_>>()?;
    Ok(json!({"list": list, "without": 0, "strangers": []}))
}
