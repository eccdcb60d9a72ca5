//! Which of the new pages and rows a database holds already, so that they keep their ids.
//!
//! # What it does
//! A page is the one with the same URL, among several the one with the same reference, otherwise the next of them in
//! order; without a URL it is the one with the same reference. Of several captures of a URL the newest is that page, and each
//! of the others is the capture of the same moment. Rows that are known by an address are one row wherever they
//! are seen; those of a relation are one row when they say the same of the same parent. Below the same parent row any other
//! row is the one with the same values, otherwise the one with the same links, otherwise the next one in order that nothing
//! else claims. What is found nowhere gets the next free id: those with an address in the order of their addresses, first
//! the ones whose own page was read.
//! # Assumes
//! A page that keeps its URL is the same page, whatever it says now.
//! # When it fails
//! A row without links that was changed while others came before it is taken for one of its neighbours: ids are then
//! right in number and still unique, but may have moved on.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Result, Statement, params};
use unsite_dom::Moment;
use unsite_wrapper::{Row, ValueType};
use xxhash_rust::xxh3::xxh3_64;

use crate::plan::{Layout, Table};
use crate::sqlite::StagedRow;

/// Says that the database has a history already.
pub(crate) const KNOWN_HISTORY: &str = "CREATE TABLE stage.known_history(a)";

/// Makes the tables for what is known in the attached database `stage`.
pub(crate) fn create(db: &Connection) -> Result<()> {
    db.execute_batch(
        "CREATE TABLE stage.known_pages(id INTEGER PRIMARY KEY, url TEXT, ref TEXT, captured INTEGER, latest INTEGER);
         CREATE TABLE stage.known_rows(
             page_id INTEGER, table_index INTEGER, row_id INTEGER, parent_id INTEGER, content INTEGER, links INTEGER);
         CREATE TABLE stage.row_ids(seq INTEGER PRIMARY KEY, ids BLOB);
         CREATE TABLE stage.page_ids(seq INTEGER PRIMARY KEY, id INTEGER);
         CREATE TABLE stage.known_keys(table_index INTEGER, key TEXT, id INTEGER, PRIMARY KEY (table_index, key)) WITHOUT ROWID;
         CREATE TABLE stage.keys(
             table_index INTEGER, key TEXT, is_own INTEGER, id INTEGER, seen INTEGER, PRIMARY KEY (table_index, key)) WITHOUT ROWID;
         CREATE TABLE stage.pairs(
             table_index INTEGER, told INTEGER, id INTEGER, seen INTEGER, PRIMARY KEY (table_index, told)) WITHOUT ROWID;",
    )
}

/// The address that a row is known by.
pub(crate) fn key_of<'r>(layout: &Layout, row: &'r Row) -> Option<&'r str> {
    let column = layout.tables[row.table].key?;
    let cell = || row.cells.iter().find(|cell| cell.column == column);
    let key = row.key.as_deref().or_else(|| cell().map(|cell| cell.value.split('#').next().unwrap_or("")));
    key.filter(|key| !key.is_empty())
}

/// Takes down the addresses that the rows of a page are known by.
pub(crate) fn note_keys(db: &Connection, layout: &Layout, rows: &[Row]) -> Result<()> {
    for row in rows {
        let Some(key) = key_of(layout, row) else { continue };
        db.prepare_cached(
            "INSERT INTO stage.keys VALUES (?, ?, ?, NULL, 0)
             ON CONFLICT DO UPDATE SET is_own = 1 WHERE excluded.is_own > is_own",
        )?
        .execute(params![row.table as i64, key, !row.is_view])?;
    }
    Ok(())
}

