//! Which column of the changed site shows what an old column showed.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{KnownPage, PageRecord, SavedWrapper, TableInfo, ValueType, Wrapper, cut, typed};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::Site;

/// A column is found again when this share of its known values is.
const SAME_VALUES: f64 = 0.95;

/// And when so many different values were: a column that says one thing proves nothing.
const DIFFERENT_VALUES: usize = 3;

/// Pages on which a column with fewer different values has to agree instead.
const MANY_PAGES: usize = 12;

/// Lists agree on a page when this share of their values do.
const SAME_LIST: f64 = 0.9;

/// A record is found again when this share of its values is.
const SAME_RECORD: f64 = 0.5;

/// Rows of a page that are compared: as many as are known.
const COMPARED_ROWS: usize = 25;

/// What was found of the old columns.
pub(super) struct Proof {
    /// Every old column in the order of the old schema.
    pub(super) columns: Vec<ColumnProof>,
    /// For each old table, the new one that shows it.
    pub(super) tables: BTreeMap<usize, usize>,
    /// Records that were looked up.
    pub(super) records: usize,
    /// Records that were found.
    pub(super) found: usize,
}

/// One old column.
#[derive(Debug, Clone)]
pub struct ColumnProof {
    /// Its table's name.
    pub table: String,
    /// Its name.
    pub column: String,
    /// Its places in the old schema.
    pub(super) place: (usize, usize),
    /// The new table and column that show its values; `None` where nothing was proved.
    pub proof: Option<(usize, usize)>,
    /// How it was reached, and how it is now.
    pub selectors: (String, String),
    /// Pages with known values that were compared with the best candidate.
    pub compared: usize,
    /// Pages on which it agreed.
    pub agreed: usize,
}

/// The values of one column on one page: hashes of their normal forms, in order.
type Values = Vec<u64>;

/// By table and column.
type PageValues = FxHashMap<(usize, usize), Values>;

/// Compares every old column with every candidate of its page type.
pub(super) fn align(site: &Site, old: &SavedWrapper, wide: &Wrapper, old_of: &[Option<usize>]) -> Proof {
    let at_address: FxHashMap<&str, usize> =
        site.pages.iter().enumerate().map(|(at, page)| (page.raw.url.as_str(), at)).collect();
    let schema = &old.wrapper.schema;
    // What was known and what is there now, page by page.
    let pairs: Vec<(usize, PageValues, PageValues)> = old
        .known
        .par_iter()
        .filter_map(|known| {
            let page = &site.pages[*at_address.get(known.url.as_str())?];
            let new_type = old_of.iter().position(|old| *old == Some(known.page_type))?;
            let record = wide.read(&page.raw, &page.tree, &[], Some(new_type));
            Some((known.page_type, known_values(old, known), new_values(&record)))
        })
        .collect();
    let mut columns: Vec<ColumnProof> = Vec::new();
    let mut tables: BTreeMap<usize, usize> = BTreeMap::new();
    for (table, info) in schema.tables.iter().enumerate() {
        let here: Vec<&(usize, PageValues, PageValues)> =
            pairs.iter().filter(|(page_type, ..)| info.is_on(*page_type)).collect();
        let candidates = candidates(wide, old_of, info);
        let parent = info.parent.map(|parent| tables.get(&parent).copied());
        let best = candidates
            .iter()
            .filter(|&&candidate| parent.is_none_or(|parent| wide.schema.tables[candidate].parent == parent))
            .map(|&candidate| (best_columns(&here, table, info.columns.len(), wide, candidate), candidate))
            .rev()
            .max_by_key(|(found, _)| {
                found
                    .iter()
                    .filter_map(|found| found.as_ref())
                    .filter(|found| found.proved)
                    .map(|found| found.agreed)
                    .sum::<usize>()
            });
        let (found, candidate) =
            best.map_or((Vec::new(), None), |(found, candidate)| (found, Some(candidate)));
        let proved = found.iter().flatten().any(|found| found.proved);
        if let Some(candidate) = candidate.filter(|_| proved || !info.is_list()) {
            tables.insert(table, candidate);
        }
        for (column, info) in info.columns.iter().enumerate() {
            let best = found.get(column).and_then(Option::as_ref);
            let shown = best.filter(|best| best.proved).zip(candidate);
            columns.push(ColumnProof {
                table: schema.tables[table].name.clone(),
                column: info.name.clone(),
                place: (table, column),
                proof: shown.map(|(best, candidate)| (candidate, best.column)),
                selectors: (
                    info.selector.clone(),
                    shown
                        .map(|(best, candidate)| {
                            wide.schema.tables[candidate].columns[best.column].selector.clone()
                        })
                        .unwrap_or_default(),
                ),
                compared: best.map_or(0, |best| best.compared),
                agreed: best.map_or(0, |best| best.agreed),
            });
        }
    }
    let (records, found) = records_found(&pairs, &columns);
    Proof { columns, tables, records, found }
}

