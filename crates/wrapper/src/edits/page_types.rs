//! Edits of page types.

use rustc_hash::FxHashMap;

use crate::output::PageTypeInfo;

use super::EditError;
use super::bench::{Bench, Source};
use super::columns::{DROPPED, refused};
use super::names::checked;
use super::seen::Seen;

/// A page type, and what it looked like.
type Target<'a> = (&'a String, &'a Seen);

impl Bench<'_> {
    pub(super) fn rename_page_type(&mut self, target: Target<'_>, to: &str) -> Result<(), EditError> {
        let at = self.page_type((target.0, target.1))?;
        if self.type_name(at) == to.trim() {
            return Ok(());
        }
        let name = self.new_type_name(to)?;
        match self.by_hand.added_page_type(at) {
            Some(added) => added.name = name,
            None => self.saved.wrapper.schema.page_types[at].name = name,
        }
        Ok(())
    }

    pub(super) fn drop_page_type(&mut self, target: Target<'_>) -> Result<(), EditError> {
        let at = self.page_type((target.0, target.1))?;
        for table in 0..self.db.tables.len() {
            let on_this_alone = {
                let info = &self.db.tables[table];
                info.is_shown() && info.page_type == at && info.also_on.is_empty()
            };
            if on_this_alone {
                self.hide(table, DROPPED);
            }
        }
        if let Some(model) = self.saved.wrapper.types.get_mut(at) {
            for node in &mut model.template.nodes {
                node.reads.clear();
                node.rows_of = None;
                (node.continues, node.again) = (false, false);
            }
            model.template.inherits.clear();
            model.page_table = None;
            model.unlisted = true;
        }
        if let Some(profile) = self.saved.profile.types.get_mut(at) {
            profile.tables.clear();
        }
        Ok(())
    }

    pub(super) fn merge_page_types(&mut self, target: Target<'_>, from: &str) -> Result<(), EditError> {
        let into = self.page_type((target.0, target.1))?;
        let other = self.page_type((from, &Seen::default()))?;
        if into == other {
            return refused(format!("{from} is the page type itself"));
        }
        if let (Some(table), Some(merged)) = (self.own_table(into), self.own_table(other))
            && table != merged
        {
            self.merge_table_into(table, merged);
        }
        self.by_hand.learned(self.saved.wrapper.schema.page_types.len());
        self.by_hand.merge_page_types(into, other);
        let pages = self.type_info(other).pages;
        match self.by_hand.added_page_type(into) {
            Some(added) => added.pages += pages,
            None => self.saved.wrapper.schema.page_types[into].pages += pages,
        }
        Ok(())
    }

    pub(super) fn split_page_type(
        &mut self,
        target: Target<'_>,
        address: &str,
        to: &str,
    ) -> Result<(), EditError> {
        let of = self.page_type((target.0, target.1))?;
        let name = self.new_type_name(to)?;
        if address.trim().is_empty() || address.chars().all(|c| c == '*') {
            return refused("say which addresses are meant, as in /archive/*".into());
        }
        let table = self.own_table(of);
        if let Some(table) = table {
            // The copies of the tables are called like the type.
            self.new_table_name(&name).or_else(|error| {
                if self.db.tables[table].is_shown() { Err(error) } else { Ok(name.clone()) }
            })?;
        }
        let info = self.type_info(of);
        let info = PageTypeInfo { name: name.clone(), pages: 0, url_pattern: address.to_owned(), ..info };
        self.by_hand.learned(self.saved.wrapper.schema.page_types.len());
        let new = self.by_hand.add_page_type(info);
        let tables = table.map_or_else(FxHashMap::default, |table| self.clone_tables(table, &name));
        for &clone in tables.values() {
            self.db.tables[clone].page_type = new;
            self.db.tables[clone].also_on.clear();
        }
        self.by_hand.split_by_address(of, address, new, tables, &self.db.tables);
        Ok(())
    }

    /// The table behind the site that has one row for each page of a type.
    pub(super) fn own_table(&self, page_type: usize) -> Option<usize> {
        match self.saved.wrapper.types.get(page_type) {
            Some(model) => model.page_table.map(|table| self.db.readings[table].to.table),
            None => {
                self.db.tables.iter().position(|table| table.page_type == page_type && table.parent.is_none())
            }
        }
    }

    fn type_name(&self, at: usize) -> String {
        self.type_info(at).name
    }

    fn type_info(&self, at: usize) -> PageTypeInfo {
        let learned = &self.saved.wrapper.schema.page_types;
        let added = || self.by_hand.page_types().get(at.checked_sub(learned.len())?);
        learned.get(at).or_else(added).cloned().unwrap_or_default()
    }

    fn new_type_name(&self, name: &str) -> Result<String, EditError> {
        let name = checked(name)?;
        let learned = &self.saved.wrapper.schema.page_types;
        if learned.iter().chain(self.by_hand.page_types()).any(|info| info.name.eq_ignore_ascii_case(&name)) {
            return refused(format!("there is a page type {name} already; merge the two if they are one"));
        }
        Ok(name)
    }

    /// A table that templates read becomes part of what is around it.
    pub(super) fn columns_of(&self, table: usize) -> Vec<Source> {
        let columns = self.saved.wrapper.schema.tables[table].columns.len();
        (0..columns).map(|column| Source { table, column }).collect()
    }
}
