//! Columns and rows that somebody pointed at, and rows that are none.

use crate::classes::step_name;
use crate::database::RowKey;
use crate::output::{ColumnInfo, TableInfo, ValueType};
use crate::template::{Kind, Read, Spec, Template, TemplateNode, What};
use crate::view::TEXT_SIGNATURE;

use super::EditError;
use super::bench::{Bench, Source};
use super::columns::refused;
use super::example::{ExampleCell, Trail, TrailStep};
use super::names::{checked, free};
use super::seen::Seen;

/// A page type, and what it looked like.
type Target<'a> = (&'a String, &'a Seen);

impl Bench<'_> {
    pub(super) fn make_column(
        &mut self,
        target: Target<'_>,
        name: &str,
        cell: &ExampleCell,
    ) -> Result<(), EditError> {
        let page_type = self.read_page_type(target)?;
        let name = checked(name)?;
        let template = &mut self.saved.wrapper.types[page_type].template;
        let (step, rows_of) = walk(template, 0, &cell.trail)?;
        let what = what(cell);
        if let Some(read) = self.saved.wrapper.types[page_type].template.nodes[step]
            .reads
            .iter()
            .find(|read| read.what == what)
        {
            let place = self.db.readings[read.table].to.places[read.column];
            let info = &self.db.tables[self.db.readings[read.table].to.table];
            let column = &info.columns[place.column];
            if !column.is_hidden {
                return refused(format!("that is the column {}.{} already", info.name, column.name));
            }
        }
        let table = match rows_of.or(self.saved.wrapper.types[page_type].page_table) {
            Some(table) => table,
            None => self.make_page_table(page_type),
        };
        let behind = self.db.readings[table].to.table;
        let name = self.new_column_name(behind, &name)?;
        self.read_at(page_type, step, &what, table, &name, cell.trail.0.last());
        Ok(())
    }

    /// A page type that pages are read as.
    fn read_page_type(&self, target: Target<'_>) -> Result<usize, EditError> {
        let at = self.page_type((target.0, target.1))?;
        if at >= self.saved.wrapper.types.len() {
            return refused(format!(
                "{} was split off by hand; its pages are read as those of the type that it was split off",
                target.0
            ));
        }
        Ok(at)
    }

    /// Reads something at a step as a new column of a table.
    fn read_at(
        &mut self,
        page_type: usize,
        step: usize,
        what: &What,
        table: usize,
        name: &str,
        last: Option<&TrailStep>,
    ) {
        let template = &self.saved.wrapper.types[page_type].template;
        let value_type = match what {
            What::Attribute(name) if name == "src" => ValueType::Image,
            What::Attribute(name) if name == "href" => ValueType::Url,
            _ => ValueType::Text,
        };
        let info = ColumnInfo {
            name: name.to_owned(),
            value_type,
            selector: template.selector(step, what),
            label: last.and_then(|step| step.label.clone()),
            confidence: 1.0,
            note: "made by hand".into(),
            ..ColumnInfo::default()
        };
        let column = self.add_read_column(table, info);
        let read = Read { what: what.clone(), table, column };
        self.saved.wrapper.types[page_type].template.nodes[step].reads.push(read);
    }

    /// A table with one row for each page of a type that has had none.
    fn make_page_table(&mut self, page_type: usize) -> usize {
        let wanted = self.saved.wrapper.schema.page_types[page_type].name.clone();
        let taken = |name: &str| self.db.tables.iter().any(|table| table.name == name);
        let name = if taken(&wanted) { free(&wanted, taken) } else { wanted };
        let info = TableInfo { name, page_type, why: "made by hand".into(), ..TableInfo::default() };
        let table = self.add_table(info.clone(), info, RowKey::Place);
        self.saved.wrapper.types[page_type].page_table = Some(table);
        table
    }

    pub(super) fn make_rows(
        &mut self,
        target: Target<'_>,
        name: &str,
        row: &Trail,
        cells: &[ExampleCell],
    ) -> Result<(), EditError> {
        let page_type = self.read_page_type(target)?;
        let name = self.new_table_name(name)?;
        if cells.is_empty() {
            return refused("the example row shows nothing that could be a column".into());
        }
        let mut names: Vec<String> = Vec::new();
        for cell in cells {
            let name = checked(&cell.name)?;
            let taken = |name: &str| names.iter().any(|known| known == name);
            names.push(if taken(&name) { free(&name, taken) } else { name });
        }
        let before = self.saved.wrapper.types[page_type].template.clone();
        let made = (|| {
            let template = &mut self.saved.wrapper.types[page_type].template;
            let (step, around) = walk(template, 0, row)?;
            if step == 0 || template.nodes[step].rows_of.is_some() {
                return refused("these are rows already".into());
            }
            any_place(template, step);
            let mut places = Vec::new();
            for cell in cells {
                places.push(walk(template, step, &cell.trail)?.0);
            }
            Ok((step, around, places))
        })();
        let (step, around, places) = match made {
            Ok(made) => made,
            Err(error) => {
                self.saved.wrapper.types[page_type].template = before;
                return Err(error);
            }
        };
        let parent = around.or(self.saved.wrapper.types[page_type].page_table);
        let behind_parent = parent.map(|parent| self.db.readings[parent].to.table);
        let info = TableInfo { name, page_type, parent, why: "made by hand".into(), ..TableInfo::default() };
        let behind = TableInfo { parent: behind_parent, ..info.clone() };
        let table = self.add_table(info, behind, RowKey::Place);
        let template = &mut self.saved.wrapper.types[page_type].template;
        template.nodes[step].rows_of = Some(table);
        // What was read inside for the row around it was read for want of rows.
        let inside = below(template, step);
        let mut moved: Vec<Source> = Vec::new();
        for &at in &inside {
            let reads = std::mem::take(&mut template.nodes[at].reads);
            moved.extend(reads.iter().map(|read| Source { table: read.table, column: read.column }));
        }
        for (cell, (at, name)) in cells.iter().zip(places.into_iter().zip(names.drain(..))) {
            self.read_at(page_type, at, &what(cell), table, &name, cell.trail.0.last());
        }
        moved.sort_by_key(|source| (source.table, source.column));
        moved.dedup();
        self.hide_what_is_read_nowhere(&moved);
        Ok(())
    }

    /// Columns whose only places have become rows are columns no more.
    fn hide_what_is_read_nowhere(&mut self, sources: &[Source]) {
        for source in sources {
            let models = &self.saved.wrapper.types;
            let mut reads =
                models.iter().flat_map(|model| &model.template.nodes).flat_map(|node| &node.reads);
            if reads.any(|read| (read.table, read.column) == (source.table, source.column)) {
                continue;
            }
            let way = &self.db.readings[source.table].to;
            let (table, column) = (way.table, way.places[source.column].column);
            if self.sources(table, column).len() == 1 && self.db.tables[table].key != Some(column) {
                self.db.tables[table].columns[column].is_hidden = true;
                self.db.tables[table].columns[column].note = "read as rows by hand".into();
            }
            for profile in
                self.saved.profile.types.iter_mut().filter_map(|types| types.tables.get_mut(&source.table))
            {
                profile.columns.remove(&source.column);
            }
        }
    }

    pub(super) fn not_rows(&mut self, (name, seen): (&String, &Seen)) -> Result<(), EditError> {
        let table = self.table((name, seen))?;
        let called = self.db.tables[table].name.clone();
        let lists: Vec<usize> = self.readings_to(table).into_iter().filter(|&at| self.are_rows(at)).collect();
        let around = |bench: &Self, list: usize, page_type: usize| {
            bench.saved.wrapper.schema.tables[list].parent.or(bench.saved.wrapper.types[page_type].page_table)
        };
        let mut found = Vec::new();
        for &list in &lists {
            for page_type in 0..self.saved.wrapper.types.len() {
                let nodes = &self.saved.wrapper.types[page_type].template.nodes;
                if nodes.iter().any(|node| node.rows_of == Some(list)) {
                    match around(self, list, page_type).filter(|&parent| parent != list) {
                        Some(parent) => found.push((list, page_type, parent)),
                        None => {
                            return refused(format!(
                                "the rows of {called} stand in nothing that is read; drop the table if it is of no interest"
                            ));
                        }
                    }
                }
            }
        }
        if found.is_empty() {
            return refused(format!(
                "{called} has one row for each page; drop the table if it is of no interest"
            ));
        }
        for (list, page_type, parent) in found {
            self.read_as_part(list, page_type, parent, &called);
        }
        self.hide(table, "no rows, as somebody said");
        Ok(())
    }

    /// Whether templates read a table row by row.
    fn are_rows(&self, table: usize) -> bool {
        let models = self.saved.wrapper.types.iter();
        models.flat_map(|model| &model.template.nodes).any(|node| node.rows_of == Some(table))
    }

    /// The values of a list on pages of a type become values of the row around it.
    fn read_as_part(&mut self, list: usize, page_type: usize, parent: usize, called: &str) {
        let mut columns = Vec::new();
        for source in self.columns_of(list) {
            let template = &self.saved.wrapper.types[page_type].template;
            let is_this = |read: &Read| (read.table, read.column) == (source.table, source.column);
            if !template.nodes.iter().any(|node| node.reads.iter().any(is_this)) {
                columns.push(None);
                continue;
            }
            let info = self.saved.wrapper.schema.tables[list].columns[source.column].clone();
            let name = format!("{called}_{}", info.name);
            columns.push(Some(self.add_read_column(parent, ColumnInfo { name, is_hidden: false, ..info })));
        }
        let template = &mut self.saved.wrapper.types[page_type].template;
        for node in template.nodes.iter_mut() {
            if node.rows_of == Some(list) {
                node.rows_of = None;
                (node.continues, node.again) = (false, false);
            }
            for read in node.reads.iter_mut().filter(|read| read.table == list) {
                if let Some(column) = columns[read.column] {
                    (read.table, read.column) = (parent, column);
                }
            }
        }
        template.inherits.retain(|rule| rule.table != list && rule.from_table != list);
        for info in &mut self.saved.wrapper.schema.tables {
            info.parent = info.parent.map(|above| if above == list { parent } else { above });
        }
        for profile in &mut self.saved.profile.types {
            profile.tables.remove(&list);
        }
    }
}

