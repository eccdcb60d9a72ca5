//! The one way in: a sink takes pages and problems in any order and writes the output when it is finished.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};
use unsite_dom::{Problem, ProblemKind};
use unsite_wrapper::{PageRecord, Schema};

use crate::export::Export;
use crate::place::Place;
use crate::plan::{COLUMNS_OF_A_FILE, COLUMNS_OF_A_SERVER, Layout, Table};
use crate::postgres::{Address, Server};
use crate::shape::{TakeTables, hand_over};
use crate::sqlite::{
    Merging, Stage, create_tables, dangling, hold, is_there, load_known, merge, summarise, version, write_all,
};
use crate::{Format, Meta, Output, StoreError, Summary};

/// The finished database in the temporary folder.
const DATABASE: &str = "out.db";
/// The pages as they came, in the temporary folder.
const STAGE: &str = "stage.db";

/// Takes pages and problems in any order and from any thread, one at a time, and writes the output when finished.
///
/// Until [`Sink::finish`] succeeds, whatever stood at the target stays as it was; a sink that is dropped removes its
/// temporary files. A process that is killed leaves a folder `.unsite-*.tmp` beside the target, which can be removed.
/// The same pages give the same output in whatever order they come.
#[derive(Debug)]
pub struct Sink {
    // Before `place`: the database is closed before its folder is removed.
    db: Connection,
    place: Place,
    layout: Layout,
    stage: Stage,
    end: End,
    is_broken: bool,
}

/// What becomes of the finished database.
#[derive(Debug)]
enum End {
    /// It takes the place of the target.
    Database { replace: bool },
    /// It is put to the database that is there.
    Merged(Merging),
    /// It is written out as files.
    Files { export: Export, stale: Option<PathBuf> },
    /// Its rows are handed over, and nothing stays.
    HandedOver,
    /// It is sent to a server.
    Server { address: Address, replace: bool },
}

impl Sink {
    /// Checks that `out` can be written and opens temporary files beside it.
    pub fn create(out: &Output, schema: &Schema, meta: &Meta) -> Result<Sink, StoreError> {
        let most = if out.address.is_some() { COLUMNS_OF_A_SERVER } else { COLUMNS_OF_A_FILE };
        let mut layout = Layout::new(schema, most, out.all)?;
        let (place, end) = match (&out.address, out.format) {
            (Some(address), _) => {
                let earlier = Server::connect(address)?.check(&layout, out.replace)?;
                layout.follow(&earlier);
                let end = End::Server { address: address.clone(), replace: out.replace };
                (Place::scratch(&out.path)?, end)
            }
            (None, Format::Sqlite | Format::Postgres) => {
                let place = Place::for_file(&out.path)?;
                let there = if out.replace { None } else { Merging::with(place.target(), &mut layout)? };
                layout.is_kept = there.is_none();
                layout.is_searched = layout.is_kept && out.searched;
                layout.has_receipts = out.has_receipts || !layout.is_kept;
                (place, there.map_or(End::Database { replace: out.replace }, End::Merged))
            }
            (None, Format::Csv | Format::JsonLines | Format::Parquet) => {
                layout.keeps_texts = true;
                let export = Export::new(out, &layout, meta);
                let (place, stale) = (export.place(out)?, export.stale(out));
                (place, End::Files { export, stale })
            }
        };
        let spilled = spilled(&layout, out.format);
        Sink::begin(schema, meta, layout, place, end, &spilled)
    }

    /// Opens temporary files for an output that is no file: [`Sink::finish_into`] hands over its rows.
    pub fn collect(schema: &Schema, meta: &Meta) -> Result<Sink, StoreError> {
        let mut layout = Layout::new(schema, COLUMNS_OF_A_FILE, false)?;
        layout.keeps_texts = true;
        let place = Place::scratch(Path::new("the tables"))?;
        let spilled = spilled(&layout, Format::Parquet);
        Sink::begin(schema, meta, layout, place, End::HandedOver, &spilled)
    }

    fn begin(
        schema: &Schema,
        meta: &Meta,
        layout: Layout,
        place: Place,
        end: End,
        spilled: &[Problem],
    ) -> Result<Sink, StoreError> {
        let sqlite = |error| StoreError::sqlite(place.target(), error);
        let db = open(&place).map_err(sqlite)?;
        let stage = Stage::create(&db).map_err(sqlite)?;
        let refers = !matches!(end, End::Merged(_));
        create_tables(&db, schema, &layout, meta, refers).map_err(sqlite)?;
        for problem in spilled {
            stage.problem(&db, problem).map_err(sqlite)?;
        }
        Ok(Sink { db, place, layout, stage, end, is_broken: false })
    }

