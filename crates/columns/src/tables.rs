//! The tables of a finished run as Arrow holds them: the names, types and order of every other output.

use std::mem;
use std::sync::Arc;

use arrow_array::builder::{Date32Builder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use unsite_store::{TableShape, TakeTables, Value};
use unsite_wrapper::Storage;

use crate::array::MOST_TEXT;

/// Rows of a batch: enough that engines work on columns, few enough that a batch of one table stays small.
const BATCH_ROWS: usize = 1 << 16;

/// A table.
#[derive(Debug, Clone)]
pub struct ColumnTable {
    /// Its name and columns, as the stores have them.
    pub shape: TableShape,
    /// The same for Arrow.
    pub schema: SchemaRef,
    /// Its rows.
    pub batches: Vec<RecordBatch>,
}

impl ColumnTable {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// The schema of a table.
pub fn shape_schema(shape: &TableShape) -> SchemaRef {
    let kind = |storage| match storage {
        Storage::Integer => DataType::Int64,
        Storage::Real => DataType::Float64,
        Storage::Text => DataType::Utf8,
        Storage::Date => DataType::Date32,
    };
    let columns = shape.columns.iter().map(|column| Field::new(&column.name, kind(column.storage), true));
    Arc::new(Schema::new(columns.collect::<Vec<_>>()))
}

/// Takes the tables of a finished run.
pub struct TableCollector {
    done: Vec<ColumnTable>,
    open: Option<Open>,
    wants: fn(&str) -> bool,
}

struct Open {
    table: ColumnTable,
    columns: Vec<Column>,
    rows: usize,
}

enum Column {
    Integer(Int64Builder),
    Real(Float64Builder),
    Text(StringBuilder),
    Date(Date32Builder),
}

impl TableCollector {
    /// Takes the tables with the names that are wanted.
    pub fn new(wants: fn(&str) -> bool) -> Self {
        TableCollector { done: Vec::new(), open: None, wants }
    }

    /// The tables, in the order in which they came.
    pub fn finish(mut self) -> Vec<ColumnTable> {
        self.close();
        self.done
    }

    fn close(&mut self) {
        if let Some(mut open) = self.open.take() {
            open.flush();
            self.done.push(open.table);
        }
    }
}

impl TakeTables for TableCollector {
    fn table(&mut self, shape: &TableShape) -> bool {
        self.close();
        if !(self.wants)(&shape.name) {
            return false;
        }
        let columns = shape.columns.iter().map(|column| Column::new(column.storage)).collect();
        let table = ColumnTable { shape: shape.clone(), schema: shape_schema(shape), batches: Vec::new() };
        self.open = Some(Open { table, columns, rows: 0 });
        true
    }

    fn row(&mut self, values: &[Value<'_>]) {
        let Some(open) = &mut self.open else { return };
        let mut most = 0;
        for (column, value) in open.columns.iter_mut().zip(values) {
            most = most.max(column.push(*value));
        }
        open.rows += 1;
        if open.rows >= BATCH_ROWS || most > MOST_TEXT {
            open.flush();
        }
    }
}

impl Open {
    fn flush(&mut self) {
        if mem::take(&mut self.rows) == 0 {
            return;
        }
        let columns: Vec<ArrayRef> = self.columns.iter_mut().map(Column::finish).collect();
        // The columns were made from the schema and are of one length, so that nothing can fail.
        if let Ok(batch) = RecordBatch::try_new(self.table.schema.clone(), columns) {
            self.table.batches.push(batch);
        }
    }
}

impl Column {
    fn new(storage: Storage) -> Self {
        match storage {
            Storage::Integer => Column::Integer(Int64Builder::new()),
            Storage::Real => Column::Real(Float64Builder::new()),
            Storage::Text => Column::Text(StringBuilder::new()),
            Storage::Date => Column::Date(Date32Builder::new()),
        }
    }

    /// Takes a value; gives the bytes of text so far.
    fn push(&mut self, value: Value<'_>) -> usize {
        match (self, value) {
            (Column::Integer(column), Value::Integer(n)) => column.append_value(n),
            (Column::Integer(column), _) => column.append_null(),
            (Column::Real(column), Value::Real(x)) => column.append_value(x),
            (Column::Real(column), _) => column.append_null(),
            (Column::Date(column), Value::Date(day)) => column.append_value(day),
            (Column::Date(column), _) => column.append_null(),
            (Column::Text(column), value) => {
                column.append_option(match value {
                    Value::Text(text) => Some(text),
                    _ => None,
                });
                return column.values_slice().len();
            }
        }
        0
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Integer(column) => Arc::new(column.finish()),
            Column::Real(column) => Arc::new(column.finish()),
            Column::Text(column) => Arc::new(column.finish()),
            Column::Date(column) => Arc::new(column.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Date32Type, Float64Type, Int64Type};
    use unsite_store::ColumnShape;

    use super::*;

    #[test]
    fn tables_come_with_their_types_and_in_batches() {
        let column = |name: &str, storage| ColumnShape {
            name: name.into(),
            storage,
            refers_to: None,
            is_discovered: true,
        };
        let shape = TableShape {
            name: "book".into(),
            columns: vec![
                column("id", Storage::Integer),
                column("price", Storage::Real),
                column("title", Storage::Text),
                column("sold", Storage::Date),
            ],
        };
        let mut collector = TableCollector::new(|name| name == "book");
        assert!(!collector.table(&TableShape { name: "_cells".into(), columns: Vec::new() }));
        assert!(collector.table(&shape));
        for n in 0..BATCH_ROWS as i64 + 1 {
            collector.row(&[Value::Integer(n), Value::Real(0.5), Value::Text("x"), Value::Date(3)]);
        }
        collector.row(&[Value::Null, Value::Text("sold out"), Value::Null, Value::Null]);
        let tables = collector.finish();
        assert_eq!((tables.len(), tables[0].rows(), tables[0].batches.len()), (1, BATCH_ROWS + 2, 2));
        let last = &tables[0].batches[1];
        assert_eq!(last.column(0).as_primitive::<Int64Type>().value(0), BATCH_ROWS as i64);
        assert_eq!(last.column(1).as_primitive::<Float64Type>().value(0), 0.5);
        assert_eq!(last.column(2).as_string::<i32>().value(0), "x");
        assert_eq!(last.column(3).as_primitive::<Date32Type>().value(0), 3);
        assert!(last.columns().iter().all(|column| column.is_null(1)));
    }
}
