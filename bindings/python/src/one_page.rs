//! One page, and what is read off it, as Python has it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use unsite::site::Record;
use unsite::store::Value;
use unsite_dom::RawPage;

use crate::errors::{Kind, raised};
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
