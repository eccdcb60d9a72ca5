//! What is read where on the pages of one type, as paths from row to column.

use unsite_wrapper::{Behind, Schema, Template, TemplateNode, What, Wrapper};

use super::Target;
use super::steps::{Piece, step_down};

/// A column that could not be exported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// Its table.
    pub table: String,
    /// The column; empty for all of them.
    pub column: String,
    /// Why not.
    pub reason: String,
}

/// The pages of one type.
#[derive(Debug, Clone, Default)]
pub(super) struct PagePlan {
    pub(super) name: String,
    pub(super) url_pattern: String,
    /// The table with one row for each page.
    pub(super) table: Option<String>,
    pub(super) own: Frame,
    /// Links to articles: where they stand, whatever else is around them.
    pub(super) links: Option<LinksPlan>,
    /// The class and id names that tell kinds of elements apart: those that count, and beginnings of others.
    pub(super) names: [Vec<String>; 2],
    /// Table and column that take over the value of another table and column.
    pub(super) inherits: Vec<[String; 4]>,
}

/// A table with a row for each link on some paths of tags: address, page, text.
#[derive(Debug, Clone)]
pub(super) struct LinksPlan {
    pub(super) table: String,
    pub(super) columns: Vec<String>,
    pub(super) paths: Vec<String>,
}

impl LinksPlan {
    fn of(wrapper: &Wrapper, at: usize) -> Option<Self> {
        let lists = wrapper.lists.as_ref().filter(|lists| !lists.written.is_empty())?;
        let is_list = matches!(wrapper.schema.page_types[at].role.as_str(), "index" | "search");
        let info =
            wrapper.schema.tables.get(lists.table).filter(|_| is_list && !wrapper.types[at].unlisted)?;
        let columns = info.columns.iter().take(LINK_COLUMNS).map(|column| column.name.clone()).collect();
        Some(LinksPlan { table: info.name.clone(), columns, paths: lists.written.clone() })
    }
}

/// Address, page and text of a link.
const LINK_COLUMNS: usize = 3;

/// What belongs to one row.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    pub(super) columns: Vec<ColumnPlan>,
    pub(super) lists: Vec<ListPlan>,
}

#[derive(Debug, Clone)]
pub(super) struct ColumnPlan {
    pub(super) name: String,
    pub(super) reads: Vec<ReadPlan>,
}

