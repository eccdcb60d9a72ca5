//! What Datasette is told about a database: which column names a row, what is kept out of sight, what columns mean.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags, params};
use unsite_wrapper::ValueType;

/// The file beside the database.
pub const DATASETTE: &str = "datasette.yaml";

/// How a file of ours begins.
const OURS: &str = "# Written by unsite for Datasette: datasette ";

/// Columns that name a row, the surest first.
const NAMES: [&str; 3] = ["title", "name", "label"];

/// Values that tell which unit a column is in.
const UNIT_VALUES: usize = 500;

/// Writes `datasette.yaml` beside a database, or what it says of this one anew. A file that is not from here is left as it is:
/// then there is nothing to tell.
pub fn write_datasette(database: &Path) -> Result<Option<PathBuf>> {
    let path = database.with_file_name(DATASETTE);
    let there = match fs::read_to_string(&path) {
        Ok(text) if text.starts_with(OURS) => text,
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(_) => return Ok(None),
    };
    let name = database.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let db = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut sections = sections(&there);
    sections.retain(|other, _| is_there(&path, other));
    sections.insert(name.clone(), describe(&db).context("cannot describe the tables")?);
    let mut text = format!("{OURS}{} -m {DATASETTE}\ndatabases:\n", file_name(database));
    for (name, section) in &sections {
        text += &format!("  {}:\n{section}", quoted(name));
    }
    // Whole or not at all, as the database itself.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    #[cfg(unix)]
    if let Ok(like) = fs::metadata(database) {
        fs::set_permissions(file.path(), like.permissions())?;
    }
    file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(path))
}

/// What a file of ours says, by database.
fn sections(text: &str) -> BTreeMap<String, String> {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let name = line.strip_prefix("  \"").and_then(|_| line.trim().strip_suffix(':'));
        if let Some(name) = name.and_then(|name| serde_json::from_str::<String>(name).ok()) {
            open = Some(name);
        } else if let Some(name) = open.as_ref().filter(|_| line.starts_with("    ")) {
            *sections.entry(name.clone()).or_default() += &format!("{line}\n");
        }
    }
    sections
}

/// Whether the database that a section is of still stands beside the file.
fn is_there(beside: &Path, name: &str) -> bool {
    ["db", "sqlite", "sqlite3"]
        .iter()
        .any(|ending| beside.with_file_name(format!("{name}.{ending}")).is_file())
}

fn describe(db: &Connection) -> Result<String> {
    let mut out = "    tables:\n".to_owned();
    let mut tables = db.prepare(
        "SELECT t.name, t.kind, t.why FROM _tables t JOIN sqlite_master m ON m.name = t.name AND m.type = 'table'
         ORDER BY t.rowid",
    )?;
    let mut tables = tables.query([])?;
    while let Some(table) = tables.next()? {
        let (name, kind, why): (String, String, Option<String>) =
            (table.get(0)?, table.get(1)?, table.get(2)?);
        out += &format!("      {}:\n", quoted(&name));
        let why = why.filter(|why| !why.is_empty()).map_or(kind.clone(), |why| format!("{kind}: {why}"));
        out += &format!("        description: {}\n", quoted(&why));
        if let Some(column) = naming(db, &name)? {
            out += &format!("        label_column: {}\n", quoted(&column));
        }
        if kind == "view" || kind == "template" {
            out += "        hidden: true\n";
        }
        let columns = columns(db, &name)?;
        if !columns.is_empty() {
            out += "        columns:\n";
        }
        for (column, about) in columns {
            out += &format!("          {}: {}\n", quoted(&column), quoted(&about));
        }
    }
    let own = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 1) = '_' ORDER BY name";
    for name in db.prepare(own)?.query_map([], |row| row.get::<_, String>(0))? {
        out += &format!("      {}:\n        hidden: true\n", quoted(&name?));
    }
    Ok(out)
}

/// The column that names a row, by which keys of other tables are shown.
fn naming(db: &Connection, table: &str) -> Result<Option<String>> {
    let mut query = db.prepare(
        "SELECT i.name FROM pragma_table_info(?1) i
         LEFT JOIN _columns c ON c.table_name = ?1 AND c.column_name = i.name
         WHERE coalesce(c.type, 'text') = 'text' AND i.type = 'TEXT' ORDER BY i.cid",
    )?;
    let texts: Vec<String> = query.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let named = NAMES.iter().find(|name| texts.iter().any(|text| text == *name));
    Ok(named.map(|name| (*name).to_owned()).or_else(|| texts.into_iter().next()))
}

