//! Which files are written, and that what stood there before is replaced whole or not at all.

use std::fs;

use crate::common::*;
use unsite_store::{Output, Sink};
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

fn one_table() -> Schema {
    let columns = vec![column("name", ValueType::Text), column("price", ValueType::Decimal)];
    Schema {
        tables: vec![TableInfo { name: "item".into(), columns, ..Default::default() }],
        ..Default::default()
    }
}

fn item(name: &str, price: &str) -> PageRecord {
    let cells = vec![cell(0, name), typed(1, price, price)];
    let rows = vec![Row { cells, ..Default::default() }, Row::default()];
    PageRecord { url: "https://shop.example/".into(), reference: name.into(), rows, ..Default::default() }
}

/// The names in the folder of an output: a file of rows has its descriptor beside it.
fn with_descriptor(name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    if !name.ends_with(".db") {
        names.push(format!("{name}.datapackage.json"));
    }
    names
}

#[test]
fn an_unfinished_run_leaves_the_old_output_whole() {
    for name in ["site.db", "site.csv", "site.jsonl", "site.parquet"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        write(&path, &one_table(), &[item("old", "1")]);
        let before = fs::read(&path).unwrap();
        let mut sink = Sink::create(&Output::parse(&path).unwrap(), &one_table(), &meta()).unwrap();
        for number in 0..2000 {
            sink.page(&item(&format!("new {number}"), "2")).unwrap();
        }
        assert!(fs::read(&path).unwrap() == before, "{name} changed before the end");
        drop(sink);
        assert!(fs::read(&path).unwrap() == before, "{name} changed by an unfinished run");
        assert_eq!(names(folder.path()), with_descriptor(name), "temporary files are gone");
        write(&path, &one_table(), &[item("new", "2")]);
        assert!(fs::read(&path).unwrap() != before);
        assert_eq!(names(folder.path()), with_descriptor(name));
    }
}

#[test]
fn a_reader_sees_the_old_database_and_then_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    write(&path, &one_table(), &[item("old", "1")]);
    let reader = rusqlite::Connection::open(&path).unwrap();
    assert_eq!(ask(&reader, "SELECT name FROM item WHERE name IS NOT NULL"), ["old"]);
    write(&path, &one_table(), &[item("new", "2")]);
    assert_eq!(ask(&reader, "SELECT name FROM item WHERE name IS NOT NULL"), ["new"]);
    // One that is replaced stays whole for whoever reads it.
    let out = Output::parse(&path).unwrap().replace(true);
    Sink::create(&out, &one_table(), &meta()).unwrap().finish().unwrap();
    assert_eq!(ask(&reader, "SELECT name FROM item WHERE name IS NOT NULL"), ["new"]);
}

#[test]
fn the_journal_of_the_old_database_does_not_reach_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    fs::write(folder.path().join("site.db-wal"), "stale").unwrap();
    fs::write(folder.path().join("site.db-journal"), "stale").unwrap();
    write(&path, &one_table(), &[item("new", "2")]);
    assert_eq!(names(folder.path()), ["site.db"]);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real.db");
    write(&real, &one_table(), &[]);
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write(&link, &one_table(), &[item("new", "2")]);
    assert!(link.is_symlink());
    let db = rusqlite::Connection::open(&real).unwrap();
    assert_eq!(ask(&db, "SELECT count(*) FROM item"), ["2"]);
}

#[test]
fn csv_of_one_table_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let pages = [item("a \"b\", c\nd", "-1.5"), item("=cmd()", "2"), item("-7", "3")];
    let summary = write(&path, &one_table(), &pages);
    assert_eq!(names(folder.path()), with_descriptor("out.csv"));
    assert!(summary.path.ends_with("out.csv"));
    let want = "id,page_id,name,price\r\n1,1,-7,3.0\r\n2,1,,\r\n3,2,=cmd(),2.0\r\n4,2,,\r\n\
                5,3,\"a \"\"b\"\", c\nd\",-1.5\r\n6,3,,\r\n";
    assert_eq!(read(&path), want);
    let out = Output::parse(&path).unwrap().guard_formulas(true);
    let mut sink = Sink::create(&out, &one_table(), &meta()).unwrap();
    pages.iter().for_each(|p| sink.page(p).unwrap());
    sink.finish().unwrap();
    assert_eq!(read(&path), want.replace(",=cmd()", ",'=cmd()"));
}

