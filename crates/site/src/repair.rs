//! A changed site learned anew under its old names, with all that people and earlier designs said.

use unsite_discover::page_types::Options;
use unsite_discover::{Repair, Site};
use unsite_wrapper::{Epoch, Provenance, SavedWrapper, TypeChange};

use crate::learn::seen;

/// Repairs what was learned to the pages of a site as it is now. Edits by hand and earlier designs are kept.
pub fn repair_site(site: &Site, known: &SavedWrapper, told: &Options, provenance: Provenance) -> Repair {
    let mut repair = unsite_discover::repair(site, known, told, provenance);
    if !repair.is_unchanged() {
        succeed(&mut repair.saved, known, site);
    }
    repair.saved.edits.clone_from(&known.edits);
    repair
}

/// A repaired wrapper keeps the designs that were known, and the one that it was repaired from, if anybody knows when that
/// was seen.
fn succeed(repaired: &mut SavedWrapper, old: &SavedWrapper, site: &Site) {
    repaired.epochs.clone_from(&old.epochs);
    repaired.seen = seen(site).into_iter().collect();
    // Pages that were captured before belong to both.
    if let (Some(before), Some(seen)) = (old.seen.iter().max(), repaired.seen.first_mut()) {
        let moments = site.pages.iter().filter_map(|page| page.raw.captured).map(|at| at.to_string());
        seen.first = moments.filter(|at| *at > before.last).min().unwrap_or(seen.first.clone());
    }
    let (Some(before), Some(after)) = (old.seen.iter().max(), repaired.seen.first()) else { return };
    let change =
        TypeChange { before: before.last.clone(), after: after.first.clone(), ..TypeChange::default() };
    let names = old.wrapper.schema.page_types.iter().enumerate();
    let changed = names.filter(|(at, _)| repaired.wrapper.types.get(*at) != old.wrapper.types.get(*at));
    let epoch = Epoch {
        seen: old.seen.clone(),
        wrapper: old.wrapper.clone(),
        profile: old.profile.clone(),
        known: old.known.clone(),
        changes: changed
            .map(|(_, info)| TypeChange { page_type: info.name.clone(), ..change.clone() })
            .collect(),
        refused: None,
    };
    repaired.epochs.insert(0, epoch);
}
