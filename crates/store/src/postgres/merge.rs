//! New rows put to those that the server holds.

use std::collections::HashMap;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Error, Transaction};
use rusqlite::Connection;

use super::copy::copy;
use super::nul::restored;
use super::schema::{add_reference, earlier, forget_natural_keys, sql_type, table_sql};
use super::{Address, refused};
use crate::StoreError;
use crate::identity::{KNOWN_HISTORY, Known};
use crate::merge::{Grown, Merged, Sides, text};
use crate::plan::{
    Field, Kind, Layout, Relation, Table, discovered, has_history, has_main_text, history, main_text,
    own_of_server, quoted,
};

/// Tells which pages and rows the server holds.
pub(super) fn load_known(
    transaction: &mut Transaction<'_>,
    schema: &str,
    db: &Connection,
    layout: &Layout,
    address: &Address,
) -> Result<(), StoreError> {
    let said = |e: Error| refused(address, &e);
    let staged = |e: rusqlite::Error| StoreError::sqlite(address.to_string().as_ref(), e);
    let mut known = Known::new(db).map_err(staged)?;
    let none: [&str; 0] = [];
    let moments = match columns(transaction, schema, "_pages").map_err(said)?.contains_key("latest") {
        true => "captured, latest",
        false => "NULL::text, 1::bigint",
    };
    let sql = format!("SELECT id, url, ref, {moments} FROM {schema}_pages");
    let mut pages = transaction.query_raw(&sql, none).map_err(said)?;
    while let Some(page) = pages.next().map_err(said)? {
        let text = |at| restored(page.get::<_, &str>(at)).into_owned();
        known.page(page.get(0), (&text(1), &text(2)), (page.get(3), page.get(4))).map_err(staged)?;
    }
    drop(pages);
    for (index, table) in layout.tables.iter().enumerate() {
        let there = columns(transaction, schema, table.name()).map_err(said)?;
        let loaded = load_rows(transaction, schema, &mut known, (index, table), &there);
        loaded.map_err(|e| match e {
            Refused::Server(e) => said(e),
            Refused::Staged(e) => staged(e),
        })?;
    }
    if !columns(transaction, schema, "_history").map_err(said)?.is_empty() {
        db.execute_batch(KNOWN_HISTORY).map_err(staged)?;
        for (index, table) in layout.tables.iter().enumerate() {
            let loaded = load_history(transaction, schema, &mut known, (index, table));
            loaded.map_err(|e| match e {
                Refused::Server(e) => said(e),
                Refused::Staged(e) => staged(e),
            })?;
        }
    }
    known.finish().map_err(staged)
}

/// Rows that were there once keep their numbers, and those that had an address get it back when they are seen again.
fn load_history(
    transaction: &mut Transaction<'_>,
    schema: &str,
    known: &mut Known<'_>,
    (index, table): (usize, &Table),
) -> Result<(), Refused> {
    let parts: Vec<String> = table.parts.iter().map(|part| text(&part.name)).collect();
    let of_table = format!("FROM {schema}_history WHERE table_name IN ({})", parts.join(", "));
    let last = transaction.query_one(&format!("SELECT max(row_id) {of_table}"), &[])?;
    known.last(index, last.get(0))?;
    let Some(key) = table.key.map(|key| &table.columns[key]) else { return Ok(()) };
    let sql = format!(
        "SELECT row_id, value {of_table} AND column_name = {} ORDER BY last_seen DESC, row_id",
        text(&key.name)
    );
    let none: [&str; 0] = [];
    let mut rows = transaction.query_raw(&sql, none)?;
    while let Some(row) = rows.next()? {
        known.key(index, row.get(0), &restored(row.get(1)))?;
    }
    Ok(())
}

/// Which of the two sides said no.
enum Refused {
    Server(Error),
    Staged(rusqlite::Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Server(error)
    }
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Refused {
        Refused::Staged(error)
    }
}

