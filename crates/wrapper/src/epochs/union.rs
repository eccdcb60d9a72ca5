//! One schema for several designs, put together by names.

use crate::model::Wrapper;
use crate::output::{ColumnInfo, PageRecord, PageTypeInfo, Schema, TableInfo};

/// The tables of all designs, and where the tables and columns of each are among them.
#[derive(Debug, Default)]
pub(super) struct Union {
    pub(super) schema: Schema,
    places: Vec<Places>,
}

/// Where the parts of one design are.
#[derive(Debug, Default)]
struct Places {
    page_types: Vec<usize>,
    tables: Vec<usize>,
    /// By table.
    columns: Vec<Vec<usize>>,
}

impl Union {
    /// The first design comes first everywhere; what others have besides stands behind.
    pub(super) fn of(designs: &[&Wrapper]) -> Union {
        if let [only] = designs {
            return Union { schema: only.stored_schema(), places: Vec::new() };
        }
        let mut union = Union::default();
        for wrapper in designs {
            let places = union.add(wrapper.stored_schema());
            union.places.push(places);
        }
        union.hidden_last();
        union
    }

    fn add(&mut self, schema: Schema) -> Places {
        let mut places = Places::default();
        for info in schema.page_types {
            places.page_types.push(named(&mut self.schema.page_types, info, |known| &known.name));
        }
        // Tables first, then what refers to them.
        for table in &schema.tables {
            let place = |at: &usize| places.page_types.get(*at).copied().unwrap_or(0);
            let mut bare = TableInfo { columns: Vec::new(), key: None, parent: None, ..table.clone() };
            bare.page_type = place(&table.page_type);
            bare.also_on = table.also_on.iter().map(place).collect();
            bare.also_on.sort_unstable();
            // Rows that belong to others are not those of a table that belongs to none.
            let parent = table.parent.map(|parent| places.tables[parent]);
            while self.schema.tables.iter().any(|known| known.name == bare.name && known.parent != parent) {
                bare.name.push_str("_earlier");
            }
            bare.parent = parent;
            places.tables.push(named(&mut self.schema.tables, bare, |known| &known.name));
        }
        for (at, table) in schema.tables.into_iter().enumerate() {
            let to = places.tables[at];
            let of_table = table.columns.into_iter().map(|column| {
                let references = column.references.map(|target| places.tables[target]);
                let column = ColumnInfo { references, ..column };
                named(&mut self.schema.tables[to].columns, column, |known| &known.name)
            });
            let of_table: Vec<usize> = of_table.collect();
            let known = &mut self.schema.tables[to];
            known.key = known.key.or(table.key.map(|key| of_table[key]));
            places.columns.push(of_table);
        }
        places
    }

    /// Columns that are shown stand before those that are not.
    fn hidden_last(&mut self) {
        for (at, table) in self.schema.tables.iter_mut().enumerate() {
            let mut order: Vec<usize> = (0..table.columns.len()).collect();
            order.sort_by_key(|&column| table.columns[column].is_hidden);
            let mut place = vec![0; order.len()];
            for (new, &old) in order.iter().enumerate() {
                place[old] = new;
            }
            table.columns = order.iter().map(|&old| table.columns[old].clone()).collect();
            table.key = table.key.map(|key| place[key]);
            for places in &mut self.places {
                for (of_design, &to) in places.tables.iter().enumerate() {
                    if to == at {
                        places.columns[of_design].iter_mut().for_each(|column| *column = place[*column]);
                    }
                }
            }
        }
    }

    /// Where a column of all designs is in one of them.
    pub(super) fn in_design(&self, design: usize, table: usize, column: usize) -> Option<(usize, usize)> {
        let Some(places) = self.places.get(design) else { return Some((table, column)) };
        let tables = (0..places.tables.len()).filter(|&at| places.tables[at] == table);
        let mut found = tables.filter_map(|at| {
            let own = places.columns[at].iter().position(|&place| place == column)?;
            Some((at, own))
        });
        found.next()
    }

