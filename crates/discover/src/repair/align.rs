//! Which column of the changed site shows what an old column showed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use unsite_wrapper::{KnownRow, SavedWrapper, Schema, Wrapper};

use super::candidates::WithCandidates;
use super::parents::assign_parents;
use super::per_type::TableParts;
use super::places::several_places;
use super::state::TypeState;
use super::unproved::{assign_unproved_lists, keep_unproved_columns, repeating};
use super::values::{Pair, Place, Values, agree, pairs, says_nothing};
use crate::site::Site;

/// A column is found again when this share of its known values is.
pub(super) const SAME_VALUES: f64 = 0.95;

/// And when so many different values were: a column that says one thing proves nothing.
pub(super) const DIFFERENT_VALUES: usize = 3;

/// Pages on which a column with fewer different values has to agree instead.
const MANY_PAGES: usize = 12;

/// A record is found again when this share of its values is ...
pub(super) const SAME_RECORD: f64 = 0.5;

/// ... or so many, one of which no other known record has.
const SEVERAL_VALUES: usize = 2;

/// What was found of the old columns.
pub(super) struct Proof {
    /// Every old column in the order of the old schema.
    pub(super) columns: Vec<ColumnProof>,
    /// For each new table, the old one that it shows.
    pub(super) tables: BTreeMap<usize, usize>,
    /// The page types that lists of articles are not found on again.
    pub(super) unlisted: Vec<usize>,
    /// Old columns of which no value is known.
    pub(super) never_filled: Vec<Place>,
    /// New columns that only repeat an old one.
    pub(super) repeating: BTreeSet<Place>,
    /// Old lists without columns that are not found again.
    pub(super) gone: Vec<usize>,
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
    /// What became of that page type.
    pub state: TypeState,
    /// Was it missing already, an earlier repair not having found it?
    pub was_lost: bool,
    /// Its places in the old schema.
    pub place: (usize, usize),
    /// The new columns that show its values: one, or one for each place that a list stands in; none without proof.
    pub(super) shown_by: Vec<Place>,
    /// How it was reached, and how it is now.
    pub selectors: (String, String),
    /// Pages with known values that were compared with the best candidate.
    pub compared: usize,
    /// Pages on which it agreed.
    pub agreed: usize,
}

impl ColumnProof {
    /// Was it found again?
    pub fn is_proved(&self) -> bool {
        self.state.is_kept() || !self.shown_by.is_empty()
    }

    /// Does it stand elsewhere than it did?
    pub fn has_moved(&self) -> bool {
        !self.shown_by.is_empty() && self.selectors.0 != self.selectors.1
    }
}

