//! Columns by which people know rows: stock numbers, ISBNs, ticket numbers.
//!
//! # What it does
//! A column of things that has a short value in every row, another in each, is declared unique. A text must be a code: without
//! spaces and with a digit. Numbers must be denser than chance would leave them without a repetition.
//! # Assumes
//! Who numbers things numbers them without gaps that are much larger than their number.
//! # When it fails
//! A counter that never repeats (the words of an article) may be taken for a key when there are few rows. It is only a
//! declaration: it goes when a row comes that breaks it.

use rusqlite::{Connection, Result, params};
use unsite_wrapper::ValueType;

use crate::plan::{Column, Layout, NATURAL_KEY, Table, quoted};

/// Rows below which nothing is said: few values differ by chance.
const FEWEST_ROWS: i64 = 10;

/// Characters of the longest value. Codes are shorter; an IBAN has 34.
const LONGEST: i64 = 34;

/// How many repetitions chance would make among numbers of that range, at least: without one the odds are then below one in
/// twenty (Poisson).
const EXPECTED_REPETITIONS: f64 = 3.0;

/// Digits from which on equally long numbers are codes (a bar code has at least eight).
const CODE_DIGITS: i64 = 8;

/// Takes the declarations back, before rows come that may break them.
pub(crate) fn forget_natural_keys(db: &Connection, database: &str) -> Result<()> {
    let sql = format!(
        "SELECT name FROM {database}.sqlite_master WHERE type = 'index' AND substr(name, 1, 8) = '_unique_'"
    );
    let names: Vec<String> = db.prepare(&sql)?.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
    for name in names {
        db.execute_batch(&format!("DROP INDEX {database}.{}", quoted(&name)))?;
    }
    Ok(())
}

/// Finds and declares them.
pub(crate) fn declare_natural_keys(db: &Connection, database: &str, layout: &Layout) -> Result<()> {
    let mut note = db.prepare(&format!(
        "UPDATE {database}._columns SET note = CASE WHEN note IS NULL OR note = '' THEN ?1 ELSE note || '; ' || ?1 END
         WHERE table_name = ?2 AND column_name = ?3 AND coalesce(instr(note, ?1), 0) = 0"
    ))?;
    for table in layout.shown().filter(|table| table.is_of_things()) {
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.is_shown) {
            if table.key == Some(at) || !tells_rows_apart(db, database, table, column)? {
                continue;
            }
            let part = &table.parts[column.part].name;
            let index = quoted(&format!("_unique_{part}.{}", column.name));
            db.execute_batch(&format!(
                "CREATE UNIQUE INDEX IF NOT EXISTS {database}.{index} ON {}({})",
                quoted(part),
                quoted(&column.name)
            ))?;
            note.execute(params![NATURAL_KEY, part, column.name])?;
        }
    }
    Ok(())
}

fn tells_rows_apart(db: &Connection, database: &str, table: &Table, column: &Column) -> Result<bool> {
    let (name, value) = (quoted(&table.parts[column.part].name), quoted(&column.name));
    let is_code = match column.value_type {
        ValueType::Text => format!("{value} GLOB '*[0-9]*' AND NOT {value} GLOB '*[ \n\t]*'"),
        ValueType::Integer => format!("typeof({value}) = 'integer'"),
        _ => return Ok(false),
    };
    // Most columns fail in their first rows; those are not counted.
    let first: bool = db.query_row(
        &format!(
            "SELECT count(*) = {FEWEST_ROWS} AND coalesce(min({value} IS NOT NULL AND {is_code} AND length({value}) <= {LONGEST}), 0)
                 AND count(DISTINCT {value}) = {FEWEST_ROWS}
             FROM (SELECT {value} FROM {database}.{name} LIMIT {FEWEST_ROWS})"
        ),
        [],
        |row| row.get(0),
    )?;
    if !first {
        return Ok(false);
    }
    let sql = format!(
        "SELECT count(*), count(DISTINCT {value}), coalesce(min({value} IS NOT NULL AND {is_code} AND length({value}) <= {LONGEST}), 0),
                CAST(max({value}) AS REAL), CAST(min({value}) AS REAL), min(length({value})), max(length({value}))
         FROM {database}.{name}"
    );
    db.query_row(&sql, [], |row| {
        let (rows, distinct, all): (i64, i64, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let (largest, least): (f64, f64) = (row.get(3)?, row.get(4)?);
        let (shortest, longest): (i64, i64) = (row.get(5)?, row.get(6)?);
        if rows != distinct || !all {
            return Ok(false);
        }
        let is_code = shortest == longest && shortest >= CODE_DIGITS;
        let repetitions = rows as f64 * (rows - 1) as f64 / 2.0 / (largest - least + 1.0);
        Ok(column.value_type == ValueType::Text || is_code || repetitions >= EXPECTED_REPETITIONS)
    })
}
