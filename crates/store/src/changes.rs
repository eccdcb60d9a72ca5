//! What changed in a database since a day: what its history of sightings tells.
//!
//! # What it does
//! Rows whose first sighting is later were added. Of rows that were there, a value that was last seen in one capture and
//! another that was first seen in the next are a change. A row is not seen again when every address that told of it was
//! captured again without it. Only what has changed is looked at: the work does not grow with the rest of the history.
//! # Assumes
//! Moments are texts that sort as time does, as `_history` has them.
//! # When it fails
//! What was not captured again says nothing: a page that is gone from the site keeps its rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Result, params};

use crate::StoreError;

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Rows that were seen for the first time.
    pub added: Vec<RowSeen>,
    /// Values that changed, in rows that were there before.
    pub changed: Vec<ValueChange>,
    /// Rows that were not seen again.
    pub unseen: Vec<RowSeen>,
    /// The newest capture of the database.
    pub until: Option<String>,
    /// The tables that have a history.
    pub tables: Vec<String>,
}

/// A row at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowSeen {
    /// Its table.
    pub table: String,
    /// Its `id`; of a row that is not there any more the one it had.
    pub row: i64,
    /// What it said then, column by column.
    pub values: Vec<(String, String)>,
    /// When it was first seen, or seen last.
    pub at: String,
    /// Where.
    pub receipt: Receipt,
}

/// Another value in a column of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueChange {
    /// Its table.
    pub table: String,
    /// Its `id`.
    pub row: i64,
    /// What the row is known by: its address, or the first thing it says.
    pub name: String,
    /// The column.
    pub column: String,
    /// What was last seen before; nothing where there was no value.
    pub from: Vec<String>,
    /// What was seen then; nothing where the value was not there any more.
    pub to: Vec<String>,
    /// When the new one was first seen.
    pub at: String,
    /// Where.
    pub receipt: Receipt,
}

/// The capture that tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipt {
    /// The address of the page.
    pub url: String,
    /// When it was captured.
    pub captured: String,
    /// Its name in its source: the id of a WARC record, a file.
    pub record: String,
}

/// What changed after a moment (`2019-01-02T03:04:05Z`), in one table or in all.
pub fn changes(path: &Path, since: &str, table: Option<&str>) -> std::result::Result<Changes, StoreError> {
    let sqlite = |error| StoreError::sqlite(path, error);
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
    let dated = db.prepare("SELECT captured, latest FROM _pages LIMIT 1").is_ok();
    if !dated {
        return Ok(Changes::default());
    }
    read(&db, since, table).map_err(sqlite)
}

fn read(db: &Connection, since: &str, table: Option<&str>) -> Result<Changes> {
    let told = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_history')";
    if !db.query_row(told, [], |row| row.get::<_, bool>(0))? {
        // Of each address there is one capture: what its pages say was seen then.
        db.execute_batch(&format!(
            "CREATE TEMP TABLE _history(table_name, row_id, column_name, value, first_seen, last_seen, page_id);
             {}; CREATE INDEX temp._history_row ON _history(table_name, row_id, first_seen)",
            crate::merge::Sides { new: "temp.", old: "", values: None, reads: |_| None }.history_so_far()
        ))?;
    }
    let mut rows = began(db, since, table)?;
    ended(db, since, table, &mut rows)?;
    let mut changes = Changes {
        until: db.query_row("SELECT max(captured) FROM _pages", [], |row| row.get(0))?,
        tables: db
            .prepare("SELECT DISTINCT table_name FROM _history ORDER BY 1")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_>>()?,
        ..Changes::default()
    };
    for ((table, row), events) in rows {
        changes.row(db, since, (table, row), &events)?;
    }
    Ok(changes)
}

/// What began and ended in a row, by column and moment.
#[derive(Default)]
struct Events {
    began: BTreeMap<(String, String), BTreeSet<(String, i64)>>,
    ended: BTreeMap<(String, String), BTreeSet<(String, i64)>>,
}

type Rows = BTreeMap<(String, i64), Events>;

/// Spans that began.
fn began(db: &Connection, since: &str, table: Option<&str>) -> Result<Rows> {
    let mut rows = Rows::new();
    let mut query = db.prepare(
        "SELECT table_name, row_id, column_name, value, first_seen, page_id FROM _history
         WHERE first_seen > ?1 AND (?2 IS NULL OR table_name = ?2)",
    )?;
    let mut found = query.query(params![since, table])?;
    while let Some(row) = found.next()? {
        let events: &mut Events = rows.entry((row.get(0)?, row.get(1)?)).or_default();
        events.began.entry((row.get(2)?, row.get(4)?)).or_default().insert((row.get(3)?, row.get(5)?));
    }
    Ok(rows)
}

