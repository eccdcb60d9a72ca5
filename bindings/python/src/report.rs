//! How pages look compared with what was learned.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use unsite::pipeline::Checked;
use unsite::site::{Reader, SavedWrapper, Watch, Wrapper};

use crate::json as to;
use crate::one_page::one;

/// Watches pages go by, one at a time.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct DriftWatch {
    watch: Mutex<Watch<Arc<SavedWrapper>>>,
    reader: Reader,
    names: Vec<String>,
}

impl DriftWatch {
    pub(crate) fn new(wrapper: &Wrapper) -> Self {
        let watch = Mutex::new(Watch::new(wrapper.used().clone()));
        DriftWatch { watch, reader: wrapper.reader(), names: names(wrapper.used()) }
    }
}

/// The names of the page types.
pub(crate) fn names(saved: &SavedWrapper) -> Vec<String> {
    saved.wrapper.schema.page_types.iter().map(|info| info.name.clone()).collect()
}

#[pymethods]
impl DriftWatch {
    /// Looks at a page. Gives its type.
    fn add(&self, py: Python<'_>, page: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let page = one(page)?;
        Ok(py.detach(|| {
            let look = self.reader.look(&page);
            self.watch.lock().unwrap_or_else(PoisonError::into_inner).look(&look);
            look.record().page_type().map(str::to_owned)
        }))
    }

    /// How the pages look so far.
    fn report(&self, py: Python<'_>) -> CheckReport {
        let checked = py.detach(|| {
            let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner).clone();
            watch.finish()
        });
        CheckReport { checked, names: self.names.clone() }
    }
}

/// What pages looked like through a wrapper.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct CheckReport {
    pub(crate) checked: Checked,
    pub(crate) names: Vec<String>,
}

#[pymethods]
impl CheckReport {
    #[getter]
    fn pages(&self) -> u64 {
        self.checked.pages
    }

    #[getter]
    fn pages_of_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (name, pages) in self.names.iter().zip(&self.checked.pages_of_type) {
            all.set_item(name, pages)?;
        }
        Ok(all)
    }

    #[getter]
    fn set_aside(&self) -> u64 {
        self.checked.set_aside
    }

    #[getter]
    fn aside(&self) -> Vec<String> {
        self.checked.aside.clone()
    }

    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to::to_python(py, &json!(self.checked.findings))
    }

    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to::to_python(py, &json!(self.checked.problems))
    }

    #[getter]
    fn has_changed(&self) -> bool {
        !self.checked.findings.is_empty()
    }

    fn __repr__(&self) -> String {
        let said = match self.checked.findings.len() {
            0 => "as learned".to_owned(),
            count => format!("{count} differences"),
        };
        format!("CheckReport({} pages, {} set aside, {said})", self.checked.pages, self.checked.set_aside)
    }
}
