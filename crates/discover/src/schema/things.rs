//! Which page types show things, and what names a thing.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ValueType, Wrapper};

use super::sheets::{Sheets, is_address};
use crate::roles::Role;

/// A column names the things when this share of them has a name of their own in it.
const NAMES: f64 = 0.5;
/// A name is no longer than this, in letters, on the mean.
const LONGEST_NAME: usize = 160;
/// With fewer pages of a kind there is nothing to tell apart.
const FEWEST: usize = 2;

/// A kind of thing: what the pages of one table show.
pub(super) struct Thing {
    /// The table with a row for each page.
    pub(super) table: usize,
    /// How many different things were seen.
    pub(super) count: usize,
    /// The column that names them.
    pub(super) title: usize,
    /// Its pages list other things, and say little of their own.
    pub(super) lists: bool,
    /// For each of its rows in the sheet, is it on the first part of the thing's page?
    pub(super) is_first: Vec<bool>,
}

/// Where links lead.
pub(super) struct Targets {
    /// By address: its table.
    table_of: FxHashMap<String, usize>,
}

impl Targets {
    pub(super) fn of(sheets: &Sheets, wrapper: &Wrapper) -> Targets {
        let mut table_of = FxHashMap::default();
        for page in &sheets.pages {
            if let Some(table) = wrapper.types[page.page_type].page_table {
                table_of.entry(page.key.clone()).or_insert(table);
            }
        }
        Targets { table_of }
    }

    /// The table of the page at an address.
    pub(super) fn table(&self, key: &str) -> Option<usize> {
        self.table_of.get(key).copied()
    }
}

/// What rows of lists say beside a link to a thing, by the address it leads to.
pub(super) type Called = FxHashMap<String, FxHashSet<u64>>;

/// Finds the things. `is_referred` says which tables something on the site refers to.
pub(super) fn things(sheets: &Sheets, wrapper: &Wrapper, called: &Called) -> Vec<Thing> {
    let mut tables: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, model) in wrapper.types.iter().enumerate() {
        if let Some(table) = model.page_table {
            tables.entry(table).or_default().push(at);
        }
    }
    tables.into_iter().filter_map(|(table, types)| thing(sheets, wrapper, called, table, &types)).collect()
}

fn thing(
    sheets: &Sheets,
    wrapper: &Wrapper,
    called: &Called,
    table: usize,
    types: &[usize],
) -> Option<Thing> {
    let answers = [Role::Search, Role::NoMatch, Role::Error].map(Role::name);
    let role = |at: &usize| wrapper.schema.page_types[*at].role.as_str();
    if types.iter().all(|at| answers.contains(&role(at))) {
        return None;
    }
    let sheet = &sheets.tables[table];
    let key = |row: usize| sheets.pages[sheet.rows[row].0].key.as_str();
    let count = (0..sheet.rows.len()).map(key).collect::<FxHashSet<_>>().len();
    if count < FEWEST {
        return None;
    }
    let is_first: Vec<bool> = sheet
        .rows
        .iter()
        .map(|&(page, _)| without_fragment(&sheets.pages[page].url) == sheets.pages[page].key)
        .collect();
    let pages = |at: &usize| wrapper.schema.page_types[*at].pages;
    let listing: usize = types.iter().filter(|at| role(at) == Role::Index.name()).map(pages).sum();
    let all: usize = types.iter().map(pages).sum();
    let title = title(sheets, wrapper, called, table, count)?;
    Some(Thing { table, count, title, lists: 2 * listing > all, is_first })
}

/// The column that names things: what links to them say, what every one has and no other.
fn title(sheets: &Sheets, wrapper: &Wrapper, called: &Called, table: usize, count: usize) -> Option<usize> {
    let (sheet, info) = (&sheets.tables[table], &wrapper.schema.tables[table]);
    let mut best: Option<(f64, usize)> = None;
    for (column, about) in info.columns.iter().enumerate() {
        if is_address(about.value_type) || about.value_type.is_date() || about.value_type == ValueType::Money
        {
            continue;
        }
        let mut name_of: FxHashMap<&str, u64> = FxHashMap::default();
        let (mut letters, mut agreed, mut asked) = (0, 0usize, 0usize);
        for (row, value) in sheet.column(column) {
            let key = sheets.pages[sheet.rows[row].0].key.as_str();
            if name_of.insert(key, value).is_none() {
                letters += sheets.text(table, row, column).map_or(0, |text| text.chars().count());
                if let Some(names) = called.get(key) {
                    asked += 1;
                    agreed += usize::from(names.contains(&value));
                }
            }
        }
        let different = name_of.values().collect::<FxHashSet<_>>().len();
        let share = different as f64 / count as f64;
        if share < NAMES || letters > LONGEST_NAME * name_of.len() {
            continue;
        }
        let agreement = if asked == 0 { 0.0 } else { agreed as f64 / asked as f64 };
        let is_head = about.name.starts_with("meta_") || about.name.starts_with("page_title");
        let has_words = about.value_type == ValueType::Text;
        // What links say counts most; what stands in the head is told for machines.
        let score =
            2.0 * agreement + share + if is_head { 0.0 } else { 0.2 } + if has_words { 0.3 } else { 0.0 };
        if best.is_none_or(|(most, _)| score > most + 1e-9) {
            best = Some((score, column));
        }
    }
    best.map(|(_, column)| column)
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

/// Collects what rows say beside their links.
pub(super) fn called(sheets: &Sheets, wrapper: &Wrapper, address: impl Fn(&str) -> String) -> Called {
    let mut called = Called::default();
    for page in &sheets.pages {
        for row in &page.rows {
            let columns = &wrapper.schema.tables[row.table].columns;
            // The texts of a row of a list; of a page's own row only what stands right before the link.
            let is_list = wrapper.schema.tables[row.table].is_list();
            for (at, cell) in row.cells.iter().enumerate() {
                if columns[cell.column].value_type != ValueType::Url {
                    continue;
                }
                let key = address(&cell.value);
                if key == page.key {
                    continue;
                }
                let near = if is_list { &row.cells[..] } else { &row.cells[at.saturating_sub(1)..at] };
                let texts = near.iter().filter(|cell| !is_address(columns[cell.column].value_type));
                called.entry(key).or_default().extend(texts.map(|cell| super::sheets::told(&cell.value)));
            }
        }
    }
    called
}
