//! What was learned about a site, shared by whoever reads with it.

use std::sync::Arc;

use thiserror::Error;
use unsite_discover::Site;
use unsite_dom::RawPage;
use unsite_wrapper::edits::{Step, Unmade};
use unsite_wrapper::{Designs, SavedError, SavedWrapper, Schema};

use crate::learn::{Settings, learning_limits, provenance};
use crate::reader::Reader;
use crate::repair::repair_site;
use crate::sample::Sample;
use crate::watch::{Checked, Watch};

/// What was learned about a site, with what people changed by hand and all designs that it had. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Wrapper {
    saved: Arc<SavedWrapper>,
    used: Arc<SavedWrapper>,
    designs: Arc<Designs<'static>>,
    unmade: Arc<[Unmade]>,
}

/// Why a repair was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the wrapper cannot be repaired: {reason}; learn the site again, or give more of its pages")]
pub struct Refused {
    /// What is missing for a proof.
    pub reason: String,
}

impl Wrapper {
    /// What was learned elsewhere.
    pub fn new(saved: SavedWrapper) -> Self {
        let saved = Arc::new(saved);
        let (used, unmade) = match saved.edits.is_empty() {
            true => (saved.clone(), Vec::new()),
            false => {
                let edited = saved.edited();
                (Arc::new(edited.saved), edited.unmade)
            }
        };
        let designs = Arc::new(Designs::shared(&used));
        Wrapper { saved, used, designs, unmade: unmade.into() }
    }

    /// Reads the text of a wrapper file.
    pub fn from_text(text: &str) -> Result<Self, SavedError> {
        SavedWrapper::from_text(text).map(Wrapper::new)
    }

    /// The text of a wrapper file.
    pub fn to_text(&self) -> String {
        self.saved.to_text()
    }

    /// All of it, as a file keeps it: what was learned, and the log of edits.
    pub fn saved(&self) -> &Arc<SavedWrapper> {
        &self.saved
    }

    /// What pages are read with: what was learned, with the edits of the log made.
    pub fn used(&self) -> &Arc<SavedWrapper> {
        &self.used
    }

    /// Edits of the log that cannot be made, since what they are about is not there any more.
    pub fn unmade(&self) -> &[Unmade] {
        &self.unmade
    }

    /// The same with edits behind those of the log: all of them, or none and the first that cannot be made.
    pub fn edit(&self, steps: Vec<Step>) -> Result<Wrapper, Unmade> {
        let mut saved = SavedWrapper::clone(&self.saved);
        saved.edit(steps)?;
        Ok(Wrapper::new(saved))
    }

    /// The same with another log of edits. Those that cannot be made stay in it.
    pub fn with_edits(&self, edits: Vec<Step>) -> Wrapper {
        Wrapper::new(SavedWrapper { edits, ..SavedWrapper::clone(&self.saved) })
    }

    /// The tables that are read off pages. Everything that this crate hands out has rows of these.
    pub fn schema(&self) -> &Schema {
        self.designs.schema()
    }

    /// Made ready to read pages.
    pub fn reader(&self) -> Reader {
        Reader::new(self.used.clone(), self.designs.clone())
    }

    /// Whether pages look as they did when the site was learned.
    pub fn check<'p>(&self, pages: impl IntoIterator<Item = &'p RawPage>) -> Checked {
        let reader = self.reader();
        let mut watch = Watch::new(&*self.used);
        for page in pages {
            watch.look(&reader.look(page));
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
        let repair = repair_site(&site, &self.saved, &told, now);
        match repair.refusal() {
            Some(reason) => Err(Refused { reason }),
            None if repair.is_unchanged() => Ok(self.clone()),
            None => Ok(Wrapper::new(repair.saved)),
        }
    }
}
