//! New rows put to those of a database that is there already, in one transaction.

use std::collections::HashMap;

use rusqlite::{Connection, Result, Statement};

use super::links::resolve_links;
use super::merge_receipts::{KNOWN_VALUES, mend_view, merge_receipts, take_down};
use super::natural_keys::{declare_natural_keys, forget_natural_keys};
use super::schema::create_indexes;
use super::search_index::index_texts;
use super::there::earlier;
use super::widen::{columns, grow};
use crate::identity::{KNOWN_HISTORY, Known};
use crate::merge::{Merged, Sides, text};
use crate::plan::{
    Field, Layout, Table, discovered, has_history, has_main_text, history, main_text, own_of_sqlite, quoted,
};

const SIDES: Sides<'static> =
    Sides { new: "main.", old: "old.", values: Some(KNOWN_VALUES), reads: |_| Some("v.value") };

/// Tells which pages and rows the attached database holds.
pub(crate) fn load_known(db: &Connection, layout: &Layout) -> Result<()> {
    take_down(db)?;
    let mut known = Known::new(db)?;
    let moments = match columns(db, "_pages")?.contains_key("latest") {
        true => "captured, latest",
        false => "NULL, 1",
    };
    let mut query = db.prepare(&format!("SELECT id, url, ref, {moments} FROM old._pages"))?;
    let mut pages = query.query([])?;
    while let Some(page) = pages.next()? {
        let (url, reference) = (page.get_ref(1)?.as_str()?, page.get_ref(2)?.as_str()?);
        known.page(page.get(0)?, (url, reference), (page.get_ref(3)?.as_str_or_null()?, page.get(4)?))?;
    }
    for (index, table) in layout.tables.iter().enumerate() {
        let there = columns(db, table.name())?;
        if there.is_empty() {
            load_cells(db, &mut known, index, table)?;
        } else {
            load_rows(db, &mut known, index, table, &there)?;
        }
    }
    if !columns(db, "_history")?.is_empty() {
        load_history(db, &mut known, layout)?;
    }
    known.finish()
}

/// Rows that were there once keep their numbers, and those that had an address get it back when they are seen again.
fn load_history(db: &Connection, known: &mut Known<'_>, layout: &Layout) -> Result<()> {
    db.execute_batch(KNOWN_HISTORY)?;
    for (index, table) in layout.tables.iter().enumerate() {
        let parts: Vec<String> = table.parts.iter().map(|part| text(&part.name)).collect();
        let of_table = format!("FROM old._history WHERE table_name IN ({})", parts.join(", "));
        known.last(index, db.query_row(&format!("SELECT max(row_id) {of_table}"), [], |row| row.get(0))?)?;
        if let Some(key) = table.key.map(|key| &table.columns[key]) {
            let sql = format!(
                "SELECT row_id, value {of_table} AND column_name = {} ORDER BY last_seen DESC, row_id",
                text(&key.name)
            );
            each_text(db, &sql, |id, key| known.key(index, id, key))?;
        }
    }
    Ok(())
}

/// The rows of a table that is there.
fn load_rows(
    db: &Connection,
    known: &mut Known<'_>,
    index: usize,
    table: &Table,
    there: &HashMap<String, String>,
) -> Result<()> {
    let name = quoted(table.name());
    known.last(index, db.query_row(&format!("SELECT max(id) FROM old.{name}"), [], |row| row.get(0))?)?;
    let parent = table.parent.as_ref().map(|(_, key)| key).filter(|key| there.contains_key(*key));
    let parent = parent.map_or_else(|| "NULL".to_owned(), |key| format!("t.{}", quoted(key)));
    let mut unkeyed = String::new();
    match table.key.map(|key| &table.columns[key]) {
        Some(key) if key.part == 0 && there.contains_key(&key.name) => {
            let key = quoted(&key.name);
            let sql = format!("SELECT id, {key} FROM old.{name} WHERE {key} IS NOT NULL ORDER BY id");
            each_text(db, &sql, |id, key| known.key(index, id, key))?;
            unkeyed = format!("WHERE t.{key} IS NULL");
        }
        // Earlier runs knew its rows by their pages.
        Some(_) => {
            let sql = format!(
                "SELECT t.id, p.url FROM old.{name} t JOIN old._pages p ON p.id = t.page_id ORDER BY t.id"
            );
            let page = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
            return each_text(db, &sql, |id, url| known.key(index, id, &page(url)));
        }
        None if table.is_paired => {
            let tell: Vec<String> = table
                .telling()
                .map(|(_, column)| match there.contains_key(&column.name) {
                    true => format!("CAST(t.{} AS TEXT)", quoted(&column.name)),
                    false => "NULL".to_owned(),
                })
                .collect();
            let tell = tell.iter().map(|value| format!(", {value}")).collect::<String>();
            let mut query =
                db.prepare(&format!("SELECT t.id, {parent}{tell} FROM old.{name} t ORDER BY t.id"))?;
            let width = query.column_count();
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let values = (2..width).map(|at| row.get_ref(at)?.as_str_or_null().map_err(Into::into));
                let values = values.collect::<Result<Vec<_>>>()?;
                known.pair(index, row.get(0)?, row.get(1)?, values.into_iter())?;
            }
            return Ok(());
        }
        None => {}
    }
    let marks = vec!["?"; table.parts.len()].join(", ");
    let mut query = db.prepare(&format!(
        "SELECT t.id, t.page_id, {parent}, c.column_name, c.type = 'url', v.value FROM old.{name} t
         LEFT JOIN old._columns c ON c.table_name IN ({marks})
         LEFT JOIN {KNOWN_VALUES} v ON v.column_id = c.id AND v.row_id = t.id {unkeyed} ORDER BY t.id",
    ))?;
    load_values(known, index, &mut query, table)
}

