//! A site that was learned, with its pages.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use serde_json::json;
use unsite::Options;
use unsite::acquire::Source as PageSourceOf;
use unsite::store::{Format, Output};

use crate::json as to;
use crate::wrapper::{Wrapper, options};

/// A site that was learned, with its pages.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct Site {
    pub(crate) source: PageSourceOf,
    pub(crate) wrapper: Py<Wrapper>,
    pub(crate) problems: serde_json::Value,
    pub(crate) seed: u64,
    pub(crate) sample: usize,
    pub(crate) threads: Option<usize>,
    pub(crate) tables: PyOnceLock<Py<PyDict>>,
}

impl Site {
    fn options(&self, py: Python<'_>) -> PyResult<Options> {
        options(py, self.seed, self.sample, self.threads)
    }

    fn write(&self, py: Python<'_>, output: Output) -> PyResult<PathBuf> {
        let options = self.options(py)?;
        self.wrapper.get().write(py, self.source.clone(), output, options, None)
    }
}

#[pymethods]
impl Site {
    #[getter]
    fn wrapper(&self, py: Python<'_>) -> Py<Wrapper> {
        self.wrapper.clone_ref(py)
    }

    #[getter]
    fn page_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.wrapper.bind(py).getattr("page_types")
    }

    /// The tables of all pages, read when they are first asked for.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = self.tables.get_or_try_init(py, || {
            let options = self.options(py)?;
            self.wrapper.get().tables_of(py, self.source.clone(), options, None).map(Bound::unbind)
        })?;
        Ok(tables.bind(py).clone())
    }

    /// How many problems of each kind there were.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to::to_python(py, &self.problems)
    }

    /// How many pages there are, and how many were learned from.
    #[getter]
    fn pages(&self) -> usize {
        self.wrapper.get().inner.saved().provenance.pages
    }

    #[getter]
    fn learned_from(&self) -> usize {
        self.wrapper.get().inner.saved().provenance.learned_from
    }

    /// The same pages read with another wrapper: one that was edited, or repaired.
    fn with_wrapper(&self, wrapper: Py<Wrapper>) -> Site {
        Site {
            source: self.source.clone(),
            wrapper,
            problems: self.problems.clone(),
            tables: PyOnceLock::new(),
            ..*self
        }
    }

    #[pyo3(signature = (path, *, replace=false))]
    fn to_sqlite(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<PathBuf> {
        self.write(py, Output::database(path).replace(replace))
    }

    #[pyo3(signature = (folder, *, replace=false))]
    fn to_parquet(&self, py: Python<'_>, folder: PathBuf, replace: bool) -> PyResult<PathBuf> {
        self.write(py, Output::folder(folder, Format::Parquet).replace(replace))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let provenance = json!(self.wrapper.get().inner.saved().provenance.source);
        let wrapper = self.wrapper.bind(py).repr()?.to_string();
        Ok(format!("Site({} pages of {}, {wrapper})", self.pages(), provenance.as_str().unwrap_or_default()))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("unsite._html")?.getattr("site")?.call1((slf,))
    }
}
