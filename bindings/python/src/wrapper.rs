//! What was learned about a site.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyTuple};
use serde_json::json;
use unsite::Options;
use unsite::pipeline::{
    Classifier, check_source, extract_tables, extract_with, read_wrapper, repair_wrapper, write_wrapper,
};
use unsite::site::edits::{Edit, EditError};
use unsite::site::{SavedWrapper, Wrapper as SiteWrapper};
use unsite::store::{Output, Tables};
use unsite_columns::TableCollector;

use crate::arrow::RecordBatch;
use crate::batches::{Batches, Made};
use crate::described;
use crate::errors::{self, Kind, raised};
use crate::one_page::{one, receipt, record_of};
use crate::pages::{Pages, source};
use crate::pool::pool;
use crate::report::{CheckReport, DriftWatch, names};
use crate::rows::{Reading, Saying, pool_of};
use crate::source::columns;
use crate::table::Table;
use crate::{edits, job, json as to};

/// What was learned about a site, ready to read pages.
#[pyclass(frozen, module = "unsite")]
pub(crate) struct Wrapper {
    pub(crate) inner: SiteWrapper,
    reading: Reading,
}

/// The tables that programs are given: those that were discovered, and what says where they come from.
pub(crate) fn is_wanted(name: &str) -> bool {
    !name.starts_with('_') || matches!(name, "_pages" | "_problems" | "_main_text")
}

/// How the pipeline goes through pages here.
pub(crate) fn options(py: Python<'_>, seed: u64, sample: usize, threads: Option<usize>) -> PyResult<Options> {
    Ok(Options { seed, sample, pool: Some(pool(py, threads)?), ..Options::default() })
}

impl Wrapper {
    pub(crate) fn of(py: Python<'_>, inner: SiteWrapper) -> PyResult<Self> {
        let tables = Tables::of(inner.schema()).map_err(|error| errors::of(py, &error.into()))?;
        let reading = Reading { reader: inner.reader(), tables: Arc::new(tables) };
        Ok(Wrapper { inner, reading })
    }

    /// As a file keeps it.
    fn saved(&self) -> Arc<SavedWrapper> {
        self.inner.saved().clone()
    }

    /// With its edits made.
    fn used(&self) -> Arc<SavedWrapper> {
        self.inner.used().clone()
    }

    fn with(&self, py: Python<'_>, edits: Vec<Result<Edit, EditError>>) -> PyResult<Wrapper> {
        edits::made(py, &self.inner, edits::steps(py, edits)?)
    }

    /// The tables of a source, in the order of their names in the schema.
    pub(crate) fn tables_of<'py>(
        &self,
        py: Python<'py>,
        source: unsite::acquire::Source,
        options: Options,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let used = self.used();
        let (tables, checked) = job::run(py, progress, move |progress| {
            let mut collector = TableCollector::new(is_wanted);
            let extracted = extract_tables(&source, &used, &mut collector, &options, progress)?;
            Ok((collector.finish(), extracted.checked))
        })?;
        if !checked.findings.is_empty() {
            let said = format!(
                "the site is not as it was learned ({} differences); values may be missing or wrong: see Wrapper.check",
                checked.findings.len()
            );
            let category = py.import("unsite._errors")?.getattr("DriftWarning")?;
            py.import("warnings")?.call_method1("warn", (said, category))?;
        }
        let found = PyDict::new(py);
        for table in tables {
            found.set_item(table.shape.name.clone(), Table::new(table))?;
        }
        Ok(found)
    }

    /// Writes the tables of a source.
    pub(crate) fn write(
        &self,
        py: Python<'_>,
        source: unsite::acquire::Source,
        output: Output,
        options: Options,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PathBuf> {
        let used = self.used();
        job::run(py, progress, move |progress| {
            extract_with(&source, &used, Classifier::Marks, &output, &options, progress)
                .map(|extracted| extracted.summary.path)
        })
    }
}

