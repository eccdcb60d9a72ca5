//! Pages and problems in the order they come, in a database of their own that is thrown away at the end.

use rusqlite::{Connection, Result, params};
use unsite_dom::{Moment, Problem, ProblemKind};
use unsite_wrapper::PageRecord;

use super::codec::{PathNumbers, encode};
use crate::identity;
use crate::plan::Layout;

/// Bytes that one page may give. SQLite takes a thousand million; a page source stops at 20 MiB of HTML, so what is
/// above this repeats itself and would only fill the disk.
const LARGEST_PAGE: usize = 256 << 20;

/// Takes pages and problems as they come.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// Kept from page to page so that it need not grow again.
    body: Vec<u8>,
    paths: PathNumbers,
}

impl Stage {
    /// Makes the staging tables in the attached database `stage`.
    pub(crate) fn create(db: &Connection) -> Result<Stage> {
        db.execute_batch(
            "CREATE TABLE stage.pages(
                 seq INTEGER PRIMARY KEY, url TEXT, ref TEXT, fingerprint INTEGER, tie INTEGER, captured INTEGER, body BLOB);
             CREATE TABLE stage.paths(number INTEGER PRIMARY KEY, path TEXT);
             CREATE TABLE stage.main_texts(seq INTEGER PRIMARY KEY, text TEXT);
             CREATE TABLE stage.problems(kind TEXT, ref TEXT, url TEXT, offset INTEGER, message TEXT);",
        )?;
        identity::create(db)?;
        Ok(Stage::default())
    }

    pub(crate) fn page(&mut self, db: &Connection, page: &PageRecord, layout: &Layout) -> Result<()> {
        for problem in &page.problems {
            self.problem(db, problem)?;
        }
        self.body.clear();
        let key_of = |row| identity::key_of(layout, row);
        let mut tie = encode(page, &page.rows, page.problems.len(), key_of, &mut self.paths, &mut self.body);
        let mut rows = page.rows.as_slice();
        if self.body.len() > LARGEST_PAGE {
            self.problem(db, &too_large(page))?;
            self.body = Vec::new();
            tie = encode(page, &[], page.problems.len() + 1, key_of, &mut self.paths, &mut self.body);
            rows = &[];
        }
        identity::note_keys(db, layout, rows)?;
        // SQLite's integers are signed: turning the highest bit keeps the order.
        let fingerprint = (page.fingerprint ^ (1 << 63)) as i64;
        for path in self.paths.new.drain(..) {
            db.prepare_cached("INSERT INTO stage.paths(path) VALUES (?)")?.execute([path])?;
        }
        db.prepare_cached(
            "INSERT INTO stage.pages(url, ref, fingerprint, tie, captured, body) VALUES (?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            page.url,
            page.reference,
            fingerprint,
            tie as i64,
            page.captured.map(Moment::unix),
            self.body
        ])?;
        if let Some(text) = &page.main_text {
            db.prepare_cached("INSERT INTO stage.main_texts VALUES (?, ?)")?
                .execute(params![db.last_insert_rowid(), text])?;
        }
        Ok(())
    }

    pub(crate) fn problem(&self, db: &Connection, problem: &Problem) -> Result<()> {
        let offset = problem.offset.map(|o| i64::try_from(o).unwrap_or(i64::MAX));
        db.prepare_cached("INSERT INTO stage.problems VALUES (?, ?, ?, ?, ?)")?.execute(params![
            problem.kind.name(),
            problem.reference,
            problem.url,
            offset,
            problem.message,
        ])?;
        Ok(())
    }
}

fn too_large(page: &PageRecord) -> Problem {
    Problem {
        kind: ProblemKind::Limit,
        reference: page.reference.clone(),
        url: Some(page.url.clone()),
        offset: None,
        message: format!("gave more than {} MiB of rows, which were left out", LARGEST_PAGE >> 20),
    }
}
