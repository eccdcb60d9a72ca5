//! What was read off one page, by names.

use std::sync::Arc;

use unsite_dom::Problem;
use unsite_wrapper::{Cell, PageRecord, Schema, TableInfo};

/// What was read off one page.
#[derive(Debug, Clone)]
pub struct Record {
    schema: Arc<Schema>,
    page: PageRecord,
}

/// One value with the names of where it belongs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundValue<'r> {
    /// The table.
    pub table: &'r str,
    /// The row's place among the rows of the page.
    pub row: usize,
    /// The column.
    pub column: &'r str,
    /// The text as it stands on the page.
    pub text: &'r str,
    /// The value as the type of its column has it, where it is of that type.
    pub typed: Option<&'r str>,
    /// The node that it comes from.
    pub path: &'r str,
}

impl Record {
    pub(crate) fn new(schema: Arc<Schema>, page: PageRecord) -> Self {
        Record { schema, page }
    }

    /// The address of the page.
    pub fn url(&self) -> &str {
        &self.page.url
    }

    /// The name of the page's type; `None` for a page that fits none.
    pub fn page_type(&self) -> Option<&str> {
        self.page.page_type.map(|at| self.schema.page_types[at].name.as_str())
    }

    /// The first value of a column in the first row that has one, typed where that applies: `9.99` for `£9.99`.
    pub fn get(&self, table: &str, column: &str) -> Option<&str> {
        let found = self.values().find(|value| value.table == table && value.column == column)?;
        found.typed.or(Some(found.text))
    }

    /// All values of a column, in page order.
    pub fn all<'r>(&'r self, table: &'r str, column: &'r str) -> impl Iterator<Item = FoundValue<'r>> {
        self.values().filter(move |value| value.table == table && value.column == column)
    }

    /// Everything that stands on the page.
    pub fn values(&self) -> impl Iterator<Item = FoundValue<'_>> {
        let rows = self.page.rows.iter().enumerate();
        rows.flat_map(|(at, row)| {
            let table = &self.schema.tables[row.table];
            row.cells.iter().map(move |cell| found(table, at, cell))
        })
    }

    /// What went wrong while it was read.
    pub fn problems(&self) -> &[Problem] {
        &self.page.problems
    }

    /// The rows as stores take them.
    pub fn rows(&self) -> &PageRecord {
        &self.page
    }

    /// The same, given away.
    pub fn into_rows(self) -> PageRecord {
        self.page
    }
}

fn found<'r>(table: &'r TableInfo, row: usize, cell: &'r Cell) -> FoundValue<'r> {
    FoundValue {
        table: &table.name,
        row,
        column: &table.columns[cell.column].name,
        text: &cell.value,
        typed: cell.typed(),
        path: &cell.path,
    }
}
