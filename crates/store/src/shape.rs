//! What tables look like to programs that take rows instead of files: names and types as every other output has them.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use unsite_wrapper::{Cell, Schema, Storage};

use crate::StoreError;
use crate::date::days;
use crate::plan::{
    COLUMNS_OF_A_FILE, Column, Field, Kind, Layout, Relation, discovered, has_main_text, main_text,
    own_of_files,
};
use crate::sqlite::stored_text;

/// A table of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableShape {
    /// Its name.
    pub name: String,
    /// Its columns: `id`, `page_id`, the key of the parent, the discovered ones with what stands beside them.
    pub columns: Vec<ColumnShape>,
}

/// A column of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnShape {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub storage: Storage,
    /// For a key: the table and the column that it refers to.
    pub refers_to: Option<(String, &'static str)>,
    /// Whether it was discovered, and is no key.
    pub is_discovered: bool,
}

/// A value as a store with types holds it. One that is not of its column's type is null, as in Parquet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Nothing, or nothing of the type.
    Null,
    /// A whole number, or yes and no.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// A day, counted from 1970-01-01.
    Date(i32),
}

/// A value under the name of its column.
pub type NamedValue<'a> = (&'a str, Value<'a>);

/// Takes the tables of a finished run, one after another.
pub trait TakeTables {
    /// A table begins; its rows follow unless this says no.
    fn table(&mut self, shape: &TableShape) -> bool;
    /// The next row of the table: as many values as it has columns.
    fn row(&mut self, values: &[Value<'_>]);
}

/// The tables that a schema becomes, by its indexes.
#[derive(Debug)]
pub struct Tables {
    layout: Layout,
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

    /// The name of a table.
    pub fn name(&self, table: usize) -> Option<&str> {
        self.layout.tables.get(table).map(|table| table.name())
    }

    /// A value under the name of its column, and what is kept beside it under the name of that.
    pub fn values<'a>(
        &'a self,
        table: usize,
        cell: &'a Cell,
    ) -> Option<(NamedValue<'a>, Option<NamedValue<'a>>)> {
        let column: &Column = self.layout.tables.get(table)?.columns.get(cell.column)?;
        let value = typed(column.value_type.storage(), cell.typed(), &cell.value);
        let beside = match (&column.beside, cell.beside.as_deref()) {
            (Some((name, storage)), Some(text)) => Some((name.as_str(), typed(*storage, Some(text), text))),
            _ => None,
        };
        Some(((&column.name, value), beside))
    }

    /// The discovered tables, parents before their children.
    pub fn shapes(&self) -> Vec<TableShape> {
        discovered(&self.layout).iter().map(shape).collect()
    }
}

/// A text as a column of that type holds it.
fn typed<'a>(storage: Storage, typed: Option<&'a str>, raw: &'a str) -> Value<'a> {
    of_kind(storage.into(), stored_text(storage, typed, raw))
}

fn of_kind(kind: Kind, value: ValueRef<'_>) -> Value<'_> {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let fitting = match (kind, value) {
        (Kind::Integer, ValueRef::Integer(n)) => Some(Value::Integer(n)),
        (Kind::Real, ValueRef::Real(x)) => Some(Value::Real(x)),
        (Kind::Real, ValueRef::Integer(n)) => Some(Value::Real(n as f64)),
        (Kind::Date, ValueRef::Text(bytes)) => text(bytes).and_then(days).map(Value::Date),
        (Kind::Text, ValueRef::Text(bytes)) => text(bytes).map(Value::Text),
        _ => None,
    };
    fitting.unwrap_or(Value::Null)
}

fn shape(relation: &Relation) -> TableShape {
    let column = |field: &Field| ColumnShape {
        name: field.name.clone(),
        storage: match field.kind {
            Kind::Integer => Storage::Integer,
            Kind::Real => Storage::Real,
            Kind::Text => Storage::Text,
            Kind::Date => Storage::Date,
        },
        refers_to: field.reference.as_ref().map(|to| (to.table.clone(), to.column)),
        is_discovered: field.original.is_some(),
    };
    TableShape { name: relation.name.clone(), columns: relation.fields.iter().map(column).collect() }
}

/// Hands over the tables of a finished database: the discovered ones, then those that describe them.
pub(crate) fn hand_over(
    db: &Connection,
    layout: &Layout,
    taker: &mut dyn TakeTables,
) -> rusqlite::Result<()> {
    let mut relations = discovered(layout);
    relations.extend(own_of_files());
    relations.extend(has_main_text(db)?.then(main_text));
    for relation in &relations {
        if !taker.table(&shape(relation)) {
            continue;
        }
        let mut statement = db.prepare(&relation.select)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            taker.row(&row_of(relation, row)?);
        }
    }
    Ok(())
}

fn row_of<'a>(relation: &Relation, row: &'a Row<'_>) -> rusqlite::Result<Vec<Value<'a>>> {
    relation.fields.iter().enumerate().map(|(at, field)| Ok(of_kind(field.kind, row.get_ref(at)?))).collect()
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::{ColumnInfo, TableInfo, Typed, ValueType};

    use super::*;

    #[test]
    fn values_are_what_a_typed_file_holds() {
        let column =
            |name: &str, value_type| ColumnInfo { name: name.into(), value_type, ..Default::default() };
        let columns = vec![
            column("price", ValueType::Money),
            column("sold", ValueType::Date),
            column("n", ValueType::Integer),
        ];
        let table = TableInfo { name: "thing".into(), columns, ..Default::default() };
        let tables = Tables::of(&Schema { tables: vec![table], ..Default::default() }).unwrap();
        let price = Cell {
            value: "£3".into(),
            typed: Typed::As("3".into()),
            beside: Some("GBP".into()),
            ..Default::default()
        };
        let expected = (("price", Value::Real(3.0)), Some(("price_currency", Value::Text("GBP"))));
        assert_eq!(tables.values(0, &price), Some(expected));
        let sold = Cell { column: 1, value: "never".into(), ..Default::default() };
        assert_eq!(tables.values(0, &sold), Some((("sold", Value::Null), None)));
        let many = Cell { column: 2, value: "sold out".into(), ..Default::default() };
        assert_eq!(tables.values(0, &many), Some((("n", Value::Null), None)));
        let names: Vec<String> = tables.shapes().remove(0).columns.into_iter().map(|c| c.name).collect();
        assert_eq!(names, ["id", "page_id", "price", "price_currency", "sold", "n"]);
    }
}
