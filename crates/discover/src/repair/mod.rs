//! A wrapper made fit for a site that has changed, with proof.

mod align;
mod apart;
mod places;
mod rebuild;
mod relist;
mod retype;
mod values;
mod widen;

use unsite_wrapper::{Provenance, SavedWrapper, Wrapper};

use crate::induce::induce_unified;
use crate::learned::remember;
use crate::page_types::{self, PageTypes, methods};
use crate::routes::add_routes;
use crate::site::Site;
use crate::tables::Unify;

pub use align::ColumnProof;
use align::Proof;
use apart::{Apart, take_apart};
use widen::Wide;

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
    /// Every column of the old wrapper, and whether it was found again.
    pub columns: Vec<ColumnProof>,
    /// New tables and columns, `table` or `table.column`.
    pub added: Vec<String>,
    /// Known records on pages that are still there.
    pub records: usize,
    /// Of these, records most of whose values were found again.
    pub found: usize,
}

impl Repair {
    /// Whether enough known records were found again with their values.
    pub fn is_proved(&self) -> bool {
        let proved = self.columns.iter().filter(|column| column.is_proved()).count();
        let looked_for = self.columns.iter().filter(|column| column.compared > 0).count();
        self.found >= FEWEST_RECORDS.min(self.records)
            && self.found > 0
            && self.found as f64 >= FOUND_AGAIN * self.records as f64
            && proved > 0
            && proved as f64 >= PROVED * looked_for as f64
    }
}

/// Learns a changed site anew and carries over the old names to what shows the old values.
///
/// # What it does
/// Pages at known addresses keep their types, the others follow the pages they are clustered with; an old type whose pages
/// are built in several ways now becomes several, where more is found again then. The templates are learned anew, and
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
    let found = page_types::cluster(site, &methods::METHODS[0], options);
    let Attempt { apart, wide, proof } = best_attempt(site, old, &found);
    let (mut wrapper, mut added): (Wrapper, Vec<String>) =
        rebuild::rebuild(&apart.saved, &wide, &proof, &apart.type_of);
    apart.parts.join(&mut wrapper);
    let type_of: Vec<usize> =
        site.pages.iter().map(|page| wrapper.training.page_type(&page.raw).unwrap_or_default()).collect();
    add_routes(site, &mut wrapper, &type_of);
    let saved = remember(site, wrapper, provenance);
    let Proof { mut columns, records, found, .. } = proof;
    apart.parts.rename(&mut columns, &mut added);
    Repair { saved, columns, added, records, found }
}

/// What was found again, the pages being of certain types.
struct Attempt {
    apart: Apart,
    wide: Wide,
    proof: Proof,
}

impl Attempt {
    /// `split` are the old types whose pages are of as many types as they look like now.
    fn new(site: &Site, old: &SavedWrapper, found: &PageTypes, split: &[bool]) -> Self {
        let retyped = retype::retype(site, old, found, split);
        let apart = take_apart(old, site, &retyped);
        let mut learned = induce_unified(site, retyped.types, Unify::WithinTypes);
        // What pages are for does not change with what they look like.
        for (info, old) in learned.schema.page_types.iter_mut().zip(&apart.type_of) {
            if let Some(old) = old {
                info.role.clone_from(&apart.saved.wrapper.schema.page_types[*old].role);
            }
        }
        relist::relist(site, &apart.saved, &mut learned, &apart.type_of);
        let wide = widen::widen(&learned);
        let proof = align::align(site, &apart.saved, &wide.wrapper, &apart.type_of);
        Attempt { apart, wide, proof }
    }

    /// For each old page type, on how many pages its columns were found again, all in all.
    fn found_again(&self, types: usize) -> Vec<usize> {
        let mut found = vec![0; types];
        for column in self.proof.columns.iter().filter(|column| column.is_proved()) {
            let page_type = self.apart.saved.wrapper.schema.tables[column.place.0].page_type;
            found[self.apart.old_of[page_type]] += column.agreed;
        }
        found
    }
}

/// A redesign may build pages of one old type in several ways, and clustering may tell apart what is one: both are tried,
/// and each old type is what more known values speak for.
fn best_attempt(site: &Site, old: &SavedWrapper, found: &PageTypes) -> Attempt {
    let types = old.wrapper.types.len();
    let whole = Attempt::new(site, old, found, &vec![false; types]);
    let split = Attempt::new(site, old, found, &vec![true; types]);
    if split.apart.old_of.len() == types {
        return whole;
    }
    let by_type = whole.found_again(types).into_iter().zip(split.found_again(types));
    let better: Vec<bool> = by_type.map(|(whole, split)| split > whole).collect();
    let is_split = |at: usize| split.apart.old_of[types..].contains(&at);
    if (0..types).all(|at| !better[at]) {
        return whole;
    }
    if (0..types).all(|at| better[at] || !is_split(at)) {
        return split;
    }
    Attempt::new(site, old, found, &better)
}
