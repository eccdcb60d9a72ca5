//! What the finished database tells about itself.

use std::path::PathBuf;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row};

use super::write::Counts;
use crate::plan::{Layout, Table, quoted};
use crate::{Summary, TableSummary};

/// Rows of each table in a summary.
const SAMPLE_ROWS: usize = 3;
/// Columns of a sample row. A summary is for people.
const SAMPLE_COLUMNS: usize = 100;
/// Characters of a sample value.
const SAMPLE_CHARS: usize = 200;

pub(crate) fn summarise(db: &Connection, layout: &Layout, counts: &Counts, path: PathBuf) -> Result<Summary> {
    let table = |(at, (table, &rows)): (usize, (&Table, &i64))| {
        let (sample_ids, samples) = samples(db, table)?.into_iter().unzip();
        Ok(TableSummary {
            at,
            name: table.name().to_owned(),
            rows: rows as u64,
            columns: table.shown_columns().map(|c| c.name.clone()).collect(),
            places: (0..table.columns.len()).filter(|&at| table.columns[at].is_shown).collect(),
            samples,
            sample_ids,
        })
    };
    let all = layout.tables.iter().zip(&counts.rows).enumerate();
    let shown = all.filter(|(_, (table, _))| table.is_shown);
    let rows = shown.clone().map(|(_, (_, rows))| rows).sum::<i64>();
    Ok(Summary {
        path,
        pages: counts.pages,
        duplicate_urls: counts.duplicate_urls,
        rows: rows as u64,
        cells: counts.cells,
        problems: counts.problems,
        tables: shown.map(table).collect::<Result<_>>()?,
        ..Summary::default()
    })
}

fn samples(db: &Connection, table: &Table) -> Result<Vec<(i64, Vec<Option<String>>)>> {
    let first = table.columns_of(&table.parts[0]);
    let names: Vec<String> = first.take(SAMPLE_COLUMNS).map(|(_, c)| quoted(&c.name)).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT id, {} FROM {} ORDER BY id LIMIT {SAMPLE_ROWS}",
        names.join(", "),
        quoted(table.name())
    );
    let read = |row: &Row<'_>| {
        let values = (1..=names.len()).map(|i| Ok(text(row.get_ref(i)?))).collect::<Result<_>>()?;
        Ok((row.get(0)?, values))
    };
    db.prepare(&sql)?.query_map([], read)?.collect()
}

fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(n) => Some(n.to_string()),
        ValueRef::Real(x) => Some(x.to_string()),
        ValueRef::Text(t) | ValueRef::Blob(t) => {
            Some(String::from_utf8_lossy(t).chars().take(SAMPLE_CHARS).collect())
        }
    }
}
