//! Captures of several days from outside: designs, history, changes, and a site that is watched.

#![allow(clippy::print_stdout, reason = "tests say what they skipped")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use unsite_sample::{Change, Knobs, Site};

use crate::server::{Answer, Server};
use crate::support::{number, program, put, root, unsite};

/// The days of the captures: two in one design, two in the next.
const DAYS: [&str; 4] = ["2019-01-01", "2019-07-01", "2020-01-01", "2020-07-01"];

fn shop(changes: &[Change]) -> Site {
    let redesign: BTreeSet<Change> = changes.iter().copied().collect();
    Site::generate(&Knobs { books: 24, authors: 8, categories: 3, queries: 3, redesign, ..Knobs::default() })
}

/// Captures of the shop as one archive; of the second day of each design there are only revisits.
fn archive(designs: &[Site; 2]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, day) in DAYS.iter().enumerate() {
        for (n, page) in designs[at / 2].pages.iter().enumerate() {
            let id = |at: usize| format!("<urn:test:{at}:{n}>");
            let (kind, more, html) = match at % 2 {
                0 => ("response", String::new(), page.html.as_str()),
                _ => ("revisit", format!("WARC-Refers-To: {}\r\n", id(at - 1)), ""),
            };
            let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
            let record = format!(
                "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {}\r\nWARC-Date: {day}T08:{:02}:{:02}Z\r\n\
                 WARC-Target-URI: {}\r\n{more}Content-Type: application/http; msgtype=response\r\n\
                 Content-Length: {}\r\n\r\n{block}\r\n\r\n",
                id(at),
                n / 60,
                n % 60,
                page.url,
                block.len()
            );
            out.extend(record.into_bytes());
        }
    }
    out
}

#[test]
fn each_capture_is_read_with_the_design_of_its_day() {
    let folder = tempfile::tempdir().unwrap();
    let designs = [shop(&[]), shop(&[Change::RenameClasses, Change::ChangeTags, Change::NewNesting])];
    let pages = designs[0].pages.len() as i64;
    let source = put(&folder, "shop.warc", archive(&designs));
    let path = |name: &str| folder.path().join(name);
    unsite(&[&"learn", &source, &"-w", &path("shop.unsite")]).ends(0);
    let told =
        unsite(&[&"epochs", &path("shop.unsite"), &"--json", &"--svg", &path("shop.svg")]).ends(0).json();
    let designs = told["designs"].as_array().unwrap();
    assert_eq!(designs.len(), 2, "{told:#}");
    for (design, days) in designs.iter().zip([&DAYS[2..], &DAYS[..2]]) {
        let seen = &design["seen"][0];
        assert!(seen["first"].as_str().unwrap().starts_with(days[0]), "{design:#}");
        assert!(seen["last"].as_str().unwrap().starts_with(days[1]), "{design:#}");
    }
    let changes = designs[1]["until_the_next"].as_array().unwrap();
    assert!(changes.iter().any(|change| change["page_type"] == "book"), "{changes:#?}");
    for change in changes {
        assert!(change["before"].as_str().unwrap().starts_with(DAYS[1]), "{change:#}");
        assert!(change["after"].as_str().unwrap().starts_with(DAYS[2]), "{change:#}");
    }
    let svg = std::fs::read_to_string(path("shop.svg")).unwrap();
    assert!(svg.contains("<svg") && svg.contains(">book<"), "{svg}");
    let text = unsite(&[&"epochs", &path("shop.unsite")]).ends(0);
    assert!(text.stdout.contains("2 designs") && text.stdout.contains("carried over"), "{}", text.stdout);

    let db = path("shop.db");
    unsite(&[&"extract", &source, &"-w", &path("shop.unsite"), &"-o", &db]).ends(0);
    assert_eq!(number(&db, "SELECT count(*) FROM _pages WHERE page_type IS NOT NULL"), 4 * pages);
    assert_eq!(number(&db, "SELECT count(*) FROM _pages WHERE latest = 1"), pages);
    assert_eq!(number(&db, "SELECT count(*) FROM _problems WHERE kind = 'duplicate'"), 0);
    // The same values in both designs are one span from the first day to the last.
    let whole =
        "SELECT count(DISTINCT row_id) FROM _history WHERE table_name = 'book' AND column_name = 'isbn'
                 AND first_seen < '2019-01-02' AND last_seen > '2020-07-01'";
    assert!(number(&db, whole) >= 20, "{} of 24 books keep their number", number(&db, whole));
    // The newest of each alone are the same tables.
    let latest = path("latest.db");
    let alone: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"extract", &source, &"-w", &path("shop.unsite"), &"-o", &latest, &"--latest"];
    unsite(&alone).ends(0);
    assert_eq!(number(&latest, "SELECT count(*) FROM _pages"), pages);
    let isbn = "SELECT count(*) FROM book WHERE isbn IS NOT NULL";
    assert_eq!(number(&latest, isbn), number(&db, isbn));
    // A source without days has one design and says so.
    let plain = put(&folder, "plain.jsonl", crate::support::json_lines(&shop(&[]), 0..40));
    unsite(&[&"epochs", &plain]).ends(0).says(&["there are no epochs to tell"]);
}