fn what(cell: &ExampleCell) -> What {
    match (&cell.attribute, cell.trail.0.last()) {
        (Some(name), _) => What::Attribute(name.clone()),
        (None, Some(last)) if last.tag.is_empty() => What::Text,
        (None, _) => What::Prose,
    }
}

/// The deepest place that is looked for: what people point at stands higher.
const DEEPEST: usize = 200;

/// Goes down a template as far as its steps lead and puts further steps to it where they end. Says where that is, and which
/// table's rows it is in.
fn walk(template: &mut Template, from: usize, trail: &Trail) -> Result<(usize, Option<usize>), EditError> {
    if trail.0.is_empty() || trail.0.len() > DEEPEST {
        return refused("the place that was pointed at is not on a page".into());
    }
    if template.nodes.is_empty() {
        template.nodes.push(TemplateNode::default());
    }
    let mut at = from;
    let mut rows_of = None;
    for step in &trail.0 {
        at = match found(template, at, step) {
            Some(below) => below,
            None => added(template, at, step),
        };
        rows_of = template.nodes[at].rows_of.or(rows_of);
    }
    Ok((at, rows_of))
}

/// The kind of an element that a trail names, as the template tells kinds apart.
fn signature(template: &Template, class: &str, id: &str, tag: &str) -> u64 {
    let given = |text: &'_ str| (!text.is_empty()).then(|| text.to_owned());
    match tag {
        "" => TEXT_SIGNATURE,
        tag => template.classes.signature_of(tag, given(class).as_deref(), given(id).as_deref()),
    }
}

