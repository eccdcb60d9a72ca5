//! Names that people give, and things found by their names.

use crate::output::TableInfo;

use super::EditError;
use super::bench::Bench;
use super::seen::{self, Seen};

/// The longest name, in bytes: what every store takes.
const LONGEST: usize = 52;

/// A name as people may give it: the stores take it as it stands.
pub(super) fn checked(name: &str) -> Result<String, EditError> {
    let name = name.trim();
    let begins = name.chars().next().is_some_and(char::is_alphabetic);
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if begins && is_plain && name.len() <= LONGEST {
        return Ok(name.to_owned());
    }
    let suggested = suggestion(name);
    Err(EditError::Refused(match () {
        () if name.len() > LONGEST => {
            format!("{name:?} is too long; {LONGEST} bytes are the most that every store takes")
        }
        () if suggested.is_empty() => {
            format!("{name:?} is no name; use letters, digits and underscores, a letter first")
        }
        () => format!("{name:?} is no name; use letters, digits and underscores, as in {suggested}"),
    }))
}

/// The name without what no name has.
fn suggestion(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => plain.push(c),
            false if !plain.is_empty() && !plain.ends_with('_') => plain.push('_'),
            false => {}
        }
    }
    plain.trim_matches('_').trim_start_matches(char::is_numeric).trim_matches('_').to_owned()
}

/// Whether a name is the one that is asked for: a store puts an underscore behind its own words.
pub(super) fn is_called(name: &str, asked: &str) -> bool {
    name == asked || asked.strip_suffix('_') == Some(name)
}

impl Bench<'_> {
    /// A table behind the site by its name, or by what it looked like.
    pub(super) fn table(&self, (name, seen): (&str, &Seen)) -> Result<usize, EditError> {
        let tables = &self.db.tables;
        let exact = tables.iter().position(|table| table.name == name);
        let called = exact.or_else(|| tables.iter().position(|table| is_called(&table.name, name)));
        let page_type =
            |at: usize| self.saved.wrapper.schema.page_types.get(at).map(|info| info.name.as_str());
        // A type of pages has one table with a row for each of them, whatever it is called.
        let of_pages = || {
            let types = &self.saved.wrapper.schema.page_types;
            let at = seen::page_type_like(types, seen).filter(|_| seen.is_of_pages)?;
            self.own_table(at)
        };
        let found = called.or_else(of_pages).or_else(|| seen::table_like(tables, seen, page_type));
        found.ok_or_else(|| EditError::Unknown {
            what: "table".into(),
            name: name.to_owned(),
            known: names(tables),
        })
    }

    /// A column of a table behind the site.
    pub(super) fn column(
        &self,
        (table, column, seen): (&str, &str, &Seen),
    ) -> Result<(usize, usize), EditError> {
        let at = self.table((table, seen))?;
        let examples = |column: usize| self.examples(at, column);
        let found = seen::column_like(&self.db.tables[at].columns, column, seen, examples);
        found.map(|column| (at, column)).ok_or_else(|| {
            let info = &self.db.tables[at];
            EditError::Unknown {
                what: format!("column of {}", info.name),
                name: column.to_owned(),
                known: info.columns.iter().map(|column| column.name.clone()).collect(),
            }
        })
    }

    /// A page type.
    pub(super) fn page_type(&self, (name, seen): (&str, &Seen)) -> Result<usize, EditError> {
        let types = &self.saved.wrapper.schema.page_types;
        let is_gone = |at: usize| self.by_hand.is_merged(at);
        let exact = types.iter().enumerate().position(|(at, info)| info.name == name && !is_gone(at));
        let found = exact.or_else(|| seen::page_type_like(types, seen));
        found.ok_or_else(|| EditError::Unknown {
            what: "page type".into(),
            name: name.to_owned(),
            known: types.iter().map(|info| info.name.clone()).collect(),
        })
    }

    /// A name for a table that no other has.
    pub(super) fn new_table_name(&self, name: &str) -> Result<String, EditError> {
        let name = checked(name)?;
        match self.db.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&name)) {
            Some(there) if there.is_shown() => Err(EditError::Refused(format!(
                "there is a table {name} already; merge the two if they are one"
            ))),
            _ => Ok(name),
        }
    }

    /// A name for a column that no other of the table has.
    pub(super) fn new_column_name(&self, table: usize, name: &str) -> Result<String, EditError> {
        let name = checked(name)?;
        let info = &self.db.tables[table];
        match info.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&name)) {
            Some(there) if !there.is_hidden => Err(EditError::Refused(format!(
                "{} has a column {name} already; merge the two if they are one",
                info.name
            ))),
            _ => Ok(name),
        }
    }

    /// Gives a column its name; one that is kept out of sight makes room for it.
    pub(super) fn name_column(&mut self, table: usize, column: usize, name: &str) {
        let columns = &mut self.db.tables[table].columns;
        for other in 0..columns.len() {
            if other != column && columns[other].name.eq_ignore_ascii_case(name) {
                columns[other].name = free(name, |wanted| columns.iter().any(|column| column.name == wanted));
            }
        }
        columns[column].name = name.to_owned();
        for source in self.own_sources(table, column) {
            let columns = &mut self.saved.wrapper.schema.tables[source.table].columns;
            if !columns.iter().any(|column| column.name == name) {
                columns[source.column].name = name.to_owned();
            }
        }
    }

    /// Gives a table its name, and so what templates read for it.
    pub(super) fn name_table(&mut self, table: usize, name: &str) {
        let tables = &mut self.db.tables;
        let before = tables[table].name.clone();
        for other in 0..tables.len() {
            if other != table && tables[other].name.eq_ignore_ascii_case(name) {
                tables[other].name = free(name, |wanted| tables.iter().any(|table| table.name == wanted));
            }
        }
        tables[table].name = name.to_owned();
        let read = &mut self.saved.wrapper.schema.tables;
        if !read.iter().any(|table| table.name == name)
            && let Some(at) = read.iter().position(|info| info.name == before)
        {
            read[at].name = name.to_owned();
        }
    }

    /// Some values of a column, as they stood when it was learned.
    pub(super) fn examples(&self, table: usize, column: usize) -> Vec<&str> {
        let mut found = Vec::new();
        for source in self.own_sources(table, column) {
            let profiles = self.learned.profile.types.iter();
            for profile in profiles.filter_map(|types| types.tables.get(&source.table)) {
                let column = profile.columns.get(&source.column);
                found.extend(column.iter().flat_map(|column| &column.examples).map(String::as_str));
            }
        }
        found
    }
}

/// A name with a number behind it that is not taken.
pub(super) fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}

fn names(tables: &[TableInfo]) -> Vec<String> {
    let (shown, hidden): (Vec<&TableInfo>, Vec<&TableInfo>) =
        tables.iter().partition(|table| table.is_shown());
    shown.into_iter().chain(hidden).map(|table| table.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_every_store_takes() {
        assert_eq!(checked(" price "), Ok("price".into()));
        assert_eq!(checked("größe_2"), Ok("größe_2".into()));
        for wrong in ["", "2nd", "_x", "a b", "Price (EUR)", "a\u{0}b", "'; drop", &"x".repeat(99)] {
            assert!(checked(wrong).is_err(), "{wrong:?}");
        }
        assert!(checked("Price (EUR)").unwrap_err().to_string().contains("price_eur"));
    }
}
