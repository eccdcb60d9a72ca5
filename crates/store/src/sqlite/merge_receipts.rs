//! The receipts of a run put to those of a database that is there.
//!
//! What a receipt leaves to its row is taken down before anything is changed, and written into it where the row says
//! something else afterwards.

use rusqlite::{Connection, Result};

use super::receipts::{ROOM, Receipts, Rows, Told, all_values, create_view};

/// Where the values of the database that is there are taken down.
pub(super) const KNOWN_VALUES: &str = "stage.old_values";

/// Takes down the values as they stand.
pub(super) fn take_down(db: &Connection) -> Result<()> {
    let values = all_values(db, "old")?;
    db.execute_batch(&format!(
        "CREATE TABLE {KNOWN_VALUES}(
             id INTEGER PRIMARY KEY, page_id INTEGER, column_id INTEGER, row_id INTEGER, path_id INTEGER, value TEXT, copy INTEGER);
         INSERT INTO {KNOWN_VALUES} SELECT id, page_id, column_id, row_id, path_id, value, copy
             FROM ({values}) ORDER BY receipt_id, place;
         CREATE INDEX stage.old_values_cell ON old_values(column_id, row_id);"
    ))
}

/// Makes the view such that it names only what is there: SQLite changes no table while a view is broken.
pub(super) fn mend_view(db: &Connection) -> Result<()> {
    create_view(db, "old", true)
}

/// Puts the receipts of this run to what stands in `old`, whose rows, columns and paths are what they will be.
pub(super) fn merge_receipts(db: &Connection) -> Result<()> {
    create_view(db, "old", true)?;
    db.execute_batch("DELETE FROM old._receipts WHERE page_id IN (SELECT id FROM main._pages)")?;
    let mut receipts = Receipts::new(db, "old")?;
    let mut rows = Rows::new(db, "old")?;
    // Other receipts whose rows say something else now.
    db.execute_batch(&format!(
        "CREATE TABLE stage.changed(id INTEGER PRIMARY KEY);
         INSERT OR IGNORE INTO stage.changed SELECT n.receipt_id FROM old._values n JOIN {KNOWN_VALUES} o ON o.id = n.id
             WHERE o.value IS NOT n.value;
         DELETE FROM old._receipts WHERE id IN (SELECT id FROM stage.changed);"
    ))?;
    put(
        db,
        &format!(
            "SELECT c.id, o.page_id, o.row_id, o.column_id, o.path_id, o.copy, o.value
             FROM stage.changed c CROSS JOIN {KNOWN_VALUES} o ON o.id >= c.id * {ROOM} AND o.id < (c.id + 1) * {ROOM}
             ORDER BY o.id"
        ),
        &mut receipts,
        &mut rows,
    )?;
    put(
        db,
        "SELECT v.receipt_id, v.page_id, v.row_id, oc.id, op.id, v.copy, v.value FROM main._values v
         CROSS JOIN main._columns nc ON nc.id = v.column_id
         CROSS JOIN old._columns oc ON oc.table_name = nc.table_name AND oc.column_name = nc.column_name
         CROSS JOIN main._paths np ON np.id = v.path_id CROSS JOIN old._paths op ON op.path = np.path
         ORDER BY v.receipt_id, v.place",
        &mut receipts,
        &mut rows,
    )?;
    drop((receipts, rows));
    db.execute_batch(
        "DELETE FROM old._places WHERE id NOT IN (SELECT places_id FROM old._receipts);
         DELETE FROM old._paths WHERE id NOT IN (SELECT path_id FROM old._places);",
    )
}

/// Puts the receipts that a statement tells, a line for each value.
fn put(db: &Connection, sql: &str, receipts: &mut Receipts<'_>, rows: &mut Rows<'_>) -> Result<()> {
    let mut query = db.prepare(sql)?;
    let mut lines = query.query([])?;
    let mut open: Option<Open> = None;
    while let Some(line) = lines.next()? {
        let id: i64 = line.get(0)?;
        if open.as_ref().is_none_or(|open| open.id != id)
            && let Some(done) =
                open.replace(Open { id, page: line.get(1)?, row: line.get(2)?, told: Vec::new() })
        {
            done.put(receipts, rows)?;
        }
        if let Some(open) = &mut open {
            let value = line.get_ref(6)?.as_str_or_null()?.unwrap_or_default().to_owned();
            open.told.push((line.get(3)?, line.get(4)?, line.get(5)?, value));
        }
    }
    open.map_or(Ok(()), |open| open.put(receipts, rows))
}

/// A receipt whose values are being told.
struct Open {
    id: i64,
    page: i64,
    row: Option<i64>,
    /// Column, path, whether it is told again, and the value.
    told: Vec<(i64, i64, bool, String)>,
}

impl Open {
    fn put(&self, receipts: &mut Receipts<'_>, rows: &mut Rows<'_>) -> Result<()> {
        let mut all = Vec::with_capacity(self.told.len());
        for (column, path, is_copy, value) in &self.told {
            let is_in_row = rows.hold(*column, self.row, value)?;
            all.push(Told { column: *column, path: *path, is_copy: *is_copy, value, is_in_row });
        }
        receipts.put(self.page, self.row, &all)
    }
}
