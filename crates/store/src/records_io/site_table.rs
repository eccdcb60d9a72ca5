//! A table of a site's database.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::{RecordTable, RecordsIoError};

pub(super) fn read(path: &Path, table_name: &str) -> Result<RecordTable, RecordsIoError> {
    let known = names(path)?;
    if !known.iter().any(|name| name == table_name) {
        let reason = format!("there is no table {table_name:?}; the tables are {}", known.join(", "));
        return Err(RecordsIoError::content(path, reason));
    }
    let refused = |e: rusqlite::Error| RecordsIoError::content(path, e);
    let connection = open(path)?;
    // The name is one of the database's own, so that quoting it is all it needs.
    let quoted = table_name.replace('"', "\"\"");
    let mut statement =
        connection.prepare(&format!("SELECT * FROM \"{quoted}\" ORDER BY 1")).map_err(refused)?;
    let mut table = RecordTable {
        fields: statement.column_names().map(str::to_owned).collect(),
        ..RecordTable::default()
    };
    let width = table.fields.len();
    let mut rows = statement.query([]).map_err(refused)?;
    while let Some(row) = rows.next().map_err(refused)? {
        let mut cells = Vec::new();
        for at in 0..width {
            let text = match row.get_ref(at).map_err(refused)? {
                ValueRef::Null => continue,
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            };
            cells.push((at, text));
        }
        table.push(cells, None);
    }
    drop(rows);
    if known.iter().any(|name| name == "_tables") {
        about(&connection, table_name, &mut table).map_err(refused)?;
    }
    Ok(table)
}

/// Asks the schema which columns say where a row stands.
fn about(connection: &Connection, name: &str, table: &mut RecordTable) -> rusqlite::Result<()> {
    let mut keys = connection.prepare("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1)")?;
    let keys = keys.query_map([name], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let keys: Vec<(String, String)> = keys.collect::<Result<_, _>>()?;
    let parent: Option<String> =
        connection.query_row("SELECT max(parent) FROM _tables WHERE name = ?1", [name], |row| row.get(0))?;
    table.places = keys.iter().map(|(column, _)| column.clone()).collect();
    table.address = table.fields.iter().find(|field| *field == "url").cloned();
    // What the row above is called is said of all rows below it.
    if let Some((key, parent)) = keys.iter().find(|(_, to)| Some(to) == parent.as_ref()) {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let others = table.fields.iter().filter(|field| !table.places.contains(field) && *field != "id");
        for field in others.cloned().collect::<Vec<_>>() {
            for title in ["title", "name"] {
                let has = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
                if connection.query_row(has, [parent.as_str(), title], |row| row.get::<_, i64>(0))? == 0 {
                    continue;
                }
                let sql = format!(
                    "SELECT count(*), sum(c.{0} = p.{title}) FROM {1} c JOIN {2} p ON p.id = c.{3} WHERE c.{0} IS NOT NULL",
                    quoted(&field),
                    quoted(name),
                    quoted(parent),
                    quoted(key)
                );
                let (all, same): (i64, Option<i64>) =
                    connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
                if all > 0 && same == Some(all) {
                    table.places.push(field.clone());
                }
            }
        }
    }
    Ok(())
}

/// The tables of a database that hold rows people care about.
pub(super) fn names(path: &Path) -> Result<Vec<String>, RecordsIoError> {
    let refused = |e: rusqlite::Error| RecordsIoError::content(path, e);
    let connection = open(path)?;
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND substr(name, 1, 8) <> '_search_' ORDER BY name")
        .map_err(refused)?;
    let names = statement.query_map([], |row| row.get(0)).map_err(refused)?;
    names.collect::<Result<_, _>>().map_err(refused)
}

fn open(path: &Path) -> Result<Connection, RecordsIoError> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|e| RecordsIoError::content(path, e))
}
