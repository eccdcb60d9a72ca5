//! From pages to a site.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde_json::json;
use unsite::pipeline::{Classifier, learn_wrapper};
use unsite::site::{NoPages, Wrapper as SiteWrapper, learn_sample};
use unsite_dom::RawPage;

use crate::pages::{Pages, path_of, source};
use crate::site::Site;
use crate::source::columns;
use crate::wrapper::{Wrapper, options};
use crate::{errors, job};

/// Learns a site.
#[pyfunction]
#[pyo3(signature = (pages, *, seed=42, sample=2000, threads=None, progress=None, name=None, url="url", html="html"))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn discover(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    seed: u64,
    sample: usize,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    name: Option<&str>,
    url: &str,
    html: &str,
) -> PyResult<Site> {
    let source = source(py, pages, &columns(url, html), name)?;
    let options = options(py, seed, sample, threads)?;
    let taught = job::run(py, progress, {
        let source = source.clone();
        move |progress| learn_wrapper(&source, &options, Classifier::Marks, progress)
    })?;
    let mut saved = taught.saved;
    if let (Some(name), Some(_)) = (name, path_of(pages)?) {
        saved.provenance.source = name.to_owned();
    }
    let wrapper = Py::new(py, Wrapper::of(py, SiteWrapper::new(saved))?)?;
    let problems = json!(taught.problems);
    Ok(Site { source, wrapper, problems, seed, sample, threads, tables: PyOnceLock::new() })
}

/// Learns from pages that were chosen before: those of a sample of so many pages in all.
#[pyfunction]
#[pyo3(signature = (pages, *, total=None, seed=42, sample=2000, threads=None, progress=None, name="pages", url="url", html="html"))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    total: Option<usize>,
    seed: u64,
    sample: usize,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    name: &str,
    url: &str,
    html: &str,
) -> PyResult<Wrapper> {
    let items = Pages::of(pages, &columns(url, html))?.all(py)?;
    let pages: Vec<RawPage> = items.into_iter().flatten().collect();
    if pages.is_empty() {
        return Err(errors::of(py, &NoPages.into()));
    }
    let options = options(py, seed, sample, threads)?;
    let settings = options.settings(name.to_owned());
    let saved = job::run(py, progress, move |progress| {
        progress.stage("discovering", None);
        let total = total.unwrap_or(pages.len());
        Ok(options.on_pool(|| learn_sample(pages, total, &settings)))
    })?;
    Wrapper::of(py, SiteWrapper::new(saved))
}