#[test]
fn json_lines_keep_types_and_column_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    write(&path, &one_table(), &[item("\"q\"\n😀", "1e3")]);
    let want = "{\"id\":1,\"page_id\":1,\"name\":\"\\\"q\\\"\\n😀\",\"price\":1000.0}\n\
                {\"id\":2,\"page_id\":1,\"name\":null,\"price\":null}\n";
    assert_eq!(read(&path), want);
}

#[test]
fn several_tables_make_a_folder() {
    for (name, folder_name, ending) in [
        ("out.csv", "out", "csv"),
        ("out.jsonl", "out", "jsonl"),
        ("dir/", "dir", "csv"),
        ("dir.jsonl/", "dir.jsonl", "jsonl"),
    ] {
        let parent = tempfile::tempdir().unwrap();
        let summary = write(&parent.path().join(name), &bookshop_schema(), &bookshop_pages());
        assert_eq!(names(parent.path()), [folder_name]);
        let folder = parent.path().join(folder_name);
        assert_eq!(summary.path.canonicalize().unwrap(), folder.canonicalize().unwrap());
        let mut want = vec![".unsite-files".to_owned()];
        let own = ["_cells", "_columns", "_meta", "_page_types", "_pages", "_problems", "_tables"];
        want.extend(own.iter().chain(&["author", "book", "review"]).map(|table| format!("{table}.{ending}")));
        want.push("datapackage.json".to_owned());
        want.sort();
        assert_eq!(names(&folder), want);
        let lines = |table: &str| read(folder.join(format!("{table}.{ending}"))).lines().count();
        let header = usize::from(ending == "csv");
        assert_eq!((lines("book"), lines("_pages")), (12 + header, 15 + header));
        assert_eq!(lines("_cells") as u64, summary.cells + header as u64);
    }
}

#[test]
fn a_folder_is_replaced_only_if_it_is_from_here() {
    let parent = tempfile::tempdir().unwrap();
    let out = parent.path().join("dir/");
    write(&out, &bookshop_schema(), &bookshop_pages());
    write(&out, &one_table(), &[item("new", "2")]);
    assert!(!names(&out).contains(&"book.csv".to_owned()), "tables of the earlier run are gone");
    fs::write(out.join("notes.csv"), "mine").unwrap();
    let error = Sink::create(&Output::parse(&out).unwrap(), &one_table(), &meta()).unwrap_err().to_string();
    assert!(error.contains("notes.csv"), "{error}");
    assert_eq!(read(out.join("notes.csv")), "mine");
    assert!(read(out.join("item.csv")).contains("new"));
}

#[cfg(unix)]
#[test]
fn permissions_are_those_of_the_umask_or_of_the_old_file() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    for name in ["site.db", "site.csv", "site.jsonl", "site.parquet"] {
        let path = folder.path().join(name);
        write(&path, &one_table(), &[item("a", "1")]);
        assert_eq!(mode(&path), mode(&plain), "{name}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, &one_table(), &[item("b", "1")]);
        assert_eq!(mode(&path), 0o640, "{name}");
    }
    write(&folder.path().join("dir/"), &bookshop_schema(), &bookshop_pages());
    assert_eq!(mode(&folder.path().join("dir/book.csv")), mode(&plain));
    let plain_folder = folder.path().join("plain_folder");
    fs::create_dir(&plain_folder).unwrap();
    assert_eq!(mode(&folder.path().join("dir")), mode(&plain_folder));
    let records = folder.path().join("records.csv");
    unsite_store::records_io::write_rows(&records, &[vec!["a".into()]]).unwrap();
    assert_eq!(mode(&records), mode(&plain));
}

#[test]
fn an_empty_folder_and_no_tables() {
    let parent = tempfile::tempdir().unwrap();
    let out = parent.path().join("dir/");
    fs::create_dir(&out).unwrap();
    write(&out, &Schema::default(), &[]);
    assert_eq!(
        read(out.join("_pages.csv")),
        "id,url,ref,page_type,role,index_score,problems,captured,latest\r\n"
    );
    let error =
        Sink::create(&Output::parse(parent.path().join("x.csv")).unwrap(), &Schema::default(), &meta());
    assert!(error.is_ok());
}

