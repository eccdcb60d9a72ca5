//! Scoring what a method found on a site against the site's labels.

mod effort;
mod fields;
mod forms;
mod main_text;
pub(crate) mod naming;
mod pagelets;
mod pages;
mod prepared;
mod records;
mod regions;

use crate::gold::{GoldPage, Ordered, Text};
use crate::observed::Observed;
pub use effort::Effort;
use fields::Protocol;
use prepared::Prepared;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use unsite_learn::measures::Prf;

/// Longest text kept in an example; enough to see what went wrong.
const EXAMPLE_CHARS: usize = 160;
/// Examples kept for each target.
const EXAMPLES: usize = 3;
/// Most values shown for one side of an example.
const EXAMPLE_VALUES: usize = 4;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// Labelled fields by value: the column that holds most values of each (page type, field).
    Fields,
    /// Labelled fields by page, SWDE's own protocol.
    Swde,
    /// Every labelled name/value fact, by value.
    Open,
    /// The rows of main lists.
    Records,
    /// Page types, over pairs of pages.
    Pages,
    /// Index pages by index score.
    Roles,
    /// The body of articles.
    MainText,
    /// Search forms.
    Forms,
    /// The informative text of articles against their labelled bodies.
    Regions,
    /// The answers on pages of search results, and their items.
    Pagelets,
    /// What varies and is told; needs no labels, see [`crate::Completeness`].
    Complete,
}

impl Set {
    /// All of them.
    pub const ALL: [Set; 11] = [
        Set::Fields,
        Set::Swde,
        Set::Open,
        Set::Records,
        Set::Pages,
        Set::Roles,
        Set::MainText,
        Set::Forms,
        Set::Regions,
        Set::Pagelets,
        Set::Complete,
    ];

    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        match self {
            Set::Fields => "fields",
            Set::Swde => "swde",
            Set::Open => "open",
            Set::Records => "records",
            Set::Pages => "pages",
            Set::Roles => "roles",
            Set::MainText => "main-text",
            Set::Forms => "forms",
            Set::Regions => "regions",
            Set::Pagelets => "pagelets",
            Set::Complete => "complete",
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Set {
    type Err = UnknownSet;

    fn from_str(name: &str) -> Result<Self, UnknownSet> {
        Set::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| UnknownSet(name.to_string()))
    }
}

/// A name that stands for no [`Set`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no set of measures; take one of fields, swde, open, records, pages, roles, main-text, forms, regions, pagelets, complete"
)]
pub struct UnknownSet(pub String);

/// How well one target was served.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetScore {
    /// The field, with its page type where there are several; or what is measured.
    pub name: String,
    /// The score.
    #[serde(flatten)]
    pub prf: Prf,
    /// The column (`table.column`) or table that served it, if any.
    pub matched: Option<String>,
    /// What else there is to say, for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Further numbers by name, all of them better when higher.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<&'static str, f64>,
    /// Up to three places where it went wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<Miss>,
}

/// An example of what went wrong, its texts shortened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// The page.
    pub page: String,
    /// What the labels say.
    pub expected: Vec<String>,
    /// What was found.
    pub got: Vec<String>,
}

/// Scores one site under any number of sets; the work they share is done once.
pub struct Scorer<'a> {
    gold: &'a [GoldPage],
    observed: &'a Observed,
    prepared: Prepared<'a>,
}

impl<'a> Scorer<'a> {
    /// Normalises and indexes what was found.
    pub fn new(gold: &'a [GoldPage], observed: &'a Observed) -> Self {
        Scorer { gold, observed, prepared: Prepared::new(observed) }
    }

    /// One score for each target; none when the site has no labels for this set.
    pub fn score(&self, set: Set) -> Vec<TargetScore> {
        match set {
            Set::Fields => fields::score(&self.prepared, self.gold, |page| &page.fields, Protocol::Value),
            Set::Open => fields::score(&self.prepared, self.gold, |page| &page.open_fields, Protocol::Value),
            Set::Swde => fields::score(&self.prepared, self.gold, |page| &page.fields, Protocol::Page),
            Set::Records => records::score(&self.prepared, self.gold),
            Set::Pages => vec![pages::types(self.observed, self.gold)],
            Set::Roles => {
                let score = pages::roles(self.observed, self.gold);
                score.or_else(|| pages::articles(self.observed, self.gold)).into_iter().collect()
            }
            Set::MainText => main_text::score(self.observed, self.gold).into_iter().collect(),
            Set::Forms => forms::score(self.observed, self.gold).into_iter().collect(),
            Set::Regions => regions::score(self.observed, self.gold).into_iter().collect(),
            Set::Pagelets => pagelets::score(self.observed, self.gold),
            Set::Complete => Vec::new(),
        }
    }

    /// What it costs a person to get at the labelled fields; `None` for sets that measure something else.
    pub fn effort(&self, set: Set) -> Option<Effort> {
        let labels: fn(&GoldPage) -> &Ordered<Vec<Text>> = match set {
            Set::Fields | Set::Swde => |page| &page.fields,
            Set::Open => |page| &page.open_fields,
            _ => return None,
        };
        effort::effort(&self.prepared, self.observed, self.gold, labels)
    }
}

impl TargetScore {
    fn new(name: impl Into<String>, prf: Prf) -> Self {
        TargetScore {
            name: name.into(),
            prf,
            matched: None,
            note: String::new(),
            more: BTreeMap::new(),
            misses: Vec::new(),
        }
    }
}

impl Miss {
    fn new<'t>(
        page: &str,
        expected: impl IntoIterator<Item = &'t str>,
        got: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let shorten = |text: &str| match text.char_indices().nth(EXAMPLE_CHARS) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text.to_string(),
        };
        Miss {
            page: page.to_string(),
            expected: expected.into_iter().take(EXAMPLE_VALUES).map(shorten).collect(),
            got: got.into_iter().take(EXAMPLE_VALUES).map(shorten).collect(),
        }
    }
}

/// A page's name without its folder: sources and labels may name different folders.
fn key(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}
