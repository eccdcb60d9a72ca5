//! Rows of single pages for programs that take them as they come: what a table would hold of each, and which of them are the
//! same row, told by numbers that nobody has to count.

use unsite_wrapper::{Cell, Row, Schema, Storage};
use xxhash_rust::xxh3::xxh3_64;

use crate::StoreError;
use crate::identity::{key_of, told_of};
use crate::plan::{COLUMNS_OF_A_FILE, Layout, Table};
use crate::shape::{Value, of_kind};
use crate::sqlite::stored_text;

/// A value under the name of its column.
pub type NamedValue<'a> = (&'a str, Value<'a>);

/// The tables that a schema becomes, by its indexes.
#[derive(Debug)]
pub struct Tables {
    layout: Layout,
}

/// A table whose rows come page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedTable {
    /// Its name.
    pub name: String,
    /// The name of the key that leads to the rows that its own belong to, and their table.
    pub parent: Option<(String, String)>,
    /// The columns that [`Tables::values`] has values of.
    pub columns: Vec<StreamedColumn>,
    /// Several pages may tell of one row: rows with the same number are put together.
    pub is_gathered: bool,
}

/// A column of such a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub storage: Storage,
    /// What is kept beside its values, under which name.
    pub beside: Option<(String, Storage)>,
}

impl Tables {
    /// Names and types as in files.
    pub fn of(schema: &Schema) -> Result<Tables, StoreError> {
        Ok(Tables { layout: Layout::new(schema, COLUMNS_OF_A_FILE, false)? })
    }

    /// The name of a page type.
    pub fn page_type(&self, page_type: usize) -> Option<&str> {
        self.layout.page_types.get(page_type).map(String::as_str)
    }

    /// The name of a table that is in sight.
    pub fn name(&self, table: usize) -> Option<&str> {
        self.shown(table).map(Table::name)
    }

    /// The name of a column that is in sight.
    pub fn column(&self, table: usize, column: usize) -> Option<&str> {
        let column = self.shown(table)?.columns.get(column)?;
        column.is_shown.then_some(column.name.as_str())
    }

    /// What its table would hold of a row, column by column: of several values the first that is no copy. A value that is not
    /// of its column's type is null.
    pub fn values<'a>(&'a self, row: &'a Row) -> Vec<NamedValue<'a>> {
        let Some(table) = self.shown(row.table) else { return Vec::new() };
        let mut first: Vec<Option<&Cell>> = vec![None; table.columns.len()];
        let copies = |is_copy| row.cells.iter().filter(move |cell| cell.is_copy == is_copy);
        for cell in copies(false).chain(copies(true)) {
            if let Some(place @ None) = first.get_mut(cell.column) {
                *place = Some(cell);
            }
        }
        let key = key_of(&self.layout, row);
        let mut values = Vec::new();
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.is_shown) {
            if table.key == Some(at) {
                values.extend(key.map(|key| (column.name.as_str(), Value::Text(key))));
                continue;
            }
            let Some(cell) = first[at] else { continue };
            values.push((&column.name, typed(column.value_type.storage(), cell.typed(), &cell.value)));
            if let (Some((name, storage)), Some(text)) = (&column.beside, cell.beside.as_deref()) {
                values.push((name, typed(*storage, Some(text), text)));
            }
        }
        values
    }

    /// A number for each row of a page: rows of a table with the same number are one row, on whatever page they stand.
    ///
    /// # What it does
    /// The number is a hash of what a row is known by: its address; where it relates things, what it says of its parent; else
    /// its page and its place on it.
    /// # Assumes
    /// Of the rows of one table no two hashes of 64 bits are equal by chance: one table of a thousand million rows in thirty has
    /// such a pair.
    pub fn ids(&self, page: i64, rows: &[Row]) -> Vec<i64> {
        let mut ids: Vec<i64> = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            let parent = row.parent.and_then(|parent| ids.get(parent).copied());
            let known_by = match self.layout.tables.get(row.table) {
                Some(table) if table.is_paired => told_of(parent, row, table).to_string(),
                _ => match key_of(&self.layout, row) {
                    Some(key) => format!("\n{key}"),
                    None => format!("{page}\n{at}"),
                },
            };
            ids.push(xxh3_64(known_by.as_bytes()).cast_signed());
        }
        ids
    }

    /// The tables that are in sight, parents before their children.
    pub fn streamed(&self) -> Vec<StreamedTable> {
        self.layout.shown().map(|table| self.table(table)).collect()
    }

    fn table(&self, table: &Table) -> StreamedTable {
        let parent = |(at, key): &(usize, String)| (key.clone(), self.layout.tables[*at].name().to_owned());
        let columns = table.shown_columns().map(|column| StreamedColumn {
            name: column.name.clone(),
            storage: column.value_type.storage(),
            beside: column.beside.clone(),
        });
        StreamedTable {
            name: table.name().to_owned(),
            parent: table.parent.as_ref().map(parent),
            columns: columns.collect(),
            is_gathered: table.key.is_some() || table.is_paired,
        }
    }

    fn shown(&self, table: usize) -> Option<&Table> {
        self.layout.tables.get(table).filter(|table| table.is_shown)
    }
}

