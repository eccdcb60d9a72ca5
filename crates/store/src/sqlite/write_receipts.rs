//! The receipts of the staged pages, once their rows are written.

use rusqlite::{Connection, Result, params};
use rustc_hash::FxHashMap;
use unsite_wrapper::Storage;

use super::codec::{StagedCell, StagedPage, StagedPath, StagedRow, decode, put_number, take_number};
use super::paths::Paths;
use super::receipts::{Receipts, Rows, Told, may_stand_in_row};
use crate::identity::Found;
use crate::plan::{Column, Layout};

/// Remembers which rows the rows of a staged page are.
pub(super) fn note_rows(db: &Connection, page: i64, found: &[Found]) -> Result<()> {
    let mut ids = Vec::with_capacity(4 * found.len());
    for row in found {
        put_number(&mut ids, (row.id as usize) << 1 | usize::from(row.is_final));
    }
    db.prepare_cached("INSERT INTO stage.row_ids VALUES (?, ?)")?.execute(params![page, ids]).map(|_| ())
}

/// Writes what every page tells, in the order of the pages. Gives the number of values.
pub(super) fn write_receipts(db: &Connection, layout: &Layout) -> Result<u64> {
    let mut order = db.prepare(
        "SELECT seq, id FROM stage.pages JOIN stage.page_ids USING (seq)
         WHERE seq NOT IN (SELECT seq FROM stage.past) ORDER BY url, ref, fingerprint, tie",
    )?;
    let mut body =
        db.prepare("SELECT body, ids FROM stage.pages JOIN stage.row_ids USING (seq) WHERE seq = ?")?;
    let rows = if layout.is_kept { Some(Rows::new(db, "main")?) } else { None };
    let numbered = db
        .prepare("SELECT path FROM stage.paths ORDER BY number")?
        .query_map([], |row| Ok((row.get(0)?, None)))?
        .collect::<Result<_>>()?;
    let (paths, receipts) = (Paths::new(db)?, Receipts::new(db, "main")?);
    let mut writer = Writer { layout, numbered, paths, receipts, rows, cells: 0 };
    let mut pages = order.query([])?;
    while let Some(page) = pages.next()? {
        let mut bodies = body.query([page.get::<_, i64>(0)?])?;
        let body = bodies.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let staged = decode(body.get_ref(0)?.as_blob()?).ok_or(rusqlite::Error::InvalidQuery)?;
        let mut ids = body.get_ref(1)?.as_blob()?;
        let found: Option<Vec<(i64, bool)>> = (0..staged.rows.len())
            .map(|_| take_number(&mut ids).map(|id| ((id >> 1) as i64, id & 1 == 1)))
            .collect();
        writer.page(page.get(1)?, &staged, &found.ok_or(rusqlite::Error::InvalidQuery)?)?;
    }
    Ok(writer.cells)
}

struct Writer<'a> {
    layout: &'a Layout,
    /// The paths by the numbers of the stage, with those that they have in the output.
    numbered: Vec<(String, Option<i64>)>,
    paths: Paths<'a>,
    receipts: Receipts<'a>,
    /// What rows hold need not stand in receipts again, where both are kept.
    rows: Option<Rows<'a>>,
    cells: u64,
}

impl Writer<'_> {
    fn page(&mut self, page_id: i64, page: &StagedPage<'_>, found: &[(i64, bool)]) -> Result<()> {
        // By the row that they are told of, in the order in which rows are told of first.
        let mut places: FxHashMap<(usize, Option<i64>), usize> = FxHashMap::default();
        let mut told: Vec<(Option<i64>, Vec<Told<'_>>)> = Vec::new();
        for (row, &(id, is_final)) in page.rows.iter().zip(found) {
            let table = &self.layout.tables[row.table];
            let texts = self.texts_in_row(row);
            for cell in &row.cells {
                self.cells += 1;
                let column = &table.columns[cell.column];
                let is_of_parent = self.layout.is_told_of_parent(row.table, column);
                let of = if is_of_parent { row.parent.map(|parent| found[parent].0) } else { Some(id) };
                let is_in_row = match &mut self.rows {
                    Some(rows) if !is_of_parent && is_text_of_row(table.is_shown, column) => match is_final {
                        true => texts[cell.column] == Some(cell.value),
                        false => rows.hold(column.id, of, cell.value)?,
                    },
                    _ => false,
                };
                let value = Told {
                    column: column.id,
                    path: self.path(cell.path)?,
                    is_copy: cell.is_copy || column.is_hidden || table.is_hidden,
                    value: cell.value,
                    is_in_row,
                };
                let of_table = if is_of_parent { table.parent.as_ref().map(|(at, _)| *at) } else { None };
                let place = places.entry((of_table.unwrap_or(row.table), of)).or_insert_with(|| {
                    told.push((of, Vec::new()));
                    told.len() - 1
                });
                told[*place].1.push(value);
            }
        }
        for (row, values) in &told {
            self.receipts.put(page_id, *row, values)?;
        }
        Ok(())
    }

    fn path(&mut self, path: StagedPath<'_>) -> Result<i64> {
        match path {
            StagedPath::Text(path) => self.paths.id(path),
            StagedPath::Number(number) => {
                let (path, id) = self.numbered.get_mut(number).ok_or(rusqlite::Error::InvalidQuery)?;
                match *id {
                    Some(id) => Ok(id),
                    None => Ok(*id.insert(self.paths.id(path)?)),
                }
            }
        }
    }

    /// What the row holds as texts, by column, when it was written as it stands here.
    fn texts_in_row<'v>(&self, row: &StagedRow<'v>) -> Vec<Option<&'v str>> {
        let table = &self.layout.tables[row.table];
        if self.rows.is_none() || !table.is_shown {
            return Vec::new();
        }
        let mut texts = vec![None; table.columns.len()];
        let told = |cell: &&StagedCell<'v>| !cell.is_copy;
        for cell in row.cells.iter().filter(told).chain(row.cells.iter().filter(|cell| cell.is_copy)) {
            texts[cell.column].get_or_insert(cell.typed.unwrap_or(cell.value));
        }
        if let Some(key) = table.key {
            texts[key] = row.key;
        }
        texts
    }
}

/// Whether the table of the column holds its texts as they stand.
fn is_text_of_row(table_is_shown: bool, column: &Column) -> bool {
    table_is_shown
        && column.is_shown
        && may_stand_in_row(column.id)
        && matches!(column.value_type.storage(), Storage::Text | Storage::Date)
}