/// Texts that look like numbers and are none of their column's type.
fn misfits() -> (Schema, PageRecord) {
    let columns = vec![column("count", ValueType::Integer), column("size", ValueType::Decimal)];
    let table = TableInfo { name: "item".into(), columns, ..Default::default() };
    let row =
        |count: &str, size: &str| Row { cells: vec![cell(0, count), cell(1, size)], ..Default::default() };
    let mut rows = vec![row("12345678901234567890", "1e400"), row("007", "sold out")];
    rows.push(Row { cells: vec![typed(0, "1 200", "1200"), typed(1, "2,50", "2.5")], ..Default::default() });
    let schema = Schema { tables: vec![table], ..Default::default() };
    (schema, PageRecord { rows, ..Default::default() })
}

#[test]
fn files_hold_what_is_not_of_its_type_as_it_stands() {
    let (schema, page) = misfits();
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("out.csv", "out.csv"), ("dir.csv/", "dir.csv/item.csv")] {
        write(&folder.path().join(name), &schema, std::slice::from_ref(&page));
        let want =
            "id,page_id,count,size\r\n1,1,12345678901234567890,1e400\r\n2,1,007,sold out\r\n3,1,1200,2.5\r\n";
        assert_eq!(read(folder.path().join(file)), want, "{name}");
    }
    for (name, file) in [("out.jsonl", "out.jsonl"), ("dir.jsonl/", "dir.jsonl/item.jsonl")] {
        write(&folder.path().join(name), &schema, std::slice::from_ref(&page));
        let text = read(folder.path().join(file));
        assert!(text.contains("\"count\":\"12345678901234567890\",\"size\":\"1e400\""), "{text}");
        assert!(text.contains("\"count\":\"007\"") && text.contains("\"count\":1200,\"size\":2.5"), "{text}");
    }
    let left_out = write(&folder.path().join("out.parquet"), &schema, &[page]).left_out;
    assert_eq!(left_out, 4, "of six values two are numbers");
}

#[test]
fn a_file_of_others_is_not_replaced_unless_it_is_asked_for() {
    for name in ["site.csv", "site.jsonl", "site.parquet"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "hello").unwrap();
        let out = Output::parse(&path).unwrap();
        let error = Sink::create(&out, &one_table(), &meta()).unwrap_err().to_string();
        assert!(error.contains("not from here") && error.contains("--replace"), "{error}");
        assert_eq!(read(&path), "hello");
        Sink::create(&out.clone().replace(true), &one_table(), &meta()).unwrap().finish().unwrap();
        // Now it is from here.
        Sink::create(&out, &one_table(), &meta()).unwrap().finish().unwrap();
    }
}

#[test]
fn a_folder_of_another_format_is_not_replaced_unless_it_is_asked_for() {
    let parent = tempfile::tempdir().unwrap();
    let out = |name: &str| Output::parse(parent.path().join(name)).unwrap();
    write(&parent.path().join("site.csv"), &bookshop_schema(), &bookshop_pages());
    let refused = Sink::create(&out("site.jsonl"), &bookshop_schema(), &meta()).unwrap_err().to_string();
    assert!(refused.contains(".csv") && refused.contains("site.jsonl/"), "{refused}");
    assert!(names(&parent.path().join("site")).contains(&"book.csv".to_owned()));
    write(&parent.path().join("site.csv"), &bookshop_schema(), &bookshop_pages());
    let sink = Sink::create(&out("site.jsonl").replace(true), &bookshop_schema(), &meta()).unwrap();
    sink.finish().unwrap();
    assert!(!names(&parent.path().join("site")).contains(&"book.csv".to_owned()));
}

#[test]
fn what_an_earlier_run_left_beside_the_output_is_told() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("site.csv");
    assert_eq!(write(&path, &one_table(), &[item("a", "1")]).stale, None);
    assert_eq!(write(&path, &bookshop_schema(), &bookshop_pages()).stale, Some(path.clone()));
    assert_eq!(write(&path, &one_table(), &[item("b", "1")]).stale, Some(parent.path().join("site")));
}
