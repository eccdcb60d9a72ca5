//! What the server says about one row.

use rusqlite::Connection;

use super::{Address, Server, refused};
use crate::StoreError;
use crate::plan::{own_of_files, quoted};
use crate::receipts::{About, TextRow};

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
    for relation in own_of_files() {
        let full = format!("{schema}{}", quoted(&relation.name));
        let rows = match relation.name.as_str() {
            "_cells" => {
                let sql = format!(
                    "SELECT row_to_json(c)::text FROM {full} c WHERE c.table_name = $1 AND c.row_id = $2"
                );
                client.query(&sql, &[&table, &row])
            }
            "_pages" => {
                let sql = format!(
                    "SELECT row_to_json(p)::text FROM {full} p WHERE p.id IN
                         (SELECT v.page_id FROM {schema}_values v JOIN {schema}_columns c ON c.id = v.column_id
                          WHERE c.table_name = $1 AND v.row_id = $2)"
                );
                client.query(&sql, &[&table, &row])
            }
            "_problems" => continue,
            _ => client.query(&format!("SELECT row_to_json(t)::text FROM {full} t"), &[]),
        };
        let rows = rows.map_err(said)?;
        about.own(&relation, rows.iter().map(|row| text_row(row.get(0))))?;
    }
    let there = "SELECT to_regclass($1) IS NOT NULL";
    let full = format!("{schema}{}", quoted(table));
    if client.query_one(there, &[&full]).map_err(said)?.get(0) {
        let sql = format!("SELECT row_to_json(t)::text FROM {full} t WHERE t.id = $1");
        let found = client.query_opt(&sql, &[&row]).map_err(said)?;
        about.row(table, found.map(|found| text_row(found.get(0))))?;
    }
    Ok(about.db)
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