#[pymethods]
impl Wrapper {
    /// Reads a wrapper file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Wrapper> {
        let saved = py.detach(|| read_wrapper(&path)).map_err(|error| {
            let place = path.display().to_string();
            match errors::of_wrapper_file(&error) {
                Some(saved) => errors::of_saved(py, saved, &place),
                None => errors::of_file(py, &error, &place),
            }
        })?;
        let wrapper = py.detach(|| SiteWrapper::new(saved));
        edits::warn_of_unmade(py, &wrapper)?;
        Wrapper::of(py, wrapper)
    }

    /// Reads the text of a wrapper file.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: &str) -> PyResult<Wrapper> {
        let inner = py.detach(|| SiteWrapper::from_text(text));
        Wrapper::of(py, inner.map_err(|error| errors::of_saved(py, &error, ""))?)
    }

    /// The text of a wrapper file.
    fn to_text(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.to_text())
    }

    /// Writes a wrapper file: whole, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = self.saved();
        py.detach(|| write_wrapper(&path, &saved))
            .map_err(|error| errors::of_file(py, &error, &path.display().to_string()))
    }

    #[getter]
    fn page_types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        described::page_types(py, self.inner.schema())
    }

    /// The columns of each table that are in sight.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        described::tables(py, self.inner.schema(), &self.reading.tables)
    }

    /// The tables that `extract_rows` has rows of: what they belong to, what their columns hold, and whether several pages tell
    /// of one row.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        described::layout(py, &self.reading.tables)
    }

    /// Where it comes from.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to::to_python(py, &json!(self.inner.saved().provenance))
    }

    /// The tables of pages.
    #[pyo3(signature = (pages, *, threads=None, progress=None, url="url", html="html"))]
    fn extract<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
        threads: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
        url: &str,
        html: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let source = source(py, pages, &columns(url, html), None)?;
        let provenance = &self.inner.saved().provenance;
        let options = options(py, provenance.seed, Options::default().sample, threads)?;
        self.tables_of(py, source, options, progress)
    }

    /// Writes the tables of pages to a file, a folder or a database, as the command line does.
    #[pyo3(signature = (pages, output, *, replace=false, threads=None, progress=None, url="url", html="html"))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn extract_to(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        output: PathBuf,
        replace: bool,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
        url: &str,
        html: &str,
    ) -> PyResult<PathBuf> {
        let source = source(py, pages, &columns(url, html), None)?;
        let options = options(py, Options::default().seed, Options::default().sample, threads)?;
        let output = Output::parse(&output).map_err(|error| errors::of(py, &error.into()))?;
        self.write(py, source, output.replace(replace), options, progress)
    }

    /// The rows of pages as one batch of `ROWS`.
    #[pyo3(signature = (pages, *, threads=1, site=None, cells=true, url="url", html="html"))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn extract_rows(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
        site: Option<String>,
        cells: bool,
        url: &str,
        html: &str,
    ) -> PyResult<RecordBatch> {
        let items = Pages::of(pages, &columns(url, html))?.all(py)?;
        self.reading.batch(py, items, &Saying { site, cells }, pool_of(py, threads)?.as_deref())
    }

    /// The rows of any number of pages as batches of `ROWS`, read as they are asked for.
    #[pyo3(signature = (pages, *, threads=1, site=None, size=256, cells=true, url="url", html="html"))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn batches(
        &self,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
        site: Option<String>,
        size: usize,
        cells: bool,
        url: &str,
        html: &str,
    ) -> PyResult<Batches> {
        let pages = Pages::of(pages, &columns(url, html))?;
        let (reading, saying) = (self.reading.clone(), Saying { site, cells });
        Ok(Batches::new(pages, size, Made::Rows { reading, saying, threads }))
    }

    /// The type of each page; `None` for what fits none.
    #[pyo3(signature = (pages, *, url="url", html="html"))]
    fn classify<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
        url: &str,
        html: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut pages = Pages::of(pages, &columns(url, html))?;
        let found = PyList::empty(py);
        while let Some(item) = pages.next(py)? {
            let record = py.detach(|| item.ok().map(|page| self.reading.reader.read(&page)));
            found.append(record.as_ref().and_then(|record| record.page_type()))?;
        }
        Ok(found)
    }

    /// Compares pages with what they looked like when the site was learned.
    #[pyo3(signature = (pages, *, threads=None, progress=None, url="url", html="html"))]
    fn check(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
        url: &str,
        html: &str,
    ) -> PyResult<CheckReport> {
        let source = source(py, pages, &columns(url, html), None)?;
        let options = options(py, Options::default().seed, Options::default().sample, threads)?;
        let used = self.used();
        let checked = job::run(py, progress, {
            let used = used.clone();
            move |progress| check_source(&source, &used, Classifier::Marks, &options, progress)
        })?;
        Ok(CheckReport { checked, names: names(&used) })
    }

    /// A wrapper for the site as it is now. Raises `RepairError` when known records do not prove that it is the same.
    #[pyo3(signature = (pages, *, sample=2000, seed=42, threads=None, progress=None, name=None, url="url", html="html"))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn repair(
        slf: &Bound<'_, Self>,
        pages: &Bound<'_, PyAny>,
        sample: usize,
        seed: u64,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
        name: Option<&str>,
        url: &str,
        html: &str,
    ) -> PyResult<Py<Wrapper>> {
        let py = slf.py();
        let source = source(py, pages, &columns(url, html), name)?;
        let options = options(py, seed, sample, threads)?;
        let saved = slf.get().saved();
        let place = source.name().to_owned();
        let repair =
            job::run(py, progress, move |progress| repair_wrapper(&source, &saved, &options, progress))?;
        if let Some(reason) = repair.refusal() {
            let what = format!("the wrapper cannot be repaired: {reason}");
            let advice = "Learn the site again, or give more of its pages";
            return Err(raised(py, Kind::Repair, &what, &place, advice));
        }
        if repair.is_unchanged() {
            return Ok(slf.clone().unbind());
        }
        let repaired = py.detach(|| SiteWrapper::new(repair.saved));
        edits::warn_of_unmade(py, &repaired)?;
        Py::new(py, Wrapper::of(py, repaired)?)
    }

    /// What is read off one page: its type, its rows with their values, and what went wrong.
    fn read<'py>(&self, py: Python<'py>, page: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let page = one(page)?;
        let record = py.detach(|| self.reading.reader.read(&page));
        record_of(py, &self.reading, &record)
    }

    /// Watches pages go by, one at a time.
    fn watch(&self) -> DriftWatch {
        DriftWatch::new(&self.inner)
    }

    /// Where a value of a page stands and how it is found: the row is counted among the rows of the table on that page.
    fn why<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        table: &str,
        row: usize,
        column: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        receipt(py, &self.inner, &self.reading, &one(page)?, (table, row, column))
    }

    /// The same wrapper with edits made: a file, a dict, or a list of dicts. All of them or none are made; those that are not
    /// strict stay in the log where they cannot be made.
    #[pyo3(signature = (edits, *, strict=true))]
    fn edit(&self, py: Python<'_>, edits: &Bound<'_, PyAny>, strict: bool) -> PyResult<Wrapper> {
        let steps = edits::given(py, edits)?;
        match strict {
            true => edits::made(py, &self.inner, steps),
            false => edits::replayed(py, &self.inner, steps),
        }
    }

    /// Other names for tables, columns (`book.now`) and page types (`type:item`).
    fn rename(&self, py: Python<'_>, names: &Bound<'_, PyMapping>) -> PyResult<Wrapper> {
        self.with(py, Edit::rename_all(edits::pairs(names)?).into_iter().map(Ok).collect())
    }

    /// Tables, columns and page types that are of no interest are not read any more.
    #[pyo3(signature = (*what))]
    fn drop(&self, py: Python<'_>, what: Vec<String>) -> PyResult<Wrapper> {
        self.with(py, what.iter().map(|what| Ok(Edit::drop(what))).collect())
    }

    /// Tables and columns are shown although they are kept out of sight.
    #[pyo3(signature = (*what))]
    fn restore(&self, py: Python<'_>, what: Vec<String>) -> PyResult<Wrapper> {
        self.with(py, what.iter().map(|what| Edit::restore(what)).collect())
    }

    /// Tables, columns of one table and page types become one: each of these into that.
    fn merge(&self, py: Python<'_>, into: &Bound<'_, PyMapping>) -> PyResult<Wrapper> {
        let into = edits::pairs(into)?;
        self.with(py, into.iter().map(|(what, into)| Ok(Edit::merge(what, into))).collect())
    }

    /// Parts of a column become columns of their own, cut where a text stands.
    fn split(&self, py: Python<'_>, column: &str, at: &str, into: Vec<String>) -> PyResult<Wrapper> {
        self.with(py, vec![Edit::split(column, at, into)])
    }

    /// The values of columns are of other types.
    fn retype(&self, py: Python<'_>, types: &Bound<'_, PyMapping>) -> PyResult<Wrapper> {
        let types = edits::pairs(types)?;
        self.with(py, types.iter().map(|(column, to)| Edit::retype(column, to)).collect())
    }

    /// The rows of tables are no rows: their values belong to what is around them.
    #[pyo3(signature = (*tables))]
    fn not_rows(&self, py: Python<'_>, tables: Vec<String>) -> PyResult<Wrapper> {
        self.with(py, tables.into_iter().map(|table| Ok(Edit::NotRows { table })).collect())
    }

    /// A value is wrong and is left out: on one page, or wherever it stands.
    #[pyo3(signature = (column, value, url=None))]
    fn wrong(&self, py: Python<'_>, column: &str, value: &str, url: Option<&str>) -> PyResult<Wrapper> {
        self.with(py, vec![Edit::wrong(column, value, url)])
    }

    /// The same wrapper without the last edits.
    #[pyo3(signature = (count=1))]
    fn undo(&self, py: Python<'_>, count: usize) -> PyResult<Wrapper> {
        edits::undone(py, &self.inner, count)
    }

    /// The same wrapper without the edit of that number, counted from 1.
    fn forget(&self, py: Python<'_>, number: usize) -> PyResult<Wrapper> {
        edits::forgotten(py, &self.inner, number)
    }

    /// The log of edits, as `edit` takes it.
    #[getter]
    fn edits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to::to_python(py, &json!(self.inner.saved().edits))
    }

    /// The edits of the log that cannot be made, and why.
    #[getter]
    fn not_made<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        edits::not_made(py, self.inner.unmade())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let text = slf.get().to_text(py);
        let make = py.import("unsite._shared")?.getattr("wrapper")?;
        Ok((make, PyTuple::new(py, [PyBytes::new(py, text.as_bytes())])?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Wrapper>() else { return false };
        let (one, other) = (self.saved(), other.get().saved());
        // What was just learned holds counts that the file does not.
        Arc::ptr_eq(&one, &other) || py.detach(|| one.to_text() == other.to_text())
    }

    fn __repr__(&self) -> String {
        let schema = self.inner.schema();
        let source = &self.inner.saved().provenance.source;
        format!("Wrapper({source}: {} page types, {} tables)", schema.page_types.len(), schema.tables.len())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("unsite._html")?.getattr("wrapper")?.call1((slf,))
    }
}
