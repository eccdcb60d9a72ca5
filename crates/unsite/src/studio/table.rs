//! The rows of a table, a page of them at a time, however many there are.

use anyhow::{Result, bail};
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, params_from_iter};
use serde_json::{Value, json};

use super::built::Open;
use super::server::Request;

/// Rows that are sent at once at most.
const MOST_ROWS: usize = 500;

/// Letters of a value that are sent with its row; the rest is asked for.
const MOST_LETTERS: usize = 240;

/// Orders of rows that are remembered.
const MOST_VIEWS: usize = 8;

/// The orders of rows that were asked for: the numbers of rows, in a temporary table each.
#[derive(Default)]
pub(super) struct Views {
    known: Vec<View>,
    count: usize,
}

struct View {
    asked: String,
    table: String,
    rows: i64,
}

/// A column as the database has it.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) is_text: bool,
}

/// A table as the database has it.
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

impl Table {
    /// Only what is there is asked for, so that names can be put into SQL.
    pub(super) fn of(db: &Connection, name: &str) -> Result<Table> {
        let mut select = db.prepare_cached("SELECT name, type FROM pragma_table_info(?) ORDER BY cid")?;
        let columns = select.query_map([name], |row| {
            let kind: String = row.get(1)?;
            Ok(Column { name: row.get(0)?, is_text: !matches!(kind.as_str(), "INTEGER" | "REAL") })
        })?;
        let columns: Vec<Column> = columns.collect::<rusqlite::Result<_>>()?;
        if columns.is_empty() || name.starts_with("sqlite_") {
            bail!("there is no table {name:?}");
        }
        Ok(Table { name: name.to_owned(), columns })
    }

    pub(super) fn has(&self, column: &str) -> Result<String> {
        match self.columns.iter().any(|known| known.name == column) {
            true => Ok(quoted(column)),
            false => bail!("{} has no column {column:?}", self.name),
        }
    }
}

/// `GET api/table/NAME?sort=-price&q=words&f=price:gt:5&offset=0&limit=100`
pub(super) fn rows(open: &mut Open, name: &str, request: &Request) -> Result<Value> {
    let table = Table::of(&open.db, name)?;
    let (offset, limit) = (request.number("offset").unwrap_or(0), request.number("limit").unwrap_or(100));
    let limit = limit.clamp(1, MOST_ROWS);
    let asked = Asked::of(&table, request)?;
    let columns: Vec<String> =
        table.columns.iter().map(|column| format!("t.{}", quoted(&column.name))).collect();
    let select = format!("SELECT {} FROM {} t", columns.join(", "), quoted(&table.name));
    let (total, sql, values): (i64, String, [i64; 2]) = match asked.is_plain() {
        true => plain(&open.db, &table, &select, offset, limit)?,
        false => {
            let (view, rows) = open.views.of(&open.db, &table, &asked)?;
            let sql = format!(
                "{select} JOIN temp.{view} v ON v.id = t.id WHERE v.rowid > ?1 AND v.rowid <= ?2 ORDER BY v.rowid"
            );
            (rows, sql, [offset as i64, (offset + limit) as i64])
        }
    };
    let mut statement = open.db.prepare_cached(&sql)?;
    let mut rows = statement.query(values)?;
    let mut sent = Vec::with_capacity(limit);
    while let Some(row) = rows.next()? {
        let cells = (0..table.columns.len()).map(|at| Ok(shown(row.get_ref(at)?)));
        sent.push(Value::Array(cells.collect::<rusqlite::Result<_>>()?));
    }
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    Ok(json!({"columns": names, "total": total, "offset": offset, "rows": sent}))
}