/// Takes what a database holds.
pub(crate) struct Known<'a> {
    insert_page: Statement<'a>,
    insert_row: Statement<'a>,
    insert_key: Statement<'a>,
    insert_pair: Statement<'a>,
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
            insert_page: db.prepare("INSERT INTO stage.known_pages VALUES (?, ?, ?, ?, ?)")?,
            insert_row: db.prepare("INSERT INTO stage.known_rows VALUES (?, ?, ?, ?, ?, ?)")?,
            insert_key: db.prepare("INSERT OR IGNORE INTO stage.known_keys VALUES (?, ?, ?)")?,
            insert_pair: db.prepare("INSERT OR IGNORE INTO stage.pairs VALUES (?, ?, ?, 0)")?,
            open: None,
        })
    }

    /// Takes the last id that a table has.
    pub(crate) fn last(&mut self, table: usize, id: Option<i64>) -> Result<()> {
        let nowhere: Option<i64> = None;
        self.insert_row.execute(params![nowhere, table as i64, id.unwrap_or(0), nowhere, 0, 0]).map(|_| ())
    }

    /// Takes a row that is known by an address.
    pub(crate) fn key(&mut self, table: usize, id: i64, key: &str) -> Result<()> {
        self.insert_key.execute(params![table as i64, key, id]).map(|_| ())
    }

    /// Takes a row that is known by its parent and what it says of it, in the order of [`Table::telling`].
    pub(crate) fn pair<'v>(
        &mut self,
        table: usize,
        id: i64,
        parent: Option<i64>,
        values: impl Iterator<Item = Option<&'v str>>,
    ) -> Result<()> {
        self.insert_pair.execute(params![table as i64, told(parent, values), id]).map(|_| ())
    }

    /// Takes a page, with the moment of its capture and whether there is none that is newer.
    pub(crate) fn page(
        &mut self,
        id: i64,
        (url, reference): (&str, &str),
        (captured, latest): (Option<&str>, Option<i64>),
    ) -> Result<()> {
        let captured = captured.and_then(Moment::parse).map(Moment::unix);
        self.insert_page.execute(params![id, url, reference, captured, latest != Some(0)]).map(|_| ())
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
    let order = "url, captured, ref, fingerprint, tie";
    db.execute_batch(&format!(
        "CREATE INDEX stage.known_rows_page ON known_rows(page_id);
         CREATE TABLE stage.past(seq INTEGER PRIMARY KEY);
         INSERT INTO stage.past SELECT p.seq FROM
             (SELECT seq, url, captured, max(captured) OVER (PARTITION BY url) AS newest
              FROM stage.pages WHERE captured IS NOT NULL AND url <> '') p
             LEFT JOIN (SELECT url, max(captured) AS newest FROM stage.known_pages WHERE latest GROUP BY url) k
                 ON k.url = p.url
             WHERE p.captured < p.newest OR p.captured < k.newest;
         INSERT INTO stage.page_ids SELECT n.seq, o.id FROM
             (SELECT seq, url, captured,
                  row_number() OVER (PARTITION BY url, captured ORDER BY ref, fingerprint, tie) AS n
              FROM stage.pages WHERE seq IN (SELECT seq FROM stage.past)) n
             JOIN (SELECT id, url, captured, row_number() OVER (PARTITION BY url, captured ORDER BY id) AS n
                   FROM stage.known_pages WHERE NOT latest) o USING (url, captured, n);
         INSERT INTO stage.page_ids SELECT n.seq, o.id FROM
             (SELECT seq, url, ref, row_number() OVER (PARTITION BY url, ref ORDER BY fingerprint, tie) AS n
              FROM stage.pages WHERE seq NOT IN (SELECT seq FROM stage.past)) n
             JOIN (SELECT id, url, ref, row_number() OVER (PARTITION BY url, ref ORDER BY id) AS n
                   FROM stage.known_pages WHERE latest) o USING (url, ref, n);
         INSERT INTO stage.page_ids SELECT n.seq, o.id FROM
             (SELECT seq, url, row_number() OVER (PARTITION BY url ORDER BY ref, fingerprint, tie) AS n
              FROM stage.pages WHERE url <> '' AND seq NOT IN (SELECT seq FROM stage.past)
                  AND seq NOT IN (SELECT seq FROM stage.page_ids)) n
             JOIN (SELECT id, url, row_number() OVER (PARTITION BY url ORDER BY id) AS n
                   FROM stage.known_pages WHERE latest AND id NOT IN (SELECT id FROM stage.page_ids)) o
                 USING (url, n);
         INSERT INTO stage.page_ids
             SELECT seq, (SELECT coalesce(max(id), 0) FROM stage.known_pages) + row_number() OVER (ORDER BY {order})
             FROM stage.pages WHERE seq NOT IN (SELECT seq FROM stage.page_ids) ORDER BY {order};"
    ))
}

