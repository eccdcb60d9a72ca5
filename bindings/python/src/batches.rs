//! Batches that are made of pages as they are asked for.

use pyo3::prelude::*;
use unsite_columns::PagesBuilder;

use crate::arrow::RecordBatch;
use crate::pages::{Item, Pages};
use crate::rows::{Reading, Saying, pool_of};

/// Batches of pages, or of the rows of pages, read as they are asked for.
#[pyclass(module = "unsite")]
pub(crate) struct Batches {
    pages: Pages,
    size: usize,
    made: Made,
}

/// What becomes of some pages.
pub(crate) enum Made {
    Pages,
    Rows { reading: Reading, saying: Saying, threads: Option<usize> },
}

impl Batches {
    pub(crate) fn new(pages: Pages, size: usize, made: Made) -> Self {
        Batches { pages, size: size.max(1), made }
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        py.check_signals()?;
        let items = self.pages.take(py, self.size)?;
        if items.is_empty() {
            return Ok(None);
        }
        match &self.made {
            Made::Pages => Ok(Some(py.detach(|| batch_of(&items)))),
            Made::Rows { reading, saying, threads } => {
                reading.batch(py, items, saying, pool_of(py, *threads)?.as_deref()).map(Some)
            }
        }
    }
}

fn batch_of(items: &[Item]) -> RecordBatch {
    let mut out = PagesBuilder::default();
    items.iter().for_each(|item| out.push(item));
    RecordBatch::new(out.finish())
}
