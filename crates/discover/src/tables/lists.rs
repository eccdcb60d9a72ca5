//! The lists of a site as they show on its pages: what their rows hold, and how much they say.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{Row, TemplateNode, ValueType, Wrapper};

use super::looked_at;
use crate::site::Site;

/// A list of a page type.
pub(super) struct List {
    pub(super) table: usize,
    /// Its name without that of the page type and without a number.
    pub(super) own_name: String,
    /// The tag of a row.
    pub(super) tag: String,
    /// What its rows hold: the way from the row to a value, the column, and the share of rows that have it.
    pub(super) holds: BTreeMap<String, (usize, f64)>,
    /// Its rows on those pages.
    pub(super) rows: usize,
    /// The pages that were looked at and have rows of it, in order.
    pub(super) pages: Vec<usize>,
    /// Of those, the pages where no other list says more.
    pub(super) main_on: usize,
    /// How much each column says.
    pub(super) says: Vec<Said>,
}

/// How much is said in words; addresses say nothing.
#[derive(Default, Clone, Copy)]
pub(super) struct Said {
    /// Rows, or cells of a column.
    pub(super) times: usize,
    /// Their letters.
    pub(super) letters: usize,
}

impl Said {
    fn add(&mut self, other: Said) {
        self.times += other.times;
        self.letters += other.letters;
    }
}

impl List {
    /// For a table of which only the columns are known.
    pub(super) fn without_pages(table: usize) -> List {
        List {
            table,
            own_name: String::new(),
            tag: String::new(),
            holds: BTreeMap::new(),
            rows: 0,
            pages: Vec::new(),
            main_on: 0,
            says: Vec::new(),
        }
    }

    /// How much its rows say.
    pub(super) fn letters(&self) -> usize {
        self.says.iter().map(|said| said.letters).sum()
    }
}

/// What a table says on a page.
#[derive(Default)]
struct OnPage {
    all: Said,
    columns: Vec<Said>,
}

/// The lists of all page types. `type_of` is the type of each page.
pub(super) fn lists(site: &Site, type_of: &[usize], wrapper: &Wrapper) -> Vec<List> {
    let looked_at = looked_at(site, type_of, wrapper.types.len()).concat();
    let reader = wrapper.reader();
    let rows = |page: usize| reader.rows(&site.pages[page].tree, &site.pages[page].raw.url, type_of[page]);
    let said: Vec<BTreeMap<usize, OnPage>> =
        looked_at.par_iter().map(|&page| said_by(&rows(page), wrapper)).collect();
    let mut lists: Vec<List> = Vec::new();
    let mut place: FxHashMap<usize, usize> = FxHashMap::default();
    for model in &wrapper.types {
        for step in 0..model.template.nodes.len() {
            let Some((table, way, tag)) = row_of(wrapper, &model.template.nodes, step) else { continue };
            let at = *place.entry(table).or_insert_with(|| {
                let own_name = own_name(wrapper, table);
                let says = vec![Said::default(); wrapper.schema.tables[table].columns.len()];
                lists.push(List { own_name, tag, says, ..List::without_pages(table) });
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
    for (&page, said) in looked_at.iter().zip(&said) {
        let is_list = |table: &usize| wrapper.schema.tables[*table].parent.is_some();
        let most = said
            .iter()
            .filter(|(table, _)| is_list(table))
            .max_by_key(|&(table, said)| (said.all.letters, std::cmp::Reverse(table)));
        for (table, said) in said.iter().filter(|(table, _)| is_list(table)) {
            if let Some(&at) = place.get(table) {
                let list = &mut lists[at];
                list.rows += said.all.times;
                list.pages.push(page);
                list.main_on += usize::from(most.is_some_and(|(main, _)| main == table));
                for (all, column) in list.says.iter_mut().zip(&said.columns) {
                    all.add(*column);
                }
            }
        }
    }
    for list in &mut lists {
        list.pages.sort_unstable();
    }
    lists.sort_by_key(|list| list.table);
    lists
}

/// How much each table says on a page with these rows.
fn said_by(rows: &[Row], wrapper: &Wrapper) -> BTreeMap<usize, OnPage> {
    let mut said: BTreeMap<usize, OnPage> = BTreeMap::new();
    for row in rows {
        let columns = &wrapper.schema.tables[row.table].columns;
        let table = said.entry(row.table).or_default();
        table.columns.resize(columns.len(), Said::default());
        table.all.times += 1;
        for cell in &row.cells {
            let address = matches!(columns[cell.column].value_type, ValueType::Url | ValueType::Image);
            let cell_says = Said { times: 1, letters: if address { 0 } else { cell.value.len() } };
            table.columns[cell.column].add(cell_says);
            table.all.letters += cell_says.letters;
        }
    }
    said
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