/// The rows of a table, or where it is kept out of sight what there is of them: their values.
fn load_rows(
    transaction: &mut Transaction<'_>,
    schema: &str,
    known: &mut Known<'_>,
    (index, table): (usize, &Table),
    there: &HashMap<String, String>,
) -> Result<(), Refused> {
    let name = quoted(table.name());
    let parts: Vec<&str> = table.parts.iter().map(|part| part.name.as_str()).collect();
    let parent = table.parent.as_ref().map(|(_, key)| key).filter(|key| there.contains_key(*key));
    let parent = parent.map_or_else(|| "NULL::bigint".to_owned(), |key| format!("t.{}", quoted(key)));
    let key = table.key.map(|key| &table.columns[key]);
    let mut unkeyed = String::new();
    if !there.is_empty() {
        let last = transaction.query_one(&format!("SELECT max(id) FROM {schema}{name}"), &[])?;
        known.last(index, last.get(0))?;
    }
    if let Some(key) = key {
        let column = quoted(&key.name);
        let sql = match there.contains_key(&key.name) && key.part == 0 {
            true => {
                unkeyed = format!("WHERE t.{column} IS NULL");
                format!("SELECT id, {column} FROM {schema}{name} WHERE {column} IS NOT NULL ORDER BY id")
            }
            // Earlier runs knew its rows by their pages.
            false if !there.is_empty() => format!(
                "SELECT t.id, split_part(p.url, '#', 1) FROM {schema}{name} t
                 JOIN {schema}_pages p ON p.id = t.page_id ORDER BY t.id"
            ),
            false => format!(
                "SELECT v.row_id, split_part(v.value, '#', 1) FROM {schema}_values v
                 JOIN {schema}_columns c ON c.id = v.column_id
                 WHERE v.row_id IS NOT NULL AND c.table_name = {} AND c.column_name = {} ORDER BY v.id",
                text(&table.parts[key.part].name),
                text(&key.name)
            ),
        };
        let none: [&str; 0] = [];
        let mut rows = transaction.query_raw(&sql, none)?;
        while let Some(row) = rows.next()? {
            known.key(index, row.get(0), &restored(row.get(1)))?;
        }
        if unkeyed.is_empty() && !there.is_empty() {
            return Ok(());
        }
    }
    if table.is_paired && !there.is_empty() {
        let tell = table.telling().map(|(_, column)| match there.contains_key(&column.name) {
            true => format!(", t.{}::text", quoted(&column.name)),
            false => ", NULL::text".to_owned(),
        });
        let sql =
            format!("SELECT t.id, {parent}{} FROM {schema}{name} t ORDER BY t.id", tell.collect::<String>());
        let none: [&str; 0] = [];
        let mut rows = transaction.query_raw(&sql, none)?;
        while let Some(row) = rows.next()? {
            let values: Vec<_> =
                (2..row.len()).map(|at| row.get::<_, Option<&str>>(at).map(restored)).collect();
            known.pair(index, row.get(0), row.get(1), values.iter().map(|value| value.as_deref()))?;
        }
        return Ok(());
    }
    let sql = match there.is_empty() {
        true => format!(
            "SELECT v.row_id, v.page_id, NULL::bigint, c.column_name, c.type = 'url', v.value
             FROM {schema}_values v JOIN {schema}_columns c ON c.id = v.column_id AND c.table_name = ANY($1)
             WHERE v.row_id IS NOT NULL ORDER BY v.row_id, v.id"
        ),
        false => format!(
            "SELECT t.id, t.page_id, {parent}, c.column_name, c.type = 'url', v.value FROM {schema}{name} t
             LEFT JOIN ({schema}_values v JOIN {schema}_columns c ON c.id = v.column_id AND c.table_name = ANY($1))
                ON v.row_id = t.id {unkeyed} ORDER BY t.id"
        ),
    };
    let mut rows = transaction.query_raw(&sql, [&parts as &(dyn ToSql + Sync)])?;
    while let Some(row) = rows.next()? {
        let value = row.get::<_, Option<&str>>(5).map(restored);
        let value =
            value.as_ref().map(|value| (row.get::<_, &str>(3), row.get::<_, bool>(4), value.as_ref()));
        known.row(index, row.get(0), row.get(1), row.get(2), value)?;
    }
    Ok(())
}

fn sides(schema: &str) -> Sides<'_> {
    let reads = |kind: Kind| (kind == Kind::Text).then_some("v.value");
    Sides { new: "pg_temp.", old: schema, values: None, reads }
}