/// Compares every old column with every candidate of its page type. `keeps_template` are the types that need none.
pub(super) fn align(
    site: &Site,
    old: &SavedWrapper,
    candidates: &WithCandidates,
    old_of: &[Option<usize>],
    keeps_template: &[bool],
    parts: &TableParts,
) -> Proof {
    let schema = &old.wrapper.schema;
    let readable = &candidates.wrapper;
    let pairs = pairs(site, old, readable, old_of);
    let mut by_type: Vec<Vec<&Pair>> = vec![Vec::new(); schema.page_types.len()];
    for pair in &pairs {
        by_type[pair.page_type].push(pair);
    }
    let hits = Hits::of(&pairs);
    let is_lost =
        |page_type: usize, place: Place| by_type[page_type].iter().any(|pair| pair.lost.contains(&place));
    let lost: BTreeSet<Place> =
        all_places(schema).filter(|&at| is_lost(schema.tables[at.0].page_type, at)).collect();
    let mut search = Search { old, readable, old_of, by_type, hits, keeps_template, unlisted: Vec::new() };
    search.unlisted = search.unlisted();
    let mut assigned = search.assign(candidates);
    let mut tables = BTreeMap::new();
    for (&table, chosen) in &assigned {
        tables.extend(chosen.tables.iter().map(|&new| (new, table)));
    }
    let gone = |table: &usize| {
        let info = &schema.tables[*table];
        let is_looked_for =
            !keeps_template[info.page_type] && info.parent.is_some() && info.columns.is_empty();
        is_looked_for && !assigned.contains_key(table)
    };
    let gone = (0..schema.tables.len()).filter(gone).collect();
    let mut columns: Vec<ColumnProof> = Vec::new();
    for (table, info) in schema.tables.iter().enumerate().filter(|(table, _)| search.is_looked_for(*table)) {
        let mut chosen = assigned.remove(&table).map(|chosen| chosen.columns).unwrap_or_default();
        chosen.resize_with(info.columns.len(), Found::default);
        for ((column, own), column_info) in chosen.into_iter().enumerate().zip(&info.columns) {
            // What stood on the page itself may stand in a list on it now.
            let is_page = info.parent.is_none() && !search.is_articles(table);
            let moved = if is_page && own.shown_by.is_empty() {
                search.moved_into_list((table, column), info.page_type)
            } else {
                None
            };
            let Found { shown_by, compared, agreed, .. } = moved.unwrap_or(own);
            let now = shown_by
                .iter()
                .map(|&(table, column)| &*readable.schema.tables[table].columns[column].selector);
            columns.push(ColumnProof {
                table: info.name.clone(),
                column: column_info.name.clone(),
                page_type: schema.page_types[info.page_type].name.clone(),
                state: TypeState::Relearned,
                was_lost: lost.contains(&(table, column)),
                place: (table, column),
                selectors: (column_info.selector.clone(), now.collect::<Vec<&str>>().join(" | ")),
                shown_by,
                compared,
                agreed,
            });
        }
    }
    keep_unproved_columns(&search, candidates, &tables, &mut columns);
    let looked_at: Vec<&Pair> = pairs.iter().filter(|pair| !keeps_template[pair.page_type]).collect();
    let (records, found) = records_found(&looked_at, &columns);
    let filled = |&(table, column): &Place| {
        let (table, column) = (&schema.tables[table], &schema.tables[table].columns[column].name);
        let name = parts.whole(&table.name);
        let has = |row: &KnownRow| row.contains_key(column);
        old.known
            .iter()
            .flat_map(|page| page.rows.iter().chain(&page.lost))
            .any(|(known, rows)| parts.whole(known) == name && rows.iter().any(has))
    };
    let unproved = columns.iter().filter(|column| !column.is_proved()).map(|column| column.place);
    let never_filled = unproved.filter(|place| !filled(place)).collect();
    Proof {
        repeating: repeating(&search, candidates, &columns),
        columns,
        tables,
        never_filled,
        unlisted: search.unlisted,
        gone,
        records,
        found,
    }
}

fn all_places(schema: &Schema) -> impl Iterator<Item = Place> + '_ {
    let tables = schema.tables.iter().enumerate();
    tables.flat_map(|(table, info)| (0..info.columns.len()).map(move |column| (table, column)))
}

/// What was found of one old column.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The new columns that show it; none without proof.
    pub(super) shown_by: Vec<Place>,
    /// The best candidate, proved or not.
    pub(super) candidate: Option<Place>,
    pub(super) compared: usize,
    pub(super) agreed: usize,
}

/// Which new columns have some value of an old one, on any page: only these need a closer look.
struct Hits(FxHashMap<Place, BTreeSet<Place>>);

impl Hits {
    fn of(pairs: &[Pair]) -> Self {
        let mut hits: FxHashMap<Place, BTreeSet<Place>> = FxHashMap::default();
        for pair in pairs {
            let mut places: FxHashMap<u64, Vec<Place>> = FxHashMap::default();
            for (place, values) in &pair.known {
                for value in values.iter().collect::<BTreeSet<&u64>>() {
                    places.entry(*value).or_default().push(*place);
                }
            }
            for (place, values) in &pair.new {
                for old in values.iter().filter_map(|value| places.get(value)).flatten() {
                    hits.entry(*old).or_default().insert(*place);
                }
            }
        }
        Hits(hits)
    }

    /// The columns of a new table that have some value of an old column.
    fn within(&self, old: Place, table: usize) -> impl Iterator<Item = usize> + '_ {
        let all = self.0.get(&old).into_iter();
        all.flat_map(move |places| places.range((table, 0)..(table + 1, 0)).map(|(_, column)| *column))
    }
}