/// The kind as a step sees it, its place among its like, and how many of these there are.
fn place(template: &Template, at: usize, step: &TrailStep) -> (u64, usize, usize) {
    let kind = |class: &str, id: &str| template.nodes[at].kind(signature(template, class, id, &step.tag));
    let own = kind(&step.class, &step.id);
    let alike: Vec<bool> = step.siblings.iter().map(|[class, id]| kind(class, id) == own).collect();
    let before = alike.iter().take(step.place).filter(|&&alike| alike).count();
    (own, before, alike.iter().filter(|&&alike| alike).count())
}

fn found(template: &Template, at: usize, step: &TrailStep) -> Option<usize> {
    let (kind, place, _) = place(template, at, step);
    let specs: Vec<&Spec> = template.nodes[at].specs.iter().filter(|spec| spec.signature == kind).collect();
    let labelled = |spec: &&&Spec| spec.label.is_some() && spec.label == step.label;
    if specs.iter().any(|spec| spec.label.is_some()) && step.label.is_some() {
        let by_label = specs.iter().find(labelled).or_else(|| specs.iter().find(|spec| spec.label.is_none()));
        return by_label.map(|spec| spec.node);
    }
    match specs.as_slice() {
        [] => None,
        [only] if only.index.is_none_or(|index| index as usize == place) => Some(only.node),
        many => {
            let here = many.iter().find(|spec| spec.index == Some(place as u32));
            here.or_else(|| many.iter().find(|spec| spec.index.is_none())).map(|spec| spec.node)
        }
    }
}

