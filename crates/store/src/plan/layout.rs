//! Which tables stand in the database, with which columns and keys.

use unsite_wrapper::{ColumnInfo, Schema, Storage, TableInfo, TableKind, ValueType};

use super::names::{Names, identifier};
use crate::StoreError;

/// Value columns of one SQL table, a key or a currency beside them counted too. SQLite's own limit is 2000 for everything.
pub(crate) const COLUMNS_OF_A_FILE: usize = 1900;

/// The same for PostgreSQL, where a row must fit into a page of 8 KiB: a long value takes 18 bytes of it.
pub(crate) const COLUMNS_OF_A_SERVER: usize = 400;

/// What `_columns` says of a column by which people know rows.
pub(crate) const NATURAL_KEY: &str = "natural key";

/// The endings of a link column's name that its key does without: `author_url` gives `author_id`.
const LINK_ENDINGS: &[&str] = &["url", "link", "href"];

/// Everything that stands in the database, by the indexes of the schema.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The names of the page types, made unique.
    pub(crate) page_types: Vec<String>,
    pub(crate) tables: Vec<Table>,
    /// Whether columns of numbers take texts that look like numbers but are none of their type (`007`). A column of
    /// SQLite would make numbers of them; files hold them as they stand.
    pub(crate) keeps_texts: bool,
    /// Whether the database of the run is what people get.
    pub(crate) is_kept: bool,
    /// A search index is made.
    pub(crate) is_searched: bool,
    /// It is said where every value stands.
    pub(crate) has_receipts: bool,
}

/// One relation of the schema.
#[derive(Debug)]
pub(crate) struct Table {
    /// The SQL tables that hold it. There is one unless it has more columns than SQLite takes.
    pub(crate) parts: Vec<Part>,
    pub(crate) columns: Vec<Column>,
    /// The table of the parent rows and the name of the key that leads to them.
    pub(crate) parent: Option<(usize, String)>,
    /// The name as it was discovered.
    pub(crate) original: String,
    /// Index of its page type, if there is such a one.
    pub(crate) page_type: Option<usize>,
    /// Whether there is an SQL table for it. Of the others `_cells` has the values.
    pub(crate) is_shown: bool,
    /// Whether people need not see it, be there an SQL table or not.
    pub(crate) is_hidden: bool,
    /// What it is to the database behind the site.
    pub(crate) kind: TableKind,
    /// Rows that say the same of the same parent are one row.
    pub(crate) is_paired: bool,
    /// The column with the address that its rows are known by.
    pub(crate) key: Option<usize>,
    /// Its rows are the values of one fact of their parent's row, which `_cells` tells them of.
    pub(crate) is_fact: bool,
}

/// One SQL table.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Its place among the parts of its table.
    pub(crate) at: usize,
}

/// One column of the schema.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) part: usize,
    pub(crate) value_type: ValueType,
    /// Its number in `_columns`.
    pub(crate) id: i64,
    /// For a link: the name of the key beside it and the table that it leads to.
    pub(crate) key: Option<(String, usize)>,
    /// The name of the column with what is kept beside its values (a currency, a number), and how that is stored.
    pub(crate) beside: Option<(String, Storage)>,
    /// The name as it was discovered.
    pub(crate) original: String,
    /// The constant text that introduces its values.
    pub(crate) label: Option<String>,
    /// Whether the SQL table has it. Of the others `_cells` has the values.
    pub(crate) is_shown: bool,
    /// Whether people need not see it, be there an SQL column or not.
    pub(crate) is_hidden: bool,
    /// Whether it leads to rows of a table.
    refers: bool,
}

