//! The entity-relationship diagram of a database, as Mermaid text or as a picture.

mod layers;
mod mermaid;
mod svg;

use anyhow::{Context, Result};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

pub(crate) use mermaid::mermaid;
pub(crate) use svg::svg;

/// The things of a database and how they hang together.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Diagram {
    pub entities: Vec<Entity>,
    pub links: Vec<Link>,
}

/// One table of things.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Entity {
    pub name: String,
    pub attributes: Vec<Attribute>,
}

/// One column, or a fact that may have several values.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Attribute {
    pub name: String,
    /// What its values are, as `unsite tables` says.
    pub kind: String,
    /// `PK`, `FK`, `UK` or nothing.
    pub key: &'static str,
}

/// Rows of one table refer to one of another, or many of either to many of the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    /// Index of the table with the key.
    pub from: usize,
    /// Index of the table it refers to.
    pub to: usize,
    /// The key's column, or the table that relates them.
    pub key: String,
    /// Whether there are many on either side.
    pub many: bool,
}

/// A table as the database has it.
struct Table {
    name: String,
    is_entity: bool,
    columns: Vec<Attribute>,
    /// Key columns with the tables they refer to.
    keys: Vec<(String, String)>,
}

impl Diagram {
    /// Reads the tables that people see: things as boxes, tables that relate them as lines from many to many, tables with one
    /// value a row as facts with several values.
    pub(crate) fn read(db: &Connection) -> Result<Diagram> {
        let tables = tables(db).context("cannot read the tables")?;
        let is_fact = |table: &Table| {
            let own = table.columns.iter().filter(|column| column.key.is_empty());
            let referred = tables.iter().any(|other| other.keys.iter().any(|(_, to)| *to == table.name));
            own.count() == 1 && table.keys.len() == 1 && !referred
        };
        let is_box = |table: &&Table| table.is_entity && !is_fact(table) || table.keys.is_empty();
        let boxes: Vec<&Table> = tables.iter().filter(is_box).collect();
        let number: FxHashMap<&str, usize> =
            boxes.iter().enumerate().map(|(at, table)| (table.name.as_str(), at)).collect();
        let mut diagram = Diagram::default();
        for table in &boxes {
            let attributes = table.columns.iter().map(|column| Attribute {
                name: column.name.clone(),
                kind: column.kind.clone(),
                key: column.key,
            });
            diagram.entities.push(Entity { name: table.name.clone(), attributes: attributes.collect() });
        }
        for table in &tables {
            let ends: Vec<(&String, usize)> =
                table.keys.iter().filter_map(|(key, to)| Some((key, *number.get(to.as_str())?))).collect();
            if let Some(&from) = number.get(table.name.as_str()) {
                let links =
                    ends.into_iter().map(|(key, to)| Link { from, to, key: key.clone(), many: false });
                diagram.links.extend(links);
            } else if let [(_, to), others @ ..] = ends.as_slice() {
                let name = || table.name.clone();
                diagram.links.extend(others.iter().map(|&(_, from)| Link {
                    from,
                    to: *to,
                    key: name(),
                    many: true,
                }));
                let own = table.columns.iter().find(|column| column.key.is_empty());
                if let Some(own) = own.filter(|_| others.is_empty()) {
                    let fact = Attribute { name: name(), kind: format!("{} …", own.kind), key: "" };
                    diagram.entities[*to].attributes.push(fact);
                }
            }
        }
        Ok(diagram)
    }
}

