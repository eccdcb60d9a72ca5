//! A source of pages that can be read again and again.

use pyo3::prelude::*;
use unsite::acquire::{Source as PageSourceOf, SourceOptions};
use unsite_columns::PageColumns;

use crate::batches::{Batches, Made};
use crate::errors;
use crate::pages::{self, Pages};

/// Pages that can be read again and again.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct Source {
    inner: PageSourceOf,
}

impl Source {
    pub(crate) fn inner(&self) -> &PageSourceOf {
        &self.inner
    }
}

/// The names of the columns with address and page.
pub(crate) fn columns(url: &str, html: &str) -> PageColumns {
    PageColumns { url: url.to_owned(), html: html.to_owned() }
}

#[pymethods]
impl Source {
    #[new]
    #[pyo3(signature = (pages, *, url="url", html="html", name=None))]
    fn new(
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        url: &str,
        html: &str,
        name: Option<&str>,
    ) -> PyResult<Self> {
        Ok(Source { inner: pages::source(py, pages, &columns(url, html), name)? })
    }

    /// Records of a WARC file at known places.
    #[staticmethod]
    fn records(py: Python<'_>, path: &str, ranges: Vec<(u64, u64)>) -> PyResult<Self> {
        let source = PageSourceOf::records(path, ranges, &SourceOptions::default());
        Ok(Source { inner: source.map_err(|error| errors::of(py, &error.into()))? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    /// Batches of `PAGES`.
    #[pyo3(signature = (size=256))]
    fn batches(&self, py: Python<'_>, size: usize) -> PyResult<Batches> {
        let stream = self.inner.pages().map_err(|error| errors::of(py, &error.into()))?;
        Ok(Batches::new(Pages::of_stream(stream), size, Made::Pages))
    }

    fn __repr__(&self) -> String {
        format!("Source({:?}, {})", self.inner.name(), self.inner.kind().name())
    }
}
