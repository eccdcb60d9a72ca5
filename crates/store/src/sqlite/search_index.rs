//! Full-text indexes over what things say, one for each table, found by the names `_search_<table>`.
//!
//! # What it does
//! The index holds no text of its own: it points to the table. Words of scripts without spaces are told apart before they
//! are put in, and whoever asks does the same with the question.
//! # When it fails
//! Rows that others change are found by what they said before, until the next run.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, params_from_iter};
use unsite_wrapper::ValueType;

use crate::plan::{Layout, Table, quoted};
use crate::spaces::spaced;

/// What stands before the name of the table.
pub(crate) const SEARCH: &str = "_search_";

/// Columns of one index: what people search in stands in the first of them.
const MOST_COLUMNS: usize = 60;

/// Bytes of words that are gathered before they are written: what is written in many parts has to be put together again.
const GATHERED: u32 = 64 << 20;

/// The same as SQLite has it, for those who write to the index later.
const GATHERED_OTHERWISE: u32 = 1 << 20;

/// Makes the indexes, or makes them anew.
pub(crate) fn index_texts(db: &Connection, database: &str, layout: &Layout) -> Result<()> {
    for table in layout.shown().filter(|table| table.is_of_things()) {
        index(db, database, table)?;
    }
    Ok(())
}

fn index(db: &Connection, database: &str, table: &Table) -> Result<()> {
    let (name, search) = (quoted(table.name()), quoted(&format!("{SEARCH}{}", table.name())));
    db.execute_batch(&format!("DROP TABLE IF EXISTS {database}.{search}"))?;
    // These two are the index's own.
    let is_taken = |name: &str| ["rank", "rowid"].iter().any(|own| name.eq_ignore_ascii_case(own));
    let columns: Vec<String> = table
        .columns_of(&table.parts[0])
        .filter(|(_, column)| {
            column.value_type == ValueType::Text && !column.is_hidden && !is_taken(&column.name)
        })
        .map(|(_, column)| quoted(&column.name))
        .take(MOST_COLUMNS)
        .collect();
    if columns.is_empty() {
        return Ok(());
    }
    let columns = columns.join(", ");
    db.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {database}.{search} USING fts5({columns}, content={name}, content_rowid=\"id\",
             tokenize=\"unicode61 remove_diacritics 2\")"
    ))?;
    let gather = |bytes: u32| {
        let sql = format!("INSERT INTO {database}.{search}({search}, rank) VALUES ('hashsize', ?)");
        db.execute(&sql, [bytes])
    };
    gather(GATHERED)?;
    let mut rows = db.prepare(&format!("SELECT id, {columns} FROM {database}.{name} ORDER BY id"))?;
    let width = rows.column_count();
    let marks = vec!["?"; width].join(", ");
    let mut insert =
        db.prepare(&format!("INSERT INTO {database}.{search}(rowid, {columns}) VALUES ({marks})"))?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        insert.raw_bind_parameter(1, row.get::<_, i64>(0)?)?;
        for at in 1..width {
            match row.get_ref(at)? {
                ValueRef::Text(text) => {
                    let text = String::from_utf8_lossy(text);
                    insert.raw_bind_parameter(at + 1, spaced(&text).as_ref())?;
                }
                _ => insert.raw_bind_parameter(at + 1, rusqlite::types::Null)?,
            }
        }
        insert.raw_execute()?;
    }
    // One tree is smaller and quicker than several.
    db.execute(
        &format!("INSERT INTO {database}.{search}({search}) VALUES ('optimize')"),
        params_from_iter([""; 0]),
    )?;
    gather(GATHERED_OTHERWISE).map(|_| ())
}
