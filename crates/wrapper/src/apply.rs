//! A template laid over a page: rows and cells.

use unsite_dom::{Base, NodeId, Tree, collapse};
use url::Url;

use crate::across_tags::{line, word};
use crate::matching::{each_match, label_in, match_children};
use crate::model::Wrapper;
use crate::output::{Cell, PageRecord, Row, Typed, ValueType};
use crate::plan::Plan;
use crate::reading_order::Landmarks;
use crate::template::{Inherit, Template, TemplateNode, What};
use crate::trail::trail;
use crate::typing::typed_and_beside;
use crate::view::View;

/// Reads the rows of a page of this type. `page_table` is the table that has one row for each page; `types` says what
/// the values of a column (by table and column) are.
pub fn apply(
    template: &Template,
    tree: &Tree,
    url: &str,
    page_table: Option<usize>,
    types: impl Fn(usize, usize) -> ValueType,
) -> Vec<Row> {
    let view = View::new(tree, &template.classes);
    apply_to((template, &Plan::of(template)), &view, url, page_table, types)
}

/// [`apply`] to a page that was read before, with the template's own names.
pub(crate) fn apply_to(
    (template, plan): (&Template, &Plan),
    view: &View<'_>,
    url: &str,
    page_table: Option<usize>,
    types: impl Fn(usize, usize) -> ValueType,
) -> Vec<Row> {
    let tree = view.tree;
    let base = base_url(tree, url);
    let base = base.as_ref().map(Base::new);
    let mut paths = tree.indexed_paths();
    let landmarks = (!template.landmarks.is_empty()).then(|| Landmarks::of(view, &template.landmarks));
    let mut rows = Vec::new();
    let mut headed = Headed::default();
    rows.extend(page_table.map(|table| Row { table, ..Row::default() }));
    walk_by(
        template,
        |step, node, tell| {
            let below = &template.nodes[step];
            each_match(view, below, plan.below(step, below), node, tell);
        },
        |visit| {
            let step = &template.nodes[visit.step];
            let row = match step.rows_of {
                // A record that spans several siblings: the first opens the row, the others go on with it.
                Some(table) if step.continues && open_row(&rows, table, visit.row).is_some() => {
                    let open = open_row(&rows, table, visit.row);
                    if step.again { open.map(|row| headed.go_on(&mut rows, row, visit.step)) } else { open }
                }
                Some(table) => {
                    let above = visit.row.or(page_table.map(|_| 0));
                    let parent = parent_of(&rows, table, above);
                    // Rows of one table have about as many values.
                    let before = rows.iter().rfind(|row| row.table == table);
                    let cells = Vec::with_capacity(before.map_or(0, |row| row.cells.len()));
                    rows.push(Row { table, parent, cells, ..Row::default() });
                    Some(rows.len() - 1)
                }
                None => visit.row.or((!rows.is_empty()).then_some(0)),
            };
            for read in &step.reads {
                // What belongs to the page may stand inside a list on it.
                let Some(row) = row_of_table(&rows, row, read.table).map(|row| &mut rows[row]) else {
                    continue;
                };
                let mut node = visit.node;
                let found = match &read.what {
                    What::Address => Some(url.to_owned()).filter(|url| !url.is_empty()),
                    What::Behind(behind) => {
                        let found = landmarks.as_ref().and_then(|landmarks| landmarks.read(view, behind));
                        found.map(|(own, value)| {
                            node = own;
                            value.to_owned()
                        })
                    }
                    what => value(view, visit.node, what, step, base),
                };
                if let Some(value) = found {
                    if step.flows
                        && let Some(before) = row.cells.iter_mut().rfind(|cell| cell.column == read.column)
                    {
                        if matches!(read.what, What::Lead(_)) {
                            continue;
                        }
                        before.value.push('\n');
                        before.value.push_str(&value);
                        before.typed = Typed::AsItStands;
                        continue;
                    }
                    let path = paths.of(node);
                    let (value_type, bare) = (types(read.table, read.column), without_label(&value, step));
                    let (typed, beside) = typed_and_beside(value_type, bare);
                    let typed = Typed::of(typed, &value);
                    row.cells.push(Cell { column: read.column, value, typed, beside, path, is_copy: false });
                }
            }
            row
        },
    );
    inherit(&template.inherits, &mut rows);
    rows
}

/// The row that a heading opened last, and how much of it the heading said.
#[derive(Default)]
struct Headed {
    /// The row, the step that went on with it, and its cells before that.
    last: Option<(usize, usize, usize)>,
}