/// The new tables that stand for an old one, and what was found of each old column.
pub(super) struct Chosen {
    pub(super) tables: Vec<usize>,
    pub(super) columns: Vec<Found>,
}

/// Everything that is asked for candidates.
pub(super) struct Search<'s> {
    pub(super) old: &'s SavedWrapper,
    pub(super) readable: &'s Wrapper,
    old_of: &'s [Option<usize>],
    by_type: Vec<Vec<&'s Pair>>,
    hits: Hits,
    /// The page types that keep their templates.
    keeps_template: &'s [bool],
    /// The page types that lists of articles are not found on again.
    unlisted: Vec<usize>,
}

impl Search<'_> {
    /// The new tables for each old one, the surest first: rows of a new table can be rows of one old table only.
    fn assign(&self, candidates: &WithCandidates) -> BTreeMap<usize, Chosen> {
        let schema = &self.old.wrapper.schema;
        let mut ranked = Vec::new();
        for (table, info) in schema.tables.iter().enumerate() {
            for candidate in self.candidates_for(table) {
                let columns = self.best_columns(table, candidate);
                let score: usize =
                    columns.iter().filter(|found| !found.shown_by.is_empty()).map(|f| f.agreed).sum();
                if score > 0 || info.parent.is_none() {
                    let as_deep = depth(schema, table) == depth(&self.readable.schema, candidate);
                    ranked.push(((score, as_deep), table, candidate, columns));
                }
            }
        }
        // What discovery found comes before what was only tried, and the outer list before the inner one.
        ranked.sort_by_key(|(rank, table, candidate, _)| (Reverse(*rank), *table, *candidate));
        let mut assigned: BTreeMap<usize, Chosen> = BTreeMap::new();
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        for (_, table, candidate, columns) in ranked {
            if !assigned.contains_key(&table) && taken.insert(candidate) {
                assigned.insert(table, Chosen { tables: vec![candidate], columns });
            }
        }
        for (table, info) in schema.tables.iter().enumerate() {
            let proved = |columns: &[Found]| -> usize {
                columns.iter().filter(|found| !found.shown_by.is_empty()).map(|found| found.agreed).sum()
            };
            let all_found = assigned
                .get(&table)
                .is_some_and(|chosen| chosen.columns.iter().all(|found| !found.shown_by.is_empty()));
            if info.parent.is_none() || self.is_articles(table) || all_found {
                continue;
            }
            let own = assigned.get(&table).map(|chosen| chosen.tables[0]);
            let free =
                self.candidates_for(table).into_iter().filter(|at| Some(*at) == own || !taken.contains(at));
            let matches =
                |column: usize, candidate: usize| self.hits.within((table, column), candidate).collect();
            let union =
                several_places(&self.pages_of(table), table, info.columns.len(), free.collect(), &matches);
            let Some((tables, columns)) = union else { continue };
            if proved(&columns) > assigned.get(&table).map_or(0, |chosen| proved(&chosen.columns)) {
                taken.extend(tables.iter().copied());
                assigned.insert(table, Chosen { tables, columns });
            }
        }
        assign_unproved_lists(self, candidates.tables, &mut assigned, &mut taken);
        assign_parents(&schema.tables, &self.readable.schema.tables, &mut assigned, &mut taken);
        assigned
    }

    /// Is it of a page type that is learned anew? The list of articles is read off pages of every type.
    pub(super) fn is_looked_for(&self, table: usize) -> bool {
        match self.is_articles(table) {
            true => self.keeps_template.iter().any(|keeps_template| !keeps_template),
            false => !self.keeps_template[self.old.wrapper.schema.tables[table].page_type],
        }
    }

    pub(super) fn is_articles(&self, table: usize) -> bool {
        self.old.wrapper.lists.as_ref().is_some_and(|lists| lists.table == table)
    }

    /// The known pages that an old table is on. The list of articles is read off pages of every type.
    pub(super) fn pages_of(&self, table: usize) -> Vec<&Pair> {
        match self.is_articles(table) {
            true => {
                let types = self.by_type.iter().enumerate();
                types
                    .filter(|(at, _)| !self.unlisted.contains(at))
                    .flat_map(|(_, here)| here)
                    .copied()
                    .collect()
            }
            false => self.by_type[self.old.wrapper.schema.tables[table].page_type].clone(),
        }
    }

    /// The page types on which the known links to articles are not found.
    fn unlisted(&self) -> Vec<usize> {
        let (Some(old), Some(new)) = (&self.old.wrapper.lists, &self.readable.lists) else {
            return Vec::new();
        };
        let is_missing = |pages: &[&Pair]| {
            let found = judge(pages, (old.table, 0), vec![(new.table, 0)]);
            (found.agreed as f64) < SAME_VALUES * found.compared as f64
        };
        (0..self.by_type.len()).filter(|&at| is_missing(&self.by_type[at])).collect()
    }

    pub(super) fn candidates_for(&self, table: usize) -> Vec<usize> {
        let info = &self.old.wrapper.schema.tables[table];
        if !self.is_looked_for(table) {
            return Vec::new();
        }
        match self.is_articles(table) {
            true => self.readable.lists.iter().map(|lists| lists.table).collect(),
            false => self.candidates(info.page_type, info.parent.is_some()),
        }
    }

    /// The new tables that may stand for an old one: of its page type, of its level.
    fn candidates(&self, page_type: usize, list: bool) -> Vec<usize> {
        let tables = self.readable.schema.tables.iter().enumerate();
        tables
            .filter(|(_, info)| {
                self.old_of.get(info.page_type) == Some(&Some(page_type)) && info.parent.is_some() == list
            })
            .filter(|(at, _)| self.readable.lists.as_ref().is_none_or(|lists| lists.table != *at))
            .map(|(at, _)| at)
            .collect()
    }

    /// The column of a list that shows what an old column of the page showed.
    fn moved_into_list(&self, place: Place, page_type: usize) -> Option<Found> {
        let lists = self.candidates(page_type, true).into_iter();
        lists
            .map(|list| (self.best_column(&self.by_type[page_type], place, list), list))
            .filter(|(found, _)| !found.shown_by.is_empty())
            .max_by_key(|(found, list)| (found.agreed, Reverse(*list)))
            .map(|(found, _)| found)
    }

    pub(super) fn best_columns(&self, table: usize, candidate: usize) -> Vec<Found> {
        let columns = self.old.wrapper.schema.tables[table].columns.len();
        let pages = self.pages_of(table);
        let mut found: Vec<Found> =
            (0..columns).map(|column| self.best_column(&pages, (table, column), candidate)).collect();
        if self.old.wrapper.schema.tables[table].parent.is_some() {
            prove_by_record(&pages, table, &mut found);
        }
        found
    }

    /// The best candidate for an old column within a new table.
    fn best_column(&self, pages: &[&Pair], place: Place, candidate: usize) -> Found {
        let compare = |column: usize| {
            let extra = pages.iter().filter(|pair| {
                !pair.known.contains_key(&place) && pair.new.contains_key(&(candidate, column))
            });
            let found = judge(pages, place, vec![(candidate, column)]);
            let written = pages.iter().filter(|pair| {
                let known = pair.known_as_written.get(&place);
                known.is_some() && known == pair.new_as_written.get(&(candidate, column))
            });
            let now = &self.readable.schema.tables[candidate].columns[column].selector;
            let was = &self.old.wrapper.schema.tables[place.0].columns[place.1].selector;
            // Equally good values: as they were written, read off the same sort of place, nowhere else; what discovery
            // chose comes first in the table.
            let rank = (written.count(), sort(now) == sort(was), Reverse(extra.count()), Reverse(column));
            ((!found.shown_by.is_empty(), found.agreed, rank), found)
        };
        let all = self.hits.within(place, candidate).map(compare);
        let best = all.max_by(|a, b| a.0.cmp(&b.0)).map(|(_, best)| best);
        best.unwrap_or_else(|| judge(pages, place, Vec::new()))
    }
}

