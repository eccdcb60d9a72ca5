//! Receipts: where the values of a row stand on a page, packed into one line.
//!
//! # What it does
//! Rows of one table on pages of one type have their values at the same places. Those places stand once, in `_places`; a
//! receipt in `_receipts` names them and adds the values that its row does not hold as they stand on the page: numbers, what is
//! told again, second values. `_values` is the view that takes them apart again, a line for each value.
//! # Assumes
//! Rows are written before their receipts.
//! # When it fails
//! Who changes a text in a table by hand changes what its receipt says.

use std::collections::BTreeMap;

use rusqlite::{Connection, Result, Statement, params};
use rustc_hash::FxHashMap;

use crate::plan::quoted;

/// Values of one receipt. Each is looked up in the text of all, so that it must not grow with the row.
const MOST: usize = 64;

/// Columns whose values may be left to their rows: the view has a branch for each.
const COLUMNS_OF_ROWS: i64 = 1000;

/// Bytes of places that are remembered, so that they stand once. Beyond, those that come again stand again.
const REMEMBERED: usize = 32 << 20;

/// The value is the text of the receipt itself, not one of a list.
const ALONE: i64 = -1;

/// Room for the places of a receipt in the numbers of values.
pub(super) const ROOM: usize = 4096;

const _: () = assert!(MOST < ROOM);

/// One value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told<'v> {
    pub(super) column: i64,
    pub(super) path: i64,
    pub(super) is_copy: bool,
    pub(super) value: &'v str,
    /// Whether the table of its column has it, as it stands.
    pub(super) is_in_row: bool,
}

/// Whether the values of a column may be left to their rows.
pub(super) fn may_stand_in_row(column: i64) -> bool {
    column <= COLUMNS_OF_ROWS
}

/// Makes the tables.
pub(super) fn create(db: &Connection) -> Result<()> {
    db.execute_batch(
        "CREATE TABLE main._places(
             id INTEGER, at INTEGER, column_id INTEGER REFERENCES _columns(id), path_id INTEGER REFERENCES _paths(id),
             copy INTEGER, slot INTEGER, PRIMARY KEY (id, at)) WITHOUT ROWID;
         CREATE TABLE main._receipts(
             id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), row_id INTEGER, places_id INTEGER, texts TEXT);",
    )
}

/// The columns of tables that hold texts as they stand: table and name by number.
fn columns_of_text(db: &Connection, database: &str) -> Result<BTreeMap<i64, (String, String)>> {
    let mut query = db.prepare(&format!(
        "SELECT c.id, c.table_name, c.column_name FROM {database}._columns c
         JOIN {database}._tables t ON t.name = c.table_name
         JOIN pragma_table_info(c.table_name, '{database}') i ON i.name = c.column_name AND i.type = 'TEXT'
         JOIN pragma_table_info(c.table_name, '{database}') k ON k.name = 'id'
         WHERE c.id <= {COLUMNS_OF_ROWS}"
    ))?;
    query.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?.collect()
}

/// Makes the view of all values, in the place of an older one. With `rows` it looks into the rows too.
pub(super) fn create_view(db: &Connection, database: &str, rows: bool) -> Result<()> {
    let columns = if rows { columns_of_text(db, database)? } else { BTreeMap::new() };
    let sql = values_sql(&columns, "");
    db.execute_batch(&format!(
        "DROP VIEW IF EXISTS {database}._values; CREATE VIEW {database}._values AS {sql};"
    ))
}

/// What the view says, whether or not it is there still and names only tables that are.
pub(super) fn all_values(db: &Connection, database: &str) -> Result<String> {
    Ok(values_sql(&columns_of_text(db, database)?, &format!("{database}.")))
}

fn values_sql(columns: &BTreeMap<i64, (String, String)>, prefix: &str) -> String {
    let branches: String = columns
        .iter()
        .map(|(id, (table, column))| {
            let (table, column) = (quoted(table), quoted(column));
            format!(" WHEN {id} THEN (SELECT x.{column} FROM {prefix}{table} x WHERE x.id = r.row_id)")
        })
        .collect();
    let in_row = match branches.is_empty() {
        true => "NULL".to_owned(),
        false => format!("CASE p.column_id{branches} END"),
    };
    // The join is in that order: places are found by their receipt.
    format!(
        "SELECT r.id * {ROOM} + p.at AS id, r.page_id AS page_id, p.column_id AS column_id, r.row_id AS row_id,
                p.path_id AS path_id,
                CAST(CASE WHEN p.slot IS NULL THEN {in_row} WHEN p.slot = {ALONE} THEN r.texts
                     ELSE json_extract(r.texts, '$[' || p.slot || ']') END AS TEXT) AS value,
                p.copy AS copy, r.id AS receipt_id, p.at AS place
         FROM {prefix}_receipts r CROSS JOIN {prefix}_places p ON p.id = r.places_id"
    )
}

/// Writes receipts.
pub(super) struct Receipts<'a> {
    insert: Statement<'a>,
    insert_place: Statement<'a>,
    /// By what [`Receipts::places`] writes down of them.
    known: FxHashMap<Vec<u8>, i64>,
    remembered: usize,
    last_places: i64,
    texts: Vec<u8>,
    key: Vec<u8>,
}

