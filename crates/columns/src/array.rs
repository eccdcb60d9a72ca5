//! Texts as they come, for columns whose length is known at the end.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, ListArray, MapArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};

/// Bytes of text that a batch may hold in one column: offsets are 32 bits wide.
pub(crate) const MOST_TEXT: usize = 1 << 30;

/// A field that may be null.
pub(crate) fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, true)
}

/// A field that is never null.
pub(crate) fn required(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

/// The entries of a map from text to text.
pub(crate) fn map_entries() -> FieldRef {
    let fields = Fields::from(vec![required("key", DataType::Utf8), field("value", DataType::Utf8)]);
    Arc::new(required("entries", DataType::Struct(fields)))
}

/// The cells of a row.
pub(crate) fn cell_item() -> FieldRef {
    let fields = Fields::from(vec![
        required("column", DataType::Utf8),
        required("value", DataType::Utf8),
        field("typed", DataType::Utf8),
        required("path", DataType::Utf8),
    ]);
    Arc::new(field("element", DataType::Struct(fields)))
}

/// Maps from text to text, one a row.
pub(crate) struct Maps {
    keys: StringBuilder,
    values: StringBuilder,
    offsets: Vec<i32>,
}

impl Maps {
    pub(crate) fn new() -> Self {
        Maps { keys: StringBuilder::new(), values: StringBuilder::new(), offsets: vec![0] }
    }

    pub(crate) fn put(&mut self, key: &str, value: Option<&str>) {
        self.keys.append_value(key);
        self.values.append_option(value);
    }

    /// Ends a map.
    pub(crate) fn end(&mut self) {
        self.offsets.push(self.last());
    }

    fn last(&self) -> i32 {
        use arrow_array::builder::ArrayBuilder;
        i32::try_from(self.keys.len()).unwrap_or(i32::MAX)
    }

    pub(crate) fn finish(&mut self) -> ArrayRef {
        let entries = map_entries();
        let columns: Vec<ArrayRef> = vec![Arc::new(self.keys.finish()), Arc::new(self.values.finish())];
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let DataType::Struct(fields) = entries.data_type().clone() else { unreachable!("is a struct") };
        let structs = StructArray::new(fields, columns, None);
        Arc::new(MapArray::new(entries, OffsetBuffer::new(offsets.into()), structs, None, false))
    }
}

/// Lists of cells, one a row.
pub(crate) struct Cells {
    columns: [StringBuilder; 4],
    offsets: Vec<i32>,
    count: i32,
}

impl Cells {
    pub(crate) fn new() -> Self {
        Cells { columns: std::array::from_fn(|_| StringBuilder::new()), offsets: vec![0], count: 0 }
    }

    pub(crate) fn put(&mut self, column: &str, value: &str, typed: Option<&str>, path: &str) {
        let [columns, values, types, paths] = &mut self.columns;
        columns.append_value(column);
        values.append_value(value);
        types.append_option(typed);
        paths.append_value(path);
        self.count += 1;
    }

    /// Ends a list.
    pub(crate) fn end(&mut self) {
        self.offsets.push(self.count);
    }

    /// Bytes of the longest column so far.
    pub(crate) fn bytes(&self) -> usize {
        self.columns.iter().map(|column| column.values_slice().len()).max().unwrap_or(0)
    }

    pub(crate) fn finish(&mut self) -> ArrayRef {
        let item = cell_item();
        let columns: Vec<ArrayRef> =
            self.columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        self.count = 0;
        let DataType::Struct(fields) = item.data_type().clone() else { unreachable!("is a struct") };
        let structs = StructArray::new(fields, columns, None);
        Arc::new(ListArray::new(item, OffsetBuffer::new(offsets.into()), Arc::new(structs), None))
    }
}
