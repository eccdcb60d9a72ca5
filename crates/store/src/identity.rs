//! Which of the new pages and rows a database holds already, so that they keep their ids.
//!
//! # What it does
//! A page is the one with the same URL, among several the one with the same reference, otherwise the next of them in
//! order; without a URL it is the one with the same reference. Below the same parent row a row is the one with the same
//! values, otherwise the one with the same links, otherwise the next one in order that nothing else claims. What is
//! found nowhere gets the next free id.
//! # Assumes
//! A page that keeps its URL is the same page, whatever it says now.
//! # When it fails
//! A row without links that was changed while others came before it is taken for one of its neighbours: ids are then
//! right in number and still unique, but may have moved on.

use std::collections::HashMap;

use rusqlite::{Connection, Result, Statement, params};
use xxhash_rust::xxh3::xxh3_64;

use crate::plan::Layout;
use crate::sqlite::StagedRow;
use unsite_wrapper::ValueType;

/// Makes the tables for what is known in the attached database `stage`.
pub(crate) fn create(db: &Connection) -> Result<()> {
    db.execute_batch(
        "CREATE TABLE stage.known_pages(id INTEGER PRIMARY KEY, url TEXT, ref TEXT);
         CREATE TABLE stage.known_rows(
             page_id INTEGER, table_index INTEGER, row_id INTEGER, parent_id INTEGER, content INTEGER, links INTEGER);
         CREATE TABLE stage.page_ids(seq INTEGER PRIMARY KEY, id INTEGER);",
    )
}

/// Takes what a database holds.
pub(crate) struct Known<'a> {
    insert_page: Statement<'a>,
    insert_row: Statement<'a>,
    open: Option<OpenRow>,
}

struct OpenRow {
    table: usize,
    id: i64,
    page: Option<i64>,
    parent: Option<i64>,
    content: u64,
    links: u64,
}

impl<'a> Known<'a> {
    pub(crate) fn new(db: &'a Connection) -> Result<Known<'a>> {
        Ok(Known {
            insert_page: db.prepare("INSERT INTO stage.known_pages VALUES (?, ?, ?)")?,
            insert_row: db.prepare("INSERT INTO stage.known_rows VALUES (?, ?, ?, ?, ?, ?)")?,
            open: None,
        })
    }

    pub(crate) fn page(&mut self, id: i64, url: &str, reference: &str) -> Result<()> {
        self.insert_page.execute(params![id, url, reference]).map(|_| ())
    }

    /// Takes one value of a row, or the row alone. The values of a row come one after another.
    pub(crate) fn row(
        &mut self,
        table: usize,
        id: i64,
        page: Option<i64>,
        parent: Option<i64>,
        value: Option<(&str, bool, &str)>,
    ) -> Result<()> {
        if self.open.as_ref().is_none_or(|open| (open.table, open.id) != (table, id)) {
            self.close()?;
            self.open = Some(OpenRow { table, id, page, parent, content: 0, links: 0 });
        }
        if let (Some(open), Some((column, is_link, value))) = (&mut self.open, value) {
            let hash = cell_hash(column, value);
            open.content = open.content.wrapping_add(hash);
            open.links = if is_link { open.links.wrapping_add(hash) } else { open.links };
        }
        Ok(())
    }

    /// Ends with what was taken last.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.close()
    }

    fn close(&mut self) -> Result<()> {
        let Some(row) = self.open.take() else { return Ok(()) };
        let (content, links) = (row.content as i64, row.links as i64);
        self.insert_row
            .execute(params![row.page, row.table as i64, row.id, row.parent, content, links])
            .map(|_| ())
    }
}

/// Gives every staged page its id, in `stage.page_ids`.
pub(crate) fn number_pages(db: &Connection) -> Result<()> {
    let order = "url, ref, fingerprint, tie";
    db.execute_batch(&format!(
        "CREATE INDEX stage.known_rows_page ON known_rows(page_id);
         INSERT INTO stage.page_ids SELECT n.seq, o.id FROM
             (SELECT seq, url, ref, row_number() OVER (PARTITION BY url, ref ORDER BY fingerprint, tie) AS n
              FROM stage.pages) n
             JOIN (SELECT id, url, ref, row_number() OVER (PARTITION BY url, ref ORDER BY id) AS n
                   FROM stage.known_pages) o USING (url, ref, n);
         INSERT INTO stage.page_ids SELECT n.seq, o.id FROM
             (SELECT seq, url, row_number() OVER (PARTITION BY url ORDER BY ref, fingerprint, tie) AS n
              FROM stage.pages WHERE url <> '' AND seq NOT IN (SELECT seq FROM stage.page_ids)) n
             JOIN (SELECT id, url, row_number() OVER (PARTITION BY url ORDER BY id) AS n
                   FROM stage.known_pages WHERE id NOT IN (SELECT id FROM stage.page_ids)) o USING (url, n);
         INSERT INTO stage.page_ids
             SELECT seq, (SELECT coalesce(max(id), 0) FROM stage.known_pages) + row_number() OVER (ORDER BY {order})
             FROM stage.pages WHERE seq NOT IN (SELECT seq FROM stage.page_ids) ORDER BY {order};"
    ))
}

/// Gives rows their ids, page after page.
pub(crate) struct RowIds<'a> {
    find: Statement<'a>,
    /// The last id of each table.
    last: Vec<i64>,
}

