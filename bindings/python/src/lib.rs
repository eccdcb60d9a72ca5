//! The Python package: classes over the façade, pages and tables as Arrow, threads of its own, signals and forks honoured.
//!
//! What Python sees is declared in `python/unsite/_internal.pyi`.

mod arrow;
mod batches;
mod described;
mod discover;
mod edits;
mod errors;
mod job;
mod json;
mod one_page;
mod pages;
mod pool;
mod report;
mod rows;
mod sample;
mod site;
mod source;
mod table;
mod wrapper;

use pyo3::prelude::*;

/// Memory comes and goes in small pieces on every core.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The part of the package that is not written in Python.
#[pymodule]
mod _internal {
    #[pymodule_export]
    use super::arrow::{ArrowSchema, RecordBatch};
    #[pymodule_export]
    use super::batches::Batches;
    #[pymodule_export]
    use super::discover::{discover, learn};
    #[pymodule_export]
    use super::report::{CheckReport, DriftWatch};
    #[pymodule_export]
    use super::sample::SampleState;
    #[pymodule_export]
    use super::site::Site;
    #[pymodule_export]
    use super::source::Source;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::wrapper::Wrapper;

    use super::arrow;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("ROWS", arrow::ArrowSchema::rows())?;
        module.add("PAGES", arrow::ArrowSchema::pages())
    }
}
