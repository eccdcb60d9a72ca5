//! What people decided about rows that were read: which pages count as which, which rows stand elsewhere, which values are wrong.

use rustc_hash::FxHashMap;

use crate::output::{PageRecord, PageTypeInfo, Row, TableInfo};
use crate::training::Training;

/// Decisions that are carried out on what was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ByHand {
    /// Page types behind those that were learned.
    page_types: Vec<PageTypeInfo>,
    /// How many were learned.
    learned: usize,
    /// For page types that are others now: which.
    merged: FxHashMap<usize, usize>,
    splits: Vec<Split>,
    wrong: Vec<Wrong>,
}

/// Rows that stand in tables of their own.
#[derive(Debug, Clone, PartialEq)]
struct Split {
    of: usize,
    by: By,
    /// From tables behind the site to those that have the rows now.
    tables: FxHashMap<usize, Moved>,
}

/// A table behind the site that has the rows of another, and for each column of that one its own.
#[derive(Debug, Clone, PartialEq)]
struct Moved {
    table: usize,
    columns: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
enum By {
    /// Pages at these addresses are of this type.
    Address(String, usize),
    /// Pages of the type.
    PageType,
}

/// A value that is left out.
#[derive(Debug, Clone, PartialEq)]
struct Wrong {
    table: usize,
    column: usize,
    value: String,
    url: Option<String>,
}

impl ByHand {
    /// Nothing was decided.
    pub fn is_empty(&self) -> bool {
        *self == ByHand::default()
    }

    /// The page types behind those that were learned.
    pub fn page_types(&self) -> &[PageTypeInfo] {
        &self.page_types
    }

    /// Is a page type another one now?
    pub fn is_merged(&self, page_type: usize) -> bool {
        self.merged.contains_key(&page_type)
    }

    /// What a page counts as.
    pub fn page_type(&self, page_type: usize, url: &str) -> usize {
        let mut at = page_type;
        for split in &self.splits {
            if let By::Address(address, to) = &split.by
                && self.counts_as(at) == self.counts_as(split.of)
                && is_at(url, address)
            {
                at = *to;
            }
        }
        self.counts_as(at)
    }

    fn counts_as(&self, page_type: usize) -> usize {
        let mut at = page_type;
        // Each was merged once at most, so that this ends.
        for _ in 0..=self.merged.len() {
            match self.merged.get(&at) {
                Some(&into) => at = into,
                None => break,
            }
        }
        at
    }

    /// Carries the decisions out on the rows of a page as the database has them.
    pub(crate) fn carry_out(&self, record: &mut PageRecord, training: &Training, tables: &[TableInfo]) {
        let Some(page_type) = record.page_type else { return };
        for split in &self.splits {
            let is_meant = |url: &str, of: Option<usize>| match &split.by {
                By::Address(address, _) => is_at(url, address),
                By::PageType => of.is_some_and(|of| {
                    let of_it = self.page_type(of, url) == split.of;
                    of_it || self.counts_as(of) == self.counts_as(split.of)
                }),
            };
            let mut moved = vec![false; record.rows.len()];
            for at in 0..record.rows.len() {
                let row = &record.rows[at];
                let Some(to) = split.tables.get(&row.table) else { continue };
                moved[at] = match (row.parent, &row.key) {
                    (Some(parent), _) if moved[parent] || is_in(split, &record.rows[parent]) => moved[parent],
                    (_, Some(key)) => is_meant(key, training.type_at(key)),
                    _ => is_meant(&record.url, Some(page_type)),
                };
                if moved[at] {
                    record.rows[at].table = to.table;
                    for cell in &mut record.rows[at].cells {
                        cell.column = to.columns.get(cell.column).copied().unwrap_or_default();
                    }
                }
            }
        }
        // Of a row and the one that it belongs to, only one may have been split off.
        for at in 0..record.rows.len() {
            let wanted = tables.get(record.rows[at].table).and_then(|info| info.parent);
            let parent = record.rows[at].parent;
            record.rows[at].parent = parent.filter(|&parent| wanted == Some(record.rows[parent].table));
        }
        if !self.wrong.is_empty() {
            let url = record.url.as_str();
            for row in &mut record.rows {
                let table = row.table;
                let is_wrong = |column: usize, value: &str| {
                    self.wrong.iter().any(|wrong| {
                        (wrong.table, wrong.column) == (table, column)
                            && wrong.value == value
                            && wrong.url.as_deref().is_none_or(|only| only == url)
                    })
                };
                row.cells.retain(|cell| !is_wrong(cell.column, &cell.value));
            }
        }
        record.page_type = Some(self.page_type(page_type, &record.url));
    }

    /// The tables behind the site whose rows may become rows of those that are wanted, these among them.
    pub(crate) fn rows_come_from(&self, wanted: &[bool]) -> Vec<bool> {
        let mut needed = wanted.to_vec();
        // Each split is made on what the one before it left.
        for (&from, to) in self.splits.iter().rev().flat_map(|split| &split.tables) {
            if needed.get(to.table).copied().unwrap_or(false) {
                needed[from] = true;
            }
        }
        needed
    }

    pub(super) fn learned(&mut self, types: usize) {
        self.learned = types;
    }

