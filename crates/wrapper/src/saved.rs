//! The wrapper file, `site.unsite`: one versioned JSON text with everything that was learned about a site.
//!
//! `docs/wrappers.md` describes it. This module turns it into text and back; where the text is kept is up to the caller.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::edits::Step;
use crate::epochs::{self, Designs, Epoch, Seen};
use crate::json;
use crate::known::KnownPage;
use crate::model::Wrapper;
use crate::profile::SiteProfile;
use crate::spectra::Spectra;

/// What the file says it is.
pub const FORMAT: &str = "unsite wrapper";

/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// A wrapper with where it comes from and what its pages looked like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedWrapper {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What was learned.
    pub wrapper: Wrapper,
    /// What its pages and values looked like.
    pub profile: SiteProfile,
    /// Records that were read, by which a changed site is recognised.
    pub known: Vec<KnownPage>,
    /// Spectra of pages for `--classifier fourier`.
    #[serde(default, skip_serializing_if = "Spectra::is_empty")]
    pub spectra: Spectra,
    /// When this design of the site was seen, where captures told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Seen>,
    /// The designs that the site had before, the newest first.
    // Names are written in their order, and what the file is stands first.
    #[serde(rename = "older_designs", default, skip_serializing_if = "Vec::is_empty")]
    pub epochs: Vec<Epoch>,
    /// What people changed by hand, in order; see [`SavedWrapper::edited`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Step>,
}

/// Where a wrapper comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program and its version.
    pub program: String,
    /// The name of the source, without the folder it stood in.
    pub source: String,
    /// The pages of the source.
    pub pages: usize,
    /// The pages of the sample that was learned from.
    pub learned_from: usize,
    /// What random choices started from.
    pub seed: u64,
    /// How page types were found.
    pub method: String,
    /// What was done to it afterwards: repairs, new page types. Newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
}

/// Why a file is not a wrapper that can be used.
#[derive(Debug, Error)]
pub enum SavedError {
    /// It is not JSON, or not this JSON.
    #[error("this is not a wrapper file: {0}; `unsite learn SOURCE -w site.unsite` writes one")]
    NotOne(String),
    /// It stops in the middle.
    #[error(
        "the wrapper file is cut off at line {line}; it was not written to its end: learn it again or take a copy"
    )]
    Truncated {
        /// Where it stops.
        line: usize,
    },
    /// It is of another version.
    #[error("the wrapper file is of version {found}, this program reads version {VERSION}; {}", advice(*.found))]
    Version {
        /// What it says.
        found: u64,
    },
    /// Something in it is of the wrong kind.
    #[error("the wrapper file is damaged: {0}; learn it again")]
    Damaged(String),
}

fn advice(found: u64) -> &'static str {
    if found > u64::from(VERSION) { "use a newer unsite" } else { "learn it again" }
}

/// What every version has.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

impl SavedWrapper {
    /// The file's text.
    pub fn to_text(&self) -> String {
        // Everything in it has a JSON form: names are text, numbers are finite.
        let value = serde_json::to_value(self).unwrap_or_default();
        json::pretty(&value)
    }

    /// Reads the text of a file and checks that everything in it fits together.
    pub fn from_text(text: &str) -> Result<Self, SavedError> {
        let header: Header = serde_json::from_str(text).map_err(|error| {
            if error.is_eof() && text.contains(FORMAT) {
                SavedError::Truncated { line: error.line() }
            } else {
                SavedError::NotOne(error.to_string())
            }
        })?;
        if header.format != FORMAT {
            return Err(SavedError::NotOne(format!("its format is {:?}", shortened(&header.format))));
        }
        if header.version != u64::from(VERSION) {
            return Err(SavedError::Version { found: header.version });
        }
        let saved: SavedWrapper =
            serde_json::from_str(text).map_err(|error| SavedError::Damaged(shortened(&error.to_string())))?;
        saved.wrapper.check().map_err(SavedError::Damaged)?;
        saved.profile.check(&saved.wrapper).map_err(SavedError::Damaged)?;
        saved.check_pages().map_err(SavedError::Damaged)?;
        epochs::check(&saved.epochs).map_err(SavedError::Damaged)?;
        Ok(saved)
    }