#[derive(Debug, Clone)]
pub(super) struct ReadPlan {
    pub(super) how: How,
    pub(super) path: Vec<Piece>,
    pub(super) flows: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum How {
    Text,
    /// As a reader sees it.
    Prose,
    /// All texts on one line.
    Words,
    /// The whole word that a text begins and texts behind it go on with.
    Word,
    Attribute(String),
    Head(String),
    /// JSON-LD, by type and path.
    Data(String),
    /// The page's own.
    Address,
    /// Breadcrumbs.
    Trail,
    /// The first paragraph.
    Lead(Box<How>),
    /// What stands behind the constant of this number.
    Part(Box<How>, Vec<String>, usize),
    /// What stands behind one of these landmarks in reading order.
    Behind(Behind, Vec<String>),
}

impl How {
    fn of(what: &What, node: &TemplateNode, template: &Template) -> How {
        match what {
            What::Text => How::Text,
            What::Prose if node.specs.is_empty() => How::Prose,
            What::Prose => How::Words,
            What::Head(name) => How::Head(name.clone()),
            What::Attribute(name) => How::Attribute(name.clone()),
            What::Address => How::Address,
            What::Trail => How::Trail,
            What::Lead(whole) => How::Lead(Box::new(How::of(whole, node, template))),
            What::Part(whole, part) => {
                How::Part(Box::new(How::of(whole, node, template)), part.constants.clone(), part.index)
            }
            What::Data(path) => How::Data(path.clone()),
            What::Word => How::Word,
            What::Behind(behind) => How::Behind(behind.clone(), template.landmarks.clone()),
        }
    }
}

/// The rows of a table inside a row or page.
#[derive(Debug, Clone)]
pub(super) struct ListPlan {
    pub(super) table: String,
    pub(super) rows: Vec<RowPlan>,
}

#[derive(Debug, Clone)]
pub(super) struct RowPlan {
    pub(super) path: Vec<Piece>,
    /// Goes on with the row before it instead of opening one.
    pub(super) continues: bool,
    /// Goes on with a row once; when it comes again it is a row of its own under the same heading.
    pub(super) again: bool,
    /// From a row to the rows of the same list inside it: answers inside comments.
    pub(super) inner: Vec<Vec<Piece>>,
    pub(super) own: Frame,
}

impl PagePlan {
    /// Plans the pages of one type. What cannot be said goes to `left_out`.
    pub(super) fn of(wrapper: &Wrapper, at: usize, target: Target, left_out: &mut Vec<LeftOut>) -> PagePlan {
        let (model, info) = (&wrapper.types[at], &wrapper.schema.page_types[at]);
        let table = model.page_table.map(|table| wrapper.schema.tables[table].name.clone());
        let mut planner = Planner { schema: &wrapper.schema, template: &model.template, target, left_out };
        let mut own = Frame::default();
        if !model.template.nodes.is_empty() {
            planner.below(0, model.page_table, &Ok(Vec::new()), &mut own);
        }
        let column = |table: usize, column: usize| {
            let table = wrapper.schema.tables.get(table)?;
            Some((table.name.clone(), table.columns.get(column)?.name.clone()))
        };
        let inherits = model.template.inherits.iter().filter_map(|rule| {
            let ((table, own), (from, above)) =
                (column(rule.table, rule.column)?, column(rule.from_table, rule.from_column)?);
            Some([table, own, from, above])
        });
        let inherits = inherits.collect();
        let links = LinksPlan::of(wrapper, at);
        let (name, url_pattern) = (info.name.clone(), info.url_pattern.clone());
        let names = model.template.classes.written();
        PagePlan { name, url_pattern, table, own, links, names, inherits }
    }

    /// How many columns are read.
    pub(super) fn columns(&self) -> usize {
        self.own.count() + self.links.as_ref().map_or(0, |links| links.columns.len())
    }
}

impl Frame {
    fn count(&self) -> usize {
        let lists: usize = self
            .lists
            .iter()
            .map(|list| {
                let mut names: Vec<&str> = list
                    .rows
                    .iter()
                    .flat_map(|row| &row.own.columns)
                    .map(|column| column.name.as_str())
                    .collect();
                names.sort_unstable();
                names.dedup();
                let deeper: usize = list.rows.iter().map(|row| row.own.count() - row.own.columns.len()).sum();
                names.len() + deeper
            })
            .sum();
        self.columns.len() + lists
    }
}

struct Planner<'a> {
    schema: &'a Schema,
    template: &'a Template,
    target: Target,
    left_out: &'a mut Vec<LeftOut>,
}

/// The way to a step; why there is none.
type Way = Result<Vec<Piece>, String>;

