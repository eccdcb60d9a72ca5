//! What a method found on a site, whichever way it comes.

use crate::EvalError;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use unsite_wrapper::{PageRecord, Schema};

/// What a method found on a site: the content of the documented tables of its database.
///
/// The order of the cells is the order of the database; it settles ties between equally good columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    /// Every page that was read.
    pub pages: Vec<ObservedPage>,
    /// Every extracted cell.
    pub cells: Vec<ObservedCell>,
    /// Table and column of what holds addresses of pages and pictures.
    pub links: FxHashSet<(String, String)>,
    /// What pages call the values of a column, by table and column.
    pub labels: FxHashMap<(String, String), String>,
    /// The main text by page, if the method gives one.
    pub main_text: Option<BTreeMap<String, String>>,
    /// The kinds of each page's forms in document order (`s` for a search form), if the method tells.
    pub forms: Option<BTreeMap<String, Vec<String>>>,
    /// The answer region by page, for pages that have one, if the method tells.
    pub pagelets: Option<BTreeMap<String, ObservedPagelet>>,
}

/// The answer region of a page as the method sees it: texts with what stands in attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObservedPagelet {
    /// The whole of it.
    pub text: String,
    /// Each of its children.
    pub parts: Vec<String>,
    /// Each of its items.
    pub objects: Vec<String>,
}

/// A page as the method sees it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObservedPage {
    /// The page's name in its source.
    pub reference: String,
    /// The type it was put into.
    pub page_type: Option<String>,
    /// Higher is more surely an index page.
    pub index_score: Option<f64>,
    /// What it is for, as the method says.
    pub role: Option<String>,
}

/// One extracted cell.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedCell {
    /// The name of its page in its source.
    pub reference: Arc<str>,
    /// Its table.
    pub table: Arc<str>,
    /// Its row in that table.
    pub row: Arc<str>,
    /// Its column.
    pub column: Arc<str>,
    /// The text as it stands on the page.
    pub value: Option<Arc<str>>,
    /// It is told again there, or kept out of sight.
    pub is_copy: bool,
}

impl Observed {
    /// Reads `_pages`, `_cells` and, where it is there, `_main_text` of a database that `unsite run` wrote.
    pub fn from_database(path: &Path) -> Result<Self, EvalError> {
        read_database(path).map_err(|source| EvalError::Database { path: path.to_path_buf(), source })
    }

    /// The same without a database: the pages as extraction hands them to a store.
    pub fn from_records<'a>(schema: &Schema, pages: impl IntoIterator<Item = &'a PageRecord>) -> Self {
        let mut observed = Observed::default();
        let mut names = Names::default();
        let mut rows_of_table = vec![0u64; schema.tables.len()];
        for page in pages {
            let kind = page.page_type.and_then(|i| schema.page_types.get(i));
            observed.add_page(&page.reference, kind.map(|k| k.name.as_str()), Some(page.index_score));
            observed.set_role(&page.role);
            let reference = names.of(&page.reference);
            for row in &page.rows {
                let Some(table) = schema.tables.get(row.table) else { continue };
                rows_of_table[row.table] += 1;
                let id = names.of(&rows_of_table[row.table].to_string());
                for cell in &row.cells {
                    let Some(column) = table.columns.get(cell.column) else { continue };
                    observed.cells.push(ObservedCell {
                        reference: reference.clone(),
                        table: names.of(&table.name),
                        row: id.clone(),
                        column: names.of(&column.name),
                        value: Some(cell.value.as_str().into()),
                        is_copy: cell.is_copy || column.is_hidden || !table.is_shown(),
                    });
                }
            }
        }
        observed
    }

    /// Adds a page.
    pub fn add_page(&mut self, reference: &str, page_type: Option<&str>, index_score: Option<f64>) {
        let page_type = page_type.map(str::to_string);
        self.pages.push(ObservedPage {
            reference: reference.to_string(),
            page_type,
            index_score,
            role: None,
        });
    }

    /// Says what the page that was added last is for; an empty role says nothing.
    pub fn set_role(&mut self, role: &str) {
        if let Some(page) = self.pages.last_mut() {
            page.role = Some(role.to_owned()).filter(|role| !role.is_empty());
        }
    }

    /// Adds a cell with a value.
    pub fn add_cell(&mut self, reference: &str, table: &str, row: &str, column: &str, value: &str) {
        self.cells.push(ObservedCell {
            reference: reference.into(),
            table: table.into(),
            row: row.into(),
            column: column.into(),
            value: Some(value.into()),
            is_copy: false,
        });
    }

    /// Number of different columns over all tables.
    pub fn columns(&self) -> usize {
        self.cells.iter().map(|cell| (&cell.table, &cell.column)).collect::<FxHashSet<_>>().len()
    }
}

