//! What was read off one page, by names.

use std::sync::Arc;

use unsite_dom::Problem;
use unsite_wrapper::{Cell, ColumnInfo, Designs, PageRecord, SavedWrapper, TableInfo, Wrapper};

/// What was read off one page.
#[derive(Debug, Clone)]
pub struct Record {
    used: Arc<SavedWrapper>,
    designs: Arc<Designs<'static>>,
    design: usize,
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
    /// Of a page as its design has it.
    pub(crate) fn new(
        used: Arc<SavedWrapper>,
        designs: Arc<Designs<'static>>,
        design: usize,
        page: PageRecord,
    ) -> Self {
        let page = designs.stored(design, page);
        Record { used, designs, design, page }
    }

    /// The address of the page.
    pub fn url(&self) -> &str {
        &self.page.url
    }

    /// The name of the page's type; `None` for a page that fits none.
    pub fn page_type(&self) -> Option<&str> {
        self.page.page_type.map(|at| self.designs.schema().page_types[at].name.as_str())
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
            let table = &self.designs.schema().tables[row.table];
            row.cells.iter().map(move |cell| found(table, at, cell))
        })
    }

    /// The design of the site that the page was read with, counted from the newest.
    pub fn design(&self) -> usize {
        self.design
    }

    /// How that design finds a column of the schema; `None` where it does not.
    pub fn found_by(&self, table: usize, column: usize) -> Option<ColumnInfo> {
        let info = self.designs.column(self.design, table, column)?;
        let epoch = self.design.checked_sub(1).and_then(|at| self.used.epochs.get(at));
        let wrapper = epoch.map_or(&self.used.wrapper, |epoch| &epoch.wrapper);
        // The tables behind the site keep what they were learned with; where things stand now is known to what templates read.
        let own =
            read_by(wrapper, (&self.designs.schema().tables[table].name, &info.name), self.page.page_type);
        Some(match own {
            Some(own) => ColumnInfo { selector: own.selector.clone(), routes: own.routes.clone(), ..info },
            None => info,
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

/// The column that templates read whose values stand in a column behind the site: the one that pages of the type have.
fn read_by<'w>(
    wrapper: &'w Wrapper,
    (table, column): (&str, &str),
    page_type: Option<usize>,
) -> Option<&'w ColumnInfo> {
    let database = wrapper.database.as_ref()?;
    // A table of an earlier design may be called so beside one of a newer design that belongs to something else.
    let named = |info: &TableInfo| table.strip_prefix(info.name.as_str()).is_some_and(is_earlier);
    let at = database.tables.iter().position(named)?;
    let place = database.tables[at].columns.iter().position(|info| info.name == column)?;
    let mut best: Option<((bool, bool), &ColumnInfo)> = None;
    let readings = database.readings.iter().zip(&wrapper.schema.tables);
    for (reading, read) in readings.filter(|(reading, _)| reading.to.table == at) {
        let is_elsewhere = !page_type.is_some_and(|page_type| read.is_on(page_type));
        for (to, info) in reading.to.places.iter().zip(&read.columns).filter(|(to, _)| to.column == place) {
            let rank = (is_elsewhere, to.is_copy);
            if best.is_none_or(|(known, _)| rank < known) {
                best = Some((rank, info));
            }
        }
    }
    best.map(|(_, info)| info)
}

/// What stands behind the name of a table of an earlier design.
fn is_earlier(rest: &str) -> bool {
    rest.replace("_earlier", "").is_empty()
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
