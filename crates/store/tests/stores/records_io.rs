//! Records in and out: nothing is lost, everything odd is said.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use unsite_store::records_io::{
    RecordsIoError, read_records, read_text_table, write_rows, write_with_column,
};

fn read(folder: &Path, name: &str, content: &[u8]) -> unsite_store::records_io::RecordTable {
    let path = folder.join(name);
    fs::write(&path, content).expect("written");
    read_records(path.to_str().expect("UTF-8")).expect("read")
}

#[test]
fn json_lines_keep_good_records_and_set_bad_lines_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = "\u{feff}{\"id\": 1, \"name\": \"Ann\", \"tags\": [\"a\", 2]}\n\nnot json\n[1]\n{\"id\": \"x\", \"name\": null, \"n\": {\"a\": 1}}";
    let table = read(folder.path(), "a.jsonl", lines.as_bytes());
    assert_eq!(table.rows.len(), 2);
    assert_eq!(table.rejected, ["not json", "[1]"]);
    assert!(table.messages[0].starts_with("line 3: not JSON"), "{:?}", table.messages);
    let value = |row: usize, name: &str| {
        let at = table.fields.iter().position(|f| f == name)?;
        table.rows[row].get(at).cloned().flatten()
    };
    assert_eq!(value(0, "id").as_deref(), Some("1"));
    assert_eq!(value(0, "tags").as_deref(), Some("a; 2"));
    assert_eq!(value(1, "name"), None);
    assert_eq!(value(1, "n").as_deref(), Some("{\"a\":1}"));
    let out = folder.path().join("out.jsonl");
    write_with_column(&out, &table, "cluster", &[4, 5]).expect("written");
    let text = fs::read_to_string(out).expect("there");
    assert!(
        text.starts_with("{\"id\": 1, \"name\": \"Ann\", \"tags\": [\"a\", 2], \"cluster\": 4}\n"),
        "{text}"
    );
}

#[test]
fn an_old_answer_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = read(folder.path(), "a.jsonl", b"{\"cluster\": \"old\", \"a\": \"x}\"}\n{}\n");
    let out = folder.path().join("out.jsonl");
    write_with_column(&out, &table, "cluster", &[0, 1]).expect("written");
    let again = read_records(out.to_str().expect("UTF-8")).expect("read");
    let at = again.fields.iter().position(|f| f == "cluster").expect("a column");
    assert_eq!(again.rows[0][at].as_deref(), Some("0"));
    assert_eq!(again.rows[1][at].as_deref(), Some("1"));
    assert_eq!(again.rows[0].iter().flatten().filter(|v| *v == "x}").count(), 1);
}

#[test]
fn ragged_csv_keeps_every_cell() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = read(folder.path(), "a.csv", b"name,name,\nx,y,z,w\nonly\n\"a\nb\",\xff,\n");
    assert_eq!(table.fields, ["name", "name_", "column_3", "column_4"]);
    assert_eq!(table.rows[0].iter().flatten().count(), 4);
    assert_eq!(table.rows[2][0].as_deref(), Some("a\nb"));
    assert_eq!(table.messages.len(), 2, "{:?}", table.messages);
    let out = folder.path().join("out.csv");
    write_with_column(&out, &table, "cluster", &[1, 2, 3]).expect("written");
    assert_eq!(read_text_table(&out).expect("read")[2], ["only", "", "", "", "2"]);
}

#[test]
fn empty_and_missing_files_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(read(folder.path(), "a.jsonl", b"").rows.is_empty());
    assert!(read(folder.path(), "a.csv", b"").rows.is_empty());
    assert!(matches!(read_records("nowhere.csv"), Err(RecordsIoError::Missing(_))));
    let odd = folder.path().join("a.doc");
    fs::write(&odd, "x").expect("written");
    assert!(matches!(read_records(odd.to_str().expect("UTF-8")), Err(RecordsIoError::UnknownKind(_))));
}

#[test]
fn tables_of_a_database_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let db = rusqlite::Connection::open(&path).expect("a database");
    db.execute_batch("CREATE TABLE book (id INTEGER, title TEXT, price REAL); INSERT INTO book VALUES (1, 'A', 2.5), (2, NULL, 3)")
        .expect("filled");
    let name = path.to_str().expect("UTF-8");
    let table = read_records(&format!("{name}:book")).expect("read");
    assert_eq!(table.fields, ["id", "title", "price"]);
    assert_eq!(table.rows[0], [Some("1".into()), Some("A".into()), Some("2.5".into())]);
    assert_eq!(table.rows[1][1], None);
    for (asked, said) in [(format!("{name}:nothing"), "book"), (name.to_owned(), "which table")] {
        let error = read_records(&asked).expect_err("refused").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn parquet_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let schema = parse_message_type("message r { OPTIONAL BYTE_ARRAY name (UTF8); REQUIRED INT32 age; }")
        .expect("a schema");
    let file = fs::File::create(&path).expect("a file");
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group.next_column().expect("a column").expect("there");
    column
        .typed::<ByteArrayType>()
        .write_batch(&[ByteArray::from("Ann")], Some(&[1, 0]), None)
        .expect("written");
    column.close().expect("closed");
    let mut column = group.next_column().expect("a column").expect("there");
    column.typed::<Int32Type>().write_batch(&[7, 8], None, None).expect("written");
    column.close().expect("closed");
    group.close().expect("closed");
    writer.close().expect("closed");
    let table = read_records(path.to_str().expect("UTF-8")).expect("read");
    assert_eq!(table.fields, ["name", "age"]);
    assert_eq!(table.rows, [vec![Some("Ann".to_owned()), Some("7".into())], vec![None, Some("8".into())]]);
}

#[test]
fn writing_replaces_whole_files_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.csv");
    write_rows(&out, &[vec!["a".into()], vec!["1".into()]]).expect("written");
    assert_eq!(fs::read_to_string(&out).expect("there"), "a\n1\n");
    assert!(write_rows(&folder.path().join("none/out.csv"), &[]).is_err());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
