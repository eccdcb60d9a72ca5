//! What people changed by hand: a log of edits that is laid over what was learned.
//!
//! A wrapper file holds what was learned as it was learned, and behind it the log. [`SavedWrapper::edited`] gives the wrapper
//! that is used: the log replayed on a copy. Undoing an edit is a shorter log, learning again replays the same log on
//! another wrapper, and an edit whose target is not there any more stays in the log and is told.
//!
//! ```
//! use unsite_wrapper::edits::Edit;
//!
//! let text = r#"{"rename_column": {"table": "book", "column": "now", "to": "price"}}"#;
//! let edit: Edit = serde_json::from_str(text)?;
//! assert_eq!(edit.to_string(), "rename book.now to price");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod bench;
mod by_hand;
mod columns;
mod example;
mod names;
mod page_types;
mod rows;
mod seen;
mod settle;
mod tables;
mod told;
mod written;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::output::ValueType;
use crate::saved::SavedWrapper;

use bench::Bench;
pub use by_hand::ByHand;
pub use example::{ExampleCell, Trail, TrailStep};
pub use seen::Seen;

/// One decision of a person. Names are those that things have when it is their turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each edit is described as a whole; its fields are called what they are")]
pub enum Edit {
    /// A column gets another name.
    RenameColumn { table: String, column: String, to: String },
    /// A column is of no interest: it is not read any more.
    DropColumn { table: String, column: String },
    /// A column that is kept out of sight is shown.
    RestoreColumn { table: String, column: String },
    /// The values of another column of the table are values of this one.
    MergeColumns { table: String, column: String, from: String },
    /// Parts of a column's texts become columns of their own, cut where a text stands. The whole stays.
    SplitColumn { table: String, column: String, at: String, into: Vec<String> },
    /// The values of a column are of another type.
    RetypeColumn { table: String, column: String, to: ValueType },
    /// A table gets another name.
    RenameTable { table: String, to: String },
    /// A table is of no interest: it is not read any more.
    DropTable { table: String },
    /// A table that is kept out of sight is shown.
    RestoreTable { table: String },
    /// The rows of another table are rows of this one; columns of one name are one column.
    MergeTables { table: String, from: String },
    /// The rows that pages of one type show become a table of their own.
    SplitTable { table: String, page_type: String, to: String },
    /// A page type gets another name.
    RenamePageType { page_type: String, to: String },
    /// Pages of a type are of no interest: nothing is read off them any more.
    DropPageType { page_type: String },
    /// The pages of another type are of this one, and show the same table.
    MergePageTypes { page_type: String, from: String },
    /// The pages of a type at some addresses (`*` stands for anything) are a type of their own, with a table of their own.
    SplitPageType { page_type: String, address: String, to: String },
    /// What stands at this place on the pages of a type is a column.
    MakeColumn { page_type: String, name: String, cell: ExampleCell },
    /// What stands at this place on the pages of a type, again and again, is the rows of a table.
    MakeRows { page_type: String, table: String, row: Trail, cells: Vec<ExampleCell> },
    /// What is read as the rows of a table are no rows: the values belong to what is around them.
    NotRows { table: String },
    /// A value is wrong and is left out: on one page, or without an address wherever it stands.
    WrongValue {
        table: String,
        column: String,
        value: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
    },
}

/// One edit of the log, with what its target looked like when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was decided.
    #[serde(flatten)]
    pub edit: Edit,
    /// How to find its target again under another name.
    #[serde(default, skip_serializing_if = "Seen::is_empty")]
    pub seen: Seen,
}

impl From<Edit> for Step {
    fn from(edit: Edit) -> Self {
        Step { edit, seen: Seen::default() }
    }
}

/// Why an edit cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// What it is about is not there.
    #[error("there is no {what} {name:?}; {}", listed(.what, .known))]
    Unknown {
        /// `table`, `column of book`, `page type`.
        what: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// It makes no sense where it stands.
    #[error("{0}")]
    Refused(String),
}

/// Names that a message lists.
const NAMES_SHOWN: usize = 20;

fn listed(what: &str, known: &[String]) -> String {
    if known.is_empty() {
        return "there are none".into();
    }
    let shown = known.iter().take(NAMES_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = known.len().saturating_sub(NAMES_SHOWN);
    let kind = what.split(' ').next().unwrap_or(what);
    let kind = if kind == "page" { "page type" } else { kind };
    if more > 0 {
        format!("the {kind}s are {shown} and {more} more")
    } else {
        format!("the {kind}s are {shown}")
    }
}

/// An edit of the log that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmade {
    /// Its place in the log.
    pub at: usize,
    /// The edit, for people.
    pub edit: String,
    /// Why not.
    pub why: EditError,
}

/// A wrapper with its log replayed.
#[derive(Debug, Clone)]
pub struct Edited {
    /// What is used. Its own log is empty: it is not what is kept.
    pub saved: SavedWrapper,
    /// Edits that could not be made. They stay in the log.
    pub unmade: Vec<Unmade>,
}

impl SavedWrapper {
    /// The wrapper with all edits of its log made, in every design of the site. What cannot be made in one of them may
    /// well be in another, and counts as made.
    pub fn edited(&self) -> Edited {
        let Edited { mut saved, mut unmade } = self.replayed();
        if self.edits.is_empty() {
            return Edited { saved, unmade };
        }
        for epoch in &mut saved.epochs {
            let design = SavedWrapper {
                wrapper: std::mem::take(&mut epoch.wrapper),
                profile: std::mem::take(&mut epoch.profile),
                edits: self.edits.clone(),
                ..SavedWrapper::default()
            };
            let earlier = design.replayed();
            (epoch.wrapper, epoch.profile) = (earlier.saved.wrapper, earlier.saved.profile);
            unmade.retain(|here| earlier.unmade.iter().any(|there| there.at == here.at));
        }
        Edited { saved, unmade }
    }

    /// The same in the newest design alone.
    fn replayed(&self) -> Edited {
        let mut bench = Bench::of(self);
        let mut unmade = Vec::new();
        for (at, step) in self.edits.iter().enumerate() {
            if let Err(why) = bench.make(step) {
                unmade.push(Unmade { at, edit: step.edit.to_string(), why });
            }
        }
        Edited { saved: bench.finish(), unmade }
    }

    /// Adds edits to the log, all of them or none. Each is told with its place where it cannot be made.
    pub fn edit(&mut self, steps: Vec<Step>) -> Result<(), Unmade> {
        let mut bench = Bench::of(self);
        for step in &self.edits {
            // Those that cannot be made were told when they were replayed.
            let _ = bench.make(step);
        }
        bench.is_replay = false;
        let mut made = Vec::with_capacity(steps.len());
        for (at, mut step) in steps.into_iter().enumerate() {
            if step.seen.is_empty() {
                step.seen = bench.seen(&step.edit);
            }
            bench.make(&step).map_err(|why| Unmade { at, edit: step.edit.to_string(), why })?;
            made.push(step);
        }
        self.edits.extend(made);
        Ok(())
    }

    /// Takes the last edits out of the log and gives them back, the first of them first.
    pub fn undo(&mut self, count: usize) -> Vec<Step> {
        self.edits.split_off(self.edits.len().saturating_sub(count))
    }
}