fn added(template: &mut Template, at: usize, step: &TrailStep) -> usize {
    let (kind, place, count) = place(template, at, step);
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (class, id) = (given(&step.class), given(&step.id));
    let names = template.classes.names_of(class.as_deref(), id.as_deref());
    let called = if step.tag.is_empty() { "text".to_owned() } else { step_name(&step.tag, &names) };
    let called = if count > 1 { format!("{called}[{}]", place + 1) } else { called };
    template.nodes.push(TemplateNode { step: called, parent: at, ..TemplateNode::default() });
    let node = template.nodes.len() - 1;
    let alike = |spec: &Spec| spec.signature == kind;
    let has_labels = template.nodes[at].specs.iter().any(|spec| alike(spec) && spec.label.is_some());
    let label = step.label.clone().filter(|_| has_labels);
    let index = (count > 1 && label.is_none()).then_some(place as u32);
    if let Some(label) = &label
        && let Err(place) = template.nodes[at].labels.binary_search(label)
    {
        template.nodes[at].labels.insert(place, label.clone());
    }
    template.nodes[at].specs.push(Spec { signature: kind, label, index, node, ..Spec::default() });
    sort(&mut template.nodes[at].specs);
    if !step.tag.is_empty()
        && let Err(place) = template.kinds.binary_search_by_key(&kind, |kind| kind.signature)
    {
        template.kinds.insert(place, Kind { signature: kind, tag: step.tag.clone(), names });
    }
    node
}

fn sort(specs: &mut [Spec]) {
    specs.sort_by(|a, b| {
        let key =
            |spec: &Spec| (spec.signature, spec.label.clone(), spec.block, spec.shape.clone(), spec.index);
        key(a).cmp(&key(b))
    });
}

/// Every element of the kind of this step is this step, whatever stands beside or in it.
fn any_place(template: &mut Template, step: usize) {
    let above = template.nodes[step].parent;
    let own = template.nodes[above].specs.iter().find(|spec| spec.node == step).map(|spec| spec.signature);
    let Some(signature) = own else { return };
    let specs = &mut template.nodes[above].specs;
    specs.retain(|spec| spec.signature != signature);
    specs.push(Spec { signature, node: step, ..Spec::default() });
    sort(specs);
    if !template.nodes[step].step.ends_with('*') {
        let bare = template.nodes[step].step.split('[').next().unwrap_or_default().to_owned();
        template.nodes[step].step = format!("{bare}*");
    }
}

/// A step and all below it.
fn below(template: &Template, step: usize) -> Vec<usize> {
    let mut found = vec![step];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for spec in &template.nodes[at].specs {
            if !found.contains(&spec.node) {
                found.push(spec.node);
            }
        }
    }
    found
}