impl Layout {
    /// With `all` there are SQL tables and columns also for what people need not see.
    pub(crate) fn new(schema: &Schema, columns_per_part: usize, all: bool) -> Result<Layout, StoreError> {
        check(schema)?;
        let mut type_names = Names::default();
        let page_types =
            schema.page_types.iter().map(|t| type_names.claim(&t.name.replace('\0', "\u{fffd}"))).collect();
        let mut table_names = Names::default();
        let main_names: Vec<String> =
            schema.tables.iter().map(|t| table_names.claim(&identifier(&t.name, "table"))).collect();
        let mut next_id = 1;
        let mut tables: Vec<Table> = Vec::with_capacity(schema.tables.len());
        for (info, name) in schema.tables.iter().zip(&main_names) {
            let mut column_names = Names::default();
            column_names.claim("id");
            column_names.claim("page_id");
            let parent = info.parent.map(|p| (p, parent_key(&main_names[p], &mut column_names)));
            let mut columns = columns(info, &main_names, &mut column_names, &mut next_id);
            for column in &mut columns {
                column.is_shown |= all;
            }
            let (columns, parts) = split(columns, name, &mut table_names, columns_per_part);
            let page_type = Some(info.page_type).filter(|at| *at < schema.page_types.len());
            let original = info.name.clone();
            tables.push(Table {
                parts,
                columns,
                parent,
                original,
                page_type,
                is_shown: info.is_shown() || all,
                is_hidden: !info.is_shown(),
                kind: info.kind,
                is_paired: info.parent.is_some()
                    && info.key.is_none()
                    && (info.is_fact || info.kind == TableKind::Relation),
                key: info.key,
                is_fact: info.is_fact,
            });
        }
        Ok(Layout {
            page_types,
            tables,
            keeps_texts: false,
            is_kept: false,
            is_searched: false,
            has_receipts: true,
        })
    }

    /// Every SQL table with the relation it holds.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&Table, &Part)> {
        self.shown().flat_map(|t| t.parts.iter().map(move |p| (t, p)))
    }

    /// The relations that there are SQL tables for.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| table.is_shown)
    }

    /// The key beside a link and the table that it leads to, if there is an SQL table for it.
    pub(crate) fn link<'c>(&self, column: &'c Column) -> Option<(&'c str, usize)> {
        let (key, target) = column.key.as_ref()?;
        self.tables[*target].is_shown.then_some((key.as_str(), *target))
    }

    /// Whether a link of some table leads to the rows of a table.
    pub(crate) fn is_referenced(&self, table: usize) -> bool {
        let mut columns = self.shown().flat_map(Table::shown_columns);
        columns.any(|column| self.link(column).is_some_and(|(_, target)| target == table))
    }

    /// Whether the values of a column are told of the parent's row: those of a fact that has several values.
    pub(crate) fn is_told_of_parent(&self, at: usize, column: &Column) -> bool {
        let table = &self.tables[at];
        let Some((parent, _)) = table.parent.as_ref().filter(|_| table.is_fact) else { return false };
        let taken = |other: &Column| other.name.eq_ignore_ascii_case(&table.original);
        table.columns.first().is_some_and(|first| first.id == column.id)
            && !self.tables[*parent].columns.iter().any(taken)
    }

    /// The table and column that `_columns` and `_cells` tell the values of a column of: for a fact with several values, those
    /// of the row that it is a fact of.
    pub(crate) fn told_as<'l>(&'l self, at: usize, column: &'l Column) -> (&'l str, &'l str) {
        let table = &self.tables[at];
        match &table.parent {
            Some((parent, _)) if self.is_told_of_parent(at, column) => {
                (self.tables[*parent].name(), &table.original)
            }
            _ => (&table.parts[column.part].name, &column.name),
        }
    }
}

