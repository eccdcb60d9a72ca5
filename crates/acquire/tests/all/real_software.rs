//! The prober against Datasette and Roundup, which are installed from PyPI where that is possible.

#![allow(clippy::print_stderr, reason = "tests say what they skipped and counted")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::software::{Server, free_port, python, run, serve};
use unsite_acquire::archive::ArchiveWriter;
use unsite_acquire::fetch::{FetchOptions, Fetcher, Stop};
use unsite_acquire::probe::{ProbeOptions, ProbeReport, ProbeTools, probe};
use unsite_acquire::{Source, SourceOptions};
use unsite_dom::{Limits, Tree};
use url::Url;

const A_WHILE: Duration = Duration::from_secs(300);

/// Words that the rows are made of. Which rows hold a word is what the tests compare the answers with.
const NOUNS: [&str; 40] = [
    "river", "garden", "window", "bridge", "letter", "engine", "summer", "market", "island", "camera",
    "forest", "doctor", "ship", "paper", "museum", "horse", "valley", "school", "silver", "winter", "castle",
    "harbour", "meadow", "lantern", "orchard", "compass", "violin", "quarry", "saddle", "barley", "chimney",
    "anchor", "falcon", "pepper", "velvet", "marble", "cedar", "basket", "candle", "thunder",
];
const ADJECTIVES: [&str; 12] = [
    "old", "quiet", "green", "narrow", "golden", "broken", "northern", "bright", "hidden", "early", "steep",
    "warm",
];

