//! What a wrapper says of itself, as Python has it.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use unsite::store::Tables;
use unsite_wrapper::{Schema, Storage};

use crate::json as to;

pub(crate) fn page_types<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyAny>> {
    let types = schema.page_types.iter().map(|info| {
        json!({
            "name": info.name, "role": info.role, "url_pattern": info.url_pattern,
            "pages": info.pages, "confidence": info.confidence,
        })
    });
    to::to_python(py, &types.collect())
}

/// In the order of the schema.
pub(crate) fn tables<'py>(py: Python<'py>, schema: &Schema, names: &Tables) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (at, table) in schema.tables.iter().enumerate() {
        let Some(name) = names.name(at) else { continue };
        let columns = table.shown().iter().map(|column| {
            json!({
                "name": column.name, "type": column.value_type.name(), "label": column.label,
                "selector": column.selector, "coverage": column.coverage, "confidence": column.confidence,
            })
        });
        all.set_item(name, to::to_python(py, &columns.collect())?)?;
    }
    Ok(all)
}

pub(crate) fn layout<'py>(py: Python<'py>, tables: &Tables) -> PyResult<Bound<'py, PyAny>> {
    let kind = |storage| match storage {
        Storage::Integer => "int64",
        Storage::Real => "float64",
        Storage::Text => "string",
        Storage::Date => "date",
    };
    let mut all = Vec::new();
    for table in tables.streamed() {
        let mut columns = Vec::new();
        for column in &table.columns {
            let nothing: Option<&str> = None;
            columns.push(json!({"name": column.name, "type": kind(column.storage), "beside": nothing}));
            columns.extend(
                column.beside.iter().map(
                    |(name, storage)| json!({"name": name, "type": kind(*storage), "beside": column.name}),
                ),
            );
        }
        all.push(json!({
            "name": table.name, "parent": table.parent, "is_gathered": table.is_gathered, "columns": columns,
        }));
    }
    to::to_python(py, &Value::Array(all))
}
