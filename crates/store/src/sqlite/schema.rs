//! The tables, views and indexes of the finished database.

use rusqlite::{Connection, Result, params};
use unsite_wrapper::Schema;

use super::receipts;
use crate::Meta;
use crate::plan::{Field, Kind, Layout, Relation, discovered, own_of_sqlite, quoted};

/// The version of what other programs may rely on: the tables that begin with an underscore. Kept in `_meta`.
pub(crate) const FORMAT: &str = "3";

/// A view over `_values`: a line for each value, with small numbers for the page, the column and the path.
pub(crate) const CELLS_VIEW: &str = "
        SELECT p.ref AS ref, p.url AS url, c.table_name AS table_name, v.row_id AS row_id,
               c.column_name AS column_name, v.value AS value, t.path AS path, v.copy AS copy
        FROM _values v JOIN _columns c ON c.id = v.column_id JOIN _pages p ON p.id = v.page_id
             LEFT JOIN _paths t ON t.id = v.path_id";

/// Makes every table and fills those that are known before the first page. Rows that are to be put to others may refer to
/// rows that only those have.
pub(crate) fn create_tables(
    db: &Connection,
    schema: &Schema,
    layout: &Layout,
    meta: &Meta,
    refers: bool,
) -> Result<()> {
    let table_sql = |relation: &Relation| match refers {
        true => table_sql("main", relation),
        false => table_sql("main", &relation.without_references()),
    };
    for relation in own_of_sqlite() {
        db.execute_batch(&table_sql(&relation))?;
    }
    for relation in discovered(layout) {
        let sql = match layout.keeps_texts {
            true => untyped_table_sql(&relation),
            false => table_sql(&relation),
        };
        db.execute_batch(&sql)?;
    }
    receipts::create(db)?;
    let mut insert = db.prepare("INSERT OR REPLACE INTO _meta VALUES (?, ?)")?;
    insert.execute(["format", FORMAT])?;
    for (key, value) in meta.entries() {
        insert.execute([key, value])?;
    }
    let mut insert = db.prepare("INSERT INTO _page_types VALUES (?, 0, ?, ?, ?)")?;
    for (info, name) in schema.page_types.iter().zip(&layout.page_types) {
        insert.execute(params![name, info.role, info.url_pattern, info.confidence])?;
    }
    describe_tables(db, schema, layout)?;
    receipts::create_view(db, "main", layout.is_kept)?;
    db.execute_batch(&format!("CREATE VIEW _cells AS {CELLS_VIEW};"))
}

fn describe_tables(db: &Connection, schema: &Schema, layout: &Layout) -> Result<()> {
    let mut insert = db.prepare("INSERT INTO _tables VALUES (?, ?, ?, ?, ?, ?)")?;
    for (info, table) in schema.tables.iter().zip(&layout.tables) {
        let page_type = table.page_type.map(|at| &layout.page_types[at]);
        let parent = table.parent.as_ref().map(|(at, _)| layout.tables[*at].name());
        for part in &table.parts {
            let (kind, why) = (info.kind.name(), &info.why);
            insert.execute(params![part.name, table.original, page_type, parent, kind, why])?;
        }
    }
    let mut insert = db.prepare("INSERT INTO _columns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (at, info) in schema.tables.iter().enumerate() {
        let table = &layout.tables[at];
        for (info, column) in info.columns.iter().zip(&table.columns) {
            let (table_name, column_name) = layout.told_as(at, column);
            insert.execute(params![
                column.id,
                table_name,
                column_name,
                info.value_type.name(),
                info.selector,
                info.label,
                info.confidence,
                info.coverage,
                info.name,
                column.is_hidden || table.is_hidden,
                info.note,
            ])?;
        }
    }
    Ok(())
}

/// Makes the indexes that are not there yet: once the rows are there, that is a sort instead of a search for every row.
pub(crate) fn create_indexes(db: &Connection, database: &str, layout: &Layout) -> Result<()> {
    db.execute_batch(&format!(
        "CREATE INDEX IF NOT EXISTS {database}._pages_url ON _pages(url);
         CREATE INDEX IF NOT EXISTS {database}._receipts_row ON _receipts(row_id);"
    ))?;
    let has_history: bool = db.query_row(
        &format!("SELECT EXISTS (SELECT 1 FROM {database}.sqlite_master WHERE name = '_history')"),
        [],
        |row| row.get(0),
    )?;
    if has_history {
        db.execute_batch(&format!(
            "CREATE INDEX IF NOT EXISTS {database}._history_first ON _history(first_seen);
             CREATE INDEX IF NOT EXISTS {database}._history_page ON _history(page_id, last_seen);
             CREATE INDEX IF NOT EXISTS {database}._history_row ON _history(table_name, row_id, first_seen);"
        ))?;
    }
    for relation in discovered(layout) {
        for field in relation.fields.iter().skip(1).filter(|field| field.reference.is_some()) {
            // Indexes share their names with tables, of which none begins with an underscore or holds a dot.
            let name = quoted(&format!("_key_{}.{}", relation.name, field.name));
            let (table, key) = (quoted(&relation.name), quoted(&field.name));
            db.execute_batch(&format!("CREATE INDEX IF NOT EXISTS {database}.{name} ON {table}({key})"))?;
        }
    }
    for table in layout.shown() {
        if let Some(key) = table.key_column() {
            let name = quoted(&format!("_address_{}", table.name()));
            let (table, key) = (quoted(&table.parts[key.part].name), quoted(&key.name));
            db.execute_batch(&format!(
                "CREATE UNIQUE INDEX IF NOT EXISTS {database}.{name} ON {table}({key})"
            ))?;
        }
    }
    Ok(())
}

/// The statement that makes a table in one of the attached databases.
pub(crate) fn table_sql(database: &str, relation: &Relation) -> String {
    let mut columns = Vec::with_capacity(relation.fields.len() + 1);
    for (at, field) in relation.fields.iter().enumerate() {
        let key = if at == 0 && relation.has_key { " PRIMARY KEY" } else { "" };
        let own = match relation.name.as_str() {
            "_paths" if field.name == "path" => " UNIQUE",
            _ => "",
        };
        columns.push(format!("{}{key}{own}{}", column_sql(field), reference_sql(field)));
    }
    if relation.name == "_columns" {
        columns.push("UNIQUE (table_name, column_name)".to_owned());
    }
    format!("CREATE TABLE {database}.{}({});", quoted(&relation.name), columns.join(", "))
}

/// A table whose values stay as they come: only a column without a type changes none.
fn untyped_table_sql(relation: &Relation) -> String {
    let columns: Vec<String> = relation
        .fields
        .iter()
        .enumerate()
        .map(|(at, field)| match at {
            0 => format!("{} PRIMARY KEY", column_sql(field)),
            _ => quoted(&field.name),
        })
        .collect();
    format!("CREATE TABLE main.{}({});", quoted(&relation.name), columns.join(", "))
}

/// A column with its type, as it is also added to a table that is there already.
pub(crate) fn column_sql(field: &Field) -> String {
    format!("{} {}", quoted(&field.name), sql_type(field.kind))
}

/// The foreign key behind a column.
pub(crate) fn reference_sql(field: &Field) -> String {
    field.reference.as_ref().map_or_else(String::new, |to| {
        let action = match to.on_delete {
            "NO ACTION" => String::new(),
            action => format!(" ON DELETE {action}"),
        };
        format!(" REFERENCES {}({}){action}", quoted(&to.table), to.column)
    })
}

pub(crate) fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "INTEGER",
        Kind::Real => "REAL",
        Kind::Text | Kind::Date => "TEXT",
    }
}
