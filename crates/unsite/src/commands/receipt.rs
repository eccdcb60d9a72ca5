//! What a database knows about one cell: what its table and column are, and every place where its value stands.

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use unsite_wrapper::ValueType;

/// Names that an error lists.
const NAMES_SHOWN: usize = 20;

/// The endings of a link column's name that its key does without.
const LINK_ENDINGS: [&str; 3] = ["_url", "_link", "_href"];

/// The cell that is asked for.
pub(crate) struct Asked<'a> {
    pub table: &'a str,
    pub row: i64,
    pub column: &'a str,
}

/// Where the values of the column that is asked for come from.
struct Origin {
    /// The column that was read.
    column: Option<String>,
    /// What the asked one is to it, for people.
    is: Option<String>,
    /// The table that its values are told of, for a fact with several of them, with the key of its row.
    of: Option<(String, String)>,
}

/// Everything that is known about the cell, in the order it is printed.
pub(crate) fn receipt(db: &Connection, asked: &Asked<'_>) -> Result<Value> {
    let Asked { table, row, column } = *asked;
    let tables = names(db, "SELECT name FROM _tables ORDER BY kind IN ('view', 'template'), rowid", &[])
        .context("expected the tables of a database that `unsite run` wrote")?;
    if !tables.iter().any(|name| name == table) {
        bail!("there is no table {table:?}; the tables are {}", listed(&tables));
    }
    let about = "SELECT kind, why FROM _tables WHERE name = ?";
    let (kind, why) = db.query_row(about, [table], |row| {
        Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?))
    })?;
    let described = names(db, "SELECT column_name FROM _columns WHERE table_name = ? ORDER BY id", &[table])?;
    let stored = names(db, "SELECT name FROM pragma_table_info(?) ORDER BY cid", &[table])?;
    let Some(origin) = origin(db, table, column, &described, &stored)? else {
        let keys = stored.iter().filter(|name| !described.contains(name));
        let all: Vec<String> = described.iter().chain(keys).cloned().collect();
        bail!("{table} has no column {column:?}; its columns are {}", listed(&all));
    };
    let stored_text = stored_value(db, table, row, column, &stored)?;
    let cells = match &origin.of {
        Some((parent, key)) => {
            // Keys of files and servers come as text.
            let sql = format!("SELECT CAST({} AS INTEGER) FROM {} WHERE id = ?", quoted(key), quoted(table));
            let above: Option<Option<i64>> = db.query_row(&sql, [row], |row| row.get(0)).optional()?;
            let mut told = cells(db, parent, above.flatten().unwrap_or_default(), origin.column.as_deref())?;
            told.retain(|cell| cell["value"] == stored_text);
            told
        }
        None => cells(db, table, row, origin.column.as_deref())?,
    };
    let page = match page_of_row(db, table, row, &stored)? {
        Some(page) => page,
        // What is kept out of sight has no row, only values.
        None => match page_of_cells(db, table, row)? {
            Some(page) => page,
            None => bail!("{table} has no row {row}; its rows are {}", range(db, table, &stored)?),
        },
    };
    let page = cells.first().and_then(|first| first.get("page")).cloned().unwrap_or(page);
    let meta = |key: &str| {
        let sql = "SELECT value FROM _meta WHERE key = ?";
        db.query_row(sql, [key], |row| row.get::<_, Option<String>>(0)).optional().ok().flatten().flatten()
    };
    // Every way to the column, under the names of the schema.
    let ways: Value = meta("routes").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let read = origin.column.as_deref().unwrap_or(column);
    Ok(json!({
        "table": table, "row": row, "column": column, "stored": stored_text,
        "is": origin.is, "values": cells, "page": page,
        "table_is": {"kind": kind, "why": why},
        "found_by": facts(db, origin.of.as_ref().map_or(table, |(parent, _)| parent), read)?,
        "routes": ways[format!("{table}.{column}")], "source": meta("source"),
    }))
}

