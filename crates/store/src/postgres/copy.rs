//! Rows on their way to the server, in the text format of COPY.

use std::io::{self, Write};

use postgres::Transaction;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::nul::escaped;
use super::schema::{add_reference, create_tables};
use super::{Address, refused};
use crate::StoreError;
use crate::date::days;
use crate::plan::{
    Kind, Layout, Relation, discovered, has_history, has_main_text, history, main_text, own_of_server, quoted,
};

/// Bytes that are sent together.
const CHUNK: usize = 1 << 16;

/// Fills a schema that holds nothing of ours: tables, rows, then what they refer to.
pub(super) fn fill(
    transaction: &mut Transaction<'_>,
    schema: &str,
    db: &Connection,
    layout: &Layout,
    address: &Address,
) -> Result<(), StoreError> {
    let said = |e: postgres::Error| refused(address, &e);
    let mut relations: Vec<Relation> = own_of_server().into_iter().chain(discovered(layout)).collect();
    let asked = has_main_text(db).map_err(|e| StoreError::sqlite(address.to_string().as_ref(), e))?;
    relations.extend(asked.then(main_text));
    let told = has_history(db).map_err(|e| StoreError::sqlite(address.to_string().as_ref(), e))?;
    relations.extend(told.then(history));
    create_tables(transaction, schema, &relations).map_err(said)?;
    for relation in &relations {
        copy(transaction, schema, db, relation, address)?;
    }
    for relation in &relations {
        for field in &relation.fields {
            add_reference(transaction, schema, &relation.name, field).map_err(said)?;
        }
    }
    Ok(())
}

/// Copies the rows of a table of the finished database to the table of the same name.
pub(super) fn copy(
    transaction: &mut Transaction<'_>,
    schema: &str,
    db: &Connection,
    relation: &Relation,
    address: &Address,
) -> Result<(), StoreError> {
    let said = |e: postgres::Error| refused(address, &e);
    let read = |e: rusqlite::Error| StoreError::sqlite(address.to_string().as_ref(), e);
    let names: Vec<String> = relation.fields.iter().map(|field| quoted(&field.name)).collect();
    let sql = format!("COPY {schema}{} ({}) FROM STDIN", quoted(&relation.name), names.join(", "));
    let mut out = transaction.copy_in(&sql).map_err(said)?;
    // The server's own words come with the next call that asks for them.
    let sent = |e: io::Error| match e.get_ref().and_then(|cause| cause.downcast_ref::<postgres::Error>()) {
        Some(error) => refused(address, error),
        None => StoreError::Server { target: address.to_string(), reason: e.to_string() },
    };
    let mut query = db.prepare(&relation.select).map_err(read)?;
    let mut rows = query.query([]).map_err(read)?;
    let mut chunk: Vec<u8> = Vec::with_capacity(CHUNK);
    while let Some(row) = rows.next().map_err(read)? {
        for (at, field) in relation.fields.iter().enumerate() {
            if at > 0 {
                chunk.push(b'\t');
            }
            write_value(&mut chunk, field.kind, row.get_ref(at).map_err(read)?);
        }
        chunk.push(b'\n');
        if chunk.len() >= CHUNK {
            out.write_all(&chunk).map_err(sent)?;
            chunk.clear();
        }
    }
    out.write_all(&chunk).map_err(sent)?;
    out.finish().map_err(said)?;
    Ok(())
}

/// A value that is not of its column's type is NULL; `_cells` has it as it stands.
fn write_value(out: &mut Vec<u8>, kind: Kind, value: ValueRef<'_>) {
    let text = match (kind, value) {
        (Kind::Integer | Kind::Real | Kind::Text, ValueRef::Integer(n)) => n.to_string(),
        (Kind::Real | Kind::Text, ValueRef::Real(x)) if x.is_finite() => format!("{x:?}"),
        (Kind::Text, ValueRef::Text(text)) => {
            write_text(out, &escaped(&String::from_utf8_lossy(text)));
            return;
        }
        (Kind::Date, ValueRef::Text(text)) => {
            match std::str::from_utf8(text).ok().filter(|t| days(t).is_some()) {
                Some(date) => date.to_owned(),
                None => "\\N".to_owned(),
            }
        }
        _ => "\\N".to_owned(),
    };
    out.extend_from_slice(text.as_bytes());
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    for &byte in text.as_bytes() {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            byte => out.push(byte),
        }
    }
}
