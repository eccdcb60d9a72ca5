//! What earlier runs wrote and this one does not find any more, or finds under another name.

use crate::common::*;
use rusqlite::Connection;
use unsite_store::Merged;
use unsite_wrapper::{Cell, ColumnInfo, PageRecord, Row, Schema, TableInfo, ValueType};

fn things(columns: Vec<ColumnInfo>) -> Schema {
    Schema {
        tables: vec![TableInfo { name: "thing".into(), columns, ..TableInfo::default() }],
        ..Schema::default()
    }
}

fn thing(number: usize, cells: Vec<Cell>) -> PageRecord {
    PageRecord {
        url: format!("https://t.example/{number}"),
        rows: vec![Row { cells, ..Row::default() }],
        ..PageRecord::default()
    }
}

#[test]
fn a_page_that_is_read_again_has_only_what_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let mut link = column("maker_url", ValueType::Url);
    link.references = Some(0);
    let all = things(vec![column("name", ValueType::Text), column("price", ValueType::Money), link]);
    let full = |number: usize| {
        let price = Cell { beside: Some("EUR".into()), ..typed(1, "5 €", "5") };
        thing(number, vec![cell(0, "a"), price, cell(2, "https://t.example/1")])
    };
    write(&path, &all, &[full(1), full(2)]);
    let db = Connection::open(&path).unwrap();
    db.execute_batch("ALTER TABLE thing ADD COLUMN mine_currency TEXT; UPDATE thing SET mine_currency = 'x'")
        .unwrap();
    let fewer = things(vec![column("name", ValueType::Text)]);
    let merged = write(&path, &fewer, &[thing(2, vec![cell(0, "a")])]).merged;
    assert_eq!(merged, Some(Merged { changed: 1, ..Merged::default() }));
    let read = "SELECT id, name, price, price_currency, maker_url, maker_id, mine_currency FROM thing";
    assert_eq!(ask(&db, read), ["1|a|5.0|EUR|https://t.example/1|1|x", "2|a|NULL|NULL|NULL|NULL|x"]);
    let again = write(&path, &fewer, &[thing(2, vec![cell(0, "a")])]).merged;
    assert_eq!(again, Some(Merged::default()));
}

#[test]
fn a_column_goes_where_its_label_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let labelled =
        |name: &str, label: &str| ColumnInfo { label: Some(label.into()), ..column(name, ValueType::Text) };
    let three =
        things(vec![labelled("price", "Price"), labelled("price", "price"), labelled("price", "PRICE")]);
    write(&path, &three, &[thing(1, vec![cell(0, "a"), cell(1, "b"), cell(2, "c")])]);
    let two = things(vec![labelled("price", "price"), labelled("price", "PRICE")]);
    write(&path, &two, &[thing(2, vec![cell(0, "B"), cell(1, "C")])]);
    write(&path, &things(vec![labelled("price", "Cost")]), &[thing(3, vec![cell(0, "d")])]);
    let db = Connection::open(&path).unwrap();
    assert_eq!(
        ask(&db, "SELECT price, price_2, price_3, price_4 FROM thing ORDER BY id"),
        ["a|b|c|NULL", "NULL|B|C|NULL", "NULL|NULL|NULL|d"]
    );
    let labels = "SELECT column_name, label FROM _columns ORDER BY id";
    assert_eq!(ask(&db, labels), ["price|Price", "price_2|price", "price_3|PRICE", "price_4|Cost"]);
    let cells = "SELECT column_name FROM _cells WHERE value IN ('B', 'C') ORDER BY value";
    assert_eq!(ask(&db, cells), ["price_2", "price_3"]);
}