/// The tables that people see.
fn tables(db: &Connection) -> Result<Vec<Table>> {
    let types = column_types(db)?;
    let mut known = db.prepare(
        "SELECT t.name, t.kind FROM _tables t JOIN sqlite_master m ON m.name = t.name AND m.type = 'table'
         WHERE t.kind IN ('entity', 'relation') ORDER BY t.rowid",
    )?;
    let known: Vec<(String, String)> =
        known.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    let mut tables = Vec::new();
    for (name, kind) in known {
        let keys = foreign_keys(db, &name).with_context(|| format!("cannot read the keys of {name}"))?;
        let unique = unique_columns(db, &name)?;
        let mut columns =
            db.prepare("SELECT name, lower(type), pk FROM pragma_table_info(?) ORDER BY cid")?;
        let columns = columns.query_map([&name], |row| {
            let (column, stored, is_key): (String, String, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let key = match (is_key, keys.iter().any(|(key, _)| *key == column), unique.contains(&column)) {
                (true, ..) => "PK",
                (_, true, _) => "FK",
                (_, _, true) => "UK",
                _ => "",
            };
            let kind = types.get(&(name.clone(), column.clone())).cloned().unwrap_or(stored);
            Ok(Attribute { name: column, kind, key })
        })?;
        let mut columns: Vec<Attribute> = columns.collect::<rusqlite::Result<_>>()?;
        // Where a row was read is nothing that the site knows.
        columns.retain(|column| column.name != "page_id");
        let keys = keys.into_iter().filter(|(_, to)| to != "_pages").collect();
        tables.push(Table { is_entity: kind == "entity", name, columns, keys });
    }
    Ok(tables)
}

fn unique_columns(db: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT c.name FROM pragma_index_list(?) l JOIN pragma_index_info(l.name) c WHERE l.\"unique\"";
    let mut statement = db.prepare(sql)?;
    let names = statement.query_map([table], |row| row.get(0))?;
    names.collect()
}

/// What the values of each discovered column are, by table and column.
fn column_types(db: &Connection) -> rusqlite::Result<FxHashMap<(String, String), String>> {
    let mut statement = db.prepare("SELECT table_name, column_name, type FROM _columns")?;
    let types = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    types.collect()
}

/// The key columns of a table with the tables they refer to, in the order of the columns.
fn foreign_keys(db: &Connection, table: &str) -> rusqlite::Result<Vec<(String, String)>> {
    let sql = "SELECT k.\"from\", k.\"table\" FROM pragma_foreign_key_list(?1) k
               JOIN pragma_table_info(?1) c ON c.name = k.\"from\" ORDER BY c.cid";
    let mut statement = db.prepare(sql)?;
    let keys = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
    keys.collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Reviews of books by authors, books that come after others, tags, and shelves that hold many of them.
    pub(in crate::ui::er) fn bookshop() -> Diagram {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE _pages(id INTEGER PRIMARY KEY);
             CREATE TABLE _tables(name TEXT, kind TEXT);
             INSERT INTO _tables VALUES ('author', 'entity'), ('book', 'entity'), ('价 <x>', 'entity'), ('tag', 'entity'),
                 ('shelf', 'entity'), ('shelf_book', 'relation'), ('seen', 'view');
             CREATE TABLE _columns(table_name TEXT, column_name TEXT, type TEXT);
             INSERT INTO _columns VALUES ('book', 'price', 'money');
             CREATE TABLE author(id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), name TEXT UNIQUE);
             CREATE TABLE book(id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), price REAL,
                 author_id INTEGER REFERENCES author(id), after_id INTEGER REFERENCES book(id));
             CREATE TABLE \"价 <x>\"(id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book(id), \"评分\" TEXT, said TEXT);
             CREATE TABLE tag(id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book(id), name TEXT);
             CREATE TABLE shelf(id INTEGER PRIMARY KEY, name TEXT);
             CREATE TABLE shelf_book(id INTEGER PRIMARY KEY, shelf_id INTEGER REFERENCES shelf(id),
                 book_id INTEGER REFERENCES book(id));
             CREATE TABLE seen(id INTEGER PRIMARY KEY)",
        )
        .unwrap();
        Diagram::read(&db).unwrap()
    }

    #[test]
    fn things_and_how_they_hang_together() {
        let diagram = bookshop();
        let names: Vec<&str> = diagram.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["author", "book", "价 <x>", "shelf"]);
        let links: Vec<(usize, usize, &str, bool)> =
            diagram.links.iter().map(|link| (link.from, link.to, link.key.as_str(), link.many)).collect();
        assert_eq!(
            links,
            [
                (1, 0, "author_id", false),
                (1, 1, "after_id", false),
                (2, 1, "book_id", false),
                (1, 3, "shelf_book", true)
            ]
        );
        let book = &diagram.entities[1].attributes;
        let told: Vec<(&str, &str, &str)> =
            book.iter().map(|a| (a.name.as_str(), a.kind.as_str(), a.key)).collect();
        assert_eq!(
            told,
            [
                ("id", "integer", "PK"),
                ("price", "money", ""),
                ("author_id", "integer", "FK"),
                ("after_id", "integer", "FK"),
                ("tag", "text …", "")
            ]
        );
        assert_eq!(diagram.entities[0].attributes[1].key, "UK");
    }
}
