//! Which rows of one table are about a row of another: what a database offers for joining, and where the answer goes.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::error::StoreError;

/// A table of a site's database, as joining sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteTable {
    /// Its name.
    pub name: String,
    /// How many rows.
    pub rows: u64,
    /// No page has two rows in it: each row is about its page.
    pub is_of_pages: bool,
    /// The columns of values, without keys.
    pub columns: Vec<String>,
    /// Columns that hold the row of another table which a link leads to, with that table.
    pub links: Vec<(String, String)>,
}

/// A row that is about a row of another table.
#[derive(Debug, Clone, PartialEq)]
pub struct SameRow {
    /// The row's `id`.
    pub first_id: i64,
    /// The `id` of the row that it is about.
    pub second_id: i64,
    /// How surely, by their values; `None` where a link says it.
    pub probability: Option<f32>,
}

/// The tables of a site's database, in the order they were made.
pub fn site_tables(path: &Path) -> Result<Vec<SiteTable>, StoreError> {
    let sqlite = |error| StoreError::sqlite(path, error);
    let db = Connection::open(path).map_err(sqlite)?;
    tables(&db).map_err(sqlite)
}

/// For each row of a table that one of these links leads away from: its `id` and the `id` of the row it leads to.
pub fn linked_rows(path: &Path, table: &str, columns: &[&str]) -> Result<Vec<(i64, i64)>, StoreError> {
    let sqlite = |error| StoreError::sqlite(path, error);
    let first = columns.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT id, coalesce({first}, NULL) AS target FROM {} WHERE target IS NOT NULL ORDER BY id",
        quoted(table)
    );
    let db = Connection::open(path).map_err(sqlite)?;
    let mut statement = db.prepare(&sql).map_err(sqlite)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(sqlite)?;
    rows.collect::<Result<_, _>>().map_err(sqlite)
}

/// Adds the rows to `_same(first_table, first_id, second_table, second_id, probability, found_by)` and a line to `_meta`, all or
/// nothing. What an earlier call said about the same two tables is replaced.
pub fn write_same(path: &Path, first: &str, second: &str, rows: &[SameRow]) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::sqlite(path, error);
    let mut db = Connection::open(path).map_err(sqlite)?;
    write(&mut db, first, second, rows).map_err(sqlite)
}

fn write(db: &mut Connection, first: &str, second: &str, rows: &[SameRow]) -> rusqlite::Result<()> {
    let change = db.transaction()?;
    change.execute_batch(
        "CREATE TABLE IF NOT EXISTS _same(
            first_table TEXT, first_id INTEGER, second_table TEXT, second_id INTEGER, probability REAL,
            found_by TEXT, PRIMARY KEY (first_table, first_id, second_table)) WITHOUT ROWID",
    )?;
    change.execute("DELETE FROM _same WHERE first_table = ? AND second_table = ?", params![first, second])?;
    let mut insert = change.prepare("INSERT INTO _same VALUES (?, ?, ?, ?, ?, ?)")?;
    for row in rows {
        let found_by = if row.probability.is_some() { "values" } else { "link" };
        let probability = row.probability.map(f64::from);
        insert.execute(params![first, row.first_id, second, row.second_id, probability, found_by])?;
    }
    drop(insert);
    let note = format!("{} rows of {first} to {second}", rows.len());
    change.execute("INSERT OR REPLACE INTO _meta VALUES (?, ?)", params![format!("joined {first}"), note])?;
    change.commit()
}

fn tables(db: &Connection) -> rusqlite::Result<Vec<SiteTable>> {
    let own = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) != '_' \
               AND name NOT LIKE 'sqlite%' ORDER BY rowid";
    let names: Vec<String> = db.prepare(own)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut out = Vec::new();
    for name in names {
        let table = quoted(&name);
        let all: Vec<String> = db
            .prepare(&format!("PRAGMA table_info({table})"))?
            .query_map([], |row| row.get(1))?
            .collect::<Result<_, _>>()?;
        // What goes on from a table that was too wide has no pages of its own.
        if all.get(1).is_none_or(|column| column != "page_id") {
            continue;
        }
        let keys: Vec<(String, String)> = db
            .prepare(&format!("PRAGMA foreign_key_list({table})"))?
            .query_map([], |row| Ok((row.get(3)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        let (rows, pages): (i64, i64) =
            db.query_row(&format!("SELECT count(*), count(DISTINCT page_id) FROM {table}"), [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let is_key = |column: &str| column == "id" || keys.iter().any(|(from, _)| from == column);
        // The row that a list belongs to comes right after the page; it is no link.
        let parent = all.get(2).filter(|column| is_key(column));
        let mut links: Vec<(String, String)> =
            keys.iter().filter(|(from, _)| from != "page_id" && Some(from) != parent).cloned().collect();
        links.sort_by_key(|(from, _)| all.iter().position(|column| column == from));
        out.push(SiteTable {
            rows: rows as u64,
            is_of_pages: rows == pages,
            columns: all.iter().filter(|column| !is_key(column)).cloned().collect(),
            links,
            name,
        });
    }
    Ok(out)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