/// The new tables that may stand for an old one: of its page type, of its level.
fn candidates(wide: &Wrapper, old_of: &[Option<usize>], old: &TableInfo) -> Vec<usize> {
    let tables = wide.schema.tables.iter().enumerate();
    tables
        .filter(|(_, info)| {
            let mut on = info.also_on.iter().chain([&info.page_type]);
            info.is_list() == old.is_list()
                && on.any(|&at| old_of.get(at).copied().flatten().is_some_and(|was| old.is_on(was)))
        })
        .map(|(at, _)| at)
        .collect()
}

/// The best candidate for an old column.
struct Best {
    column: usize,
    compared: usize,
    agreed: usize,
    proved: bool,
}

fn best_columns(
    pairs: &[&(usize, PageValues, PageValues)],
    table: usize,
    columns: usize,
    wide: &Wrapper,
    candidate: usize,
) -> Vec<Option<Best>> {
    let count = wide.schema.tables[candidate].columns.len();
    (0..columns)
        .map(|column| {
            (0..count)
                .map(|other| {
                    let (mut compared, mut agreed, mut extra) = (0usize, 0usize, 0usize);
                    let mut different: BTreeSet<u64> = BTreeSet::new();
                    for (_, known, new) in pairs {
                        match (known.get(&(table, column)), new.get(&(candidate, other))) {
                            (Some(known), Some(new)) if agree(known, new) => {
                                compared += 1;
                                agreed += 1;
                                different.extend(known);
                            }
                            (Some(_), _) => compared += 1,
                            (None, Some(_)) => extra += 1,
                            (None, None) => {}
                        }
                    }
                    let proved = agreed as f64 >= SAME_VALUES * compared as f64
                        && (different.len() >= DIFFERENT_VALUES
                            || (different.len() == 2 && agreed >= MANY_PAGES));
                    // What discovery chose comes first in the table, and of equals the first is taken.
                    (
                        (proved, agreed, std::cmp::Reverse(extra), std::cmp::Reverse(other)),
                        Best { column: other, compared, agreed, proved },
                    )
                })
                .max_by_key(|(rank, _)| *rank)
                .map(|(_, best)| best)
        })
        .collect()
}

/// Single values have to be equal, lists nearly.
fn agree(known: &Values, new: &Values) -> bool {
    if known.len() == 1 || new.len() == 1 {
        return known == new;
    }
    let new = &new[..new.len().min(COMPARED_ROWS)];
    let known = &known[..known.len().min(COMPARED_ROWS)];
    let mut counts: FxHashMap<u64, i32> = FxHashMap::default();
    for value in known {
        *counts.entry(*value).or_default() += 1;
    }
    let mut same = 0usize;
    for value in new {
        if let Some(count) = counts.get_mut(value).filter(|count| **count > 0) {
            *count -= 1;
            same += 1;
        }
    }
    2.0 * same as f64 >= SAME_LIST * (known.len() + new.len()) as f64
}

fn records_found(pairs: &[(usize, PageValues, PageValues)], columns: &[ColumnProof]) -> (usize, usize) {
    let proofs: FxHashMap<(usize, usize), (usize, usize)> =
        columns.iter().filter_map(|column| Some((column.place, column.proof?))).collect();
    let (mut records, mut found) = (0, 0);
    for (_, known, new) in pairs {
        if known.is_empty() {
            continue;
        }
        let again = known.iter().filter(|(place, values)| {
            proofs.get(place).and_then(|proof| new.get(proof)).is_some_and(|new| agree(values, new))
        });
        records += 1;
        found += usize::from(again.count() as f64 >= SAME_RECORD * known.len() as f64);
    }
    (records, found)
}

fn known_values(old: &SavedWrapper, known: &KnownPage) -> PageValues {
    let mut values = PageValues::default();
    for (table, info) in old.wrapper.schema.tables.iter().enumerate() {
        for row in known.rows.get(&info.name).into_iter().flatten() {
            for (column, info) in info.columns.iter().enumerate() {
                for value in row.get(&info.name).into_iter().flatten() {
                    values.entry((table, column)).or_default().push(normal(value));
                }
            }
        }
    }
    values
}

fn new_values(record: &PageRecord) -> PageValues {
    let mut rows: FxHashMap<usize, usize> = FxHashMap::default();
    let mut values = PageValues::default();
    for row in &record.rows {
        let seen = rows.entry(row.table).or_default();
        *seen += 1;
        if *seen > COMPARED_ROWS {
            continue;
        }
        for cell in &row.cells {
            values.entry((row.table, cell.column)).or_default().push(normal(cut(&cell.value)));
        }
    }
    values
}

/// A value whatever its form: dates and numbers by what they mean, text as it stands.
fn normal(value: &str) -> u64 {
    let kinds = [ValueType::Decimal, ValueType::Money, ValueType::Date];
    let meaning = kinds.iter().find_map(|kind| typed(*kind, value));
    xxh3_64(meaning.as_deref().unwrap_or(value.trim()).as_bytes())
}
