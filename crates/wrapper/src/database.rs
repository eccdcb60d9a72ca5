//! The database behind the site: what becomes of the rows that templates read.
//!
//! Pages are views of few tables. A detail page shows one row, a list shows the same rows with fewer columns. Templates read
//! pages as they are; [`Database::rows`] undoes the views: rows of lists become the rows they lead to, known by their address.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::addresses::Addresses;
use crate::output::{Cell, ColumnInfo, PageRecord, Row, TableInfo, TableKind};

/// The tables behind the site, and the way from what is read to them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Database {
    /// Those that are shown first, parents before their children.
    pub tables: Vec<TableInfo>,
    /// For each table that templates read, what becomes of its rows.
    pub readings: Vec<Reading>,
    /// What things are known by.
    #[serde(default)]
    pub addresses: Addresses,
}

/// What becomes of the rows of a table that templates read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Where they go.
    pub to: Way,
    /// What they are known by.
    #[serde(default)]
    pub key: RowKey,
    /// Where those go that have no place there: without a key, without a parent, or on a page about the same kind of thing.
    pub otherwise: Way,
    /// The relation between the page's own row and the row that a list leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Pairs>,
    /// The page types whose rows have no place there, though they are built alike: paging beside authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_on: Vec<usize>,
}

/// A table, and the place of each column that is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// Index into [`Database::tables`].
    pub table: usize,
    /// One for each column.
    pub places: Vec<Place>,
}

/// Where the values of a column go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Index into the table's columns.
    pub column: usize,
    /// The row has it from elsewhere too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_copy: bool,
}

/// What a row is known by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKey {
    /// Its place on its page.
    #[default]
    Place,
    /// The address of its page.
    Page,
    /// The address in one of its columns: the first of them that has one.
    Links(Vec<usize>),
}

/// A table with a row for each pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// Index into [`Database::tables`]; its parent is the table of the page's own row.
    pub table: usize,
    /// Its column for the address of the other row.
    pub column: usize,
}

impl Database {
    /// The rows of a page as the database has them, parents before their children.
    pub fn rows(&self, record: &PageRecord) -> Vec<Row> {
        self.rows_of(record, |_| true)
    }

    /// The same; rows of tables that are not wanted come without values.
    pub(crate) fn rows_of(&self, record: &PageRecord, is_wanted: impl Fn(usize) -> bool) -> Vec<Row> {
        let cells = |way: &Way, row: &Row| match is_wanted(way.table) {
            true => way.cells(row),
            false => Vec::new(),
        };
        let mut rows: Vec<Row> = Vec::with_capacity(record.rows.len());
        // For each row that was read, the row it became.
        let mut became: Vec<usize> = Vec::with_capacity(record.rows.len());
        let own = record.rows.first().and_then(|row| self.own_table(row));
        let page = self.addresses.of(&record.url);
        for row in &record.rows {
            let reading = &self.readings[row.table];
            let parent = self.parent(record, row, &rows, &became, reading.to.table);
            let key = match &reading.key {
                RowKey::Place => None,
                RowKey::Page => Some(page.clone()),
                RowKey::Links(columns) => link(row, columns).map(|cell| self.addresses.of(&cell.value)),
            };
            let fits = match &reading.key {
                RowKey::Place => parent.is_some() == self.tables[reading.to.table].parent.is_some(),
                RowKey::Page => !record.url.is_empty(),
                RowKey::Links(_) => key.is_some() && own != Some(reading.to.table),
            };
            let fits = fits && record.page_type.is_none_or(|at| !reading.not_on.contains(&at));
            became.push(rows.len());
            if !fits {
                // A thing beside others of its kind is no part of them, but may belong together with them.
                let beside = matches!(reading.key, RowKey::Links(_)).then_some(key).flatten();
                rows.push(Row {
                    table: reading.otherwise.table,
                    cells: cells(&reading.otherwise, row),
                    ..Row::default()
                });
                let pairs = reading.pairs.filter(|pairs| own == self.tables[pairs.table].parent);
                let beside = beside.filter(|key| own == Some(reading.to.table) && *key != page);
                if let Some((pairs, other)) = pairs.zip(beside) {
                    rows.push(self.pair(pairs, &other, &became));
                }
                continue;
            }
            let table = reading.to.table;
            let mut made = Row { table, parent, cells: cells(&reading.to, row), ..Row::default() };
            // The first part of a long page is the thing's own.
            made.is_view = key.as_deref().is_some_and(|key| key != without_fragment(&record.url));
            // What a list of one row adds to the page's own row takes nothing's place.
            made.is_view |= reading.key == RowKey::Page && became.len() > 1;
            let known_by = self.tables[table].key.zip(key.as_deref());
            made.cells.extend(known_by.map(|(column, key)| address(column, key)));
            made.key = key.map(Cow::into_owned);
            let other = made.key.clone().filter(|_| matches!(reading.key, RowKey::Links(_)));
            rows.push(made);
            if let (Some(pairs), Some(other), true) = (reading.pairs, other, own.is_some())
                && own == self.tables[pairs.table].parent
            {
                rows.push(self.pair(pairs, &other, &became));
            }
        }
        rows
    }

