//! Lists that hold other lists: found again without values of their own, and told where they are not.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use unsite_wrapper::{TableInfo, Wrapper};

use super::align::{Chosen, Found};
use crate::site::Site;

/// A list is torn from what it belonged to when fewer of its rows than this share belong to something.
const TORN: f64 = 0.5;

/// A list without columns is where the lists inside it stand: what holds their new tables is its new table.
pub(super) fn assign_parents(
    old: &[TableInfo],
    new: &[TableInfo],
    assigned: &mut BTreeMap<usize, Chosen>,
    taken: &mut BTreeSet<usize>,
) {
    // Inner lists stand behind the outer ones, so that each finds its children assigned.
    for (table, info) in old.iter().enumerate().rev() {
        if !info.columns.is_empty() || info.parent.is_none() || assigned.contains_key(&table) {
            continue;
        }
        let children = (0..old.len()).filter(|&child| old[child].parent == Some(table));
        let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
        for now in children.filter_map(|child| assigned.get(&child)).flat_map(|chosen| &chosen.tables) {
            let above = new[*now].parent.filter(|&above| new[above].parent.is_some());
            if let Some(above) = above.filter(|above| !taken.contains(above)) {
                *votes.entry(above).or_default() += 1;
            }
        }
        let most = votes.into_iter().max_by_key(|&(above, count)| (count, std::cmp::Reverse(above)));
        if let Some((above, _)) = most {
            taken.insert(above);
            assigned.insert(table, Chosen { tables: vec![above], columns: Vec::<Found>::new() });
        }
    }
}

/// The old lists whose rows do not stand inside the rows of the list that they belong to any more, on the pages whose types
/// are learned anew; each as `table` and what it belonged to.
pub(super) fn torn(
    site: &Site,
    wrapper: &Wrapper,
    pages: &[(usize, usize)],
    old: usize,
) -> Vec<(String, String)> {
    let tables = &wrapper.schema.tables;
    let in_list = |table: usize| tables[table].parent.filter(|&parent| tables[parent].is_list());
    let reader = wrapper.reader();
    let counts: Vec<BTreeMap<usize, (usize, usize)>> = pages
        .par_iter()
        .map(|&(page, page_type)| {
            let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
            let page = &site.pages[page];
            for row in reader.rows(&page.tree, &page.raw.url, page_type) {
                if row.table < old && in_list(row.table).is_some() {
                    let (rows, held) = counts.entry(row.table).or_default();
                    *rows += 1;
                    *held += usize::from(row.parent.is_some());
                }
            }
            counts
        })
        .collect();
    let mut all: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (table, (rows, held)) in counts.into_iter().flatten() {
        let sum = all.entry(table).or_default();
        *sum = (sum.0 + rows, sum.1 + held);
    }
    all.into_iter()
        .filter(|(_, (rows, held))| (*held as f64) < TORN * *rows as f64)
        .filter_map(|(table, _)| Some((tables[table].name.clone(), tables[in_list(table)?].name.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, parent: Option<usize>) -> TableInfo {
        TableInfo { name: name.into(), parent, ..TableInfo::default() }
    }

    #[test]
    fn a_list_without_columns_is_found_by_the_lists_inside_it() {
        let mut old = [table("page", None), table("row", Some(0)), table("cell", Some(1))];
        old[2].columns.push(Default::default());
        let new = [table("page", None), table("menu", Some(0)), table("tr", Some(0)), table("td", Some(2))];
        let cell = Chosen { tables: vec![3], columns: Vec::new() };
        let mut assigned = BTreeMap::from([(2, cell)]);
        let mut taken = BTreeSet::from([3]);
        assign_parents(&old, &new, &mut assigned, &mut taken);
        assert_eq!(assigned.get(&1).map(|chosen| chosen.tables.clone()), Some(vec![2]));
        // Where the inner list stands on the page itself, there is none.
        let flat = [table("page", None), table("td", Some(0))];
        let mut assigned = BTreeMap::from([(2, Chosen { tables: vec![1], columns: Vec::new() })]);
        assign_parents(&old, &flat, &mut assigned, &mut BTreeSet::from([1]));
        assert!(!assigned.contains_key(&1));
    }
}
