//! The entity-relationship diagram of a finished database, as Mermaid text or as a picture.

mod layers;
mod mermaid;
mod svg;

use anyhow::{Context, Result};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

pub(crate) use mermaid::mermaid;
pub(crate) use svg::svg;

/// The tables of a database with their keys.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Diagram {
    pub entities: Vec<Entity>,
    pub links: Vec<Link>,
}

/// One table.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Entity {
    pub name: String,
    pub attributes: Vec<Attribute>,
}

/// One column.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Attribute {
    pub name: String,
    /// What its values are, as `unsite tables` says.
    pub kind: String,
    /// `PK`, `FK` or nothing.
    pub key: &'static str,
}

/// A foreign key: many rows of one table refer to one of another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    /// Index of the table with the key.
    pub from: usize,
    /// Index of the table it refers to.
    pub to: usize,
    /// The key's column.
    pub key: String,
}

impl Diagram {
    /// Reads the tables with these names; keys into other tables (the pages) are left away.
    pub(crate) fn read(db: &Connection, tables: &[&str]) -> Result<Diagram> {
        let number: FxHashMap<&str, usize> =
            tables.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let types = column_types(db).context("cannot read the types of the columns")?;
        let mut diagram = Diagram::default();
        for (at, &table) in tables.iter().enumerate() {
            let keys = foreign_keys(db, table).with_context(|| format!("cannot read the keys of {table}"))?;
            for (key, target) in &keys {
                if let Some(&to) = number.get(target.as_str()) {
                    diagram.links.push(Link { from: at, to, key: key.clone() });
                }
            }
            let mut columns =
                db.prepare("SELECT name, lower(type), pk FROM pragma_table_info(?) ORDER BY cid")?;
            let columns = columns.query_map([table], |row| {
                let (name, stored, is_key): (String, String, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let key = match (is_key, keys.iter().any(|(key, _)| *key == name)) {
                    (true, _) => "PK",
                    (false, true) => "FK",
                    (false, false) => "",
                };
                let kind = types.get(&(table.to_owned(), name.clone())).cloned().unwrap_or(stored);
                Ok(Attribute { name, kind, key })
            })?;
            diagram
                .entities
                .push(Entity { name: table.to_owned(), attributes: columns.collect::<Result<_, _>>()? });
        }
        Ok(diagram)
    }
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

    /// Reviews of books by authors, and books that come after others.
    pub(in crate::ui::er) fn bookshop() -> Diagram {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE _pages(id INTEGER PRIMARY KEY);
             CREATE TABLE _columns(table_name TEXT, column_name TEXT, type TEXT);
             INSERT INTO _columns VALUES ('book', 'price', 'money');
             CREATE TABLE author(id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), name TEXT);
             CREATE TABLE book(id INTEGER PRIMARY KEY, page_id INTEGER REFERENCES _pages(id), price REAL,
                 author_id INTEGER REFERENCES author(id), after_id INTEGER REFERENCES book(id));
             CREATE TABLE \"价 <x>\"(id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES book(id), \"评分\" TEXT);",
        )
        .unwrap();
        Diagram::read(&db, &["author", "book", "价 <x>"]).unwrap()
    }

    #[test]
    fn tables_and_keys_are_read_from_the_database() {
        let diagram = bookshop();
        let links: Vec<(usize, usize, &str)> =
            diagram.links.iter().map(|link| (link.from, link.to, link.key.as_str())).collect();
        assert_eq!(links, [(1, 0, "author_id"), (1, 1, "after_id"), (2, 1, "book_id")]);
        let price = &diagram.entities[1].attributes[2];
        assert_eq!((price.name.as_str(), price.kind.as_str(), price.key), ("price", "money", ""));
        assert_eq!(diagram.entities[1].attributes[0].key, "PK");
        assert_eq!(diagram.entities[0].attributes[1].key, "FK");
    }
}