    /// Takes one page.
    pub fn page(&mut self, page: &PageRecord) -> Result<(), StoreError> {
        check(page, &self.layout)
            .map_err(|reason| StoreError::Record { reference: page.reference.clone(), reason })?;
        let staged = self.stage.page(&self.db, page, &self.layout);
        self.note(staged)
    }

    /// Takes one problem that belongs to no page. Those of a page come with it.
    pub fn problem(&mut self, problem: &Problem) -> Result<(), StoreError> {
        let staged = self.stage.problem(&self.db, problem);
        self.note(staged)
    }

    /// Writes the output: files and new databases take the place of what was there, and a database that is there gets
    /// what is new and what has changed.
    pub fn finish(self) -> Result<Summary, StoreError> {
        let Sink { db, place, layout, end, is_broken, .. } = self;
        if is_broken {
            return Err(StoreError::Broken { path: place.target().to_owned() });
        }
        match end {
            End::Database { replace } => {
                let summary = build(&db, &layout, &place)?;
                close(db, &place)?;
                if !replace && is_there(place.target()) {
                    return Err(StoreError::Changed { path: place.target().to_owned() });
                }
                let _held = hold(place.target())?;
                Ok(Summary { path: place.put_file(DATABASE, None)?, ..summary })
            }
            End::Merged(merging) => finish_merged(db, place, &layout, merging),
            End::Files { export, stale } => {
                let summary = build(&db, &layout, &place)?;
                let left_out = export.write(&db, &layout, &place)?;
                close(db, &place)?;
                Ok(Summary { path: export.put(place)?, left_out, stale, ..summary })
            }
            End::HandedOver => {
                let summary = build(&db, &layout, &place)?;
                close(db, &place)?;
                Ok(summary)
            }
            End::Server { address, replace } => {
                let mut server = Server::connect(&address)?;
                let mut writing = server.begin(&layout, replace)?;
                writing.load_known(&db, &layout)?;
                let summary = build(&db, &layout, &place)?;
                let merged = writing.finish(&db, &layout)?;
                Ok(Summary { merged, ..summary })
            }
        }
    }

    /// Puts everything in order and hands over the tables instead of writing an output.
    pub fn finish_into(self, taker: &mut dyn TakeTables) -> Result<Summary, StoreError> {
        let Sink { db, place, layout, is_broken, .. } = self;
        if is_broken {
            return Err(StoreError::Broken { path: place.target().to_owned() });
        }
        let summary = build(&db, &layout, &place)?;
        hand_over(&db, &layout, taker).map_err(|error| StoreError::sqlite(place.target(), error))?;
        close(db, &place)?;
        Ok(summary)
    }

    fn note(&mut self, result: rusqlite::Result<()>) -> Result<(), StoreError> {
        self.is_broken |= result.is_err();
        result.map_err(|error| StoreError::sqlite(self.place.target(), error))
    }
}

/// Writes the database of this run.
fn build(db: &Connection, layout: &Layout, place: &Place) -> Result<Summary, StoreError> {
    let sqlite = |error| StoreError::sqlite(place.target(), error);
    let counts = write_all(db, layout).map_err(sqlite)?;
    let summary = summarise(db, layout, &counts, place.target().to_owned()).map_err(sqlite)?;
    db.execute_batch("COMMIT").map_err(sqlite)?;
    Ok(summary)
}

/// Adds this run to the database that is there, in one transaction of its own.
fn finish_merged(
    db: Connection,
    place: Place,
    layout: &Layout,
    merging: Merging,
) -> Result<Summary, StoreError> {
    let target = place.target().to_owned();
    let sqlite = |error| StoreError::sqlite(&target, error);
    db.execute_batch("COMMIT").map_err(sqlite)?;
    merging.attach(&db)?;
    db.execute_batch("BEGIN").map_err(sqlite)?;
    merging.check(&db, "old", layout)?;
    load_known(&db, layout).map_err(sqlite)?;
    let known = version(&db).map_err(sqlite)?;
    // Others may write while the rows of this run are put in order.
    db.execute_batch("COMMIT; BEGIN").map_err(sqlite)?;
    let summary = build(&db, layout, &place)?;
    // Whatever refers to a row that goes away is told so, at the end.
    db.execute_batch("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
        .map_err(sqlite)?;
    if version(&db).map_err(sqlite)? != known {
        return Err(StoreError::Changed { path: target });
    }
    let merged = match merge(&db, layout).and_then(|merged| db.execute_batch("COMMIT").map(|()| merged)) {
        Ok(merged) => merged,
        // Only keys and checks that somebody else put there can say no.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            let reason = dangling(&db).ok().flatten();
            let reason = reason.unwrap_or_else(|| format!("a table or trigger of yours forbids it: {error}"));
            return Err(StoreError::Target { path: target, reason });
        }
        Err(error) => return Err(sqlite(error)),
    };
    close(db, &place)?;
    Ok(Summary { merged: Some(merged), ..summary })
}