impl Headed {
    /// The row that a step goes on with; a new one with the same heading where it has gone on with this one already.
    fn go_on(&mut self, rows: &mut Vec<Row>, row: usize, step: usize) -> usize {
        let Some((_, _, said)) = self.last.filter(|last| (last.0, last.1) == (row, step)) else {
            self.last = Some((row, step, rows[row].cells.len()));
            return row;
        };
        let heading = rows[row].cells[..said].to_vec();
        rows.push(Row { cells: heading, ..rows[row].clone() });
        self.last = Some((rows.len() - 1, step, said));
        rows.len() - 1
    }
}

/// Copies the values of headings into the rows below them.
fn inherit(inherits: &[Inherit], rows: &mut [Row]) {
    for rule in inherits {
        for at in 0..rows.len() {
            if rows[at].table != rule.table || rows[at].cells.is_empty() {
                continue;
            }
            let mut above = rows[at].parent;
            while let Some(row) = above.filter(|&row| rows[row].table != rule.from_table) {
                above = rows[row].parent;
            }
            let heading = above.map(|row| &rows[row]);
            let cell = heading.and_then(|row| row.cells.iter().find(|cell| cell.column == rule.from_column));
            if let Some(cell) = cell.cloned() {
                rows[at].cells.push(Cell { column: rule.column, ..cell });
            }
        }
    }
}

/// The row that a new row below `above` belongs to. Answers to comments stand inside the comments, at whatever depth:
/// they belong to what the outermost comment belongs to.
fn parent_of(rows: &[Row], table: usize, above: Option<usize>) -> Option<usize> {
    let mut parent = above;
    let mut at = above;
    while let Some(row) = at {
        if rows[row].table == table {
            parent = rows[row].parent;
        }
        at = rows[row].parent;
    }
    parent
}

/// The nearest row of a table, from a row upwards.
fn row_of_table(rows: &[Row], row: Option<usize>, table: usize) -> Option<usize> {
    let mut at = row;
    while let Some(row) = at.filter(|&row| rows[row].table != table) {
        at = rows[row].parent;
    }
    at
}

/// The row of a table that was opened last below a row.
fn open_row(rows: &[Row], table: usize, parent: Option<usize>) -> Option<usize> {
    let parent = parent.or((!rows.is_empty()).then_some(0));
    let last = rows.iter().rposition(|row| row.table == table)?;
    (rows[last].parent == parent || parent == Some(last)).then_some(last)
}

/// A node that a step was laid over.
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// The step.
    pub step: usize,
    /// The row that the step above belongs to.
    pub row: Option<usize>,
}

/// Goes over all matched nodes, parents first, in document order. `enter` returns the row for what is below.
pub fn walk(view: &View, template: &Template, enter: impl FnMut(Visit) -> Option<usize>) {
    walk_by(
        template,
        |step, node, tell| {
            match_children(view, &template.nodes[step], node)
                .into_iter()
                .for_each(|(child, step)| tell(child, step));
        },
        enter,
    );
}

/// The same where `each_child` tells which steps stand below a node.
fn walk_by(
    template: &Template,
    each_child: impl Fn(usize, NodeId, &mut dyn FnMut(NodeId, usize)),
    mut enter: impl FnMut(Visit) -> Option<usize>,
) {
    if template.nodes.is_empty() {
        return;
    }
    let mut open = vec![(NodeId::DOCUMENT, 0usize, None)];
    while let Some((node, step, row)) = open.pop() {
        let row = enter(Visit { node, step, row });
        if template.nodes[step].specs.is_empty() {
            continue;
        }
        let first = open.len();
        each_child(step, node, &mut |child, step| open.push((child, step, row)));
        open[first..].reverse();
    }
}

/// What a read gives on a node; `None` when there is nothing.
pub fn value(
    view: &View,
    node: NodeId,
    what: &What,
    step: &TemplateNode,
    base: Option<Base<'_>>,
) -> Option<String> {
    let found = match what {
        What::Text if !view.tree.is_text(node) => return None,
        What::Text => view.texts[view.texts_in(node)].first()?.value.to_string(),
        What::Prose if step.specs.is_empty() => view.tree.visible_text(node),
        What::Prose => line(view, node),
        What::Head(name) => {
            let (_, node) = view.head().iter().find(|(known, _)| known == name)?;
            match view.tree.attr(*node, "content") {
                Some(content) => collapse(content).into_owned(),
                None => view.tree.children(*node).map(|child| collapse(view.tree.text(child))).collect(),
            }
        }
        What::Data(path) => view.data().iter().find(|datum| datum.path == *path)?.value.clone(),
        // Known to the caller alone.
        What::Address | What::Behind(_) => return None,
        What::Attribute(name) => {
            let raw = view.tree.attr(node, name)?.trim();
            match name.as_str() {
                "href" | "src" => absolute(raw, base)?,
                _ => collapse(raw).into_owned(),
            }
        }
        What::Word => word(view, node)?,
        What::Trail => trail(view, node),
        What::Lead(whole) => {
            let whole = value(view, node, whole, step, base)?;
            whole.lines().next()?.to_owned()
        }
        What::Part(whole, part) => {
            let whole = value(view, node, whole, step, base)?;
            part.read(&whole)?.to_owned()
        }
    };
    (!found.is_empty()).then_some(found)
}