/// Gives every address its id, in `stage.keys`.
fn number_keys(db: &Connection) -> Result<()> {
    db.execute_batch(
        "UPDATE stage.keys SET id = (SELECT o.id FROM stage.known_keys o
             WHERE o.table_index = keys.table_index AND o.key = keys.key)
         WHERE EXISTS (SELECT 1 FROM stage.known_keys);
         UPDATE stage.keys SET id = n.id FROM
             (SELECT table_index AS t, key AS k, row_number() OVER (PARTITION BY table_index ORDER BY is_own DESC, key)
                  + coalesce((SELECT max(row_id) FROM stage.known_last l WHERE l.table_index = keys.table_index), 0) AS id
              FROM stage.keys WHERE id IS NULL) n
         WHERE keys.table_index = n.t AND keys.key = n.k",
    )
}

/// Gives rows their ids, page after page.
pub(crate) struct RowIds<'a> {
    find: Statement<'a>,
    find_key: Statement<'a>,
    see_key: Statement<'a>,
    find_pair: Statement<'a>,
    add_pair: Statement<'a>,
    /// The last id of each table.
    last: Vec<i64>,
}

/// The row that a row of a page is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) id: i64,
    pub(crate) seen: Seen,
    /// Whether what is said here is what the row will say.
    pub(crate) is_final: bool,
}