/// Spans that ended: their address was captured again, after the moment, without them.
fn ended(db: &Connection, since: &str, table: Option<&str>, rows: &mut Rows) -> Result<()> {
    let mut query = db.prepare(
        "WITH again AS MATERIALIZED (
             SELECT p.id, p.url, p.captured AS now,
                 coalesce((SELECT max(q.captured) FROM _pages q
                           WHERE q.url = p.url AND q.captured <= ?1 AND q.page_type IS NOT NULL), '') AS before
             FROM _pages p WHERE p.latest IS DISTINCT FROM 0 AND p.captured > ?1)
         SELECT h.table_name, h.row_id, h.column_name, h.value, h.page_id,
             (SELECT min(q.captured) FROM _pages q
              WHERE q.url = a.url AND q.captured > h.last_seen AND q.page_type IS NOT NULL) AS missed
         FROM again a CROSS JOIN _history h
         WHERE h.page_id = a.id AND h.last_seen >= a.before AND h.last_seen < a.now
             AND (?2 IS NULL OR h.table_name = ?2)",
    )?;
    let mut found = query.query(params![since, table])?;
    while let Some(row) = found.next()? {
        let Some(missed) = row.get::<_, Option<String>>(5)? else { continue };
        let events = rows.entry((row.get(0)?, row.get(1)?)).or_default();
        events.ended.entry((row.get(2)?, missed)).or_default().insert((row.get(3)?, row.get(4)?));
    }
    Ok(())
}

impl Changes {
    fn row(&mut self, db: &Connection, since: &str, row: (String, i64), events: &Events) -> Result<()> {
        let (table, id) = &row;
        let was_there: bool = db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM _history WHERE table_name = ? AND row_id = ? AND first_seen <= ?)",
            )?
            .query_row(params![table, id, since], |row| row.get(0))?;
        let is_seen = || -> Result<bool> {
            db.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM _history h JOIN _pages p ON p.id = h.page_id
                 WHERE h.table_name = ? AND h.row_id = ? AND h.last_seen >= p.captured)",
            )?
            .query_row(params![table, id], |row| row.get(0))
        };
        let is_unseen = !events.ended.is_empty() && !is_seen()?;
        if !was_there {
            let (first, _) = spanned(db, &row)?;
            self.added.extend(row_at(db, &row, first)?);
        }
        if is_unseen {
            let (_, last) = spanned(db, &row)?;
            self.unseen.extend(row_at(db, &row, last)?);
        }
        if !was_there || is_unseen {
            return Ok(());
        }
        let moments: BTreeSet<&(String, String)> = events.began.keys().chain(events.ended.keys()).collect();
        let mut name = None;
        for place in moments {
            let values = |of: &BTreeMap<(String, String), BTreeSet<(String, i64)>>| -> Vec<String> {
                let values: BTreeSet<&String> =
                    of.get(place).into_iter().flatten().map(|(value, _)| value).collect();
                values.into_iter().cloned().collect()
            };
            let (from, to) = (values(&events.ended), values(&events.began));
            if from == to {
                continue;
            }
            let page = events.began.get(place).or(events.ended.get(place)).and_then(|values| values.first());
            let (column, at) = place.clone();
            self.changed.push(ValueChange {
                table: table.clone(),
                row: *id,
                name: name.get_or_insert(row_name(db, &row, &at)?).clone(),
                column,
                from,
                to,
                receipt: receipt(db, page.map_or(0, |(_, page)| *page), &at)?,
                at,
            });
        }
        Ok(())
    }
}

/// The first and the last sighting of a row.
fn spanned(db: &Connection, (table, row): &(String, i64)) -> Result<(String, String)> {
    db.prepare_cached(
        "SELECT min(first_seen), max(last_seen) FROM _history WHERE table_name = ? AND row_id = ?",
    )?
    .query_row(params![table, row], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// What was seen of a row at a moment; nothing of what does not speak for itself.
fn row_at(db: &Connection, row: &(String, i64), at: String) -> Result<Option<RowSeen>> {
    let mut query = db.prepare_cached(
        "SELECT column_name, value, page_id FROM _history
         WHERE table_name = ?1 AND row_id = ?2 AND first_seen <= ?3 AND last_seen >= ?3
         GROUP BY column_name, value ORDER BY
             (SELECT id FROM _columns c WHERE c.table_name = ?1 AND c.column_name = _history.column_name), value",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?));
    let found: Vec<(String, String, i64)> =
        query.query_map(params![row.0, row.1, at], read)?.collect::<Result<_>>()?;
    let Some((_, _, page)) = found.first() else { return Ok(None) };
    let receipt = receipt(db, *page, &at)?;
    let values = found.into_iter().map(|(column, value, _)| (column, value)).collect();
    Ok(Some(RowSeen { table: row.0.clone(), row: row.1, values, at, receipt }))
}

/// The address that a row is known by, or the first thing that it says.
fn row_name(db: &Connection, row: &(String, i64), at: &str) -> Result<String> {
    let seen = row_at(db, row, at.to_owned())?.unwrap_or_default();
    let url = seen.values.iter().find(|(column, _)| column == "url").or(seen.values.first());
    Ok(url.map_or_else(|| format!("{} {}", row.0, row.1), |(_, value)| value.clone()))
}

fn receipt(db: &Connection, page: i64, at: &str) -> Result<Receipt> {
    let found = db
        .prepare_cached(
            "SELECT c.url, c.captured, c.ref FROM _pages p JOIN _pages c ON c.url = p.url AND c.captured = ?2 WHERE p.id = ?1",
        )?
        .query_row(params![page, at], |row| {
            Ok(Receipt { url: row.get(0)?, captured: row.get(1)?, record: row.get(2)? })
        })
        .optional()?;
    Ok(found.unwrap_or_default())
}
