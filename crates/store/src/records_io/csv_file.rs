//! CSV and TSV with a header.

use std::path::Path;

use super::{RecordTable, RecordsIoError};

pub(super) fn read(path: &Path, delimiter: u8) -> Result<RecordTable, RecordsIoError> {
    let mut reader = reader(path, delimiter)?;
    let mut table = RecordTable::default();
    let mut record = csv::ByteRecord::new();
    let mut width = 0;
    let (mut ragged, mut not_utf8) = (0_usize, 0_usize);
    let mut first = true;
    while reader.read_byte_record(&mut record).map_err(|e| RecordsIoError::content(path, e))? {
        let cells: Vec<String> = record.iter().map(|cell| lossy(cell, &mut not_utf8)).collect();
        if first {
            first = false;
            for (at, name) in cells.iter().enumerate() {
                let name = name.trim_start_matches('\u{feff}').trim();
                let mut unique = if name.is_empty() { format!("column_{}", at + 1) } else { name.to_owned() };
                while table.fields.contains(&unique) {
                    unique.push('_');
                }
                table.fields.push(unique);
            }
            width = table.fields.len();
            continue;
        }
        ragged += usize::from(cells.len() != width);
        for at in table.fields.len()..cells.len() {
            table.fields.push(format!("column_{}", at + 1));
        }
        let cells = cells.into_iter().enumerate().filter(|(_, text)| !text.is_empty()).collect();
        table.push(cells, None);
    }
    if ragged > 0 {
        table.messages.push(format!(
            "{ragged} rows have more or fewer cells than the header has names; all cells are kept"
        ));
    }
    if not_utf8 > 0 {
        table.messages.push(format!("{not_utf8} cells are not UTF-8; the bad bytes became \u{fffd}"));
    }
    Ok(table)
}

pub(super) fn read_plain(path: &Path) -> Result<Vec<Vec<String>>, RecordsIoError> {
    let mut rows = Vec::new();
    for record in reader(path, b',')?.byte_records() {
        let record = record.map_err(|e| RecordsIoError::content(path, e))?;
        rows.push(record.iter().map(|cell| lossy(cell, &mut 0)).collect());
    }
    if let Some(cell) = rows.first_mut().and_then(|header: &mut Vec<String>| header.first_mut()) {
        *cell = cell.trim_start_matches('\u{feff}').to_owned();
    }
    Ok(rows)
}

fn reader(path: &Path, delimiter: u8) -> Result<csv::Reader<std::fs::File>, RecordsIoError> {
    let file = std::fs::File::open(path).map_err(|e| RecordsIoError::io("read", path, e))?;
    Ok(csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(file))
}

fn lossy(cell: &[u8], bad: &mut usize) -> String {
    let text = String::from_utf8_lossy(cell);
    *bad += usize::from(matches!(text, std::borrow::Cow::Owned(_)));
    text.into_owned()
}
