//! Where an output goes and what it is, read off its name.

use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::postgres::Address;

pub(crate) const KNOWN_ENDINGS: &str = "`.db`, `.sqlite` or `.sqlite3` (SQLite), `.parquet`, `.csv`, `.jsonl` or \
     `.ndjson` (one file for each table), `/` (a folder of CSV files; `.parquet/` and `.jsonl/` of those), and \
     `postgres://user@host/database` (PostgreSQL)";

/// What is said in a program without Parquet.
#[cfg(not(feature = "parquet"))]
pub(crate) const NO_PARQUET: &str = "this program was built without Parquet (feature `parquet`)";

/// Where an output goes and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) guard_formulas: bool,
    pub(crate) replace: bool,
    pub(crate) all: bool,
    /// Whether a new database gets an index for searching.
    pub(crate) searched: bool,
    /// Whether it says where every value stands.
    pub(crate) has_receipts: bool,
    /// For a database server.
    pub(crate) address: Option<Address>,
}

/// The formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One SQLite database.
    Sqlite,
    /// Comma separated values, one file for each table.
    Csv,
    /// One JSON object a line, one file for each table.
    JsonLines,
    /// Typed columns, one file for each table.
    Parquet,
    /// Tables of a PostgreSQL database.
    Postgres,
}

impl Output {
    /// Reads the format off the name.
    ///
    /// | name | what is written |
    /// |---|---|
    /// | `site.db`, `site.sqlite`, `site.sqlite3` | that SQLite file |
    /// | `site.parquet`, `site.csv`, `site.jsonl`, `site.ndjson` | one table discovered: that file. Otherwise a folder `site` with one file for each table and the accompanying tables (`_pages`, `_cells`, ...) |
    /// | `site.parquet/`, `site.csv/`, `site.jsonl/` | a folder of that name with such files, however many tables there are |
    /// | `site/` | a folder of CSV files |
    /// | `postgres://user:password@host:port/database?schema=name` | tables in that schema, or in the first of the user's search path |
    ///
    /// Nothing is touched yet: whether the target can be written is checked by [`Sink::create`](crate::Sink::create).
    pub fn parse(name: impl AsRef<Path>) -> Result<Output, StoreError> {
        let path = name.as_ref();
        let output = |format, path: PathBuf, address| Output {
            path,
            format,
            guard_formulas: false,
            replace: false,
            all: false,
            searched: true,
            has_receipts: true,
            address,
        };
        if let Some(address) = path.to_str().and_then(Address::parse).transpose()? {
            return Ok(output(Format::Postgres, address.to_string().into(), Some(address)));
        }
        let unknown = || StoreError::UnknownEnding { path: path.to_string_lossy().into_owned() };
        #[cfg(not(feature = "parquet"))]
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet")) {
            return Err(StoreError::Target { path: path.to_owned(), reason: NO_PARQUET.to_owned() });
        }
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let format = match ending.as_deref() {
            Some("csv") => Format::Csv,
            Some("jsonl" | "ndjson") => Format::JsonLines,
            Some("parquet") => Format::Parquet,
            _ if names_a_folder(path) => Format::Csv,
            Some("db" | "sqlite" | "sqlite3") => Format::Sqlite,
            _ => return Err(unknown()),
        };
        Ok(output(format, path.to_owned(), None))
    }

    /// A SQLite database, whatever its name ends in.
    pub fn database(path: impl Into<PathBuf>) -> Output {
        Output::of(Format::Sqlite, path.into())
    }

    /// A folder of files of a format, whatever its name ends in.
    pub fn folder(path: impl Into<PathBuf>, format: Format) -> Output {
        let mut path = path.into().into_os_string();
        path.push(std::path::MAIN_SEPARATOR_STR);
        Output::of(format, path.into())
    }

    fn of(format: Format, path: PathBuf) -> Output {
        Output {
            path,
            format,
            address: None,
            guard_formulas: false,
            replace: false,
            all: false,
            searched: true,
            has_receipts: true,
        }
    }

    /// Whether a new SQLite database says where every value stands, as it does unless told otherwise. Without, `_cells` is
    /// empty and so is what only stands there: for a look at the tables alone, which are the same.
    #[must_use]
    pub fn receipts(mut self, wanted: bool) -> Output {
        self.has_receipts = wanted;
        self
    }

    /// Whether CSV cells that a spreadsheet would run as a formula get an apostrophe in front.
    ///
    /// A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return is code to Excel and its kin, and the
    /// text comes from a site that nobody vouches for. By default cells are stored exactly as they are, since most
    /// readers of CSV are programs; switch this on for files that people will open in a spreadsheet. Plain numbers
    /// such as `-3.5` stay as they are, and the other formats do not care.
    #[must_use]
    pub fn guard_formulas(mut self, guard: bool) -> Output {
        self.guard_formulas = guard;
        self
    }

    /// Whether what a database holds from earlier runs goes away. Without it pages are added and updated by their
    /// URL. Files are always written anew; with this also a file that is not from here.
    #[must_use]
    pub fn replace(mut self, replace: bool) -> Output {
        self.replace = replace;
        self
    }

    /// Whether there are tables and columns also for what people need not see: views of other tables, copies, template
    /// text. Without it `_cells` alone has them.
    #[must_use]
    pub fn all(mut self, all: bool) -> Output {
        self.all = all;
        self
    }

    /// Whether people will search in a new database: the index takes time, and a database that goes away needs none.
    #[must_use]
    pub fn searched(mut self, searched: bool) -> Output {
        self.searched = searched;
        self
    }

    /// The name as it was given, without the password of a server.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether writing would put something in the place of this file or folder, whatever way its name is spelled.
    pub fn replaces(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let is_at = |target: &Path| target.canonicalize().is_ok_and(|target| target == path);
        let may_be_folder = !self.format.is_database() && !self.names_a_folder();
        self.address.is_none() && (is_at(&self.path) || may_be_folder && is_at(&self.path.with_extension("")))
    }

    /// The schema of a database server that the name asks for.
    pub fn schema(&self) -> Option<&str> {
        self.address.as_ref().and_then(Address::schema)
    }

    /// What will be written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the name asks for a folder whatever the number of tables.
    pub(crate) fn names_a_folder(&self) -> bool {
        names_a_folder(&self.path)
    }
}

