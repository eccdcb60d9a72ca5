//! Searching in what a database of ours says about things.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Result};

use crate::StoreError;
use crate::plan::quoted;
use crate::spaces::{spaced, unspaced};
use crate::sqlite::SEARCH;

/// What a question is worth in the column that names the row: who asks for a name wants the thing that has it.
const NAME_WEIGHT: f64 = 5.0;

/// Words around what was found.
const SNIPPET_WORDS: usize = 20;

/// Stands before and behind a word that was asked for in [`Hit::snippet`].
pub const MARKS: [char; 2] = ['\u{2}', '\u{3}'];

/// Columns that name a row, the surest first.
const NAMES: [&str; 3] = ["title", "name", "label"];

/// A row that says what was asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hit {
    /// Its table.
    pub table: String,
    /// Its `id`.
    pub id: i64,
    /// What it is called.
    pub title: String,
    /// Its address, or that of the page it stands on.
    pub url: String,
    /// The column that says it.
    pub column: String,
    /// Where it says it, each word between [`MARKS`].
    pub snippet: String,
    /// How well it fits: BM25, higher is better. Of different tables it says less.
    pub score: f64,
}

/// What can be asked, and what was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The tables that have an index.
    pub tables: Vec<String>,
    /// The rows, best first.
    pub hits: Vec<Hit>,
}

/// The rows that say all of the words, best first. Words in quotes stand one behind the other.
pub fn search(
    path: &Path,
    words: &str,
    table: Option<&str>,
    limit: usize,
) -> std::result::Result<Found, StoreError> {
    let sqlite = |error| StoreError::sqlite(path, error);
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
    let tables = tables(&db).map_err(sqlite)?;
    let mut hits = Vec::new();
    let asked = phrases(words);
    if !asked.is_empty() {
        for name in tables.iter().filter(|name| table.is_none_or(|table| table == *name)) {
            hits.extend(ask(&db, name, &asked, limit).map_err(sqlite)?);
        }
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| (&a.table, a.id).cmp(&(&b.table, b.id))));
    hits.truncate(limit);
    Ok(Found { tables, hits })
}

fn tables(db: &Connection) -> Result<Vec<String>> {
    let sql =
        "SELECT substr(name, ?1) FROM sqlite_master WHERE type = 'table' AND substr(name, 1, ?1 - 1) = ?2
               AND sql LIKE 'CREATE VIRTUAL TABLE %' ORDER BY rowid";
    let mut query = db.prepare(sql)?;
    query.query_map((SEARCH.len() as i64 + 1, SEARCH), |row| row.get(0))?.collect()
}

/// The words as FTS5 takes them, told apart as they are in the index.
fn phrases(words: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, piece) in words.split('"').enumerate() {
        let each: Vec<&str> = if at % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() };
        let said = each.into_iter().filter(|word| word.contains(char::is_alphanumeric));
        all.extend(said.map(|word| format!("\"{}\"", spaced(word).trim())));
    }
    all
}

fn ask(db: &Connection, table: &str, asked: &[String], limit: usize) -> Result<Vec<Hit>> {
    let index = quoted(&format!("{SEARCH}{table}"));
    let columns: Vec<String> = db
        .prepare(&format!(
            "SELECT name FROM pragma_table_info({})",
            crate::merge::text(&format!("{SEARCH}{table}"))
        ))?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let name = NAMES.iter().find_map(|name| columns.iter().position(|column| column == name)).unwrap_or(0);
    let weights: Vec<String> = (0..columns.len())
        .map(|at| if at == name { format!("{NAME_WEIGHT:.1}") } else { "1.0".into() })
        .collect();
    let mut query = db.prepare(&format!(
        "SELECT rowid, -bm25({index}, {}) FROM {index} WHERE {index} MATCH ? ORDER BY 2 DESC, 1 LIMIT ?",
        weights.join(", ")
    ))?;
    let found = query.query_map((asked.join(" "), limit as i64), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(i64, f64)> = found.collect::<Result<_>>()?;
    let mut hits = Vec::with_capacity(found.len());
    for (id, score) in found {
        let texts = texts(db, table, &columns, id)?;
        let (column, snippet) = snippet(db, &texts, asked)?;
        hits.push(Hit {
            table: table.to_owned(),
            id,
            title: texts[name].clone(),
            url: url(db, table, id)?,
            column: columns[column].clone(),
            snippet,
            score,
        });
    }
    Ok(hits)
}

fn texts(db: &Connection, table: &str, columns: &[String], id: i64) -> Result<Vec<String>> {
    let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    let sql = format!("SELECT {} FROM {} WHERE id = ?", names.join(", "), quoted(table));
    let text = |value: ValueRef<'_>| match value {
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        _ => String::new(),
    };
    let read = |row: &rusqlite::Row<'_>| (0..names.len()).map(|at| Ok(text(row.get_ref(at)?))).collect();
    Ok(db.prepare_cached(&sql)?.query_row([id], read).optional()?.unwrap_or(vec![String::new(); names.len()]))
}

/// The column that says it best, and where. The index knows words that are told apart; so does the copy that is asked here.
fn snippet(db: &Connection, texts: &[String], asked: &[String]) -> Result<(usize, String)> {
    db.execute_batch(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.said USING fts5(text, tokenize=\"unicode61 remove_diacritics 2\");
         DELETE FROM temp.said",
    )?;
    let mut insert = db.prepare_cached("INSERT INTO temp.said(rowid, text) VALUES (?, ?)")?;
    for (at, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
        insert.execute((at as i64, spaced(text)))?;
    }
    let sql = format!(
        "SELECT rowid, snippet(said, 0, '{}', '{}', '…', {SNIPPET_WORDS}) FROM temp.said WHERE said MATCH ?
         ORDER BY rank LIMIT 1",
        MARKS[0], MARKS[1]
    );
    let found = db.prepare_cached(&sql)?.query_row([asked.join(" OR ")], |row| {
        Ok((row.get::<_, i64>(0)? as usize, row.get::<_, String>(1)?))
    });
    let (column, said) = found.optional()?.unwrap_or_default();
    Ok((column, unspaced(&said, MARKS)))
}

/// The address that the row is known by, or that of its page.
fn url(db: &Connection, table: &str, id: i64) -> Result<String> {
    let sql = "SELECT name FROM pragma_index_info(?)";
    let index = format!("_address_{table}");
    let key: Option<String> = db.prepare_cached(sql)?.query_row([index], |row| row.get(0)).optional()?;
    let (name, key) = (quoted(table), key.map_or("NULL".to_owned(), |key| format!("t.{}", quoted(&key))));
    let sql = format!(
        "SELECT coalesce({key}, p.url) FROM {name} t LEFT JOIN _pages p ON p.id = t.page_id WHERE t.id = ?"
    );
    let url: Option<Option<String>> =
        db.prepare_cached(&sql)?.query_row([id], |row| row.get(0)).optional()?;
    Ok(url.flatten().unwrap_or_default())
}
