//! What an output says about one row: the SQLite database itself, or what a folder of files or a server says, put into one.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params_from_iter};
use serde_json::Value;

use crate::export::{DESCRIPTOR, stem};
use crate::plan::{Relation, own_of_files, quoted};
use crate::postgres::Address;
use crate::records_io::{RecordTable, RecordsIoError, read_records};
use crate::sqlite::table_sql;
use crate::{StoreError, postgres};

/// The endings of files that a folder may hold.
const ENDINGS: [&str; 4] = ["parquet", "jsonl", "ndjson", "csv"];

/// A row as text: the names of its columns with their values.
pub(crate) type TextRow = Vec<(String, Option<String>)>;

/// The column with the number of a row.
const ID: &str = "id";

/// The table that is asked for, as far as one row of it goes.
#[derive(Default)]
pub(crate) struct AskedTable {
    /// Its columns.
    pub(crate) columns: Vec<AskedColumn>,
    /// The row that is asked for.
    pub(crate) row: Option<TextRow>,
    /// The numbers of its first and its last row, where the one that is asked for is not there.
    pub(crate) ends: Vec<String>,
}

pub(crate) struct AskedColumn {
    pub(crate) name: String,
    /// The table that it is a key of.
    pub(crate) target: Option<String>,
    /// It holds numbers with a fraction.
    pub(crate) is_real: bool,
}

impl AskedTable {
    /// The rows of other tables that the row belongs or refers to: what stands in it may be told of them.
    pub(crate) fn others(&self) -> Vec<(&str, i64)> {
        let value = |column: &str| value_of(self.row.as_ref()?, column)?.parse().ok();
        let keys =
            self.columns.iter().filter_map(|column| Some((column.target.as_deref()?, value(&column.name)?)));
        keys.filter(|(table, _)| *table != "_pages").collect()
    }
}

fn value_of<'r>(row: &'r TextRow, column: &str) -> Option<&'r str> {
    row.iter().find(|(name, _)| name == column)?.1.as_deref()
}

/// Opens what `name` names (a database file, a folder of files, the address of a server) as a database with the tables that
/// describe the output, `_cells` and the table that is asked for. Of files and servers these hold no more than is known of that
/// row and of those that it refers to.
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
        let path = folder.join(format!("{}.{ending}", stem(name)));
        match read_records(&path.to_string_lossy()) {
            // A table that is kept out of sight has no file, and an empty one may have no lines.
            Err(RecordsIoError::Missing(_)) => Ok(RecordTable::default()),
            other => other.map_err(|error| refused(error.to_string())),
        }
    };
    let about = About::new(folder)?;
    let id = row.to_string();
    let records = read(table)?;
    let asked = asked_of_files(&records, &Described::read(folder, &format!("{}.{ending}", stem(table))), &id);
    let mut known: Vec<(&str, String)> = vec![(table, id)];
    known.extend(asked.others().into_iter().map(|(other, row)| (other, row.to_string())));
    for relation in own_of_files() {
        let records = read(&relation.name)?;
        let is_asked = |row: &TextRow| {
            let says = |name: &str, text: &str| value_of(row, name) == Some(text);
            let is_of = |(table, id): &(&str, String)| says("table_name", table) && says("row_id", id);
            relation.name != "_cells" || known.iter().any(is_of)
        };
        about.own(&relation, rows(&records).filter(is_asked))?;
    }
    about.table(table, &asked)?;
    Ok(about.db)
}

fn asked_of_files(records: &RecordTable, described: &Described, id: &str) -> AskedTable {
    let column = |name: &String| AskedColumn {
        name: name.clone(),
        target: described.keys.iter().find(|(column, _)| column == name).map(|(_, table)| table.clone()),
        is_real: described.reals.contains(name),
    };
    let number = |row: TextRow| value_of(&row, ID).map(str::to_owned);
    let row = rows(records).find(|row| value_of(row, ID) == Some(id));
    let ends = match row {
        Some(_) => Vec::new(),
        None => {
            [rows(records).next(), rows(records).last()].into_iter().flatten().filter_map(number).collect()
        }
    };
    AskedTable { columns: records.fields.iter().map(column).collect(), row, ends }
}

/// What the descriptor beside files says of the columns of one.
#[derive(Default)]
struct Described {
    /// Keys, each with the table that it leads to.
    keys: Vec<(String, String)>,
    /// Numbers with a fraction.
    reals: Vec<String>,
}

impl Described {
    fn read(folder: &Path, file: &str) -> Described {
        let text = std::fs::read_to_string(folder.join(DESCRIPTOR)).unwrap_or_default();
        let package: Value = serde_json::from_str(&text).unwrap_or_default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let resources = list(&package["resources"]);
        let Some(own) = resources.iter().find(|resource| resource["path"] == file) else {
            return Described::default();
        };
        let key = |key: Value| {
            let to = resources.iter().find(|other| other["name"] == key["reference"]["resource"])?;
            let (table, _) = to["path"].as_str()?.rsplit_once('.')?;
            // No table ends in an underscore: it is there because of what the file would be called.
            Some((key["fields"][0].as_str()?.to_owned(), table.trim_end_matches('_').to_owned()))
        };
        let reals = list(&own["schema"]["fields"]).into_iter().filter(|field| field["type"] == "number");
        Described {
            keys: list(&own["schema"]["foreignKeys"]).into_iter().filter_map(key).collect(),
            reals: reals.filter_map(|field| field["name"].as_str().map(str::to_owned)).collect(),
        }
    }
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
        let sqlite = |error| StoreError::sqlite(name, error);
        let db = Connection::open_in_memory().map_err(sqlite)?;
        // It holds one row, and not those that the row refers to.
        db.pragma_update(None, "foreign_keys", false).map_err(sqlite)?;
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

    /// The table that is asked for, with the row; one without columns is not there.
    pub(crate) fn table(&self, name: &str, asked: &AskedTable) -> Result<(), StoreError> {
        if asked.columns.is_empty() {
            return Ok(());
        }
        let sqlite = |error| StoreError::sqlite(self.name, error);
        let columns: Vec<String> = asked
            .columns
            .iter()
            .map(|column| {
                let kind = match column.name.as_str() {
                    ID => " INTEGER PRIMARY KEY",
                    _ if column.is_real => " REAL",
                    // The others stay as they come: only a column without a type changes no value.
                    _ => "",
                };
                let target = column.target.as_ref().map(|table| format!(" REFERENCES {}(id)", quoted(table)));
                format!("{}{kind}{}", quoted(&column.name), target.unwrap_or_default())
            })
            .collect();
        let sql = format!("CREATE TABLE {}({})", quoted(name), columns.join(", "));
        self.db.execute_batch(&sql).map_err(sqlite)?;
        if let Some(row) = &asked.row {
            self.insert(name, row.iter()).map_err(sqlite)?;
        }
        for end in &asked.ends {
            let row = (ID.to_owned(), Some(end.clone()));
            // One row is the first and the last.
            self.insert(name, std::iter::once(&row)).or_else(is_there_already).map_err(sqlite)?;
        }
        Ok(())
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

fn is_there_already(error: rusqlite::Error) -> rusqlite::Result<()> {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => Ok(()),
        _ => Err(error),
    }
}
