//! What the values of a column are like: how many there are, which are frequent, how numbers are spread.

use anyhow::Result;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::table::{Table, quoted, shown};

/// Frequent values that are shown.
const TOP: usize = 8;

/// Bars of a histogram.
const BARS: i64 = 16;

/// How many rows have a value of each column: `GET api/filled/TABLE`.
pub(super) fn filled(db: &Connection, name: &str) -> Result<Value> {
    let table = Table::of(db, name)?;
    let counts: Vec<String> =
        table.columns.iter().map(|column| format!("count({})", quoted(&column.name))).collect();
    let sql = format!("SELECT count(*), {} FROM {}", counts.join(", "), quoted(name));
    let counts = db.query_row(&sql, [], |row| {
        (0..=table.columns.len()).map(|at| row.get::<_, i64>(at)).collect::<rusqlite::Result<Vec<_>>>()
    })?;
    let columns: serde_json::Map<String, Value> = table
        .columns
        .iter()
        .zip(&counts[1..])
        .map(|(column, count)| (column.name.clone(), json!(count)))
        .collect();
    Ok(json!({"rows": counts[0], "columns": columns}))
}

/// What the values of a column are like: `GET api/column/TABLE/COLUMN`.
pub(super) fn column(db: &Connection, name: &str, column: &str) -> Result<Value> {
    let table = Table::of(db, name)?;
    let (column, table) = (table.has(column)?, quoted(&table.name));
    let (rows, filled, distinct, numbers): (i64, i64, i64, i64) = db.query_row(
        &format!(
            "SELECT count(*), count({column}), count(DISTINCT {column}),
                    coalesce(sum(typeof({column}) IN ('integer', 'real')), 0) FROM {table}"
        ),
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let mut top = db.prepare(&format!(
        "SELECT {column}, count(*) FROM {table} WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {TOP}"
    ))?;
    let top =
        top.query_map([], |row| Ok(json!({"value": shown(row.get_ref(0)?), "rows": row.get::<_, i64>(1)?})))?;
    let top: Vec<Value> = top.collect::<rusqlite::Result<_>>()?;
    let histogram =
        if numbers > 0 && numbers * 2 > filled { spread(db, &table, &column)? } else { Value::Null };
    let longest: Option<i64> =
        db.query_row(&format!("SELECT max(length({column})) FROM {table}"), [], |row| row.get(0))?;
    Ok(json!({
        "rows": rows, "filled": filled, "distinct": distinct, "top": top, "histogram": histogram, "longest": longest,
    }))
}

/// How many numbers lie in each part between the smallest and the largest.
fn spread(db: &Connection, table: &str, column: &str) -> Result<Value> {
    let numbers = format!("FROM {table} WHERE typeof({column}) IN ('integer', 'real')");
    let (least, most): (f64, f64) =
        db.query_row(&format!("SELECT min({column}) * 1.0, max({column}) * 1.0 {numbers}"), [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let width = (most - least) / BARS as f64;
    let mut bars = vec![0i64; BARS as usize];
    if width > 0.0 && width.is_finite() {
        let sql = format!("SELECT CAST(({column} - ?1) / ?2 AS INTEGER), count(*) {numbers} GROUP BY 1");
        let mut select = db.prepare(&sql)?;
        let mut rows = select.query([least, width])?;
        while let Some(row) = rows.next()? {
            let at = row.get::<_, i64>(0)?.clamp(0, BARS - 1);
            bars[at as usize] += row.get::<_, i64>(1)?;
        }
    } else {
        bars[0] = db.query_row(&format!("SELECT count(*) {numbers}"), [], |row| row.get(0))?;
    }
    Ok(json!({"least": least, "most": most, "bars": bars}))
}