/// A value without the label that stands in front of it in the same text.
fn without_label<'v>(text: &'v str, step: &TemplateNode) -> &'v str {
    if step.labels.is_empty() {
        return text;
    }
    let known = |label: &str| step.labels.iter().any(|known| known == label);
    match label_in(text, known).filter(|label| label.len() < text.len()) {
        Some(label) => text[label.len()..].trim_start(),
        None => text,
    }
}

impl Wrapper {
    /// Can what was read for a column off pages of a type be typed again without the pages? Not what was put together from
    /// several places, and not what is handed down.
    pub fn can_type_again(&self, page_type: usize, column: (usize, usize)) -> bool {
        let Some(model) = self.types.get(page_type) else { return false };
        let is_handed_down =
            model.template.inherits.iter().any(|rule| {
                (rule.table, rule.column) == column || (rule.from_table, rule.from_column) == column
            });
        let is_article = self.lists.as_ref().is_some_and(|lists| lists.table == column.0);
        let mut steps = reading(&model.template, column);
        let first = steps.next();
        let is_one_way = first.is_some_and(|first| {
            !first.flows && steps.all(|step| !step.flows && step.labels == first.labels)
        });
        is_one_way && !is_handed_down && !is_article
    }

    /// Gives values of columns for which [`Wrapper::can_type_again`] holds the types that the columns have now.
    pub fn type_again(&self, record: &mut PageRecord, columns: &[(usize, usize)]) {
        let Some(model) = record.page_type.and_then(|at| self.types.get(at)) else { return };
        for &column in columns {
            let Some(step) = reading(&model.template, column).next() else { continue };
            let value_type = self.schema.tables[column.0].columns[column.1].value_type;
            for row in record.rows.iter_mut().filter(|row| row.table == column.0) {
                for cell in row.cells.iter_mut().filter(|cell| cell.column == column.1) {
                    let (typed, beside) = typed_and_beside(value_type, without_label(&cell.value, step));
                    (cell.typed, cell.beside) = (Typed::of(typed, &cell.value), beside);
                }
            }
        }
    }
}

/// The steps at which a column is read.
fn reading(template: &Template, column: (usize, usize)) -> impl Iterator<Item = &TemplateNode> {
    let reads = move |step: &&TemplateNode| step.reads.iter().any(|read| (read.table, read.column) == column);
    template.nodes.iter().filter(reads)
}

/// The address that relative links on the page start from.
pub fn base_url(tree: &Tree, url: &str) -> Option<Url> {
    let page = Url::parse(url).ok();
    let declared = tree.elements("base").find_map(|node| tree.attr(node, "href"));
    match (page, declared) {
        (Some(page), Some(href)) => page.join(href.trim()).ok().or(Some(page)),
        (None, Some(href)) => Url::parse(href.trim()).ok(),
        (page, None) => page,
    }
}

fn absolute(raw: &str, base: Option<Base<'_>>) -> Option<String> {
    if raw.is_empty() || is_mere_place(raw) || raw.starts_with("data:") || raw.starts_with("javascript:") {
        return None;
    }
    let mut address = match base {
        Some(base) => base.join(raw)?,
        None => raw.to_owned(),
    };
    address.truncate(without_own_name(&address).len());
    Some(address)
}

/// `#`, `#top`, `#comments`: a place of the template. One with a number (`#post-4711`) is the address of a record.
fn is_mere_place(raw: &str) -> bool {
    raw.strip_prefix('#').is_some_and(|place| !place.bytes().any(|byte| byte.is_ascii_digit()))
}

/// A place that is called like the page it is on (`book.html#store.book`) says nothing that the page does not say.
fn without_own_name(address: &str) -> &str {
    let Some((page, place)) = address.split_once('#') else { return address };
    let file = page.split('?').next().unwrap_or(page).rsplit('/').next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    if name.len() >= SHORTEST_NAME && place.ends_with(name) { page } else { address }
}

/// Shorter names end many places by accident.
const SHORTEST_NAME: usize = 3;
