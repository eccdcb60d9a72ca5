//! What tables look like to programs that take them instead of files: names and types as every other output has them.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use unsite_wrapper::Storage;

use crate::date::days;
use crate::plan::{Field, Kind, Layout, Relation, discovered, has_main_text, main_text, own_of_files};

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

/// Takes the tables of a finished run, one after another.
pub trait TakeTables {
    /// A table begins; its rows follow unless this says no.
    fn table(&mut self, shape: &TableShape) -> bool;
    /// The next row of the table: as many values as it has columns.
    fn row(&mut self, values: &[Value<'_>]);
}

pub(crate) fn of_kind(kind: Kind, value: ValueRef<'_>) -> Value<'_> {
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