impl Table {
    /// The columns that its SQL tables have.
    pub(crate) fn shown_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_shown)
    }

    /// The columns that one of its SQL tables has, with their places among all.
    pub(crate) fn columns_of(&self, part: &Part) -> impl Iterator<Item = (usize, &Column)> + use<'_> {
        let part = part.at;
        self.columns.iter().enumerate().filter(move |(_, column)| column.is_shown && column.part == part)
    }

    pub(crate) fn name(&self) -> &str {
        &self.parts[0].name
    }

    /// The column with the address that its rows are known by, if an SQL table has it.
    pub(crate) fn key_column(&self) -> Option<&Column> {
        self.key.map(|key| &self.columns[key]).filter(|column| column.is_shown)
    }

    /// Whether its rows are things that the site is about.
    pub(crate) fn is_of_things(&self) -> bool {
        self.is_shown && self.kind == TableKind::Entity && !self.is_fact
    }

    /// Whether other pages than the one that a row is of may tell of it, and what they tell is told in `_cells` of it.
    pub(crate) fn is_seen_anywhere(&self) -> bool {
        self.key.is_some() || self.is_paired && !self.is_fact
    }

    /// The columns that tell its rows apart below the same parent: links, or where there are none all that are shown.
    pub(crate) fn telling(&self) -> impl Iterator<Item = (usize, &Column)> {
        let refers = self.columns.iter().any(|column| column.refers && !column.is_hidden);
        let tells = move |column: &Column| !column.is_hidden && (column.refers || !refers);
        self.columns.iter().enumerate().filter(move |(_, column)| tells(column))
    }
}

fn check(schema: &Schema) -> Result<(), StoreError> {
    let count = schema.tables.len();
    let is_hidden = |table: usize| !schema.tables[table].is_shown();
    for (index, table) in schema.tables.iter().enumerate() {
        if table.parent.is_some_and(|p| p >= index) {
            return Err(StoreError::Schema(format!(
                "the parent of table {:?} does not stand before it",
                table.name
            )));
        }
        if let Some(column) = table.columns.iter().find(|c| c.references.is_some_and(|r| r >= count)) {
            let message = format!(
                "column {:?} of table {:?} refers to a table that is not there",
                column.name, table.name
            );
            return Err(StoreError::Schema(message));
        }
        let hides = |column: &&ColumnInfo| column.is_hidden;
        let apart = table.columns.iter().skip_while(|column| !column.is_hidden).all(|column| hides(&column));
        let mut refers = table.shown().iter().filter_map(|column| column.references).chain(table.parent);
        if !apart || table.is_shown() && refers.any(is_hidden) {
            let message = format!("table {:?} shows what is hidden", table.name);
            return Err(StoreError::Schema(message));
        }
    }
    Ok(())
}

/// `<parent>_id`; `parent_id` when that is the key of the page already.
fn parent_key(parent: &str, names: &mut Names) -> String {
    let wanted = format!("{parent}_id");
    names.claim(if names.is_taken(&wanted) { "parent_id" } else { &wanted })
}

/// Columns keep their names before keys made from links get theirs, so a key never renames a column.
fn columns(info: &TableInfo, tables: &[String], names: &mut Names, next_id: &mut i64) -> Vec<Column> {
    let wanted = info.columns.iter().map(|column| identifier(&column.name, "column"));
    let apart: Vec<String> =
        wanted.map(|name| if names.is_taken(&name) { name + "_value" } else { name }).collect();
    let own: Vec<String> = apart.iter().map(|name| names.claim(name)).collect();
    let mut columns = Vec::with_capacity(own.len());
    for (column, name) in info.columns.iter().zip(own) {
        let key = column.references.map(|target| (names.claim(&link_key(&name, &tables[target])), target));
        let beside = column
            .value_type
            .beside()
            .map(|(word, storage)| (names.claim(&format!("{name}_{word}")), storage));
        let (original, label) = (column.name.clone(), column.label.clone());
        columns.push(Column {
            name,
            part: 0,
            value_type: column.value_type,
            id: *next_id,
            key,
            beside,
            original,
            label,
            is_shown: !column.is_hidden,
            is_hidden: column.is_hidden,
            refers: column.references.is_some(),
        });
        *next_id += 1;
    }
    columns
}

/// What the key beside a link is called.
pub(super) fn link_key(column: &str, target: &str) -> String {
    let (stem, ending) = column.rsplit_once('_').unwrap_or(("", column));
    match (LINK_ENDINGS.contains(&ending), stem) {
        (false, _) => format!("{column}_id"),
        (true, "") => format!("{target}_id"),
        (true, stem) => format!("{stem}_id"),
    }
}