    /// All designs, made ready to read pages.
    pub fn designs(&self) -> Designs<'_> {
        Designs::new(self)
    }

    /// One of the designs, counted from the newest.
    pub(crate) fn design(&self, at: usize) -> &Wrapper {
        let earlier = at.checked_sub(1).and_then(|at| self.epochs.get(at));
        earlier.map_or(&self.wrapper, |epoch| &epoch.wrapper)
    }

    /// Whether the pages that are remembered are of types that there are.
    fn check_pages(&self) -> Result<(), String> {
        let types = self.wrapper.types.len();
        let known = self.known.iter().map(|page| page.page_type);
        let seen = self.spectra.pages.iter().map(|page| page.page_type);
        if known.chain(seen).any(|page_type| page_type >= types) {
            return Err("a page is remembered of a type that is not there".into());
        }
        if !self.spectra.is_empty() && self.spectra.reach.len() != types {
            return Err("the spectra are of other page types than the wrapper".into());
        }
        Ok(())
    }
}

/// Text of a file that nobody vouches for, short enough for a message.
fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

impl Wrapper {
    /// Says what does not fit together, so that reading a page cannot fail on a file that was made by hand.
    pub fn check(&self) -> Result<(), String> {
        let (tables, types) = (&self.schema.tables, self.schema.page_types.len());
        if self.types.len() != types
            || self.recogniser.pages.len() != types
            || self.recogniser.prototypes.len() != types
        {
            return Err("the lists of page types are of different lengths".into());
        }
        let marks = self.recogniser.marks.iter().flat_map(|mark| &mark.types);
        if marks.clone().any(|&(page_type, _)| page_type as usize >= types)
            || self.training.highest().is_some_and(|highest| highest >= types)
        {
            return Err("a page type is named that is not there".into());
        }
        for (at, table) in tables.iter().enumerate() {
            let on_all_known = table.also_on.iter().chain([&table.page_type]).all(|&on| on < types);
            if !on_all_known || table.parent.is_some_and(|parent| parent >= at) {
                return Err(format!("table {:?} belongs to nothing", shortened(&table.name)));
            }
            if table.columns.iter().any(|column| column.references.is_some_and(|table| table >= tables.len()))
            {
                return Err(format!(
                    "table {:?} refers to a table that is not there",
                    shortened(&table.name)
                ));
            }
        }
        if let Some(database) = &self.database {
            database.check(tables, types)?;
        }
        // Its rows have three columns, whatever they are called.
        let has_room = |table: usize| tables.get(table).is_some_and(|table| table.columns.len() >= 3);
        if self.lists.as_ref().is_some_and(|lists| !has_room(lists.table)) {
            return Err("the list of articles has no table".into());
        }
        for (at, model) in self.types.iter().enumerate() {
            let steps = model.template.nodes.len();
            let is_column = |table: usize, column: usize| {
                tables.get(table).is_some_and(|table| column < table.columns.len())
            };
            let fits = model.template.inherits.iter().all(|rule| {
                is_column(rule.table, rule.column) && is_column(rule.from_table, rule.from_column)
            }) && model.page_table.is_none_or(|table| table < tables.len())
                && model.template.nodes.iter().all(|node| {
                    node.parent < steps
                        && node.specs.iter().all(|spec| spec.node < steps)
                        && node.rows_of.is_none_or(|table| table < tables.len())
                        && node.reads.iter().all(|read| is_column(read.table, read.column))
                });
            if !fits {
                return Err(format!("the template of page type {at} points outside the file"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::ListIndex;
    use crate::spectra::PageSpectrum;

    fn read(change: impl FnOnce(&mut SavedWrapper)) -> Result<SavedWrapper, SavedError> {
        let mut saved = SavedWrapper { format: FORMAT.into(), version: VERSION, ..SavedWrapper::default() };
        change(&mut saved);
        SavedWrapper::from_text(&saved.to_text())
    }

    #[test]
    fn a_file_says_first_what_it_is() {
        let epoch =
            Epoch { seen: vec![Seen { first: "x".repeat(9000), ..Seen::default() }], ..Epoch::default() };
        let text =
            SavedWrapper { format: FORMAT.into(), epochs: vec![epoch], ..SavedWrapper::default() }.to_text();
        assert!(text.find(FORMAT).unwrap() < 100, "{}", &text[..100]);
    }

    #[test]
    fn numbers_that_point_nowhere_are_found_where_the_file_is_read() {
        assert!(read(|_| ()).is_ok());
        let damaged = |change: &dyn Fn(&mut SavedWrapper)| match read(change) {
            Err(SavedError::Damaged(why)) => why,
            other => panic!("{other:?}"),
        };
        let why = damaged(&|saved| saved.known.push(KnownPage { page_type: 9, ..KnownPage::default() }));
        assert!(why.contains("of a type that is not there"), "{why}");
        damaged(&|saved| saved.spectra.pages.push(PageSpectrum { page_type: 1, magnitudes: vec![1.0] }));
        damaged(&|saved| saved.wrapper.lists = Some(ListIndex::new(0, Vec::new())));
    }
}
