//! Pages from whatever a Python program has them in.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyString, PyTuple};
use pyo3_arrow::input::AnyRecordBatch;
use unsite::acquire::{Collector, Source as PageSourceOf, SourceOptions};
use unsite_columns::{EMPTY, PageBatches, PageColumns};
use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use crate::errors::{self, Kind, raised};
use crate::source::Source;

/// Pages between two looks at signals.
const LISTEN_EVERY: usize = 256;

/// Bytes of pages that are read ahead of the work on them.
const BATCH_BYTES: usize = 32 << 20;

/// A page, or why there is none.
pub(crate) type Item = Result<RawPage, Problem>;

/// What pages can be given as, in words.
const WANTED: &str = "Give a path, pairs of (url, html), dicts or a table with the columns url and html, or an iterator of these";

/// Pages one after another. Nobody waits for the locks: Python wants to share what holds them.
pub(crate) enum Pages {
    Source(Mutex<Box<dyn PageSource>>),
    Batches {
        batches: Mutex<Box<dyn RecordBatchReader + Send>>,
        columns: PageColumns,
        open: Option<PageBatches>,
    },
    Python {
        items: Py<PyIterator>,
        columns: PageColumns,
        open: Option<Box<Pages>>,
        seen: usize,
    },
}

/// The path that an object stands for, if it does.
pub(crate) fn path_of(pages: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(text) = pages.cast::<PyString>() {
        return Ok(Some(text.to_string()));
    }
    if pages.hasattr("__fspath__")? {
        let path: PathBuf = pages.extract()?;
        return Ok(Some(path.to_string_lossy().into_owned()));
    }
    Ok(None)
}

/// Opens a path of any kind that the command line reads.
pub(crate) fn open(py: Python<'_>, path: String) -> PyResult<PageSourceOf> {
    let source = py.detach(|| PageSourceOf::open(&path, &SourceOptions::default()));
    source.map_err(|error| errors::of(py, &error.into()))
}

/// Pages that can be read more than once.
pub(crate) fn source(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    columns: &PageColumns,
    name: Option<&str>,
) -> PyResult<PageSourceOf> {
    if let Ok(source) = pages.cast::<Source>() {
        return Ok(source.get().inner().clone());
    }
    if let Some(path) = path_of(pages)? {
        return open(py, path);
    }
    let name = name.unwrap_or("pages");
    let mut collector = Collector::default();
    let mut pages = Pages::of(pages, columns)?;
    while let Some(item) = pages.next(py)? {
        let kept = collector.push(item);
        kept.map_err(|error| {
            let what = format!("the pages cannot be kept in a temporary file: {error}");
            raised(py, Kind::Source, &what, name, "Make room, or let TMPDIR name another folder")
        })?;
    }
    PageSourceOf::collected(name, collector).map_err(|error| errors::of(py, &error.into()))
}

impl Pages {
    /// Whatever it is that pages come in.
    pub(crate) fn of(pages: &Bound<'_, PyAny>, columns: &PageColumns) -> PyResult<Pages> {
        let py = pages.py();
        if let Ok(source) = pages.cast::<Source>() {
            return Pages::of_source(py, source.get().inner());
        }
        if let Some(path) = path_of(pages)? {
            return Pages::of_source(py, &open(py, path)?);
        }
        if let Some(batches) = batches_of(pages)? {
            let batches = Mutex::new(batches);
            return Ok(Pages::Batches { batches, columns: columns.clone(), open: None });
        }
        // A data frame of pandas gives its column names when it is iterated, and needs pyarrow to speak Arrow.
        if pages.hasattr("columns")? && pages.hasattr("iloc")? {
            let column = |name: &str| pages.get_item(name);
            let (url, html) = (column(&columns.url)?, column(&columns.html)?);
            let pairs = py.import("builtins")?.getattr("zip")?.call1((url, html))?;
            return Pages::of(&pairs, columns);
        }
        let is_whole = pages.is_instance_of::<PyBytes>() || pages.is_instance_of::<PyDict>();
        match pages.try_iter() {
            Ok(items) if !is_whole => {
                Ok(Pages::Python { items: items.unbind(), columns: columns.clone(), open: None, seen: 0 })
            }
            _ => {
                let what = format!("{} cannot be read as pages", kind_name(pages));
                Err(raised(py, Kind::Page, &what, "", WANTED))
            }
        }
    }

