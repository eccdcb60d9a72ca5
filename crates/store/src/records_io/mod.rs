//! Records from files and tables, and back: for deduplication and linkage, which know records but no files.
//!
//! Reading never loses anything: what cannot be understood is kept as text in [`RecordTable::rejected`] with a message.

mod csv_file;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet_file;
#[cfg(not(feature = "parquet"))]
#[path = "../absent/parquet_file.rs"]
mod parquet_file;
mod site_table;
mod write;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use write::{write_rows, write_text, write_with_column};

/// Records as they were read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordTable {
    /// The names of the fields, in order of first appearance.
    pub fields: Vec<String>,
    /// One row of values for each record; rows may be shorter than the fields.
    pub rows: Vec<Vec<Option<String>>>,
    /// The JSON text of each record where it came as such, so that it can be written back unchanged.
    pub originals: Vec<Option<String>>,
    /// Lines that are no record, as they stand.
    pub rejected: Vec<String>,
    /// What was odd, a sentence each.
    pub messages: Vec<String>,
    /// Fields that tell where a row stands in its database and not what it is: row numbers, keys to other rows, what those rows are
    /// called.
    pub places: Vec<String>,
    /// The field with the address that rows are known by: two sources share it only where they are of one site.
    pub address: Option<String>,
}

/// Why records could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordsIoError {
    /// The name does not say what kind of file it is.
    #[error(
        "{0:?} does not say what it is; known are .jsonl, .ndjson, .csv, .tsv, .parquet and DATABASE.db:TABLE"
    )]
    UnknownKind(String),
    /// There is nothing there.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// The file system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content is not what the name promises.
    #[error("cannot read {}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl RecordsIoError {
    fn io(action: &'static str, path: &Path, source: std::io::Error) -> RecordsIoError {
        RecordsIoError::Io { action, path: path.to_owned(), source }
    }

    fn content(path: &Path, reason: impl std::fmt::Display) -> RecordsIoError {
        RecordsIoError::Content { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// Messages of one kind that are spelled out; the others are counted.
const SPELLED_OUT: usize = 10;

/// Reads `FILE.jsonl`, `.ndjson`, `.csv`, `.tsv`, `.parquet` or `DATABASE.db:TABLE`.
pub fn read_records(name: &str) -> Result<RecordTable, RecordsIoError> {
    let path = Path::new(name);
    if !path.exists() {
        // A colon may also stand in a file's name, so the file itself comes first.
        if let Some((database, table)) = name.rsplit_once(':').filter(|(db, _)| Path::new(db).is_file()) {
            return site_table::read(Path::new(database), table);
        }
        return Err(RecordsIoError::Missing(path.to_owned()));
    }
    match ending(path).as_str() {
        "jsonl" | "ndjson" => json_lines::read(path),
        "csv" => csv_file::read(path, b','),
        "tsv" => csv_file::read(path, b'\t'),
        "parquet" => parquet_file::read(path),
        "db" | "sqlite" | "sqlite3" => Err(RecordsIoError::content(
            path,
            format!("say which table: {name}:TABLE, one of {}", site_table::names(path)?.join(", ")),
        )),
        _ => Err(RecordsIoError::UnknownKind(name.to_owned())),
    }
}

/// Reads a table of text with its header as the first row; for review lists.
pub fn read_text_table(path: &Path) -> Result<Vec<Vec<String>>, RecordsIoError> {
    csv_file::read_plain(path)
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

impl RecordTable {
    /// The position of a field, made if it is new.
    fn field(&mut self, name: &str) -> usize {
        self.fields.iter().position(|f| f == name).unwrap_or_else(|| {
            self.fields.push(name.to_owned());
            self.fields.len() - 1
        })
    }

    /// Adds a row given as positions and texts.
    fn push(&mut self, cells: Vec<(usize, String)>, original: Option<String>) {
        let width = cells.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
        let mut row = vec![None; width];
        for (at, text) in cells {
            row[at] = Some(text);
        }
        self.rows.push(row);
        self.originals.push(original);
    }

    /// Keeps a line that is no record.
    fn reject(&mut self, line: usize, text: &str, why: &str) {
        self.rejected.push(text.to_owned());
        match self.rejected.len() {
            n if n <= SPELLED_OUT => self.messages.push(format!("line {line}: {why}; kept aside")),
            n if n == SPELLED_OUT + 1 => {
                self.messages.push("more lines like these are kept aside".to_owned())
            }
            _ => {}
        }
    }
}
