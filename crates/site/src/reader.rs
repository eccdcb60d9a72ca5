//! Pages read with what was learned, by any number of threads.

use std::sync::Arc;

use unsite_dom::{Limits, RawPage, Tree};
use unsite_wrapper::structure::{StructureMark, structure};
use unsite_wrapper::{PageReader, PageRecord, SavedWrapper, Schema};

use crate::record::Record;
use crate::wrapper::{stored, stored_schema};

/// Reads pages. Cheap to clone, and safe to use from any thread.
#[derive(Debug, Clone)]
pub struct Reader {
    saved: Arc<SavedWrapper>,
    schema: Arc<Schema>,
    pages: Arc<PageReader<'static>>,
    limits: Limits,
}

impl Reader {
    pub(crate) fn new(saved: &Arc<SavedWrapper>) -> Self {
        Reader {
            saved: saved.clone(),
            schema: Arc::new(stored_schema(saved)),
            pages: Arc::new(PageReader::shared(saved.clone())),
            limits: Limits::default(),
        }
    }

    /// How much of hostile pages is looked at.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The tables that records have rows of.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Reads a page.
    pub fn read(&self, page: &RawPage) -> Record {
        Record::new(self.schema.clone(), stored(&self.saved, self.read_bare(page)))
    }

    /// Reads a page as it was learned: what [`Watch`](crate::Watch) compares.
    pub fn read_bare(&self, page: &RawPage) -> PageRecord {
        self.pages.extract(page, &self.limits)
    }

    /// Reads a page as it was learned, and how it is built.
    pub fn read_closely(&self, page: &RawPage) -> (PageRecord, Vec<StructureMark>) {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &self.limits);
        let record = self.pages.read_new(page, &tree, &cuts);
        let known = |mark: u64| self.saved.profile.knows(record.page_type, mark);
        let marks = structure(&tree, &self.saved.wrapper.classes, known);
        (record, marks)
    }
}
