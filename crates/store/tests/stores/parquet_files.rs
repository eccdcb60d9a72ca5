//! Parquet files hold types, links between tables, and exactly what was there.

use std::path::Path;
use std::process::Command;

use crate::common::*;
use parquet::basic::{LogicalType, Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use unsite_store::records_io::read_records;
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

fn bookshop(folder: &Path) -> std::path::PathBuf {
    let out = folder.join("site.parquet/");
    let mut pages = bookshop_pages();
    pages[0].rows[0].cells[2] = cell(2, "sold out");
    pages[0].rows[0].cells[3] = typed(3, "30 February 2021", "2021-02-30");
    write(&out, &bookshop_schema(), &pages);
    out
}

#[test]
fn columns_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let out = bookshop(folder.path());
    let file = std::fs::File::open(out.join("book.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let types: Vec<_> = schema
        .columns()
        .iter()
        .map(|c| (c.name().to_owned(), c.physical_type(), c.logical_type_ref().cloned()))
        .collect();
    let text = Some(LogicalType::String);
    let want = [
        ("id", Type::INT64, None),
        ("page_id", Type::INT64, None),
        ("title", Type::BYTE_ARRAY, text.clone()),
        ("price", Type::DOUBLE, None),
        ("stock", Type::INT64, None),
        ("published", Type::INT32, Some(LogicalType::Date)),
        ("author_url", Type::BYTE_ARRAY, text),
        ("author_id", Type::INT64, None),
    ];
    assert_eq!(types, want.map(|(name, physical, logical)| (name.to_owned(), physical, logical)));
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 12);
    let first: Vec<Field> = rows[1].get_column_iter().map(|(_, value)| value.clone()).collect();
    assert_eq!(first[3], Field::Double(1299.5));
    assert_eq!(first[5], Field::Date(18_383));
    let odd: Vec<Field> = rows[0].get_column_iter().map(|(_, value)| value.clone()).collect();
    assert_eq!((&odd[4], &odd[5]), (&Field::Null, &Field::Null), "not of the type of their columns");
    let cells = read_records(out.join("_cells.parquet").to_str().unwrap()).unwrap();
    let has = |value: &str| cells.rows.iter().flatten().flatten().any(|v| v == value);
    assert!(has("sold out") && has("30 February 2021"));
}

#[test]
fn lists_are_linked_tables() {
    let folder = tempfile::tempdir().unwrap();
    let out = bookshop(folder.path());
    let read = |table: &str| read_records(out.join(format!("{table}.parquet")).to_str().unwrap()).unwrap();
    let (books, reviews) = (read("book"), read("review"));
    let at = |table: &unsite_store::records_io::RecordTable, name: &str| {
        table.fields.iter().position(|field| field == name).unwrap()
    };
    let (book_id, id) = (at(&reviews, "book_id"), at(&books, "id"));
    assert_eq!(reviews.rows.len(), 18);
    for review in &reviews.rows {
        assert!(books.rows.iter().any(|book| book[id] == review[book_id]));
    }
}

#[test]
fn many_rows_and_long_texts_make_several_groups() {
    let columns = vec![column("text", ValueType::Text)];
    let schema = Schema {
        tables: vec![TableInfo { name: "t".into(), columns, ..Default::default() }],
        ..Default::default()
    };
    let long = "x\0😀".repeat(10 << 20 >> 3);
    let row = |text: &str| Row { cells: vec![cell(0, text)], ..Default::default() };
    let page = |at: usize| PageRecord {
        url: format!("u{at:02}"),
        rows: (0..20_000).map(|n| row(&n.to_string())).chain([row(&long)]).collect(),
        ..Default::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t.parquet");
    let summary = write(&out, &schema, &(0..8).map(page).collect::<Vec<_>>());
    assert_eq!((summary.rows, summary.left_out), (160_008, 0));
    let reader = SerializedFileReader::new(std::fs::File::open(&out).unwrap()).unwrap();
    assert!(reader.num_row_groups() > 1);
    let table = read_records(out.to_str().unwrap()).unwrap();
    assert_eq!(table.rows.len(), 160_008);
    assert!(table.rows[20_000][2].as_deref() == Some(&long));
}

#[test]
fn what_a_lone_file_cannot_hold_is_counted() {
    let mut schema = bookshop_schema();
    schema.tables.truncate(1);
    schema.tables[0].columns[4].references = None;
    let mut page = book(0);
    page.rows[0].cells[2] = cell(2, "sold out");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(write(&folder.path().join("a.parquet"), &schema, std::slice::from_ref(&page)).left_out, 1);
    assert_eq!(write(&folder.path().join("a.csv"), &schema, std::slice::from_ref(&page)).left_out, 0);
    assert_eq!(write(&folder.path().join("b.parquet/"), &schema, &[page]).left_out, 0);
}

/// The venv that `make test` makes below the target folder, if it could.
fn python() -> Option<std::path::PathBuf> {
    let python = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("python/bin/python");
    python.is_file().then_some(python)
}

#[test]
#[allow(clippy::print_stderr)]
fn pyarrow_reads_the_same() {
    let has_pyarrow = |python: &Path| {
        Command::new(python).args(["-c", "import pyarrow.parquet"]).output().is_ok_and(|o| o.status.success())
    };
    let Some(python) = python().filter(|python| has_pyarrow(python)) else {
        eprintln!("skipped: no Python with pyarrow in target/python");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = bookshop(folder.path());
    let script = "
import pyarrow.parquet as pq, sys
book = pq.read_table(sys.argv[1] + '/book.parquet')
print([str(f.type) for f in book.schema])
print(book.slice(0, 2).to_pylist())
print(pq.read_table(sys.argv[1] + '/review.parquet').num_rows)
";
    let output = Command::new(python).args(["-c", script]).arg(&out).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let want = "['int64', 'int64', 'string', 'double', 'int64', 'date32[day]', 'string', 'int64']\n\
        [{'id': 1, 'page_id': 4, 'title': 'Book 0', 'price': 299.5, 'stock': None, 'published': None, \
        'author_url': 'https://shop.example/author/0#top', 'author_id': 1}, \
        {'id': 2, 'page_id': 5, 'title': 'Book 1', 'price': 1299.5, 'stock': 7, \
        'published': datetime.date(2020, 5, 1), 'author_url': 'https://shop.example/author/1#top', 'author_id': 2}]\n18\n";
    assert_eq!(said, want);
}
