//! One kind of record, one table: lists that show the same things on pages of several types, or in several layouts.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{TemplateNode, ValueType, Wrapper};

use super::looked_at;
use super::merging::{Groups, merge};
use super::programs::answers_of_one_program;
use crate::site::{Site, SitePage};

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

/// A list of a page type.
pub(super) struct List {
    pub(super) table: usize,
    /// Its name without that of the page type and without a number.
    pub(super) own_name: String,
    /// The tag of a row.
    tag: String,
    /// What its rows hold: the way from the row to a value, the column, and the share of rows that have it.
    pub(super) holds: BTreeMap<String, (usize, f64)>,
    /// Its rows on those pages.
    pub(super) rows: usize,
    /// The pages that were looked at and have rows of it, in order.
    pages: Vec<usize>,
    /// Of those, the pages where no other list says more.
    main_on: usize,
}

impl List {
    /// For a table of which only the columns are known.
    pub(super) fn without_pages(table: usize) -> List {
        let (own_name, tag) = (String::new(), String::new());
        List { table, own_name, tag, holds: BTreeMap::new(), rows: 0, pages: Vec::new(), main_on: 0 }
    }
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
/// Pages of many sites thrown together name nothing alike: each keeps its own tables.
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

fn lists(site: &Site, type_of: &[usize], wrapper: &Wrapper) -> Vec<List> {
    let looked_at = looked_at(site, type_of, wrapper.types.len()).concat();
    // Of each page, how many rows each list has and how much they say.
    let said: Vec<BTreeMap<usize, (usize, usize)>> = looked_at
        .par_iter()
        .map(|&page| {
            let SitePage { raw, tree, .. } = &site.pages[page];
            let mut said: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
            for row in wrapper.rows(tree, &raw.url, type_of[page]) {
                let list = said.entry(row.table).or_default();
                list.0 += 1;
                let columns = &wrapper.schema.tables[row.table].columns;
                let words = row.cells.iter().filter(|cell| {
                    !matches!(columns[cell.column].value_type, ValueType::Url | ValueType::Image)
                });
                list.1 += words.map(|cell| cell.value.len()).sum::<usize>();
            }
            said.retain(|&table, _| wrapper.schema.tables[table].parent.is_some());
            said
        })
        .collect();
    let mut lists: Vec<List> = Vec::new();
    let mut place: FxHashMap<usize, usize> = FxHashMap::default();
    for model in &wrapper.types {
        for step in 0..model.template.nodes.len() {
            let Some((table, way, tag)) = row_of(wrapper, &model.template.nodes, step) else { continue };
            let at = *place.entry(table).or_insert_with(|| {
                let own_name = own_name(wrapper, table);
                let (holds, pages) = (BTreeMap::new(), Vec::new());
                lists.push(List { table, own_name, tag, holds, rows: 0, pages, main_on: 0 });
                lists.len() - 1
            });
            for read in model.template.nodes[step].reads.iter().filter(|read| read.table == table) {
                let mut way = way.clone();
                read.what.describe(&mut way);
                let share = wrapper.schema.tables[table].columns[read.column].coverage;
                lists[at].holds.entry(way).or_insert((read.column, share));
            }
        }
    }
    for (page, said) in said.iter().enumerate() {
        let most = said.iter().max_by_key(|&(table, (_, chars))| (chars, std::cmp::Reverse(table)));
        for (table, (rows, _)) in said {
            if let Some(&at) = place.get(table) {
                lists[at].rows += rows;
                lists[at].pages.push(page);
                lists[at].main_on += usize::from(most.is_some_and(|(main, _)| main == table));
            }
        }
    }
    lists.sort_by_key(|list| list.table);
    lists
}

/// The list that a step stands in, with the way from the row down to it, and the tag of the row.
fn row_of(wrapper: &Wrapper, nodes: &[TemplateNode], step: usize) -> Option<(usize, String, String)> {
    let mut way: Vec<&str> = Vec::new();
    let mut at = step;
    while at != 0 {
        let node = &nodes[at];
        if let Some(table) = node.rows_of {
            wrapper.schema.tables[table].parent?;
            way.reverse();
            let tag = node.step.split(['.', '#', '[', ':', '*']).next().unwrap_or_default();
            return Some((table, way.join(" > "), tag.to_owned()));
        }
        way.push(&node.step);
        at = node.parent;
    }
    None
}

/// `category_book_card_2` is called `book_card` on the pages of type `category`.
fn own_name(wrapper: &Wrapper, table: usize) -> String {
    let tables = &wrapper.schema.tables;
    let info = &tables[table];
    let page_table = wrapper.types[info.page_type].page_table;
    let above = page_table.map_or("", |page_table| tables[page_table].name.as_str());
    let own = info.name.strip_prefix(above).unwrap_or(&info.name).trim_start_matches('_');
    let stem = own.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.strip_suffix('_').unwrap_or(own).to_owned()
}