/// What `_columns` says of a column.
fn facts(db: &Connection, table: &str, column: &str) -> Result<Value> {
    let sql = "SELECT type, label, selector, confidence, coverage, hidden, note FROM _columns
               WHERE table_name = ? AND column_name = ?";
    let found = db.query_row(sql, params![table, column], |row| {
        let number = |at| number(row, at);
        Ok(json!({
            "type": row.get::<_, Option<String>>(0)?, "label": row.get::<_, Option<String>>(1)?,
            "selector": row.get::<_, Option<String>>(2)?, "confidence": number(3)?, "coverage": number(4)?,
            "hidden": number(5)?.is_some_and(|hidden| hidden != 0.0), "note": row.get::<_, Option<String>>(6)?,
        }))
    });
    Ok(found.optional()?.unwrap_or(Value::Null))
}

/// A number, whether it is stored as one or as text.
fn number(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Option<f64>> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
        _ => None,
    })
}

fn origin(
    db: &Connection,
    table: &str,
    column: &str,
    described: &[String],
    stored: &[String],
) -> Result<Option<Origin>> {
    if described.iter().any(|name| name == column) {
        return Ok(Some(Origin { column: Some(column.to_owned()), is: None, of: None }));
    }
    if !stored.iter().any(|name| name == column) {
        return Ok(None);
    }
    let alone = |is: &str| Ok(Some(Origin { column: None, is: Some(is.to_owned()), of: None }));
    match column {
        "id" => return alone("the number of the row in this database"),
        "page_id" => return alone("the page that the row stands on: its own, or the first that tells of it"),
        _ => {}
    }
    for base in described {
        let value_type: Option<String> = db
            .query_row(
                "SELECT type FROM _columns WHERE table_name = ? AND column_name = ?",
                params![table, base],
                |row| row.get(0),
            )
            .optional()?;
        let beside = ValueType::ALL.into_iter().find(|one| Some(one.name()) == value_type.as_deref());
        if let Some((word, _)) = beside.and_then(ValueType::beside)
            && unnumbered(column) == format!("{base}_{word}")
        {
            let is = format!("the {word} that is read off {base}");
            return Ok(Some(Origin { column: Some(base.clone()), is: Some(is), of: None }));
        }
    }
    let sql = "SELECT \"table\" FROM pragma_foreign_key_list(?) WHERE \"from\" = ?";
    let target: Option<String> = db.query_row(sql, params![table, column], |row| row.get(0)).optional()?;
    let to = target.as_ref().map_or("another table".to_owned(), |target| format!("the table {target}"));
    let parent: Option<String> =
        db.query_row("SELECT parent FROM _tables WHERE name = ?", [table], |row| row.get(0))?;
    if let Some(parent) = &parent
        && let Some(fact) = fact(db, table, parent)?
        && target.is_none()
        && !column.ends_with("_id")
    {
        let key = stored.iter().find(|name| **name == format!("{parent}_id") || *name == "parent_id");
        let is = format!("one of the values of {fact} of {parent}");
        let of = key.map(|key| (parent.clone(), key.clone()));
        return Ok(Some(Origin { column: Some(fact), is: Some(is), of }));
    }
    if let Some(parent) = parent.filter(|parent| column == format!("{parent}_id") || column == "parent_id") {
        let is =
            format!("the row of {parent} that the row belongs to: it stands inside what is read as that");
        return Ok(Some(Origin { column: None, is: Some(is), of: None }));
    }
    let key = unnumbered(column);
    let base = described.iter().find(|base| {
        let stem = LINK_ENDINGS.iter().find_map(|ending| base.strip_suffix(ending)).unwrap_or(base);
        let bare = LINK_ENDINGS.iter().any(|ending| ending[1..] == **base);
        key == format!("{stem}_id")
            || bare && target.as_ref().is_some_and(|target| key == format!("{target}_id"))
    });
    let is = base.map_or(format!("a row of {to}"), |base| {
        format!("the row of {to} that is known by the address which {base} leads to")
    });
    Ok(Some(Origin { column: base.cloned(), is: Some(is), of: None }))
}

