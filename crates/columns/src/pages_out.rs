//! Pages and what could not be read, as batches.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema, SchemaRef};
use unsite_acquire::layout_block;
use unsite_dom::{Problem, RawPage};

use crate::array::field;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        field("url", DataType::Utf8),
        field("reference", DataType::Utf8),
        field("html", DataType::Binary),
        field("charset", DataType::Utf8),
        field("status", DataType::Int32),
        field("offset", DataType::Int64),
        field("captured", DataType::Utf8),
        field("layout", DataType::Binary),
        field("problem", DataType::Utf8),
        field("message", DataType::Utf8),
    ]))
});

/// The schema of [`PagesBuilder`]'s batches: pages, and rows without `html` whose `problem` and `message` say what could not be
/// read.
pub fn pages_schema() -> SchemaRef {
    SCHEMA.clone()
}

/// Makes batches of [`pages_schema`].
#[derive(Default)]
pub struct PagesBuilder {
    url: StringBuilder,
    reference: StringBuilder,
    html: BinaryBuilder,
    charset: StringBuilder,
    status: Int32Builder,
    offset: Int64Builder,
    captured: StringBuilder,
    layout: BinaryBuilder,
    problem: StringBuilder,
    message: StringBuilder,
    rows: usize,
}

impl PagesBuilder {
    /// Takes a page, or why there is none.
    pub fn push(&mut self, item: &Result<RawPage, Problem>) {
        let offset = |offset: Option<u64>| offset.and_then(|offset| i64::try_from(offset).ok());
        self.rows += 1;
        match item {
            Ok(page) => {
                self.url.append_value(&page.url);
                self.reference.append_value(&page.reference);
                self.html.append_value(&page.bytes);
                self.charset.append_option(page.charset.as_deref());
                self.status.append_option(page.status.map(i32::from));
                self.offset.append_option(offset(page.offset));
                self.captured.append_option(page.captured.map(|moment| moment.to_string()));
                self.layout.append_option(page.layout.as_ref().map(layout_block));
                self.problem.append_null();
                self.message.append_null();
            }
            Err(problem) => {
                self.url.append_option(problem.url.as_deref());
                self.reference.append_value(&problem.reference);
                self.html.append_null();
                self.charset.append_null();
                self.status.append_null();
                self.offset.append_option(offset(problem.offset));
                self.captured.append_null();
                self.layout.append_null();
                self.problem.append_value(problem.kind.name());
                self.message.append_value(&problem.message);
            }
        }
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The batch, and a fresh start.
    pub fn finish(&mut self) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.url.finish()),
            Arc::new(self.reference.finish()),
            Arc::new(self.html.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.captured.finish()),
            Arc::new(self.layout.finish()),
            Arc::new(self.problem.finish()),
            Arc::new(self.message.finish()),
        ];
        self.rows = 0;
        // The columns are those of the schema and of one length, so that nothing can fail.
        RecordBatch::try_new(pages_schema(), columns)
            .unwrap_or_else(|_| RecordBatch::new_empty(pages_schema()))
    }
}