fn read_database(path: &Path) -> rusqlite::Result<Observed> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut observed = Observed::default();
    let mut pages = db.prepare("select ref, page_type, index_score, role from _pages")?;
    let mut rows = pages.query([])?;
    while let Some(row) = rows.next()? {
        let page_type = text(row, 1)?;
        observed.add_page(&text(row, 0)?.unwrap_or_default(), page_type.as_deref(), row.get(2)?);
        if let Some(role) = text(row, 3)? {
            observed.set_role(&role);
        }
    }
    let mut names = Names::default();
    // Databases of other programs have the two tables that are measured, and may have no more.
    if let Ok(mut links) =
        db.prepare("select table_name, column_name from _columns where type in ('url', 'image')")
    {
        let mut rows = links.query([])?;
        while let Some(row) = rows.next()? {
            observed.links.insert((row.get(0)?, row.get(1)?));
        }
    }
    let labels =
        "select table_name, column_name, label from _columns where label is not null and label <> ''";
    if let Ok(mut labels) = db.prepare(labels) {
        let mut rows = labels.query([])?;
        while let Some(row) = rows.next()? {
            observed.labels.insert((row.get(0)?, row.get(1)?), row.get(2)?);
        }
    }
    // Databases of other programs and of earlier versions tell everything once.
    let tells_copies = db.prepare("select copy from _cells limit 1").is_ok();
    let copy = if tells_copies { "copy" } else { "0" };
    let mut cells =
        db.prepare(&format!("select ref, table_name, row_id, column_name, value, {copy} from _cells"))?;
    let mut rows = cells.query([])?;
    while let Some(row) = rows.next()? {
        observed.cells.push(ObservedCell {
            reference: names.at(row, 0)?,
            table: names.at(row, 1)?,
            row: names.at(row, 2)?,
            column: names.at(row, 3)?,
            value: text(row, 4)?.map(Arc::from),
            is_copy: row.get::<_, Option<i64>>(5)?.unwrap_or(0) != 0,
        });
    }
    let has_main_text = db.query_row(
        "select count(*) from sqlite_master where name = '_main_text' and type in ('table', 'view')",
        [],
        |row| row.get::<_, i64>(0),
    )? > 0;
    if has_main_text {
        let mut texts = db.prepare("select ref, text from _main_text")?;
        let mut rows = texts.query([])?;
        let mut by_page = BTreeMap::new();
        while let Some(row) = rows.next()? {
            by_page.insert(text(row, 0)?.unwrap_or_default(), text(row, 1)?.unwrap_or_default());
        }
        observed.main_text = Some(by_page);
    }
    Ok(observed)
}

/// Any SQLite value as text; `None` for NULL.
fn text(row: &Row, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(format!("{number:?}")),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    })
}

/// One copy of each name: a site has millions of cells and few names.
#[derive(Default)]
struct Names(FxHashMap<String, Arc<str>>);

impl Names {
    fn of(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let shared: Arc<str> = name.into();
        self.0.insert(name.to_string(), shared.clone());
        shared
    }

    fn at(&mut self, row: &Row, column: usize) -> rusqlite::Result<Arc<str>> {
        match row.get_ref(column)? {
            ValueRef::Text(bytes) => Ok(self.of(&String::from_utf8_lossy(bytes))),
            _ => Ok(self.of(&text(row, column)?.unwrap_or_default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_wrapper::{Cell, ColumnInfo, PageTypeInfo, TableInfo};

    #[test]
    fn the_output_of_extraction_is_numbered_row_by_row() {
        let column = |name: &str| ColumnInfo { name: name.into(), ..ColumnInfo::default() };
        let schema = Schema {
            page_types: vec![PageTypeInfo { name: "book".into(), ..PageTypeInfo::default() }],
            tables: vec![TableInfo {
                name: "books".into(),
                columns: vec![column("title"), column("price")],
                ..TableInfo::default()
            }],
        };
        let cell = |column, value: &str| Cell { column, value: value.into(), ..Cell::default() };
        let row = |cells| unsite_wrapper::Row { cells, ..unsite_wrapper::Row::default() };
        let page = PageRecord {
            reference: "1.html".into(),
            page_type: Some(0),
            index_score: 0.5,
            // A cell beside the schema is not a reason to stop.
            rows: vec![
                row(vec![cell(0, "Emma"), cell(1, "9")]),
                row(vec![cell(0, "Persuasion"), cell(7, "?")]),
            ],
            ..PageRecord::default()
        };
        let mut want = Observed::default();
        want.add_page("1.html", Some("book"), Some(0.5));
        want.add_cell("1.html", "books", "1", "title", "Emma");
        want.add_cell("1.html", "books", "1", "price", "9");
        want.add_cell("1.html", "books", "2", "title", "Persuasion");
        assert_eq!(Observed::from_records(&schema, [&page]), want);
        assert_eq!(want.columns(), 2);
    }
}
