//! A wrapper made fit for a site that has changed, with proof.

mod align;
mod candidates;
mod parents;
mod per_type;
mod places;
mod rebuild;
mod relist;
mod retype;
mod state;
mod unchanged;
mod unproved;
mod values;

use unsite_wrapper::{Provenance, SavedWrapper};

use crate::induce::induce_unified;
use crate::learned::remember_some;
use crate::page_types::{self, PageTypes};
use crate::routes::add_routes;
use crate::site::Site;
use crate::tables::Unify;

pub use align::ColumnProof;
use align::Proof;
use candidates::WithCandidates;
use per_type::{TablesPerType, tables_per_type};
pub use state::TypeState;
use state::{FEW_PAGES, States};
use unchanged::{Unchanged, keep_values_of_lost_columns};

/// The repair holds when this share of the known records that were looked up is found again ...
const FOUND_AGAIN: f64 = 0.6;

/// ... and at least so many of them.
const FEWEST_RECORDS: usize = 5;

/// ... with this share of the columns that could be looked for: another site at the same addresses shows the addresses and
/// little else that was known.
const PROVED: f64 = 0.2;

/// What a repair came to.
pub struct Repair {
    /// The wrapper for the changed site: old names where the old values were found again.
    pub saved: SavedWrapper,
    /// What became of each old page type.
    pub types: Vec<TypeReport>,
    /// Every column of the old wrapper on pages that were looked at, and whether it was found again.
    pub columns: Vec<ColumnProof>,
    /// New tables and columns, `table` or `table.column`.
    pub added: Vec<String>,
    /// Page types that are new.
    pub new_types: Vec<String>,
    /// Old lists without columns that were not found again.
    pub gone: Vec<String>,
    /// Old lists whose rows do not stand inside the rows of another any more, and what they stood in.
    pub torn: Vec<(String, String)>,
    /// Known records on pages that are still there and have changed.
    pub records: usize,
    /// Of these, records most of whose values were found again.
    pub found: usize,
    /// Pages of the source that fit no page type as it was.
    pub strangers: usize,
}

/// What became of one old page type.
#[derive(Debug, Clone)]
pub struct TypeReport {
    /// Its name.
    pub name: String,
    /// Pages of it in the source.
    pub pages: usize,
    /// What became of it.
    pub state: TypeState,
}

impl Repair {
    /// Whether there is nothing to repair: no page type that was looked at has changed as far as can be told, and none is
    /// new.
    pub fn is_unchanged(&self) -> bool {
        let as_it_was = self.types.iter().all(|report| report.state.is_as_it_was());
        as_it_was && self.new_types.is_empty() && self.refusal().is_none()
    }

    /// The page types of which there are too few pages to tell anything.
    pub fn too_few(&self) -> impl Iterator<Item = &TypeReport> {
        self.types.iter().filter(|report| report.state == TypeState::TooFewPages)
    }

    /// Whether enough known records were found again with their values.
    pub fn is_proved(&self) -> bool {
        self.refusal().is_none()
    }

    /// Why the repair is no proof; `None` when it is accepted.
    pub fn refusal(&self) -> Option<String> {
        let changed = |report: &TypeReport| !report.state.is_as_it_was();
        if !self.types.iter().any(changed) {
            let told = |report: &TypeReport| format!("{} of {}", report.pages, report.name);
            let few: Vec<String> = self.too_few().map(told).collect();
            // New page types belong to the site where others of it are as they were.
            return match () {
                () if self.types.iter().any(|report| report.state == TypeState::Fits) => None,
                () if few.is_empty() => Some("no page of a page type that is known is in the source".into()),
                () => Some(format!("too few pages: {}; it takes {FEW_PAGES} of a page type", few.join(", "))),
            };
        }
        let looked_for = || self.columns.iter().filter(|column| !column.state.is_as_it_was());
        let proved = looked_for().filter(|column| column.is_proved()).count();
        // What was missing before and is missing still says nothing.
        let looked_for = looked_for().filter(|column| column.compared > 0);
        let looked_for = looked_for.filter(|column| column.is_proved() || !column.was_lost).count();
        let (records, found) = (self.records, self.found);
        match () {
            () if records == 0 => Some("no page with known records is in the source".into()),
            () if found == 0 || (found as f64) < FOUND_AGAIN * records as f64 => Some(format!(
                "only {found} of {records} known records were found again; it takes {:.0} %",
                FOUND_AGAIN * 100.0
            )),
            () if found < FEWEST_RECORDS.min(records) => {
                Some(format!("only {found} known records were found again; it takes {FEWEST_RECORDS}"))
            }
            () if proved == 0 || (proved as f64) < PROVED * looked_for as f64 => Some(format!(
                "{found} of {records} known records were found again, but only {proved} of {looked_for} columns \
                 with enough different values to tell them by; it takes {:.0} %",
                PROVED * 100.0
            )),
            () => None,
        }
    }
}

