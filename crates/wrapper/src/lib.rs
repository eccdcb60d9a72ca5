//! What was learned about a site, and how to apply it to a page.

mod output;

pub use output::{Cell, ColumnInfo, PageRecord, PageTypeInfo, Row, Schema, TableInfo, ValueType};
