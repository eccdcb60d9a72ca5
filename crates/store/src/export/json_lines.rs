//! JSON Lines: an object a row, its keys in the order of the columns, NULL as `null`.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::plan::Relation;

pub(super) struct JsonLinesWriter {
    out: BufWriter<File>,
    /// Each key with the punctuation before and after it.
    keys: Vec<String>,
}

impl JsonLinesWriter {
    pub(super) fn new(out: BufWriter<File>, relation: &Relation) -> io::Result<JsonLinesWriter> {
        let mut keys = Vec::with_capacity(relation.fields.len());
        for (at, field) in relation.fields.iter().enumerate() {
            let before = if at == 0 { '{' } else { ',' };
            keys.push(format!("{before}{}:", serde_json::to_string(&field.name)?));
        }
        Ok(JsonLinesWriter { out, keys })
    }
}

impl RowWriter for JsonLinesWriter {
    fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        for (index, key) in self.keys.iter().enumerate() {
            self.out.write_all(key.as_bytes())?;
            match row.get_ref(index).map_err(io::Error::other)? {
                ValueRef::Null => self.out.write_all(b"null")?,
                ValueRef::Integer(n) => write!(self.out, "{n}")?,
                // Numbers that JSON has not become null.
                ValueRef::Real(x) => serde_json::to_writer(&mut self.out, &x)?,
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    serde_json::to_writer(&mut self.out, &String::from_utf8_lossy(text))?;
                }
            }
        }
        self.out.write_all(b"}\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}
