//! Whatever names and values a site has, every file holds them exactly.

use std::path::Path;

use crate::common::*;
use proptest::prelude::*;
use rusqlite::Connection;
use serde_json::Value;
use unsite_store::records_io::read_records;
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

/// Values by row and column; `None` where a row has nothing.
type Values = Vec<Vec<Option<String>>>;

/// Pieces that break things, glued together, and anything else.
fn text() -> impl Strategy<Value = String> {
    let hostile = prop::sample::select(vec![
        "\0",
        "\"",
        "'",
        "\\",
        "\\N",
        "\r",
        "\n",
        "\t",
        ",",
        ";",
        "=cmd|' /C calc'!A0",
        "@SUM(A1)",
        "😀",
        "\u{202e}",
        "\u{feff}",
        "␀",
        "␀0",
        "NULL",
        "null",
        "\\.",
        "a",
        " ",
        "--",
        "\u{7f}",
        "%s",
        "0",
        "-1",
    ]);
    prop_oneof![
        prop::collection::vec(hostile, 0..5).prop_map(|parts| parts.concat()),
        any::<String>(),
        "[A-Za-z_ ]{1,80}",
    ]
}

fn name() -> impl Strategy<Value = String> {
    let reserved = prop::sample::select(vec![
        "select", "SELECT", "Order", "user", "id", "ID", "page_id", "ctid", "xmin", "sqlite_x", "_pages",
        "t", "T",
    ]);
    prop_oneof![reserved.prop_map(str::to_owned), text()]
}

/// Names of a table and its columns, and rows of them.
fn table() -> impl Strategy<Value = (String, Vec<String>, Values)> {
    (name(), prop::collection::vec(name(), 1..6)).prop_flat_map(|(table, columns)| {
        let row = prop::collection::vec(prop::option::of(text()), columns.len());
        (Just(table), Just(columns), prop::collection::vec(row, 1..5))
    })
}

fn site(table: &str, columns: &[String], values: &Values) -> (Schema, Vec<PageRecord>) {
    let columns = columns.iter().map(|name| column(name, ValueType::Text)).collect();
    let table = TableInfo { name: table.into(), columns, ..Default::default() };
    let page = |(at, row): (usize, &Vec<Option<String>>)| {
        let cells = row.iter().enumerate().filter_map(|(at, text)| Some(cell(at, text.as_ref()?))).collect();
        let rows = vec![Row { cells, ..Default::default() }];
        PageRecord { url: format!("u{at}"), rows, ..Default::default() }
    };
    let schema = Schema { tables: vec![table], ..Default::default() };
    (schema, values.iter().enumerate().map(page).collect())
}

/// The rows of a file without `id` and `page_id`.
fn from_csv(path: &Path) -> Vec<Vec<String>> {
    let rows = unsite_store::records_io::read_text_table(path).unwrap();
    rows[1..].iter().map(|row| row[2..].to_vec()).collect()
}

fn from_json(path: &Path, columns: &[String]) -> Values {
    let line = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        columns.iter().map(|name| object[name].as_str().map(str::to_owned)).collect()
    };
    read(path).lines().map(line).collect()
}

fn from_parquet(path: &Path, columns: &[String]) -> Values {
    let table = read_records(path.to_str().unwrap()).unwrap();
    let row = |row: &Vec<Option<String>>| {
        let value = |name: &String| {
            let at = table.fields.iter().position(|field| field == name)?;
            row.get(at).cloned().flatten()
        };
        columns.iter().map(value).collect()
    };
    table.rows.iter().map(row).collect()
}

fn from_sqlite(db: &Connection, table: &str, columns: &[String]) -> Values {
    // Names need no quotes.
    let mut query = db.prepare(&format!("SELECT {} FROM {table} ORDER BY id", columns.join(", "))).unwrap();
    let row = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|at| row.get(at)).collect();
    query.query_map([], row).unwrap().map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_file_holds_names_and_values((table, columns, values) in table()) {
        let (schema, pages) = site(&table, &columns, &values);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let summary = write(&path("a.db"), &schema, &pages);
        let (table, names) = (&summary.tables[0].name, &summary.tables[0].columns);
        prop_assert!(names.iter().chain([table]).all(|name| name.len() <= 63));
        let db = Connection::open(path("a.db")).unwrap();
        prop_assert_eq!(&from_sqlite(&db, table, names), &values);
        prop_assert_eq!(
            ask(&db, "SELECT original_name FROM _columns ORDER BY id").join("\u{1}"), columns.join("\u{1}"));
        write(&path("a.jsonl"), &schema, &pages);
        prop_assert_eq!(&from_json(&path("a.jsonl"), names), &values);
        write(&path("a.parquet"), &schema, &pages);
        prop_assert_eq!(&from_parquet(&path("a.parquet"), names), &values);
        write(&path("a.csv"), &schema, &pages);
        let as_text: Vec<Vec<String>> =
            values.iter().map(|row| row.iter().map(|v| v.clone().unwrap_or_default()).collect()).collect();
        prop_assert_eq!(from_csv(&path("a.csv")), as_text);
        // Once more changes nothing.
        let merged = write(&path("a.db"), &schema, &pages).merged;
        prop_assert_eq!(merged, Some(unsite_store::Merged::default()));
        let db = Connection::open(path("a.db")).unwrap();
        prop_assert_eq!(&from_sqlite(&db, table, names), &values);
    }
}

#[test]
fn ten_megabytes_of_text_in_every_file() {
    let long = "=\"\0😀\r\n".repeat((10 << 20) / 9);
    let values = vec![vec![Some(long), Some("after it".to_owned())]];
    let columns = ["long".to_owned(), "short".to_owned()];
    let (schema, pages) = site("t", &columns, &values);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.db", "a.csv", "a.jsonl", "a.parquet"] {
        write(&path(name), &schema, &pages);
    }
    assert!(from_sqlite(&Connection::open(path("a.db")).unwrap(), "t", &columns) == values);
    assert!(from_json(&path("a.jsonl"), &columns) == values);
    assert!(from_parquet(&path("a.parquet"), &columns) == values);
    let from_csv: Values =
        from_csv(&path("a.csv")).into_iter().map(|row| row.into_iter().map(Some).collect()).collect();
    assert!(from_csv == values);
}

/// A NULL is nothing, an empty text a pair of quotes: programs that know the difference see it.
#[test]
fn csv_tells_an_empty_text_from_none() {
    let (schema, pages) = site("t", &["a".into(), "b".into()], &vec![vec![Some(String::new()), None]]);
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("a.csv"), &schema, &pages);
    assert_eq!(read(folder.path().join("a.csv")), "id,page_id,a,b\r\n1,1,\"\",\r\n");
}
