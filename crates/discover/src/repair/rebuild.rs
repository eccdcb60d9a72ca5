//! The new wrapper under the old names.

use std::collections::BTreeMap;

use unsite_wrapper::{
    ColumnInfo, Inherit, ListIndex, Read, SavedWrapper, Schema, TableInfo, Template, TypeModel, Wrapper,
};

use super::align::Proof;
use super::candidates::WithCandidates;
use crate::naming::Namer;

/// The wrapper of the changed site, and what is new in it. Old page types, tables and columns keep their places; what
/// was not found again stays empty. `keeps_template` are the page types that keep their templates.
pub(super) fn rebuild(
    old: &SavedWrapper,
    candidates: &WithCandidates,
    proof: &Proof,
    old_of: &[Option<usize>],
    keeps_template: &[bool],
) -> (Wrapper, Vec<String>) {
    let new = &candidates.wrapper;
    let mut schema = old.wrapper.schema.clone();
    let mut added = Vec::new();
    // Page types: the old ones in their places, new ones behind.
    let mut type_places: Vec<usize> = Vec::new();
    for (at, old_type) in old_of.iter().enumerate() {
        type_places.push(old_type.unwrap_or(schema.page_types.len()));
        match old_type {
            Some(place) if keeps_template[*place] => {}
            Some(place) => {
                let info = &new.schema.page_types[at];
                schema.page_types[*place] = info.clone();
            }
            None => schema.page_types.push(new.schema.page_types[at].clone()),
        }
    }
    let is_kept = |place: usize| keeps_template.get(place) == Some(&true);
    let mut places = Places { tables: proof.tables.clone(), ..Places::default() };
    for (at, model) in new.types.iter().enumerate().filter(|(at, _)| is_kept(type_places[*at])) {
        // What leads to their pages leads to the rows of their old tables.
        places.tables.extend(model.page_table.zip(old.wrapper.types[type_places[at]].page_table));
    }
    let new_lists = new.lists.as_ref().map(|lists| lists.table);
    // Pages that have not changed list what they listed, unless the list of articles is found again for all.
    let lists_stay =
        keeps_template.contains(&true) && new_lists.is_none_or(|lists| !places.tables.contains_key(&lists));
    let old_lists = old.wrapper.lists.as_ref().map(|lists| lists.table).filter(|_| lists_stay);
    let is_skipped = |at: usize| match Some(at) == new_lists {
        true => lists_stay,
        false => is_kept(type_places[new.schema.tables.get(at).map_or(0, |table| table.page_type)]),
    };
    let skipped: Vec<bool> = (0..new.schema.tables.len()).map(is_skipped).collect();
    places.fill(candidates, proof, (&type_places, &skipped, old_lists), &mut schema, &mut added);
    let mut types: Vec<TypeModel> = old.wrapper.types.clone();
    types.resize_with(schema.page_types.len(), TypeModel::default);
    let mut pages = vec![0u32; types.len()];
    let mut prototypes = vec![unsite_wrapper::Prototype { least: 2.0, ..Default::default() }; types.len()];
    for (at, model) in new.types.iter().enumerate() {
        let place = type_places[at];
        if !is_kept(place) {
            types[place] = TypeModel {
                template: places.template(&model.template),
                page_table: model.page_table.and_then(|table| places.tables.get(&table).copied()),
                index_logit: model.index_logit,
                unlisted: proof.unlisted.contains(&place),
            };
        }
        pages[place] = new.recogniser.pages[at];
        prototypes[place] = new.recogniser.prototypes[at].clone();
    }
    let recogniser = new.recogniser.placed(pages, prototypes, &type_places);
    let mut lists = new.lists.as_ref().and_then(|lists| {
        let table = *places.tables.get(&lists.table)?;
        Some(ListIndex { table, ..lists.clone() })
    });
    if lists_stay {
        lists.clone_from(&old.wrapper.lists);
        for (_, model) in types.iter_mut().enumerate().filter(|(at, _)| !is_kept(*at)) {
            model.unlisted = lists.is_some();
        }
    }
    let training = new.training.renumbered(|at| type_places.get(at).copied());
    (
        Wrapper {
            schema,
            classes: new.classes.clone(),
            types,
            frame: new.frame.clone(),
            search_fields: new.search_fields.clone(),
            lists,
            recogniser,
            training,
            database: None,
            by_hand: Default::default(),
        },
        added,
    )
}

/// Where new tables and columns go.
#[derive(Default)]
struct Places {
    /// New table to its place.
    tables: BTreeMap<usize, usize>,
    /// New table and column to all its places: an old column each that it shows, or a new one.
    columns: BTreeMap<(usize, usize), Vec<(usize, usize)>>,
}

