//! The tables of a database while it is put together.

use unsite_wrapper::{Addresses, ColumnInfo, Database, Pairs, Place, Reading, TableInfo, Way};

/// A database in the making: tables and columns in the order they were thought of.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) tables: Vec<TableInfo>,
}

impl Draft {
    /// Adds a table and gives its number.
    pub(super) fn table(&mut self, info: TableInfo) -> usize {
        self.tables.push(info);
        self.tables.len() - 1
    }

    /// Adds a column to a table and gives its number.
    pub(super) fn column(&mut self, table: usize, info: ColumnInfo) -> usize {
        self.tables[table].columns.push(info);
        self.tables[table].columns.len() - 1
    }

    /// Puts what is shown first, parents before their children, and renumbers everything.
    pub(super) fn finish(self, readings: Vec<Reading>, addresses: Addresses) -> Database {
        let Draft { mut tables } = self;
        let depth = |tables: &[TableInfo], at: usize| {
            std::iter::successors(tables[at].parent, |&above| tables[above].parent).take(tables.len()).count()
        };
        let mut order: Vec<usize> = (0..tables.len()).collect();
        order.sort_by_key(|&at| (!tables[at].is_shown(), depth(&tables, at), at));
        let table_place = inverse(&order);
        let column_orders: Vec<Vec<usize>> = tables.iter().map(shown_first).collect();
        let column_places: Vec<Vec<usize>> = column_orders.iter().map(|order| inverse(order)).collect();
        for (table, order) in tables.iter_mut().zip(&column_orders) {
            let columns = std::mem::take(&mut table.columns);
            let mut columns: Vec<Option<ColumnInfo>> = columns.into_iter().map(Some).collect();
            table.columns = order.iter().filter_map(|&at| columns[at].take()).collect();
            for column in &mut table.columns {
                column.references = column.references.map(|to| table_place[to]);
            }
        }
        for (at, table) in tables.iter_mut().enumerate() {
            table.parent = table.parent.map(|parent| table_place[parent]);
            table.key = table.key.map(|key| column_places[at][key]);
        }
        let way = |way: Way| Way {
            places: way
                .places
                .iter()
                .map(|place| Place { column: column_places[way.table][place.column], ..*place })
                .collect(),
            table: table_place[way.table],
        };
        let readings = readings.into_iter().map(|reading| Reading {
            key: reading.key,
            to: way(reading.to),
            otherwise: way(reading.otherwise),
            pairs: reading.pairs.map(|pairs| Pairs {
                table: table_place[pairs.table],
                column: column_places[pairs.table][pairs.column],
            }),
            not_on: reading.not_on,
        });
        let readings = readings.collect();
        let mut slots: Vec<Option<TableInfo>> = tables.into_iter().map(Some).collect();
        let tables = order.iter().filter_map(|&at| slots[at].take()).collect();
        Database { tables, readings, addresses }
    }
}

fn shown_first(table: &TableInfo) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    order.sort_by_key(|&at| (table.columns[at].is_hidden, at));
    order
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &at) in order.iter().enumerate() {
        places[at] = place;
    }
    places
}
