//! Rows in the one schema that all sites share.

use std::sync::Arc;

use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use unsite::site::{Reader, Record};
use unsite::store::Tables;
use unsite_columns::RowsBuilder;
use unsite_dom::{Problem, RawPage};

use crate::arrow::RecordBatch;
use crate::errors::{Kind, raised};
use crate::pages::{Item, Pages};
use crate::pool::pool;

/// Bytes that one column of a batch may have: Arrow counts them in 32 bits.
const MOST_BYTES: usize = 1 << 30;

/// What pages are read with.
#[derive(Clone)]
pub(crate) struct Reading {
    pub(crate) reader: Reader,
    pub(crate) tables: Arc<Tables>,
}

/// What rows say besides their values.
#[derive(Debug, Clone)]
pub(crate) struct Saying {
    pub(crate) site: Option<String>,
    pub(crate) cells: bool,
}

/// A page that was read, and what the rows say of it besides.
type Done = Result<(Record, Option<String>), Problem>;

impl Reading {
    /// The rows of some pages; `None` where they are too many for one batch. Without a pool they are read by the thread that asks.
    pub(crate) fn rows(
        &self,
        items: Vec<Item>,
        saying: &Saying,
        pool: Option<&ThreadPool>,
    ) -> Option<arrow_array::RecordBatch> {
        let read = |item: Item| -> Done {
            item.map(|page: RawPage| {
                let record = self.reader.read(&page);
                (record, page.captured.map(|moment| moment.to_string()))
            })
        };
        let done: Vec<Done> = match pool {
            Some(pool) => pool.install(|| items.into_par_iter().map(read).collect()),
            None => items.into_iter().map(read).collect(),
        };
        let mut out = if saying.cells { RowsBuilder::default() } else { RowsBuilder::without_cells() };
        let site = saying.site.as_deref();
        for item in &done {
            match item {
                Ok((record, captured)) => out.page(&self.tables, site, captured.as_deref(), record.rows()),
                Err(problem) => out.problem(site, None, problem),
            }
            if out.bytes() > MOST_BYTES {
                return None;
            }
        }
        Some(out.finish())
    }
}

impl Reading {
    /// The same for Python.
    pub(crate) fn batch(
        &self,
        py: Python<'_>,
        items: Vec<Item>,
        saying: &Saying,
        pool: Option<&ThreadPool>,
    ) -> PyResult<RecordBatch> {
        let count = items.len();
        match py.detach(|| self.rows(items, saying, pool)) {
            Some(batch) => Ok(RecordBatch::new(batch)),
            None => {
                let what = format!("the rows of {count} pages are too many for one batch");
                let advice = "Give fewer pages at once, or use Wrapper.batches with a smaller size";
                Err(raised(py, Kind::Any, &what, "", advice))
            }
        }
    }
}

/// Batches of rows, read as they are asked for.
#[pyclass(module = "unsite")]
pub(crate) struct RowBatches {
    pub(crate) reading: Reading,
    pub(crate) pages: Pages,
    pub(crate) saying: Saying,
    pub(crate) threads: Option<usize>,
    pub(crate) size: usize,
}

#[pymethods]
impl RowBatches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        py.check_signals()?;
        let items = self.pages.take(py, self.size)?;
        if items.is_empty() {
            return Ok(None);
        }
        let pool = if self.threads == Some(1) { None } else { Some(pool(py, self.threads)?) };
        self.reading.batch(py, items, &self.saying, pool.as_deref()).map(Some)
    }
}
