//! Files for programs that do not read SQLite, taken from the finished database: one logic for the order.

mod csv;
mod json_lines;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row};

use crate::place::Place;
use crate::plan::{Layout, quoted};
use crate::{Format, Output, StoreError};

/// The finished file or folder in the temporary folder.
const FINISHED: &str = "out";
/// In a folder: the names of the files in it, so that the next run knows which ones it may replace.
const MANIFEST: &str = ".unsite-files";

/// The tables that stand beside the discovered ones, in an order that does not depend on how SQLite reads them.
const OWN_TABLES: &[(&str, &str)] = &[
    ("_meta", "SELECT * FROM _meta ORDER BY key"),
    ("_page_types", "SELECT * FROM _page_types ORDER BY rowid"),
    ("_pages", "SELECT * FROM _pages ORDER BY id"),
    ("_columns", "SELECT * FROM _columns ORDER BY id"),
    ("_problems", "SELECT * FROM _problems ORDER BY rowid"),
    (
        "_cells",
        "SELECT p.ref, p.url, c.table_name, v.row_id, c.column_name, v.value, t.path
         FROM _values v CROSS JOIN _columns c ON c.id = v.column_id CROSS JOIN _pages p ON p.id = v.page_id
              CROSS JOIN _paths t ON t.id = v.path_id
         ORDER BY v.id",
    ),
    (MAIN_TEXT, "SELECT * FROM _main_text ORDER BY page_id"),
];

/// The only one of them that is there only where it was asked for.
const MAIN_TEXT: &str = "_main_text";

/// What is written besides the database, and whether as one file or as a folder.
#[derive(Debug)]
pub(crate) struct Export {
    format: Format,
    guard_formulas: bool,
    is_folder: bool,
}

/// One file of rows.
trait RowWriter {
    /// Takes the names of the columns, before the first row.
    fn header(&mut self, names: &[&str]) -> io::Result<()>;
    /// Takes one row of as many values.
    fn row(&mut self, row: &Row<'_>) -> io::Result<()>;
    /// Writes what is still held back.
    fn flush(&mut self) -> io::Result<()>;
}

impl Export {
    /// One table makes one file, unless the name asks for a folder.
    pub(crate) fn new(out: &Output, layout: &Layout) -> Export {
        let is_folder = out.names_a_folder() || layout.parts().count() != 1;
        Export { format: out.format, guard_formulas: out.guard_formulas, is_folder }
    }

    pub(crate) fn place(&self, out: &Output) -> Result<Place, StoreError> {
        if !self.is_folder {
            return Place::for_file(&out.path);
        }
        let target = if out.names_a_folder() { out.path.clone() } else { out.path.with_extension("") };
        let manifest = fs::read_to_string(target.join(MANIFEST)).unwrap_or_default();
        Place::for_folder(&target, |name| name == MANIFEST || manifest.lines().any(|line| line == name))
    }

    /// Writes the files into the temporary folder.
    pub(crate) fn write(&self, db: &Connection, layout: &Layout, place: &Place) -> Result<(), StoreError> {
        let finished = place.temporary(FINISHED);
        let mut tables = layout.parts().map(|(_, part)| (part.name.as_str(), all_of(&part.name)));
        if !self.is_folder {
            return tables.try_for_each(|(_, sql)| self.file(db, &sql, &finished, place));
        }
        fs::create_dir(&finished).map_err(|e| StoreError::io("make", &finished, e))?;
        let mut manifest = String::new();
        let has_main_text = db
            .query_row("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", [MAIN_TEXT], |row| {
                row.get(0)
            })
            .map_err(|e| StoreError::sqlite(place.target(), e))?;
        let own = OWN_TABLES
            .iter()
            .filter(|(name, _)| has_main_text || *name != MAIN_TEXT)
            .map(|&(name, sql)| (name, sql.to_owned()));
        for (name, sql) in tables.chain(own) {
            let name = format!("{name}.{}", self.format.ending());
            self.file(db, &sql, &finished.join(&name), place)?;
            manifest += &name;
            manifest.push('\n');
        }
        let path = finished.join(MANIFEST);
        fs::write(&path, manifest).map_err(|e| StoreError::io("write", &path, e))
    }

    /// Puts what was written in the place of the target.
    pub(crate) fn put(&self, place: Place) -> Result<PathBuf, StoreError> {
        if self.is_folder { place.put_folder(FINISHED) } else { place.put_file(FINISHED) }
    }

    fn file(&self, db: &Connection, sql: &str, path: &Path, place: &Place) -> Result<(), StoreError> {
        let file = File::create(path).map_err(|e| StoreError::io("create", path, e))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        let mut writer: Box<dyn RowWriter> = match self.format {
            Format::Csv => Box::new(csv::CsvWriter::new(file, self.guard_formulas)),
            Format::JsonLines | Format::Sqlite => Box::new(json_lines::JsonLinesWriter::new(file)),
        };
        let write = |e| StoreError::io("write", place.target(), e);
        let read = |e| StoreError::sqlite(place.target(), e);
        let mut statement = db.prepare(sql).map_err(read)?;
        writer.header(&statement.column_names().collect::<Vec<_>>()).map_err(write)?;
        let mut rows = statement.query([]).map_err(read)?;
        while let Some(row) = rows.next().map_err(read)? {
            writer.row(row).map_err(write)?;
        }
        writer.flush().map_err(write)
    }
}

fn all_of(table: &str) -> String {
    format!("SELECT * FROM {} ORDER BY id", quoted(table))
}
