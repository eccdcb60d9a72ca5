//! What was learned about a site.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use serde_json::{Value, json};
use unsite::Options;
use unsite::pipeline::{
    Classifier, check_source, extract_tables, extract_with, read_wrapper, repair_wrapper, write_wrapper,
};
use unsite::site::{SavedWrapper, Wrapper as SiteWrapper};
use unsite::store::{Output, Tables};
use unsite_columns::TableCollector;
use unsite_wrapper::Storage;

use crate::arrow::RecordBatch;
use crate::errors::{self, Kind, raised};
use crate::one_page::{one, record_of};
use crate::pages::{Pages, source};
use crate::pool::pool;
use crate::report::{CheckReport, DriftWatch, names};
use crate::rows::{Reading, RowBatches, Saying};
use crate::source::columns;
use crate::table::Table;
use crate::{job, json as to};

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
        let tables = Tables::of(&inner.schema()).map_err(|error| errors::of(py, &error.into()))?;
        let reading = Reading { reader: inner.reader(), tables: Arc::new(tables) };
        Ok(Wrapper { inner, reading })
    }

    fn saved(&self) -> Arc<SavedWrapper> {
        self.inner.saved().clone()
    }

    /// The tables of a source, in the order of their names in the schema.
    pub(crate) fn tables_of<'py>(
        &self,
        py: Python<'py>,
        source: unsite::acquire::Source,
        options: Options,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let saved = self.saved();
        let (tables, checked) = job::run(py, progress, move |progress| {
            let mut collector = TableCollector::new(is_wanted);
            let extracted = extract_tables(&source, &saved, &mut collector, &options, progress)?;
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
        let saved = self.saved();
        job::run(py, progress, move |progress| {
            extract_with(&source, &saved, Classifier::Marks, &output, &options, progress)
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
        Wrapper::of(py, SiteWrapper::new(saved))
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
        let schema = self.inner.schema();
        let types = schema.page_types.iter().map(|info| {
            json!({
                "name": info.name, "role": info.role, "url_pattern": info.url_pattern,
                "pages": info.pages, "confidence": info.confidence,
            })
        });
        to::to_python(py, &types.collect())
    }

    /// The columns of each table that are in sight.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let schema = self.inner.schema();
        let mut tables = serde_json::Map::new();
        for (at, table) in schema.tables.iter().enumerate() {
            let columns: Vec<Value> = table
                .shown()
                .iter()
                .map(|column| {
                    json!({
                        "name": column.name, "type": column.value_type.name(), "label": column.label,
                        "selector": column.selector, "coverage": column.coverage,
                        "confidence": column.confidence,
                    })
                })
                .collect();
            let Some(name) = self.reading.tables.name(at) else { continue };
            tables.insert(name.to_owned(), Value::Array(columns));
        }
        // In the order of the schema, which JSON objects do not keep.
        let all = PyDict::new(py);
        for at in 0..schema.tables.len() {
            if let Some(name) = self.reading.tables.name(at) {
                all.set_item(name, to::to_python(py, &tables[name])?)?;
            }
        }
        Ok(all.into_any())
    }

    /// The tables that `extract_rows` has rows of: what they belong to, what their columns hold, and whether several pages tell
    /// of one row.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let kind = |storage| match storage {
            Storage::Integer => "int64",
            Storage::Real => "float64",
            Storage::Text => "string",
            Storage::Date => "date",
        };
        let mut tables = Vec::new();
        for table in self.reading.tables.streamed() {
            let mut columns = Vec::new();
            for column in &table.columns {
                let nothing: Option<&str> = None;
                columns.push(json!({"name": column.name, "type": kind(column.storage), "beside": nothing}));
                columns.extend(column.beside.iter().map(
                    |(name, storage)| json!({"name": name, "type": kind(*storage), "beside": column.name}),
                ));
            }
            tables.push(json!({
                "name": table.name, "parent": table.parent, "is_gathered": table.is_gathered, "columns": columns,
            }));
        }
        to::to_python(py, &Value::Array(tables))
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
        let mut pages = Pages::of(pages, &columns(url, html))?;
        let mut items = Vec::new();
        while let Some(item) = pages.next(py)? {
            items.push(item);
        }
        let pool = if threads == Some(1) { None } else { Some(pool(py, threads)?) };
        self.reading.batch(py, items, &Saying { site, cells }, pool.as_deref())
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
    ) -> PyResult<RowBatches> {
        let pages = Pages::of(pages, &columns(url, html))?;
        let saying = Saying { site, cells };
        Ok(RowBatches { reading: self.reading.clone(), pages, saying, threads, size: size.max(1) })
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
        let saved = self.saved();
        let checked = job::run(py, progress, {
            let saved = saved.clone();
            move |progress| check_source(&source, &saved, Classifier::Marks, &options, progress)
        })?;
        Ok(CheckReport { checked, names: names(&saved) })
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
        Py::new(py, Wrapper::of(py, SiteWrapper::new(repair.saved))?)
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
        let page = one(page)?;
        let schema = self.inner.schema();
        let names = &self.reading.tables;
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
        let record = self.reading.reader.read(&page);
        let rows: Vec<_> = record.rows().rows.iter().filter(|found| found.table == at).collect();
        let Some(found) = rows.get(row) else {
            let what = format!("{} has {} rows of {table}", page.url, rows.len());
            return Err(raised(py, Kind::Any, &what, &page.url, "Rows are counted from 0"));
        };
        let values: Vec<Value> = found
            .cells
            .iter()
            .filter(|cell| cell.column == place)
            .map(|cell| {
                json!({
                    "value": cell.value, "typed": cell.typed(), "path": cell.path, "is_copy": cell.is_copy,
                })
            })
            .collect();
        let by = &info.columns[place];
        let receipt = json!({
            "table": table, "row": row, "column": column, "values": values,
            "page": {"url": page.url, "page_type": record.page_type()},
            "found_by": {
                "type": by.value_type.name(), "label": by.label, "selector": by.selector,
                "confidence": by.confidence, "coverage": by.coverage,
            },
            "routes": by.routes,
        });
        to::to_python(py, &receipt)
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