fn names_a_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&b| std::path::is_separator(b.into()))
}

impl Format {
    /// The ending of its files, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Sqlite => "db",
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
            Format::Parquet => "parquet",
            Format::Postgres => "sql",
        }
    }

    /// Whether it is a database, which keeps what earlier runs wrote, or files, which are written anew.
    pub fn is_database(self) -> bool {
        matches!(self, Format::Sqlite | Format::Postgres)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides() {
        let format = |name: &str| Output::parse(name).map(|o| o.format()).ok();
        for name in ["site.db", "a/b.sqlite", "x.SQLITE3"] {
            assert_eq!(format(name), Some(Format::Sqlite), "{name}");
        }
        for name in ["out.csv", "out.csv/", "outdir/"] {
            assert_eq!(format(name), Some(Format::Csv), "{name}");
        }
        for name in ["x.jsonl", "x.ndjson", "x.jsonl/"] {
            assert_eq!(format(name), Some(Format::JsonLines), "{name}");
        }
        assert_eq!(format("x.parquet"), Some(Format::Parquet));
        assert_eq!(format("x.parquet/"), Some(Format::Parquet));
        assert_eq!(format("postgres://me@localhost/site"), Some(Format::Postgres));
        assert_eq!(format("postgresql:///site"), Some(Format::Postgres));
        for name in ["", "site", "site.xlsx", ".db", "site.db.gz", "mysql://host/x"] {
            assert_eq!(format(name), None, "{name}");
        }
    }

    #[test]
    fn an_unknown_ending_lists_the_known_ones() {
        let message = Output::parse("site.xlsx").unwrap_err().to_string();
        for known in ["site.xlsx", ".db", ".csv", ".jsonl", ".parquet", "`/`", "postgres://"] {
            assert!(message.contains(known), "{message}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        let output =
            Output::parse("postgres://me:s3cret@localhost/site?password=s3cret&schema=shop").unwrap();
        let shown = output.path().display().to_string();
        assert!(!shown.contains("s3cret") && shown.contains("localhost/site"), "{shown}");
        assert!(!format!("{output:?}").contains("s3cret"));
    }
}
