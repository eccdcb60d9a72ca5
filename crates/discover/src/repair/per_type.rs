//! Lists of one kind on pages of several types are one table. A redesign changes each page type in its own way, so they
//! are repaired each for itself, and put together again.

use rustc_hash::FxHashMap;
use unsite_wrapper::{PageTypeInfo, SavedWrapper, TableInfo, Wrapper};

use super::align::ColumnProof;
use super::retype::Retyped;
use crate::site::Site;
use crate::tables::put_together;

/// Which tables were one: by the name that a part has for the time being, the name they share.
pub(super) struct TableParts {
    name_of: FxHashMap<String, String>,
    /// What each whole table belongs to.
    parents: Vec<Option<usize>>,
}

impl TableParts {
    /// The name of the whole table.
    pub(super) fn whole<'n>(&'n self, name: &'n str) -> &'n str {
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

/// What is known, with tables for every page type of its own.
pub(super) struct TablesPerType {
    pub(super) saved: SavedWrapper,
    pub(super) parts: TableParts,
    /// For each page type of the changed site, the one of `saved` that it stands for.
    pub(super) type_of: Vec<Option<usize>>,
    /// For each page type of `saved`, which old one it is, or is a part of.
    pub(super) old_of: Vec<usize>,
}

/// Gives every page type its own tables. The first keeps the name, and so does everything that is known of its pages; the
/// first part of an old page type keeps its place.
pub(super) fn tables_per_type(old: &SavedWrapper, site: &Site, retyped: &Retyped) -> TablesPerType {
    let mut saved = old.clone();
    let mut old_of: Vec<usize> = (0..old.wrapper.types.len()).collect();
    let mut type_of: Vec<Option<usize>> = Vec::new();
    for (at, &stands_for) in retyped.old_of.iter().enumerate() {
        let place = stands_for.map(|whole| {
            if !type_of.contains(&Some(whole)) {
                return whole;
            }
            old_of.push(whole);
            saved.wrapper.types.push(old.wrapper.types[whole].clone());
            let name = retyped.types.names[at].clone();
            let info = PageTypeInfo { name, ..old.wrapper.schema.page_types[whole].clone() };
            saved.wrapper.schema.page_types.push(info);
            old_of.len() - 1
        });
        type_of.push(place);
    }
    let now: FxHashMap<&str, usize> = site
        .pages
        .iter()
        .zip(&retyped.types.type_of)
        .filter_map(|(page, &at)| Some((page.raw.url.as_str(), type_of[at]?)))
        .collect();
    for known in &mut saved.known {
        let part = now.get(known.url.as_str()).filter(|&&part| old_of[part] == known.page_type);
        known.page_type = part.copied().unwrap_or(known.page_type);
    }
    let mut name_of = FxHashMap::default();
    let mut tables: Vec<TableInfo> = Vec::new();
    // By table and page type, where it went.
    let mut place: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    // Every table keeps its place; its parts on further page types stand behind them all.
    let all = || old.wrapper.schema.tables.iter().enumerate();
    let firsts = all().map(|(at, table)| (at, table.page_type));
    let old_of_part = &old_of;
    let further = all().flat_map(|(at, table)| {
        let parts =
            (0..old_of_part.len()).filter(|&part| part != table.page_type && table.is_on(old_of_part[part]));
        parts.map(move |part| (at, part))
    });
    for (at, page_type) in firsts.chain(further) {
        let table = &old.wrapper.schema.tables[at];
        let mut part = table.clone();
        if page_type != table.page_type {
            part.name = format!("{} on page type {page_type}", table.name);
            name_of.insert(part.name.clone(), table.name.clone());
            for known in saved.known.iter_mut().filter(|known| known.page_type == page_type) {
                for rows in [&mut known.rows, &mut known.lost] {
                    if let Some(rows_here) = rows.remove(&table.name) {
                        rows.insert(part.name.clone(), rows_here);
                    }
                }
            }
        }
        let page_table = old.wrapper.types[old_of[page_type]].page_table;
        (part.page_type, part.also_on) = (page_type, Vec::new());
        // A page type that became several has one table for its pages: it is no list on any of them.
        part.parent = table.parent.or(page_table.filter(|&own| table.is_list() && own != at));
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
    for (page_type, model) in saved.wrapper.types.iter_mut().enumerate() {
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
    if let Some(lists) = &mut saved.wrapper.lists {
        lists.table = first(lists.table);
    }
    let parents = old.wrapper.schema.tables.iter().map(|table| table.parent).collect();
    saved.wrapper.schema.tables = tables;
    TablesPerType { saved, parts: TableParts { name_of, parents }, type_of, old_of }
}