/// What is worth saying of columns: the label on the page, what else tells them, units and currencies.
fn columns(db: &Connection, table: &str) -> Result<Vec<(String, String)>> {
    let mut query = db.prepare(
        "SELECT c.column_name, c.type, c.label, c.note FROM _columns c
         JOIN pragma_table_info(?1) i ON i.name = c.column_name WHERE c.table_name = ?1 ORDER BY c.id",
    )?;
    let mut all = Vec::new();
    let mut rows = query.query([table])?;
    while let Some(row) = rows.next()? {
        let (name, value_type): (String, String) = (row.get(0)?, row.get(1)?);
        let (label, note): (Option<String>, Option<String>) = (row.get(2)?, row.get(3)?);
        let mut about: Vec<String> = Vec::new();
        about.extend(label.filter(|label| !label.is_empty()).map(|label| format!("on the page: {label}")));
        about.extend(note.filter(|note| !note.is_empty()));
        let value_type = ValueType::ALL.into_iter().find(|one| one.name() == value_type);
        match value_type {
            Some(ValueType::Money) => about.push(format!("the currency is in {name}_currency")),
            Some(ValueType::Duration) => about.push(format!("in seconds in {name}_seconds")),
            Some(ValueType::Measure) => {
                let unit = unit(db, table, &name)?.map_or(String::new(), |unit| format!(" in {unit}"));
                about.push(format!("the number{unit} is in {name}_number"));
            }
            _ => {}
        }
        if !about.is_empty() {
            all.push((name, about.join("; ")));
        }
    }
    Ok(all)
}

/// The unit of a column, where all its values have the same.
fn unit(db: &Connection, table: &str, column: &str) -> Result<Option<String>> {
    let name = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let sql = format!("SELECT {} FROM {} WHERE {0} IS NOT NULL LIMIT ?", name(column), name(table));
    let mut query = db.prepare(&sql)?;
    let mut units = Vec::new();
    for value in query.query_map(params![UNIT_VALUES as i64], |row| row.get::<_, String>(0))? {
        let unit =
            value?.trim().trim_start_matches(|c: char| !c.is_alphabetic() && c != '%').trim().to_owned();
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    Ok(units.pop().filter(|unit| units.is_empty() && !unit.is_empty()))
}

/// A text as YAML takes it: what JSON takes is YAML too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_databases_keep_their_sections() {
        let text = format!(
            "{OURS}a.db\ndatabases:\n  \"a\":\n    tables:\n      \"t\":\n        hidden: true\n  \"b\":\n    tables:\n"
        );
        let sections = sections(&text);
        assert_eq!(sections["a"], "    tables:\n      \"t\":\n        hidden: true\n");
        assert_eq!(sections["b"], "    tables:\n");
    }

    #[test]
    fn a_file_of_others_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("site.db");
        let db = Connection::open(&database).unwrap();
        db.execute_batch(
            "CREATE TABLE _tables(name, kind, why); INSERT INTO _tables VALUES ('book', 'entity', 'pages of \"books\"');
             CREATE TABLE _columns(id INTEGER PRIMARY KEY, table_name, column_name, type, label, note);
             INSERT INTO _columns VALUES (1, 'book', 'isbn', 'text', 'ISBN:', 'natural key'), (2, 'book', 'title', 'text', NULL, ''),
                 (3, 'book', 'weight', 'measure', NULL, '');
             CREATE TABLE book(id INTEGER, isbn TEXT, title TEXT, weight TEXT, weight_number REAL);
             INSERT INTO book VALUES (1, 'x', 'y', '210 g', 210), (2, 'x', 'y', '1,5 g', 1.5)",
        )
        .unwrap();
        let path = write_datasette(&database).unwrap().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let told = [
            "label_column: \"title\"",
            "\"isbn\": \"on the page: ISBN:; natural key\"",
            "\"weight\": \"the number in g is in weight_number\"",
            "\"_tables\":\n        hidden: true",
            "description: \"entity: pages of \\\"books\\\"\"",
        ];
        told.iter().for_each(|told| assert!(text.contains(told), "{told}\n{text}"));
        write_datasette(&database).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        fs::write(&path, "databases: {}\n").unwrap();
        assert_eq!(write_datasette(&database).unwrap(), None);
        assert_eq!(fs::read_to_string(&path).unwrap(), "databases: {}\n");
    }
}