#[test]
fn what_people_changed_holds_for_every_design() {
    let folder = tempfile::tempdir().unwrap();
    let designs = [shop(&[]), shop(&[Change::RenameClasses, Change::ChangeTags, Change::NewNesting])];
    let pages = |kind: &str| {
        let here = |page: &&unsite_sample::SamplePage| page.url.contains(kind);
        4 * designs[0].pages.iter().filter(here).count() as i64
    };
    let (books, authors) = (pages("/book/"), pages("/author/"));
    let source = put(&folder, "shop.warc", archive(&designs));
    let path = |name: &str| folder.path().join(name);
    let (wrapper, db) = (path("shop.unsite"), path("shop.db"));
    unsite(&[&"learn", &source, &"-w", &wrapper]).ends(0);
    unsite(&[&"edit", &wrapper, &"--rename", &"book.isbn=number", &"--merge", &"type:author=book"]).ends(0);
    let told = unsite(&[&"extract", &source, &"-w", &wrapper, &"-o", &db, &"--json"]).ends(0).json();
    let types = told["page_types"].as_array().unwrap();
    let book = types.iter().find(|info| info["name"] == "book").unwrap();
    assert_eq!(book["pages"], books + authors, "{told:#}");
    assert!(types.iter().all(|info| info["name"] != "author"), "{told:#}");
    let of_type =
        |name: &str| number(&db, &format!("SELECT count(*) FROM _pages WHERE page_type = '{name}'"));
    assert_eq!((of_type("book"), of_type("author")), (books + authors, 0));
    // A value of the older design stands in the column that people renamed in the newer one.
    let since = "SELECT count(*) FROM _history WHERE table_name = 'book' AND first_seen < '2019-01-02'";
    assert!(number(&db, &format!("{since} AND column_name = 'number'")) >= 20);
    assert_eq!(number(&db, &format!("{since} AND column_name = 'isbn'")), 0);
}

