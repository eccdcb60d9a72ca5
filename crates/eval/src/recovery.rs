//! How much of the tables behind a generated site came back: cells, rows, keys and links.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use unsite_learn::measures::fields::Columns;
use unsite_learn::measures::records::{PageRows, best_table};
use unsite_learn::measures::text_match::norm;
use unsite_wrapper::{PageRecord, Schema};

/// A table that a site was made from.
#[derive(Debug, Clone, Copy)]
pub struct KnownTable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its columns. The first one is the address of the page that shows the row.
    pub columns: &'a [String],
    /// Its rows, a value a column.
    pub rows: &'a [Vec<Option<String>>],
    /// Whether a page may show several of its rows.
    pub is_list: bool,
}

/// How much of one known table came back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recovered {
    /// Its name.
    pub name: String,
    /// Values of it.
    pub cells: usize,
    /// Values that stand in the column that serves theirs, on their page.
    pub found: usize,
    /// Values of those columns, on the pages of the table, that are not of it.
    pub extra: usize,
    /// For a list: rows whose values stand together in one row of a table, the row belonging to that of its page.
    pub rows: usize,
    /// Rows of a list that came back so.
    pub rows_found: usize,
    /// Links to other pages of the site.
    pub links: usize,
    /// Links that are a key to the table with the rows of those pages.
    pub links_found: usize,
    /// The columns that are not whole: name, found, extra, wanted.
    pub broken: Vec<(String, usize, usize, usize)>,
}

impl Recovered {
    /// Nothing is missing and nothing too much.
    pub fn is_exact(&self) -> bool {
        self.found == self.cells
            && self.extra == 0
            && self.rows_found == self.rows
            && self.links_found == self.links
    }
}

