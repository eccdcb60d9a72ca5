//! Sinks: SQLite, PostgreSQL, Parquet, CSV, JSON Lines.
//!
//! ```
//! use unsite_store::{Meta, Output, Sink};
//! use unsite_wrapper::{Cell, ColumnInfo, PageRecord, Row, Schema, TableInfo};
//!
//! let columns = vec![ColumnInfo { name: "title".into(), ..Default::default() }];
//! let books = TableInfo { name: "book".into(), columns, ..Default::default() };
//! let schema = Schema { tables: vec![books], ..Default::default() };
//! let title = Cell { value: "Dune".into(), path: "html/body/h1".into(), ..Default::default() };
//! let row = Row { cells: vec![title], ..Default::default() };
//! let page = PageRecord { url: "https://books.example/1".into(), rows: vec![row], ..Default::default() };
//!
//! let folder = tempfile::tempdir()?;
//! let out = Output::parse(folder.path().join("site.db"))?;
//! let mut sink = Sink::create(&out, &schema, &Meta::new("0.1.0", 42))?;
//! sink.page(&page)?;
//! assert_eq!(sink.finish()?.rows, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What an output holds
//! - One table for each relation: `id`, `page_id`, for a list inside a page `<parent>_id`, the discovered columns, and
//!   beside each link to rows of another table `<column>_id` (without `_url`, `_link` or `_href`): the row of the page
//!   that it leads to, NULL when that page was not read. Integers and decimals are numbers where the value could be
//!   typed and the text as it stands where not. Of several values in one column of one row the first stands in the
//!   table; `_cells` has them all.
//! - `_pages`, `_page_types` (with the number of pages of each in this output), `_tables`, `_columns`, `_cells`,
//!   `_problems` and `_meta`. `_cells` is a view that takes apart the packed receipts of rows.
//! - Where an address was captured more than once, `_history`: each value that a row has told for itself, with its first and
//!   last sighting and the page. `_pages` has a row for each capture (`captured`); `latest` is 0 for those that are not the
//!   newest of their address. The tables hold what the newest ones say.
//! - Names that need no quotes: letters, digits, underscores. A reserved word gets an underscore behind it, a column
//!   called like a key `_value`, a name that is taken a number. `_columns` and `_cells` use the names as they stand.
//! - A relation with more columns than SQLite can hold goes on in `<table>_more`, under the same `id`; `_problems`
//!   says so.
//!
//! The other formats hold the same tables; see [`Output::parse`] for what is called how. A database that is there is
//! added to by the URLs of pages, files are written anew.

pub mod changes;
mod date;
mod error;
mod export;
mod history_sql;
mod identity;
mod merge;
mod output;
mod place;
mod plan;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(not(feature = "postgres"))]
#[path = "absent/postgres.rs"]
mod postgres;
pub mod receipts;
pub mod records_io;
pub mod search;
mod shape;
mod sink;
mod spaces;
mod sqlite;
mod streamed;
mod summary;

pub use error::StoreError;
pub use merge::Merged;
pub use output::{Format, Output};
pub use shape::{ColumnShape, TableShape, TakeTables, Value};
pub use sink::Sink;
pub use streamed::{NamedValue, StreamedColumn, StreamedTable, Tables};
pub use summary::{Meta, Summary, TableSummary};
