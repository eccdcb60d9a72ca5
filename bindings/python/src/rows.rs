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
use crate::pages::{Item, Pages};
use crate::pool::pool;

/// What pages are read with.
#[derive(Clone)]
pub(crate) struct Reading {
    pub(crate) reader: Reader,
    pub(crate) tables: Arc<Tables>,
}

/// A page that was read, and what the rows say of it besides.
type Done = Result<(Record, Option<String>), Problem>;

impl Reading {
    /// The rows of some pages. Without a pool they are read by the thread that asks.
    pub(crate) fn rows(
        &self,
        items: Vec<Item>,
        site: Option<&str>,
        pool: Option<&ThreadPool>,
    ) -> arrow_array::RecordBatch {
        let read = |item: Item| -> Done {
            item.map(|page: RawPage| {
                let record = self.reader.read(&page);
                (record, page.captured)
            })
        };
        let done: Vec<Done> = match pool {
            Some(pool) => pool.install(|| items.into_par_iter().map(read).collect()),
            None => items.into_iter().map(read).collect(),
        };
        let mut out = RowsBuilder::default();
        for item in &done {
            match item {
                Ok((record, captured)) => out.page(&self.tables, site, captured.as_deref(), record.rows()),
                Err(problem) => out.problem(site, None, problem),
            }
        }
        out.finish()
    }
}

/// Batches of rows, read as they are asked for.
#[pyclass(module = "unsite")]
pub(crate) struct RowBatches {
    pub(crate) reading: Reading,
    pub(crate) pages: Pages,
    pub(crate) site: Option<String>,
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
        let (reading, site) = (&self.reading, self.site.as_deref());
        Ok(Some(RecordBatch::new(py.detach(|| reading.rows(items, site, pool.as_deref())))))
    }
}
