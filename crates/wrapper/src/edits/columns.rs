//! Edits of columns.

use crate::output::{ColumnInfo, ValueType};
use crate::parts::Part;
use crate::template::{Read, What};

use super::EditError;
use super::bench::{Bench, Source};
use super::seen::Seen;

/// Table, column, and what the column looked like.
type Target<'a> = (&'a String, &'a String, &'a Seen);

/// The most columns that one is split into.
const MOST_PARTS: usize = 20;

/// What is said of a column that somebody dropped.
pub(super) const DROPPED: &str = "dropped by hand";

impl Bench<'_> {
    pub(super) fn rename_column(&mut self, target: Target<'_>, to: &str) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        if self.db.tables[table].columns[column].name == to.trim() {
            return Ok(());
        }
        let name = self.new_column_name(table, to)?;
        self.name_column(table, column, &name);
        Ok(())
    }

    pub(super) fn drop_column(&mut self, target: Target<'_>) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        self.may_go(table, column)?;
        let info = &mut self.db.tables[table].columns[column];
        if info.is_hidden && self.is_replay {
            return Ok(());
        }
        if info.is_hidden {
            return refused(format!("{} is kept out of sight already", info.name));
        }
        info.is_hidden = true;
        info.note = DROPPED.into();
        for source in self.sources(table, column) {
            if self.is_for_nothing_else(source, (table, column)) {
                self.stop_reading(source);
            }
        }
        Ok(())
    }

    pub(super) fn restore_column(&mut self, target: Target<'_>) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        let info = &mut self.db.tables[table].columns[column];
        if !info.is_hidden && self.is_replay {
            return Ok(());
        }
        if !info.is_hidden {
            return refused(format!("{} is shown already", info.name));
        }
        info.is_hidden = false;
        info.note.clear();
        for source in self.sources(table, column) {
            self.resume_reading(source);
        }
        self.call_own(table, Some(column));
        Ok(())
    }

    pub(super) fn merge_columns(&mut self, target: Target<'_>, from: &str) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        let (_, other) = self.column((&self.db.tables[table].name, from, &Seen::default()))?;
        if column == other {
            return refused(format!("{from} is the column itself"));
        }
        self.may_go(table, other)?;
        let kept = self.db.tables[table].columns[column].clone();
        for source in self.sources(table, other) {
            self.saved.wrapper.schema.tables[source.table].columns[source.column].value_type =
                kept.value_type;
            self.resume_reading(source);
        }
        for reading in &mut self.db.readings {
            for way in [&mut reading.to, &mut reading.otherwise] {
                let places =
                    way.places.iter_mut().filter(|place| way.table == table && place.column == other);
                places.for_each(|place| place.column = column);
            }
            if let Some(pairs) = reading.pairs.as_mut().filter(|pairs| pairs.table == table) {
                pairs.column = if pairs.column == other { column } else { pairs.column };
            }
        }
        let columns = &mut self.db.tables[table].columns;
        let coverage = columns[other].coverage;
        columns[column].coverage = (kept.coverage + coverage).min(1.0);
        columns[other].is_hidden = true;
        columns[other].note = format!("merged into {} by hand", kept.name);
        Ok(())
    }

    pub(super) fn split_column(
        &mut self,
        target: Target<'_>,
        at: &str,
        into: &[String],
    ) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        if at.is_empty() || into.len() < 2 || into.len() > MOST_PARTS {
            return refused(format!(
                "a column is split at a text into 2 to {MOST_PARTS} columns, as in `--split book.author=\" and \":first,second`"
            ));
        }
        let mut names = Vec::new();
        for name in into {
            let name = self.new_column_name(table, name)?;
            if names.contains(&name) {
                return refused(format!("{name} is named twice"));
            }
            names.push(name);
        }
        let mut constants = vec![at.to_owned(); into.len() + 1];
        constants[0].clear();
        constants[into.len()].clear();
        let sources = self.own_sources(table, column);
        for (index, name) in names.into_iter().enumerate() {
            for &source in &sources {
                let whole = &self.saved.wrapper.schema.tables[source.table].columns[source.column];
                let part = ColumnInfo {
                    name: name.clone(),
                    value_type: ValueType::Text,
                    selector: format!("part {} of {} at {at:?}", index + 1, whole.name),
                    coverage: 0.0,
                    routes: Vec::new(),
                    label: None,
                    ..whole.clone()
                };
                let new = self.add_read_column(source.table, part);
                self.read_part(source, new, &Part { constants: constants.clone(), index });
            }
        }
        Ok(())
    }

    /// Reads a part of whatever is read for a column as another column.
    fn read_part(&mut self, whole: Source, column: usize, part: &Part) {
        for model in &mut self.saved.wrapper.types {
            for node in &mut model.template.nodes {
                let of_whole = |read: &&Read| (read.table, read.column) == (whole.table, whole.column);
                let what = |read: &Read| What::Part(Box::new(read.what.clone()), part.clone());
                let parts = node.reads.iter().filter(of_whole);
                let parts = parts.map(|read| Read { what: what(read), table: whole.table, column });
                let parts: Vec<Read> = parts.collect();
                node.reads.extend(parts);
            }
        }
    }

    pub(super) fn retype_column(&mut self, target: Target<'_>, to: ValueType) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        self.db.tables[table].columns[column].value_type = to;
        for source in self.sources(table, column) {
            self.saved.wrapper.schema.tables[source.table].columns[source.column].value_type = to;
        }
        Ok(())
    }

    pub(super) fn wrong_value(
        &mut self,
        target: Target<'_>,
        value: &str,
        url: Option<&str>,
    ) -> Result<(), EditError> {
        let (table, column) = self.column((target.0, target.1, target.2))?;
        self.by_hand.leave_out(table, column, value, url);
        Ok(())
    }

    /// A column by which rows are known has to stay.
    fn may_go(&self, table: usize, column: usize) -> Result<(), EditError> {
        let info = &self.db.tables[table];
        if info.key == Some(column) {
            return refused(format!(
                "{} is what the rows of {} are known by; it has to stay",
                info.columns[column].name, info.name
            ));
        }
        Ok(())
    }

    /// Whether nothing that is shown but this column has its values from a column that is read.
    fn is_for_nothing_else(&self, source: Source, (table, column): (usize, usize)) -> bool {
        let reading = &self.db.readings[source.table];
        [&reading.to, &reading.otherwise].into_iter().all(|way| {
            let place = way.places[source.column].column;
            let info = &self.db.tables[way.table];
            (way.table, place) == (table, column) || !info.is_shown() || info.columns[place].is_hidden
        })
    }

    /// Reads a column again that was read when it was learned.
    pub(super) fn resume_reading(&mut self, source: Source) {
        let is_this = |read: &Read| (read.table, read.column) == (source.table, source.column);
        let learned = &self.learned.wrapper.types;
        for (model, was) in self.saved.wrapper.types.iter_mut().zip(learned) {
            for (node, was) in model.template.nodes.iter_mut().zip(&was.template.nodes) {
                let (mut reads, new): (Vec<Read>, Vec<Read>) =
                    node.reads.drain(..).partition(|read| was.reads.contains(read));
                let back = was.reads.iter().filter(|read| is_this(read) || reads.contains(read));
                reads = back.cloned().collect();
                reads.extend(new);
                node.reads = reads;
            }
            for rule in was
                .template
                .inherits
                .iter()
                .filter(|rule| (rule.table, rule.column) == (source.table, source.column))
            {
                if !model.template.inherits.contains(rule) {
                    model.template.inherits.push(rule.clone());
                }
            }
        }
    }

    /// What a table is shown for is told by it itself, not again.
    pub(super) fn call_own(&mut self, table: usize, column: Option<usize>) {
        for reading in &mut self.db.readings {
            for way in [&mut reading.to, &mut reading.otherwise] {
                let is_it = way.table == table;
                let places = way.places.iter_mut();
                let places =
                    places.filter(|place| is_it && column.is_none_or(|column| place.column == column));
                places.for_each(|place| place.is_copy = false);
            }
        }
    }
}

pub(super) fn refused<T>(why: String) -> Result<T, EditError> {
    Err(EditError::Refused(why))
}