    /// Where a page type of a design is among those of all.
    pub(super) fn page_type(&self, design: usize, page_type: usize) -> usize {
        self.places.get(design).map_or(page_type, |places| places.page_types[page_type])
    }

    /// A stored record of a design in the tables of all.
    pub(super) fn placed(&self, design: usize, mut record: PageRecord) -> PageRecord {
        let Some(places) = self.places.get(design) else { return record };
        record.page_type = record.page_type.map(|at| self.page_type(design, at));
        for row in &mut record.rows {
            let columns = &places.columns[row.table];
            row.cells.iter_mut().for_each(|cell| cell.column = columns[cell.column]);
            row.table = places.tables[row.table];
        }
        record
    }
}

trait Counted {
    /// Takes over what another design has counted of the same.
    fn count(&mut self, _other: &Self) {}
}

impl Counted for PageTypeInfo {}
impl Counted for TableInfo {
    fn count(&mut self, other: &Self) {
        for at in other.also_on.iter().chain([&other.page_type]) {
            if *at != self.page_type && !self.also_on.contains(at) {
                self.also_on.push(*at);
                self.also_on.sort_unstable();
            }
        }
    }
}
impl Counted for ColumnInfo {
    fn count(&mut self, other: &Self) {
        // What one design shows is shown.
        self.is_hidden &= other.is_hidden;
    }
}

/// The place of what has that name; behind the others where nothing has.
fn named<T: Counted>(known: &mut Vec<T>, info: T, name: impl Fn(&T) -> &String) -> usize {
    match known.iter().position(|other| name(other) == name(&info)) {
        Some(at) => {
            known[at].count(&info);
            at
        }
        None => {
            known.push(info);
            known.len() - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Cell, Row};

    fn wrapper(types: &[&str], tables: &[(&str, Option<usize>, &[&str])]) -> Wrapper {
        let table = |(name, parent, columns): &(&str, Option<usize>, &[&str])| TableInfo {
            name: (*name).into(),
            parent: *parent,
            columns: columns
                .iter()
                .map(|name| ColumnInfo {
                    name: name.trim_start_matches('-').into(),
                    is_hidden: name.starts_with('-'),
                    ..ColumnInfo::default()
                })
                .collect(),
            ..TableInfo::default()
        };
        let schema = Schema {
            page_types: types
                .iter()
                .map(|name| PageTypeInfo { name: (*name).into(), ..PageTypeInfo::default() })
                .collect(),
            tables: tables.iter().map(table).collect(),
        };
        Wrapper { schema, ..Wrapper::default() }
    }

    #[test]
    fn designs_share_what_has_one_name() {
        let new = wrapper(&["book"], &[("book", None, &["title", "-ad"]), ("review", Some(0), &["text"])]);
        let old = wrapper(&["book", "list"], &[("list", None, &["x"]), ("book", None, &["isbn", "title"])]);
        let union = Union::of(&[&new, &old]);
        let names: Vec<&str> = union.schema.tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["book", "review", "list"]);
        let columns: Vec<&str> =
            union.schema.tables[0].columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(columns, ["title", "isbn", "ad"]);
        let cell = |column| Cell { column, ..Cell::default() };
        let row = Row { table: 1, cells: vec![cell(0), cell(1)], ..Row::default() };
        let record = PageRecord { page_type: Some(1), rows: vec![row], ..PageRecord::default() };
        let placed = union.placed(1, record);
        assert_eq!((placed.page_type, placed.rows[0].table), (Some(1), 0));
        assert_eq!(placed.rows[0].cells.iter().map(|cell| cell.column).collect::<Vec<_>>(), [1, 0]);
        // A child is not its namesake without a parent.
        let odd = wrapper(&["book"], &[("review", None, &["text"])]);
        assert_eq!(Union::of(&[&new, &odd]).schema.tables[2].name, "review_earlier");
    }
}