/// Copies the finished database to temporary tables and puts those to what is there.
pub(super) fn merge(
    transaction: &mut Transaction<'_>,
    schema: &str,
    db: &Connection,
    layout: &Layout,
    address: &Address,
) -> Result<Merged, StoreError> {
    let said = |e: Error| refused(address, &e);
    let (own, relations) = (own_of_server(), discovered(layout));
    for relation in own.iter().chain(&relations) {
        let sql = table_sql("TEMPORARY TABLE ", relation) + " ON COMMIT DROP";
        transaction.batch_execute(&sql).map_err(said)?;
        copy(transaction, "pg_temp.", db, relation, address)?;
    }
    let types = grow(transaction, schema, &relations).map_err(said)?;
    let asked = has_main_text(db).map_err(|e| StoreError::sqlite(address.to_string().as_ref(), e))?;
    let texts = main_text();
    if asked {
        let sql = table_sql("TEMPORARY TABLE ", &texts) + " ON COMMIT DROP";
        transaction.batch_execute(&sql).map_err(said)?;
        copy(transaction, "pg_temp.", db, &texts, address)?;
        grow(transaction, schema, std::slice::from_ref(&texts)).map_err(said)?;
    }
    let own_pages: Vec<Relation> = own.iter().filter(|own| own.name == "_pages").cloned().collect();
    grow(transaction, schema, &own_pages).map_err(said)?;
    let told = has_history(db).map_err(|e| StoreError::sqlite(address.to_string().as_ref(), e))?;
    let sides = sides(schema);
    if told {
        let history = history();
        let sql = table_sql("TEMPORARY TABLE ", &history) + " ON COMMIT DROP";
        transaction.batch_execute(&sql).map_err(said)?;
        copy(transaction, "pg_temp.", db, &history, address)?;
        let is_new = columns(transaction, schema, "_history").map_err(said)?.is_empty();
        if is_new {
            let sql = table_sql(&format!("TABLE {schema}"), &history);
            transaction.batch_execute(&sql).map_err(said)?;
            transaction.execute(&sides.history_so_far(), &[]).map_err(said)?;
        }
        transaction.execute(&sides.sightings(), &[]).map_err(said)?;
    }
    let merged = merge_tables(transaction, sides, layout, &types).map_err(said)?;
    for sql in sides.history().iter().filter(|_| told) {
        transaction.execute(sql, &[]).map_err(said)?;
    }
    for sql in sides.main_texts().iter().filter(|_| asked) {
        transaction.execute(sql, &[]).map_err(said)?;
    }
    Ok(merged)
}

fn merge_tables(
    transaction: &mut Transaction<'_>,
    sides: Sides<'_>,
    layout: &Layout,
    types: &HashMap<(String, String), String>,
) -> Result<Merged, Error> {
    let (own, relations) = (own_of_server(), discovered(layout));
    let is_main = |name: &str| layout.tables.iter().any(|table| table.name() == name);
    forget_natural_keys(transaction, sides.old)?;
    let earlier = earlier(transaction, sides.old)?;
    let set_aside = transaction.execute(&sides.leave_set_aside(), &[])?;
    let mut merged = Merged { set_aside, ..Merged::default() };
    transaction.execute(&sides.supersede(), &[])?;
    for table in layout.shown().filter(|table| table.is_seen_anywhere()) {
        for sql in sides.keep_elsewhere(table) {
            transaction.execute(&sql, &[])?;
        }
    }
    for name in earlier.others(&relations) {
        merged.removed += transaction.execute(&sides.remove(name, false), &[])?;
    }
    for relation in relations.iter().rev() {
        let removed = transaction.execute(&sides.remove_from(layout, relation), &[])?;
        merged.removed += if is_main(&relation.name) { removed } else { 0 };
    }
    for name in ["_meta", "_page_types", "_pages", "_tables"] {
        for relation in own.iter().filter(|relation| relation.name == name) {
            transaction.execute(&sides.upsert(relation, &[], |field| quoted(&field.name)), &[])?;
        }
    }
    for table in layout.shown().filter(|table| table.is_seen_anywhere()) {
        for sql in sides.move_on(table) {
            transaction.execute(&sql, &[])?;
        }
    }
    for relation in &relations {
        let added = transaction.query_one(&sides.count_added(&relation.name), &[])?.get::<_, i64>(0) as u64;
        let read = |field: &Field| match types.get(&(relation.name.clone(), field.name.clone())) {
            Some(wider) => format!("CAST({} AS {wider})", quoted(&field.name)),
            None => quoted(&field.name),
        };
        let gone = earlier.tables.get(&relation.name).map_or_else(Vec::new, |table| table.gone(relation));
        let written = transaction.execute(&sides.upsert_of(layout, relation, &gone, read), &[])?;
        if is_main(&relation.name) {
            merged.added += added;
            merged.changed += written.saturating_sub(added);
        }
    }
    let values = sides.columns_and_paths().into_iter().chain(sides.values());
    for sql in &values.chain(sides.problems()).chain([sides.recount()]).collect::<Vec<_>>() {
        transaction.execute(sql, &[])?;
    }
    resolve_links(transaction, sides.old, layout)?;
    Ok(merged)
}