/// Where a value stands: in an attribute, in the head, or for all to see.
fn sort(selector: &str) -> (bool, bool) {
    (selector.contains(" @"), selector.starts_with("html > head"))
}

/// A list of few rows has too few values in each column. When several columns are found without exception in one new list,
/// with enough different values in all, the record is found, and so are they.
fn prove_by_record(pages: &[&Pair], table: usize, columns: &mut [Found]) {
    let whole = |found: &Found| found.compared > 0 && found.agreed == found.compared;
    let mut different: BTreeSet<u64> = BTreeSet::new();
    let mut places: BTreeSet<Place> = BTreeSet::new();
    for (column, found) in columns.iter().enumerate().filter(|(_, found)| whole(found)) {
        for pair in pages {
            different.extend(pair.known.get(&(table, column)).into_iter().flatten());
        }
        places.extend(found.candidate);
    }
    if different.len() >= DIFFERENT_VALUES && places.len() >= DIFFERENT_VALUES {
        for found in columns.iter_mut().filter(|found| whole(found) && found.shown_by.is_empty()) {
            found.shown_by.extend(found.candidate);
        }
    }
}

/// Compares what new columns give together with what is known of an old one.
pub(super) fn judge(pages: &[&Pair], place: Place, new: Vec<Place>) -> Found {
    let candidate = new.first().copied();
    let (mut compared, mut agreed) = (0usize, 0usize);
    let mut different: BTreeSet<u64> = BTreeSet::new();
    for pair in pages {
        let Some(known) = pair.known.get(&place) else { continue };
        let given: Values = new.iter().filter_map(|at| pair.new.get(at)).flatten().copied().collect();
        if agree(known, &given) {
            agreed += 1;
            different.extend(known);
        } else if says_nothing(known, &given) {
            continue;
        }
        compared += 1;
    }
    let proved = agreed as f64 >= SAME_VALUES * compared as f64
        && (different.len() >= DIFFERENT_VALUES || (different.len() == 2 && agreed >= MANY_PAGES));
    Found { shown_by: if proved { new } else { Vec::new() }, candidate, compared, agreed }
}