    fn of_source(py: Python<'_>, source: &PageSourceOf) -> PyResult<Pages> {
        source.pages().map(Pages::of_stream).map_err(|error| errors::of(py, &error.into()))
    }

    /// Pages of a source.
    pub(crate) fn of_stream(stream: Box<dyn PageSource>) -> Pages {
        Pages::Source(Mutex::new(stream))
    }

    /// The next page.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Item>> {
        match self {
            Pages::Source(source) => {
                let source = source.get_mut().unwrap_or_else(PoisonError::into_inner);
                Ok(py.detach(|| source.next_page()))
            }
            Pages::Batches { batches, columns, open } => loop {
                if let Some(item) = open.as_mut().and_then(Iterator::next) {
                    return Ok(Some(item));
                }
                // Whoever fills the stream may need the interpreter.
                let batches = batches.get_mut().unwrap_or_else(PoisonError::into_inner);
                let Some(batch) = py.detach(|| batches.next()) else { return Ok(None) };
                let batch = batch.map_err(|error| {
                    let what = format!("the table cannot be read: {error}");
                    raised(py, Kind::Page, &what, "", "Look at what makes the table")
                })?;
                *open = Some(PageBatches::new(&batch, columns).map_err(|error| {
                    let said = error.to_string();
                    let (what, advice) = said.split_once(". ").unwrap_or((&said, WANTED));
                    raised(py, Kind::Page, what, "", advice)
                })?);
            },
            Pages::Python { items, columns, open, seen } => loop {
                if let Some(inner) = open {
                    match inner.next(py)? {
                        Some(item) => return Ok(Some(item)),
                        None => *open = None,
                    }
                }
                if seen.is_multiple_of(LISTEN_EVERY) {
                    py.check_signals()?;
                }
                let Some(object) = items.bind(py).clone().next() else { return Ok(None) };
                let object = object?;
                *seen += 1;
                if let Some(page) = page_of(&object, columns, *seen)? {
                    return Ok(Some(not_empty(page)));
                }
                match batches_of(&object)? {
                    Some(batches) => {
                        let (batches, columns) = (Mutex::new(batches), columns.clone());
                        *open = Some(Box::new(Pages::Batches { batches, columns, open: None }));
                    }
                    None => return Err(no_page(&object, *seen)),
                }
            },
        }
    }

    /// All of them.
    pub(crate) fn all(&mut self, py: Python<'_>) -> PyResult<Vec<Item>> {
        let mut items = Vec::new();
        while let Some(item) = self.next(py)? {
            items.push(item);
        }
        Ok(items)
    }

    /// Does something with all of them, some at a time; signals are looked for in between.
    pub(crate) fn each(
        &mut self,
        py: Python<'_>,
        mut take: impl FnMut(Vec<Item>) -> PyResult<()>,
    ) -> PyResult<()> {
        loop {
            py.check_signals()?;
            match self.take(py, LISTEN_EVERY)? {
                items if items.is_empty() => return Ok(()),
                items => take(items)?,
            }
        }
    }

    /// Up to so many pages, and fewer of large ones.
    pub(crate) fn take(&mut self, py: Python<'_>, most: usize) -> PyResult<Vec<Item>> {
        if let Pages::Source(source) = self {
            let source = source.get_mut().unwrap_or_else(PoisonError::into_inner);
            return py.detach(|| some(|| Ok(source.next_page()), most));
        }
        some(|| self.next(py), most)
    }
}

fn some<E>(mut next: impl FnMut() -> Result<Option<Item>, E>, most: usize) -> Result<Vec<Item>, E> {
    let (mut items, mut bytes) = (Vec::new(), 0);
    while items.len() < most && bytes < BATCH_BYTES {
        let Some(item) = next()? else { break };
        bytes += item.as_ref().map_or(0, |page| page.bytes.len());
        items.push(item);
    }
    Ok(items)
}

