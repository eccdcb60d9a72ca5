//! Which column of the changed site shows what an old column showed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{KnownPage, PageRecord, SavedWrapper, Schema, ValueType, Wrapper, cut, typed};
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

/// A record is found again when this share of its values is ...
const SAME_RECORD: f64 = 0.5;

/// ... or so many, one of which no other known record has.
const SEVERAL_VALUES: usize = 2;

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
    /// The pages it was looked for on: a table that is on pages of several types is proved on each for itself.
    pub page_type: String,
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

/// One page with known records that is still there.
struct Pair {
    page_type: usize,
    address: u64,
    known: PageValues,
    new: PageValues,
}

/// Compares every old column with every candidate of its page type.
pub(super) fn align(site: &Site, old: &SavedWrapper, wide: &Wrapper, old_of: &[Option<usize>]) -> Proof {
    let at_address: FxHashMap<&str, usize> =
        site.pages.iter().enumerate().map(|(at, page)| (page.raw.url.as_str(), at)).collect();
    let schema = &old.wrapper.schema;
    // What was known and what is there now, page by page.
    let pairs: Vec<Pair> = old
        .known
        .par_iter()
        .filter_map(|known| {
            let page = &site.pages[*at_address.get(known.url.as_str())?];
            let new_type = old_of.iter().position(|old| *old == Some(known.page_type))?;
            let record = wide.read(&page.raw, &page.tree, &[], Some(new_type));
            Some(Pair {
                page_type: known.page_type,
                address: normal(cut(&known.url)),
                known: known_values(old, known),
                new: new_values(&record),
            })
        })
        .collect();
    let of_type = |page_type: usize| -> Vec<&Pair> {
        pairs.iter().filter(|pair| pair.page_type == page_type).collect()
    };
    let is_articles = |table: usize| old.wrapper.lists.as_ref().is_some_and(|lists| lists.table == table);
    let mut assigned = assign(old, wide, old_of, &of_type);
    let tables = assigned.iter().map(|(&table, chosen)| (table, chosen.table)).collect();
    let mut columns: Vec<ColumnProof> = Vec::new();
    for (table, info) in schema.tables.iter().enumerate() {
        let chosen = assigned.remove(&table);
        let here = of_type(info.page_type);
        for (column, column_info) in info.columns.iter().enumerate() {
            let own =
                chosen.as_ref().and_then(|chosen| Some((chosen.table, *chosen.columns[column].as_ref()?)));
            // What stood on the page itself may stand in a list on it now.
            let is_page = info.parent.is_none() && !is_articles(table);
            let moved = (is_page && own.is_none_or(|(_, best)| !best.proved))
                .then(|| moved_into_list(&here, (table, column), wide, old_of, info.page_type))
                .flatten();
            let best = moved.or(own);
            let shown = best.filter(|(_, best)| best.proved).map(|(table, best)| (table, best.column));
            columns.push(ColumnProof {
                table: info.name.clone(),
                column: column_info.name.clone(),
                page_type: schema.page_types[info.page_type].name.clone(),
                place: (table, column),
                proof: shown,
                selectors: (
                    column_info.selector.clone(),
                    shown
                        .map(|(table, column)| wide.schema.tables[table].columns[column].selector.clone())
                        .unwrap_or_default(),
                ),
                compared: best.map_or(0, |(_, best)| best.compared),
                agreed: best.map_or(0, |(_, best)| best.agreed),
            });
        }
    }
    let (records, found) = records_found(&pairs, &columns);
    Proof { columns, tables, records, found }
}

/// The new table that stands for an old one, and the best candidate for each old column.
struct Chosen {
    table: usize,
    columns: Vec<Option<Best>>,
}

/// One new table for each old one, the surest first: rows of a new table can be rows of one old table only.
fn assign<'p>(
    old: &SavedWrapper,
    wide: &Wrapper,
    old_of: &[Option<usize>],
    of_type: &dyn Fn(usize) -> Vec<&'p Pair>,
) -> BTreeMap<usize, Chosen> {
    let schema = &old.wrapper.schema;
    let mut ranked = Vec::new();
    for (table, info) in schema.tables.iter().enumerate() {
        // The list of articles is read off pages of every type.
        let lists = old.wrapper.lists.as_ref().filter(|lists| lists.table == table);
        let here = match lists {
            Some(_) => (0..schema.page_types.len()).flat_map(of_type).collect(),
            None => of_type(info.page_type),
        };
        let candidates = match lists {
            Some(_) => wide.lists.iter().map(|lists| lists.table).collect(),
            None => candidates(wide, old_of, info.page_type, info.parent.is_some()),
        };
        for candidate in candidates {
            let columns = best_columns(&here, table, info.columns.len(), wide, candidate);
            let score: usize =
                columns.iter().flatten().filter(|best| best.proved).map(|best| best.agreed).sum();
            if score > 0 || info.parent.is_none() {
                let as_deep = depth(schema, table) == depth(&wide.schema, candidate);
                ranked.push(((score, as_deep), table, Chosen { table: candidate, columns }));
            }
        }
    }
    // What discovery found comes before what was only tried, and the outer list before the inner one.
    ranked.sort_by_key(|(rank, table, chosen)| (Reverse(*rank), *table, chosen.table));
    let mut assigned: BTreeMap<usize, Chosen> = BTreeMap::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for (_, table, chosen) in ranked {
        if !assigned.contains_key(&table) && taken.insert(chosen.table) {
            assigned.insert(table, chosen);
        }
    }
    assigned
}