/// Whether a row was seen on a page before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Not in this run.
    First,
    /// It was: what is not known of it yet is added.
    Again,
    /// It was, but here is its own page, which knows best.
    OnItsPage,
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
        db.execute_batch(
            "CREATE TABLE stage.known_last AS SELECT table_index, max(row_id) AS row_id FROM (
                 SELECT table_index, row_id FROM stage.known_rows
                 UNION ALL SELECT table_index, id FROM stage.known_keys
                 UNION ALL SELECT table_index, id FROM stage.pairs) GROUP BY 1",
        )?;
        number_keys(db)?;
        let mut last = vec![0; layout.tables.len()];
        let mut query = db.prepare(
            "SELECT table_index, max(row_id) FROM (
                 SELECT table_index, row_id FROM stage.known_last
                 UNION ALL SELECT table_index, max(id) FROM stage.keys GROUP BY 1) GROUP BY 1",
        )?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            last[row.get::<_, i64>(0)? as usize] = row.get(1)?;
        }
        let find = db.prepare(
            "SELECT table_index, parent_id, row_id, content, links FROM stage.known_rows WHERE page_id = ? ORDER BY row_id",
        )?;
        Ok(RowIds {
            find,
            find_key: db.prepare("SELECT id, seen, is_own FROM stage.keys WHERE table_index = ? AND key = ?")?,
            see_key: db.prepare("UPDATE stage.keys SET seen = ?3 WHERE table_index = ?1 AND key = ?2")?,
            find_pair: db.prepare(
                "UPDATE stage.pairs SET seen = seen + 1 WHERE table_index = ? AND told = ? RETURNING id, seen",
            )?,
            add_pair: db.prepare("INSERT INTO stage.pairs VALUES (?, ?, ?, 1)")?,
            last,
        })
    }

    /// What the rows of a page are.
    pub(crate) fn of(&mut self, page_id: i64, rows: &[StagedRow<'_>], layout: &Layout) -> Result<Vec<Found>> {
        let mut known = self.known(page_id)?;
        let mut found = vec![Found { id: 0, seen: Seen::First, is_final: true }; rows.len()];
        // Tables stand behind those of their parents, so the ids of parents are there when they are asked for.
        let mut by_table: Vec<usize> = (0..rows.len()).collect();
        by_table.sort_by_key(|&at| rows[at].table);
        for group in by_table.chunk_by(|&a, &b| rows[a].table == rows[b].table) {
            let table = rows[group[0]].table;
            let mut below: HashMap<Option<i64>, Vec<usize>> = HashMap::new();
            for &at in group {
                let row = &rows[at];
                let parent = row.parent.map(|parent| found[parent].id);
                if let Some(key) = row.key {
                    found[at] = self.keyed(table, key, row.is_view)?;
                } else if layout.tables[table].is_paired {
                    found[at] = self.paired(table, parent, row, &layout.tables[table])?;
                } else if !known.is_empty() {
                    // Of what has no table nobody remembers the parents.
                    let parent = parent.filter(|_| layout.tables[table].is_shown);
                    below.entry(parent).or_default().push(at);
                }
            }
            for (parent, members) in below {
                let there = known.remove(&(table, parent)).unwrap_or_default();
                let hashes: Vec<(u64, u64)> =
                    members.iter().map(|&at| hashes(&rows[at], table, layout)).collect();
                for (&at, id) in members.iter().zip(matched(&hashes, &there)) {
                    found[at].id = id.unwrap_or(0);
                }
            }
            for &at in group {
                if found[at].id == 0 {
                    found[at].id = self.next(table);
                }
            }
        }
        Ok(found)
    }

    /// Takes down what the rows of a page are, for the next capture of the same address.
    pub(crate) fn remember(
        db: &Connection,
        address: i64,
        (rows, found): (&[StagedRow<'_>], &[Found]),
        layout: &Layout,
    ) -> Result<()> {
        db.prepare_cached("DELETE FROM stage.known_rows WHERE page_id = ?")?.execute([address])?;
        let mut insert = db.prepare_cached("INSERT INTO stage.known_rows VALUES (?, ?, ?, ?, ?, ?)")?;
        for (row, this) in rows.iter().zip(found) {
            let table = &layout.tables[row.table];
            if row.key.is_some() || table.is_paired {
                continue;
            }
            let parent = row.parent.map(|parent| found[parent].id).filter(|_| table.is_shown);
            let (content, links) = hashes(row, row.table, layout);
            insert.execute(params![
                address,
                row.table as i64,
                this.id,
                parent,
                content as i64,
                links as i64
            ])?;
        }
        Ok(())
    }

    /// Forgets which rows were seen.
    pub(crate) fn start_over(db: &Connection) -> Result<()> {
        db.execute_batch("UPDATE stage.keys SET seen = 0; UPDATE stage.pairs SET seen = 0")
    }

    fn keyed(&mut self, table: usize, key: &str, is_view: bool) -> Result<Found> {
        const BY_OTHERS: i64 = 1;
        const ON_ITS_PAGE: i64 = 2;
        let (id, before, is_own): (i64, i64, bool) = self
            .find_key
            .query_row(params![table as i64, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let now = if is_view { before.max(BY_OTHERS) } else { ON_ITS_PAGE };
        if now != before {
            self.see_key.execute(params![table as i64, key, now])?;
        }
        let seen = match before {
            0 => Seen::First,
            BY_OTHERS if !is_view => Seen::OnItsPage,
            _ => Seen::Again,
        };
        let is_final = seen != Seen::Again && (!is_view || !is_own);
        Ok(Found { id, seen, is_final })
    }

    fn paired(
        &mut self,
        at: usize,
        parent: Option<i64>,
        row: &StagedRow<'_>,
        table: &Table,
    ) -> Result<Found> {
        let value = |column: usize| {
            let cells = row.cells.iter().filter(|cell| cell.column == column);
            cells.min_by_key(|cell| cell.is_copy).map(|cell| cell.typed.unwrap_or(cell.value))
        };
        let told = told(parent, table.telling().map(|(column, _)| value(column)));
        let seen = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?));
        let there = self.find_pair.query_row(params![at as i64, told], seen).optional()?;
        if let Some((id, times)) = there {
            let seen = if times == 1 { Seen::First } else { Seen::Again };
            return Ok(Found { id, seen, is_final: seen == Seen::First });
        }
        let id = self.next(at);
        self.add_pair.execute(params![at as i64, told, id])?;
        Ok(Found { id, seen: Seen::First, is_final: true })
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

/// The same of a row that was not staged.
pub(crate) fn told_of(parent: Option<i64>, row: &Row, table: &Table) -> i64 {
    let value = |column: usize| {
        let cells = row.cells.iter().filter(|cell| cell.column == column);
        cells.min_by_key(|cell| cell.is_copy).map(|cell| cell.typed().unwrap_or(&cell.value))
    };
    told(parent, table.telling().map(|(column, _)| value(column)))
}

/// What a row says of its parent. Addresses are the same with and without what stands behind `#`.
fn told<'v>(parent: Option<i64>, values: impl Iterator<Item = Option<&'v str>>) -> i64 {
    let mut text = parent.map_or(String::new(), |parent| parent.to_string());
    for value in values {
        let value = value.map(|value| match value.contains("://") {
            true => value.split('#').next().unwrap_or(value),
            false => value,
        });
        // No value is not an empty one.
        text.push_str(value.map_or("\0", |_| "\0="));
        text.push_str(value.unwrap_or(""));
    }
    xxh3_64(text.as_bytes()) as i64
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
