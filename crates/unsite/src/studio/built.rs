//! The database that people look at: written anew after every change, or the one that was given.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use rayon::prelude::*;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;
use unsite_dom::Problem;
use unsite_store::{Output, Sink};
use unsite_wrapper::{PageRecord, SavedWrapper};

use super::table::Views;

/// A database to look at.
pub(super) struct Built {
    /// One connection, for one at a time: answers are quick.
    pub(super) open: Mutex<Open>,
    /// The folder that goes away with it.
    _folder: Option<TempDir>,
}

/// A connection with the orders of rows that were asked for before.
pub(super) struct Open {
    pub(super) db: Connection,
    pub(super) views: Views,
}

impl Built {
    /// A database that is there.
    pub(super) fn there(path: &Path) -> Result<Built> {
        Ok(Built { open: Mutex::new(opened(path)?), _folder: None })
    }

    /// Asks the database.
    pub(super) fn ask<T>(&self, question: impl FnOnce(&mut Open) -> Result<T>) -> Result<T> {
        question(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn opened(path: &Path) -> Result<Open> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("cannot open {}", path.display()))?;
    db.execute_batch("PRAGMA temp_store = FILE; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456")?;
    Ok(Open { db, views: Views::default() })
}

/// Writes one table, what it belongs to and what it refers to; `None` where there is no table of that name.
pub(super) fn build_one(
    edited: &SavedWrapper,
    records: &[Arc<PageRecord>],
    table: &str,
    options: &unsite::Options,
) -> Result<Option<Built>> {
    let schema = edited.wrapper.stored_schema();
    let Some(at) = schema.tables.iter().position(|info| info.name == table) else { return Ok(None) };
    let mut wanted = vec![false; schema.tables.len()];
    let refers = schema.tables[at].columns.iter().filter_map(|column| column.references);
    for start in refers.chain([at]) {
        let mut next = Some(start);
        while let Some(table) = next.filter(|&table| !wanted[table]) {
            wanted[table] = true;
            next = schema.tables[table].parent;
        }
    }
    let only = |mut record: PageRecord| {
        let mut places = vec![None; record.rows.len()];
        let mut kept = Vec::new();
        for (at, mut row) in record.rows.into_iter().enumerate().filter(|(_, row)| wanted[row.table]) {
            row.parent = row.parent.and_then(|parent| places[parent]);
            places[at] = Some(kept.len());
            kept.push(row);
        }
        record.rows = kept;
        record.problems.clear();
        record
    };
    write(edited, records, &[], options, only).map(Some)
}

/// Writes what was read into a database of its own.
pub(super) fn build(
    edited: &SavedWrapper,
    records: &[Arc<PageRecord>],
    problems: &[Problem],
    options: &unsite::Options,
) -> Result<Built> {
    write(edited, records, problems, options, |record| record)
}

fn write(
    edited: &SavedWrapper,
    records: &[Arc<PageRecord>],
    problems: &[Problem],
    options: &unsite::Options,
    change: impl Fn(PageRecord) -> PageRecord + Sync,
) -> Result<Built> {
    let folder =
        tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR to one with room")?;
    let path = folder.path().join("site.db");
    let wrapper = &edited.wrapper;
    let schema = wrapper.stored_schema();
    let output = Output::parse(&path)?.all(true).searched(false);
    let mut sink = Sink::create(&output, &schema, &options.meta(&edited.provenance.source, &schema))?;
    let stored: Vec<PageRecord> =
        records.par_iter().map(|record| change(wrapper.stored(record.as_ref().clone()))).collect();
    for record in &stored {
        sink.page(record)?;
    }
    for problem in problems {
        sink.problem(problem)?;
    }
    sink.finish()?;
    Ok(Built { open: Mutex::new(opened(&path)?), _folder: Some(folder) })
}
