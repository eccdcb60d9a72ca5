//! Parquet: a column of one type for each column of the table, all of them nullable, compressed by Zstandard.
//!
//! Whole numbers are `INT64`, others `DOUBLE`, dates `DATE`, everything else `STRING`. A value that is not of its
//! column's type is null. Lists inside a page are tables of their own, linked by their keys, as in every other output.

use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::Meta;
use crate::date::days;
use crate::plan::{Field, Kind, Relation};

/// Rows and bytes that are held back and then written together. Readers skip groups as a whole, so they should not be
/// small; what is held back is memory, so they should not be large.
const GROUP_ROWS: usize = 1 << 17;
const GROUP_BYTES: usize = 64 << 20;

pub(super) struct ParquetWriter {
    file: SerializedFileWriter<BufWriter<File>>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
}

/// The values of a column that are held back, and for each row whether there is one.
struct Column {
    values: Values,
    present: Vec<i16>,
}

enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Date(Vec<i32>),
    Text(Vec<ByteArray>),
}

impl ParquetWriter {
    pub(super) fn new(out: BufWriter<File>, relation: &Relation, meta: &Meta) -> io::Result<ParquetWriter> {
        let fields = relation.fields.iter().map(|field| column_type(field).map(Arc::new));
        let fields = fields.collect::<Result<Vec<_>, _>>().map_err(as_io)?;
        let schema = Type::group_type_builder("table").with_fields(fields).build().map_err(as_io)?;
        let meta =
            meta.entries().map(|(key, value)| KeyValue::new(format!("unsite.{key}"), value.to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_key_value_metadata(Some(meta.collect()))
            .set_created_by("unsite".to_owned())
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(as_io)?;
        let columns = relation.fields.iter().map(|field| Column::new(field.kind)).collect();
        Ok(ParquetWriter { file, columns, rows: 0, bytes: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut writer) = group.next_column()? else { break };
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

impl RowWriter for ParquetWriter {
    fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        for (at, column) in self.columns.iter_mut().enumerate() {
            self.bytes += column.take(row.get_ref(at).map_err(io::Error::other)?);
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group().map_err(as_io)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group().map_err(as_io)?;
        }
        self.file.close().map_err(as_io).map(|_| ())
    }
}

impl Column {
    fn new(kind: Kind) -> Column {
        let values = match kind {
            Kind::Integer => Values::Integer(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Date => Values::Date(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
        };
        Column { values, present: Vec::new() }
    }

    /// Takes a value; gives the bytes that it holds.
    fn take(&mut self, value: ValueRef<'_>) -> usize {
        let mut size = 8;
        let mut is_there = true;
        match (&mut self.values, value) {
            (Values::Integer(values), ValueRef::Integer(n)) => values.push(n),
            (Values::Real(values), ValueRef::Real(x)) => values.push(x),
            (Values::Real(values), ValueRef::Integer(n)) => values.push(n as f64),
            (Values::Date(values), ValueRef::Text(text)) => {
                let date = std::str::from_utf8(text).ok().and_then(days);
                values.extend(date);
                is_there = date.is_some();
            }
            (Values::Text(values), ValueRef::Text(text)) => {
                size += text.len();
                values.push(text.to_vec().into());
            }
            _ => is_there = false,
        }
        self.present.push(i16::from(is_there));
        size
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = Some(self.present.as_slice());
        match &mut self.values {
            Values::Integer(values) => {
                writer.typed::<Int64Type>().write_batch(values, present, None)?;
                values.clear();
            }
            Values::Real(values) => {
                writer.typed::<DoubleType>().write_batch(values, present, None)?;
                values.clear();
            }
            Values::Date(values) => {
                writer.typed::<Int32Type>().write_batch(values, present, None)?;
                values.clear();
            }
            Values::Text(values) => {
                writer.typed::<ByteArrayType>().write_batch(values, present, None)?;
                values.clear();
            }
        }
        self.present.clear();
        Ok(())
    }
}

fn column_type(field: &Field) -> Result<Type, ParquetError> {
    let (physical, logical) = match field.kind {
        Kind::Integer => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Date => (Physical::INT32, Some(LogicalType::Date)),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(&field.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// The error of the file system inside, if that is what it is: a full disk has its own message.
fn as_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
