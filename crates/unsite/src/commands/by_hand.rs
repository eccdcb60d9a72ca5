//! Wrappers as they are used: what was learned, with what people changed by hand.

use std::path::Path;

use anyhow::Result;
use unsite::pipeline::read_wrapper;
use unsite_wrapper::SavedWrapper;

use crate::ui::{self, Ui};

/// Reads a wrapper file and makes its edits; those that cannot be made are told.
pub(crate) fn open(path: &Path, ui: Ui) -> Result<SavedWrapper> {
    Ok(edited(&read_wrapper(path)?, ui))
}

/// A wrapper with its edits made; those that cannot be made are told.
pub(crate) fn edited(learned: &SavedWrapper, ui: Ui) -> SavedWrapper {
    let edited = learned.edited();
    for unmade in &edited.unmade {
        let (at, what) = (unmade.at + 1, ui::printable(&unmade.edit));
        ui.warn(&format!("edit {at} is not made ({what}): {}", ui::printable(&unmade.why.to_string())));
    }
    if !edited.unmade.is_empty() {
        ui.hint("they stay in the log; unsite edit FILE --forget NUMBER takes one out");
    }
    edited.saved
}

/// Tables and columns that templates read, as they were learned and as people call them now.
pub(crate) struct Called<'w> {
    learned: &'w SavedWrapper,
    edited: SavedWrapper,
}

impl<'w> Called<'w> {
    /// Of a wrapper as it was learned.
    pub(crate) fn of(learned: &'w SavedWrapper) -> Self {
        Called { learned, edited: learned.edited().saved }
    }

    /// What a table and one of its columns are called now.
    pub(crate) fn now(&self, table: &str, column: &str) -> (String, String) {
        let (before, now) = (&self.learned.wrapper.schema.tables, &self.edited.wrapper.schema.tables);
        let at = before.iter().position(|info| info.name == table);
        let Some((was, is)) = at.and_then(|at| before.get(at).zip(now.get(at))) else {
            return (table.to_owned(), column.to_owned());
        };
        let at = was.columns.iter().position(|info| info.name == column);
        let column = at.and_then(|at| is.columns.get(at)).map_or(column, |info| info.name.as_str());
        (is.name.clone(), column.to_owned())
    }

    /// What a page type is called now.
    pub(crate) fn page_type(&self, name: &str) -> String {
        let (before, now) = (&self.learned.wrapper.schema.page_types, &self.edited.wrapper.schema.page_types);
        let at = before.iter().position(|info| info.name == name);
        at.and_then(|at| now.get(at)).map_or_else(|| name.to_owned(), |info| info.name.clone())
    }
}
