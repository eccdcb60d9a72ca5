//! One kind of record, one table: lists that show the same things on pages of several types, or in several layouts.

use std::collections::BTreeMap;

use unsite_wrapper::Wrapper;

use super::collected::records_of_one_kind;
use super::lists::{List, lists};
use super::merging::{Groups, merge};
use super::programs::answers_of_one_program;
use crate::site::Site;

/// Lists are alike when their rows share this much of what they hold, by weight: more than they differ in.
const ALIKE: f64 = 0.5;

/// Two lists that stand on one page together more often than this are two lists; what is left are pages that were
/// caught in between.
const TOGETHER: f64 = 0.2;

/// Which lists may become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unify {
    /// Those of all page types.
    AcrossTypes,
    /// Only those of one page type.
    WithinTypes,
}

/// Finds the lists of one kind and makes each kind one table. `type_of` is the type of each page.
///
/// # What it does
/// Lists of several page types with one name whose rows are built alike become one table: the cards of a book on the
/// pages of its author and of its category. Lists of one type that are built alike and do not stand on one page
/// together are layouts of one list, and so are the main lists of search pages that are answers of one program.
///
/// # Assumes
/// The site names its rows (classes or a heading), or answers a search at one address.
///
/// # When it fails
/// Pages of many sites thrown together name little alike: but for what readers wrote, see `records_of_one_kind`, each keeps its
/// own tables.
///
/// # Paper
/// None; the CHEX thesis leaves lists of other page types apart.
pub(crate) fn unify(site: &Site, type_of: &[usize], wrapper: &mut Wrapper, how_far: Unify) {
    let lists = lists(site, type_of, wrapper);
    let mut groups = Groups::new(wrapper.schema.tables.len());
    let page_type = |list: &List| wrapper.schema.tables[list.table].page_type;
    let realm = |list: &List| if how_far == Unify::AcrossTypes { 0 } else { page_type(list) };
    let mut by_name: BTreeMap<(usize, &str, &str), Vec<&List>> = BTreeMap::new();
    for list in &lists {
        by_name.entry((realm(list), &list.own_name, &list.tag)).or_default().push(list);
    }
    for named in by_name.values() {
        // Each is compared with the first of every kind found so far.
        let mut kinds: Vec<&List> = Vec::new();
        for list in named {
            match kinds.iter().find(|kind| alike(kind, list) && !stand_together(kind, list)) {
                Some(kind) => groups.join(kind.table, list.table),
                None => kinds.push(list),
            }
        }
    }
    let families = match how_far {
        Unify::AcrossTypes => answers_of_one_program(site, type_of, wrapper.types.len()),
        Unify::WithinTypes => Vec::new(),
    };
    for family in families {
        let mut main: Vec<&List> = lists
            .iter()
            .filter(|list| family.contains(&wrapper.schema.tables[list.table].page_type))
            .filter(|list| 2 * list.main_on > list.pages.len())
            .collect();
        main.sort_by_key(|list| (std::cmp::Reverse(list.main_on), list.table));
        if let Some((first, rest)) = main.split_first() {
            for list in rest.iter().filter(|list| !stand_together(first, list)) {
                groups.join(first.table, list.table);
            }
        }
    }
    if how_far == Unify::AcrossTypes {
        let collected = records_of_one_kind(site, type_of, &lists, wrapper);
        for &table in &collected {
            groups.join(collected[0], table);
        }
    }
    merge(wrapper, &groups, &lists);
}

fn alike(a: &List, b: &List) -> bool {
    let (mut shared, mut all) = (0.0, 0.0);
    for (way, &(_, share)) in &a.holds {
        let other = b.holds.get(way).map_or(0.0, |&(_, share)| share);
        shared += share.min(other);
        all += share.max(other);
    }
    all += b.holds.iter().filter(|(way, _)| !a.holds.contains_key(*way)).map(|(_, held)| held.1).sum::<f64>();
    shared >= ALIKE * all && shared > 0.0
}

fn stand_together(a: &List, b: &List) -> bool {
    let fewer = a.pages.len().min(b.pages.len());
    let both = a.pages.iter().filter(|page| b.pages.binary_search(page).is_ok()).count();
    both as f64 > TOGETHER * fewer as f64
}
