//! New rows put to those of a database that is there already, in a copy that then takes its place.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags, Result, params};

use super::links::resolve_links;
use super::schema::{FORMAT, column_sql, create_indexes, reference_sql, sql_type, table_sql};
use crate::StoreError;
use crate::identity::Known;
use crate::merge::{Merged, Sides};
use crate::plan::{Field, Layout, Relation, discovered, has_main_text, main_text, own_of_database, quoted};

/// The copy in the temporary folder.
pub(crate) const MERGED: &str = "merged.db";

/// How long to wait for another program that is writing to the database.
const PATIENCE: Duration = Duration::from_secs(10);

const SIDES: Sides<'static> = Sides { new: "main.", old: "old." };

/// A database that is to be added to.
#[derive(Debug)]
pub(crate) struct Merging {
    path: PathBuf,
    state: Option<(u64, SystemTime)>,
}

impl Merging {
    /// `None` when there is nothing to add to; an error when what is there is not from here.
    pub(crate) fn with(path: &Path) -> std::result::Result<Option<Merging>, StoreError> {
        if !fs::metadata(path).is_ok_and(|file| file.len() > 0) {
            return Ok(None);
        }
        let refused = |reason: &str| StoreError::Target {
            path: path.to_owned(),
            reason: format!("{reason}; name another file, or use --replace to write it anew"),
        };
        let db = open(path).map_err(|e| StoreError::sqlite(path, e))?;
        let format =
            db.query_row("SELECT value FROM _meta WHERE key = 'format'", [], |r| r.get::<_, String>(0));
        match format {
            Ok(format) if format == FORMAT => {}
            Ok(_) => return Err(refused("it was written by another version of this program")),
            Err(_) => return Err(refused("it is there already and not a database from here to add to")),
        }
        if db.prepare("SELECT original_name FROM _tables").is_err() {
            return Err(refused("it was written by an earlier version, which kept no track of its tables"));
        }
        Ok(Some(Merging { path: path.to_owned(), state: None }))
    }

    /// Copies the database and attaches the copy as `old`. No transaction may be open.
    pub(crate) fn attach(&mut self, db: &Connection, copy: &Path) -> Result<()> {
        self.state = state(&self.path);
        open(&self.path)?.execute("VACUUM INTO ?", [copy.to_string_lossy()])?;
        db.execute("ATTACH ? AS old", [copy.to_string_lossy()])?;
        db.execute_batch("PRAGMA old.journal_mode = OFF; PRAGMA old.synchronous = OFF;")
    }

    /// Whether another program has written to the database since it was copied.
    pub(crate) fn has_changed(&self) -> bool {
        self.state != state(&self.path)
    }
}

fn open(path: &Path) -> Result<Connection> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let file = fs::metadata(path).ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// Tells which pages and rows the attached database holds.
pub(crate) fn load_known(db: &Connection, layout: &Layout) -> Result<()> {
    let mut known = Known::new(db)?;
    let mut query = db.prepare("SELECT id, url, ref FROM old._pages")?;
    let mut pages = query.query([])?;
    while let Some(page) = pages.next()? {
        known.page(page.get(0)?, page.get_ref(1)?.as_str()?, page.get_ref(2)?.as_str()?)?;
    }
    for (index, table) in layout.tables.iter().enumerate() {
        let there = columns(db, table.name())?;
        if there.is_empty() {
            continue;
        }
        let parent = table.parent.as_ref().map(|(_, key)| key).filter(|key| there.contains_key(*key));
        let parent = parent.map_or_else(|| "NULL".to_owned(), |key| format!("t.{}", quoted(key)));
        let marks = vec!["?"; table.parts.len()].join(", ");
        let mut query = db.prepare(&format!(
            "SELECT t.id, t.page_id, {parent}, c.column_name, c.type = 'url', v.value FROM old.{} t
             LEFT JOIN old._columns c ON c.table_name IN ({marks})
             LEFT JOIN old._values v ON v.column_id = c.id AND v.row_id = t.id ORDER BY t.id",
            quoted(table.name())
        ))?;
        let names = rusqlite::params_from_iter(table.parts.iter().map(|part| part.name.as_str()));
        let mut rows = query.query(names)?;
        while let Some(row) = rows.next()? {
            let value = match row.get_ref(5)?.as_str_or_null()? {
                Some(value) => Some((row.get_ref(3)?.as_str()?, row.get(4)?, value)),
                None => None,
            };
            known.row(index, row.get(0)?, row.get(1)?, row.get(2)?, value)?;
        }
    }
    known.finish()
}

