//! What was found, with normalised values, indexed by column and by row.

use super::key;
use crate::observed::Observed;
use rustc_hash::FxHashMap;
use unsite_learn::measures::text_match::norm;

/// A column: its table and its name.
pub(super) type ColumnName<'a> = (&'a str, &'a str);

/// A cell that has a value.
pub(super) struct Cell<'a> {
    pub(super) page: &'a str,
    pub(super) table: &'a str,
    pub(super) row: &'a str,
    pub(super) column: &'a str,
    /// As it was found.
    pub(super) raw: &'a str,
    /// As it is compared.
    pub(super) value: String,
}

pub(super) struct Prepared<'a> {
    /// In the order of the database.
    pub(super) cells: Vec<Cell<'a>>,
    /// Positions in `cells`.
    pub(super) by_column: FxHashMap<ColumnName<'a>, Vec<usize>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(observed: &'a Observed) -> Self {
        let mut cells: Vec<Cell> = Vec::with_capacity(observed.cells.len());
        let mut by_column: FxHashMap<ColumnName, Vec<usize>> = FxHashMap::default();
        for cell in &observed.cells {
            let Some(raw) = cell.value.as_deref() else { continue };
            by_column.entry((&cell.table, &cell.column)).or_default().push(cells.len());
            cells.push(Cell {
                page: key(&cell.reference),
                table: &cell.table,
                row: &cell.row,
                column: &cell.column,
                raw,
                value: norm(raw),
            });
        }
        Prepared { cells, by_column }
    }

    /// The cells of a column by page.
    pub(super) fn on_pages(&self, column: ColumnName) -> FxHashMap<&'a str, Vec<&Cell<'a>>> {
        let mut pages: FxHashMap<&str, Vec<&Cell>> = FxHashMap::default();
        for &position in self.by_column.get(&column).into_iter().flatten() {
            let cell = &self.cells[position];
            pages.entry(cell.page).or_default().push(cell);
        }
        pages
    }
}
