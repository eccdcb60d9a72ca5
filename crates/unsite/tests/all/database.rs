//! A database as people meet it: searching in it, asking where its cells come from, looking at it in Datasette.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{json_lines, small_site, unsite};
use rusqlite::Connection;

/// A database of a small site.
fn written(arguments: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let (site, folder) = (small_site(), tempfile::tempdir().unwrap());
    let source = folder.path().join("site.jsonl");
    fs::write(&source, json_lines(&site, 0..site.pages.len())).unwrap();
    let db = folder.path().join("site.db");
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"run", &source, &"-o", &db, &"-q"];
    arguments.iter().for_each(|argument| all.push(argument));
    unsite(&all).ends(0);
    (folder, db)
}

fn texts(db: &Path, sql: &str) -> Vec<String> {
    let db = Connection::open(db).unwrap();
    let mut query = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    query.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap).collect()
}

/// The tables that have a search index.
const SEARCHED: &str = "SELECT substr(name, 9) FROM sqlite_master WHERE substr(name, 1, 8) = '_search_' AND sql LIKE 'CREATE VIRTUAL%'";

#[test]
fn words_are_found_with_their_receipts() {
    let (_folder, db) = written(&[]);
    let table = texts(&db, SEARCHED).remove(0);
    let column = texts(&db, &format!("SELECT name FROM pragma_table_info('_search_{table}')")).remove(0);
    let sql = format!("SELECT {column} FROM \"{table}\" WHERE length({column}) BETWEEN 6 AND 200 LIMIT 1");
    let text = texts(&db, &sql).remove(0);
    let quoted = format!("\"{}\"", text.replace('"', " "));
    let found = unsite(&[&"search", &db, &quoted, &"--table", &table, &"--json"]).ends(0).json();
    let hit = &found["hits"][0];
    assert_eq!(hit["table"], table.as_str(), "{found}");
    assert!(
        hit["url"].as_str().unwrap().starts_with("http") && hit["score"].as_f64().unwrap() > 0.0,
        "{found}"
    );
    // The receipt can be asked for as it is given.
    let why: Vec<&str> = hit["why"].as_str().unwrap().split(' ').collect();
    let receipt =
        unsite(&[&"why", &db, &why[3], &why[4], &why[5], &"--json", &"--no-experts"]).ends(0).json();
    assert!(!receipt["values"].as_array().unwrap().is_empty(), "{receipt}");
    let shown = unsite(&[&"search", &db, &quoted]).ends(0).stdout;
    assert!(shown.contains(hit["url"].as_str().unwrap()) && shown.contains("unsite why"), "{shown}");
    unsite(&[&"search", &db, &"thereisnosuchword"]).ends(0).says(&["nothing says", &table]);
    unsite(&[&"search", &db, &"word", &"--table", &"nowhere"])
        .ends(1)
        .says(&["no table \"nowhere\"", &table]);
    unsite(&[&"search", &"no.db", &"word"]).ends(1).says(&["there is no file"]);
}

