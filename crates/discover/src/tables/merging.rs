//! Several tables made one: their columns matched, everything that points to them moved.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use unsite_wrapper::{ColumnInfo, TableInfo, Wrapper};

use super::lists::List;
use crate::naming::Namer;

/// Makes each group of tables one, columns of one name being one.
pub(crate) fn put_together(wrapper: &mut Wrapper, groups: &[Vec<usize>]) {
    let mut joined = Groups::new(wrapper.schema.tables.len());
    for group in groups {
        for &table in group {
            joined.join(group[0], table);
        }
    }
    let lists: Vec<List> = (0..wrapper.schema.tables.len()).map(List::without_pages).collect();
    merge(wrapper, &joined, &lists);
}

/// Which tables are one: each points to the first of its group.
pub(super) struct Groups {
    first: Vec<usize>,
}

impl Groups {
    pub(super) fn new(tables: usize) -> Self {
        Groups { first: (0..tables).collect() }
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first[a], self.first[b]);
        let (first, other) = (a.min(b), a.max(b));
        for group in self.first.iter_mut().filter(|group| **group == other) {
            *group = first;
        }
    }
}

/// Where a table and its columns went.
struct Moved {
    table: usize,
    columns: Vec<usize>,
}

/// Makes each group one table.
pub(super) fn merge(wrapper: &mut Wrapper, groups: &Groups, lists: &[List]) {
    let list_of: FxHashMap<usize, &List> = lists.iter().map(|list| (list.table, list)).collect();
    let old = std::mem::take(&mut wrapper.schema.tables);
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (table, &first) in groups.first.iter().enumerate() {
        members.entry(first).or_default().push(table);
    }
    let mut names = Namer::default();
    for (first, members) in &members {
        if members.len() == 1 {
            names.unique(&old[*first].name);
        }
    }
    let mut moved: Vec<Moved> =
        old.iter().map(|table| Moved { table: 0, columns: (0..table.columns.len()).collect() }).collect();
    let place: FxHashMap<usize, usize> = members.keys().enumerate().map(|(at, &first)| (first, at)).collect();
    for (at, (&first, members)) in members.iter().enumerate() {
        let mut table = old[first].clone();
        if members.len() > 1 {
            let lists: Vec<&List> =
                members.iter().filter_map(|member| list_of.get(member).copied()).collect();
            let columns = join_columns(&mut table, &lists, &old);
            for (list, columns) in lists.iter().zip(columns) {
                moved[list.table].columns = columns;
            }
            let parents = |member: &usize| old[*member].parent.map(|parent| groups.first[parent]);
            if members.iter().any(|member| parents(member) != parents(&first)) {
                table.parent = None;
            }
            table.also_on = members.iter().map(|&member| old[member].page_type).collect();
            table.also_on.sort_unstable();
            table.also_on.dedup();
            table.also_on.retain(|&page_type| page_type != table.page_type);
            let own_name = most_common(lists.iter().map(|list| list.own_name.as_str()));
            if !table.also_on.is_empty() && !own_name.is_empty() && !names.is_taken(own_name) {
                table.name = own_name.to_owned();
            }
            table.name = names.unique(&table.name);
        }
        table.parent = table.parent.map(|parent| place[&groups.first[parent]]);
        for &member in members {
            moved[member].table = at;
        }
        wrapper.schema.tables.push(table);
    }
    point_to(wrapper, &moved);
}

/// The name that comes most often; of several the first.
fn most_common<'a>(names: impl Iterator<Item = &'a str> + Clone) -> &'a str {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names.clone() {
        *times.entry(name).or_default() += 1;
    }
    let most = times.values().copied().max();
    names.into_iter().find(|name| times.get(name).copied() == most).unwrap_or_default()
}

/// Puts the columns of all lists into the table of the first; returns for each list where its columns went.
fn join_columns(table: &mut TableInfo, lists: &[&List], old: &[TableInfo]) -> Vec<Vec<usize>> {
    let mut names = Namer::default();
    for column in &table.columns {
        names.unique(&column.name);
    }
    let mut at_way: BTreeMap<&str, usize> = BTreeMap::new();
    let mut held: Vec<f64> = vec![0.0; table.columns.len()];
    let mut rows = 0.0;
    let mut all = Vec::new();
    for (number, list) in lists.iter().enumerate() {
        let columns = &old[list.table].columns;
        let mut ways: Vec<Vec<&str>> = vec![Vec::new(); columns.len()];
        for (way, &(column, _)) in &list.holds {
            ways[column].push(way);
        }
        let mut goes_to: Vec<Option<usize>> = vec![None; columns.len()];
        if number == 0 {
            goes_to = (0..columns.len()).map(Some).collect();
        }
        // The same way first, then the same name.
        for column in 0..columns.len() {
            let target = ways[column].iter().find_map(|way| at_way.get(way).copied());
            if goes_to[column].is_none() && target.is_some_and(|target| !goes_to.contains(&Some(target))) {
                goes_to[column] = target;
            }
        }
        for (column, info) in columns.iter().enumerate().filter(|_| number > 0) {
            let same = |there: &ColumnInfo| there.name == info.name && there.value_type == info.value_type;
            let target = table.columns.iter().position(same);
            if goes_to[column].is_none() && target.is_some_and(|target| !goes_to.contains(&Some(target))) {
                goes_to[column] = target;
            }
            if goes_to[column].is_none() {
                goes_to[column] = Some(table.columns.len());
                let name = names.unique(&info.name);
                table.columns.push(ColumnInfo { name, ..info.clone() });
                held.push(0.0);
            }
        }
        let goes_to: Vec<usize> = goes_to.into_iter().flatten().collect();
        for (column, &target) in goes_to.iter().enumerate() {
            held[target] += columns[column].coverage * list.rows as f64;
            for way in &ways[column] {
                at_way.entry(way).or_insert(target);
            }
        }
        rows += list.rows as f64;
        all.push(goes_to);
    }
    for (column, held) in table.columns.iter_mut().zip(held) {
        column.coverage = if rows > 0.0 { (held / rows).min(1.0) } else { column.coverage };
    }
    all
}

/// Everything in the templates that speaks of tables speaks of the new ones.
fn point_to(wrapper: &mut Wrapper, moved: &[Moved]) {
    for column in wrapper.schema.tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.references = column.references.map(|table| moved[table].table);
    }
    if let Some(lists) = &mut wrapper.lists {
        lists.table = moved[lists.table].table;
    }
    for model in &mut wrapper.types {
        model.page_table = model.page_table.map(|table| moved[table].table);
        for node in &mut model.template.nodes {
            node.rows_of = node.rows_of.map(|table| moved[table].table);
            for read in &mut node.reads {
                let to = &moved[read.table];
                (read.table, read.column) = (to.table, to.columns[read.column]);
            }
        }
        for rule in &mut model.template.inherits {
            let (to, from) = (&moved[rule.table], &moved[rule.from_table]);
            (rule.table, rule.column) = (to.table, to.columns[rule.column]);
            (rule.from_table, rule.from_column) = (from.table, from.columns[rule.from_column]);
        }
    }
}
