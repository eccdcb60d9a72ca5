//! From clusters of texts to the tables of a page type.

use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_wrapper::{Cell, ColumnInfo, Row, TableInfo, Typed, What, beside, typed};

use super::Clustered;
use crate::relations::{Item, Origin, Relation, robust_relations};
use unsite_discover::infer_type;
use unsite_discover::naming::{Namer, slug};

/// A cluster of which this share is constants of the template is a label, not a column.
const LABELS: f64 = 0.5;

/// The tables of one page type, the page's own first, and the rows of each page.
pub(super) struct Tables {
    pub(super) tables: Vec<TableInfo>,
    pub(super) rows: Vec<Vec<Row>>,
}

/// Drops constants, names columns after the constant in front of them, and merges columns into tables.
pub(super) fn tables(trees: &[&Tree], texts: &[Clustered], name: &str) -> Tables {
    let columns = columns(texts);
    let items: Vec<Vec<Item>> =
        columns.iter().map(|column| column.items.iter().map(|item| item.0).collect()).collect();
    let relations = robust_relations(&items);
    let mut building = Building {
        trees,
        texts,
        columns: &columns,
        relations: &relations,
        place: place(&relations, &columns, trees.len()),
        done: Tables {
            tables: vec![TableInfo { name: name.to_owned(), ..TableInfo::default() }],
            rows: vec![vec![Row::default()]; trees.len()],
        },
        number: vec![0; relations.len()],
        column_names: vec![Namer::default()],
    };
    building.build(name);
    building.done
}

/// A cluster of values: each with its place among the values of its page, and its text.
struct ColumnOf {
    items: Vec<(Item, usize)>,
    name: String,
    label: Option<String>,
}

fn columns(texts: &[Clustered]) -> Vec<ColumnOf> {
    let mut constant: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for text in texts {
        let counts = constant.entry(text.cluster).or_default();
        counts.0 += usize::from(text.is_constant);
        counts.1 += 1;
    }
    let is_label = |cluster: usize| {
        constant.get(&cluster).is_some_and(|&(constant, all)| constant as f64 > LABELS * all as f64)
    };
    let mut columns: Vec<ColumnOf> = Vec::new();
    let mut number: FxHashMap<usize, usize> = FxHashMap::default();
    let mut before: Vec<FxHashMap<&str, usize>> = Vec::new();
    let (mut page, mut place, mut label) = (usize::MAX, 0, None);
    for (at, text) in texts.iter().enumerate() {
        if text.page != page {
            (page, place, label) = (text.page, 0, None);
        }
        if is_label(text.cluster) {
            label = Some(text.text.as_str());
            continue;
        }
        let column = *number.entry(text.cluster).or_insert_with(|| {
            columns.push(ColumnOf { items: Vec::new(), name: String::new(), label: None });
            before.push(FxHashMap::default());
            columns.len() - 1
        });
        columns[column].items.push((Item { page, start: place, end: place + 1 }, at));
        if let Some(label) = label.take() {
            *before[column].entry(label).or_default() += 1;
        }
        place += 1;
    }
    for (column, labels) in columns.iter_mut().zip(before) {
        let most = labels.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
        let named = most.filter(|(_, count)| count * 2 > column.items.len());
        column.label = named.map(|(label, _)| label.to_owned());
        column.name = column.label.as_deref().and_then(slug).unwrap_or_else(|| "text".into());
    }
    columns
}

/// Where a relation goes.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Its columns are columns of the page's own table.
    Page,
    /// It is a table below this relation, or below the page.
    Below(Option<usize>),
}

fn place(relations: &[Relation], columns: &[ColumnOf], pages: usize) -> Vec<Place> {
    let mut place = vec![Place::Below(None); relations.len()];
    for (at, relation) in relations.iter().enumerate() {
        for column in &relation.columns {
            if let Origin::Table(child) = column {
                place[*child] = Place::Below(Some(at));
            }
        }
    }
    // A relation with at most one row on every page says something about the page itself.
    for (at, relation) in relations.iter().enumerate().rev() {
        let mut rows = vec![0usize; pages];
        for row in 0..relation.rows.len() {
            if let Some(page) = page_of(relations, columns, at, row) {
                rows[page] += 1;
            }
        }
        let inside = match place[at] {
            Place::Below(Some(around)) => place[around] == Place::Page,
            _ => true,
        };
        if inside && rows.iter().all(|&count| count <= 1) {
            place[at] = Place::Page;
        }
    }
    place
}

/// The page of a row: that of its first cell.
fn page_of(relations: &[Relation], columns: &[ColumnOf], relation: usize, row: usize) -> Option<usize> {
    let (mut relation, mut row) = (relation, row);
    loop {
        let cells = &relations[relation].rows.get(row)?.cells;
        let (at, cell) = cells.iter().enumerate().find_map(|(at, cell)| Some((at, (*cell)?)))?;
        match relations[relation].columns[at] {
            Origin::Column(column) => return Some(columns[column].items.get(cell)?.0.page),
            Origin::Table(child) => {
                row = relations[child].rows.iter().position(|row| row.partition == cell)?;
                relation = child;
            }
        }
    }
}