/// Learns a changed site anew and carries over the old names to what shows the old values.
///
/// # What it does
/// First it looks at the pages as they are: page types that have not changed, that have no page in the source or too few
/// stay as they were, and those whose template still reads all that is known keep it. Of the others, pages at known
/// addresses keep their types, further pages follow those they are clustered with; an old type whose pages are built in
/// several ways now becomes several, where more is found again then. The templates are learned anew, and
/// widened: everything that varies at any step may be a column, every element may be a row. Each old column is then compared
/// with every candidate on the pages whose records are known; one that gives the known values takes over the old name. What
/// stood on the page may stand in a list now, and a list may stand in several places. A column without proof stays in its
/// table, empty, and is told.
/// # Assumes
/// Enough of the pages are still at their addresses and still show their records.
/// # When it fails
/// Values that are written another way (other than dates and numbers in another form) are not found again. Of two old
/// lists that are one list now, one is found again.
/// # Paper
/// Ours; the demand for known records is that of wrapper verification and reinduction (Lerman, Minton, Knoblock 2003).
pub fn repair(
    site: &Site,
    old: &SavedWrapper,
    options: &page_types::Options,
    provenance: Provenance,
) -> Repair {
    let states = States::of(site, old);
    let types = old.wrapper.schema.page_types.iter().zip(&states.of_type).zip(&states.pages);
    let types = types.map(|((info, &state), &pages)| TypeReport { name: info.name.clone(), pages, state });
    let mut repair = Repair {
        saved: old.clone(),
        types: types.collect(),
        columns: kept_columns(old, &states),
        added: Vec::new(),
        new_types: Vec::new(),
        gone: Vec::new(),
        torn: Vec::new(),
        records: 0,
        found: 0,
        strangers: states.recognised.iter().filter(|found| found.is_none()).count(),
    };
    let is_as_it_was = states.of_type.iter().all(|state| state.is_as_it_was());
    if is_as_it_was && states.known.iter().all(Option::is_some) {
        return repair;
    }
    for (state, (records, found)) in states.of_type.iter().zip(&states.records) {
        if *state == TypeState::StillRead {
            repair.records += records;
            repair.found += found;
        }
    }
    let found = page_types::cluster(site, options);
    relearn(site, old, &states, best_attempt(site, old, &found, &states), provenance, &mut repair);
    repair
}

/// Puts together what was found again and what is as it was.
fn relearn(
    site: &Site,
    old: &SavedWrapper,
    states: &States,
    attempt: Attempt,
    provenance: Provenance,
    repair: &mut Repair,
) {
    let Attempt { per_type, candidates, proof, type_of, keeps_template } = attempt;
    let (mut wrapper, mut added) =
        rebuild::rebuild(&per_type.saved, &candidates, &proof, &per_type.type_of, &keeps_template);
    // Types that stand behind the old ones and are no parts of them.
    let new_types = per_type.old_of.len()..wrapper.types.len();
    repair.new_types = new_types.map(|at| wrapper.schema.page_types[at].name.clone()).collect();
    if repair.new_types.is_empty() && states.of_type.iter().all(|state| state.is_as_it_was()) {
        return;
    }
    per_type.parts.join(&mut wrapper);
    let unchanged = Unchanged { old, states, type_of: &type_of };
    unchanged.recognise(site, &mut wrapper);
    add_routes(site, &mut wrapper, &type_of);
    unchanged.restore_tables(&mut wrapper);
    // What tables are to the database behind the site does not change with what pages look like.
    wrapper.database = old.wrapper.database.as_ref().map(|known| known.grown(&wrapper.schema.tables));
    let learned_from = unchanged.learned_from();
    let relearned: Vec<(usize, usize)> = type_of
        .iter()
        .enumerate()
        .filter(|(_, at)| states.of_type.get(**at).is_none_or(|state| *state == TypeState::Relearned))
        .map(|(page, at)| (page, *at))
        .collect();
    let tables = &per_type.saved.wrapper.schema.tables;
    repair.torn = parents::torn(site, &wrapper, &relearned, old.wrapper.schema.tables.len());
    repair.gone =
        proof.gone.iter().map(|&table| per_type.parts.whole(&tables[table].name).to_owned()).collect();
    let mut saved = remember_some(site, wrapper, provenance, &learned_from);
    unchanged.remember(&mut saved);
    let Proof { mut columns, records, found, .. } = proof;
    // The list of articles is on pages of every type.
    let is_articles =
        |table: usize| per_type.saved.wrapper.lists.as_ref().is_some_and(|lists| lists.table == table);
    let changed = || (0..keeps_template.len()).filter(|&at| !keeps_template[at]).collect();
    let types_of: Vec<Vec<usize>> = columns
        .iter()
        .map(|column| match is_articles(column.place.0) {
            true => changed(),
            false => vec![tables[column.place.0].page_type],
        })
        .collect();
    per_type.parts.rename(&mut columns, &mut added);
    keep_values_of_lost_columns(old, &mut saved, &columns, &types_of);
    repair.saved = saved;
    repair.columns.extend(columns);
    repair.added = added;
    repair.records += records;
    repair.found += found;
}

