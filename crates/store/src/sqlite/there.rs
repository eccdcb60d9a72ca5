//! A database that is there already: whether it may be added to, and what it holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Result, params};

use super::schema::FORMAT;
use crate::StoreError;
use crate::plan::{Described, Earlier, EarlierTable, Layout, discovered, quoted};

/// How long to wait for another program that is writing to the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// A database that is to be added to.
#[derive(Debug)]
pub(crate) struct Merging {
    path: PathBuf,
}

impl Merging {
    /// `None` when there is nothing to add to; an error when what is there is not from here or holds something of
    /// others under a name of ours. Columns of the layout get the names under which the database knows them.
    pub(crate) fn with(path: &Path, layout: &mut Layout) -> std::result::Result<Option<Merging>, StoreError> {
        if !is_there(path) {
            return Ok(None);
        }
        let sqlite = |error| StoreError::sqlite(path, error);
        let refused = |reason: &str| StoreError::Target {
            path: path.to_owned(),
            reason: format!("{reason}; name another file, or use --replace to write it anew"),
        };
        if path.to_str().is_none() {
            return Err(refused("its name is not UTF-8, which SQLite needs"));
        }
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sqlite)?;
        db.busy_timeout(PATIENCE).map_err(sqlite)?;
        if db.is_readonly("main").map_err(sqlite)? {
            return Err(refused("it may not be written to"));
        }
        let format =
            db.query_row("SELECT value FROM _meta WHERE key = 'format'", [], |r| r.get::<_, String>(0));
        match format {
            Ok(format) if format == FORMAT => {}
            Ok(_) => return Err(refused("it was written by another version of this program")),
            Err(error) if is_busy(&error) => return Err(sqlite(error)),
            Err(_) => return Err(refused("it is there already and not a database from here to add to")),
        }
        if db.prepare("SELECT original_name FROM _tables").is_err() {
            return Err(refused("it was written by an earlier version, which kept no track of its tables"));
        }
        let merging = Merging { path: path.to_owned() };
        merging.check(&db, "main", layout)?;
        layout.follow(&earlier(&db, "main").map_err(sqlite)?);
        Ok(Some(merging))
    }

    /// Attaches the database as `old`. No transaction may be open.
    pub(crate) fn attach(&self, db: &Connection) -> std::result::Result<(), StoreError> {
        let sqlite = |error| StoreError::sqlite(&self.path, error);
        if !is_there(&self.path) {
            return Err(StoreError::Changed { path: self.path.clone() });
        }
        // An absolute path is never taken for a URI.
        let path = std::path::absolute(&self.path).map_err(|e| StoreError::io("find", &self.path, e))?;
        db.busy_timeout(PATIENCE).map_err(sqlite)?;
        db.execute("ATTACH ? AS old", [path.to_string_lossy()]).map_err(sqlite)?;
        db.execute_batch("PRAGMA old.cache_size = -65536").map_err(sqlite)
    }

    /// Refuses to write to a table, view or index that somebody else made: `_tables` says which are ours, and a table
    /// without our keys has taken the place of one.
    pub(crate) fn check(
        &self,
        db: &Connection,
        schema: &str,
        layout: &Layout,
    ) -> std::result::Result<(), StoreError> {
        match foreign(db, schema, layout) {
            Ok(None) => Ok(()),
            Ok(Some((kind, name))) => Err(StoreError::Target {
                path: self.path.clone(),
                reason: format!(
                    "it holds {kind} {name:?} that is not from here, and this run has a table of that name; rename yours, or name another file"
                ),
            }),
            Err(error) => Err(StoreError::sqlite(&self.path, error)),
        }
    }
}

/// A number that changes with every commit of another connection to the attached database.
pub(crate) fn version(db: &Connection) -> Result<i64> {
    db.query_row("PRAGMA old.data_version", [], |row| row.get(0))
}

/// Keeps others from writing to a database while a new one takes its place. `None` when what is there is no database.
pub(crate) fn hold(path: &Path) -> std::result::Result<Option<Connection>, StoreError> {
    if !is_there(path) {
        return Ok(None);
    }
    let Ok(db) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE) else {
        return Ok(None);
    };
    let held = db.busy_timeout(PATIENCE).and_then(|()| db.execute_batch("BEGIN IMMEDIATE"));
    match held {
        Ok(()) => Ok(Some(db)),
        Err(error) if is_busy(&error) => Err(StoreError::sqlite(path, error)),
        Err(_) => Ok(None),
    }
}

/// Whether there is a file with something in it.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

/// What the tables of earlier runs look like in one of the attached databases.
pub(super) fn earlier(db: &Connection, schema: &str) -> Result<Earlier> {
    let mut earlier = Earlier::default();
    let mut columns = db.prepare("SELECT name FROM pragma_table_info(?, ?)")?;
    let mut keys = db.prepare(
        "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?, ?) WHERE on_delete = 'SET NULL'",
    )?;
    let mut described = db.prepare(&format!(
        "SELECT column_name, type, label FROM {schema}._columns WHERE table_name = ? ORDER BY id"
    ))?;
    let mut tables = db.prepare(&format!("SELECT name FROM {schema}._tables"))?;
    let mut names = tables.query([])?;
    while let Some(row) = names.next()? {
        let name: String = row.get(0)?;
        let table = EarlierTable {
            columns: columns.query_map(params![name, schema], |row| row.get(0))?.collect::<Result<_>>()?,
            described: described
                .query_map([&name], |row| {
                    Ok(Described { name: row.get(0)?, value_type: row.get(1)?, label: row.get(2)? })
                })?
                .collect::<Result<_>>()?,
            keys: keys
                .query_map(params![name, schema], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_>>()?,
        };
        earlier.tables.insert(name, table);
    }
    Ok(earlier)
}

/// The first thing of others that has the name of a table of this run, and what it is.
fn foreign(db: &Connection, schema: &str, layout: &Layout) -> Result<Option<(String, String)>> {
    let mut find = db.prepare(&format!(
        "SELECT CASE type WHEN 'index' THEN 'an index' ELSE 'a ' || type END, name FROM {schema}.sqlite_master
         WHERE lower(name) = lower(?1) AND type IN ('table', 'view', 'index')
         AND NOT (type = 'table'
             AND EXISTS (SELECT 1 FROM {schema}._tables t WHERE lower(t.name) = lower(?1))
             AND (SELECT count(*) FROM pragma_table_info(?1, '{schema}') WHERE name IN ('id', 'page_id')) = 2)"
    ))?;
    for relation in discovered(layout) {
        let mut rows = find.query([&relation.name])?;
        if let Some(row) = rows.next()? {
            return Ok(Some((row.get(0)?, row.get(1)?)));
        }
    }
    Ok(None)
}

/// A row of a table of others that refers to a row that is gone, as people would say it.
pub(crate) fn dangling(db: &Connection) -> Result<Option<String>> {
    let mut check = db.prepare("PRAGMA old.foreign_key_check")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let (table, id, target): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let ours = "SELECT EXISTS (SELECT 1 FROM old._tables WHERE name = ?)";
        if table.starts_with('_') || db.query_row(ours, [&table], |row| row.get(0))? {
            continue;
        }
        let place = id.map_or_else(String::new, |id| format!("row {id} of "));
        return Ok(Some(format!(
            "{place}your table {} refers to a row of {} that its page does not have any more; remove it, or let the key say ON DELETE CASCADE or SET NULL",
            quoted(&table),
            quoted(&target)
        )));
    }
    Ok(None)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
