//! From clusters of tokens to relational tables: the merge of columns.
//!
//! # What it does
//! Every cluster is a column of tokens in page order. Columns of which one always directly follows the other form a
//! chain; a chain becomes a table, and each run of its rows on a page becomes one item of a merged column, which goes
//! on with the others. Chains that repeat on some page (lists) are merged before all others, so that a table is closed
//! inside before it is closed outside. What is left at the end are the top tables.
//!
//! [`relations`] is the exact case. [`robust_relations`] stands missing values, lists of no or one row and wrong
//! clusters: a column follows another when it does so for a share of both their items, the highest shares first; rows
//! have empty cells; a column that stands in few rows is put where it stands; tables that never repeat dissolve into
//! the table around them. On clean input both find the same rows.
//! # Assumes
//! The clusters are disjoint, and a page's tokens are numbered in document order.
//! # When it fails
//! Optional columns that stand side by side and are both mostly missing cannot be told from alternatives. A list of
//! exactly one row on every page is no list.
//! # Paper
//! Gazen 2008, chapter 3 (CHEX): clusters to tables. It leaves the order of merges open; lists first is ours, and so is
//! everything robust.

use rustc_hash::FxHashMap;

/// Shares of items that must follow each other, tried from the top. The last one is where chance begins: with three
/// columns in any order every second one would pass at one half.
const SHARES: [f64; 5] = [1.0, 0.95, 0.9, 0.85, 0.8];

/// A token, or a run of tokens, on a page: `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    /// The page.
    pub page: usize,
    /// The first token.
    pub start: usize,
    /// The token behind the last one.
    pub end: usize,
}

/// Where the cells of a column come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A cluster: a cell is the number of an item of it.
    Column(usize),
    /// Another table, by its place in the result: a cell is the number of one of its partitions.
    Table(usize),
}

/// One table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relation {
    /// Its columns in page order.
    pub columns: Vec<Origin>,
    /// Its rows in page order.
    pub rows: Vec<RelationRow>,
}

/// One row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RelationRow {
    /// The run of rows that it belongs to: what the cell of the table around refers to.
    pub partition: usize,
    /// A cell for each column; `None` where the row has none.
    pub cells: Vec<Option<usize>>,
}

/// The tables of clean clusters, children before the tables around them. Items of each column are taken in page order.
pub fn relations(columns: &[Vec<Item>]) -> Vec<Relation> {
    let mut merge = Merge::new(columns);
    while merge.step(true, &SHARES[..1]) || merge.step(false, &SHARES[..1]) {}
    merge.tables
}

/// The same on noisy clusters.
pub fn robust_relations(columns: &[Vec<Item>]) -> Vec<Relation> {
    let mut merge = Merge::new(columns);
    // A column that fits exactly goes first, then one that stands in few rows, then those that nearly fit: a subtitle
    // that one page has must not tear its title from the price.
    while merge.step(true, &SHARES)
        || merge.step(false, &SHARES[..1])
        || merge.adopt()
        || merge.step(false, &SHARES[1..])
    {}
    dissolve(merge.tables)
}

/// A column that still takes part.
struct Active {
    origin: Origin,
    /// In page order; the number of an item is its place here.
    items: Vec<Item>,
}

struct Merge {
    active: Vec<Active>,
    tables: Vec<Relation>,
}

impl Merge {
    fn new(columns: &[Vec<Item>]) -> Self {
        let active = columns.iter().enumerate().filter(|(_, items)| !items.is_empty()).map(|(at, items)| {
            let mut items = items.clone();
            items.sort_unstable();
            Active { origin: Origin::Column(at), items }
        });
        Merge { active: active.collect(), tables: Vec::new() }
    }

    /// Merges the chains at the highest share that gives any: those that repeat if `lists`, else those of two columns
    /// or more that do not. Tells whether there were any.
    fn step(&mut self, lists: bool, shares: &[f64]) -> bool {
        for &share in shares {
            let mut chosen: Vec<(Vec<usize>, Vec<Row>)> = Vec::new();
            for chain in self.chains(share) {
                let rows = self.rows(&chain);
                let repeats = rows.windows(2).any(|pair| pair[0].partition == pair[1].partition);
                if repeats == lists && (lists || chain.len() > 1) {
                    chosen.push((chain, rows));
                }
            }
            if !chosen.is_empty() {
                self.close(chosen);
                return true;
            }
        }
        false
    }