/// Makes the tables and columns that are not there yet, and wider ones where the type has changed. Gives the types of
/// those that hold more than the new rows need.
fn grow(
    transaction: &mut Transaction<'_>,
    schema: &str,
    relations: &[Relation],
) -> Result<HashMap<(String, String), String>, Error> {
    let mut wider = HashMap::new();
    let mut referring: Vec<(&Relation, &Field)> = Vec::new();
    for relation in relations {
        let there = columns(transaction, schema, &relation.name)?;
        if there.is_empty() {
            transaction.batch_execute(&table_sql(&format!("TABLE {schema}"), relation))?;
            let columns = relation.fields.iter().map(|field| field.name.clone()).collect();
            come_to_sight(transaction, schema, relation, &Grown { is_new: true, columns })?;
            referring.extend(relation.fields.iter().map(|field| (relation, field)));
            continue;
        }
        let table = format!("{schema}{}", quoted(&relation.name));
        let mut grown = Grown::default();
        for field in &relation.fields {
            let (name, wanted) = (quoted(&field.name), sql_type(field.kind));
            let Some(have) = there.get(&field.name) else {
                transaction.batch_execute(&format!("ALTER TABLE {table} ADD COLUMN {name} {wanted}"))?;
                referring.push((relation, field));
                grown.columns.push(field.name.clone());
                continue;
            };
            let wide = match (have.as_str(), wanted) {
                (have, wanted) if have == wanted => continue,
                ("bigint", "double precision") | ("double precision", "bigint") => "double precision",
                _ => "text",
            };
            if have != wide {
                transaction.batch_execute(&format!(
                    "ALTER TABLE {table} ALTER COLUMN {name} TYPE {wide} USING {name}::{wide}"
                ))?;
            }
            let new = format!("pg_temp.{}", quoted(&relation.name));
            transaction.batch_execute(&format!(
                "ALTER TABLE {new} ALTER COLUMN {name} TYPE {wide} USING {name}::{wide}"
            ))?;
            wider.insert((relation.name.clone(), field.name.clone()), wide.to_owned());
        }
        come_to_sight(transaction, schema, relation, &grown)?;
    }
    for (relation, field) in referring {
        add_reference(transaction, schema, &relation.name, field)?;
    }
    Ok(wider)
}

fn come_to_sight(
    transaction: &mut Transaction<'_>,
    schema: &str,
    relation: &Relation,
    grown: &Grown,
) -> Result<(), Error> {
    for sql in sides(schema).come_to_sight(relation, grown) {
        transaction.execute(&sql, &[])?;
    }
    Ok(())
}

/// The columns of a table with their types; none when there is no such table.
fn columns(
    transaction: &mut Transaction<'_>,
    schema: &str,
    table: &str,
) -> Result<HashMap<String, String>, Error> {
    let sql = "SELECT a.attname::text, format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_attribute a
               WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped";
    let name = format!("{schema}{}", quoted(table));
    Ok(transaction.query(sql, &[&name])?.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Fills the keys beside links: the row of the referenced table on the page that the link leads to, the first one
/// where there are several.
fn resolve_links(transaction: &mut Transaction<'_>, schema: &str, layout: &Layout) -> Result<(), Error> {
    for (index, table) in layout.tables.iter().enumerate().filter(|(at, _)| layout.is_referenced(*at)) {
        if let Some(key) = table.key_column() {
            let (name, key) = (quoted(&table.parts[key.part].name), quoted(&key.name));
            transaction.batch_execute(&format!(
                "CREATE TEMPORARY TABLE _targets_{index} ON COMMIT DROP AS
                     SELECT DISTINCT ON (1) split_part({key}, '#', 1) AS url, id FROM {schema}{name}
                     WHERE {key} IS NOT NULL ORDER BY 1, id;
                 ANALYZE _targets_{index}"
            ))?;
            continue;
        }
        transaction.batch_execute(&format!(
            "CREATE TEMPORARY TABLE _targets_{index} ON COMMIT DROP AS
                 SELECT DISTINCT ON (1) split_part(p.url, '#', 1) AS url, t.id FROM {schema}{} t
                 JOIN {schema}_pages p ON p.id = t.page_id WHERE p.url <> '' ORDER BY 1, t.id;
             ANALYZE _targets_{index}",
            quoted(table.name())
        ))?;
    }
    for (table, part) in layout.parts() {
        for (_, column) in table.columns_of(part) {
            let Some((key, target)) = layout.link(column) else { continue };
            let (name, key, link) = (quoted(&part.name), quoted(key), quoted(&column.name));
            transaction.batch_execute(&format!(
                "UPDATE {schema}{name} AS o SET {key} = x.target FROM
                     (SELECT t.id, g.id AS target FROM {schema}{name} t
                      LEFT JOIN pg_temp._targets_{target} g ON g.url = split_part(t.{link}, '#', 1)) x
                 WHERE x.id = o.id AND o.{key} IS DISTINCT FROM x.target"
            ))?;
        }
    }
    Ok(())
}