    /// Adds a page type; its place behind those that were learned.
    pub(super) fn add_page_type(&mut self, info: PageTypeInfo) -> usize {
        self.page_types.push(info);
        self.learned + self.page_types.len() - 1
    }

    pub(super) fn added_page_type(&mut self, at: usize) -> Option<&mut PageTypeInfo> {
        self.page_types.get_mut(at.checked_sub(self.learned)?)
    }

    pub(super) fn merge_page_types(&mut self, into: usize, from: usize) {
        self.merged.insert(from, into);
    }

    pub(super) fn split_by_address(
        &mut self,
        of: usize,
        address: &str,
        to: usize,
        tables: FxHashMap<usize, usize>,
        known: &[TableInfo],
    ) {
        let tables = moved(tables, known);
        self.splits.push(Split { of, by: By::Address(address.to_owned(), to), tables });
    }

    pub(super) fn split_by_page_type(
        &mut self,
        of: usize,
        tables: FxHashMap<usize, usize>,
        known: &[TableInfo],
    ) {
        self.splits.push(Split { of, by: By::PageType, tables: moved(tables, known) });
    }

    /// Whether a page type came from another, or is counted as it.
    pub(super) fn is_part_of(&self, page_type: usize, other: usize) -> bool {
        let is_split =
            |split: &Split| matches!(split.by, By::Address(_, to) if to == page_type) && split.of == other;
        self.counts_as(other) == page_type || self.splits.iter().any(is_split)
    }

    pub(super) fn leave_out(&mut self, table: usize, column: usize, value: &str, url: Option<&str>) {
        self.wrong.push(Wrong { table, column, value: value.to_owned(), url: url.map(str::to_owned) });
    }

    /// What was decided about a table holds for the one that it became.
    pub(super) fn merge_tables(&mut self, into: usize, from: usize, columns: &[usize]) {
        for wrong in self.wrong.iter_mut().filter(|wrong| wrong.table == from) {
            (wrong.table, wrong.column) = (into, columns.get(wrong.column).copied().unwrap_or_default());
        }
        for to in
            self.splits.iter_mut().flat_map(|split| split.tables.values_mut()).filter(|to| to.table == from)
        {
            to.table = into;
            to.columns
                .iter_mut()
                .for_each(|column| *column = columns.get(*column).copied().unwrap_or_default());
        }
        for split in &mut self.splits {
            split.tables.retain(|from, to| *from != to.table);
        }
    }

    /// Tables that were split off have every column of those that they were split off from, whatever came later.
    pub(super) fn fit(&mut self, tables: &mut [TableInfo]) {
        for split in &mut self.splits {
            let mut froms: Vec<usize> = split.tables.keys().copied().collect();
            froms.sort_unstable();
            for from in froms {
                let Some(to) = split.tables.get_mut(&from) else { continue };
                // What they were copied with stands in the same places.
                for at in to.columns.len()..tables[from].columns.len() {
                    let info = tables[from].columns[at].clone();
                    let own = &mut tables[to.table].columns;
                    let known = own.iter().position(|column| column.name == info.name);
                    to.columns.push(known.unwrap_or(own.len()));
                    if known.is_none() {
                        own.push(info);
                    }
                }
            }
        }
    }

    /// The same with other numbers for tables and columns.
    pub(super) fn renumber(
        &mut self,
        table: impl Fn(usize) -> usize,
        column: impl Fn(usize, usize) -> usize,
    ) {
        for wrong in &mut self.wrong {
            wrong.column = column(wrong.table, wrong.column);
            wrong.table = table(wrong.table);
        }
        for split in &mut self.splits {
            let renumbered = split.tables.iter().map(|(&from, to)| {
                let mut columns = vec![0; to.columns.len()];
                for (at, &own) in to.columns.iter().enumerate() {
                    columns[column(from, at)] = column(to.table, own);
                }
                (table(from), Moved { table: table(to.table), columns })
            });
            split.tables = renumbered.collect();
        }
    }
}

/// A copy has the columns of what it was copied from, in the same places.
fn moved(tables: FxHashMap<usize, usize>, known: &[TableInfo]) -> FxHashMap<usize, Moved> {
    let moved = |(from, table): (usize, usize)| {
        let columns = (0..known[from].columns.len()).collect();
        (from, Moved { table, columns })
    };
    tables.into_iter().map(moved).collect()
}

fn is_in(split: &Split, row: &Row) -> bool {
    split.tables.contains_key(&row.table)
}

/// Whether an address is one of those that a pattern means: all of it, or its path and what is behind it.
pub(super) fn is_at(url: &str, pattern: &str) -> bool {
    let path =
        url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap_or(url);
    matches(url, pattern) || matches(path, pattern)
}

fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(is_at("https://a.test/book/1.html", "/book/*.html"));
        assert!(is_at("https://a.test/book/1.html", "https://a.test/*"));
        assert!(is_at("https://a.test/s?q=1&page=2", "/s?q=*&page=*"));
        assert!(!is_at("https://a.test/author/1.html", "/book/*"));
        assert!(!is_at("https://a.test/book/1.html", "/book/"));
        assert!(is_at("https://a.test/x", "*"));
    }
}
