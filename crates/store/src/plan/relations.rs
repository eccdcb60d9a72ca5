//! Every table of an output with its columns, types and keys: one description that all stores follow.

use unsite_wrapper::Storage;

use super::layout::{Layout, Part, Table};
use super::names::quoted;

/// One table of an output.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relation {
    pub(crate) name: String,
    /// The name as it was discovered, where it was.
    pub(crate) original: Option<String>,
    pub(crate) fields: Vec<Field>,
    /// Whether the first field is the primary key.
    pub(crate) has_key: bool,
    /// Reads its rows from the finished database, in an order that does not depend on how SQLite reads them.
    pub(crate) select: String,
}

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) reference: Option<Reference>,
    /// For a discovered column: its name as it was discovered and the text that introduces its values.
    pub(crate) original: Option<(String, Option<String>)>,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reference {
    pub(crate) table: String,
    pub(crate) column: &'static str,
    /// What becomes of the row when the one it refers to goes away.
    pub(crate) on_delete: &'static str,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Real,
    Text,
    Date,
}

impl From<Storage> for Kind {
    fn from(storage: Storage) -> Kind {
        match storage {
            Storage::Integer => Kind::Integer,
            Storage::Real => Kind::Real,
            Storage::Date => Kind::Date,
            Storage::Text => Kind::Text,
        }
    }
}

impl Field {
    fn new(name: &str, kind: Kind) -> Field {
        Field { name: name.to_owned(), kind, reference: None, original: None }
    }

    fn to(self, table: &str, column: &'static str, on_delete: &'static str) -> Field {
        Field { reference: Some(Reference { table: table.to_owned(), column, on_delete }), ..self }
    }
}

impl Relation {
    /// The same table, whose rows may refer to what is not there.
    pub(crate) fn without_references(&self) -> Relation {
        let fields = self.fields.iter().map(|field| Field { reference: None, ..field.clone() });
        Relation { fields: fields.collect(), ..self.clone() }
    }
}

/// The discovered tables, parents before their children.
pub(crate) fn discovered(layout: &Layout) -> Vec<Relation> {
    layout.parts().map(|(table, part)| relation(layout, table, part)).collect()
}

fn relation(layout: &Layout, table: &Table, part: &Part) -> Relation {
    let is_main = part.name == table.name();
    let mut id = Field::new("id", Kind::Integer);
    if !is_main {
        id = id.to(table.name(), "id", "CASCADE");
    }
    let mut fields = vec![id, Field::new("page_id", Kind::Integer).to("_pages", "id", "NO ACTION")];
    if let Some((parent, key)) = table.parent.as_ref().filter(|_| is_main) {
        fields.push(Field::new(key, Kind::Integer).to(layout.tables[*parent].name(), "id", "CASCADE"));
    }
    for (_, column) in table.columns_of(part) {
        let original = Some((column.original.clone(), column.label.clone()));
        fields.push(Field { original, ..Field::new(&column.name, column.value_type.storage().into()) });
        fields.extend(column.beside.iter().map(|(name, storage)| Field::new(name, (*storage).into())));
        if let Some((key, target)) = layout.link(column) {
            fields.push(Field::new(key, Kind::Integer).to(layout.tables[target].name(), "id", "SET NULL"));
        }
    }
    Relation {
        name: part.name.clone(),
        original: Some(table.original.clone()),
        fields,
        has_key: true,
        select: format!("SELECT * FROM {} ORDER BY id", quoted(&part.name)),
    }
}

/// The tables that stand beside the discovered ones in SQLite. The values of `_cells` stand in packed receipts.
pub(crate) fn own_of_sqlite() -> Vec<Relation> {
    let mut own = described();
    own.push(own_table("_paths", "id", true, vec![integer("id"), text("path")]));
    own
}

/// The tables that stand beside the discovered ones on a server. `_cells` is a view over the last two.
#[cfg(feature = "postgres")]
pub(crate) fn own_of_server() -> Vec<Relation> {
    let mut own = own_of_sqlite();
    let fields = vec![
        integer("id"),
        integer("page_id").to("_pages", "id", "NO ACTION"),
        integer("column_id").to("_columns", "id", "NO ACTION"),
        integer("row_id"),
        integer("path_id").to("_paths", "id", "NO ACTION"),
        text("value"),
        integer("copy"),
    ];
    let mut values = own_table("_values", "id", true, fields);
    values.select = "SELECT id, page_id, column_id, row_id, path_id, value, copy FROM _values
         ORDER BY receipt_id, place"
        .to_owned();
    own.push(values);
    own
}