/// The rows of a page that are known, by table and parent.
type KnownRows = HashMap<(usize, Option<i64>), Vec<KnownRow>>;

#[derive(Clone, Copy)]
struct KnownRow {
    id: i64,
    content: u64,
    links: u64,
}

impl<'a> RowIds<'a> {
    pub(crate) fn new(db: &'a Connection, layout: &Layout) -> Result<RowIds<'a>> {
        let mut last = vec![0; layout.tables.len()];
        let mut query = db.prepare("SELECT table_index, max(row_id) FROM stage.known_rows GROUP BY 1")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            last[row.get::<_, i64>(0)? as usize] = row.get(1)?;
        }
        let find = db.prepare(
            "SELECT table_index, parent_id, row_id, content, links FROM stage.known_rows WHERE page_id = ? ORDER BY row_id",
        )?;
        Ok(RowIds { find, last })
    }

    /// The ids of the rows of a page.
    pub(crate) fn of(&mut self, page_id: i64, rows: &[StagedRow<'_>], layout: &Layout) -> Result<Vec<i64>> {
        let mut known = self.known(page_id)?;
        if known.is_empty() {
            return Ok(rows.iter().map(|row| self.next(row.table)).collect());
        }
        let mut ids = vec![0; rows.len()];
        // Tables stand behind those of their parents, so the ids of parents are there when they are asked for.
        let mut by_table: Vec<usize> = (0..rows.len()).collect();
        by_table.sort_by_key(|&at| rows[at].table);
        for group in by_table.chunk_by(|&a, &b| rows[a].table == rows[b].table) {
            let table = rows[group[0]].table;
            let mut below: HashMap<Option<i64>, Vec<usize>> = HashMap::new();
            for &at in group {
                below.entry(rows[at].parent.map(|parent| ids[parent])).or_default().push(at);
            }
            for (parent, members) in below {
                let there = known.remove(&(table, parent)).unwrap_or_default();
                let hashes: Vec<(u64, u64)> =
                    members.iter().map(|&at| hashes(&rows[at], table, layout)).collect();
                for (&at, id) in members.iter().zip(matched(&hashes, &there)) {
                    ids[at] = id.unwrap_or(0);
                }
            }
            for &at in group.iter() {
                if ids[at] == 0 {
                    ids[at] = self.next(table);
                }
            }
        }
        Ok(ids)
    }

    fn known(&mut self, page_id: i64) -> Result<KnownRows> {
        let mut known = KnownRows::new();
        let mut rows = self.find.query([page_id])?;
        while let Some(row) = rows.next()? {
            let group = known.entry((row.get::<_, i64>(0)? as usize, row.get(1)?)).or_default();
            let hash = |at| Ok::<_, rusqlite::Error>(row.get::<_, i64>(at)? as u64);
            group.push(KnownRow { id: row.get(2)?, content: hash(3)?, links: hash(4)? });
        }
        Ok(known)
    }

    fn next(&mut self, table: usize) -> i64 {
        self.last[table] += 1;
        self.last[table]
    }
}

/// Which of the known rows each new one is: the same content, then the same links, then the next in order.
fn matched(new: &[(u64, u64)], there: &[KnownRow]) -> Vec<Option<i64>> {
    let mut found: Vec<Option<i64>> = vec![None; new.len()];
    let mut free: Vec<bool> = vec![true; there.len()];
    for by_links in [false, true] {
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, row) in there.iter().enumerate().rev().filter(|(place, _)| free[*place]) {
            let key = if by_links { row.links } else { row.content };
            if !by_links || key != 0 {
                places.entry(key).or_default().push(place);
            }
        }
        for (at, (content, links)) in new.iter().enumerate() {
            let key = if by_links { links } else { content };
            if found[at].is_none()
                && let Some(place) = places.get_mut(key).and_then(Vec::pop)
            {
                found[at] = Some(there[place].id);
                free[place] = false;
            }
        }
    }
    let mut left = (0..there.len()).filter(|&place| free[place]);
    for id in found.iter_mut().filter(|id| id.is_none()) {
        *id = left.next().map(|place| there[place].id);
    }
    found
}

fn hashes(row: &StagedRow<'_>, table: usize, layout: &Layout) -> (u64, u64) {
    let (mut content, mut links) = (0u64, 0u64);
    for cell in &row.cells {
        let column = &layout.tables[table].columns[cell.column];
        let hash = cell_hash(&column.name, cell.value);
        content = content.wrapping_add(hash);
        if column.value_type == ValueType::Url {
            links = links.wrapping_add(hash);
        }
    }
    (content, links)
}

/// Sums of these do not depend on the order of cells, which a database does not keep.
fn cell_hash(column: &str, value: &str) -> u64 {
    xxh3_64(column.as_bytes()) ^ xxh3_64(value.as_bytes()).rotate_left(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_content_then_links_then_order() {
        let there = |id, content, links| KnownRow { id, content, links };
        let old = [there(1, 10, 5), there(2, 20, 6), there(3, 30, 0), there(4, 40, 0)];
        // Moved; changed under its link; changed; the same; one more.
        let found = matched(&[(20, 6), (11, 5), (99, 0), (40, 0), (98, 0)], &old);
        assert_eq!(found, [Some(2), Some(1), Some(3), Some(4), None]);
    }
}
