//! Parquet, row by row.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::{RecordTable, RecordsIoError};

pub(super) fn read(path: &Path) -> Result<RecordTable, RecordsIoError> {
    let file = File::open(path).map_err(|e| RecordsIoError::io("read", path, e))?;
    let reader = SerializedFileReader::new(file).map_err(|e| RecordsIoError::content(path, e))?;
    let mut table = RecordTable::default();
    for row in reader.get_row_iter(None).map_err(|e| RecordsIoError::content(path, e))? {
        let row = row.map_err(|e| RecordsIoError::content(path, e))?;
        let cells = row
            .get_column_iter()
            .filter_map(|(name, value)| text_of(value).map(|text| (table.field(name), text)));
        let cells: Vec<(usize, String)> = cells.collect();
        table.push(cells, None);
    }
    Ok(table)
}

fn text_of(value: &Field) -> Option<String> {
    match value {
        Field::Null => None,
        Field::Str(text) => Some(text.clone()),
        Field::Bytes(bytes) => Some(String::from_utf8_lossy(bytes.data()).into_owned()),
        other => Some(other.to_string()),
    }
}