impl Planner<'_> {
    /// Goes through a step and all that is below it, in the row of `table`. Templates are as deep as pages, which are
    /// bounded, but a saved file may say anything: no recursion.
    fn below(&mut self, step: usize, table: Option<usize>, way: &Way, frame: &mut Frame) {
        struct Open {
            step: usize,
            way: Way,
            /// Where in the frame the row stands: list and row, outermost first.
            row: Vec<(usize, usize)>,
            /// The step that opened the row.
            opened_at: usize,
            table: Option<usize>,
        }
        let mut open = vec![Open { step, way: way.clone(), row: Vec::new(), opened_at: 0, table }];
        while let Some(at) = open.pop() {
            let Some(node) = self.template.nodes.get(at.step) else { continue };
            let (mut way, mut row, mut table, mut opened_at) = (at.way, at.row, at.table, at.opened_at);
            if let Some(rows_of) = node.rows_of.filter(|rows_of| *rows_of < self.schema.tables.len()) {
                let name = self.schema.tables[rows_of].name.clone();
                let path = match way {
                    Ok(path) => path,
                    Err(reason) => {
                        self.leave(rows_of, None, &reason);
                        continue;
                    }
                };
                let above = frame_at(frame, &row);
                let list = above.lists.iter().position(|list| list.table == name).unwrap_or_else(|| {
                    above.lists.push(ListPlan { table: name, rows: Vec::new() });
                    above.lists.len() - 1
                });
                above.lists[list].rows.push(RowPlan {
                    path,
                    continues: node.continues,
                    again: node.again,
                    inner: Vec::new(),
                    own: Frame::default(),
                });
                row.push((list, above.lists[list].rows.len() - 1));
                (way, table, opened_at) = (Ok(Vec::new()), Some(rows_of), at.step);
            }
            self.reads(node, table, &way, frame_at(frame, &row));
            for spec in node.specs.iter().rev() {
                let Some(below) = self.template.nodes.get(spec.node) else { continue };
                let has_content = below.rows_of.is_some()
                    || below.reads.iter().any(|read| matches!(read.what, What::Attribute(_)));
                let way = way.clone().and_then(|mut path| {
                    path.extend(step_down(self.template, node, spec, has_content, self.target)?);
                    Ok(path)
                });
                match way {
                    way if spec.node > at.step => {
                        open.push(Open { step: spec.node, way, row: row.clone(), opened_at, table });
                    }
                    Ok(path) if spec.node == opened_at => {
                        if let Some(row) = row_at(frame, &row) {
                            row.inner.push(path);
                        }
                    }
                    _ => self.leave_below(table),
                }
            }
        }
        prune(frame);
    }

    fn reads(&mut self, node: &TemplateNode, table: Option<usize>, way: &Way, frame: &mut Frame) {
        for read in node.reads.iter().filter(|read| Some(read.table) == table) {
            let Some(column) = self.schema.tables.get(read.table).and_then(|t| t.columns.get(read.column))
            else {
                continue;
            };
            let how = How::of(&read.what, node, self.template);
            let path = match way {
                Ok(path) => path.clone(),
                Err(reason) => {
                    let reason = reason.clone();
                    self.leave(read.table, Some(read.column), &reason);
                    continue;
                }
            };
            let read = ReadPlan { how, path, flows: node.flows };
            match frame.columns.iter_mut().find(|known| known.name == column.name) {
                Some(known) => known.reads.push(read),
                None => frame.columns.push(ColumnPlan { name: column.name.clone(), reads: vec![read] }),
            }
        }
    }

    /// A way back to a row further up, which no path can say.
    fn leave_below(&mut self, table: Option<usize>) {
        if let Some(table) = table.filter(|table| *table < self.schema.tables.len()) {
            self.leave(table, None, "rows inside its rows are reached in a way that no path can say");
        }
    }

    fn leave(&mut self, table: usize, column: Option<usize>, reason: &str) {
        let table = &self.schema.tables[table];
        let column = column.map(|column| table.columns[column].name.clone()).unwrap_or_default();
        self.left_out.push(LeftOut { table: table.name.clone(), column, reason: reason.to_owned() });
    }
}

fn frame_at<'f>(frame: &'f mut Frame, row: &[(usize, usize)]) -> &'f mut Frame {
    row.iter().fold(frame, |frame, &(list, row)| &mut frame.lists[list].rows[row].own)
}

fn row_at<'f>(frame: &'f mut Frame, row: &[(usize, usize)]) -> Option<&'f mut RowPlan> {
    let (&(list, at), above) = row.split_last()?;
    frame_at(frame, above).lists.get_mut(list)?.rows.get_mut(at)
}

/// Lists of which nothing is read are no lists.
fn prune(frame: &mut Frame) {
    for list in &mut frame.lists {
        for row in &mut list.rows {
            prune(&mut row.own);
        }
    }
    frame
        .lists
        .retain(|list| list.rows.iter().any(|row| !row.own.columns.is_empty() || !row.own.lists.is_empty()));
}
