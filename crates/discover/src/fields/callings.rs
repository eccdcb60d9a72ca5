//! What a page calls its values: the head of their column in a table, the cell or the words before them.
//!
//! # What it does
//! Looks, on some pages, at what stands over and before each value. A text that stands there nearly always is what the page
//! calls the value, whatever class names say.
//!
//! # Assumes
//! Tables have their heads above; other labels end with a colon or are set off (`<b>Height</b> 6-9`).
//!
//! # When it fails
//! Labels behind their values; heads that are pictures.
//!
//! # Paper
//! Ours.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::{View, walk};

use super::columns::Slot;
use super::grow::Grown;
use super::labels::could_be_label;
use crate::site::spread;

/// Pages that are looked at, and rows of one step on each.
const PAGES: usize = 8;
const ROWS: usize = 6;

/// A text that stands over or before this share of the values names them: the rest are layouts of their own.
const NEARLY_ALWAYS: f64 = 0.8;

/// How far above a value its cell may be, and what holds both it and the words before it.
const HEIGHT: usize = 4;

/// Rows over a row whose cells may be heads: the first of the table, and those right above.
const HEAD_ROWS: usize = 3;

/// With as many cells, a row says a name and a value.
const PAIR: usize = 2;

/// Elements that set a label off.
const SET_OFF: [&str; 9] = ["b", "dt", "h3", "h4", "h5", "h6", "label", "strong", "th"];

/// What was seen beside the values of one step.
#[derive(Default)]
struct Seen<'v> {
    values: usize,
    /// Elements, also those that say nothing: pictures.
    elements: usize,
    /// What the values say: on few pages the first row stands over all others.
    said: FxHashSet<&'v str>,
    /// Values in rows of more cells than a name and a value.
    in_wide_rows: usize,
    /// How often each text stood over them, and how far above, added up.
    over: FxHashMap<&'v str, (usize, usize)>,
    /// How often each text stood before them.
    before: FxHashMap<&'v str, usize>,
    /// How often markup for machines called them so.
    property: FxHashMap<&'v str, usize>,
}

/// What the page calls a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Calling {
    /// The head of its column: it says more than the label of its row.
    Head(String),
    /// What stands before it.
    Before(String),
    /// What the markup calls it, for machines: a property of schema.org, or the type of a row.
    Property(String),
}

/// What the pages call the values of each step, where they call them anything.
pub(super) fn callings(views: &[View], grown: &Grown, slots: &[Slot]) -> FxHashMap<usize, Calling> {
    let mut wanted = vec![false; grown.template.nodes.len()];
    for slot in slots.iter().filter(|slot| !slot.what.is_in_head() && slot.step != 0) {
        wanted[slot.step] = true;
        wanted[slot.list] = slot.list != 0;
    }
    let mut seen: FxHashMap<usize, Seen<'_>> = FxHashMap::default();
    for page in spread(&(0..views.len()).collect::<Vec<_>>(), PAGES) {
        let view = &views[page];
        let mut rows: FxHashMap<usize, usize> = FxHashMap::default();
        walk(view, &grown.template, |visit| {
            if wanted[visit.step] {
                let rows = rows.entry(visit.step).or_default();
                *rows += 1;
                if *rows <= ROWS {
                    let seen = seen.entry(visit.step).or_default();
                    seen.look_at_markup(view, visit.node, grown.lists[visit.step]);
                    if !view.texts_in(visit.node).is_empty() {
                        seen.values += 1;
                        seen.look(view, visit.node);
                    }
                }
            }
            None
        });
    }
    seen.into_iter().filter_map(|(step, seen)| Some((step, seen.calling()?))).collect()
}

impl<'v> Seen<'v> {
    /// The property that an element is, or the nearest one around it that holds nothing else; of a row its type.
    fn look_at_markup(&mut self, view: &'v View<'_>, node: NodeId, is_row: bool) {
        let tree = view.tree;
        self.elements += 1;
        let property = if is_row {
            tree.attr(node, "itemtype").and_then(|kind| kind.trim().rsplit(['/', '#']).next())
        } else {
            let texts = view.texts_in(node);
            let around = std::iter::once(node).chain(tree.ancestors(node)).take(HEIGHT);
            let mut around = around.take_while(|&at| view.texts_in(at) == texts);
            let named = around.find_map(|at| tree.attr(at, "itemprop"));
            // Of several names for one value the first.
            named.and_then(|names| names.split_whitespace().next())
        };
        if let Some(property) = property.filter(|name| !name.is_empty()) {
            *self.property.entry(property).or_default() += 1;
        }
    }

    fn look(&mut self, view: &'v View<'_>, node: NodeId) {
        self.said.extend(view.texts[view.texts_in(node)].first().map(|text| text.value.as_ref()));
        let Some((cell, row)) = cell_of(view.tree, node) else {
            if let Some(text) = words_before(view, node) {
                *self.before.entry(text).or_default() += 1;
            }
            return;
        };
        let cells: Vec<NodeId> = cells(view.tree, row).collect();
        self.in_wide_rows += usize::from(cells.len() > PAIR);
        if let Some(text) = before_in_row(view, &cells, cell).or_else(|| words_before(view, node)) {
            *self.before.entry(text).or_default() += 1;
        }
        for (height, text) in heads(view, row, &cells, cell) {
            let over = self.over.entry(text).or_default();
            over.0 += 1;
            over.1 += height;
        }
    }

