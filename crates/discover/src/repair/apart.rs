//! Lists of one kind on pages of several types are one table. A redesign changes each page type in its own way, so they
//! are repaired each for itself, and put together again.

use rustc_hash::FxHashMap;
use unsite_wrapper::{SavedWrapper, TableInfo, Wrapper};

use super::align::ColumnProof;
use crate::tables::put_together;

/// Which tables were one: by the name that a part has for the time being, the name they share.
pub(super) struct Parts {
    name_of: FxHashMap<String, String>,
    /// What each whole table belongs to.
    parents: Vec<Option<usize>>,
}

impl Parts {
    /// The name of the whole table.
    fn whole<'n>(&'n self, name: &'n str) -> &'n str {
        self.name_of.get(name).map_or(name, String::as_str)
    }

    /// Speaks of whole tables again.
    pub(super) fn rename(&self, columns: &mut [ColumnProof], added: &mut Vec<String>) {
        for column in columns.iter_mut() {
            column.table = self.whole(&column.table).to_owned();
        }
        for name in added.iter_mut() {
            let (table, column) = name.split_once('.').map_or((name.as_str(), None), |(t, c)| (t, Some(c)));
            let table = self.whole(table).to_owned();
            *name = column.map_or(table.clone(), |column| format!("{table}.{column}"));
        }
        added.dedup();
    }

    /// Makes the parts one table again; they belong to what they belonged to.
    pub(super) fn join(&self, wrapper: &mut Wrapper) {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, table) in wrapper.schema.tables.iter().enumerate() {
            let group = *group_of.entry(self.whole(&table.name)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(at);
        }
        put_together(wrapper, &groups);
        for (table, parent) in wrapper.schema.tables.iter_mut().zip(&self.parents) {
            table.parent = *parent;
        }
    }
}

/// Gives every page type its own tables: the first keeps the name, and so does everything that is known of its pages.
pub(super) fn take_apart(old: &SavedWrapper) -> (SavedWrapper, Parts) {
    let mut apart = old.clone();
    let mut name_of = FxHashMap::default();
    let mut tables: Vec<TableInfo> = Vec::new();
    // By table and page type, where it went.
    let mut place: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    // Every table keeps its place; its parts on further page types stand behind them all.
    let all = || old.wrapper.schema.tables.iter().enumerate();
    let firsts = all().map(|(at, table)| (at, table.page_type));
    let further = all().flat_map(|(at, table)| table.also_on.iter().map(move |&page_type| (at, page_type)));
    for (at, page_type) in firsts.chain(further) {
        let table = &old.wrapper.schema.tables[at];
        let mut part = table.clone();
        if page_type != table.page_type {
            part.name = format!("{} on page type {page_type}", table.name);
            name_of.insert(part.name.clone(), table.name.clone());
            for known in apart.known.iter_mut().filter(|known| known.page_type == page_type) {
                if let Some(rows) = known.rows.remove(&table.name) {
                    known.rows.insert(part.name.clone(), rows);
                }
            }
        }
        let page_table = old.wrapper.types[page_type].page_table;
        (part.page_type, part.also_on) = (page_type, Vec::new());
        part.parent = table.parent.or(page_table.filter(|_| table.is_list()));
        place.insert((at, page_type), tables.len());
        tables.push(part);
    }
    let first = |table: usize| place[&(table, old.wrapper.schema.tables[table].page_type)];
    for table in &mut tables {
        let page_type = table.page_type;
        table.parent = table.parent.map(|at| place.get(&(at, page_type)).copied().unwrap_or(first(at)));
        for column in &mut table.columns {
            column.references = column.references.map(first);
        }
    }
    for (page_type, model) in apart.wrapper.types.iter_mut().enumerate() {
        let to = |table: usize| place.get(&(table, page_type)).copied().unwrap_or(first(table));
        model.page_table = model.page_table.map(to);
        for node in &mut model.template.nodes {
            node.rows_of = node.rows_of.map(to);
            for read in &mut node.reads {
                read.table = to(read.table);
            }
        }
        for rule in &mut model.template.inherits {
            (rule.table, rule.from_table) = (to(rule.table), to(rule.from_table));
        }
    }
    if let Some(lists) = &mut apart.wrapper.lists {
        lists.table = first(lists.table);
    }
    apart.wrapper.schema.tables = tables;
    let parents = old.wrapper.schema.tables.iter().map(|table| table.parent).collect();
    (apart, Parts { name_of, parents })
}