/// A text as a column of that type holds it.
fn typed<'a>(storage: Storage, typed: Option<&'a str>, raw: &'a str) -> Value<'a> {
    of_kind(storage.into(), stored_text(storage, typed, raw))
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::{ColumnInfo, TableInfo, TableKind, Typed, ValueType};

    use super::*;

    fn column(name: &str, value_type: ValueType) -> ColumnInfo {
        ColumnInfo { name: name.into(), value_type, ..Default::default() }
    }

    fn tables(tables: Vec<TableInfo>) -> Tables {
        Tables::of(&Schema { tables, ..Default::default() }).unwrap()
    }

    #[test]
    fn values_are_what_a_typed_file_holds() {
        let columns = vec![
            column("price", ValueType::Money),
            column("sold", ValueType::Date),
            column("n", ValueType::Integer),
            ColumnInfo { is_hidden: true, ..column("template", ValueType::Text) },
        ];
        let tables = tables(vec![TableInfo { name: "thing".into(), columns, ..Default::default() }]);
        let price = |value: &str, is_copy| Cell {
            value: format!("£{value}"),
            typed: Typed::As(value.into()),
            beside: Some("GBP".into()),
            is_copy,
            ..Default::default()
        };
        let text = |column, value: &str| Cell {
            column,
            value: value.into(),
            typed: Typed::Not,
            ..Default::default()
        };
        let row = |cells| Row { cells, ..Row::default() };
        assert_eq!(
            tables.values(&row(vec![price("4", true), price("3", false), price("5", false)])),
            [("price", Value::Real(3.0)), ("price_currency", Value::Text("GBP"))]
        );
        assert_eq!(tables.values(&row(vec![text(1, "never")])), [("sold", Value::Null)]);
        assert_eq!(tables.values(&row(vec![text(2, "sold out"), text(3, "x")])), [("n", Value::Null)]);
        assert_eq!((tables.column(0, 2), tables.column(0, 3)), (Some("n"), None));
        let beside = tables.streamed().remove(0).columns.remove(0).beside;
        assert_eq!(beside, Some(("price_currency".to_owned(), Storage::Text)));
    }

    #[test]
    fn rows_that_are_one_have_one_number() {
        let of = |name: &str, parent, columns| TableInfo {
            name: name.into(),
            parent,
            columns,
            ..Default::default()
        };
        let book = TableInfo { key: Some(0), ..of("book", None, vec![column("url", ValueType::Url)]) };
        let tag = TableInfo { is_fact: true, ..of("tag", Some(0), vec![column("tag", ValueType::Text)]) };
        let note = of("note", Some(0), vec![column("text", ValueType::Text)]);
        let hidden = TableInfo { kind: TableKind::View, ..of("card", None, Vec::new()) };
        let tables = tables(vec![book, tag, note, hidden]);
        assert_eq!((tables.name(0), tables.name(3)), (Some("book"), None));
        let gathered: Vec<bool> = tables.streamed().iter().map(|table| table.is_gathered).collect();
        assert_eq!(gathered, [true, true, false]);
        let text = |value: &str| vec![Cell { value: value.into(), ..Default::default() }];
        let below = |table, value: &str| Row { table, parent: Some(0), cells: text(value), ..Row::default() };
        let thing = |key: &str| Row { key: Some(key.into()), ..Row::default() };
        let one = [
            thing("http://a/1"),
            below(1, "red"),
            below(1, "red"),
            below(1, "blue"),
            below(2, "x"),
            below(2, "x"),
        ];
        let ids = tables.ids(7, &one);
        assert_eq!(ids[1], ids[2]);
        assert!(ids[1] != ids[3] && ids[4] != ids[5]);
        let again = tables.ids(8, &[thing("http://a/1"), below(1, "blue"), below(2, "x")]);
        assert_eq!((again[0], again[1]), (ids[0], ids[3]));
        assert!(again[2] != ids[4]);
        assert!(tables.ids(7, &[thing("http://a/2"), below(1, "red")])[1] != ids[1]);
    }
}
