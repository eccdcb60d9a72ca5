//! Where edits are made: a copy of the wrapper, with what is needed to find things in it.

use crate::database::{Database, Place, Reading, RowKey, Way};
use crate::output::{ColumnInfo, TableInfo};
use crate::saved::SavedWrapper;

use super::{ByHand, Edit, EditError, Step, settle};

/// A copy of the wrapper on which edits are made.
pub(super) struct Bench<'l> {
    /// As it was learned.
    pub(super) learned: &'l SavedWrapper,
    /// As it is now, but for what is settled at the end.
    pub(super) saved: SavedWrapper,
    /// The tables behind the site.
    pub(super) db: Database,
    /// What acts on what was read.
    pub(super) by_hand: ByHand,
    /// Edits were made before, maybe on something else: what is as they want it already is no reason to refuse.
    pub(super) is_replay: bool,
    /// Whether anything was made.
    touched: bool,
}

/// A column that templates read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) table: usize,
    pub(super) column: usize,
}

impl<'l> Bench<'l> {
    pub(super) fn of(learned: &'l SavedWrapper) -> Self {
        let mut saved = learned.clone();
        saved.edits.clear();
        let db = saved.wrapper.database.take().unwrap_or_else(|| as_read(&saved.wrapper.schema.tables));
        Bench { learned, saved, db, by_hand: ByHand::default(), is_replay: true, touched: false }
    }

    /// Makes one edit; one that cannot be made leaves everything as it was.
    pub(super) fn make(&mut self, step: &Step) -> Result<(), EditError> {
        let seen = &step.seen;
        match &step.edit {
            Edit::RenameColumn { table, column, to } => self.rename_column((table, column, seen), to),
            Edit::DropColumn { table, column } => self.drop_column((table, column, seen)),
            Edit::RestoreColumn { table, column } => self.restore_column((table, column, seen)),
            Edit::MergeColumns { table, column, from } => self.merge_columns((table, column, seen), from),
            Edit::SplitColumn { table, column, at, into } => {
                self.split_column((table, column, seen), at, into)
            }
            Edit::RetypeColumn { table, column, to } => self.retype_column((table, column, seen), *to),
            Edit::RenameTable { table, to } => self.rename_table((table, seen), to),
            Edit::DropTable { table } => self.drop_table((table, seen)),
            Edit::RestoreTable { table } => self.restore_table((table, seen)),
            Edit::MergeTables { table, from } => self.merge_tables((table, seen), from),
            Edit::SplitTable { table, page_type, to } => self.split_table((table, seen), page_type, to),
            Edit::RenamePageType { page_type, to } => self.rename_page_type((page_type, seen), to),
            Edit::DropPageType { page_type } => self.drop_page_type((page_type, seen)),
            Edit::MergePageTypes { page_type, from } => self.merge_page_types((page_type, seen), from),
            Edit::SplitPageType { page_type, address, to } => {
                self.split_page_type((page_type, seen), address, to)
            }
            Edit::MakeColumn { page_type, name, cell } => self.make_column((page_type, seen), name, cell),
            Edit::MakeRows { page_type, table, row, cells } => {
                self.make_rows((page_type, seen), table, row, cells)
            }
            Edit::NotRows { table } => self.not_rows((table, seen)),
            Edit::WrongValue { table, column, value, url } => {
                self.wrong_value((table, column, seen), value, url.as_deref())
            }
        }?;
        self.touched = true;
        Ok(())
    }

    /// The wrapper as it is used.
    pub(super) fn finish(mut self) -> SavedWrapper {
        if !self.touched {
            self.saved.wrapper.database.clone_from(&self.learned.wrapper.database);
            return self.saved;
        }
        settle::settle(&mut self.db, &mut self.by_hand);
        self.saved.wrapper.database = Some(self.db);
        self.saved.wrapper.by_hand = self.by_hand;
        self.saved
    }

    /// The columns that templates read whose values stand in a column behind the site.
    pub(super) fn sources(&self, table: usize, column: usize) -> Vec<Source> {
        let mut found = Vec::new();
        for (at, reading) in self.db.readings.iter().enumerate() {
            for way in [&reading.to, &reading.otherwise] {
                for (own, place) in way.places.iter().enumerate() {
                    let source = Source { table: at, column: own };
                    if way.table == table && place.column == column && !found.contains(&source) {
                        found.push(source);
                    }
                }
            }
        }
        found
    }