#[test]
fn every_column_of_a_table_has_a_receipt() {
    let (folder, db) = written(&[]);
    for table in texts(&db, "SELECT t.name FROM _tables t JOIN sqlite_master m ON m.name = t.name") {
        let row = texts(&db, &format!("SELECT CAST(min(id) AS TEXT) FROM \"{table}\"")).remove(0);
        for column in texts(&db, &format!("SELECT name FROM pragma_table_info('{table}')")) {
            let receipt =
                unsite(&[&"why", &db, &table, &row, &column, &"--json", &"--no-experts"]).ends(0).json();
            assert!(receipt["page"]["url"].is_string(), "{receipt}");
            assert!(receipt["table_is"]["kind"].is_string(), "{receipt}");
            assert!(receipt["is"].is_string() || receipt["found_by"]["type"].is_string(), "{receipt}");
        }
    }
    // What is kept out of sight too: it has values, and no table.
    let hidden =
        "SELECT t.name FROM _tables t LEFT JOIN sqlite_master m ON m.name = t.name WHERE m.name IS NULL
                  AND EXISTS (SELECT 1 FROM _cells c WHERE c.table_name = t.name)";
    for table in texts(&db, hidden).iter().take(3) {
        let of = format!("FROM _cells WHERE table_name = '{table}' ORDER BY row_id LIMIT 1");
        let row = texts(&db, &format!("SELECT CAST(row_id AS TEXT) {of}")).remove(0);
        let column = texts(&db, &format!("SELECT column_name {of}")).remove(0);
        let shown = unsite(&[&"why", &db, table, &row, &column, &"--no-experts"]).ends(0).stdout;
        assert!(shown.contains("table is") && shown.contains("only with --all"), "{shown}");
    }
    // A folder of files says the same.
    let files = folder.path().join("files.parquet/");
    unsite(&[&"run", &folder.path().join("site.jsonl"), &"-o", &files, &"-q"]).ends(0);
    let table = texts(&db, SEARCHED).remove(0);
    let column = texts(&db, &format!("SELECT name FROM pragma_table_info('_search_{table}')")).remove(0);
    let values = |name: &Path| {
        let receipt =
            unsite(&[&"why", &name, &table, &"1", &column, &"--json", &"--no-experts"]).ends(0).json();
        receipt["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value["value"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(values(&files), values(&db));
}

/// A cell of every kind: table, row, column.
fn cells_of_every_kind(db: &Path) -> Vec<[String; 3]> {
    let mut found = Vec::new();
    let mut add = |sql: &str| {
        let rows = texts(db, sql);
        let row = rows.first().unwrap_or_else(|| panic!("there is none: {sql}"));
        let parts: Vec<String> = row.split('|').map(str::to_owned).collect();
        found.push(<[String; 3]>::try_from(parts).expect("three parts"));
    };
    let of = "FROM _cells c JOIN _columns k ON k.table_name = c.table_name AND k.column_name = c.column_name
              JOIN _tables t ON t.name = c.table_name";
    let place = "SELECT c.table_name || '|' || c.row_id || '|' || c.column_name";
    // What is shown, what is hidden in a table that is shown, and what stands in a table that is not.
    add(&format!("{place} {of} WHERE NOT k.hidden AND t.kind = 'entity' ORDER BY 1"));
    add(&format!("{place} {of} WHERE k.hidden AND t.kind = 'entity' ORDER BY 1"));
    add(&format!("{place} {of} WHERE t.kind IN ('view', 'template') ORDER BY 1"));
    // A key, and a unit beside its number.
    for (table, column) in [("review", "book_id"), ("book", "weight_number")] {
        add(&format!(
            "SELECT '{table}|' || min(id) || '|{column}' FROM \"{table}\" WHERE {column} IS NOT NULL"
        ));
    }
    found
}

/// In CSV a text without letters and no text are the same.
fn without_empty_texts(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) if text.is_empty() => *value = serde_json::Value::Null,
        serde_json::Value::Array(values) => values.iter_mut().for_each(without_empty_texts),
        serde_json::Value::Object(values) => values.values_mut().for_each(without_empty_texts),
        _ => {}
    }
}

#[test]
fn every_output_gives_the_same_receipts() {
    let (folder, db) = written(&[]);
    let source = folder.path().join("site.jsonl");
    let mut outputs =
        ["files.parquet/", "files.jsonl/", "files/"].map(|name| folder.path().join(name)).to_vec();
    let server = crate::postgres_server::TestServer::start();
    outputs.extend(server.as_ref().map(|server| PathBuf::from(server.address("?schema=receipts"))));
    for output in &outputs {
        unsite(&[&"run", &source, &"-o", &output, &"-q"]).ends(0);
    }
    let told = |output: &Path, [table, row, column]: &[String; 3]| {
        let asked: [&dyn AsRef<std::ffi::OsStr>; 5] = [&"why", &output, table, row, column];
        let how: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"--json", &"--no-experts", &"--source", &source];
        let mut told = unsite(&[&asked[..], &how[..]].concat()).ends(0).json();
        told.as_object_mut().unwrap().remove("source");
        without_empty_texts(&mut told);
        told
    };
    let mut cells = cells_of_every_kind(&db);
    for [table, row, column] in &cells {
        let here = told(&db, &[table.clone(), row.clone(), column.clone()]);
        assert!(here["table_is"]["kind"].is_string() && here["page"]["url"].is_string(), "{here}");
        let is_told = !here["values"].as_array().unwrap().is_empty() || here["is"].is_string();
        assert!(is_told, "{table} {row} {column}: {here}");
    }
    // And the last cell of every column there is: keys, units, currencies, dates, numbers, facts with several values.
    for table in texts(&db, "SELECT t.name FROM _tables t JOIN sqlite_master m ON m.name = t.name") {
        for column in texts(&db, &format!("SELECT name FROM pragma_table_info('{table}')")) {
            let last = format!("SELECT max(id) FROM \"{table}\" WHERE \"{column}\" IS NOT NULL");
            let row = format!("SELECT CAST(coalesce(({last}), min(id)) AS TEXT) FROM \"{table}\"");
            cells.push([table.clone(), texts(&db, &row).remove(0), column]);
        }
    }
    for cell in &cells {
        for output in &outputs {
            assert_eq!(told(output, cell), told(&db, cell), "{cell:?} in {}", output.display());
        }
    }
    let last = texts(&db, "SELECT CAST(max(id) AS TEXT) FROM book").remove(0);
    for output in outputs.iter().chain([&db]) {
        let range = format!("book has no row 999999; its rows are 1 to {last}");
        unsite(&[&"why", output, &"book", &"999999", &"title"]).ends(1).says(&[&range]);
    }
    // Whatever is kept out of sight has its reason.
    let silent = "SELECT name FROM _tables WHERE why IS NULL OR why = ''
                  UNION SELECT table_name || '.' || column_name FROM _columns c JOIN _tables t ON t.name = c.table_name
                  WHERE hidden AND t.kind IN ('entity', 'relation') AND (note IS NULL OR note = '')";
    assert_eq!(texts(&db, silent), Vec::<String>::new());
}

