//! The database that people look at: written anew after every change, or the one that was given.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use rayon::prelude::*;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;
use unsite_dom::Problem;
use unsite_store::{Output, Sink};
use unsite_wrapper::{PageRecord, SavedWrapper, Schema};

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
    // Of other things it is enough that they are there: they are known by their addresses, whatever else is said of them.
    let is_beside: Vec<bool> =
        schema.tables.iter().enumerate().map(|(other, info)| other != at && info.key.is_some()).collect();
    let (schema, places) = only(schema, &wanted);
    let stored = records.par_iter().map(|record| {
        let mut stored = edited.wrapper.stored_in(record, &wanted);
        stored.rows.iter_mut().filter(|row| is_beside[row.table]).for_each(|row| row.cells.clear());
        stored.rows.iter_mut().for_each(|row| row.table = places[row.table].unwrap_or_default());
        stored
    });
    let stored: Vec<PageRecord> = stored.collect();
    write(edited, &schema, &stored, &[], options, &|output| output.receipts(false), &|| false)
}

/// A schema of some of the tables, and where they stand in it.
fn only(schema: Schema, wanted: &[bool]) -> (Schema, Vec<Option<usize>>) {
    let mut places = vec![None; wanted.len()];
    let mut tables = Vec::new();
    for (at, table) in schema.tables.into_iter().enumerate().filter(|&(at, _)| wanted[at]) {
        places[at] = Some(tables.len());
        tables.push(table);
    }
    for table in &mut tables {
        table.parent = table.parent.and_then(|parent| places[parent]);
        for column in &mut table.columns {
            column.references = column.references.and_then(|to| places[to]);
        }
    }
    (Schema { tables, ..schema }, places)
}

/// Writes what was read into a database of its own; `None` where it is not wanted any more meanwhile.
pub(super) fn build(
    edited: &SavedWrapper,
    records: &[Arc<PageRecord>],
    problems: &[Problem],
    options: &unsite::Options,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Built>> {
    let stored = records.par_iter().map(|record| match is_over() {
        true => PageRecord::default(),
        false => edited.wrapper.stored(record.as_ref().clone()),
    });
    let stored: Vec<PageRecord> = stored.collect();
    let schema = edited.wrapper.stored_schema();
    write(edited, &schema, &stored, problems, options, &|output| output, is_over)
}

fn write(
    edited: &SavedWrapper,
    schema: &Schema,
    stored: &[PageRecord],
    problems: &[Problem],
    options: &unsite::Options,
    with: &dyn Fn(Output) -> Output,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Built>> {
    let folder =
        tempfile::tempdir().context("cannot make a temporary folder; set TMPDIR to one with room")?;
    let path = folder.path().join("site.db");
    let output = with(Output::parse(&path)?.all(true).searched(false));
    let mut sink = Sink::create(&output, schema, &options.meta(&edited.provenance.source, schema))?;
    for record in stored {
        if is_over() {
            return Ok(None);
        }
        sink.page(record)?;
    }
    for problem in problems {
        sink.problem(problem)?;
    }
    sink.finish()?;
    Ok(Some(Built { open: Mutex::new(opened(&path)?), _folder: Some(folder) }))
}
