//! Writing records: a temporary file beside the target, then renamed over it.

use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Map, Value};

use super::{RecordTable, RecordsIoError, ending};

/// Writes records with one more column. JSON Lines keeps every record's own text and adds the column; CSV gets the fields in
/// order. A field of that name in the input is left out.
pub fn write_with_column(
    path: &Path,
    table: &RecordTable,
    column: &str,
    values: &[u32],
) -> Result<(), RecordsIoError> {
    match ending(path).as_str() {
        "jsonl" | "ndjson" => replace(path, |out| {
            for (at, row) in table.rows.iter().enumerate() {
                let value = values.get(at).copied().unwrap_or(0);
                writeln!(out, "{}", line(table, at, row, column, value))?;
            }
            Ok(())
        }),
        "csv" => {
            let kept: Vec<usize> = (0..table.fields.len()).filter(|&f| table.fields[f] != column).collect();
            let mut rows =
                vec![kept.iter().map(|&f| table.fields[f].clone()).chain([column.to_owned()]).collect()];
            for (at, row) in table.rows.iter().enumerate() {
                let cells = kept.iter().map(|&f| row.get(f).cloned().flatten().unwrap_or_default());
                rows.push(cells.chain([values.get(at).copied().unwrap_or(0).to_string()]).collect());
            }
            write_rows(path, &rows)
        }
        _ => Err(RecordsIoError::UnknownKind(path.display().to_string())),
    }
}

/// Writes a table of text whose first row is the header: as CSV, or as JSON Lines with empty cells left out.
pub fn write_rows(path: &Path, rows: &[Vec<String>]) -> Result<(), RecordsIoError> {
    match ending(path).as_str() {
        "csv" => replace(path, |out| {
            let mut writer = csv::Writer::from_writer(out);
            for row in rows {
                writer.write_record(row).map_err(std::io::Error::other)?;
            }
            writer.flush()
        }),
        "jsonl" | "ndjson" => replace(path, |out| {
            let Some((header, rows)) = rows.split_first() else { return Ok(()) };
            for row in rows {
                let filled = header.iter().zip(row).filter(|(_, text)| !text.is_empty());
                writeln!(out, "{}", object_text(filled.map(|(name, text)| (name.as_str(), text.as_str()))))?;
            }
            Ok(())
        }),
        _ => Err(RecordsIoError::UnknownKind(path.display().to_string())),
    }
}

/// Writes lines of text as they are.
pub fn write_text(path: &Path, lines: &[String]) -> Result<(), RecordsIoError> {
    replace(path, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// One JSON line: the original text with the column put in before its last brace, or an object of the row's values.
fn line(table: &RecordTable, at: usize, row: &[Option<String>], column: &str, value: u32) -> String {
    let original = table.originals.get(at).and_then(Option::as_deref);
    let has_column = table
        .fields
        .iter()
        .position(|f| f == column)
        .is_some_and(|f| row.get(f).is_some_and(Option::is_some));
    match original {
        Some(text) if has_column => {
            // The rare case: the object is taken apart to replace the field.
            let mut object: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
            object.insert(column.to_owned(), Value::from(value));
            Value::Object(object).to_string()
        }
        Some(text) => {
            let body = text.trim_end().strip_suffix('}').unwrap_or(text).trim_end();
            let comma = if body.ends_with('{') { "" } else { ", " };
            format!("{body}{comma}{}: {value}}}", Value::from(column))
        }
        None => {
            let cells = table.fields.iter().zip(row).filter(|(name, _)| *name != column);
            let body =
                object_text(cells.filter_map(|(name, text)| text.as_deref().map(|t| (name.as_str(), t))));
            let body = body.strip_suffix('}').unwrap_or(&body);
            let comma = if body.ends_with('{') { "" } else { ", " };
            format!("{body}{comma}{}: {value}}}", Value::from(column))
        }
    }
}

/// An object with its fields in the given order.
fn object_text<'a>(cells: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let fields: Vec<String> =
        cells.map(|(name, text)| format!("{}: {}", Value::from(name), Value::from(text))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut std::fs::File>) -> std::io::Result<()>,
) -> Result<(), RecordsIoError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let refused = |e: std::io::Error| RecordsIoError::io("write", path, e);
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Whoever the umask lets; tempfile alone would shut out everybody else.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".unsite-").tempfile_in(folder).map_err(refused)?;
    // Whoever could read the old file can read the new one, and nobody else.
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions()).map_err(refused)?;
    }
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out).and_then(|()| out.flush()).map_err(refused)?;
    drop(out);
    file.as_file().sync_all().map_err(refused)?;
    file.persist(path).map_err(|e| refused(e.error))?;
    Ok(())
}
