//! Columns and lists with too few known values to prove anything: they keep their places where everything known of them is
//! found again and nothing else fits.

use std::collections::{BTreeMap, BTreeSet};

use super::align::{Chosen, ColumnProof, Search, judge};
use super::candidates::WithCandidates;
use super::values::{Pair, Place};
use crate::naming::base_name;

/// Different values that speak for a column under another name.
const SEVERAL: usize = 2;

/// Gives an old list that no column proves the one new list that shows all that is known of it.
pub(super) fn assign_unproved_lists(
    search: &Search<'_>,
    chosen: usize,
    assigned: &mut BTreeMap<usize, Chosen>,
    taken: &mut BTreeSet<usize>,
) {
    let schema = &search.old.wrapper.schema;
    for (table, info) in schema.tables.iter().enumerate() {
        if info.parent.is_none() || search.is_articles(table) || assigned.contains_key(&table) {
            continue;
        }
        let mut fitting = Vec::new();
        // Only what discovery itself takes for a list.
        for candidate in
            search.candidates_for(table).into_iter().filter(|at| *at < chosen && !taken.contains(at))
        {
            let columns = search.best_columns(table, candidate);
            let known = || columns.iter().filter(|found| found.compared > 0);
            if known().next().is_some() && known().all(|found| found.agreed == found.compared) {
                let named = search.readable.schema.tables[candidate].name == info.name;
                fitting.push((!named, candidate, columns));
            }
        }
        fitting.sort_by_key(|(other, candidate, _)| (*other, *candidate));
        let is_sure = match fitting.as_slice() {
            [] => false,
            [_] => true,
            [first, second, ..] => !first.0 && second.0,
        };
        if let Some((_, candidate, columns)) = fitting.into_iter().next().filter(|_| is_sure) {
            taken.insert(candidate);
            assigned.insert(table, Chosen { tables: vec![candidate], columns });
        }
    }
}

/// Gives old columns with too few known values the new column of their table that shows all of them, nothing where there
/// was nothing, and has their name or their place; or that is the only one and shows several different values.
pub(super) fn keep_unproved_columns(
    search: &Search<'_>,
    candidates: &WithCandidates,
    tables: &BTreeMap<usize, usize>,
    columns: &mut [ColumnProof],
) {
    let mut claimed: BTreeSet<Place> = columns.iter().flat_map(|column| column.shown_by.clone()).collect();
    for proof in columns.iter_mut().filter(|proof| proof.shown_by.is_empty()) {
        let (table, column) = proof.place;
        let info = &search.old.wrapper.schema.tables[table].columns[column];
        let pages = search.pages_of(table);
        let known: BTreeSet<u64> =
            pages.iter().filter_map(|pair| pair.known.get(&proof.place)).flatten().copied().collect();
        if known.is_empty() || search.is_articles(table) {
            continue;
        }
        let mut fitting: Vec<(bool, Place)> = Vec::new();
        for (&new, _) in tables.iter().filter(|(_, old)| **old == table) {
            let chosen = candidates.chosen.get(new).copied().unwrap_or_default();
            for (at, candidate) in search.readable.schema.tables[new].columns.iter().enumerate() {
                let same_place = candidate.selector == info.selector;
                let place = (new, at);
                if (at < chosen || same_place)
                    && !claimed.contains(&place)
                    && shows_all(&pages, proof.place, place)
                {
                    let alike = at < chosen && base_name(&candidate.name) == base_name(&info.name);
                    fitting.push((alike || same_place, place));
                }
            }
        }
        let sure = fitting.iter().find(|(alike, _)| *alike);
        let only = fitting.first().filter(|_| fitting.len() == 1 && known.len() >= SEVERAL);
        if let Some(&(_, place)) = sure.or(only) {
            let found = judge(&pages, proof.place, vec![place]);
            (proof.compared, proof.agreed) = (found.compared, found.agreed);
            proof.selectors.1.clone_from(&search.readable.schema.tables[place.0].columns[place.1].selector);
            proof.shown_by = vec![place];
            claimed.insert(place);
        }
    }
}

/// New columns that would only repeat an old one under its name and a number: they show what it shows on every page.
pub(super) fn repeating(
    search: &Search<'_>,
    candidates: &WithCandidates,
    columns: &[ColumnProof],
) -> BTreeSet<Place> {
    let mut claimed: BTreeSet<Place> = columns.iter().flat_map(|column| column.shown_by.clone()).collect();
    // Rows take over what a heading says: it stays.
    let rules = search.readable.types.iter().flat_map(|model| &model.template.inherits);
    claimed.extend(rules.map(|rule| (rule.from_table, rule.from_column)));
    let mut repeating = BTreeSet::new();
    for proof in columns {
        let &[(table, column)] = proof.shown_by.as_slice() else { continue };
        let pages = search.pages_of(proof.place.0);
        let chosen = candidates.chosen.get(table).copied().unwrap_or_default();
        for (at, info) in search.readable.schema.tables[table].columns[..chosen].iter().enumerate() {
            let shows = |pair: &&Pair| pair.new.get(&(table, at)) == pair.new.get(&(table, column));
            if !claimed.contains(&(table, at))
                && base_name(&info.name) == base_name(&proof.column)
                && pages.iter().all(shows)
            {
                repeating.insert((table, at));
            }
        }
    }
    repeating
}

/// Does a new column give every known value, and none on pages where the old one had none?
fn shows_all(pages: &[&Pair], old: Place, new: Place) -> bool {
    let found = judge(pages, old, vec![new]);
    let more = pages.iter().any(|pair| !pair.known.contains_key(&old) && pair.new.contains_key(&new));
    found.compared > 0 && found.agreed == found.compared && !more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::values::PageValues;

    fn page(known: &[u64], new: &[u64]) -> Pair {
        let values = |values: &[u64]| match values {
            [] => PageValues::default(),
            _ => PageValues::from_iter([((0, 0), values.to_vec())]),
        };
        Pair {
            page_type: 0,
            address: 0,
            known: values(known),
            new: values(new),
            lost: BTreeSet::new(),
            known_as_written: PageValues::default(),
            new_as_written: PageValues::default(),
        }
    }

    #[test]
    fn few_values_are_found_where_all_are_and_nothing_else() {
        let shows = |pages: &[Pair]| shows_all(&pages.iter().collect::<Vec<&Pair>>(), (0, 0), (0, 0));
        assert!(shows(&[page(&[7], &[7]), page(&[], &[])]));
        assert!(!shows(&[page(&[7], &[7]), page(&[8], &[9])]), "another value");
        assert!(!shows(&[page(&[7], &[7]), page(&[], &[9])]), "a value where there was none");
        assert!(!shows(&[page(&[], &[])]), "nothing known");
    }
}