/// Compares what was extracted with what the site was made from.
///
/// # What it does
/// Every known column is served by the extracted column that holds most of its (page, value) pairs, as in the target
/// cluster measure. A list's row is found when one extracted row that belongs to its page's row holds all its values. A
/// link is found when it stands in a column that refers to the table of the page it leads to. A column that says the same
/// on all of several pages cannot be told from the template and need not come back.
/// # Assumes
/// Values as the pages show them; addresses as keys.
/// # When it fails
/// Two known columns with the same values on the same pages are served by one column.
/// # Paper
/// Ours; the measure of cells is Gazen's (2008).
pub fn recovered(known: &[KnownTable<'_>], schema: &Schema, pages: &[PageRecord]) -> Vec<Recovered> {
    let found = Found::new(schema, pages);
    known.iter().map(|table| found.compare(table)).collect()
}

/// Everything that was extracted, by page address.
struct Found<'a> {
    schema: &'a Schema,
    columns: Columns<(usize, usize), &'a str, String>,
    values: FxHashMap<(usize, usize), BTreeSet<(&'a str, String)>>,
    rows: Vec<(usize, PageRows<&'a str>)>,
    type_of: FxHashMap<String, usize>,
}

impl<'a> Found<'a> {
    fn new(schema: &'a Schema, pages: &'a [PageRecord]) -> Self {
        let mut cells: Vec<((usize, usize), &str, String)> = Vec::new();
        let mut rows: BTreeMap<usize, PageRows<&str>> = BTreeMap::new();
        let mut type_of = FxHashMap::default();
        for page in pages {
            let url = page.url.as_str();
            type_of.extend(page.page_type.map(|at| (norm(url), at)));
            for row in &page.rows {
                let values: Vec<String> = row.cells.iter().map(|cell| norm(&cell.value)).collect();
                cells.extend(
                    row.cells
                        .iter()
                        .zip(&values)
                        .map(|(cell, value)| ((row.table, cell.column), url, value.clone())),
                );
                let belongs = row.parent.is_none_or(|parent| parent < page.rows.len());
                if belongs {
                    rows.entry(row.table).or_default().entry(url).or_default().push(values);
                }
            }
        }
        let mut values: FxHashMap<(usize, usize), BTreeSet<(&str, String)>> = FxHashMap::default();
        for (column, url, value) in &cells {
            values.entry(*column).or_default().insert((*url, value.clone()));
        }
        Found { schema, columns: Columns::new(cells), values, rows: rows.into_iter().collect(), type_of }
    }

    fn compare(&self, table: &KnownTable<'a>) -> Recovered {
        let mut result = Recovered { name: table.name.to_owned(), ..Recovered::default() };
        let page_of = |row: &'a Vec<Option<String>>| row.first().and_then(Option::as_deref);
        for (at, name) in table.columns.iter().enumerate().skip(1) {
            let wanted: BTreeSet<(&str, String)> = table
                .rows
                .iter()
                .filter_map(|row| Some((page_of(row)?, norm(row.get(at)?.as_deref()?))))
                .collect();
            if wanted.is_empty() {
                continue;
            }
            let column = self.columns.target_cluster(&wanted).column;
            let pages: BTreeSet<&str> = wanted.iter().map(|cell| cell.0).collect();
            let none = BTreeSet::new();
            let served = column.and_then(|column| self.values.get(&column)).unwrap_or(&none);
            let found = wanted.intersection(served).count();
            // What every page says alike is template, and template is dropped.
            let mut said = wanted.iter().map(|cell| &cell.1);
            let first = said.next();
            if found == 0 && wanted.len() > 1 && said.all(|value| Some(value) == first) {
                continue;
            }
            let extra = served.iter().filter(|cell| pages.contains(cell.0)).count() - found;
            result.cells += wanted.len();
            result.found += found;
            result.extra += extra;
            if found < wanted.len() || extra > 0 {
                result.broken.push((name.clone(), found, extra, wanted.len()));
            }
            for (_, value) in wanted.iter().filter(|_| name.ends_with("_url")) {
                let Some(&target) = self.type_of.get(value) else { continue };
                result.links += 1;
                let refers =
                    column.and_then(|(table, column)| self.schema.tables[table].columns[column].references);
                result.links_found +=
                    usize::from(refers.is_some_and(|to| self.schema.tables[to].page_type == target));
            }
        }
        if table.is_list {
            let mut wanted: PageRows<&str> = PageRows::new();
            for row in table.rows {
                let values = row[1..].iter().flatten().map(|value| norm(value)).collect();
                wanted.entry(page_of(row).unwrap_or_default()).or_default().push(values);
            }
            result.rows = table.rows.len();
            let recall = best_table(&self.rows, &wanted).prf.recall;
            result.rows_found = (recall * result.rows as f64).round() as usize;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_wrapper::{Cell, ColumnInfo, Row, TableInfo};

    #[test]
    fn constants_need_not_come_back() {
        let columns = ["url".to_owned(), "blurb".to_owned()];
        let row = |url: &str, blurb: &str| vec![Some(url.to_owned()), Some(blurb.to_owned())];
        let compare = |rows: &[Vec<Option<String>>]| {
            let table = KnownTable { name: "categories", columns: &columns, rows, is_list: false };
            recovered(&[table], &Schema::default(), &[])[0].is_exact()
        };
        assert!(compare(&[row("a", "Read"), row("b", "Read")]));
        assert!(!compare(&[row("a", "Read"), row("b", "Write")]));
        assert!(!compare(&[row("a", "Read")]));
    }

    #[test]
    fn cells_rows_and_links_are_counted() {
        let column = |references| ColumnInfo { references, ..ColumnInfo::default() };
        let table = |parent, columns| TableInfo { parent, columns, ..TableInfo::default() };
        let schema = Schema {
            tables: vec![
                table(None, vec![column(None)]),
                table(Some(0), vec![column(None), column(Some(0))]),
            ],
            ..Schema::default()
        };
        let cell = |column, value: &str| Cell { column, value: value.into(), ..Cell::default() };
        let row = |table, parent, cells| Row { table, parent, cells, ..Row::default() };
        let page = |url: &str, title: &str, related: &str| PageRecord {
            url: url.into(),
            page_type: Some(0),
            rows: vec![
                row(0, None, vec![cell(0, title)]),
                row(1, Some(0), vec![cell(0, "good"), cell(1, related)]),
            ],
            ..PageRecord::default()
        };
        let pages = [page("u1", "One", "u2"), page("u2", "Two", "u1")];
        let strings = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let rows = |rows: &[&[&str]]| {
            rows.iter()
                .map(|row| row.iter().map(|value| Some((*value).to_owned())).collect())
                .collect::<Vec<Vec<_>>>()
        };
        let (book_columns, book_rows) = (strings(&["url", "title"]), rows(&[&["u1", "One"], &["u2", "2"]]));
        let (link_columns, link_rows) =
            (strings(&["url", "said", "to_url"]), rows(&[&["u1", "good", "u2"], &["u2", "good", "u1"]]));
        let known = [
            KnownTable { name: "book", columns: &book_columns, rows: &book_rows, is_list: false },
            KnownTable { name: "link", columns: &link_columns, rows: &link_rows, is_list: true },
        ];
        let result = recovered(&known, &schema, &pages);
        assert_eq!((result[0].cells, result[0].found, result[0].extra), (2, 1, 1));
        assert!(!result[0].is_exact() && result[1].is_exact(), "{result:?}");
        assert_eq!((result[1].rows, result[1].links, result[1].links_found), (2, 2, 2));
    }
}
