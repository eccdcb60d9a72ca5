//! What was seen when: the captures of each address in the order of time.
//!
//! # What it does
//! The rows of a capture are found again in the next one of the same address as those of a page that is read again. A value
//! that is there in one capture after the other was seen from the first to the last of them; when it is missing in between,
//! that is two spans. Only sightings are told: a row or value that is in no later capture was not seen again, no more.
//! # Assumes
//! Captures of an address are of one page. Those in which no page type was recognised tell nothing.
//! # When it fails
//! Rows without an address that change while others come and go may be taken for one another.

use std::collections::BTreeMap;

use rusqlite::{Connection, Result, params};
use unsite_dom::Moment;

use super::codec::{StagedPage, decode};
use super::schema::table_sql;
use crate::identity::{Found, RowIds};
use crate::plan::{Layout, history};

/// Whether any address has captures of several moments, here or in the database that is added to.
const WANTED: &str = "SELECT EXISTS (SELECT 1 FROM stage.past)
     OR EXISTS (SELECT 1 FROM stage.sqlite_master WHERE name = 'known_history')
         AND EXISTS (SELECT 1 FROM stage.pages WHERE captured IS NOT NULL)
     OR EXISTS (SELECT 1 FROM stage.known_pages k JOIN stage.pages p ON p.url = k.url
                WHERE k.url <> '' AND k.captured <> p.captured)";

/// All captures, those of an address one after the other. Its history is told of the newest one's page.
const CAPTURES: &str = "SELECT p.seq, p.url, p.ref, p.captured, p.id, p.is_past, coalesce(p.own, k.id) FROM
     (SELECT s.seq, s.url, s.ref, s.captured, s.fingerprint, s.tie, i.id, x.seq IS NOT NULL AS is_past,
          min(CASE WHEN x.seq IS NULL THEN i.id END) OVER (PARTITION BY s.url) AS own
      FROM stage.pages s JOIN stage.page_ids i USING (seq) LEFT JOIN stage.past x USING (seq)
      WHERE s.captured IS NOT NULL AND s.url <> '') p
     LEFT JOIN (SELECT url, min(id) AS id FROM stage.known_pages WHERE latest GROUP BY url) k ON k.url = p.url
     ORDER BY p.url, p.captured, p.ref, p.fingerprint, p.tie";

/// Fills `_history`, and `_pages` with the captures that are not the newest of their addresses; how many these are. Without
/// any of them there is no history.
pub(super) fn write_history(db: &Connection, layout: &Layout, row_ids: &mut RowIds<'_>) -> Result<u64> {
    if !db.query_row(WANTED, [], |row| row.get::<_, bool>(0))? {
        return Ok(0);
    }
    db.execute_batch(&table_sql("main", &history()))?;
    let mut captures = db.prepare(CAPTURES)?;
    let mut body = db.prepare("SELECT body FROM stage.pages WHERE seq = ?")?;
    let mut insert_page = db.prepare("INSERT INTO _pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)")?;
    let mut rows = captures.query([])?;
    let (mut past, mut spans) = (0, Spans::default());
    while let Some(row) = rows.next()? {
        let mut bodies = body.query([row.get::<_, i64>(0)?])?;
        let staged = bodies.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let page = decode(staged.get_ref(0)?.as_blob()?).ok_or(rusqlite::Error::InvalidQuery)?;
        let (url, reference) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
        let captured = row.get::<_, i64>(3)?;
        let moment = Moment::from_unix(captured).map(|moment| moment.to_string());
        if row.get(5)? {
            past += 1;
            let type_name = page.page_type.map(|at| &layout.page_types[at]);
            let score = Some(page.index_score).filter(|score| score.is_finite());
            let id: i64 = row.get(4)?;
            insert_page.execute(params![
                id,
                url,
                reference,
                type_name,
                page.role,
                score,
                page.problems as i64,
                moment
            ])?;
        }
        if page.page_type.is_none() {
            continue;
        }
        let address: i64 = row.get(6)?;
        if spans.address != Some(address) {
            spans.write(db, layout)?;
            spans = Spans { address: Some(address), ..Spans::default() };
        }
        let found = row_ids.of(address, &page.rows, layout)?;
        RowIds::remember(db, address, (&page.rows, &found), layout)?;
        spans.capture(captured, &page, &found, layout);
    }
    spans.write(db, layout)?;
    RowIds::start_over(db)?;
    Ok(past)
}

/// A value in a column of a row.
type Cell = (usize, usize, i64, String);

/// When the values of one address were seen.
#[derive(Default)]
struct Spans {
    address: Option<i64>,
    /// The capture before.
    before: Option<i64>,
    last: Option<i64>,
    /// First and last sighting, one pair a span.
    of: BTreeMap<Cell, Vec<(i64, i64)>>,
}

impl Spans {
    fn capture(&mut self, captured: i64, page: &StagedPage<'_>, found: &[Found], layout: &Layout) {
        if self.last != Some(captured) {
            (self.before, self.last) = (self.last, Some(captured));
        }
        for (row, this) in page.rows.iter().zip(found) {
            let table = &layout.tables[row.table];
            for cell in row.cells.iter().filter(|cell| !cell.is_copy) {
                let column = &table.columns[cell.column];
                let parent = row.parent.map(|parent| found[parent].id);
                let told_of_parent = layout.is_told_of_parent(row.table, column);
                let of = if told_of_parent { parent } else { Some(this.id) };
                let Some(id) = of.filter(|_| !column.is_hidden && !table.is_hidden) else { continue };
                self.sighting((row.table, cell.column, id, cell.value.to_owned()), captured);
            }
        }
    }

    fn sighting(&mut self, cell: Cell, captured: i64) {
        let spans = self.of.entry(cell).or_default();
        match spans.last_mut() {
            Some(span) if Some(span.1) == self.before || span.1 == captured => span.1 = captured,
            _ => spans.push((captured, captured)),
        }
    }

    fn write(&self, db: &Connection, layout: &Layout) -> Result<()> {
        let mut insert = db.prepare_cached("INSERT INTO _history VALUES (?, ?, ?, ?, ?, ?, ?)")?;
        let text = |moment| Moment::from_unix(moment).map(|moment| moment.to_string());
        for ((table, column, row, value), spans) in &self.of {
            let (table_name, column_name) = layout.told_as(*table, &layout.tables[*table].columns[*column]);
            for &(first, last) in spans {
                let (first, last) = (text(first), text(last));
                insert.execute(params![table_name, row, column_name, value, first, last, self.address])?;
            }
        }
        Ok(())
    }
}
