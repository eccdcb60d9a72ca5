//! One page, and what is read off it, as Python has it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Value as Json, json};
use unsite::site::{Record, Wrapper};
use unsite::store::Value;
use unsite_dom::RawPage;

use crate::errors::{Kind, raised};
use crate::json as to;
use crate::pages::Pages;
use crate::rows::Reading;
use crate::source::columns;
use crate::table::day;

/// The one page that an object stands for.
pub(crate) fn one(page: &Bound<'_, PyAny>) -> PyResult<RawPage> {
    let py = page.py();
    let list = PyList::new(py, [page])?;
    match Pages::of(list.as_any(), &columns("url", "html"))?.next(py)? {
        Some(Ok(page)) => Ok(page),
        Some(Err(problem)) => {
            Err(raised(py, Kind::Page, &problem.message, &problem.reference, "Give one (url, html)"))
        }
        None => Err(raised(py, Kind::Page, "there is no page to look at", "", "Give one (url, html)")),
    }
}

/// What was read off a page.
pub(crate) fn record_of<'py>(
    py: Python<'py>,
    reading: &Reading,
    record: &Record,
) -> PyResult<Bound<'py, PyDict>> {
    let rows = PyList::empty(py);
    for (at, row) in record.rows().rows.iter().enumerate() {
        let Some(name) = reading.tables.name(row.table) else { continue };
        let values = PyDict::new(py);
        for (column, value) in reading.tables.values(row) {
            values.set_item(column, of_type(py, value)?)?;
        }
        let found = PyDict::new(py);
        found.set_item("table", name)?;
        found.set_item("row", at)?;
        found.set_item("parent", row.parent)?;
        found.set_item("is_view", row.is_view)?;
        found.set_item("values", values)?;
        rows.append(found)?;
    }
    let problems = PyList::empty(py);
    for problem in record.problems() {
        problems.append((problem.kind.name(), &problem.message))?;
    }
    let read = PyDict::new(py);
    read.set_item("url", record.url())?;
    read.set_item("page_type", record.page_type())?;
    read.set_item("role", &record.rows().role)?;
    read.set_item("rows", rows)?;
    read.set_item("problems", problems)?;
    Ok(read)
}

fn of_type<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Integer(n) => n.into_pyobject(py)?.into_any(),
        Value::Real(x) => x.into_pyobject(py)?.into_any(),
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Date(days) => day(py, days)?,
    })
}

/// Where a value of a page stands and how it is found: the row is counted among the rows of the table on that page.
pub(crate) fn receipt<'py>(
    py: Python<'py>,
    wrapper: &Wrapper,
    reading: &Reading,
    page: &RawPage,
    (table, row, column): (&str, usize, &str),
) -> PyResult<Bound<'py, PyAny>> {
    let schema = wrapper.schema();
    let names = &reading.tables;
    let is_table = |at: usize| names.name(at) == Some(table) || schema.tables[at].name == table;
    let Some(at) = (0..schema.tables.len()).find(|&at| is_table(at)) else {
        let there: Vec<&str> = schema.tables.iter().map(|table| table.name.as_str()).collect();
        let what = format!("there is no table {table:?}");
        return Err(raised(py, Kind::Any, &what, "", &format!("The tables are {}", there.join(", "))));
    };
    let info = &schema.tables[at];
    let Some(place) = info.columns.iter().position(|known| known.name == column) else {
        let there: Vec<&str> = info.columns.iter().map(|column| column.name.as_str()).collect();
        let what = format!("{table} has no column {column:?}");
        return Err(raised(py, Kind::Any, &what, "", &format!("Its columns are {}", there.join(", "))));
    };
    let record = reading.reader.read(page);
    let rows: Vec<_> = record.rows().rows.iter().filter(|found| found.table == at).collect();
    let Some(found) = rows.get(row) else {
        let what = format!("{} has {} rows of {table}", page.url, rows.len());
        return Err(raised(py, Kind::Any, &what, &page.url, "Rows are counted from 0"));
    };
    let cells = found.cells.iter().filter(|cell| cell.column == place);
    let values: Vec<Json> = cells
        .map(|cell| {
            json!({
                "value": cell.value, "typed": cell.typed(), "path": cell.path, "is_copy": cell.is_copy,
            })
        })
        .collect();
    let by = record.found_by(at, place);
    let found_by = by.as_ref().map(|by| {
        json!({
            "type": by.value_type.name(), "label": by.label, "selector": by.selector,
            "confidence": by.confidence, "coverage": by.coverage,
        })
    });
    let receipt = json!({
        "table": table, "row": row, "column": column, "values": values,
        "page": {"url": page.url, "page_type": record.page_type(), "design": record.design()},
        "found_by": found_by,
        "routes": by.map(|by| by.routes).unwrap_or_default(),
    });
    to::to_python(py, &receipt)
}
