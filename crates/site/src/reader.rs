//! Pages read with what was learned, by any number of threads.

use std::sync::Arc;

use unsite_dom::{Limits, RawPage, Tree};
use unsite_wrapper::structure::{StructureMark, structure};
use unsite_wrapper::{Designs, PageRecord, SavedWrapper, Schema};

use crate::record::Record;

/// Reads pages, each with the design that it was made in. Cheap to clone, and safe to use from any thread.
#[derive(Debug, Clone)]
pub struct Reader {
    used: Arc<SavedWrapper>,
    designs: Arc<Designs<'static>>,
    limits: Limits,
}

/// A page as [`Watch`](crate::Watch) compares it.
#[derive(Debug, Clone)]
pub struct Look {
    /// As its design has it.
    pub(crate) bare: PageRecord,
    pub(crate) marks: Vec<StructureMark>,
    read: Record,
}

impl Look {
    /// What was read off the page.
    pub fn record(&self) -> &Record {
        &self.read
    }
}

impl Reader {
    pub(crate) fn new(used: Arc<SavedWrapper>, designs: Arc<Designs<'static>>) -> Self {
        Reader { used, designs, limits: Limits::default() }
    }

    /// How much of hostile pages is looked at.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The tables that records have rows of.
    pub fn schema(&self) -> &Schema {
        self.designs.schema()
    }

    /// Reads a page.
    pub fn read(&self, page: &RawPage) -> Record {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &self.limits);
        let (design, record) = self.designs.read(page, &tree, &cuts);
        self.record(design, record)
    }

    /// Reads a page, and how it is built.
    pub fn look(&self, page: &RawPage) -> Look {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &self.limits);
        let (design, record) = self.designs.read(page, &tree, &cuts);
        let known = |mark: u64| self.used.profile.knows(record.page_type, mark);
        let marks = structure(&tree, &self.used.wrapper.classes, known);
        let bare = record.clone();
        Look { bare, marks, read: self.record(design, record) }
    }

    fn record(&self, design: usize, page: PageRecord) -> Record {
        Record::new(self.used.clone(), self.designs.clone(), design, page)
    }
}