/// The text of a row: an adjective, two nouns, and a name that no other row has. No word stands in all of them.
fn row_text(row: usize) -> String {
    let mixed =
        (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let pick = |shift: u32, words: &[&'static str]| words[(mixed >> shift) as usize % words.len()];
    let name: String = format!("{row}").bytes().map(|digit| char::from(b'b' + (digit - b'0') * 2)).collect();
    format!("{} {} {} kar{name}o", pick(3, &ADJECTIVES), pick(17, &NOUNS), pick(41, &NOUNS))
}

/// How many of the first rows hold a word.
fn matches(rows: usize, word: &str) -> usize {
    (0..rows).filter(|&row| row_text(row).split(' ').any(|part| part.eq_ignore_ascii_case(word))).count()
}

fn ask(start: &str, file: &Path) -> ProbeReport {
    let fetch = FetchOptions { allow_private: true, delay: Duration::ZERO, ..FetchOptions::default() };
    let fetcher = Fetcher::new(fetch, Stop::default()).expect("starts");
    let mut archive = ArchiveWriter::create(file, &[]).expect("the file is new");
    let tools =
        ProbeTools { fetcher: &fetcher, archive: &mut archive, browser: None, allowed: &|_: &Url| Ok(()) };
    let options = ProbeOptions { seed: 1, ..ProbeOptions::default() };
    probe(&Url::parse(start).expect("is an address"), &options, tools, &mut |_| ()).expect("is probed")
}

/// All classes, seen within the default number of queries, and each answer in the class that it belongs to.
fn check(report: &ProbeReport, rows: usize) {
    assert!(report.queries.len() <= 110, "{} queries", report.queries.len());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for query in &report.queries {
        *counts.entry(query.class).or_default() += 1;
        let expected = match matches(rows, &query.word) {
            0 => "no match",
            1 => "one",
            _ => "several",
        };
        // Other fields and options may answer otherwise.
        if query.variant.is_empty() && query.class != expected {
            wrong.push(format!("{} is {} and not {expected}", query.word, query.class));
        }
    }
    eprintln!(
        "{} queries, {} requests, {counts:?}, {} results, about {:.0} there, ended: {}",
        report.queries.len(),
        report.requests,
        report.results,
        report.estimated_results,
        report.ended.sentence()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    for class in ["several", "one", "no match"] {
        assert!(counts.contains_key(class), "no answer of class {class}: {counts:?}");
    }
}

/// The links of all pages in an archive that begin with a path.
fn links(file: &Path, start: &str) -> BTreeSet<String> {
    let source = Source::open(file.to_str().expect("is text"), &SourceOptions::default()).expect("opens");
    let mut pages = source.pages().expect("is read");
    let mut found = BTreeSet::new();
    while let Some(item) = pages.next_page() {
        let Ok(page) = item else { continue };
        let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default());
        let targets = tree.links(&page.url).into_iter().filter_map(|link| link.url);
        found.extend(targets.map(|url| url.path().to_owned()).filter(|path| path.starts_with(start)));
    }
    found
}

fn datasette(python: &Path, folder: &Path, rows: usize) -> Server {
    let texts: String = (0..rows).map(|row| format!("{}\n", row_text(row))).collect();
    fs::write(folder.join("rows.txt"), texts).expect("there is room");
    let make = "import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + '/shop.db')
db.execute('create table things (id integer primary key, about text, price integer)')
for n, line in enumerate(open(sys.argv[1] + '/rows.txt')):
    db.execute('insert into things values (?, ?, ?)', (n + 1, line.strip(), 3 * n + 1000))
db.execute('create virtual table things_fts using fts4(about, content=\"things\")')
db.execute('insert into things_fts(docid, about) select id, about from things')
db.commit()";
    assert!(run(Command::new(python).args(["-c", make]).arg(folder), A_WHILE), "the database is made");
    let port = free_port();
    let arguments = ["-m", "datasette", "serve", "-h", "127.0.0.1", "-p"];
    serve(Command::new(python).args(arguments).arg(port.to_string()).arg(folder.join("shop.db")), port)
}

#[test]
fn datasette_is_read_through_its_search() {
    const ROWS: usize = 2000;
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let server = datasette(&python, folder.path(), ROWS);
    let file = folder.path().join("pages.warc.gz");
    let report = ask(&format!("http://127.0.0.1:{}/shop/things", server.port), &file);
    assert!(report.form.field.contains("_search"), "{:?}", report.form);
    check(&report, ROWS);
    let reached = links(&file, "/shop/things/").len();
    eprintln!("{reached} of {ROWS} rows reached");
    assert!(reached * 10 >= ROWS * 9, "only {reached} rows");
}

fn roundup(python: &Path, folder: &Path, issues: usize) -> Server {
    let texts: String = (0..issues).map(|row| format!("{}\n", row_text(row))).collect();
    fs::write(folder.join("rows.txt"), texts).expect("there is room");
    let home = folder.join("tracker");
    let admin = |arguments: &[&str]| {
        let script = "import sys; from roundup.admin import AdminTool; sys.exit(AdminTool().main())";
        run(Command::new(python).args(["-c", script, "-i"]).arg(&home).args(arguments), A_WHILE)
    };
    fs::create_dir(&home).expect("there is room");
    assert!(admin(&["install", "classic", "sqlite"]), "the tracker is made");
    let port = free_port();
    let config = fs::read_to_string(home.join("config.ini")).expect("is there");
    let config: Vec<String> = config
        .lines()
        .map(|line| match line {
            "#web = NO DEFAULT" => format!("web = http://127.0.0.1:{port}/"),
            "#domain = NO DEFAULT" => "domain = tracker.test".to_owned(),
            "#host = NO DEFAULT" => "host = localhost".to_owned(),
            line if line.starts_with("backend = ") && line.len() > 10 => "backend = sqlite".to_owned(),
            line => line.to_owned(),
        })
        .collect();
    fs::write(home.join("config.ini"), config.join("\n")).expect("there is room");
    assert!(admin(&["initialise", "secret"]), "the tracker is initialised");
    let fill = "import sys
from roundup import instance
db = instance.open(sys.argv[1] + '/tracker').open('admin')
for n, line in enumerate(open(sys.argv[1] + '/rows.txt')):
    db.issue.create(title=line.strip(), priority=str(1 + n % 5), status='1')
db.commit()";
    assert!(run(Command::new(python).args(["-c", fill]).arg(folder), A_WHILE), "issues are made");
    // Roundup's own server refuses to run for root; its WSGI application does not.
    let wsgi = "import sys
from wsgiref.simple_server import make_server
from roundup.cgi.wsgi_handler import RequestDispatcher
make_server('127.0.0.1', int(sys.argv[2]), RequestDispatcher(sys.argv[1] + '/tracker')).serve_forever()";
    serve(Command::new(python).args(["-c", wsgi]).arg(folder).arg(port.to_string()), port)
}

#[test]
fn roundup_is_read_through_its_search() {
    const ISSUES: usize = 200;
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let server = roundup(&python, folder.path(), ISSUES);
    let file = folder.path().join("pages.warc.gz");
    let report = ask(&format!("http://127.0.0.1:{}/", server.port), &file);
    assert!(report.form.field.contains("@search_text"), "{:?}", report.form);
    check(&report, ISSUES);
    let reached = links(&file, "/issue").into_iter().filter(|path| path[6..].parse::<u32>().is_ok()).count();
    eprintln!("{reached} of {ISSUES} issues reached");
    assert!(reached * 10 >= ISSUES * 9, "only {reached} issues");
}