/// The columns of page types that keep their templates, with what these still read.
fn kept_columns(old: &SavedWrapper, states: &States) -> Vec<ColumnProof> {
    let schema = &old.wrapper.schema;
    let looked_at = |at: usize| matches!(states.of_type[at], TypeState::Fits | TypeState::StillRead);
    let mut columns = Vec::new();
    for (table, info) in schema.tables.iter().enumerate() {
        for page_type in info.also_on.iter().chain([&info.page_type]).copied().filter(|&at| looked_at(at)) {
            for (column, column_info) in info.columns.iter().enumerate() {
                let read = states.read.get(&(page_type, (table, column)));
                let (compared, agreed) = read.copied().unwrap_or_default();
                columns.push(ColumnProof {
                    table: info.name.clone(),
                    column: column_info.name.clone(),
                    page_type: schema.page_types[page_type].name.clone(),
                    state: states.of_type[page_type],
                    was_lost: false,
                    place: (table, column),
                    shown_by: Vec::new(),
                    selectors: (column_info.selector.clone(), column_info.selector.clone()),
                    compared,
                    agreed,
                });
            }
        }
    }
    columns
}

/// What was found again, the pages being of certain types.
struct Attempt {
    per_type: TablesPerType,
    candidates: WithCandidates,
    proof: Proof,
    /// The type of each page, at the place that it has in the end.
    type_of: Vec<usize>,
    /// For each page type of `per_type`, whether it keeps its template.
    keeps_template: Vec<bool>,
}

impl Attempt {
    /// `split` are the old types whose pages are of as many types as they look like now.
    fn new(site: &Site, old: &SavedWrapper, found: &PageTypes, states: &States, split: &[bool]) -> Self {
        let retyped = retype::retype(&states.known, old, found, split);
        let per_type = tables_per_type(old, site, &retyped);
        let mut keeps_template: Vec<bool> = states.of_type.iter().map(|state| state.is_kept()).collect();
        keeps_template.resize(per_type.old_of.len(), false);
        let mut places: Vec<usize> = Vec::new();
        let mut next = per_type.old_of.len();
        for place in &per_type.type_of {
            places.push(place.unwrap_or(next));
            next += usize::from(place.is_none());
        }
        let type_of = retyped.types.type_of.iter().map(|&at| places[at]).collect();
        let mut learned = induce_unified(site, retyped.types, Unify::WithinTypes);
        // What pages are for does not change with what they look like.
        for (info, old) in learned.schema.page_types.iter_mut().zip(&per_type.type_of) {
            if let Some(old) = old {
                info.role.clone_from(&per_type.saved.wrapper.schema.page_types[*old].role);
            }
        }
        relist::relist(
            site,
            &per_type.saved,
            &mut learned,
            &per_type.type_of,
            keeps_template.contains(&true),
        );
        let candidates = candidates::with_candidates(&learned);
        let proof = align::align(
            site,
            &per_type.saved,
            &candidates,
            &per_type.type_of,
            &keeps_template,
            &per_type.parts,
        );
        Attempt { per_type, candidates, proof, type_of, keeps_template }
    }

    /// For each old page type, on how many pages its columns were found again, all in all.
    fn found_again(&self, types: usize) -> Vec<usize> {
        let mut found = vec![0; types];
        for column in self.proof.columns.iter().filter(|column| column.is_proved()) {
            let page_type = self.per_type.saved.wrapper.schema.tables[column.place.0].page_type;
            found[self.per_type.old_of[page_type]] += column.agreed;
        }
        found
    }
}

/// A redesign may build pages of one old type in several ways, and clustering may tell apart what is one: both are tried,
/// and each old type is what more known values speak for.
fn best_attempt(site: &Site, old: &SavedWrapper, found: &PageTypes, states: &States) -> Attempt {
    let types = old.wrapper.types.len();
    let may_split: Vec<bool> = states.of_type.iter().map(|state| !state.is_kept()).collect();
    let whole = Attempt::new(site, old, found, states, &vec![false; types]);
    if !may_split.contains(&true) {
        return whole;
    }
    let split = Attempt::new(site, old, found, states, &may_split);
    if split.per_type.old_of.len() == types {
        return whole;
    }
    let by_type = whole.found_again(types).into_iter().zip(split.found_again(types));
    let better: Vec<bool> = by_type.map(|(whole, split)| split > whole).collect();
    let is_split = |at: usize| split.per_type.old_of[types..].contains(&at);
    if (0..types).all(|at| !better[at]) {
        return whole;
    }
    if (0..types).all(|at| better[at] || !is_split(at)) {
        return split;
    }
    Attempt::new(site, old, found, states, &better)
}
