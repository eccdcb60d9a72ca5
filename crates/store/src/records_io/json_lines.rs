//! JSON Lines: one object a line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::{Map, Value};

use super::{RecordTable, RecordsIoError};

pub(super) fn read(path: &Path) -> Result<RecordTable, RecordsIoError> {
    let file = File::open(path).map_err(|e| RecordsIoError::io("read", path, e))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut table = RecordTable::default();
    let mut bytes = Vec::new();
    let mut line = 0;
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(|e| RecordsIoError::io("read", path, e))? == 0 {
            return Ok(table);
        }
        line += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() {
            add(&mut table, line, text);
        }
    }
}

fn add(table: &mut RecordTable, line: usize, text: &str) {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(object)) => {
            let cells = cells(table, &object);
            table.push(cells, Some(text.to_owned()));
        }
        Ok(_) => table.reject(line, text, "not an object"),
        Err(error) => table.reject(line, text, &format!("not JSON ({error})")),
    }
}

fn cells(table: &mut RecordTable, object: &Map<String, Value>) -> Vec<(usize, String)> {
    object.iter().filter_map(|(name, value)| text_of(value).map(|text| (table.field(name), text))).collect()
}

/// Scalars as text, lists of scalars joined, anything deeper as JSON.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.iter().all(|i| !i.is_array() && !i.is_object()) => {
            let texts: Vec<String> = items.iter().filter_map(text_of).collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        }
        other => Some(other.to_string()),
    }
}
