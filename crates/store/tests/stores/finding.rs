//! What helps people to find rows: natural keys, words, receipts.

use std::path::Path;

use crate::common::*;
use crate::seen;
use rusqlite::Connection;
use unsite_store::receipts;
use unsite_store::search::{MARKS, search};
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

const NATURAL: &str = "SELECT column_name FROM _columns WHERE note = 'natural key' ORDER BY id";

fn schema() -> Schema {
    let columns = vec![
        column("title", ValueType::Text),
        column("sku", ValueType::Text),
        column("ticket", ValueType::Integer),
        column("views", ValueType::Integer),
        column("price", ValueType::Decimal),
        column("kind", ValueType::Text),
    ];
    Schema {
        tables: vec![TableInfo { name: "thing".into(), columns, ..TableInfo::default() }],
        ..Schema::default()
    }
}

fn thing(number: usize) -> PageRecord {
    let cells = vec![
        cell(0, &format!("Thing number {number}, très élégant")),
        cell(1, &format!("SKU-{number:04}")),
        typed(2, &format!("#{number}"), &number.to_string()),
        typed(3, &format!("{number} views"), &(number * 7919).to_string()),
        typed(4, &format!("{number}.50"), &format!("{number}.50")),
        cell(5, if number.is_multiple_of(2) { "我喜欢学习中文" } else { "東京の天気" }),
    ];
    let url = format!("https://things.example/{number:03}");
    PageRecord {
        url,
        reference: number.to_string(),
        rows: vec![Row { cells, ..Row::default() }],
        ..Default::default()
    }
}

fn things(numbers: std::ops::Range<usize>) -> Vec<PageRecord> {
    numbers.map(thing).collect()
}

#[test]
fn codes_and_numbers_of_things_are_natural_keys() {
    let (_folder, db) = database(&schema(), &things(1..60));
    assert_eq!(ask(&db, NATURAL), ["sku", "ticket"]);
    let unique = "SELECT name FROM pragma_index_list('thing') WHERE \"unique\" ORDER BY name";
    assert_eq!(ask(&db, unique), ["_unique_thing.sku", "_unique_thing.ticket"]);
    let (_folder, db) = database(&schema(), &things(1..8));
    assert_eq!(ask(&db, NATURAL).len(), 0, "too few to say");
}

#[test]
fn a_natural_key_that_comes_to_an_end_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    write(&path, &schema(), &things(1..60));
    let mut again = thing(70);
    again.rows[0].cells[1] = cell(1, "SKU-0001");
    write(&path, &schema(), &[again]);
    let db = Connection::open(&path).unwrap();
    assert_eq!(ask(&db, "SELECT count(*) FROM thing WHERE sku = 'SKU-0001'"), ["2"]);
    assert_eq!(ask(&db, NATURAL), ["ticket"]);
    assert_eq!(ask(&db, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn words_are_found_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    write(&path, &schema(), &things(1..60));
    let plain = |text: &str| text.replace(MARKS, "");
    let found = search(&path, "elegant 17", None, 5).unwrap();
    assert_eq!(found.tables, ["thing"]);
    let hit = &found.hits[0];
    assert_eq!((hit.table.as_str(), hit.id, hit.column.as_str()), ("thing", 17, "title"));
    assert_eq!(hit.url, "https://things.example/017");
    assert_eq!(plain(&hit.snippet), "Thing number 17, très élégant");
    assert!(hit.snippet.contains(&format!("{}élégant{}", MARKS[0], MARKS[1])), "{:?}", hit.snippet);
    // Words of scripts without spaces, also short ones.
    for (word, text) in [("学习", "我喜欢学习中文"), ("天気", "東京の天気")] {
        let found = search(&path, word, Some("thing"), 100).unwrap().hits;
        assert!(found.len() >= 29, "{word}: {}", found.len());
        assert_eq!(plain(&found[0].snippet), text);
        assert!(
            found[0].snippet.contains(&format!("{}{word}{}", MARKS[0], MARKS[1])),
            "{:?}",
            found[0].snippet
        );
    }
    assert_eq!(search(&path, "\"number 17\"", None, 5).unwrap().hits.len(), 1);
    for nothing in ["17 number nowhere", "\"17 number\"", "", "\"*' -", "title:17 AND"] {
        assert!(search(&path, nothing, None, 5).unwrap().hits.is_empty(), "{nothing}");
    }
    // What comes later is found, what is gone is not.
    let mut changed = thing(17);
    changed.rows[0].cells[0] = cell(0, "Renamed");
    write(&path, &schema(), &[changed]);
    assert!(search(&path, "elegant 17", None, 5).unwrap().hits.is_empty());
    assert_eq!(search(&path, "renamed", None, 5).unwrap().hits[0].id, 17);
    let db = Connection::open(&path).unwrap();
    db.execute("INSERT INTO _search_thing(_search_thing, rank) VALUES ('integrity-check', 0)", []).unwrap();
}

/// What a database, folder or server tells of a row.
pub(crate) fn told(name: &Path, table: &str, row: i64) -> Vec<String> {
    let db = receipts::open(name, table, row).unwrap();
    let sql = format!(
        "SELECT column_name, coalesce(value, ''), copy FROM _cells WHERE table_name = '{table}' AND CAST(row_id AS INTEGER) = {row}
         ORDER BY 1, 2, 3"
    );
    ask(&db, &sql)
}

#[test]
fn files_tell_the_same_of_a_row_as_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let names = [path("site.db"), path("p.parquet/"), path("j.jsonl/"), path("c.csv/")];
    for name in &names {
        write(name, &seen::schema(), &seen::pages());
    }
    for (table, row) in [("product", 2), ("menu", 1), ("category_product", 3)] {
        let want = told(&names[0], table, row);
        assert!(!want.is_empty());
        for name in &names[1..] {
            assert_eq!(told(name, table, row), want, "{} {table}", name.display());
        }
    }
    let db = receipts::open(&names[1], "product", 2).unwrap();
    assert_eq!(ask(&db, "SELECT title FROM product"), ["Product 2"]);
    assert_eq!(
        ask(&db, "SELECT kind, why FROM _tables WHERE name = 'menu'"),
        ["template|the same on every page"]
    );
    assert!(!path("p.parquet/menu.parquet").exists() && path("p.parquet/product.parquet").exists());
    let package = read(path("c.csv/datapackage.json"));
    assert!(!package.contains("\"mark\"") && package.contains("\"price_currency\""), "{package}");
    assert!(receipts::open(folder.path(), "product", 1).is_err());
}
