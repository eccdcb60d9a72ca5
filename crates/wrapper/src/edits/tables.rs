//! Edits of tables.

use rustc_hash::FxHashMap;

use crate::output::{ColumnInfo, TableInfo, TableKind};

use super::EditError;
use super::bench::{Bench, Source};
use super::columns::{DROPPED, refused};
use super::names::free;
use super::seen::Seen;

/// A table, and what it looked like.
type Target<'a> = (&'a String, &'a Seen);

impl Bench<'_> {
    pub(super) fn rename_table(&mut self, target: Target<'_>, to: &str) -> Result<(), EditError> {
        let table = self.table((target.0, target.1))?;
        if self.db.tables[table].name == to.trim() {
            return Ok(());
        }
        let name = self.new_table_name(to)?;
        self.name_table(table, &name);
        Ok(())
    }

    pub(super) fn drop_table(&mut self, target: Target<'_>) -> Result<(), EditError> {
        let table = self.table((target.0, target.1))?;
        if !self.db.tables[table].is_shown() && self.is_replay {
            return Ok(());
        }
        if !self.db.tables[table].is_shown() {
            return refused(format!("{} is kept out of sight already", self.db.tables[table].name));
        }
        self.hide(table, DROPPED);
        Ok(())
    }

    /// Keeps a table out of sight, with its facts and with what relates it to others, and reads nothing for it any more.
    pub(super) fn hide(&mut self, table: usize, why: &str) {
        let name = self.db.tables[table].name.clone();
        let tables = &mut self.db.tables;
        let goes_with = |info: &TableInfo| {
            let relates = info.kind == TableKind::Relation
                && (info.parent == Some(table)
                    || info.columns.iter().any(|column| column.references == Some(table)));
            info.is_shown() && (relates || info.is_fact && info.parent == Some(table))
        };
        for info in tables.iter_mut().filter(|info| goes_with(info)) {
            info.kind = TableKind::Template;
            info.why = format!("goes with {name}: {why}");
        }
        tables[table].kind = TableKind::Template;
        tables[table].why = why.to_owned();
        self.stop_reading_what_is_hidden();
    }

    fn stop_reading_what_is_hidden(&mut self) {
        let read = self.saved.wrapper.schema.tables.clone();
        for at in 0..self.db.readings.len() {
            let reading = &self.db.readings[at];
            let is_gone = |table: usize| {
                let info = &self.db.tables[table];
                !info.is_shown() && (info.why == DROPPED || info.why.ends_with(DROPPED))
            };
            let related = reading.pairs.is_some_and(|pairs| !is_gone(pairs.table));
            let holds_others = read.iter().any(|info| info.parent == Some(at));
            if !is_gone(reading.to.table) || related || holds_others {
                continue;
            }
            for column in 0..read[at].columns.len() {
                self.stop_reading(Source { table: at, column });
            }
            for profile in &mut self.saved.profile.types {
                profile.tables.remove(&at);
            }
        }
    }

    pub(super) fn restore_table(&mut self, target: Target<'_>) -> Result<(), EditError> {
        let table = self.table((target.0, target.1))?;
        let info = &mut self.db.tables[table];
        if info.is_shown() && self.is_replay {
            return Ok(());
        }
        if info.is_shown() {
            return refused(format!("{} is shown already", info.name));
        }
        let learned = self.learned.wrapper.database.as_ref();
        let was = learned.and_then(|db| db.tables.get(table)).filter(|was| was.is_shown());
        match was {
            Some(was) => {
                info.kind = was.kind;
                info.why.clone_from(&was.why);
            }
            None => {
                info.kind = TableKind::Entity;
                info.why = "shown by hand".into();
            }
        }
        if info.columns.iter().all(|column| column.is_hidden) {
            for column in &mut info.columns {
                column.is_hidden = false;
                column.note.clear();
            }
        }
        for source in
            (0..info.columns.len()).flat_map(|column| self.sources(table, column)).collect::<Vec<_>>()
        {
            self.resume_reading(source);
        }
        self.call_own(table, None);
        Ok(())
    }

    pub(super) fn merge_tables(&mut self, target: Target<'_>, from: &str) -> Result<(), EditError> {
        let table = self.table((target.0, target.1))?;
        let other = self.table((from, &Seen::default()))?;
        if table == other {
            return refused(format!("{from} is the table itself"));
        }
        self.merge_table_into(table, other);
        Ok(())
    }

    /// Makes the rows of one table rows of another.
    pub(super) fn merge_table_into(&mut self, table: usize, other: usize) {
        let from = self.db.tables[other].clone();
        let name = self.db.tables[table].name.clone();
        let columns: Vec<usize> = from.columns.iter().map(|column| self.same_column(table, column)).collect();
        for reading in &mut self.db.readings {
            for way in [&mut reading.to, &mut reading.otherwise] {
                if way.table == other {
                    way.table = table;
                    way.places.iter_mut().for_each(|place| place.column = columns[place.column]);
                }
            }
            if let Some(pairs) = reading.pairs.as_mut().filter(|pairs| pairs.table == other) {
                (pairs.table, pairs.column) = (table, columns[pairs.column]);
            }
        }
        let tables = &mut self.db.tables;
        let into = &mut tables[table];
        into.key = into.key.or(from.key.map(|key| columns[key]));
        if into.parent != from.parent || into.parent == Some(other) {
            // Rows that belong to rows of different tables have no table in common that they belong to.
            into.parent = None;
        }
        for on in std::iter::once(from.page_type).chain(from.also_on) {
            if !into.is_on(on) {
                into.also_on.push(on);
            }
        }
        into.also_on.sort_unstable();
        for info in tables.iter_mut() {
            info.parent = info.parent.map(|parent| if parent == other { table } else { parent });
            let refers = info.columns.iter_mut().filter(|column| column.references == Some(other));
            refers.for_each(|column| column.references = Some(table));
        }
        tables[table].parent = tables[table].parent.filter(|&parent| parent != table);
        tables[other].kind = TableKind::Template;
        tables[other].why = format!("merged into {name} by hand");
        tables[other].parent = None;
        self.by_hand.merge_tables(table, other, &columns);
    }

    /// The column of a table for the values of a column of another; a new one where it has none of that name.
    fn same_column(&mut self, table: usize, column: &ColumnInfo) -> usize {
        let columns = &mut self.db.tables[table].columns;
        if let Some(at) = columns.iter().position(|own| own.name.eq_ignore_ascii_case(&column.name)) {
            columns[at].is_hidden &= column.is_hidden;
            return at;
        }
        columns.push(column.clone());
        columns.len() - 1
    }

    pub(super) fn split_table(
        &mut self,
        target: Target<'_>,
        page_type: &str,
        to: &str,
    ) -> Result<(), EditError> {
        let table = self.table((target.0, target.1))?;
        let of = self.page_type((page_type, &Seen::default()))?;
        let name = self.new_table_name(to)?;
        let read = &self.saved.wrapper.schema.tables;
        let shows = |at: usize| read[at].is_on(of) || self.by_hand.is_part_of(of, read[at].page_type);
        if !self.readings_to(table).into_iter().any(shows) {
            return refused(format!(
                "pages of type {page_type} show no rows of {}",
                self.db.tables[table].name
            ));
        }
        let tables = self.clone_tables(table, &name);
        self.by_hand.split_by_page_type(of, tables, &self.db.tables);
        Ok(())
    }

    /// Puts an empty copy of a table and of those below it behind the others; says which is the copy of which.
    pub(super) fn clone_tables(&mut self, table: usize, name: &str) -> FxHashMap<usize, usize> {
        let mut clones: FxHashMap<usize, usize> = FxHashMap::default();
        let old = self.db.tables[table].name.clone();
        // Parents stand before their children, but for those that were merged.
        let mut open = vec![table];
        while let Some(at) = open.pop() {
            let mut info = self.db.tables[at].clone();
            let wanted = match info.name.strip_prefix(old.as_str()) {
                Some(rest) => format!("{name}{rest}"),
                None => format!("{name}_{}", info.name),
            };
            let taken = |name: &str| self.db.tables.iter().any(|table| table.name == name);
            info.name = if at == table || !taken(&wanted) { wanted } else { free(&wanted, taken) };
            info.parent = info.parent.map(|parent| clones.get(&parent).copied().unwrap_or(parent));
            self.db.tables.push(info);
            clones.insert(at, self.db.tables.len() - 1);
            let below =
                |other: &usize| self.db.tables[*other].parent == Some(at) && !clones.contains_key(other);
            open.extend((0..self.db.tables.len()).filter(below));
        }
        clones
    }
}
