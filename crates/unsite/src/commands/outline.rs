//! The tables of a database that was written before, as a run would tell of them.

use anyhow::{Context, Result};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use unsite_store::TableSummary;
use unsite_wrapper::{ColumnInfo, Schema, TableInfo, TableKind, ValueType};

/// Rows that show what a table holds.
const SAMPLE_ROWS: usize = 3;

/// Reads what the database says of its tables.
pub(crate) fn outline(db: &Connection) -> Result<(Vec<TableSummary>, Schema)> {
    let mut stored = Schema::default();
    let mut query = db
        .prepare(
            "SELECT t.name, t.parent, t.kind, t.why FROM _tables t
             JOIN sqlite_master m ON m.name = t.name AND m.type = 'table' ORDER BY t.rowid",
        )
        .context("expected the tables of a database that `unsite run` wrote")?;
    let mut rows = query.query([])?;
    let mut parents: Vec<Option<String>> = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: Option<String> = row.get(2)?;
        parents.push(row.get(1)?);
        stored.tables.push(TableInfo {
            name: row.get(0)?,
            kind: kind_named(kind.as_deref().unwrap_or_default()),
            why: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
            ..TableInfo::default()
        });
    }
    let names: Vec<String> = stored.tables.iter().map(|table| table.name.clone()).collect();
    let number = |name: &str| names.iter().position(|other| other == name);
    let mut summaries = Vec::new();
    for (at, table) in stored.tables.iter_mut().enumerate() {
        table.parent = parents[at].as_deref().and_then(number).filter(|&parent| parent < at);
        table.columns = columns(db, &table.name, &number)?;
        summaries.push(summary(db, at, table)?);
    }
    Ok((summaries, stored))
}

fn kind_named(name: &str) -> TableKind {
    let kinds = [TableKind::Entity, TableKind::Relation, TableKind::View, TableKind::Template];
    kinds.into_iter().find(|kind| kind.name() == name).unwrap_or_default()
}

/// The columns that were read, with the tables that the keys beside them lead to.
fn columns(db: &Connection, table: &str, number: &dyn Fn(&str) -> Option<usize>) -> Result<Vec<ColumnInfo>> {
    let sql = "SELECT i.name, c.type, c.label, c.coverage, c.note, k.\"table\", i.type FROM pragma_table_info(?1) i
               LEFT JOIN _columns c ON c.table_name = ?1 AND c.column_name = i.name
               LEFT JOIN pragma_foreign_key_list(?1) k ON k.\"from\" = i.name AND k.on_delete = 'SET NULL' ORDER BY i.cid";
    let mut query = db.prepare(sql)?;
    let mut rows = query.query([table])?;
    let mut columns: Vec<ColumnInfo> = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, value_type): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        if let Some(value_type) = value_type {
            let value_type = ValueType::ALL.into_iter().find(|one| one.name() == value_type);
            columns.push(ColumnInfo {
                name,
                value_type: value_type.unwrap_or_default(),
                label: row.get(2)?,
                coverage: row.get::<_, Option<f64>>(3)?.unwrap_or_default(),
                note: row.get::<_, Option<String>>(4)?.unwrap_or_default(),
                ..ColumnInfo::default()
            });
        } else if is_fact(&name, row.get(6)?, &columns) {
            // The values of a fact are described with the row that it is a fact of.
            columns.push(ColumnInfo { name, coverage: 1.0, ..ColumnInfo::default() });
        } else if let (Some(link), Some(target)) = (columns.last_mut(), row.get::<_, Option<String>>(5)?) {
            // The key stands behind its link.
            link.references = number(&target);
        }
    }
    Ok(columns)
}

/// Whether a text that nobody described is none that is kept beside another.
fn is_fact(name: &str, stored: String, before: &[ColumnInfo]) -> bool {
    let is_beside = |column: &ColumnInfo| {
        column
            .value_type
            .beside()
            .is_some_and(|(word, _)| name.starts_with(&format!("{}_{word}", column.name)))
    };
    stored == "TEXT" && !before.iter().any(is_beside)
}

fn summary(db: &Connection, at: usize, table: &TableInfo) -> Result<TableSummary> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let rows: i64 =
        db.query_row(&format!("SELECT count(*) FROM {}", quoted(&table.name)), [], |row| row.get(0))?;
    let names = columns.iter().map(|name| format!(", {}", quoted(name))).collect::<String>();
    let sql = format!("SELECT id{names} FROM {} ORDER BY id LIMIT {SAMPLE_ROWS}", quoted(&table.name));
    let mut query = db.prepare(&sql)?;
    let read = |row: &Row<'_>| {
        let values =
            (1..=columns.len()).map(|at| Ok(text(row.get_ref(at)?))).collect::<rusqlite::Result<_>>()?;
        Ok((row.get::<_, i64>(0)?, values))
    };
    let (sample_ids, samples) =
        query.query_map([], read)?.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().unzip();
    Ok(TableSummary {
        at,
        name: table.name.clone(),
        rows: rows as u64,
        places: (0..columns.len()).collect(),
        columns,
        samples,
        sample_ids,
    })
}

fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(text) | ValueRef::Blob(text) => Some(String::from_utf8_lossy(text).into_owned()),
    }
}