#[test]
fn with_all_every_table_is_written() {
    let count = |db: &Path, sql: &str| texts(db, sql)[0].parse::<usize>().unwrap();
    let there = "SELECT CAST(count(*) AS TEXT) FROM _tables t JOIN sqlite_master m ON m.name = t.name";
    let known = "SELECT CAST(count(*) AS TEXT) FROM _tables";
    let ((_folder, few), (_other, all)) = (written(&[]), written(&["--all"]));
    assert_eq!(count(&all, there), count(&all, known));
    let shown = "SELECT CAST(count(*) AS TEXT) FROM _tables WHERE kind IN ('entity', 'relation')";
    assert_eq!(count(&few, there), count(&few, shown));
    assert_eq!(count(&few, known), count(&all, known));
}

struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a server on this machine answers.
fn answer(port: u16, path: &str) -> Option<String> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").ok()?;
    let mut text = Vec::new();
    stream.read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn datasette_shows_labels_and_a_search_box() {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("python/bin/datasette");
    if !tools.is_file() {
        eprintln!("skipped: there is no Datasette here (`make tools` installs it)");
        return;
    }
    let (folder, db) = written(&[]);
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let mut command = Command::new(tools);
    command.arg(&db).arg("-m").arg(folder.path().join("datasette.yaml")).args(["-p", &port.to_string()]);
    let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let _stopped = Stopped(server);
    let started = Instant::now();
    let home = loop {
        match answer(port, "/site") {
            Some(text) => break text,
            None => assert!(started.elapsed() < Duration::from_secs(120), "Datasette does not answer"),
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    let table = texts(&db, SEARCHED).remove(0);
    assert!(home.contains(&format!("/site/{table}")), "{home}");
    let shown = answer(port, &format!("/site/{table}")).unwrap();
    assert!(shown.contains("name=\"_search\""), "no search box: {shown}");
    // A key is shown by what names the row that it leads to.
    let keys = "SELECT m.name || ' ' || k.\"from\" || ' ' || k.\"table\" FROM sqlite_master m
                JOIN pragma_foreign_key_list(m.name) k WHERE m.type = 'table' AND substr(m.name, 1, 1) <> '_'
                AND substr(k.\"table\", 1, 1) <> '_'";
    let key = texts(&db, keys);
    let key: Vec<&str> = key.iter().map(String::as_str).next().expect("there are keys").split(' ').collect();
    let [from, column, to] = key[..] else { panic!("{key:?}") };
    let config = fs::read_to_string(folder.path().join("datasette.yaml")).unwrap();
    let (_, about) = config.split_once(&format!("      \"{to}\":\n")).unwrap();
    let (_, label) = about.split_once("label_column: \"").unwrap();
    let label = label.split('"').next().unwrap();
    let sql = format!(
        "SELECT CAST(t.\"{label}\" AS TEXT) FROM \"{to}\" t JOIN \"{from}\" f ON f.\"{column}\" = t.id
         WHERE t.\"{label}\" IS NOT NULL ORDER BY f.id LIMIT 1"
    );
    let name = texts(&db, &sql).remove(0);
    let start: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
    let shown = answer(port, &format!("/site/{from}")).unwrap();
    assert!(shown.contains(&format!(">{start}")), "{name} is not in {shown}");
}