impl Places {
    /// Finds places for everything but the tables that are skipped, and makes new ones. `lists_stay` is the old list of
    /// articles where it stays.
    fn fill(
        &mut self,
        candidates: &WithCandidates,
        proof: &Proof,
        (types, skipped, lists_stay): (&[usize], &[bool], Option<usize>),
        schema: &mut Schema,
        added: &mut Vec<String>,
    ) {
        let mut table_names = Namer::default();
        for table in &schema.tables {
            table_names.unique(&table.name);
        }
        for column in &proof.columns {
            let (table, at) = column.place;
            let info = &mut schema.tables[table].columns[at];
            match column.shown_by.first() {
                Some(&(new_table, new_column)) => {
                    let found = &candidates.wrapper.schema.tables[new_table].columns[new_column];
                    info.selector.clone_from(&found.selector);
                    info.label.clone_from(&found.label);
                    info.routes.clone_from(&found.routes);
                    info.confidence = column.agreed as f64 / column.compared.max(1) as f64;
                    for shown_by in &column.shown_by {
                        self.columns.entry(*shown_by).or_default().push(column.place);
                    }
                }
                // Read off pages of other types as before.
                None if lists_stay == Some(table) => {}
                None => {
                    info.coverage = 0.0;
                    info.confidence = 0.0;
                }
            }
        }
        let found = &candidates.wrapper.schema.tables;
        let has_new = |at: usize, columns: &BTreeMap<(usize, usize), _>| {
            let chosen = candidates.chosen.get(at).copied().unwrap_or_default();
            at < candidates.tables
                && !skipped[at]
                && (0..chosen).any(|column| {
                    !columns.contains_key(&(at, column)) && !proof.repeating.contains(&(at, column))
                })
        };
        // New lists bring along the lists that they stand in, also where these have no values of their own.
        let mut holds_new = vec![false; found.len()];
        for at in (0..found.len()).rev() {
            let is_new = !self.tables.contains_key(&at) && (holds_new[at] || has_new(at, &self.columns));
            if let Some(above) = found[at].parent.filter(|_| is_new) {
                holds_new[above] = true;
            }
        }
        for (at, table) in found.iter().enumerate().filter(|(at, _)| !skipped[*at]) {
            let chosen = candidates.chosen.get(at).copied().unwrap_or_default();
            let is_new = has_new(at, &self.columns)
                || (holds_new[at] && at < candidates.tables && table.parent.is_some());
            if !self.tables.contains_key(&at) && !is_new {
                continue;
            }
            let place = match self.tables.get(&at) {
                Some(place) => *place,
                None => {
                    let name = table_names.unique(&table.name);
                    added.push(name.clone());
                    let mut above = std::iter::successors(table.parent, |&above| found[above].parent);
                    let parent = above.find_map(|above| self.tables.get(&above).copied());
                    schema.tables.push(TableInfo {
                        name,
                        page_type: types[table.page_type],
                        also_on: table.also_on.iter().map(|&at| types[at]).collect(),
                        parent,
                        ..TableInfo::default()
                    });
                    self.tables.insert(at, schema.tables.len() - 1);
                    schema.tables.len() - 1
                }
            };
            self.new_columns(at, place, &table.columns[..chosen], (schema, proof), added);
        }
        for (&(table, column), homes) in &self.columns {
            let target = candidates.wrapper.schema.tables[table].columns[column].references;
            let target = target.and_then(|target| self.tables.get(&target).copied());
            for &(home, at) in homes {
                let column = &mut schema.tables[home].columns[at];
                column.references = column.references.or(target);
            }
        }
    }

    /// Columns that discovery chose and that show no old one. One that never had a value is filled under its name.
    fn new_columns(
        &mut self,
        from: usize,
        place: usize,
        columns: &[ColumnInfo],
        (schema, proof): (&mut Schema, &Proof),
        added: &mut Vec<String>,
    ) {
        let mut filled: Vec<usize> = Vec::new();
        let mut names = Namer::default();
        for column in &schema.tables[place].columns {
            names.unique(&column.name);
        }
        for (at, column) in columns.iter().enumerate() {
            if self.columns.contains_key(&(from, at)) || proof.repeating.contains(&(from, at)) {
                continue;
            }
            let empty = proof.never_filled.iter().find(|&&(table, at)| {
                table == place
                    && schema.tables[table].columns[at].name == column.name
                    && !filled.contains(&at)
            });
            if let Some(&(table, at_old)) = empty {
                filled.push(at_old);
                self.columns.insert((from, at), vec![(table, at_old)]);
                schema.tables[table].columns[at_old] = ColumnInfo { references: None, ..column.clone() };
                added.push(format!("{}.{}", schema.tables[table].name, column.name));
                continue;
            }
            let table = &mut schema.tables[place];
            let name = names.unique(&column.name);
            if !added.contains(&table.name) {
                added.push(format!("{}.{name}", table.name));
            }
            self.columns.insert((from, at), vec![(place, table.columns.len())]);
            table.columns.push(ColumnInfo { name, references: None, ..column.clone() });
        }
    }

    fn template(&self, template: &Template) -> Template {
        let mut template = template.clone();
        let homes = |table: usize, column: usize| {
            self.columns.get(&(table, column)).into_iter().flatten().copied().collect::<Vec<(usize, usize)>>()
        };
        let mut inherits = Vec::new();
        for rule in &template.inherits {
            // One heading is enough to take over from.
            let Some(&(from_table, from_column)) = homes(rule.from_table, rule.from_column).first() else {
                continue;
            };
            for (table, column) in homes(rule.table, rule.column) {
                inherits.push(Inherit { table, column, from_table, from_column });
            }
        }
        template.inherits = inherits;
        for node in &mut template.nodes {
            node.rows_of = node.rows_of.and_then(|table| self.tables.get(&table).copied());
            let reads = std::mem::take(&mut node.reads);
            for read in reads {
                for &(table, column) in
                    self.columns.get(&(read.table, read.column)).map_or(&[][..], Vec::as_slice)
                {
                    node.reads.push(Read { what: read.what.clone(), table, column });
                }
            }
        }
        template
    }
}
