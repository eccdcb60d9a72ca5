//! Each page read with the design that it was made in.

use std::sync::Arc;

use unsite_dom::{Cut, Moment, RawPage, Tree};

use super::Seen;
use super::union::Union;
use crate::output::{ColumnInfo, PageRecord, Schema};
use crate::reader::PageReader;
use crate::saved::SavedWrapper;

/// All designs of a wrapper, made ready to read many pages.
///
/// # What it does
/// A page whose moment is known is read with the design of its day, if that recognises it; otherwise with the one whose pages
/// it is most like. A page that was learned from is read with the design that learned from it.
/// # Assumes
/// Designs can be told apart by what is recognised, or by the day.
/// # When it fails
/// A page without a moment of a design that another one recognises too may be read with that.
/// # Paper
/// Ours.
#[derive(Debug)]
pub struct Designs<'w> {
    designs: Vec<Design<'w>>,
    union: Union,
}

#[derive(Debug)]
struct Design<'w> {
    reader: PageReader<'w>,
    seen: Vec<Seen>,
}

impl Designs<'static> {
    /// Designs that keep what they read with, for programs that cannot borrow it.
    pub fn shared(saved: &Arc<SavedWrapper>) -> Self {
        Designs::of(saved, |design| PageReader::shared(saved.clone(), design))
    }
}

impl<'w> Designs<'w> {
    pub(crate) fn new(saved: &'w SavedWrapper) -> Self {
        Designs::of(saved, |design| saved.design(design).reader())
    }

    fn of(saved: &SavedWrapper, reader: impl Fn(usize) -> PageReader<'w>) -> Self {
        let seen = [&saved.seen].into_iter().chain(saved.epochs.iter().map(|epoch| &epoch.seen));
        let designs = seen.enumerate().map(|(at, seen)| Design { reader: reader(at), seen: seen.clone() });
        let designs: Vec<Design<'w>> = designs.collect();
        let union = Union::of(&designs.iter().map(|design| design.reader.wrapper()).collect::<Vec<_>>());
        Designs { designs, union }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.designs.len()
    }

    /// Never: there is the newest one.
    pub fn is_empty(&self) -> bool {
        self.designs.is_empty()
    }

    /// The tables that stores hold, of all designs.
    pub fn schema(&self) -> &Schema {
        &self.union.schema
    }

    /// The design of a page, counted from the newest, and its page type in it; `None` for a page that fits none.
    pub fn choose(&self, page: &RawPage, tree: &Tree) -> Option<(usize, usize)> {
        let order = self.order(page.captured);
        let learned = order
            .iter()
            .find_map(|&(_, at)| Some((at, self.designs[at].reader.wrapper().training.page_type(page)?)));
        if learned.is_some() {
            return learned;
        }
        let mut best: Option<(f64, usize, usize)> = None;
        for (is_of_its_day, at) in order {
            let Some(found) = self.designs[at].reader.wrapper().recognise(tree, &page.url) else { continue };
            if is_of_its_day {
                return Some((at, found.page_type));
            }
            if best.is_none_or(|(likeness, _, _)| found.likeness > likeness) {
                best = Some((found.likeness, at, found.page_type));
            }
        }
        best.map(|(_, at, page_type)| (at, page_type))
    }

    /// The designs that were there at a moment, then the others by how near they are; the newest first where nothing is known.
    fn order(&self, captured: Option<Moment>) -> Vec<(bool, usize)> {
        let moment = captured.map(|moment| moment.to_string());
        let of_its_day = |at: usize| {
            moment
                .as_deref()
                .is_some_and(|moment| self.designs[at].seen.iter().any(|seen| seen.holds(moment)))
        };
        let far = |at: usize| {
            let spans = self.designs[at].seen.iter();
            let distance = |seen: &Seen, moment: Moment| {
                let (first, last) = (Moment::parse(&seen.first)?, Moment::parse(&seen.last)?);
                Some((first.unix() - moment.unix()).max(moment.unix() - last.unix()).max(0))
            };
            captured.and_then(|moment| spans.filter_map(|seen| distance(seen, moment)).min())
        };
        let mut order: Vec<(bool, usize)> = (0..self.designs.len()).map(|at| (of_its_day(at), at)).collect();
        order.sort_by_key(|&(of_its_day, at)| (!of_its_day, far(at).unwrap_or(0), at));
        order
    }

    /// Reads a page: the design that it was read with, and its record in that design's own tables.
    pub fn read(&self, page: &RawPage, tree: &Tree, cuts: &[Cut]) -> (usize, PageRecord) {
        if let [design] = self.designs.as_slice() {
            return (0, design.reader.read_new(page, tree, cuts));
        }
        let chosen = self.choose(page, tree);
        let at = chosen.map_or(0, |(at, _)| at);
        (at, self.designs[at].reader.read(page, tree, cuts, chosen.map(|(_, page_type)| page_type)))
    }

    /// A page type of a design among those of the schema.
    pub fn page_type(&self, design: usize, page_type: usize) -> usize {
        self.union.page_type(design, page_type)
    }

    /// A record of a design as stores hold it.
    pub fn stored(&self, design: usize, record: PageRecord) -> PageRecord {
        self.union.placed(design, self.designs[design].reader.wrapper().stored(record))
    }

    /// What a design knows of a column of the schema: how it is found there. `None` where the design does not read it.
    pub fn column(&self, design: usize, table: usize, column: usize) -> Option<ColumnInfo> {
        let (table, column) = self.union.in_design(design, table, column)?;
        let own = self.designs.get(design)?.reader.wrapper().stored_schema();
        own.tables.get(table)?.columns.get(column).cloned()
    }
}
