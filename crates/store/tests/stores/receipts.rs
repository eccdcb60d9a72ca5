//! What `_cells` says whatever its values stand in: rows, or receipts.

use rusqlite::Connection;
use unsite_store::{Output, Sink};
use unsite_wrapper::{Cell, ColumnInfo, PageRecord, Row, Schema, TableInfo, Typed, ValueType};

use super::common::{ask, meta};

fn schema() -> Schema {
    let column = |name: &str, value_type| ColumnInfo { name: name.into(), value_type, ..Default::default() };
    let thing = TableInfo {
        name: "thing".into(),
        columns: vec![
            column("url", ValueType::Url),
            column("title", ValueType::Text),
            column("price", ValueType::Decimal),
            column("word", ValueType::Text),
        ],
        key: Some(0),
        ..Default::default()
    };
    Schema { tables: vec![thing], ..Default::default() }
}

fn cell(column: usize, value: &str) -> Cell {
    Cell { column, value: value.into(), path: format!("html/p[{column}]"), ..Cell::default() }
}

/// A page that tells of one thing: its own, or a list with a view of it.
fn page(url: &str, thing: &str, is_view: bool, cells: Vec<Cell>) -> PageRecord {
    let rows = vec![Row { cells, key: Some(thing.into()), is_view, ..Row::default() }];
    PageRecord { url: url.into(), reference: url.into(), rows, ..Default::default() }
}

fn write(path: &std::path::Path, pages: &[PageRecord]) {
    let mut sink = Sink::create(&Output::parse(path).unwrap(), &schema(), &meta()).unwrap();
    pages.iter().for_each(|page| sink.page(page).unwrap());
    sink.finish().unwrap();
}

fn told(db: &Connection) -> Vec<String> {
    ask(db, "SELECT ref, row_id, column_name, value, path FROM _cells ORDER BY ref, path, value")
}

#[test]
fn values_are_those_of_the_pages_wherever_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let mut price = cell(2, "12,50 €");
    price.typed = Typed::As("12.5".into());
    let own = page("http://a/1", "http://a/1", false, vec![cell(1, "Tea"), price.clone(), cell(3, "x\0y")]);
    // One list before it in the order of addresses, one behind; one says the same, one something else.
    let before = page("http://a/0", "http://a/1", true, vec![cell(1, "Tea"), cell(1, "Tea, cheap \"q\"\n")]);
    let after = page("http://a/2", "http://a/1", true, vec![cell(1, "Tea…"), cell(3, "x\0y")]);
    write(&path, &[own.clone(), before.clone(), after.clone()]);
    let db = Connection::open(&path).unwrap();
    let all = [
        "http://a/0|1|title|Tea|html/p[1]",
        "http://a/0|1|title|Tea, cheap \"q\"\n|html/p[1]",
        "http://a/1|1|title|Tea|html/p[1]",
        "http://a/1|1|price|12,50 €|html/p[2]",
        "http://a/1|1|word|x\0y|html/p[3]",
        "http://a/2|1|title|Tea…|html/p[1]",
        "http://a/2|1|word|x\0y|html/p[3]",
    ];
    assert_eq!(told(&db), all);
    // What stands in the row is not stored twice.
    let texts = ask(&db, "SELECT coalesce(texts, '') FROM _receipts ORDER BY id");
    assert_eq!(texts, ["Tea, cheap \"q\"\n", "12,50 €", "", "Tea…", ""]);
    drop(db);

    // The thing's own page says something else now: what lists said stays what they said.
    let renamed = page("http://a/1", "http://a/1", false, vec![cell(1, "Green tea"), price]);
    write(&path, &[renamed]);
    let db = Connection::open(&path).unwrap();
    let mut now: Vec<String> = all.map(str::to_owned).into();
    now[2] = "http://a/1|1|title|Green tea|html/p[1]".into();
    now.remove(4);
    assert_eq!(told(&db), now);
    drop(db);

    // Put together in parts or in one go, the values are the same.
    let parts = folder.path().join("parts.db");
    for page in [&after, &own, &before] {
        write(&parts, std::slice::from_ref(page));
    }
    assert_eq!(told(&Connection::open(&parts).unwrap()), all);
}

#[test]
fn rows_with_very_many_values_are_told_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let words: Vec<Cell> = (0..1000).map(|at| cell(3, &format!("word {at}"))).collect();
    write(&path, &[page("http://a/1", "http://a/1", false, words)]);
    let db = Connection::open(&path).unwrap();
    assert_eq!(ask(&db, "SELECT count(DISTINCT value) FROM _cells"), ["1000"]);
    let first = "SELECT value FROM _values ORDER BY id LIMIT 2";
    assert_eq!(ask(&db, first), ["word 0", "word 1"], "in the order of the page");
    assert!(ask(&db, "SELECT max(length(texts)) < 1000 FROM _receipts") == ["1"]);
}