    /// The same of those that are not told again: where its values mainly stand.
    pub(super) fn own_sources(&self, table: usize, column: usize) -> Vec<Source> {
        let all = self.sources(table, column);
        let is_own = |source: &Source| {
            let way = &self.db.readings[source.table].to;
            way.table == table && way.places.get(source.column).is_some_and(|place| !place.is_copy)
        };
        let own: Vec<Source> = all.iter().copied().filter(is_own).collect();
        if own.is_empty() { all } else { own }
    }

    /// The tables that templates read whose rows become rows of a table behind the site.
    pub(super) fn readings_to(&self, table: usize) -> Vec<usize> {
        let readings = self.db.readings.iter().enumerate();
        readings.filter(|(_, reading)| reading.to.table == table).map(|(at, _)| at).collect()
    }

    /// Puts a column behind those that templates read into a table, with its place behind the site.
    pub(super) fn add_read_column(&mut self, table: usize, info: ColumnInfo) -> usize {
        let reading = &self.db.readings[table];
        let ways = [reading.to.table, reading.otherwise.table];
        let places: Vec<Place> = ways.iter().map(|&to| self.column_for(to, &info)).collect();
        let columns = &mut self.saved.wrapper.schema.tables[table].columns;
        let mut info = info;
        info.references = None;
        while columns.iter().any(|column| column.name == info.name) {
            info.name.push('_');
        }
        columns.push(info);
        let at = columns.len() - 1;
        let reading = &mut self.db.readings[table];
        reading.to.places.push(places[0]);
        reading.otherwise.places.push(places[1]);
        at
    }

    /// The column of that name in a table behind the site; a new one where there is none.
    fn column_for(&mut self, table: usize, info: &ColumnInfo) -> Place {
        let columns = &mut self.db.tables[table].columns;
        let column = columns.iter().position(|column| column.name == info.name).unwrap_or_else(|| {
            columns.push(ColumnInfo { references: None, is_hidden: false, ..info.clone() });
            columns.len() - 1
        });
        Place { column, is_copy: false }
    }

    /// Puts a table that templates read behind the others, with a table of its own behind the site.
    pub(super) fn add_table(&mut self, read: TableInfo, behind: TableInfo, key: RowKey) -> usize {
        let columns = read.columns.len();
        self.db.tables.push(behind);
        let table = self.db.tables.len() - 1;
        let places = (0..columns).map(|column| Place { column, is_copy: false }).collect();
        let way = Way { table, places };
        self.db.readings.push(Reading { to: way.clone(), otherwise: way, key, ..Reading::default() });
        self.saved.wrapper.schema.tables.push(read);
        self.saved.wrapper.schema.tables.len() - 1
    }

    /// Reads nothing of a column any more, and expects nothing of it.
    pub(super) fn stop_reading(&mut self, source: Source) {
        let Source { table, column } = source;
        let is_key = matches!(&self.db.readings[table].key, RowKey::Links(links) if links.contains(&column));
        let models = &mut self.saved.wrapper.types;
        let is_passed_on = models
            .iter()
            .flat_map(|model| &model.template.inherits)
            .any(|rule| (rule.from_table, rule.from_column) == (table, column));
        if !is_key && !is_passed_on {
            for model in models {
                for node in &mut model.template.nodes {
                    node.reads.retain(|read| (read.table, read.column) != (table, column));
                }
                model.template.inherits.retain(|rule| (rule.table, rule.column) != (table, column));
            }
        }
        for profile in self.saved.profile.types.iter_mut().filter_map(|types| types.tables.get_mut(&table)) {
            profile.columns.remove(&column);
        }
    }
}

/// A database for wrappers that were learned without one: what is read, as it is read.
fn as_read(tables: &[TableInfo]) -> Database {
    let readings = tables.iter().enumerate().map(|(table, info)| {
        let places = (0..info.columns.len()).map(|column| Place { column, is_copy: false }).collect();
        let way = Way { table, places };
        Reading { to: way.clone(), otherwise: way, ..Reading::default() }
    });
    Database { readings: readings.collect(), tables: tables.to_vec(), ..Database::default() }
}