#[test]
fn other_pages_are_no_other_design() {
    let data = std::env::var("DATA").map_or_else(|_| root().join("../shared/data"), PathBuf::from);
    let path = data.join("redesign/mkdocs_catalog__readthedocs.tar.zst");
    if !path.is_file() {
        println!("skipped: no labelled sites at {}", data.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default()).unwrap();
    let (mut pages, mut lines) = (source.pages().unwrap(), String::new());
    while let Some(item) = pages.next_page() {
        let Ok(page) = item else { continue };
        // Each page once, on one day or the other: a half that has types of pages that the other has not.
        let odd = page.url.bytes().map(usize::from).sum::<usize>() % 2 == 1;
        let (html, day) = (String::from_utf8_lossy(&page.bytes), DAYS[if odd { 0 } else { 2 }]);
        lines += &serde_json::json!({"url": page.url, "html": html, "captured": day}).to_string();
        lines.push('\n');
    }
    let source = put(&folder, "catalog.jsonl", lines);
    let (wrapper, db) = (folder.path().join("catalog.unsite"), folder.path().join("catalog.db"));
    unsite(&[&"learn", &source, &"-w", &wrapper]).ends(0);
    let told = unsite(&[&"epochs", &wrapper, &"--json"]).ends(0).json();
    assert_eq!(told["designs"].as_array().unwrap().len(), 1, "{told:#}");
    unsite(&[&"extract", &source, &"-w", &wrapper, &"-o", &db]).ends(0);
    assert_eq!(number(&db, "SELECT count(*) FROM _pages WHERE page_type IS NULL"), 0);
}

#[test]
fn changes_need_a_database_that_knows_when() {
    let folder = tempfile::tempdir().unwrap();
    let plain = put(&folder, "plain.jsonl", crate::support::json_lines(&shop(&[]), 0..40));
    let db = folder.path().join("plain.db");
    unsite(&[&"run", &plain, &"-o", &db]).ends(0);
    unsite(&[&"changes", &db, &"--since", &"2019-01-01"]).ends(1).says(&["does not know when", "WARC"]);
    unsite(&[&"changes", &"nothing.db", &"--since", &"2019-01-01"]).ends(1).says(&["no file nothing.db"]);
    unsite(&[&"changes", &db, &"--since", &"lately"]).ends(2).says(&["2019-01-02"]);
}

/// A shop on loopback whose design and prices can be turned.
struct Shop {
    server: Server,
    pages: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Shop {
    fn start(site: &Site) -> Shop {
        let pages = Arc::new(Mutex::new(BTreeMap::new()));
        let shown: Arc<Mutex<BTreeMap<String, String>>> = pages.clone();
        let server = Server::start(move |asked| {
            let shown = shown.lock().unwrap();
            match shown.get(&asked.target) {
                Some(html) => Answer::html(html.clone()),
                None if asked.path() == "/all" => Answer::html(
                    shown.keys().map(|path| format!("<a href='{path}'>x</a>")).collect::<String>(),
                ),
                None => Answer::status(404),
            }
        });
        let shop = Shop { server, pages };
        shop.show(site, |html| html);
        shop
    }

    /// The pages of a site from now on; links stay on this server.
    fn show(&self, site: &Site, turn: impl Fn(String) -> String) {
        let path = |url: &str| {
            let url = url::Url::parse(url).unwrap();
            url[url::Position::BeforePath..].to_owned()
        };
        let here = self.server.url("");
        let local = |html: &str| html.replace(unsite_sample::ORIGIN, here.trim_end_matches('/'));
        *self.pages.lock().unwrap() =
            site.pages.iter().map(|page| (path(&page.url), turn(local(&page.html)))).collect();
    }

    fn watch(&self, folder: &Path) -> Command {
        let mut command = program();
        command.args(["watch", &self.server.url("/all"), "--once", "--delay", "0", "--allow-private", "-w"]);
        command.arg(folder.join("shop.unsite")).arg("-o").arg(folder.join("shop.db"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn round(&self, folder: &Path) -> (i32, String, String) {
        let output = self.watch(folder).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        // Moments are told to the second.
        thread::sleep(Duration::from_millis(1100));
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn a_watched_site_is_kept_up_to_date_and_repaired_where_it_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let (db, wrapper) = (folder.path().join("shop.db"), folder.path().join("shop.unsite"));
    let site = shop(&[]);
    let shown = Shop::start(&site);
    let (code, line, error) = shown.round(folder.path());
    assert_eq!(code, 0, "{line}{error}");
    assert!(line.lines().count() == 1 && line.contains("learned"), "{line}");
    let first = newest(&db);

    // Nothing new is nothing to tell.
    let (code, line, _) = shown.round(folder.path());
    assert_eq!(code, 0);
    assert!(line.contains("0 new or changed; 0 rows added, 0 changed, 0 removed; no drift"), "{line}");

    // Other prices are told with what they were.
    shown.show(&site, |html| html.replace("In stock", "Sold out tomorrow"));
    let (code, line, error) = shown.round(folder.path());
    assert_eq!(code, 0, "{line}{error}");
    let told = unsite(&[&"changes", &db, &"--since", &first, &"--json"]).ends(0).json();
    let changed = told["changed"].as_array().unwrap();
    assert!(
        changed.iter().any(|change| change["to"].to_string().contains("Sold out tomorrow")
            && change["from"].to_string().contains("In stock")),
        "{told:#}"
    );
    let feed = unsite(&[&"changes", &db, &"--since", &first, &"--atom"]).ends(0).stdout;
    assert!(
        feed.starts_with("<?xml") && feed.contains("Sold out tomorrow") && feed.contains("<entry>"),
        "{feed}"
    );
    unsite(&[&"changes", &db, &"--since", &first, &"--table", &"nope"])
        .ends(1)
        .says(&["no history of a table"]);

    // A redesign that known records prove is repaired, and the old design stays known.
    let redesigned = shop(&[Change::RenameClasses, Change::ChangeTags, Change::NewNesting]);
    shown.show(&redesigned, |html| html.replace("</body>", "<p>All new!</p></body>"));
    let (code, line, error) = shown.round(folder.path());
    assert_eq!(code, 0, "{line}{error}");
    assert!(line.contains("repaired"), "{line}{error}");
    let isbn = "SELECT count(isbn) FROM book";
    assert!(number(&db, isbn) >= 15, "{}", number(&db, isbn));
    let told = unsite(&[&"epochs", &wrapper, &"--json"]).ends(0).json();
    assert_eq!(told["designs"].as_array().unwrap().len(), 2);

    // Another site at the same addresses proves nothing: the old wrapper stays, and so does the database.
    let kept = (std::fs::read(&wrapper).unwrap(), std::fs::read(&db).unwrap());
    let other = Site::generate(&Knobs {
        books: 24,
        authors: 8,
        categories: 3,
        queries: 3,
        seed: 7,
        family: unsite_sample::Family::ALL[2],
        ..Knobs::default()
    });
    let addresses: Vec<String> = site.pages.iter().map(|page| page.url.clone()).collect();
    let mut moved = other;
    for (page, url) in moved.pages.iter_mut().zip(addresses) {
        page.url = url;
    }
    shown.show(&moved, |html| html);
    let (code, line, error) = shown.round(folder.path());
    assert_eq!(code, 4, "{line}{error}");
    assert!(error.contains("not proved") && line.contains("drift, not repaired"), "{line}{error}");
    assert_eq!((std::fs::read(&wrapper).unwrap(), std::fs::read(&db).unwrap()), kept);
}

/// The newest capture of a database.
fn newest(db: &Path) -> String {
    let db = Connection::open(db).unwrap();
    db.query_row("SELECT max(captured) FROM _pages", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_watch_that_is_killed_loses_and_doubles_nothing() {
    // How often: UNSITE_KILLS=100 is measured by hand, since each takes a while.
    let kills: usize = std::env::var("UNSITE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("shop.db");
    let site = shop(&[]);
    let shown = Shop::start(&site);
    let turns = AtomicUsize::new(0);
    let mut random = 88_172_645_463_325_252_u64;
    let mut next = |most: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % most
    };
    let mut killed = 0;
    while killed < kills {
        // Something is different on every round.
        let turn = turns.fetch_add(1, Ordering::Relaxed);
        shown.show(&site, |html| html.replace("In stock", &format!("In stock {turn}")));
        let mut child =
            shown.watch(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(20 + next(2500)));
        killed += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        whole(&db, &folder.path().join("shop.unsite"));
    }
    shown.show(&site, |html| html.replace("In stock", "In stock at last"));
    // A visit that was broken off is finished first; the next one sees everything.
    shown.round(folder.path());
    let (code, line, error) = shown.round(folder.path());
    assert_eq!(code, 0, "{line}{error}");
    whole(&db, &folder.path().join("shop.unsite"));
    // The pages of the site and the page that leads to them.
    let pages = site.pages.len() as i64;
    let latest = number(&db, "SELECT count(*) FROM _pages WHERE latest = 1");
    assert!((pages..=pages + 1).contains(&latest), "{latest} of {pages}");
    let books = number(&db, "SELECT count(*) FROM book");
    assert_eq!(number(&db, "SELECT count(DISTINCT url) FROM book"), books);
    assert_eq!(books, 24);
    // Pages that do not lead anywhere else may be left to their doubles; every other one is as it is now.
    let old = Connection::open(&db).unwrap();
    let mut old = old
        .prepare("SELECT url, column_name, value FROM _cells WHERE value GLOB '*In stock*' AND value NOT GLOB '*at last*'")
        .unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let old: Vec<(String, String, String)> = old.query_map([], read).unwrap().map(Result::unwrap).collect();
    assert_eq!(old, [], "old values are left");
    let (code, line, _) = shown.round(folder.path());
    assert_eq!(code, 0);
    assert!(line.contains("0 rows added, 0 changed, 0 removed"), "{line}");
}

/// Whatever stands on the disk is whole: no address has two newest captures or two captures of one moment, and no span of the
/// history stands twice.
fn whole(db: &Path, wrapper: &Path) {
    if wrapper.is_file() {
        unsite(&[&"show", &"-w", &wrapper]).ends(0);
    }
    if !db.is_file() {
        return;
    }
    let doubled = |what: &str, of: &str| {
        let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {of} HAVING count(*) > 1)");
        assert_eq!(number(db, &sql), 0, "{what}");
    };
    doubled("an address has two newest captures", "_pages WHERE latest = 1 GROUP BY url");
    doubled("a capture stands twice", "_pages GROUP BY url, captured");
    if number(db, "SELECT count(*) FROM sqlite_master WHERE name = '_history'") > 0 {
        doubled(
            "a span stands twice",
            "_history GROUP BY table_name, row_id, column_name, value, page_id, first_seen",
        );
    }
    assert_eq!(number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

#[test]
fn the_days_of_labelled_designs_are_found() {
    let data = std::env::var("DATA").map_or_else(|_| root().join("../shared/data"), PathBuf::from);
    let designs =
        ["mkdocs", "readthedocs"].map(|theme| data.join(format!("redesign/mkdocs_catalog__{theme}.tar.zst")));
    if !designs.iter().all(|path| path.is_file()) {
        println!("skipped: no labelled sites at {}", data.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for (at, path) in designs.iter().enumerate() {
        let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default()).unwrap();
        let mut pages = source.pages().unwrap();
        while let Some(item) = pages.next_page() {
            let Ok(page) = item else { continue };
            let html = String::from_utf8_lossy(&page.bytes);
            let day = DAYS[2 * at];
            lines += &serde_json::json!({"url": page.url, "html": html, "captured": day}).to_string();
            lines.push('\n');
        }
    }
    let source = put(&folder, "catalog.jsonl", lines);
    let told = unsite(&[&"epochs", &source, &"--json"]).ends(0).json();
    assert_eq!(told["designs"].as_array().unwrap().len(), 2, "{told:#}");
}
