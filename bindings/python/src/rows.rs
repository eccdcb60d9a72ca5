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
use crate::pages::Item;
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

/// The threads that pages are read on; none where the one that asks is enough.
pub(crate) fn pool_of(py: Python<'_>, threads: Option<usize>) -> PyResult<Option<Arc<ThreadPool>>> {
    if threads == Some(1) { Ok(None) } else { pool(py, threads).map(Some) }
}
