//! Records that were read when a wrapper was learned: what must be found again after a redesign.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::output::{PageRecord, Schema};

/// Pages of each type whose records are kept.
pub const KNOWN_PAGES: usize = 60;

/// Rows of one table of one page that are kept.
pub const KNOWN_ROWS: usize = 25;

/// Characters of a value that are kept.
pub(crate) const KNOWN_CHARACTERS: usize = 160;

/// What was read off one page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownPage {
    /// Its address.
    pub url: String,
    /// Its type.
    pub page_type: usize,
    /// Its rows, by table.
    pub rows: BTreeMap<String, Vec<KnownRow>>,
    /// Values of columns that a repair did not find again, by table: a later one may.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lost: BTreeMap<String, Vec<KnownRow>>,
}

/// The values of a row by column, each cut to [`KNOWN_CHARACTERS`].
pub type KnownRow = BTreeMap<String, Vec<String>>;

impl KnownPage {
    /// Keeps what was read off a page; `None` for a page without a type.
    pub fn of(schema: &Schema, record: &PageRecord) -> Option<Self> {
        let mut rows: BTreeMap<String, Vec<KnownRow>> = BTreeMap::new();
        for row in &record.rows {
            let table = &schema.tables[row.table];
            let kept = rows.entry(table.name.clone()).or_default();
            if kept.len() >= KNOWN_ROWS {
                continue;
            }
            let mut values = KnownRow::new();
            for cell in &row.cells {
                values
                    .entry(table.columns[cell.column].name.clone())
                    .or_default()
                    .push(cut(&cell.value).to_owned());
            }
            kept.push(values);
        }
        Some(KnownPage { url: record.url.clone(), page_type: record.page_type?, rows, lost: BTreeMap::new() })
    }
}

/// The beginning of a value that is kept.
pub fn cut(value: &str) -> &str {
    value.char_indices().nth(KNOWN_CHARACTERS).map_or(value, |(end, _)| &value[..end])
}
