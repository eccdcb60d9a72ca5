//! What goes into `_meta`, and what a finished sink tells.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::merge::Merged;

/// What `_meta` says about the run. No times and no machine names: the same run gives the same output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    entries: BTreeMap<String, String>,
}

impl Meta {
    /// Starts with the two entries that every output has: the program's version and the seed.
    pub fn new(version: &str, seed: u64) -> Meta {
        Meta::default().with("version", version).with("seed", seed.to_string())
    }

    /// Adds an entry; a key that is there already gets the new value.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Meta {
        self.entries.insert(key.into(), value.into());
        self
    }

    /// The entries by key.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The file or folder that holds the output.
    pub path: PathBuf,
    /// How many pages.
    pub pages: u64,
    /// How many of them carry the URL of another page.
    pub duplicate_urls: u64,
    /// How many rows in all tables.
    pub rows: u64,
    /// How many cells, counting every value of a column that has several.
    pub cells: u64,
    /// How many problems.
    pub problems: u64,
    /// The tables in the schema's order.
    pub tables: Vec<TableSummary>,
    /// What changed, when rows were put to those that a database held before. The numbers above are those of this
    /// run alone.
    pub merged: Option<Merged>,
    /// Values that stand nowhere in the output for not being of their column's type: a lone Parquet file has no
    /// `_cells` beside it.
    pub left_out: u64,
    /// An earlier output under the same name that was not replaced: a file where this run wrote a folder, or the other
    /// way round.
    pub stale: Option<PathBuf>,
}

/// One table of a [`Summary`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableSummary {
    /// Its place in the schema.
    pub at: usize,
    /// Its name in the output.
    pub name: String,
    /// How many rows.
    pub rows: u64,
    /// The names of its discovered columns in the output, without keys.
    pub columns: Vec<String>,
    /// The place of each of them in the schema's table.
    pub places: Vec<usize>,
    /// The first rows as text, a value a column, long ones cut.
    pub samples: Vec<Vec<Option<String>>>,
    /// The ids of those rows.
    pub sample_ids: Vec<i64>,
}
