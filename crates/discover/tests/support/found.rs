//! Pages of one type in, readable rows out.

use unsite_wrapper::Wrapper;

use crate::support::learn_one_type;

/// What a site gave: for each page, for each row, its table and its `column=value` cells.
pub(crate) struct Found {
    pub(crate) wrapper: Wrapper,
    pub(crate) pages: Vec<Vec<(String, Vec<String>)>>,
}

/// Learns all pages as one type and reads them.
pub(crate) fn read(pages: &[String]) -> Found {
    let (wrapper, records) = learn_one_type("item", pages);
    let cells = |row: &unsite_wrapper::Row| {
        let table = &wrapper.schema.tables[row.table];
        let cell =
            |cell: &unsite_wrapper::Cell| format!("{}={}", table.columns[cell.column].name, cell.value);
        (table.name.clone(), row.cells.iter().map(cell).collect())
    };
    let pages = records.iter().map(|record| record.rows.iter().map(cells).collect()).collect();
    Found { wrapper, pages }
}
