//! The designs that a site had one after the other, in one wrapper.
//!
//! A [`SavedWrapper`] is the newest design; its [`Epoch`]s are those before it, each with names carried over by repair. What
//! all of them read goes into the tables of one schema, by names.

mod designs;
mod union;

use serde::{Deserialize, Serialize};

use crate::known::KnownPage;
use crate::model::Wrapper;
use crate::profile::SiteProfile;

pub use designs::Designs;

/// A design of the site that pages were captured in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// When it was seen.
    pub seen: Vec<Seen>,
    /// How pages are read in it.
    pub wrapper: Wrapper,
    /// What its pages and values looked like.
    pub profile: SiteProfile,
    /// Records that were read.
    pub known: Vec<KnownPage>,
    /// What is different in the design that came after it.
    pub changes: Vec<TypeChange>,
    /// Why no names could be carried over, where none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// From the first capture to the last between which nothing else was seen, as `2019-01-02T03:04:05Z`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seen {
    /// The first capture.
    pub first: String,
    /// The last capture.
    pub last: String,
}

/// What became of a page type at the boundary between two designs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeChange {
    /// Its name.
    pub page_type: String,
    /// The last capture in the older design.
    pub before: String,
    /// The first capture in the newer one.
    pub after: String,
    /// The template of the newer design reads the older one too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_still_read: bool,
    /// Columns that are known in both, `table.column`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<String>,
    /// Columns that came with the newer design: they were looked for in the older one and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appeared: Vec<String>,
    /// Columns that only the older design has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vanished: Vec<String>,
}

impl Seen {
    /// Is a moment in it?
    pub fn holds(&self, moment: &str) -> bool {
        *self.first <= *moment && *moment <= *self.last
    }
}

/// Says what cannot be used in the epochs of a file.
pub(crate) fn check(epochs: &[Epoch]) -> Result<(), String> {
    for epoch in epochs {
        epoch.wrapper.check()?;
        epoch.profile.check(&epoch.wrapper)?;
        if epoch.known.iter().any(|page| page.page_type >= epoch.wrapper.types.len()) {
            return Err("a page of an earlier design is remembered of a type that is not there".into());
        }
    }
    Ok(())
}
