//! The tables, views and indexes of the finished database.

use rusqlite::{Connection, Result, params};
use unsite_wrapper::{Schema, Storage};

use super::codec::without_nul;
use crate::Meta;
use crate::plan::{Layout, Part, Table, quoted};

/// The version of what other programs may rely on: the tables that begin with an underscore. Kept in `_meta`.
const FORMAT: &str = "1";

/// `_cells` is a view: each value is stored once with small numbers for the page, the column and the path.
const OWN_TABLES: &str = "
    CREATE TABLE _meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE _page_types(
        name TEXT PRIMARY KEY, pages INTEGER, role TEXT, url_pattern TEXT, confidence REAL);
    CREATE TABLE _pages(
        id INTEGER PRIMARY KEY, url TEXT, ref TEXT, page_type TEXT REFERENCES _page_types(name), role TEXT,
        index_score REAL, problems INTEGER);
    CREATE TABLE _columns(
        id INTEGER PRIMARY KEY, table_name TEXT, column_name TEXT, type TEXT, selector TEXT, label TEXT,
        confidence REAL, coverage REAL, UNIQUE (table_name, column_name));
    CREATE TABLE _paths(id INTEGER PRIMARY KEY, path TEXT UNIQUE);
    CREATE TABLE _values(
        id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), column_id INTEGER REFERENCES _columns(id),
        row_id INTEGER, path_id INTEGER REFERENCES _paths(id), value TEXT);
    CREATE VIEW _cells AS
        SELECT p.ref AS ref, p.url AS url, c.table_name AS table_name, v.row_id AS row_id,
               c.column_name AS column_name, v.value AS value, t.path AS path
        FROM _values v JOIN _columns c ON c.id = v.column_id JOIN _pages p ON p.id = v.page_id
             LEFT JOIN _paths t ON t.id = v.path_id;
    CREATE TABLE _problems(kind TEXT, ref TEXT, url TEXT, offset INTEGER, message TEXT);";

/// Makes every table and fills those that are known before the first page.
pub(crate) fn create_tables(db: &Connection, schema: &Schema, layout: &Layout, meta: &Meta) -> Result<()> {
    db.execute_batch(OWN_TABLES)?;
    for (table, part) in layout.parts() {
        db.execute_batch(&table_sql(layout, table, part))?;
    }
    let mut insert = db.prepare("INSERT OR REPLACE INTO _meta VALUES (?, ?)")?;
    insert.execute(["format", FORMAT])?;
    for (key, value) in meta.entries() {
        insert.execute(params![without_nul(key), without_nul(value)])?;
    }
    let mut insert = db.prepare("INSERT INTO _page_types VALUES (?, 0, ?, ?, ?)")?;
    for (info, name) in schema.page_types.iter().zip(&layout.page_types) {
        let pattern = without_nul(&info.url_pattern);
        insert.execute(params![name, without_nul(&info.role), pattern, info.confidence])?;
    }
    let mut insert = db.prepare("INSERT INTO _columns VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (info, table) in schema.tables.iter().zip(&layout.tables) {
        for (info, column) in info.columns.iter().zip(&table.columns) {
            insert.execute(params![
                column.id,
                table.parts[column.part].name,
                column.name,
                info.value_type.name(),
                without_nul(&info.selector),
                info.label.as_deref().map(without_nul),
                info.confidence,
                info.coverage,
            ])?;
        }
    }
    Ok(())
}

/// Makes the indexes: once the rows are there, that is a sort instead of a search for every row.
pub(crate) fn create_indexes(db: &Connection, layout: &Layout) -> Result<()> {
    db.execute_batch(
        "CREATE INDEX _pages_url ON _pages(url);
         CREATE INDEX _values_cell ON _values(column_id, row_id);",
    )?;
    let mut number = 0;
    for (table, part) in layout.parts() {
        for key in keys(table, part) {
            // Indexes share their names with tables; a number cannot collide with any.
            number += 1;
            let (part, key) = (quoted(&part.name), quoted(key));
            db.execute_batch(&format!("CREATE INDEX _key_{number} ON {part}({key})"))?;
        }
    }
    Ok(())
}

fn table_sql(layout: &Layout, table: &Table, part: &Part) -> String {
    let main = quoted(table.name());
    let is_main = part.name == table.name();
    let mut sql = format!("CREATE TABLE {}(id INTEGER PRIMARY KEY", quoted(&part.name));
    if !is_main {
        sql += &format!(" REFERENCES {main}(id)");
    }
    sql += ", page_id INTEGER REFERENCES _pages(id)";
    if let Some((parent, key)) = table.parent.as_ref().filter(|_| is_main) {
        sql += &format!(", {} INTEGER REFERENCES {}(id)", quoted(key), quoted(layout.tables[*parent].name()));
    }
    for column in &table.columns[part.columns.clone()] {
        sql += &format!(", {} {}", quoted(&column.name), sql_type(column.value_type.storage()));
        if let Some((name, storage)) = &column.beside {
            sql += &format!(", {} {}", quoted(name), sql_type(*storage));
        }
        if let Some((key, target)) = &column.key {
            sql += &format!(
                ", {} INTEGER REFERENCES {}(id)",
                quoted(key),
                quoted(layout.tables[*target].name())
            );
        }
    }
    sql + ")"
}

fn sql_type(storage: Storage) -> &'static str {
    match storage {
        Storage::Integer => "INTEGER",
        Storage::Real => "REAL",
        Storage::Text | Storage::Date => "TEXT",
    }
}

/// The foreign keys of one SQL table.
fn keys<'a>(table: &'a Table, part: &'a Part) -> impl Iterator<Item = &'a str> {
    let parent = table.parent.iter().filter(|_| part.name == table.name()).map(|(_, key)| key.as_str());
    let links = table.columns[part.columns.clone()].iter().filter_map(|c| Some(c.key.as_ref()?.0.as_str()));
    std::iter::once("page_id").chain(parent).chain(links)
}
