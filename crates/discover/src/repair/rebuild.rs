//! The new wrapper under the old names.

use std::collections::BTreeMap;

use unsite_wrapper::{
    ColumnInfo, Inherit, ListIndex, Read, SavedWrapper, Schema, TableInfo, Template, TypeModel, Wrapper,
};

use super::align::Proof;
use super::widen::Wide;
use crate::naming::Namer;

/// The wrapper of the changed site, and what is new in it. Old page types, tables and columns keep their places; what
/// was not found again stays empty.
pub(super) fn rebuild(
    old: &SavedWrapper,
    wide: &Wide,
    proof: &Proof,
    old_of: &[Option<usize>],
) -> (Wrapper, Vec<String>) {
    let new = &wide.wrapper;
    let mut schema = old.wrapper.schema.clone();
    let mut added = Vec::new();
    // Page types: the old ones in their places, new ones behind.
    let mut type_places: Vec<usize> = Vec::new();
    for (at, old_type) in old_of.iter().enumerate() {
        type_places.push(old_type.unwrap_or(schema.page_types.len()));
        match old_type {
            Some(place) => {
                let info = &new.schema.page_types[at];
                schema.page_types[*place] = info.clone();
            }
            None => schema.page_types.push(new.schema.page_types[at].clone()),
        }
    }
    let places = Places::of(wide, proof, &type_places, &mut schema, &mut added);
    let mut types: Vec<TypeModel> = vec![TypeModel::default(); schema.page_types.len()];
    let mut pages = vec![0u32; types.len()];
    let mut prototypes = vec![unsite_wrapper::Prototype { least: 2.0, ..Default::default() }; types.len()];
    for (at, model) in new.types.iter().enumerate() {
        let place = type_places[at];
        types[place] = TypeModel {
            template: places.template(&model.template),
            page_table: model.page_table.and_then(|table| places.tables.get(&table).copied()),
            index_logit: model.index_logit,
            unlisted: proof.unlisted.contains(&place),
        };
        pages[place] = new.recogniser.pages[at];
        prototypes[place] = new.recogniser.prototypes[at].clone();
    }
    let recogniser = new.recogniser.placed(pages, prototypes, &type_places);
    let lists = new.lists.as_ref().and_then(|lists| {
        let table = *places.tables.get(&lists.table)?;
        Some(ListIndex { table, ..lists.clone() })
    });
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
        },
        added,
    )
}

/// Where new tables and columns go.
struct Places {
    /// New table to its place.
    tables: BTreeMap<usize, usize>,
    /// New table and column to all its places: an old column each that it shows, or a new one.
    columns: BTreeMap<(usize, usize), Vec<(usize, usize)>>,
}

impl Places {
    fn of(wide: &Wide, proof: &Proof, types: &[usize], schema: &mut Schema, added: &mut Vec<String>) -> Self {
        let mut places = Places { tables: BTreeMap::new(), columns: BTreeMap::new() };
        let mut table_names = Namer::default();
        for table in &schema.tables {
            table_names.unique(&table.name);
        }
        places.tables.clone_from(&proof.tables);
        for column in &proof.columns {
            let (table, at) = column.place;
            let info = &mut schema.tables[table].columns[at];
            match column.shown_by.first() {
                Some(&(new_table, new_column)) => {
                    let found = &wide.wrapper.schema.tables[new_table].columns[new_column];
                    info.selector.clone_from(&found.selector);
                    info.label.clone_from(&found.label);
                    info.routes.clone_from(&found.routes);
                    info.confidence = column.agreed as f64 / column.compared.max(1) as f64;
                    for shown_by in &column.shown_by {
                        places.columns.entry(*shown_by).or_default().push(column.place);
                    }
                }
                None => {
                    info.coverage = 0.0;
                    info.confidence = 0.0;
                }
            }
        }
        for (at, table) in wide.wrapper.schema.tables.iter().enumerate() {
            let chosen = wide.chosen.get(at).copied().unwrap_or_default();
            let is_new = (0..chosen).any(|column| !places.columns.contains_key(&(at, column)));
            if !places.tables.contains_key(&at) && (at >= wide.tables || !is_new) {
                continue;
            }
            let place = match places.tables.get(&at) {
                Some(place) => *place,
                None => {
                    let name = table_names.unique(&table.name);
                    added.push(name.clone());
                    let parent = table.parent.and_then(|parent| places.tables.get(&parent).copied());
                    schema.tables.push(TableInfo {
                        name,
                        page_type: types[table.page_type],
                        also_on: table.also_on.iter().map(|&at| types[at]).collect(),
                        parent,
                        columns: Vec::new(),
                    });
                    places.tables.insert(at, schema.tables.len() - 1);
                    schema.tables.len() - 1
                }
            };
            places.new_columns(at, place, &table.columns[..chosen], schema, added);
        }
        for (&(table, column), homes) in &places.columns {
            let target = wide.wrapper.schema.tables[table].columns[column].references;
            let target = target.and_then(|target| places.tables.get(&target).copied());
            for &(home, at) in homes {
                let column = &mut schema.tables[home].columns[at];
                column.references = column.references.or(target);
            }
        }
        places
    }

    /// Columns that discovery chose and that show no old one.
    fn new_columns(
        &mut self,
        from: usize,
        place: usize,
        columns: &[ColumnInfo],
        schema: &mut Schema,
        added: &mut Vec<String>,
    ) {
        let table = &mut schema.tables[place];
        let mut names = Namer::default();
        for column in &table.columns {
            names.unique(&column.name);
        }
        for (at, column) in columns.iter().enumerate() {
            if self.columns.contains_key(&(from, at)) {
                continue;
            }
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
