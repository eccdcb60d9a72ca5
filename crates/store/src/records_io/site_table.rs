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
    Ok(table)
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
