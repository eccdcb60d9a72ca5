//! A table of a site.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch as Batch};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::error::PyArrowResult;
use unsite_columns::ColumnTable;

use crate::arrow;

/// A table with the names and types that every other output has.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct Table {
    table: ColumnTable,
}

impl Table {
    pub(crate) fn new(table: ColumnTable) -> Self {
        Table { table }
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn name(&self) -> &str {
        &self.table.shape.name
    }

    #[getter]
    fn num_rows(&self) -> usize {
        self.table.rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.table.shape.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// The columns that are keys, with the table and column that each refers to.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keys = PyDict::new(py);
        for column in &self.table.shape.columns {
            if let Some((table, to)) = &column.refers_to {
                keys.set_item(&column.name, (table, *to))?;
            }
        }
        Ok(keys)
    }

    /// The first rows, a dict each.
    #[pyo3(signature = (limit=None))]
    fn to_pylist<'py>(&self, py: Python<'py>, limit: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for batch in &self.table.batches {
            for at in 0..batch.num_rows() {
                if limit.is_some_and(|limit| rows.len() >= limit) {
                    return Ok(rows);
                }
                rows.append(self.row(py, batch, at)?)?;
            }
        }
        Ok(rows)
    }

    fn __len__(&self) -> usize {
        self.table.rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table.schema, self.table.batches.clone(), requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("Table({}: {} rows of {})", self.name(), self.table.rows(), self.column_names().join(", "))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("unsite._html")?.getattr("table")?.call1((slf,))
    }
}

impl Table {
    fn row<'py>(&self, py: Python<'py>, batch: &Batch, at: usize) -> PyResult<Bound<'py, PyDict>> {
        let row = PyDict::new(py);
        for (column, name) in batch.columns().iter().zip(&self.table.shape.columns) {
            let value = match column.data_type() {
                _ if column.is_null(at) => py.None().into_bound(py),
                DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into_pyobject(py)?.into_any(),
                DataType::Float64 => {
                    column.as_primitive::<Float64Type>().value(at).into_pyobject(py)?.into_any()
                }
                DataType::Date32 => day(py, column.as_primitive::<Date32Type>().value(at))?,
                _ => column.as_string::<i32>().value(at).into_pyobject(py)?.into_any(),
            };
            row.set_item(&name.name, value)?;
        }
        Ok(row)
    }
}

/// Days from the first day that Python's calendar knows to 1970-01-01.
const FIRST_DAY: i32 = 719_163;

/// A day that is so many days after 1970-01-01.
pub(crate) fn day(py: Python<'_>, days: i32) -> PyResult<Bound<'_, PyAny>> {
    py.import("datetime")?.getattr("date")?.call_method1("fromordinal", (days + FIRST_DAY,))
}