struct Building<'a> {
    trees: &'a [&'a Tree],
    texts: &'a [Clustered],
    columns: &'a [ColumnOf],
    relations: &'a [Relation],
    place: Vec<Place>,
    done: Tables,
    /// The table of each relation.
    number: Vec<usize>,
    column_names: Vec<Namer>,
}

impl Building<'_> {
    fn build(&mut self, name: &str) {
        let mut table_names = Namer::default();
        table_names.unique(name);
        // Parents stand behind their children in the relations, and before them in a schema.
        for at in (0..self.relations.len()).rev() {
            let Place::Below(around) = self.place[at] else { continue };
            self.number[at] = self.done.tables.len();
            self.done.tables.push(TableInfo {
                name: table_names.unique(&format!("{name}_items")),
                parent: Some(around.map_or(0, |around| self.number[around])),
                ..TableInfo::default()
            });
            self.column_names.push(Namer::default());
        }
        let mut in_relation = vec![false; self.columns.len()];
        // The rows of the pages, then each partition below the row that refers to it.
        let mut partition_parent: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for at in (0..self.relations.len()).rev() {
            let relation = &self.relations[at];
            let table = self.number[at];
            let own: Vec<Option<usize>> = relation
                .columns
                .iter()
                .map(|origin| match origin {
                    Origin::Column(column) => {
                        in_relation[*column] = true;
                        Some(self.column(table, *column))
                    }
                    Origin::Table(_) => None,
                })
                .collect();
            for (number, row) in relation.rows.iter().enumerate() {
                let Some(page) = page_of(self.relations, self.columns, at, number) else { continue };
                let target = if self.place[at] == Place::Page {
                    0
                } else {
                    let parent = partition_parent.get(&(at, row.partition)).copied().unwrap_or(0);
                    self.done.rows[page].push(Row { table, parent: Some(parent), ..Row::default() });
                    self.done.rows[page].len() - 1
                };
                for ((origin, column), cell) in relation.columns.iter().zip(&own).zip(&row.cells) {
                    match (origin, column, cell) {
                        (Origin::Column(source), Some(column), Some(item)) => {
                            self.cell(page, target, table, *column, *source, *item);
                        }
                        (Origin::Table(child), _, Some(partition)) => {
                            partition_parent.insert((*child, *partition), target);
                        }
                        _ => {}
                    }
                }
            }
        }
        for column in (0..self.columns.len()).filter(|&column| !in_relation[column]) {
            let place = self.column(0, column);
            for item in 0..self.columns[column].items.len() {
                self.cell(self.columns[column].items[item].0.page, 0, 0, place, column, item);
            }
        }
        self.cover();
    }

    /// A new column of a table.
    fn column(&mut self, table: usize, source: usize) -> usize {
        let column = &self.columns[source];
        let examples: Vec<String> = column.items.iter().map(|item| self.texts[item.1].text.clone()).collect();
        let found = infer_type(&What::Text, &examples);
        let selector = column.items.first().map(|item| {
            let text = &self.texts[item.1];
            self.trees[text.page].path(text.node, unsite_dom::PathStyle::Attributes)
        });
        self.done.tables[table].columns.push(ColumnInfo {
            name: self.column_names[table].unique(&column.name),
            value_type: found.value_type,
            selector: selector.unwrap_or_default(),
            label: column.label.clone(),
            confidence: found.share,
            ..ColumnInfo::default()
        });
        self.done.tables[table].columns.len() - 1
    }

    fn cell(&mut self, page: usize, row: usize, table: usize, column: usize, source: usize, item: usize) {
        let Some(&(_, at)) = self.columns[source].items.get(item) else { return };
        let text = &self.texts[at];
        let value_type = self.done.tables[table].columns[column].value_type;
        let tree = self.trees[text.page];
        self.done.rows[page][row].cells.push(Cell {
            column,
            typed: Typed::of(typed(value_type, &text.text), &text.text),
            beside: beside(value_type, &text.text),
            path: tree.path(text.node, unsite_dom::PathStyle::Attributes),
            value: text.text.clone(),
            is_copy: false,
        });
    }

    /// How many rows of its table have each column.
    fn cover(&mut self) {
        let mut rows = vec![0usize; self.done.tables.len()];
        let mut filled: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for row in self.done.rows.iter().flatten() {
            rows[row.table] += 1;
            let mut seen: Vec<usize> = row.cells.iter().map(|cell| cell.column).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.into_iter().for_each(|column| *filled.entry((row.table, column)).or_default() += 1);
        }
        for (at, table) in self.done.tables.iter_mut().enumerate() {
            for (number, column) in table.columns.iter_mut().enumerate() {
                let count = filled.get(&(at, number)).copied().unwrap_or(0);
                column.coverage = count as f64 / rows[at].max(1) as f64;
            }
        }
    }
}
