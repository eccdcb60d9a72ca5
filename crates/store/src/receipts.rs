//! What an output says about one row: the SQLite database itself, or what a folder of files or a server says, put into one.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::plan::{Relation, own_of_files, quoted};
use crate::postgres::Address;
use crate::records_io::{RecordTable, RecordsIoError, read_records};
use crate::sqlite::table_sql;
use crate::{StoreError, postgres};

/// The endings of files that a folder may hold.
const ENDINGS: [&str; 4] = ["parquet", "jsonl", "ndjson", "csv"];

/// A row as text: the names of its columns with their values.
pub(crate) type TextRow = Vec<(String, Option<String>)>;

/// Opens what `name` names (a database file, a folder of files, the address of a server) as a database with the tables that
/// describe the output, `_cells` and the table that is asked for. Of files and servers these hold no more than is known of that
/// row.
pub fn open(name: &Path, table: &str, row: i64) -> Result<Connection, StoreError> {
    let address = name.to_str().and_then(Address::parse).transpose()?;
    if let Some(address) = address {
        return postgres::about_row(&address, table, row);
    }
    if name.is_dir() {
        return of_folder(name, table, row);
    }
    let sqlite = |error| StoreError::sqlite(name, error);
    Connection::open_with_flags(name, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)
}

fn of_folder(folder: &Path, table: &str, row: i64) -> Result<Connection, StoreError> {
    let refused = |reason: String| StoreError::Target { path: folder.to_owned(), reason };
    let ending = ENDINGS.iter().find(|ending| folder.join(format!("_cells.{ending}")).is_file());
    let ending =
        ending.ok_or_else(|| refused("it is no folder that this program wrote: it has no _cells".into()))?;
    let read = |name: &str| -> Result<RecordTable, StoreError> {
        let path = folder.join(format!("{name}.{ending}"));
        match read_records(&path.to_string_lossy()) {
            // A table that is kept out of sight has no file, and an empty one may have no lines.
            Err(RecordsIoError::Missing(_)) => Ok(RecordTable::default()),
            other => other.map_err(|error| refused(error.to_string())),
        }
    };
    let about = About::new(folder)?;
    let id = row.to_string();
    for relation in own_of_files() {
        let records = read(&relation.name)?;
        let is_asked = |row: &TextRow| {
            let says =
                |name: &str, text: &str| row.iter().any(|(n, v)| n == name && v.as_deref() == Some(text));
            relation.name != "_cells" || says("table_name", table) && says("row_id", &id)
        };
        about.own(&relation, rows(&records).filter(is_asked))?;
    }
    let records = read(table)?;
    let asked =
        rows(&records).find(|row| row.first().is_some_and(|(_, value)| value.as_deref() == Some(&id)));
    about.row(table, asked)?;
    Ok(about.db)
}

fn rows(records: &RecordTable) -> impl Iterator<Item = TextRow> {
    records.rows.iter().map(|row| {
        let value = |at: usize| row.get(at).cloned().flatten();
        records.fields.iter().enumerate().map(|(at, name)| (name.clone(), value(at))).collect()
    })
}

/// A database that is filled with what is known of one row.
pub(crate) struct About<'n> {
    name: &'n Path,
    pub(crate) db: Connection,
}

impl<'n> About<'n> {
    pub(crate) fn new(name: &'n Path) -> Result<About<'n>, StoreError> {
        let db = Connection::open_in_memory().map_err(|error| StoreError::sqlite(name, error))?;
        Ok(About { name, db })
    }

    /// One of the tables that describe an output.
    pub(crate) fn own(
        &self,
        relation: &Relation,
        rows: impl Iterator<Item = TextRow>,
    ) -> Result<(), StoreError> {
        let sqlite = |error| StoreError::sqlite(self.name, error);
        self.db.execute_batch(&table_sql("main", &relation.without_references())).map_err(sqlite)?;
        for row in rows {
            let known =
                row.iter().filter(|(name, _)| relation.fields.iter().any(|field| field.name == *name));
            self.insert(&relation.name, known).map_err(sqlite)?;
        }
        Ok(())
    }

    /// The row, in the table that it is of; without one there is no such table.
    pub(crate) fn row(&self, table: &str, row: Option<TextRow>) -> Result<(), StoreError> {
        let sqlite = |error| StoreError::sqlite(self.name, error);
        let Some(row) = row else { return Ok(()) };
        let columns: Vec<String> = row.iter().map(|(name, _)| quoted(name)).collect();
        let sql = format!("CREATE TABLE {}({})", quoted(table), columns.join(", "));
        self.db.execute_batch(&sql).and_then(|()| self.insert(table, row.iter())).map_err(sqlite)
    }

    fn insert<'r>(
        &self,
        table: &str,
        row: impl Iterator<Item = &'r (String, Option<String>)>,
    ) -> rusqlite::Result<()> {
        let (names, values): (Vec<String>, Vec<Option<&str>>) =
            row.map(|(name, value)| (quoted(name), value.as_deref())).unzip();
        let marks = vec!["?"; names.len()].join(", ");
        let sql = format!("INSERT INTO {}({}) VALUES ({marks})", quoted(table), names.join(", "));
        self.db.execute(&sql, params_from_iter(values)).map(|_| ())
    }
}