/// The rows of a table that is kept out of sight: of those there are only their values.
fn load_cells(db: &Connection, known: &mut Known<'_>, index: usize, table: &Table) -> Result<()> {
    if let Some(key) = table.key.map(|key| &table.columns[key]) {
        let sql = format!(
            "SELECT v.row_id, v.value FROM {KNOWN_VALUES} v JOIN old._columns c ON c.id = v.column_id
             WHERE v.row_id IS NOT NULL AND c.table_name = {} AND c.column_name = {} ORDER BY v.id",
            text(&table.parts[key.part].name),
            text(&key.name)
        );
        let address = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
        each_text(db, &sql, |id, url| known.key(index, id, &address(url)))?;
    }
    let marks = vec!["?"; table.parts.len()].join(", ");
    let mut query = db.prepare(&format!(
        "SELECT v.row_id, v.page_id, NULL, c.column_name, c.type = 'url', v.value
         FROM old._columns c JOIN {KNOWN_VALUES} v ON v.column_id = c.id
         WHERE c.table_name IN ({marks}) AND v.row_id IS NOT NULL ORDER BY v.row_id, v.id"
    ))?;
    load_values(known, index, &mut query, table)
}

/// Takes rows with their values, one value a line.
fn load_values(known: &mut Known<'_>, index: usize, query: &mut Statement<'_>, table: &Table) -> Result<()> {
    let names = rusqlite::params_from_iter(table.parts.iter().map(|part| part.name.as_str()));
    let mut rows = query.query(names)?;
    while let Some(row) = rows.next()? {
        let value = match row.get_ref(5)?.as_str_or_null()? {
            Some(value) => Some((row.get_ref(3)?.as_str()?, row.get(4)?, value)),
            None => None,
        };
        known.row(index, row.get(0)?, row.get(1)?, row.get(2)?, value)?;
    }
    Ok(())
}

fn each_text(db: &Connection, sql: &str, mut take: impl FnMut(i64, &str) -> Result<()>) -> Result<()> {
    let mut query = db.prepare(sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        take(row.get(0)?, row.get_ref(1)?.as_str()?)?;
    }
    Ok(())
}

/// Puts what stands in `main` to what stands in `old`.
pub(crate) fn merge(db: &Connection, layout: &Layout) -> Result<Merged> {
    mend_view(db)?;
    let relations = discovered(layout);
    for relation in &relations {
        let grown = grow(db, relation)?;
        for sql in SIDES.come_to_sight(relation, &grown) {
            db.execute(&sql, [])?;
        }
    }
    forget_natural_keys(db, "old")?;
    let earlier = earlier(db, "old")?;
    let set_aside = db.execute(&SIDES.leave_set_aside(), [])? as u64;
    let mut merged = Merged { set_aside, ..Merged::default() };
    let is_main = |name: &str| layout.tables.iter().any(|table| table.name() == name);
    for relation in own_of_sqlite().iter().filter(|relation| relation.name == "_pages") {
        grow(db, relation)?;
    }
    let told = has_history(db)?;
    if told {
        create_indexes(db, "old", layout)?;
        if grow(db, &history())?.is_new {
            db.execute(&SIDES.history_so_far(), [])?;
        }
        db.execute(&SIDES.sightings(), [])?;
    }
    db.execute(&SIDES.supersede(), [])?;
    for table in layout.shown().filter(|table| table.is_seen_anywhere()) {
        for sql in SIDES.keep_elsewhere(table) {
            db.execute(&sql, [])?;
        }
    }
    for name in earlier.others(&relations) {
        merged.removed += db.execute(&SIDES.remove(name, false), [])? as u64;
    }
    for relation in relations.iter().rev() {
        let removed = db.execute(&SIDES.remove_from(layout, relation), [])? as u64;
        merged.removed += if is_main(&relation.name) { removed } else { 0 };
    }
    let plain = |field: &Field| quoted(&field.name);
    let own = own_of_sqlite();
    for name in ["_meta", "_page_types", "_pages", "_tables"] {
        for relation in own.iter().filter(|relation| relation.name == name) {
            db.execute(&SIDES.upsert(relation, &[], plain), [])?;
        }
    }
    for table in layout.shown().filter(|table| table.is_seen_anywhere()) {
        for sql in SIDES.move_on(table) {
            db.execute(&sql, [])?;
        }
    }
    for relation in &relations {
        let added: i64 = db.query_row(&SIDES.count_added(&relation.name), [], |row| row.get(0))?;
        let gone = earlier.tables.get(&relation.name).map_or_else(Vec::new, |table| table.gone(relation));
        let written = db.execute(&SIDES.upsert_of(layout, relation, &gone, plain), [])? as u64;
        if is_main(&relation.name) {
            merged.added += added as u64;
            merged.changed += written.saturating_sub(added as u64);
        }
    }
    for sql in SIDES.columns_and_paths() {
        db.execute(&sql, [])?;
    }
    merge_receipts(db)?;
    for sql in SIDES.problems().iter().chain([&SIDES.recount()]) {
        db.execute(sql, [])?;
    }
    if told {
        for sql in SIDES.history() {
            db.execute(&sql, [])?;
        }
    }
    if has_main_text(db)? {
        grow(db, &main_text())?;
        for sql in SIDES.main_texts() {
            db.execute(&sql, [])?;
        }
    }
    resolve_links(db, "old", layout)?;
    create_indexes(db, "old", layout)?;
    declare_natural_keys(db, "old", layout)?;
    index_texts(db, "old", layout)?;
    Ok(merged)
}