/// The tables that stand beside the discovered ones in a folder of files.
pub(crate) fn own_of_files() -> Vec<Relation> {
    let mut own = described();
    let mut cells = own_table(
        "_cells",
        "id",
        false,
        vec![
            text("ref"),
            text("url"),
            text("table_name"),
            integer("row_id"),
            text("column_name"),
            text("value"),
            text("path"),
            integer("copy"),
        ],
    );
    cells.select = "SELECT p.ref, p.url, c.table_name, v.row_id, c.column_name, v.value, t.path, v.copy
         FROM _values v CROSS JOIN _columns c ON c.id = v.column_id CROSS JOIN _pages p ON p.id = v.page_id
              CROSS JOIN _paths t ON t.id = v.path_id
         ORDER BY v.receipt_id, v.place"
        .to_owned();
    own.push(cells);
    own
}

/// The main texts of pages: the only table that is there only where it was asked for.
pub(crate) fn main_text() -> Relation {
    let page = integer("page_id").to("_pages", "id", "NO ACTION");
    own_table("_main_text", "page_id", false, vec![text("ref"), text("text"), page])
}

/// Whether a finished database holds them.
pub(crate) fn has_main_text(db: &rusqlite::Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE name = '_main_text')";
    db.query_row(sql, [], |row| row.get(0))
}

/// What values were seen from when to when: there only where an address was captured more than once.
pub(crate) fn history() -> Relation {
    let fields = vec![
        text("table_name"),
        integer("row_id"),
        text("column_name"),
        text("value"),
        text("first_seen"),
        text("last_seen"),
        integer("page_id").to("_pages", "id", "NO ACTION"),
    ];
    own_table(
        "_history",
        "table_name, row_id, column_name, first_seen, last_seen, page_id, value",
        false,
        fields,
    )
}

/// Whether a finished database holds it.
pub(crate) fn has_history(db: &rusqlite::Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE name = '_history')";
    db.query_row(sql, [], |row| row.get(0))
}

fn described() -> Vec<Relation> {
    let page_type = || text("page_type").to("_page_types", "name", "NO ACTION");
    vec![
        own_table("_meta", "key", true, vec![text("key"), text("value")]),
        own_table(
            "_page_types",
            "rowid",
            true,
            vec![text("name"), integer("pages"), text("role"), text("url_pattern"), real("confidence")],
        ),
        own_table(
            "_pages",
            "id",
            true,
            vec![
                integer("id"),
                text("url"),
                text("ref"),
                page_type(),
                text("role"),
                real("index_score"),
                integer("problems"),
                text("captured"),
                integer("latest"),
            ],
        ),
        own_table(
            "_tables",
            "rowid",
            true,
            vec![text("name"), text("original_name"), page_type(), text("parent"), text("kind"), text("why")],
        ),
        own_table(
            "_columns",
            "id",
            true,
            vec![
                integer("id"),
                text("table_name"),
                text("column_name"),
                text("type"),
                text("selector"),
                text("label"),
                real("confidence"),
                real("coverage"),
                text("original_name"),
                integer("hidden"),
                text("note"),
            ],
        ),
        own_table(
            "_problems",
            "rowid",
            false,
            vec![text("kind"), text("ref"), text("url"), integer("offset"), text("message")],
        ),
    ]
}

fn own_table(name: &str, order: &str, has_key: bool, fields: Vec<Field>) -> Relation {
    let select = format!("SELECT * FROM {name} ORDER BY {order}");
    Relation { name: name.to_owned(), original: None, fields, has_key, select }
}

fn integer(name: &str) -> Field {
    Field::new(name, Kind::Integer)
}

fn real(name: &str) -> Field {
    Field::new(name, Kind::Real)
}

fn text(name: &str) -> Field {
    Field::new(name, Kind::Text)
}