/// Puts the columns that are too many into further SQL tables.
fn split(
    mut columns: Vec<Column>,
    name: &str,
    names: &mut Names,
    columns_per_part: usize,
) -> (Vec<Column>, Vec<Part>) {
    let mut parts = vec![Part { name: name.to_owned(), at: 0 }];
    let mut width = 0;
    for column in &mut columns {
        let needed = 1 + usize::from(column.key.is_some()) + usize::from(column.beside.is_some());
        if column.is_shown && width + needed > columns_per_part {
            parts.push(Part { name: names.claim(&format!("{name}_more")), at: parts.len() });
            width = 0;
        }
        width += needed;
        column.part = parts.len() - 1;
    }
    (columns, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, parent: Option<usize>, columns: &[&str]) -> TableInfo {
        let columns =
            columns.iter().map(|c| ColumnInfo { name: (*c).into(), ..Default::default() }).collect();
        TableInfo { name: name.into(), parent, columns, ..Default::default() }
    }

    fn names(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn keys_and_columns_do_not_collide() {
        let mut child = table(
            "review",
            Some(0),
            &["ID", "page_id", "book_id", "name", "Name", "author_url", "link", "author_id"],
        );
        child.columns[5].references = Some(0);
        child.columns[6].references = Some(0);
        let schema = Schema { tables: vec![table("book", None, &["title"]), child], ..Default::default() };
        let layout = Layout::new(&schema, COLUMNS_OF_A_FILE, false).unwrap();
        let review = &layout.tables[1];
        assert_eq!(review.parent, Some((0, "book_id".into())));
        assert_eq!(
            names(review),
            [
                "ID_value",
                "page_id_value",
                "book_id_value",
                "name",
                "Name_2",
                "author_url",
                "link",
                "author_id"
            ]
        );
        assert_eq!(review.columns[5].key, Some(("author_id_2".into(), 0)));
        assert_eq!(review.columns[6].key, Some(("book_id_2".into(), 0)));
        assert!(layout.is_referenced(0) && !layout.is_referenced(1));
    }

    #[test]
    fn a_table_called_page_has_children() {
        let schema = Schema {
            tables: vec![table("page", None, &[]), table("item", Some(0), &["x"])],
            ..Default::default()
        };
        assert_eq!(
            Layout::new(&schema, COLUMNS_OF_A_FILE, false).unwrap().tables[1].parent,
            Some((0, "parent_id".into()))
        );
    }

    #[test]
    fn too_many_columns_go_into_further_tables() {
        let many: Vec<String> = (0..4000).map(|i| format!("c{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let schema = Schema {
            tables: vec![table("wide", None, &many), table("wide_more", None, &["x"])],
            ..Default::default()
        };
        let layout = Layout::new(&schema, COLUMNS_OF_A_FILE, false).unwrap();
        let parts: Vec<_> = layout.parts().map(|(t, p)| (p.name.as_str(), t.columns_of(p).count())).collect();
        assert_eq!(parts, [("wide", 1900), ("wide_more_2", 1900), ("wide_more_3", 200), ("wide_more", 1)]);
        assert_eq!(layout.tables[0].columns[3999].part, 2);
    }

    #[test]
    fn a_schema_that_contradicts_itself_is_refused() {
        let later_parent = Schema { tables: vec![table("a", Some(0), &[])], ..Default::default() };
        assert!(matches!(Layout::new(&later_parent, COLUMNS_OF_A_FILE, false), Err(StoreError::Schema(_))));
        let mut dangling = Schema { tables: vec![table("a", None, &["x"])], ..Default::default() };
        dangling.tables[0].columns[0].references = Some(7);
        assert!(matches!(Layout::new(&dangling, COLUMNS_OF_A_FILE, false), Err(StoreError::Schema(_))));
    }
}
