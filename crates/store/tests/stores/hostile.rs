//! Names and values that a site may have and that must do no harm.

use crate::common::*;
use unsite_dom::ProblemKind;
use unsite_store::{Output, Sink, StoreError};
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

fn one_table(name: &str, columns: &[&str]) -> Schema {
    let columns = columns.iter().map(|c| column(c, ValueType::Text)).collect();
    Schema {
        tables: vec![TableInfo { name: name.into(), columns, ..Default::default() }],
        ..Default::default()
    }
}

fn one_row(cells: Vec<unsite_wrapper::Cell>) -> PageRecord {
    PageRecord { rows: vec![Row { cells, ..Default::default() }], ..Default::default() }
}

#[test]
fn hostile_names_are_made_safe_and_stay_in_step() {
    let names = [
        "order",
        "ID",
        "page_id",
        "2nd",
        "",
        "a\"b",
        "A B",
        "a_b",
        "_x",
        "sqlite_y",
        "größe",
        "'; DROP TABLE _pages",
        "name",
    ];
    let mut schema = one_table("select", &names);
    for name in ["Select", "_pages", "sqlite_master", "", "a.b/../c", "x\0y", &"long".repeat(10_000)] {
        schema.tables.push(TableInfo { name: name.into(), ..Default::default() });
    }
    let cells = (0..names.len()).map(|i| cell(i, names[i])).collect();
    let (_folder, db) = database(&schema, &[one_row(cells)]);
    let tables =
        ask(&db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'");
    let long = "long".repeat(13);
    let want = ["select_", "Select__2", "pages", "table_sqlite_master", "unnamed", "a_b_c", "x_y", &long];
    assert_eq!(tables, want);
    let columns = ask(&db, "SELECT name FROM pragma_table_info('select_')");
    assert_eq!(columns[..2], ["id", "page_id"]);
    assert_eq!(columns.last().unwrap(), "name");
    // Every cell is found again under the name that `_cells` gives, without quotes.
    for line in ask(&db, "SELECT table_name, column_name, value FROM _cells") {
        let [table, column, value] = line.splitn(3, '|').collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(ask(&db, &format!("SELECT {column} FROM {table}")), [value]);
    }
}

#[test]
fn hostile_values_come_back_as_they_are() {
    let long = "x😀".repeat(2 << 20);
    let values =
        ["", "'", "\"quoted\", and\r\nbroken", "😀\u{202e}\u{feff}", "=1+1", "NULL", "1e5", "007", &long];
    let columns: Vec<String> = (0..values.len()).map(|i| format!("c{i}")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let cells = values.iter().enumerate().map(|(i, v)| cell(i, v)).collect();
    let (_folder, db) = database(&one_table("t", &columns), &[one_row(cells)]);
    let mut cells = db.prepare("SELECT value FROM _cells ORDER BY column_name").unwrap();
    let got: Vec<String> = cells.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(got == values);
    for (column, value) in columns.iter().zip(values) {
        assert!(ask(&db, &format!("SELECT {column} FROM t")) == [value], "{column}");
    }
}

#[test]
fn a_nul_is_kept() {
    let page = PageRecord { url: "a\0b".into(), reference: "\0".into(), ..one_row(vec![cell(0, "c\0d")]) };
    let (_folder, db) = database(&one_table("t", &["x"]), &[page]);
    assert_eq!(ask(&db, "SELECT ref, url, value FROM _cells"), ["\0|a\0b|c\0d"]);
    assert_eq!(ask(&db, "SELECT x FROM t"), ["c\0d"]);
}

#[test]
fn a_text_that_sqlite_would_make_a_number_of_is_left_to_the_cells() {
    let mut schema = one_table("t", &["whole", "part"]);
    schema.tables[0].columns[0].value_type = ValueType::Integer;
    schema.tables[0].columns[1].value_type = ValueType::Decimal;
    let (_folder, db) = database(&schema, &[one_row(vec![cell(0, "007"), cell(1, "1.50")])]);
    assert_eq!(ask(&db, "SELECT whole, part FROM t"), ["NULL|NULL"]);
    assert_eq!(ask(&db, "SELECT value FROM _cells ORDER BY column_name"), ["1.50", "007"]);
}

#[test]
fn numbers_that_are_none_stay_text() {
    let mut schema = one_table("t", &["whole", "part", "huge", "word"]);
    schema.tables[0].columns[0].value_type = ValueType::Integer;
    for column in 1..4 {
        schema.tables[0].columns[column].value_type = ValueType::Decimal;
    }
    let cells =
        vec![cell(0, "sold out"), typed(1, "1,5", "1.5"), typed(2, "1e999", "1e999"), typed(3, "inf", "inf")];
    let page = PageRecord { index_score: f64::NAN, ..one_row(cells) };
    let (_folder, db) = database(&schema, &[page]);
    assert_eq!(ask(&db, "SELECT whole, part, word, typeof(word) FROM t"), ["sold out|1.5|inf|text"]);
    assert_eq!(ask(&db, "SELECT value FROM _cells WHERE column_name = 'huge'"), ["1e999"]);
    assert_eq!(ask(&db, "SELECT index_score FROM _pages"), ["NULL"]);
}

#[test]
fn thousands_of_columns_go_on_in_another_table() {
    let names: Vec<String> = (0..5000).map(|i| format!("c{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut schema = one_table("wide", &names);
    schema.tables[0].columns[4000].references = Some(0);
    let far = one_row(vec![cell(0, "first"), cell(4000, "https://a/"), cell(4999, "last")]);
    let near = PageRecord { url: "https://a/".into(), ..one_row(vec![cell(1, "near")]) };
    let (_folder, db) = database(&schema, &[far, near]);
    assert_eq!(ask(&db, "SELECT count(*) FROM wide"), ["2"]);
    assert_eq!(ask(&db, "SELECT id, c4000, c4000_id, c4999 FROM wide_more_2"), ["1|https://a/|2|last"]);
    let cells = ask(&db, "SELECT table_name, row_id, column_name FROM _cells WHERE value = 'last'");
    assert_eq!(cells, ["wide_more_2|1|c4999"]);
    let problems = ask(&db, "SELECT kind, message FROM _problems");
    assert!(
        problems.len() == 1 && problems[0].contains("limit|") && problems[0].contains("wide_more_2"),
        "{problems:?}"
    );
    assert!(ask(&db, "PRAGMA foreign_key_check").is_empty());
}

#[test]
fn equal_page_type_names_are_told_apart() {
    let mut schema = bookshop_schema();
    schema.page_types[1].name = "book".into();
    let (_folder, db) = database(&schema, &[book(1), author(1)]);
    assert_eq!(ask(&db, "SELECT name, pages FROM _page_types ORDER BY rowid"), ["book|1", "book_2|1"]);
    assert!(ask(&db, "PRAGMA foreign_key_check").is_empty());
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("folder.db")).unwrap();
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    for (name, reason) in
        [("missing/site.db", "create it first"), ("folder.db", "is a folder"), ("file/site.db", "no folder")]
    {
        let out = Output::parse(folder.path().join(name)).unwrap();
        let error = Sink::create(&out, &bookshop_schema(), &meta()).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains(name), "{error}");
    }
    assert_eq!(names(folder.path()), ["file", "folder.db"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files_is_named() {
    let out = Output::parse("/proc/site.db").unwrap();
    let error = Sink::create(&out, &bookshop_schema(), &meta()).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }) && error.to_string().contains("/proc"), "{error}");
}

#[test]
fn a_problem_may_say_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let mut sink = Sink::create(&Output::parse(&path).unwrap(), &Schema::default(), &meta()).unwrap();
    let mut odd = problem(ProblemKind::Unreadable, "'\0\"", "💥\n");
    odd.offset = Some(u64::MAX);
    sink.problem(&odd).unwrap();
    sink.finish().unwrap();
    let db = rusqlite::Connection::open(path).unwrap();
    assert_eq!(ask(&db, "SELECT ref, offset FROM _problems"), [format!("'\0\"|{}", i64::MAX)]);
}
