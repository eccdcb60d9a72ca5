//! Gold sites and databases made by hand.

use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A page of `_pages`: ref, page type, index score.
pub(crate) type PageRow = (String, Option<String>, Option<f64>);
/// A cell of `_cells`: ref, table, row, column, value.
pub(crate) type CellRow = (String, String, i64, String, Sql);

/// Writes `<folder>/<name>.tar.zst`, its labels behind a page so that reading has to go past it.
pub(crate) fn write_gold(folder: &Path, name: &str, suite: &str, gold: &[Value]) -> PathBuf {
    let path = folder.join(format!("{name}.tar.zst"));
    let file = std::fs::File::create(&path).unwrap();
    let mut tar = tar::Builder::new(zstd::stream::write::Encoder::new(file, 1).unwrap());
    let meta = serde_json::json!({"name": name, "suite": suite, "pages": gold.len()}).to_string();
    let lines: String = gold.iter().map(|page| format!("{page}\n")).collect();
    for (entry, bytes) in [("pages/00000.html", "<p>"), ("meta.json", &meta), ("gold.jsonl", &lines)] {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, entry, bytes.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
    path
}

/// Writes a database with the documented tables.
pub(crate) fn write_database(path: &Path, pages: &[PageRow], cells: &[CellRow]) {
    let mut db = Connection::open(path).unwrap();
    db.execute_batch(
        "create table _pages(id integer primary key, url, ref, page_type, role, index_score, problems);
         create table _cells(ref, url, table_name, row_id, column_name, value, path);",
    )
    .unwrap();
    let all = db.transaction().unwrap();
    for page in pages {
        all.execute(
            "insert into _pages(ref, page_type, index_score) values (?, ?, ?)",
            (&page.0, &page.1, page.2),
        )
        .unwrap();
    }
    for (reference, table, row, column, value) in cells {
        let columns =
            "insert into _cells(ref, table_name, row_id, column_name, value) values (?, ?, ?, ?, ?)";
        all.execute(columns, (reference, table, row, column, value)).unwrap();
    }
    all.commit().unwrap();
}