impl<'a> Receipts<'a> {
    /// Goes on behind what stands in the database.
    pub(super) fn new(db: &'a Connection, database: &str) -> Result<Receipts<'a>> {
        let mut receipts = Receipts {
            insert: db.prepare(&format!(
                "INSERT INTO {database}._receipts(page_id, row_id, places_id, texts) VALUES (?, ?, ?, ?)"
            ))?,
            insert_place: db.prepare(&format!("INSERT INTO {database}._places VALUES (?, ?, ?, ?, ?, ?)"))?,
            known: FxHashMap::default(),
            remembered: 0,
            last_places: 0,
            texts: Vec::new(),
            key: Vec::new(),
        };
        let mut query = db.prepare(&format!(
            "SELECT id, column_id, path_id, copy, slot FROM {database}._places ORDER BY id, at"
        ))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            if id != receipts.last_places {
                receipts.remember();
            }
            receipts.last_places = id;
            note(&mut receipts.key, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        }
        receipts.remember();
        Ok(receipts)
    }

    /// Puts what a page tells of a row.
    pub(super) fn put(&mut self, page: i64, row: Option<i64>, told: &[Told<'_>]) -> Result<()> {
        let mut rest = told;
        while !rest.is_empty() {
            // A list of texts cannot hold NUL: such a value stands alone.
            let whole = rest.iter().take(MOST).take_while(|told| !told.value.contains('\0'));
            let (some, others) = rest.split_at(whole.count().max(1));
            self.put_some(page, row, some)?;
            rest = others;
        }
        Ok(())
    }

    fn put_some(&mut self, page: i64, row: Option<i64>, told: &[Told<'_>]) -> Result<()> {
        let is_alone = told.iter().filter(|told| !told.is_in_row).count() == 1;
        let mut next = 0i64..;
        let slots: Vec<Option<i64>> = told
            .iter()
            .map(|told| match told.is_in_row {
                true => None,
                false if is_alone => Some(ALONE),
                false => next.next(),
            })
            .collect();
        self.key.clear();
        for (told, slot) in told.iter().zip(&slots) {
            note(&mut self.key, told.column, told.path, told.is_copy, *slot);
        }
        let places = match self.known.get(&self.key) {
            Some(&id) => id,
            None => {
                self.last_places += 1;
                for (at, (told, slot)) in told.iter().zip(&slots).enumerate() {
                    let (id, at) = (self.last_places, at as i64);
                    self.insert_place.execute(params![id, at, told.column, told.path, told.is_copy, slot])?;
                }
                self.remember();
                self.last_places
            }
        };
        let besides = told.iter().filter(|told| !told.is_in_row).map(|told| told.value);
        let texts = packed(besides, &mut self.texts)?;
        let insert = &mut self.insert;
        insert.raw_bind_parameter(1, page)?;
        insert.raw_bind_parameter(2, row)?;
        insert.raw_bind_parameter(3, places)?;
        insert.raw_bind_parameter(4, texts)?;
        insert.raw_execute().map(|_| ())
    }

    /// Takes down the places whose key was made last.
    fn remember(&mut self) {
        if !self.key.is_empty() && self.remembered < REMEMBERED {
            self.remembered += self.key.len();
            self.known.insert(std::mem::take(&mut self.key), self.last_places);
        }
        self.key.clear();
    }
}

/// One text as it stands, several as a list in JSON.
fn packed<'t>(mut texts: impl Iterator<Item = &'t str>, list: &'t mut Vec<u8>) -> Result<Option<&'t str>> {
    let Some(first) = texts.next() else { return Ok(None) };
    let Some(second) = texts.next() else { return Ok(Some(first)) };
    list.clear();
    for (at, text) in [first, second].into_iter().chain(texts).enumerate() {
        list.push(if at == 0 { b'[' } else { b',' });
        serde_json::to_writer(&mut *list, text)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    }
    list.push(b']');
    std::str::from_utf8(list).map(Some).map_err(|error| rusqlite::Error::Utf8Error(0, error))
}

/// Writes a place down, to compare it with others.
fn note(key: &mut Vec<u8>, column: i64, path: i64, is_copy: bool, slot: Option<i64>) {
    key.extend_from_slice(&(column as u32).to_le_bytes());
    key.extend_from_slice(&path.to_le_bytes()[..5]);
    // 0: in its row; 1: alone; from 2: the place in the list.
    key.push(slot.map_or(0, |slot| (slot + 2) as u8) << 1 | u8::from(is_copy));
}

/// Whether values stand in the rows of a database as they were read.
pub(super) struct Rows<'a> {
    find: FxHashMap<i64, Statement<'a>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(db: &'a Connection, database: &str) -> Result<Rows<'a>> {
        let prepared = columns_of_text(db, database)?.into_iter().map(|(id, (table, column))| {
            let (table, column) = (quoted(&table), quoted(&column));
            let sql = format!("SELECT 1 FROM {database}.{table} WHERE id = ? AND {column} = ?");
            Ok((id, db.prepare(&sql)?))
        });
        Ok(Rows { find: prepared.collect::<Result<_>>()? })
    }

    pub(super) fn hold(&mut self, column: i64, row: Option<i64>, value: &str) -> Result<bool> {
        match (self.find.get_mut(&column), row) {
            (Some(find), Some(row)) => find.exists(params![row, value]),
            _ => Ok(false),
        }
    }
}
