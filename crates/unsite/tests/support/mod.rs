//! What the whole-program tests share: the program, sample sites in every form, and a database as text.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::Value;
use unsite_acquire::warc;
use unsite_sample::{Knobs, Site};

/// The program with an environment that does not depend on whoever runs the tests.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unsite"));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

/// Runs the program to its end.
pub(crate) fn unsite(arguments: &[&dyn AsRef<OsStr>]) -> Run {
    let mut command = program();
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    Run::of(command.stdin(Stdio::null()).output().expect("the program starts"))
}

/// The same with something on standard input.
pub(crate) fn unsite_with_input(arguments: &[&dyn AsRef<OsStr>], input: &[u8]) -> Run {
    let mut command = program();
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("is piped").write_all(input).expect("the program reads its input");
    Run::of(child.wait_with_output().expect("the program ends"))
}

/// How a run of the program ended and what it said.
#[derive(Debug)]
pub(crate) struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("says UTF-8");
        let run = Run {
            code: output.status.code().expect("was not killed"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert!(!run.stderr.contains("panicked") && !run.stderr.contains("RUST_BACKTRACE"), "{}", run.stderr);
        run
    }

    /// Checks the exit code, showing what was said if it is another.
    pub(crate) fn ends(self, code: i32) -> Run {
        assert_eq!(self.code, code, "\nstdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Checks that all of these were said on standard error.
    pub(crate) fn says(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in: {}", self.stderr);
        }
        self
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// A shop small enough for many runs.
pub(crate) fn small_site() -> Site {
    Site::generate(&Knobs { books: 24, authors: 8, categories: 3, queries: 3, ..Knobs::default() })
}

/// Writes the site as a browser would save it.
pub(crate) fn save_folder(site: &Site, folder: &Path) {
    for (path, bytes) in site.saved_files() {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("is below the folder")).expect("can make folders");
        fs::write(file, bytes).expect("can write");
    }
}

/// The pages as JSON Lines, in the order of `order`.
pub(crate) fn json_lines(site: &Site, order: impl Iterator<Item = usize>) -> String {
    let line = |at: usize| {
        let page = &site.pages[at];
        serde_json::json!({"url": page.url, "html": page.html}).to_string() + "\n"
    };
    order.map(line).collect()
}

/// Pages as JSON Lines.
pub(crate) fn json_lines_of<'p>(pages: impl Iterator<Item = &'p unsite_dom::RawPage>) -> String {
    let line = |page: &unsite_dom::RawPage| {
        let html = String::from_utf8_lossy(&page.bytes);
        serde_json::json!({"url": page.url, "html": html}).to_string() + "\n"
    };
    pages.map(line).collect()
}

/// The pages as a WARC file, in the order of `order`; each record's id belongs to its page.
pub(crate) fn warc_file(site: &Site, order: impl Iterator<Item = usize>, compressed: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for at in order {
        let page = &site.pages[at];
        let id = format!("urn:test:{at}");
        let response = warc::Response {
            url: &page.url,
            id: &id,
            date: "2026-11-15T08:00:00Z",
            status: 200,
            headers: &[("Content-Type", "text/html; charset=utf-8")],
            body: page.html.as_bytes(),
        };
        match compressed {
            true => warc::write_response_gzip(&mut out, &response).expect("writes to memory"),
            false => warc::write_response(&mut out, &response).expect("writes to memory"),
        }
    }
    out
}

/// The site as a gold site.
pub(crate) fn gold_site(site: &Site) -> Vec<u8> {
    gold_archive(site.gold_files())
}

/// Named files as a gold site.
pub(crate) fn gold_archive(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes.as_slice()).expect("writes to memory");
    }
    let tar = archive.into_inner().expect("writes to memory");
    zstd::encode_all(tar.as_slice(), 3).expect("compresses")
}

/// The whole content of a database as SQL text, tables and rows in the order they are stored.
pub(crate) fn dump(path: &Path) -> String {
    let db = Connection::open(path).expect("is a database");
    let text = |sql: &str| -> Vec<(String, String)> {
        let mut statement = db.prepare(sql).expect("is SQL");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("runs");
        rows.collect::<Result<_, _>>().expect("is text")
    };
    let mut out = String::new();
    for (_, sql) in text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name")
    {
        out += &format!("{sql};\n");
    }
    for (table, _) in text("SELECT name, name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
        let mut statement = db.prepare(&format!("SELECT * FROM \"{table}\"")).expect("is a table");
        let columns = statement.column_count();
        let mut rows = statement.query([]).expect("runs");
        while let Some(row) = rows.next().expect("is readable") {
            let values: Vec<String> =
                (0..columns).map(|at| value(row.get_ref(at).expect("is there"))).collect();
            out += &format!("INSERT INTO {table} VALUES ({});\n", values.join(", "));
        }
    }
    out
}

/// One number from a database.
pub(crate) fn number(path: &Path, sql: &str) -> i64 {
    let db = Connection::open(path).expect("is a database");
    db.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("is there")
}

fn value(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".into(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(text) | ValueRef::Blob(text) => format!("{:?}", String::from_utf8_lossy(text)),
    }
}

/// The value of a field of every line, in order.
pub(crate) fn column(path: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()[name].clone()).collect()
}

/// Writes a file and gives its path.
pub(crate) fn put(folder: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}
