//! In the place of Parquet in a program that was built without it. [`crate::Output::parse`] says so before anything is read.

use std::fs::File;
use std::io::{self, BufWriter};

use rusqlite::Row;

use super::RowWriter;
use crate::Meta;
use crate::plan::Relation;

/// A file of rows; there is none.
pub(super) enum ParquetWriter {}

impl ParquetWriter {
    pub(super) fn new(_: BufWriter<File>, _: &Relation, _: &Meta) -> io::Result<ParquetWriter> {
        Err(io::Error::new(io::ErrorKind::Unsupported, crate::output::NO_PARQUET))
    }
}

impl RowWriter for ParquetWriter {
    fn row(&mut self, _: &Row<'_>) -> io::Result<()> {
        match *self {}
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        match *self {}
    }
}