fn close(db: Connection, place: &Place) -> Result<(), StoreError> {
    db.close().map_err(|(_, error)| StoreError::sqlite(place.target(), error))
}

/// One transaction and no journal: a half-written temporary file is thrown away, never repaired.
fn open(place: &Place) -> rusqlite::Result<Connection> {
    let db = Connection::open(place.temporary(DATABASE))?;
    db.execute("ATTACH ? AS stage", [place.temporary(STAGE).to_string_lossy()])?;
    db.execute_batch(
        "PRAGMA main.journal_mode = OFF; PRAGMA stage.journal_mode = OFF;
         PRAGMA main.synchronous = OFF; PRAGMA stage.synchronous = OFF;
         PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA stage.locking_mode = EXCLUSIVE;
         PRAGMA main.cache_size = -65536; PRAGMA stage.cache_size = -32768;
         PRAGMA foreign_keys = OFF;
         BEGIN",
    )?;
    Ok(db)
}

/// Says what does not fit instead of writing something else than was meant.
fn check(page: &PageRecord, layout: &Layout) -> Result<(), String> {
    if page.page_type.is_some_and(|t| t >= layout.page_types.len()) {
        return Err("its page type is not in the schema".into());
    }
    for (index, row) in page.rows.iter().enumerate() {
        let Some(table) = layout.tables.get(row.table) else {
            return Err(format!("row {index} is of a table that is not in the schema"));
        };
        if row.cells.iter().any(|c| c.column >= table.columns.len()) {
            return Err(format!("row {index} has a column that {:?} has not", table.name()));
        }
        let Some(parent) = row.parent else { continue };
        let declared = table.parent.as_ref().map(|(table, _)| *table);
        if parent >= index || Some(page.rows[parent].table) != declared {
            return Err(format!(
                "the parent of row {index} of {:?} is not a row of its parent table before it",
                table.name()
            ));
        }
    }
    Ok(())
}

/// One line for every table whose columns did not fit into one.
fn spilled(layout: &Layout, format: Format) -> Vec<Problem> {
    let holder = match format {
        Format::Postgres => "a table of PostgreSQL",
        Format::Sqlite => "a table of SQLite",
        Format::Csv | Format::JsonLines | Format::Parquet => "one table",
    };
    let problem = |table: &Table| Problem {
        kind: ProblemKind::Limit,
        reference: table.name().to_owned(),
        url: None,
        offset: None,
        message: format!(
            "has {} columns, more than {holder} can hold; those after the first {} are in {}, under the same id",
            table.columns.len(),
            table.columns_of(&table.parts[0]).count(),
            table.parts[1..].iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
        ),
    };
    layout.tables.iter().filter(|table| table.parts.len() > 1).map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sink_can_move_to_another_thread() {
        fn moves<T: Send>() {}
        moves::<Sink>();
    }

    #[test]
    fn a_full_disk_is_named_and_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.db");
        std::fs::write(&path, "old").unwrap();
        let out = Output::parse(&path).unwrap().replace(true);
        let mut sink = Sink::create(&out, &Schema::default(), &Meta::default()).unwrap();
        // SQLite reports this limit as it reports a full disk.
        sink.db.execute_batch("PRAGMA stage.max_page_count = 50").unwrap();
        let page = PageRecord { role: "x".repeat(10_000), ..Default::default() };
        let error = (0..1000).find_map(|_| sink.page(&page).err()).unwrap();
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
        assert!(
            error.to_string().contains("no space left") && error.to_string().contains("site.db"),
            "{error}"
        );
        assert!(matches!(sink.finish(), Err(StoreError::Broken { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
