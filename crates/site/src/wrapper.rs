//! What was learned about a site, shared by whoever reads with it.

use std::sync::Arc;

use thiserror::Error;
use unsite_discover::Site;
use unsite_dom::RawPage;
use unsite_wrapper::{PageRecord, SavedError, SavedWrapper, Schema};

use crate::learn::{Settings, learning_limits, provenance};
use crate::reader::Reader;
use crate::sample::Sample;
use crate::watch::{Checked, Watch};

/// What was learned about a site. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Wrapper {
    saved: Arc<SavedWrapper>,
}

/// Why a repair was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the wrapper cannot be repaired: {reason}; learn the site again, or give more of its pages")]
pub struct Refused {
    /// What is missing for a proof.
    pub reason: String,
}

/// The tables that outputs hold. Everything that this crate hands out has rows of these.
pub(crate) fn stored_schema(saved: &SavedWrapper) -> Schema {
    saved.wrapper.stored_schema()
}

/// The rows of a page as outputs hold them.
pub(crate) fn stored(saved: &SavedWrapper, record: PageRecord) -> PageRecord {
    saved.wrapper.stored(record)
}

impl Wrapper {
    /// What was learned elsewhere.
    pub fn new(saved: SavedWrapper) -> Self {
        Wrapper { saved: Arc::new(saved) }
    }

    /// Reads the text of a wrapper file.
    pub fn from_text(text: &str) -> Result<Self, SavedError> {
        SavedWrapper::from_text(text).map(Wrapper::new)
    }

    /// The text of a wrapper file.
    pub fn to_text(&self) -> String {
        self.saved.to_text()
    }

    /// All of it.
    pub fn saved(&self) -> &Arc<SavedWrapper> {
        &self.saved
    }

    /// The tables that are read off pages.
    pub fn schema(&self) -> Schema {
        stored_schema(&self.saved)
    }

    /// Made ready to read pages.
    pub fn reader(&self) -> Reader {
        Reader::new(&self.saved)
    }

    /// Whether pages look as they did when the site was learned.
    pub fn check<'p>(&self, pages: impl IntoIterator<Item = &'p RawPage>) -> Checked {
        let reader = self.reader();
        let mut watch = Watch::new(&*self.saved);
        for page in pages {
            let (record, marks) = reader.read_closely(page);
            watch.page(&record);
            watch.structure(record.page_type, &marks);
        }
        watch.finish()
    }

    /// Learns a changed site anew under the old names, if known records prove that it is the same.
    pub fn repair(
        &self,
        pages: impl IntoIterator<Item = RawPage>,
        settings: &Settings,
    ) -> Result<Wrapper, Refused> {
        let mut sample = Sample::new(settings.seed, settings.sample);
        pages.into_iter().for_each(|page| sample.offer(page));
        let total = sample.total();
        let pages = sample.into_pages();
        let known = &self.saved.provenance;
        let mut now = provenance(&settings.name, total, pages.len(), settings.seed, settings.method);
        now.history.clone_from(&known.history);
        now.history.push(format!("repaired on {}; learned from {} before", now.source, known.source));
        let site = Site::parse(pages, &learning_limits(&settings.limits));
        let told =
            unsite_discover::page_types::Options { seed: settings.seed, ..settings.page_types.clone() };
        let repair = unsite_discover::repair(&site, &self.saved, &told, now);
        match repair.refusal() {
            Some(reason) => Err(Refused { reason }),
            None if repair.is_unchanged() => Ok(self.clone()),
            None => Ok(Wrapper::new(repair.saved)),
        }
    }
}