fn depth(schema: &Schema, table: usize) -> usize {
    // Parts of tables may stand before what they belong to; the way up ends even where it would not.
    let way_up = std::iter::successors(Some(table), |&at| schema.tables[at].parent);
    way_up.take(schema.tables.len()).count()
}

/// The column of a list that shows what an old column of the page showed.
fn moved_into_list(
    pairs: &[&Pair],
    (table, column): (usize, usize),
    wide: &Wrapper,
    old_of: &[Option<usize>],
    page_type: usize,
) -> Option<(usize, Best)> {
    candidates(wide, old_of, page_type, true)
        .into_iter()
        .filter_map(|list| {
            let best = best_column(pairs, (table, column), wide, list)?;
            best.proved.then_some((list, best))
        })
        .max_by_key(|(list, best)| (best.agreed, Reverse(*list)))
}

/// The new tables that may stand for an old one: of its page type, of its level.
fn candidates(wide: &Wrapper, old_of: &[Option<usize>], page_type: usize, list: bool) -> Vec<usize> {
    let tables = wide.schema.tables.iter().enumerate();
    tables
        .filter(|(_, info)| {
            old_of.get(info.page_type) == Some(&Some(page_type)) && info.parent.is_some() == list
        })
        .filter(|(at, _)| wide.lists.as_ref().is_none_or(|lists| lists.table != *at))
        .map(|(at, _)| at)
        .collect()
}

/// The best candidate for an old column.
#[derive(Clone, Copy)]
struct Best {
    column: usize,
    compared: usize,
    agreed: usize,
    proved: bool,
}

fn best_columns(
    pairs: &[&Pair],
    table: usize,
    columns: usize,
    wide: &Wrapper,
    candidate: usize,
) -> Vec<Option<Best>> {
    (0..columns).map(|column| best_column(pairs, (table, column), wide, candidate)).collect()
}

fn best_column(pairs: &[&Pair], place: (usize, usize), wide: &Wrapper, candidate: usize) -> Option<Best> {
    let compare = |other: usize| {
        let (mut compared, mut agreed, mut extra) = (0usize, 0usize, 0usize);
        let mut different: BTreeSet<u64> = BTreeSet::new();
        for pair in pairs {
            match (pair.known.get(&place), pair.new.get(&(candidate, other))) {
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
            && (different.len() >= DIFFERENT_VALUES || (different.len() == 2 && agreed >= MANY_PAGES));
        // What discovery chose comes first in the table, and of equals the first is taken.
        ((proved, agreed, Reverse(extra), Reverse(other)), Best { column: other, compared, agreed, proved })
    };
    let all = (0..wide.schema.tables[candidate].columns.len()).map(compare);
    all.max_by_key(|(rank, _)| *rank).map(|(_, best)| best)
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

/// Known records that are on pages which are still there, and how many of them were found again: with most of their
/// values, or with several of which one is of this record alone. A redesign may drop what it does not show any more.
fn records_found(pairs: &[Pair], columns: &[ColumnProof]) -> (usize, usize) {
    let proofs: FxHashMap<(usize, usize), (usize, usize)> =
        columns.iter().filter_map(|column| Some((column.place, column.proof?))).collect();
    let mut pages_with: FxHashMap<((usize, usize), &Values), usize> = FxHashMap::default();
    for pair in pairs {
        for (place, values) in &pair.known {
            *pages_with.entry((*place, values)).or_default() += 1;
        }
    }
    let (mut records, mut found) = (0, 0);
    for pair in pairs.iter().filter(|pair| !pair.known.is_empty()) {
        let again: Vec<((usize, usize), &Values)> = pair
            .known
            .iter()
            .filter(|(place, values)| {
                let new = proofs.get(place).and_then(|proof| pair.new.get(proof));
                new.is_some_and(|new| agree(values, new))
            })
            .map(|(place, values)| (*place, values))
            .collect();
        // Its address is known without reading the page.
        let own = again
            .iter()
            .any(|(place, values)| pages_with[&(*place, *values)] == 1 && **values != [pair.address]);
        let most = again.len() as f64 >= SAME_RECORD * pair.known.len() as f64;
        records += 1;
        found += usize::from(most || (own && again.len() >= SEVERAL_VALUES));
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