/// The fact with several values that a table holds, as the table of the row that it is a fact of has it.
fn fact(db: &Connection, table: &str, parent: &str) -> Result<Option<String>> {
    let sql = "SELECT c.column_name FROM _tables t JOIN _columns c ON c.table_name = ? AND c.column_name = t.original_name
               WHERE t.name = ?";
    Ok(db.query_row(sql, [parent, table], |row| row.get(0)).optional()?)
}

/// `price` for `price_2`.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Every place of the value, where it was read first.
fn cells(db: &Connection, table: &str, row: i64, column: Option<&str>) -> Result<Vec<Value>> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut cells = db.prepare(
        "SELECT c.value, c.path, c.copy, c.url, c.ref, p.page_type FROM _cells c
         LEFT JOIN _pages p ON p.url = c.url AND p.ref = c.ref
         WHERE c.table_name = ? AND c.row_id = ? AND c.column_name = ? ORDER BY CAST(c.copy AS INTEGER)",
    )?;
    let cells = cells.query_map(params![table, row, column], |row| {
        let text = |at| row.get::<_, Option<String>>(at);
        Ok(json!({
            "value": text(0)?, "path": text(1)?, "copy": number(row, 2)?.is_some_and(|copy| copy != 0.0),
            "page": {"url": text(3)?, "ref": text(4)?, "page_type": text(5)?},
        }))
    })?;
    Ok(cells.collect::<rusqlite::Result<_>>()?)
}

fn page_of_row(db: &Connection, table: &str, row: i64, stored: &[String]) -> Result<Option<Value>> {
    if stored.is_empty() {
        return Ok(None);
    }
    // The table's name is one of `_tables`, so that quoting it is all it needs.
    let sql = format!(
        "SELECT p.url, p.ref, p.page_type FROM {} t LEFT JOIN _pages p ON p.id = t.page_id WHERE t.id = ?",
        quoted(table)
    );
    page(db, &sql, params![row])
}

fn page_of_cells(db: &Connection, table: &str, row: i64) -> Result<Option<Value>> {
    let sql =
        "SELECT c.url, c.ref, p.page_type FROM _cells c LEFT JOIN _pages p ON p.url = c.url AND p.ref = c.ref
               WHERE c.table_name = ? AND c.row_id = ? LIMIT 1";
    page(db, sql, params![table, row])
}

fn page(db: &Connection, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<Option<Value>> {
    let found = db.query_row(sql, values, |row| {
        let text = |at| row.get::<_, Option<String>>(at);
        Ok(json!({"url": text(0)?, "ref": text(1)?, "page_type": text(2)?}))
    });
    Ok(found.optional()?)
}

/// What the table holds in the cell.
fn stored_value(db: &Connection, table: &str, row: i64, column: &str, stored: &[String]) -> Result<Value> {
    if !stored.iter().any(|name| name == column) {
        return Ok(Value::Null);
    }
    let sql = format!("SELECT CAST({} AS TEXT) FROM {} WHERE id = ?", quoted(column), quoted(table));
    let value: Option<Option<String>> = db.query_row(&sql, [row], |row| row.get(0)).optional()?;
    Ok(json!(value.flatten()))
}

fn range(db: &Connection, table: &str, stored: &[String]) -> Result<String> {
    let ends = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        db.query_row(sql, values, |row| Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?)))
    };
    let (first, last) = match stored.is_empty() {
        false => ends(&format!("SELECT min(id), max(id) FROM {}", quoted(table)), &[])?,
        true => ends("SELECT min(row_id), max(row_id) FROM _cells WHERE table_name = ?", &[&table])?,
    };
    Ok(first.zip(last).map_or("not here".to_owned(), |(first, last)| format!("{first} to {last}")))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn names(db: &Connection, sql: &str, values: &[&str]) -> Result<Vec<String>> {
    let mut statement = db.prepare(sql)?;
    let names = statement.query_map(rusqlite::params_from_iter(values), |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(NAMES_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMES_SHOWN {
        text += &format!(" and {} more", names.len() - NAMES_SHOWN);
    }
    text
}