    /// The maximal chains of columns that follow each other for this share of both their items.
    fn chains(&self, share: f64) -> Vec<Vec<usize>> {
        let starts = self.starts();
        let count = self.active.len();
        let mut follows: Vec<FxHashMap<usize, usize>> = vec![FxHashMap::default(); count];
        for (at, column) in self.active.iter().enumerate() {
            for item in &column.items {
                if let Some(&next) = starts.get(&(item.page, item.end)).filter(|&&next| next != at) {
                    *follows[at].entry(next).or_default() += 1;
                }
            }
        }
        let (mut next, mut previous) = (vec![None; count], vec![None; count]);
        for (at, counts) in follows.iter().enumerate() {
            let mut best: Vec<(usize, usize)> =
                counts.iter().map(|(&other, &times)| (other, times)).collect();
            best.sort_unstable_by_key(|&(other, times)| (std::cmp::Reverse(times), other));
            let enough =
                |times: usize, column: usize| times as f64 >= share * self.active[column].items.len() as f64;
            if let Some(&(other, times)) = best.first()
                && enough(times, at)
                && enough(times, other)
                && previous[other].is_none()
            {
                next[at] = Some(other);
                previous[other] = Some(at);
            }
        }
        let mut chains = Vec::new();
        let mut used = vec![false; count];
        // The first column of each chain first; what is left then goes in circles, which start anywhere.
        let heads = (0..count).filter(|&at| previous[at].is_none()).chain(0..count).collect::<Vec<_>>();
        for head in heads {
            let mut chain = Vec::new();
            let mut at = Some(head);
            while let Some(column) = at.filter(|&column| !used[column]) {
                used[column] = true;
                chain.push(column);
                at = next[column];
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        chains
    }

    /// The column that starts at each place.
    fn starts(&self) -> FxHashMap<(usize, usize), usize> {
        let all = self.active.iter().enumerate();
        all.flat_map(|(at, column)| column.items.iter().map(move |item| ((item.page, item.start), at)))
            .collect()
    }

    /// The rows of a chain: items in page order, a new row where a column comes again or does not come after the last
    /// one, a new partition where something else stands between.
    fn rows(&self, chain: &[usize]) -> Vec<Row> {
        let mut items: Vec<(Item, usize, usize)> = Vec::new();
        for (place, &column) in chain.iter().enumerate() {
            items.extend(self.active[column].items.iter().enumerate().map(|(at, &item)| (item, place, at)));
        }
        items.sort_unstable();
        let mut rows: Vec<Row> = Vec::new();
        let (mut end, mut last_place) = (None, 0);
        for (item, place, at) in items {
            let goes_on = end == Some((item.page, item.start));
            if !goes_on || place <= last_place || rows.is_empty() {
                let partition = match rows.last() {
                    Some(row) if goes_on => row.partition,
                    Some(row) => row.partition + 1,
                    None => 0,
                };
                rows.push(Row { partition, cells: vec![None; chain.len()], span: item });
            }
            if let Some(row) = rows.last_mut() {
                row.cells[place] = Some(at);
                row.span.end = item.end;
            }
            (end, last_place) = (Some((item.page, item.end)), place);
        }
        rows
    }

    /// Chains become tables, and their partitions the items of new columns.
    fn close(&mut self, mut chosen: Vec<(Vec<usize>, Vec<Row>)>) {
        chosen.sort_by_key(|(_, rows)| rows.first().map(|row| row.span));
        let mut gone = vec![false; self.active.len()];
        let mut merged = Vec::new();
        for (chain, rows) in chosen {
            let mut items: Vec<Item> = Vec::new();
            for row in &rows {
                match items.get_mut(row.partition) {
                    Some(item) => item.end = row.span.end,
                    None => items.push(row.span),
                }
            }
            merged.push(Active { origin: Origin::Table(self.tables.len()), items });
            self.tables.push(Relation {
                columns: chain.iter().map(|&column| self.active[column].origin).collect(),
                rows: rows
                    .into_iter()
                    .map(|row| RelationRow { partition: row.partition, cells: row.cells })
                    .collect(),
            });
            chain.into_iter().for_each(|column| gone[column] = true);
        }
        let mut at = 0;
        self.active.retain(|_| {
            at += 1;
            !gone[at - 1]
        });
        self.active.extend(merged);
    }

    /// A column that stands in few rows has one neighbour nearly always, though its neighbour rarely has it: they
    /// become one table with empty cells. Tells whether there was one.
    fn adopt(&mut self) -> bool {
        let starts = self.starts();
        let ends: FxHashMap<(usize, usize), usize> = self
            .active
            .iter()
            .enumerate()
            .flat_map(|(at, column)| column.items.iter().map(move |item| ((item.page, item.end), at)))
            .collect();
        let mut best: Option<(f64, usize, usize)> = None;
        for (at, column) in self.active.iter().enumerate() {
            for after in [true, false] {
                let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
                for item in &column.items {
                    let near = if after {
                        ends.get(&(item.page, item.start))
                    } else {
                        starts.get(&(item.page, item.end))
                    };
                    if let Some(&near) = near.filter(|&&near| near != at) {
                        *counts.entry(near).or_default() += 1;
                    }
                }
                for (near, times) in counts {
                    let share = times as f64 / column.items.len() as f64;
                    let larger = self.active[near].items.len() > column.items.len();
                    let (first, second) = if after { (near, at) } else { (at, near) };
                    let better = best.is_none_or(|(known, a, b)| {
                        share > known || (share == known && (first, second) < (a, b))
                    });
                    if larger && share >= SHARES[SHARES.len() - 1] && better {
                        best = Some((share, first, second));
                    }
                }
            }
        }
        let Some((_, first, second)) = best else { return false };
        let chain = vec![first, second];
        let rows = self.rows(&chain);
        self.close(vec![(chain, rows)]);
        true
    }
}

struct Row {
    partition: usize,
    cells: Vec<Option<usize>>,
    span: Item,
}

/// Puts the columns of tables that have one row in each partition into the table around them.
fn dissolve(tables: Vec<Relation>) -> Vec<Relation> {
    let repeats = |table: &Relation| table.rows.windows(2).any(|pair| pair[0].partition == pair[1].partition);
    let mut around = vec![false; tables.len()];
    for table in &tables {
        for column in &table.columns {
            if let Origin::Table(child) = column {
                around[*child] = true;
            }
        }
    }
    let flat: Vec<bool> =
        tables.iter().zip(&around).map(|(table, &inside)| inside && !repeats(table)).collect();
    // Children come before the tables around them, so that what is put in is flat already.
    let mut done: Vec<Relation> = Vec::with_capacity(tables.len());
    for table in tables {
        let mut columns = Vec::new();
        for column in &table.columns {
            match *column {
                Origin::Table(child) if flat[child] => columns.extend(done[child].columns.iter().copied()),
                other => columns.push(other),
            }
        }
        let open = |row: &RelationRow| {
            let mut cells = Vec::with_capacity(columns.len());
            for (column, cell) in table.columns.iter().zip(&row.cells) {
                match *column {
                    Origin::Table(child) if flat[child] => {
                        // One row in each partition: its number is the partition's.
                        let inner = cell.map(|at| &done[child].rows[at].cells);
                        cells.extend(match inner {
                            Some(inner) => inner.clone(),
                            None => vec![None; done[child].columns.len()],
                        });
                    }
                    _ => cells.push(*cell),
                }
            }
            RelationRow { partition: row.partition, cells }
        };
        let rows = table.rows.iter().map(open).collect();
        done.push(Relation { columns, rows });
    }
    let mut number = vec![0; done.len()];
    let mut kept = 0;
    for (at, is_flat) in flat.iter().enumerate() {
        number[at] = kept;
        kept += usize::from(!is_flat);
    }
    let renumber = |mut table: Relation| {
        for column in &mut table.columns {
            if let Origin::Table(child) = column {
                *child = number[*child];
            }
        }
        table
    };
    done.into_iter().zip(flat).filter(|(_, is_flat)| !is_flat).map(|(table, _)| renumber(table)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns from names such as `s1`: the letter is the page.
    fn columns(names: &[&[&str]]) -> Vec<Vec<Item>> {
        let item = |name: &&str| {
            let start: usize = name[1..].parse().unwrap();
            Item { page: usize::from(name.starts_with('t')), start, end: start + 1 }
        };
        names.iter().map(|column| column.iter().map(item).collect()).collect()
    }

    /// The clusters of figure 3.3.
    fn published() -> Vec<Vec<Item>> {
        columns(&[
            &["s1", "t1"],
            &["s2", "s4", "s6", "t2", "t4"],
            &["s3", "s5", "s7", "t3", "t5"],
            &["s8", "t6"],
            &["s9", "s14", "t7", "t14", "t19"],
            &["s10", "s12", "s15", "s17", "s19", "t8", "t10", "t12", "t15", "t17", "t20", "t22"],
            &["s11", "s13", "s16", "s18", "s20", "t9", "t11", "t13", "t16", "t18", "t21", "t23"],
        ])
    }

    /// A table with its rows as text: tokens by name, references by number.
    fn shown(columns: &[Vec<Item>], table: &Relation) -> Vec<String> {
        let show = |(origin, cell): (&Origin, &Option<usize>)| match (origin, cell) {
            (_, None) => "-".to_owned(),
            (Origin::Table(_), Some(at)) => at.to_string(),
            (Origin::Column(column), Some(at)) => {
                let item = columns[*column][*at];
                format!("{}{}", ["s", "t"][item.page], item.start)
            }
        };
        let row = |row: &RelationRow| {
            let cells: Vec<String> = table.columns.iter().zip(&row.cells).map(show).collect();
            format!("{},{}", row.partition, cells.join(","))
        };
        table.rows.iter().map(row).collect()
    }

    #[test]
    fn golden_tables_of_the_paper() {
        let columns = published();
        let tables = relations(&columns);
        let origins: Vec<&[Origin]> = tables.iter().map(|table| table.columns.as_slice()).collect();
        use Origin::{Column, Table};
        assert_eq!(
            origins,
            [
                &[Column(1), Column(2)][..],
                &[Column(5), Column(6)],
                &[Column(4), Table(1)],
                &[Column(0), Table(0), Column(3), Table(2)],
            ]
        );
        assert_eq!(shown(&columns, &tables[0]), ["0,s2,s3", "0,s4,s5", "0,s6,s7", "1,t2,t3", "1,t4,t5"]);
        assert_eq!(
            shown(&columns, &tables[1]),
            [
                "0,s10,s11",
                "0,s12,s13",
                "1,s15,s16",
                "1,s17,s18",
                "1,s19,s20",
                "2,t8,t9",
                "2,t10,t11",
                "2,t12,t13",
                "3,t15,t16",
                "3,t17,t18",
                "4,t20,t21",
                "4,t22,t23",
            ]
        );
        assert_eq!(shown(&columns, &tables[2]), ["0,s9,0", "0,s14,1", "1,t7,2", "1,t14,3", "1,t19,4"]);
        assert_eq!(shown(&columns, &tables[3]), ["0,s1,0,s8,0", "1,t1,1,t6,1"]);
    }

    #[test]
    fn robust_is_exact_on_clean_input() {
        assert_eq!(robust_relations(&published()), relations(&published()));
    }

    #[test]
    fn missing_values_become_empty_cells() {
        let mut columns = published();
        // t21 is missing: the place is there, its token is in no cluster.
        columns[6].retain(|item| (item.page, item.start) != (1, 21));
        let tables = robust_relations(&columns);
        let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
        assert!(rows >= 20, "{tables:?}");
        let inner =
            tables.iter().find(|table| table.columns == [Origin::Column(5), Origin::Column(6)]).unwrap();
        assert_eq!(inner.rows.len(), 12);
        assert_eq!(inner.rows.iter().filter(|row| row.cells[1].is_none()).count(), 1);
    }

    #[test]
    fn an_optional_column_stands_where_it_stands() {
        // Title, subtitle on one page of six only, price.
        let token = |page, start| Item { page, start, end: start + 1 };
        let title = (0..6).map(|page| token(page, 0)).collect();
        let subtitle = vec![token(2, 1)];
        let price = (0..6).map(|page| token(page, if page == 2 { 2 } else { 1 })).collect();
        let tables = robust_relations(&[title, subtitle, price]);
        assert_eq!(tables.len(), 1, "{tables:?}");
        assert_eq!(tables[0].rows.len(), 6);
        assert_eq!(tables[0].rows.iter().flat_map(|row| &row.cells).flatten().count(), 13);
    }

    #[test]
    fn lists_of_one_column_and_of_one_row() {
        // A title and tags: three, one and one.
        let token = |page, start| Item { page, start, end: start + 1 };
        let title: Vec<Item> = (0..3).map(|page| token(page, 0)).collect();
        let tags = vec![token(0, 1), token(0, 2), token(0, 3), token(1, 1), token(2, 1)];
        for tables in [relations(&[title.clone(), tags.clone()]), robust_relations(&[title, tags])] {
            assert_eq!(tables.len(), 2);
            assert_eq!(tables[0].rows.iter().map(|row| row.partition).collect::<Vec<_>>(), [0, 0, 0, 1, 2]);
            assert_eq!(tables[1].columns, [Origin::Column(0), Origin::Table(0)]);
        }
    }

    #[test]
    fn nothing_and_strange_input_end() {
        assert!(relations(&[]).is_empty() && robust_relations(&[vec![]]).is_empty());
        let item = Item { page: 0, start: 3, end: 3 };
        let overlapping = vec![vec![item, item], vec![Item { page: 0, start: 0, end: 9 }], vec![item]];
        let _ = (relations(&overlapping), robust_relations(&overlapping));
    }
}