/// All rows in the order of their numbers. These have no gaps in a database that was written at once, so that any place is
/// found without counting.
fn plain(
    db: &Connection,
    table: &Table,
    select: &str,
    offset: usize,
    limit: usize,
) -> Result<(i64, String, [i64; 2])> {
    let name = quoted(&table.name);
    let (first, last): (Option<i64>, Option<i64>) = db.query_row(
        &format!("SELECT (SELECT min(id) FROM {name}), (SELECT max(id) FROM {name})"),
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((first, last)) = first.zip(last) else {
        return Ok((0, format!("{select} WHERE t.id > ?1 AND t.id <= ?2"), [0, 0]));
    };
    let total: i64 =
        db.prepare_cached(&format!("SELECT count(*) FROM {name}"))?.query_row([], |row| row.get(0))?;
    if last - first + 1 == total {
        let start = first - 1 + offset as i64;
        let sql = format!("{select} WHERE t.id > ?1 AND t.id <= ?2 ORDER BY t.id");
        return Ok((total, sql, [start, start + limit as i64]));
    }
    Ok((total, format!("{select} ORDER BY t.id LIMIT ?2 OFFSET ?1"), [offset as i64, limit as i64]))
}

/// Which rows, in which order.
struct Asked {
    conditions: Vec<String>,
    values: Vec<Sql>,
    order: Option<String>,
}

impl Asked {
    fn of(table: &Table, request: &Request) -> Result<Asked> {
        let mut asked = Asked { conditions: Vec::new(), values: Vec::new(), order: None };
        if let Some(sort) = request.get("sort").filter(|sort| !sort.is_empty()) {
            let (column, down) = sort.strip_prefix('-').map_or((sort, ""), |column| (column, " DESC"));
            let column = table.has(column)?;
            // Rows without a value come last, whichever way.
            asked.order = Some(format!("{column} IS NULL, {column}{down}, id"));
        }
        for filter in request.query.iter().filter(|(key, _)| key == "f").map(|(_, value)| value) {
            let mut parts = filter.splitn(3, ':');
            let (Some(column), Some(how)) = (parts.next(), parts.next()) else {
                bail!("{filter:?} is no filter")
            };
            asked.filter(&table.has(column)?, how, parts.next().unwrap_or_default())?;
        }
        if let Some(words) = request.get("q").map(str::trim).filter(|words| !words.is_empty()) {
            for word in words.split_whitespace().take(8) {
                asked.values.push(Sql::Text(like(word)));
                let at = asked.values.len();
                let own =
                    table.columns.iter().filter(|column| column.is_text || !column.name.ends_with("id"));
                let any: Vec<String> =
                    own.map(|column| format!("{} LIKE ?{at} ESCAPE '\\'", quoted(&column.name))).collect();
                asked.conditions.push(format!("({})", any.join(" OR ")));
            }
        }
        Ok(asked)
    }

    fn filter(&mut self, column: &str, how: &str, value: &str) -> Result<()> {
        let value_of = |text: &str| match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Sql::Real(number),
            _ => Sql::Text(text.to_owned()),
        };
        let at = self.values.len() + 1;
        let condition = match how {
            "empty" => format!("({column} IS NULL OR {column} = '')"),
            "full" => format!("({column} IS NOT NULL AND {column} <> '')"),
            "is" => {
                self.values.push(Sql::Text(value.to_owned()));
                format!("CAST({column} AS TEXT) = ?{at}")
            }
            "has" => {
                self.values.push(Sql::Text(like(value)));
                format!("{column} LIKE ?{at} ESCAPE '\\'")
            }
            "from" | "to" => {
                self.values.push(value_of(value));
                format!("{column} {} ?{at}", if how == "from" { ">=" } else { "<=" })
            }
            _ => bail!("there is no filter {how:?}; there are is, has, from, to, empty, full"),
        };
        self.conditions.push(condition);
        Ok(())
    }

    fn is_plain(&self) -> bool {
        self.conditions.is_empty() && self.order.is_none()
    }

    /// What tells it from others.
    fn key(&self, table: &str) -> String {
        format!("{table}\n{:?}\n{:?}\n{:?}", self.conditions, self.values, self.order)
    }
}

impl Views {
    /// The table with the numbers of the rows that were asked for, in order, and how many there are.
    fn of(&mut self, db: &Connection, table: &Table, asked: &Asked) -> Result<(String, i64)> {
        let key = asked.key(&table.name);
        if let Some(at) = self.known.iter().position(|view| view.asked == key) {
            let view = self.known.remove(at);
            let found = (view.table.clone(), view.rows);
            self.known.push(view);
            return Ok(found);
        }
        if self.known.len() >= MOST_VIEWS {
            let oldest = self.known.remove(0);
            db.execute_batch(&format!("DROP TABLE IF EXISTS temp.{}", oldest.table))?;
        }
        self.count += 1;
        let name = format!("view_{}", self.count);
        let conditions = match asked.conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", asked.conditions.join(" AND ")),
        };
        let order = asked.order.as_deref().unwrap_or("id");
        let sql = format!(
            "CREATE TEMP TABLE {name} AS SELECT id FROM main.{}{conditions} ORDER BY {order}",
            quoted(&table.name)
        );
        db.execute(&sql, params_from_iter(&asked.values))?;
        let rows =
            db.query_row(&format!("SELECT coalesce(max(rowid), 0) FROM temp.{name}"), [], |row| row.get(0))?;
        self.known.push(View { asked: key, table: name.clone(), rows });
        Ok((name, rows))
    }
}

/// A pattern for what contains a text.
fn like(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// A value as it is sent: long texts are cut.
pub(super) fn shown(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            let text = String::from_utf8_lossy(text);
            match text.char_indices().nth(MOST_LETTERS) {
                Some((end, _)) => json!(format!("{}…", &text[..end])),
                None => json!(text),
            }
        }
    }
}

/// A name in SQL's quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