/// Puts what stands in `main` to what stands in `old`.
pub(crate) fn merge(db: &Connection, layout: &Layout) -> Result<Merged> {
    let relations = discovered(layout);
    for relation in &relations {
        grow(db, relation)?;
    }
    let mut merged = Merged::default();
    let is_main = |name: &str| layout.tables.iter().any(|table| table.name() == name);
    let mut others: Vec<String> = Vec::new();
    let mut query = db.prepare("SELECT name FROM old._tables")?;
    for name in query.query_map([], |row| row.get::<_, String>(0))? {
        others.push(name?);
    }
    others.retain(|name| relations.iter().all(|relation| relation.name != *name));
    for name in &others {
        merged.removed += db.execute(&SIDES.remove(name, false), [])? as u64;
    }
    for relation in relations.iter().rev() {
        let removed = db.execute(&SIDES.remove(&relation.name, true), [])? as u64;
        merged.removed += if is_main(&relation.name) { removed } else { 0 };
    }
    let plain = |field: &Field| quoted(&field.name);
    let own = own_of_database();
    for name in ["_meta", "_page_types", "_pages", "_tables"] {
        for relation in own.iter().filter(|relation| relation.name == name) {
            db.execute(&SIDES.upsert(relation, plain), [])?;
        }
    }
    for relation in &relations {
        let added: i64 = db.query_row(&SIDES.count_added(&relation.name), [], |row| row.get(0))?;
        let written = db.execute(&SIDES.upsert(relation, plain), [])? as u64;
        if is_main(&relation.name) {
            merged.added += added as u64;
            merged.changed += written.saturating_sub(added as u64);
        }
    }
    for sql in SIDES.values().iter().chain(&SIDES.problems()).chain([&SIDES.recount()]) {
        db.execute(sql, [])?;
    }
    if has_main_text(db)? {
        grow(db, &main_text())?;
        for sql in SIDES.main_texts() {
            db.execute(&sql, [])?;
        }
    }
    resolve_links(db, "old", layout)?;
    create_indexes(db, "old", layout)?;
    Ok(merged)
}

/// Makes the table, or those of its columns that are not there yet, or wider ones where the type has changed.
fn grow(db: &Connection, relation: &Relation) -> Result<()> {
    let there = columns(db, &relation.name)?;
    if there.is_empty() {
        return db.execute_batch(&table_sql("old", relation));
    }
    let table = quoted(&relation.name);
    for field in &relation.fields {
        let name = quoted(&field.name);
        match there.get(&field.name).map(String::as_str) {
            None => db.execute_batch(&format!(
                "ALTER TABLE old.{table} ADD COLUMN {}{}",
                column_sql(field),
                reference_sql(field)
            ))?,
            Some(have) if have == sql_type(field.kind) || have == "TEXT" => {}
            Some("REAL") if sql_type(field.kind) == "INTEGER" => {}
            Some(have) => {
                let wide = if have == "INTEGER" && sql_type(field.kind) == "REAL" { "REAL" } else { "TEXT" };
                db.execute_batch(&format!(
                    "ALTER TABLE old.{table} ADD COLUMN _wider {wide};
                     UPDATE old.{table} SET _wider = {name};
                     ALTER TABLE old.{table} DROP COLUMN {name};
                     ALTER TABLE old.{table} RENAME COLUMN _wider TO {name};"
                ))?;
            }
        }
    }
    Ok(())
}

/// The columns of a table of the attached database with their types; none when there is no such table.
fn columns(db: &Connection, table: &str) -> Result<HashMap<String, String>> {
    let mut query = db.prepare_cached("SELECT name, type FROM pragma_table_info(?, 'old')")?;
    query.query_map(params![table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