    /// The page's own thing and another one, together.
    fn pair(&self, pairs: Pairs, other: &str, became: &[usize]) -> Row {
        let cells = vec![address(pairs.column, other)];
        Row { table: pairs.table, parent: became.first().copied(), cells, ..Row::default() }
    }

    /// The table of the page's own row, where it is a thing.
    fn own_table(&self, row: &Row) -> Option<usize> {
        let reading = &self.readings[row.table];
        (reading.key == RowKey::Page).then_some(reading.to.table)
    }

    /// The row around this one that its table belongs to.
    fn parent(
        &self,
        record: &PageRecord,
        row: &Row,
        rows: &[Row],
        became: &[usize],
        table: usize,
    ) -> Option<usize> {
        let wanted = self.tables[table].parent?;
        let mut around = row.parent;
        while let Some(at) = around {
            let made = *became.get(at)?;
            if rows[made].table == wanted && !rows[made].is_view {
                return Some(made);
            }
            around = record.rows[at].parent;
        }
        // Lists of one kind on pages of several types name no parent: it is the page's own row.
        became.first().copied().filter(|&first| rows[first].table == wanted)
    }

    /// The same for more of what templates read: tables and columns behind those that are known keep out of sight.
    #[must_use]
    pub fn grown(&self, read: &[TableInfo]) -> Database {
        let mut grown = self.clone();
        for (reading, info) in grown.readings.iter_mut().zip(read) {
            for way in [&mut reading.to, &mut reading.otherwise] {
                for column in info.columns.iter().skip(way.places.len()) {
                    way.places.push(Place {
                        column: hidden_column(&mut grown.tables[way.table], column),
                        is_copy: true,
                    });
                }
            }
        }
        for info in &read[grown.readings.len().min(read.len())..] {
            let columns = info.columns.iter();
            let columns =
                columns.map(|column| ColumnInfo { is_hidden: true, references: None, ..column.clone() });
            let places = (0..info.columns.len()).map(|column| Place { column, is_copy: true }).collect();
            let mut name = format!("{}_view", info.name);
            while grown.tables.iter().any(|table| table.name == name) {
                name.push('_');
            }
            let way = Way { table: grown.tables.len(), places };
            grown.tables.push(TableInfo {
                name,
                parent: None,
                columns: columns.collect(),
                kind: TableKind::View,
                why: "came with another design of the site".into(),
                ..info.clone()
            });
            grown.readings.push(Reading { to: way.clone(), otherwise: way, ..Reading::default() });
        }
        grown
    }

