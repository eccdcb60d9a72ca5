//! A wrapper made fit for a site that has changed, with proof.

mod align;
mod apart;
mod rebuild;
mod relist;
mod retype;
mod widen;

use unsite_wrapper::{Provenance, SavedWrapper, Wrapper};

use crate::induce::induce_unified;
use crate::learned::remember;
use crate::page_types::{self, methods};
use crate::routes::add_routes;
use crate::site::Site;
use crate::tables::Unify;

pub use align::ColumnProof;
use align::Proof;
use apart::take_apart;

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
        let proved = self.columns.iter().filter(|column| column.proof.is_some()).count();
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
/// Pages at known addresses keep their types, the others follow the pages they are clustered with. The templates are
/// learned anew, and widened: everything that varies at any step may be a column. Each old column is then compared with
/// every candidate on the pages whose records are known; one that gives the known values takes over the old name. What
/// stood on the page may stand in a list now, and a list may have become single elements. A column without proof stays in its table, empty, and is told.
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
    let (old, parts) = &take_apart(old);
    let types = page_types::cluster(site, &methods::METHODS[0], options);
    let retyped = retype::retype(site, old, types);
    let mut learned = induce_unified(site, retyped.types, Unify::WithinTypes);
    relist::relist(site, old, &mut learned, &retyped.old_of);
    let wide = widen::widen(&learned);
    let proof = align::align(site, old, &wide.wrapper, &retyped.old_of);
    let (mut wrapper, mut added): (Wrapper, Vec<String>) =
        rebuild::rebuild(old, &wide, &proof, &retyped.old_of);
    parts.join(&mut wrapper);
    let type_of: Vec<usize> =
        site.pages.iter().map(|page| wrapper.training.page_type(&page.raw).unwrap_or_default()).collect();
    add_routes(site, &mut wrapper, &type_of);
    let saved = remember(site, wrapper, provenance);
    let Proof { mut columns, records, found, .. } = proof;
    parts.rename(&mut columns, &mut added);
    Repair { saved, columns, added, records, found }
}