fn depth(schema: &Schema, table: usize) -> usize {
    // Parts of tables may stand before what they belong to; the way up ends even where it would not.
    let way_up = std::iter::successors(Some(table), |&at| schema.tables[at].parent);
    way_up.take(schema.tables.len()).count()
}

/// Known records that are on pages which are still there, and how many of them were found again: with most of their
/// values, or with several of which one is of this record alone. A redesign may drop what it does not show any more.
fn records_found(pairs: &[&Pair], columns: &[ColumnProof]) -> (usize, usize) {
    let proofs: FxHashMap<Place, &[Place]> = columns
        .iter()
        .filter(|column| column.is_proved())
        .map(|column| (column.place, &column.shown_by[..]))
        .collect();
    let mut pages_with: FxHashMap<(Place, &Values), usize> = FxHashMap::default();
    for pair in pairs {
        for (place, values) in &pair.known {
            *pages_with.entry((*place, values)).or_default() += 1;
        }
    }
    let (mut records, mut found) = (0, 0);
    for pair in pairs {
        let known = || pair.known.iter().filter(|(place, _)| !pair.lost.contains(place));
        if known().next().is_none() {
            continue;
        }
        let again: Vec<(Place, &Values)> = known()
            .filter(|(place, values)| {
                let shown_by = proofs.get(place).copied().unwrap_or_default().iter();
                let new: Values = shown_by.filter_map(|at| pair.new.get(at)).flatten().copied().collect();
                agree(values, &new)
            })
            .map(|(place, values)| (*place, values))
            .collect();
        // Its address is known without reading the page.
        let own = again
            .iter()
            .any(|(place, values)| pages_with[&(*place, *values)] == 1 && **values != [pair.address]);
        let most = again.len() as f64 >= SAME_RECORD * known().count() as f64;
        records += 1;
        found += usize::from(most || (own && again.len() >= SEVERAL_VALUES));
    }
    (records, found)
}
