//! In the place of reading Parquet in a program that was built without it.

use std::path::Path;

use super::{RecordTable, RecordsIoError};

pub(super) fn read(path: &Path) -> Result<RecordTable, RecordsIoError> {
    Err(RecordsIoError::content(path, crate::output::NO_PARQUET))
}
