//! Which pages are learned from, however many machines look at them.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use unsite::site::SampleState as State;

use crate::arrow::RecordBatch;
use crate::errors::{Kind, raised};
use crate::pages::{Item, Pages};
use crate::source::columns;
use unsite_columns::PagesBuilder;

/// Which pages a sample holds, without the pages.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct SampleState {
    state: Mutex<State>,
}

impl SampleState {
    fn with<T>(&self, use_it: impl FnOnce(&mut State) -> T) -> T {
        use_it(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn of(state: State) -> Self {
        SampleState { state: Mutex::new(state) }
    }
}

#[pymethods]
impl SampleState {
    #[new]
    #[pyo3(signature = (seed=42, sample=2000))]
    fn new(seed: u64, sample: usize) -> Self {
        SampleState::of(State::new(seed, sample))
    }

    /// Looks at pages. Gives the number of problems among them.
    #[pyo3(signature = (pages, *, url="url", html="html"))]
    fn add(&self, py: Python<'_>, pages: &Bound<'_, PyAny>, url: &str, html: &str) -> PyResult<usize> {
        let mut problems = 0;
        Pages::of(pages, &columns(url, html))?.each(py, |items| {
            problems += items.iter().filter(|item| item.is_err()).count();
            py.detach(|| self.with(|state| items.iter().flatten().for_each(|page| drop(state.offer(page)))));
            Ok(())
        })?;
        Ok(problems)
    }

    /// Puts another part of the pages to these.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, SampleState>) -> PyResult<()> {
        let other = other.get().with(|state| state.clone());
        self.with(|state| state.merge(&other)).map_err(|error| {
            let advice = "Make both with the same seed and sample";
            raised(py, Kind::Any, &error.to_string(), "", advice)
        })
    }

    /// Those of the pages that are in the sample, as a batch of `PAGES`. They must have been added before.
    #[pyo3(signature = (pages, *, url="url", html="html"))]
    fn pick(&self, py: Python<'_>, pages: &Bound<'_, PyAny>, url: &str, html: &str) -> PyResult<RecordBatch> {
        let mut out = PagesBuilder::default();
        Pages::of(pages, &columns(url, html))?.each(py, |items| {
            let holds = |item: &&Item| item.as_ref().is_ok_and(|page| self.with(|state| state.holds(page)));
            py.detach(|| items.iter().filter(holds).for_each(|item| out.push(item)));
            Ok(())
        })?;
        Ok(RecordBatch::new(out.finish()))
    }

    /// The state without its keys: all that `pick` needs.
    fn bound(&self) -> SampleState {
        SampleState::of(self.with(|state| state.bound()))
    }

    #[getter]
    fn total(&self) -> usize {
        self.with(|state| state.total())
    }

    fn __len__(&self) -> usize {
        self.with(|state| state.len())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.with(|state| state.to_text()).as_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<SampleState> {
        let text = String::from_utf8_lossy(data);
        State::from_text(&text).map(SampleState::of).map_err(|error| {
            let what = format!("this is no sample: {error}");
            raised(py, Kind::Any, &what, "", "Give what to_bytes made")
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let make = slf.get_type().getattr("from_bytes")?;
        Ok((make, PyTuple::new(py, [slf.get().to_bytes(py)])?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<SampleState>() else { return false };
        let other = other.get().with(|state| state.clone());
        self.with(|state| *state == other)
    }

    fn __repr__(&self) -> String {
        self.with(|state| format!("SampleState({} of {} pages)", state.len(), state.total()))
    }
}
