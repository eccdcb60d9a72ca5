//! The database behind the site: which of the tables that templates read are things, which are views of them, and what is told
//! twice.

mod asked;
mod compose;
mod dependencies;
mod draft;
mod everywhere;
mod facts;
mod list_places;
mod lists;
mod lone_facts;
mod names;
mod paging;
mod relations;
mod sheets;
mod thing_facts;
mod things;
mod views;

use rustc_hash::FxHashSet;
use unsite_wrapper::{Database, Wrapper};

use crate::site::Site;
use everywhere::Everywhere;
use lists::{List, Surroundings};
use sheets::Sheets;
use things::{Targets, called, things};

/// Finds the database behind a site from what its templates read off the pages; `type_of` is the type of each page.
///
/// # What it does
/// A site is a set of views of few tables. In this order: addresses lose what only numbers the parts of a long page; page types whose
/// pages differ in a name are things, known by the addresses of their pages; lists whose rows lead to things one by one are views of
/// them, and what only the lists say of a thing becomes a column of it; lists without pages of their own belong to the thing they stand
/// with; of columns that say the same one stays. Nothing is thrown away: what is not shown has its place among the hidden tables and
/// columns, with the reason.
///
/// # Assumes
/// Things have pages, or stand in lists on the pages of things.
///
/// # When it fails
/// Things that the site shows in lists only, spread over several templates, stay several tables.
///
/// # Paper
/// Ours; functional dependencies as in Codd 1971, found on the pages themselves.
pub(crate) fn learn(site: &Site, type_of: &[usize], wrapper: &Wrapper) -> Database {
    let table_of: Vec<Option<usize>> = type_of.iter().map(|&at| wrapper.types[at].page_table).collect();
    let mut addresses = paging::paging(site, &table_of);
    let mut sheets = Sheets::read(site, type_of, wrapper);
    let pages = site.pages.iter().map(|page| page.raw.url.as_str());
    let tables = pages.clone().zip(table_of.iter().copied()).collect();
    addresses.options = paging::options(&tables, pages.chain(sheets.links(wrapper)));
    sheets.know_by(&addresses);
    let targets = Targets::of(&sheets, wrapper);
    let address = |url: &str| addresses.of(url).into_owned();
    let named = called(&sheets, wrapper, &targets, address);
    let things = things(&sheets, wrapper, &named, &targets, &address);
    let everywhere = Everywhere::of(&sheets, wrapper, (&targets, &things), &address);
    let everywhere: FxHashSet<(usize, usize)> = (0..wrapper.schema.tables.len())
        .flat_map(|table| {
            everywhere.columns(&sheets, wrapper, table).into_iter().map(move |column| (table, column))
        })
        .collect();
    let mut around = Surroundings {
        sheets: &sheets,
        wrapper,
        targets: &targets,
        things: &things,
        facts: Vec::new(),
        everywhere: &everywhere,
        address: &address,
    };
    around.facts = around.facts_of_things();
    let is_page = |table: usize| wrapper.types.iter().any(|model| model.page_table == Some(table));
    let mut lists: Vec<List> = (0..wrapper.schema.tables.len())
        .filter(|&table| !is_page(table) && wrapper.schema.tables[table].is_list())
        .map(|table| around.list(table))
        .collect();
    around.find_views(&mut lists);
    views::choose_main(&around, &mut lists);
    compose::compose(&around, &lists, addresses.clone())
}