/// The batches of a table of any library.
fn batches_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Box<dyn RecordBatchReader + Send>>> {
    if !object.hasattr("__arrow_c_stream__")? && !object.hasattr("__arrow_c_array__")? {
        return Ok(None);
    }
    match object.extract::<AnyRecordBatch>().and_then(AnyRecordBatch::into_reader) {
        Ok(batches) => Ok(Some(batches)),
        // pandas promises more than it can do where there is no pyarrow.
        Err(_) if object.hasattr("iloc")? => Ok(None),
        Err(error) => Err(error),
    }
}

/// A pair, a dict, or something with fields of these names; `None` for anything else.
fn page_of(object: &Bound<'_, PyAny>, columns: &PageColumns, at: usize) -> PyResult<Option<RawPage>> {
    if let Ok(pair) = object.cast::<PyTuple>() {
        return match pair.len() {
            2 => page(&pair.get_item(0)?, &pair.get_item(1)?, at).map(Some),
            _ => Err(no_page(object, at)),
        };
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let field = |name: &str| {
            dict.get_item(name)?.ok_or_else(|| {
                let what = format!("page {at} has no {name:?}");
                raised(object.py(), Kind::Page, &what, "", WANTED)
            })
        };
        let mut found = page(&field(&columns.url)?, &field(&columns.html)?, at)?;
        if let Some(reference) = dict.get_item("reference")?.filter(|value| !value.is_none()) {
            found.reference = reference.extract()?;
        }
        if let Some(status) = dict.get_item("status")?.filter(|value| !value.is_none()) {
            found.status = Some(status.extract()?);
        }
        return Ok(Some(found));
    }
    if object.is_instance_of::<pyo3::types::PyList>() && object.len()? == 2 {
        return page(&object.get_item(0)?, &object.get_item(1)?, at).map(Some);
    }
    Ok(None)
}

fn page(url: &Bound<'_, PyAny>, html: &Bound<'_, PyAny>, at: usize) -> PyResult<RawPage> {
    let py = url.py();
    let wrong = |name: &str, value: &Bound<'_, PyAny>, wanted: &str| {
        let what = format!("the {name} of page {at} is {}, not {wanted}", kind_name(value));
        raised(py, Kind::Page, &what, "", WANTED)
    };
    let Ok(address) = url.cast::<PyString>() else { return Err(wrong("url", url, "text")) };
    let url = address.to_string_lossy().into_owned();
    let (bytes, charset) = if let Ok(text) = html.cast::<PyString>() {
        // Text of a program is Unicode, whatever the page inside says about its encoding.
        (text.to_string_lossy().into_owned().into_bytes(), Some("utf-8".to_owned()))
    } else if let Ok(bytes) = html.cast::<PyBytes>() {
        (bytes.as_bytes().to_vec(), None)
    } else if let Ok(bytes) = html.extract::<Vec<u8>>() {
        (bytes, None)
    } else {
        return Err(wrong("html", html, "text or bytes"));
    };
    Ok(RawPage { reference: url.clone(), url, bytes, charset, ..RawPage::default() })
}

/// A page without anything on it is a problem, as in every other source.
fn not_empty(page: RawPage) -> Item {
    if !page.bytes.is_empty() {
        return Ok(page);
    }
    Err(Problem {
        kind: ProblemKind::Unreadable,
        reference: page.reference,
        url: Some(page.url),
        offset: None,
        message: EMPTY.to_owned(),
    })
}

fn no_page(object: &Bound<'_, PyAny>, at: usize) -> PyErr {
    let what = format!("page {at} is {}, which is no page", kind_name(object));
    raised(object.py(), Kind::Page, &what, "", WANTED)
}

fn kind_name(object: &Bound<'_, PyAny>) -> String {
    if object.is_none() {
        return "None".to_owned();
    }
    object.get_type().name().map_or_else(|_| "something".to_owned(), |name| name.to_string())
}