    /// The same with another database behind it, which is of the page types and tables behind those of this one.
    #[must_use]
    pub fn joined(&self, other: &Database, first_type: usize) -> Database {
        let mut joined = self.clone();
        let first = joined.tables.len();
        for table in &other.tables {
            let mut table = table.clone();
            while joined.tables.iter().any(|known| known.name == table.name) {
                table.name.push_str("_new");
            }
            table.page_type += first_type;
            table.also_on.iter_mut().for_each(|at| *at += first_type);
            table.parent = table.parent.map(|parent| parent + first);
            for column in &mut table.columns {
                column.references = column.references.map(|to| to + first);
            }
            joined.tables.push(table);
        }
        joined.readings.extend(other.readings.iter().cloned().map(|mut reading| {
            reading.to.table += first;
            reading.otherwise.table += first;
            reading.pairs = reading.pairs.map(|pairs| Pairs { table: pairs.table + first, ..pairs });
            reading.not_on.iter_mut().for_each(|at| *at += first_type);
            reading
        }));
        joined.addresses.paging.extend(other.addresses.paging.iter().cloned());
        joined.addresses.paging.sort();
        joined.addresses.paging.dedup();
        joined.addresses.options.extend(other.addresses.options.iter().cloned());
        joined.addresses.options.sort();
        joined.addresses.options.dedup();
        joined
    }

    /// Says what does not fit together. `read` are the tables that templates read, of so many page types.
    pub(crate) fn check(&self, read: &[TableInfo], types: usize) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("the database behind the site {what}"));
        if self.readings.len() != read.len() {
            return wrong("is of other tables than the wrapper");
        }
        for (at, table) in self.tables.iter().enumerate() {
            let refers = table.columns.iter().filter_map(|column| column.references);
            if table.parent.is_some_and(|parent| parent >= at)
                || table.page_type >= types.max(1)
                || table.key.is_some_and(|key| key >= table.columns.len())
                || refers.into_iter().any(|target| target >= self.tables.len())
            {
                return wrong("points outside the file");
            }
        }
        let fits = |way: &Way, columns: usize| {
            self.tables.get(way.table).is_some_and(|table| {
                way.places.len() == columns
                    && way.places.iter().all(|place| place.column < table.columns.len())
            })
        };
        for (reading, table) in self.readings.iter().zip(read) {
            let columns = table.columns.len();
            let known = match &reading.key {
                RowKey::Links(links) => links.iter().all(|&column| column < columns),
                RowKey::Place | RowKey::Page => true,
            };
            let paired = reading.pairs.is_none_or(|pairs| {
                self.tables.get(pairs.table).is_some_and(|table| pairs.column < table.columns.len())
            });
            if !known || !paired || !fits(&reading.to, columns) || !fits(&reading.otherwise, columns) {
                return wrong("points outside the file");
            }
        }
        Ok(())
    }
}

impl Way {
    /// The cells of a row in their new places.
    fn cells(&self, row: &Row) -> Vec<Cell> {
        let place = |cell: &Cell| self.places.get(cell.column).map(|place| (cell.clone(), *place));
        let placed = row.cells.iter().filter_map(place);
        placed.map(|(cell, to)| Cell { column: to.column, is_copy: to.is_copy, ..cell }).collect()
    }
}

/// Puts a column behind the others of a table, out of sight.
fn hidden_column(table: &mut TableInfo, info: &ColumnInfo) -> usize {
    let mut name = info.name.clone();
    while table.columns.iter().any(|column| column.name == name) {
        name.push('_');
    }
    let note = "came with another design of the site".to_owned();
    table.columns.push(ColumnInfo { name, is_hidden: true, references: None, note, ..info.clone() });
    table.columns.len() - 1
}

fn link<'r>(row: &'r Row, columns: &[usize]) -> Option<&'r Cell> {
    columns.iter().find_map(|&column| row.cells.iter().find(|cell| cell.column == column))
}

fn address(column: usize, url: &str) -> Cell {
    Cell { column, value: url.to_owned(), typed: crate::output::Typed::AsItStands, ..Cell::default() }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}
