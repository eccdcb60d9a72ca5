//! What the server says about one row.

use postgres::{Row, Transaction};
use rusqlite::Connection;

use super::{Address, Server, refused};
use crate::StoreError;
use crate::plan::{own_of_files, quoted};
use crate::receipts::{About, AskedColumn, AskedTable, TextRow};

/// A database that holds what the server knows of a row.
pub(crate) fn about_row(address: &Address, table: &str, row: i64) -> Result<Connection, StoreError> {
    let said = |error: postgres::Error| refused(address, &error);
    let name = address.to_string();
    let mut server = Server::connect(address)?;
    let mut client = server.client.transaction().map_err(said)?;
    let schema = match address.schema() {
        Some(schema) => format!("{}.", quoted(schema)),
        None => String::new(),
    };
    let about = About::new(name.as_ref())?;
    let asked = asked(&mut client, &schema, table, row).map_err(said)?;
    let mut known = vec![(table, row)];
    known.extend(asked.others());
    let (tables, ids): (Vec<&str>, Vec<i64>) = known.into_iter().unzip();
    let page: Option<i64> = asked.row.iter().flatten().find_map(|(name, value)| match name.as_str() {
        "page_id" => value.as_ref()?.parse().ok(),
        _ => None,
    });
    for relation in own_of_files() {
        let full = format!("{schema}{}", quoted(&relation.name));
        let rows = match relation.name.as_str() {
            "_cells" => {
                let sql = format!(
                    "SELECT row_to_json(c)::text FROM {full} c
                     JOIN unnest($1::text[], $2::bigint[]) k(name, row) ON c.table_name = k.name AND c.row_id = k.row"
                );
                client.query(&sql, &[&tables, &ids])
            }
            "_pages" => {
                let sql = format!(
                    "SELECT row_to_json(p)::text FROM {full} p WHERE p.id = $3 OR p.id IN
                         (SELECT v.page_id FROM {schema}_values v JOIN {schema}_columns c ON c.id = v.column_id
                          JOIN unnest($1::text[], $2::bigint[]) k(name, row) ON c.table_name = k.name AND v.row_id = k.row)"
                );
                client.query(&sql, &[&tables, &ids, &page])
            }
            "_problems" => continue,
            _ => client.query(&format!("SELECT row_to_json(t)::text FROM {full} t"), &[]),
        };
        let rows = rows.map_err(said)?;
        about.own(&relation, rows.iter().map(|row| text_row(row.get(0))))?;
    }
    about.table(table, &asked)?;
    Ok(about.db)
}

/// The table that is asked for. One that is kept out of sight is not there: it has no columns.
fn asked(
    client: &mut Transaction<'_>,
    schema: &str,
    table: &str,
    row: i64,
) -> Result<AskedTable, postgres::Error> {
    let full = format!("{schema}{}", quoted(table));
    let columns = "SELECT a.attname::text,
                     (SELECT t.relname::text FROM pg_catalog.pg_constraint k
                      JOIN pg_catalog.pg_class t ON t.oid = k.confrelid
                      WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum] LIMIT 1),
                     a.atttypid = 'float8'::regtype
                   FROM pg_catalog.pg_attribute a
                   WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    let columns = client.query(columns, &[&full])?;
    let column = |row: &Row| AskedColumn { name: row.get(0), target: row.get(1), is_real: row.get(2) };
    let columns: Vec<AskedColumn> = columns.iter().map(column).collect();
    if columns.is_empty() {
        return Ok(AskedTable::default());
    }
    let sql = format!("SELECT row_to_json(t)::text FROM {full} t WHERE t.id = $1");
    let row = client.query_opt(&sql, &[&row])?.map(|found| text_row(found.get(0)));
    let ends = match row {
        Some(_) => Vec::new(),
        None => {
            let sql = format!("SELECT min(id)::text, max(id)::text FROM {full}");
            let found = client.query_one(&sql, &[])?;
            [found.get::<_, Option<String>>(0), found.get(1)].into_iter().flatten().collect()
        }
    };
    Ok(AskedTable { columns, row, ends })
}

/// The columns of a row that the server wrote as JSON, in their order.
fn text_row(json: &str) -> TextRow {
    let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    let text = |value: serde_json::Value| match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(super::nul::restored(&text).into_owned()),
        other => Some(other.to_string()),
    };
    row.into_iter().map(|(name, value)| (name, text(value))).collect()
}