    fn calling(self) -> Option<Calling> {
        let names = |text: &str, times: usize| {
            times as f64 >= NEARLY_ALWAYS * self.values as f64 && !self.said.contains(text)
        };
        // Of several heads the nearest.
        let heads = self.over.iter().filter(|(text, (times, _))| names(text, *times));
        let head = heads.min_by_key(|(text, (_, height))| (*height, **text)).map(|(text, _)| *text);
        let before = self.before.iter().find(|(text, times)| names(text, **times)).map(|(text, _)| *text);
        let wide = 2 * self.in_wide_rows > self.values;
        let is_steady = |times: usize| times as f64 >= NEARLY_ALWAYS * self.elements as f64;
        let property = self.property.iter().find(|(_, times)| is_steady(**times)).map(|(name, _)| *name);
        match (head, before) {
            (Some(head), before) if wide || before.is_none() => Some(Calling::Head(head.to_owned())),
            (_, Some(before)) => Some(Calling::Before(before.to_owned())),
            _ => property.map(|name| Calling::Property(name.to_owned())),
        }
    }
}

fn is_cell(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.name(node), "td" | "th")
}

/// The cell of a table that a node stands in, and its row.
fn cell_of(tree: &Tree, node: NodeId) -> Option<(NodeId, NodeId)> {
    let cell =
        std::iter::once(node).chain(tree.ancestors(node)).take(HEIGHT).find(|&at| is_cell(tree, at))?;
    let row = tree.parent(cell).filter(|&row| tree.name(row) == "tr")?;
    Some((cell, row))
}

fn cells(tree: &Tree, row: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(row).filter(|&child| is_cell(tree, child))
}

fn width(tree: &Tree, cell: NodeId) -> usize {
    tree.attr(cell, "colspan").and_then(|width| width.trim().parse().ok()).unwrap_or(1).clamp(1, 1000)
}

/// The only text of a node, if it may be a label.
fn label_at<'v>(view: &'v View<'_>, node: NodeId) -> Option<&'v str> {
    let mut texts = view.texts_in(node);
    let text = view.texts[texts.next().filter(|_| texts.next().is_none())?].value.as_ref();
    could_be_label(text).then_some(text)
}

fn before_in_row<'v>(view: &'v View<'_>, cells: &[NodeId], cell: NodeId) -> Option<&'v str> {
    let at = cells.iter().position(|&other| other == cell)?;
    label_at(view, cells[at.checked_sub(1)?])
}

/// The texts over a cell, and how many rows above: cells as narrow, in rows of heads.
fn heads<'v>(view: &'v View<'_>, row: NodeId, own: &[NodeId], cell: NodeId) -> Vec<(usize, &'v str)> {
    let tree = view.tree;
    let left = |cells: &[NodeId], cell: NodeId| -> usize {
        cells.iter().take_while(|&&other| other != cell).map(|&other| width(tree, other)).sum()
    };
    let wide = |cells: &[NodeId]| -> usize { cells.iter().map(|&cell| width(tree, cell)).sum() };
    let (place, own_width) = (left(own, cell), wide(own));
    let mut above: Vec<NodeId> = Vec::new();
    let section = tree.parent(row).unwrap_or(row);
    // A head of its own comes before the body that the row is in.
    let table = tree.parent(section).filter(|_| tree.name(section) == "tbody");
    let of_table =
        table.into_iter().flat_map(|table| tree.children(table).take_while(move |&other| other != section));
    for holder in of_table.filter(|&other| tree.name(other) == "thead").chain([section]) {
        above.extend(
            tree.children(holder).take_while(|&other| other != row).filter(|&other| tree.name(other) == "tr"),
        );
    }
    let near = above.len().saturating_sub(HEAD_ROWS);
    let looked_at = (0..above.len()).filter(|&at| at < HEAD_ROWS || at >= near);
    let mut found = Vec::new();
    for at in looked_at {
        let cells: Vec<NodeId> = cells(tree, above[at]).collect();
        // A row of another width has cells of the row above reaching into it: its places are others.
        if wide(&cells) != own_width {
            continue;
        }
        let labels = cells.iter().filter(|&&cell| label_at(view, cell).is_some()).count();
        let over = cells.iter().find(|&&other| left(&cells, other) == place);
        let over = over.filter(|&&over| width(tree, over) <= width(tree, cell) && 2 * labels > cells.len());
        found.extend(over.and_then(|&over| label_at(view, over)).map(|text| (above.len() - at, text)));
    }
    found
}

/// The text right before a node, if it stands near and is written as labels are.
fn words_before<'v>(view: &'v View<'_>, node: NodeId) -> Option<&'v str> {
    let before = view.texts_in(node).start.checked_sub(1)?;
    let text = &view.texts[before];
    let parent = view.tree.parent(text.node)?;
    let set_off = SET_OFF.contains(&view.tree.name(parent)) && view.texts_in(parent).len() == 1;
    let near = view.tree.ancestors(node).take(HEIGHT).any(|above| above.index() <= text.node.index());
    let label = text.value.ends_with([':', '：']) || set_off;
    (near && label && could_be_label(&text.value)).then_some(text.value.as_ref())
}
