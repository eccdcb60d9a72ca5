//! The database behind the site put in order after edits: what is shown first, parents before their children, and nothing
//! that is shown leads to what is not.

use crate::database::{Database, Pairs, Way};

use super::ByHand;

pub(super) fn settle(db: &mut Database, by_hand: &mut ByHand) {
    by_hand.fit(&mut db.tables);
    cut_what_leads_nowhere(db);
    let table_order = table_order(db);
    let table_place = places(&table_order);
    let column_orders: Vec<Vec<usize>> = db.tables.iter().map(|table| column_order(&table.columns)).collect();
    let column_places: Vec<Vec<usize>> = column_orders.iter().map(|order| places(order)).collect();
    for (table, order) in db.tables.iter_mut().zip(&column_orders) {
        let mut columns: Vec<_> = std::mem::take(&mut table.columns).into_iter().map(Some).collect();
        table.columns = order.iter().filter_map(|&at| columns[at].take()).collect();
    }
    for (at, table) in db.tables.iter_mut().enumerate() {
        table.key = table.key.map(|key| column_places[at][key]);
        table.parent = table.parent.map(|parent| table_place[parent]);
        for column in &mut table.columns {
            column.references = column.references.map(|to| table_place[to]);
        }
    }
    let settled = |way: &mut Way| {
        for place in &mut way.places {
            place.column = column_places[way.table][place.column];
        }
        way.table = table_place[way.table];
    };
    for reading in &mut db.readings {
        settled(&mut reading.to);
        settled(&mut reading.otherwise);
        reading.pairs = reading.pairs.map(|pairs| Pairs {
            table: table_place[pairs.table],
            column: column_places[pairs.table][pairs.column],
        });
    }
    by_hand.renumber(|table| table_place[table], |table, column| column_places[table][column]);
    let mut tables: Vec<_> = std::mem::take(&mut db.tables).into_iter().map(Some).collect();
    db.tables = table_order.iter().filter_map(|&at| tables[at].take()).collect();
}

/// What is shown belongs and refers only to what is shown; names of tables are unique.
fn cut_what_leads_nowhere(db: &mut Database) {
    let is_shown: Vec<bool> = db.tables.iter().map(|table| table.is_shown()).collect();
    for table in db.tables.iter_mut().filter(|table| table.is_shown()) {
        table.parent = table.parent.filter(|&parent| is_shown[parent]);
        for column in table.columns.iter_mut().filter(|column| !column.is_hidden) {
            column.references = column.references.filter(|&to| is_shown[to]);
        }
    }
    for at in 0..db.tables.len() {
        if let Some(parent) = db.tables[at].parent
            && leads_back(db, parent, at)
        {
            db.tables[at].parent = None;
        }
    }
}

/// Whether the way up from a table comes by another.
fn leads_back(db: &Database, from: usize, to: usize) -> bool {
    let mut at = Some(from);
    for _ in 0..=db.tables.len() {
        match at {
            Some(table) if table == to => return true,
            Some(table) => at = db.tables[table].parent,
            None => return false,
        }
    }
    true
}

fn table_order(db: &Database) -> Vec<usize> {
    let mut order = Vec::with_capacity(db.tables.len());
    let mut is_placed = vec![false; db.tables.len()];
    let (shown, hidden): (Vec<usize>, Vec<usize>) =
        (0..db.tables.len()).partition(|&at| db.tables[at].is_shown());
    for at in shown.into_iter().chain(hidden) {
        let mut above = Vec::new();
        let mut next = Some(at);
        while let Some(table) = next.filter(|&table| !is_placed[table]) {
            is_placed[table] = true;
            above.push(table);
            next = db.tables[table].parent;
        }
        order.extend(above.into_iter().rev());
    }
    order
}

fn column_order(columns: &[crate::output::ColumnInfo]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&at| (columns[at].is_hidden, at));
    order
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &at) in order.iter().enumerate() {
        places[at] = place;
    }
    places
}
