//! Where an output goes and what it is, read off its name.

use std::path::{Path, PathBuf};

use crate::StoreError;

pub(crate) const KNOWN_ENDINGS: &str = "`.db`, `.sqlite` or `.sqlite3` (SQLite), `.csv` (one file for each table), \
     `.jsonl` or `.ndjson` (JSON Lines), and `/` (a folder of CSV files)";

/// Where an output goes and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) guard_formulas: bool,
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
}

impl Output {
    /// Reads the format off the name.
    ///
    /// | name | what is written |
    /// |---|---|
    /// | `site.db`, `site.sqlite`, `site.sqlite3` | that SQLite file |
    /// | `site.csv`, `site.jsonl`, `site.ndjson` | one table discovered: that file. Otherwise a folder `site` with one file for each table and the accompanying tables (`_pages`, `_cells`, ...) |
    /// | `site/` | a folder of CSV files, however many tables there are |
    ///
    /// Nothing is touched yet: whether the target can be written is checked by [`Sink::create`](crate::Sink::create).
    pub fn parse(name: impl AsRef<Path>) -> Result<Output, StoreError> {
        let path = name.as_ref();
        let unknown = || StoreError::UnknownEnding { path: path.to_string_lossy().into_owned() };
        let output = |format| Output { path: path.to_owned(), format, guard_formulas: false };
        if names_a_folder(path) {
            return Ok(output(Format::Csv));
        }
        let ending = path.extension().and_then(|e| e.to_str()).ok_or_else(unknown)?;
        let format = match ending.to_ascii_lowercase().as_str() {
            "db" | "sqlite" | "sqlite3" => Format::Sqlite,
            "csv" => Format::Csv,
            "jsonl" | "ndjson" => Format::JsonLines,
            _ => return Err(unknown()),
        };
        Ok(output(format))
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

    /// The name as it was given.
    pub fn path(&self) -> &Path {
        &self.path
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
        }
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
        assert_eq!(format("out.csv"), Some(Format::Csv));
        assert_eq!(format("outdir/"), Some(Format::Csv));
        assert_eq!(format("x.jsonl"), Some(Format::JsonLines));
        assert_eq!(format("x.ndjson"), Some(Format::JsonLines));
        for name in ["", "site", "site.xlsx", ".db", "site.db.gz"] {
            assert_eq!(format(name), None, "{name}");
        }
    }

    #[test]
    fn an_unknown_ending_lists_the_known_ones() {
        let message = Output::parse("site.parquet").unwrap_err().to_string();
        for known in ["site.parquet", ".db", ".csv", ".jsonl", "`/`"] {
            assert!(message.contains(known), "{message}");
        }
    }
}
