//! Batches and schemas that any library of columns can take over, by the Arrow PyCapsule interface.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch as Batch, StructArray};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};
use unsite_columns::{pages_schema, rows_schema};

/// A table is a struct to Arrow.
fn as_struct(schema: &SchemaRef) -> FieldRef {
    Arc::new(Field::new("", DataType::Struct(schema.fields().clone()), false))
}

/// Hands over batches as one stream.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: Vec<Batch>,
    requested: Option<Bound<'py, PyCapsule>>,
) -> PyArrowResult<Bound<'py, PyCapsule>> {
    let arrays = batches.into_iter().map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
    to_stream_pycapsule(py, Box::new(ArrayIterator::new(arrays, as_struct(schema))), requested)
}

/// Hands over a schema.
pub(crate) fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyArrowResult<Bound<'py, PyCapsule>> {
    to_schema_pycapsule(py, schema)
}

/// What the columns of a batch are called and hold.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct ArrowSchema {
    schema: SchemaRef,
}

impl ArrowSchema {
    pub(crate) fn rows() -> Self {
        ArrowSchema { schema: rows_schema() }
    }

    pub(crate) fn pages() -> Self {
        ArrowSchema { schema: pages_schema() }
    }
}

#[pymethods]
impl ArrowSchema {
    #[getter]
    fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        schema(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        let fields = self.schema.fields().iter().map(|f| format!("{}: {}", f.name(), f.data_type()));
        format!("ArrowSchema({})", fields.collect::<Vec<_>>().join(", "))
    }
}

/// Some rows with their columns.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct RecordBatch {
    batch: Batch,
}

impl RecordBatch {
    pub(crate) fn new(batch: Batch) -> Self {
        RecordBatch { batch }
    }
}

#[pymethods]
impl RecordBatch {
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        schema(py, &self.batch.schema())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let array = StructArray::from(self.batch.clone());
        to_array_pycapsules(py, as_struct(&self.batch.schema()), &array, requested_schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        stream(py, &self.batch.schema(), vec![self.batch.clone()], requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("RecordBatch({} rows of {})", self.batch.num_rows(), self.column_names().join(", "))
    }
}
