//! Arrow record batches: the tables of a site as the stores type them, rows of any site in one fixed schema, pages in and out.
//!
//! - [`TableCollector`] takes the tables of a finished run.
//! - [`RowsBuilder`] makes batches of [`rows_schema`], which is the same for every site: an engine that maps batches has one
//!   schema a plan, and a job may hold thousands of wrappers.
//! - [`PageBatches`] reads pages from batches with `url` and `html`; [`PagesBuilder`] makes batches of pages and problems.

mod array;
mod pages_in;
mod pages_out;
mod rows;
mod tables;

pub use pages_in::{EMPTY, PageBatches, PageColumns, WrongColumns};
pub use pages_out::{PagesBuilder, pages_schema};
pub use rows::{RowsBuilder, page_key, rows_schema};
pub use tables::{ColumnTable, TableCollector, shape_schema};
