//! What became of page types and fields at the boundary between two designs.

use unsite_discover::Repair;
use unsite_dom::Moment;
use unsite_wrapper::{SavedWrapper, TypeChange, Wrapper};

/// A column that fewer rows than this have is not told of: it came by chance.
const TOLD: f64 = 0.3;

/// The last capture of the older design and the first of the newer one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boundary {
    pub(super) before: Moment,
    pub(super) after: Moment,
}

impl Boundary {
    fn change(self, page_type: &str) -> TypeChange {
        TypeChange {
            page_type: page_type.to_owned(),
            before: self.before.to_string(),
            after: self.after.to_string(),
            ..TypeChange::default()
        }
    }
}

/// What a repair to an older design tells of each page type that looked another way.
pub(super) fn changes(repair: &Repair, newer: &SavedWrapper, boundary: Boundary) -> Vec<TypeChange> {
    let mut changes = Vec::new();
    let older = &repair.saved.wrapper;
    for report in repair.types.iter().filter(|report| !report.state.is_as_it_was()) {
        let mut change =
            TypeChange { is_still_read: report.state.is_kept(), ..boundary.change(&report.name) };
        for proof in repair.columns.iter().filter(|column| column.page_type == report.name) {
            let Some(name) = told(&newer.wrapper, proof.place) else { continue };
            match proof.is_proved() || change.is_still_read {
                true => change.carried.push(name),
                false if proof.compared > 0 && !proof.was_lost => change.appeared.push(name),
                false => {}
            }
        }
        let is_added = |name: &String| repair.added.contains(name);
        change.vanished = columns_of(older, &report.name).into_iter().filter(is_added).collect();
        // What one of several lists still shows has not appeared.
        change.appeared.retain(|name| !change.carried.contains(name));
        for names in [&mut change.carried, &mut change.appeared, &mut change.vanished] {
            names.sort();
            names.dedup();
        }
        changes.push(change);
    }
    let first = newer.wrapper.types.len();
    changes.extend(new_types(&repair.saved, first, boundary));
    changes
}

/// Page types that only the older design has: those from `first` on.
pub(super) fn new_types(older: &SavedWrapper, first: usize, boundary: Boundary) -> Vec<TypeChange> {
    let types = older.wrapper.schema.page_types.iter().skip(first);
    let change =
        |name: &str| TypeChange { vanished: columns_of(&older.wrapper, name), ..boundary.change(name) };
    types.map(|info| change(&info.name)).collect()
}

/// The columns of a page type that many of its rows have, `table.column`.
fn columns_of(wrapper: &Wrapper, page_type: &str) -> Vec<String> {
    let schema = &wrapper.schema;
    // Of a single page nobody knows what varies.
    let known = schema.page_types.iter().position(|info| info.name == page_type && info.pages > 1);
    let Some(at) = known else { return Vec::new() };
    let tables = schema.tables.iter().filter(|table| table.is_on(at));
    let columns = tables.flat_map(|table| table.columns.iter().map(move |column| (table, column)));
    let common = columns.filter(|(_, column)| column.coverage >= TOLD);
    common.map(|(table, column)| format!("{}.{}", table.name, column.name)).collect()
}

/// What people call a column that is read; `None` for one that is kept out of sight.
fn told(wrapper: &Wrapper, (table, column): (usize, usize)) -> Option<String> {
    let Some(database) = &wrapper.database else {
        let info = &wrapper.schema.tables[table];
        return Some(format!("{}.{}", info.name, info.columns.get(column)?.name));
    };
    let way = &database.readings.get(table)?.to;
    let place = way.places.get(column)?;
    let shown = database.tables.get(way.table).filter(|info| info.is_shown())?;
    let info = shown.columns.get(place.column).filter(|info| !info.is_hidden)?;
    Some(format!("{}.{}", shown.name, info.name))
}
