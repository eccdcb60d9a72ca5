//! The one way in: a sink takes pages and problems in any order and writes the output when it is finished.

use rusqlite::Connection;
use unsite_dom::{Problem, ProblemKind};
use unsite_wrapper::{PageRecord, Schema};

use crate::export::Export;
use crate::place::Place;
use crate::plan::Layout;
use crate::sqlite::{Stage, create_tables, summarise, write_all};
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
    export: Option<Export>,
    is_broken: bool,
}

impl Sink {
    /// Checks that `out` can be written and opens temporary files beside it.
    pub fn create(out: &Output, schema: &Schema, meta: &Meta) -> Result<Sink, StoreError> {
        let layout = Layout::new(schema)?;
        let (place, export) = match out.format {
            Format::Sqlite => (Place::for_file(&out.path)?, None),
            Format::Csv | Format::JsonLines => {
                let export = Export::new(out, &layout);
                (export.place(out)?, Some(export))
            }
        };
        let sqlite = |error| StoreError::sqlite(place.target(), error);
        let db = open(&place).map_err(sqlite)?;
        let stage = Stage::create(&db).map_err(sqlite)?;
        create_tables(&db, schema, &layout, meta).map_err(sqlite)?;
        for problem in spilled(&layout) {
            stage.problem(&db, &problem).map_err(sqlite)?;
        }
        Ok(Sink { db, place, layout, stage, export, is_broken: false })
    }

    /// Takes one page.
    pub fn page(&mut self, page: &PageRecord) -> Result<(), StoreError> {
        check(page, &self.layout)
            .map_err(|reason| StoreError::Record { reference: page.reference.clone(), reason })?;
        let staged = self.stage.page(&self.db, page);
        self.note(staged)
    }

    /// Takes one problem that belongs to no page. Those of a page come with it.
    pub fn problem(&mut self, problem: &Problem) -> Result<(), StoreError> {
        let staged = self.stage.problem(&self.db, problem);
        self.note(staged)
    }

    /// Writes the output and puts it in the place of what was there.
    pub fn finish(self) -> Result<Summary, StoreError> {
        let Sink { db, place, layout, export, is_broken, .. } = self;
        let target = place.target().to_owned();
        if is_broken {
            return Err(StoreError::Broken { path: target });
        }
        let sqlite = |error| StoreError::sqlite(&target, error);
        let counts = write_all(&db, &layout).map_err(sqlite)?;
        let mut summary = summarise(&db, &layout, &counts, target.clone()).map_err(sqlite)?;
        db.execute_batch("COMMIT").map_err(sqlite)?;
        summary.path = match export {
            None => {
                db.close().map_err(|(_, error)| sqlite(error))?;
                place.put_file(DATABASE)?
            }
            Some(export) => {
                export.write(&db, &layout, &place)?;
                db.close().map_err(|(_, error)| sqlite(error))?;
                export.put(place)?
            }
        };
        Ok(summary)
    }

    fn note(&mut self, result: rusqlite::Result<()>) -> Result<(), StoreError> {
        self.is_broken |= result.is_err();
        result.map_err(|error| StoreError::sqlite(self.place.target(), error))
    }
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
fn spilled(layout: &Layout) -> impl Iterator<Item = Problem> {
    layout.tables.iter().filter(|t| t.parts.len() > 1).map(|table| Problem {
        kind: ProblemKind::Limit,
        reference: table.name().to_owned(),
        url: None,
        offset: None,
        message: format!(
            "has {} columns, more than a table of SQLite can hold; those after the first {} are in {}, under the same id",
            table.columns.len(),
            table.parts[0].columns.len(),
            table.parts[1..].iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
        ),
    })
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
        let out = Output::parse(&path).unwrap();
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
