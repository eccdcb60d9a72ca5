//! Input as bad as it comes: no panic, a message, and everything that can be read is read.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::support::{Run, number, save_folder, small_site, unsite, warc_file};
use flate2::Compression;
use flate2::write::GzEncoder;

const FINE: &str = "<html><body><h1>A fine page</h1><p>with text</p></body></html>";

/// A folder with these pages and one good one.
fn folder_with(pages: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for (name, bytes) in pages.iter().chain(&[("fine.html", FINE.as_bytes())]) {
        fs::write(folder.path().join("in").join(name), bytes).unwrap();
    }
    folder
}

fn run(source: &Path, folder: &Path) -> Run {
    unsite(&[&"run", &source, &"-o", &folder.join("out.db")])
}

fn pages(folder: &Path) -> i64 {
    number(&folder.join("out.db"), "SELECT count(*) FROM _pages")
}

fn problems(folder: &Path, kind: &str) -> i64 {
    number(&folder.join("out.db"), &format!("SELECT count(*) FROM _problems WHERE kind = '{kind}'"))
}

/// Runs on a bad page beside a good one: both must be in the database.
fn bad_page(bytes: &[u8]) -> tempfile::TempDir {
    let folder = folder_with(&[("bad.html", bytes)]);
    run(&folder.path().join("in"), folder.path()).ends(0);
    assert_eq!(pages(folder.path()), 2);
    folder
}

#[test]
fn half_a_million_nested_tags() {
    let folder = bad_page("<div>".repeat(500_000).as_bytes());
    assert_eq!(problems(folder.path(), "limit"), 1);
    bad_page("<b><i>".repeat(250_000).as_bytes());
    bad_page("<table><tr><td>".repeat(166_667).as_bytes());
}

#[test]
fn an_empty_page() {
    let folder = folder_with(&[("empty.html", b"")]);
    let run = run(&folder.path().join("in"), folder.path()).ends(3);
    assert!(run.stdout.contains("Problems: 1 unreadable"), "{}", run.stdout);
    assert_eq!(pages(folder.path()), 1);
}

#[test]
fn random_bytes() {
    let mut state = 42u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    let bytes: Vec<u8> = (0..300_000).map(|_| next()).collect();
    bad_page(&bytes);
    // As a source of its own nobody can tell what it is meant to be.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise");
    fs::write(&file, &bytes).unwrap();
    run(&file, folder.path()).ends(1).says(&["error: cannot tell what", "noise", "Known sources"]);
    assert!(!folder.path().join("out.db").exists());
}

#[test]
fn an_attribute_of_three_megabytes() {
    bad_page(format!("<p title=\"{}\">text</p>", "x".repeat(3 << 20)).as_bytes());
    bad_page(format!("<p {}>text</p>", "a ".repeat(1 << 20)).as_bytes());
}

#[test]
fn spans_beyond_all_numbers() {
    let cell = "<tr><td colspan=9007199254740993 rowspan=99999999999>x</td><td colspan=-1>y</td></tr>";
    bad_page(format!("<table>{}</table>", cell.repeat(50)).as_bytes());
}

#[test]
fn an_empty_file_as_the_source() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["empty.html", "empty.warc", "empty.jsonl", "empty"] {
        let file = folder.path().join(name);
        fs::write(&file, b"").unwrap();
        run(&file, folder.path()).ends(5).says(&["error:", name, "is empty"]);
    }
}

#[test]
fn a_folder_without_pages() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/notes.txt"), "no page").unwrap();
    fs::write(folder.path().join("out.db"), "old").unwrap();
    run(&folder.path().join("in"), folder.path()).ends(5).says(&["holds no HTML pages", "1 other file"]);
    assert_eq!(fs::read_to_string(folder.path().join("out.db")).unwrap(), "old");
}

#[test]
fn a_warc_without_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("info.warc");
    fs::write(&file, "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n").unwrap();
    run(&file, folder.path()).ends(5).says(&["holds no pages"]);
    assert!(!folder.path().join("out.db").exists());
}

#[test]
fn a_folder_with_one_page() {
    let folder = folder_with(&[]);
    run(&folder.path().join("in"), folder.path()).ends(0);
    assert_eq!(pages(folder.path()), 1);
}

#[test]
fn two_pages_with_the_same_url() {
    let folder = tempfile::tempdir().unwrap();
    let line = |text: &str| format!("{{\"url\": \"http://a.test/1\", \"html\": \"<h1>{text}</h1>\"}}\n");
    let file = folder.path().join("two.jsonl");
    fs::write(&file, line("one") + &line("two")).unwrap();
    let run = run(&file, folder.path()).ends(0).says(&["warning: 1 page with the URL of another page"]);
    assert!(run.stdout.contains("1 duplicate"), "{}", run.stdout);
    assert_eq!((pages(folder.path()), problems(folder.path(), "duplicate")), (2, 1));
}

#[test]
fn a_truncated_gzip_and_a_warc_cut_in_the_middle() {
    let site = small_site();
    let all = site.pages.len();
    for (name, compressed) in [("cut.warc.gz", true), ("cut.warc", false)] {
        let whole = warc_file(&site, 0..all, compressed);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        let run = run(&file, folder.path()).ends(3).says(&["warning: part of the source could not be read"]);
        assert!(run.stdout.contains("Problems: 1 truncated"), "{}", run.stdout);
        let read = pages(folder.path());
        assert!(read > all as i64 / 4 && read < all as i64, "{read} of {all}");
        assert_eq!(problems(folder.path(), "truncated"), 1);
    }
}

/// A gigabyte and a half of address space is far more than these need and far less than they ask for.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_bounded() {
    let folder = folder_with(&[
        ("deep.html", "<div>".repeat(500_000).as_bytes()),
        ("attribute.html", format!("<p title=\"{}\">", "x".repeat(3 << 20)).as_bytes()),
        ("span.html", "<table><tr><td colspan=9007199254740993>x</table>".as_bytes()),
    ]);
    let bomb = folder.path().join("bomb.jsonl.gz");
    let mut encoder = GzEncoder::new(fs::File::create(&bomb).unwrap(), Compression::fast());
    encoder.write_all(b"{\"url\": \"http://a.test/1\", \"html\": \"<h1>x</h1>\"}\n{\"html\": \"").unwrap();
    for _ in 0..256 {
        encoder.write_all(&[b'a'; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap();
    for (source, count) in [(folder.path().join("in"), 4), (bomb, 1)] {
        let status = Command::new("sh")
            .args([
                "-c",
                "ulimit -v 1500000 && exec \"$0\" run \"$1\" -o \"$2\" --replace --quiet --threads 2",
            ])
            .arg(env!("CARGO_BIN_EXE_unsite"))
            .args([&source, &folder.path().join("out.db")])
            .status()
            .unwrap();
        assert!(matches!(status.code(), Some(0 | 3)), "{}: {status}", source.display());
        assert_eq!(pages(folder.path()), count);
        assert!(problems(folder.path(), "limit") > 0);
    }
}

#[test]
fn a_bad_line_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("site.jsonl");
    fs::write(&file, "{\"url\": \"http://a.test/1\", \"html\": \"<h1>x</h1>\"}\n{broken\n").unwrap();
    let run = run(&file, folder.path()).ends(3);
    assert!(run.stdout.contains("Problems: 1 unreadable"), "{}", run.stdout);
    assert_eq!(pages(folder.path()), 1);
}

#[test]
fn limits_can_be_set_and_are_told() {
    let folder = folder_with(&[("long.html", "<p>text</p>".repeat(1000).as_bytes())]);
    let (source, output) = (folder.path().join("in"), folder.path().join("out.db"));
    for (flag, value) in [("--max-page-bytes", "2000"), ("--max-nodes", "100"), ("--max-depth", "2")] {
        unsite(&[&"run", &source, &"-o", &output, &flag, &value]).ends(0);
        assert!(problems(folder.path(), "limit") > 0, "{flag}");
        unsite(&[&"run", &source, &"-o", &output, &flag, &"0"]).ends(2).says(&["must be at least 1"]);
    }
}

#[test]
fn nothing_of_a_site_reaches_the_terminal_as_a_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for at in 0..5 {
        let page = format!("<h1>\u{1b}]0;title {at}\u{7}</h1><p>Price: <b>\u{1b}[31m{at}\u{9b}</b></p>");
        fs::write(folder.path().join(format!("in/{at}.html")), page).unwrap();
    }
    let run = run(&folder.path().join("in"), folder.path()).ends(0);
    for text in [run.stdout, run.stderr] {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_anything_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    save_folder(&small_site(), &folder.path().join("in"));
    let source = folder.path().join("in");
    let missing = folder.path().join("none/out.db");
    unsite(&[&"run", &source, &"-o", &missing]).ends(1).says(&["there is no folder", "create it first"]);
    unsite(&[&"run", &source, &"-o", &"out.xlsx"]).ends(1).says(&["out.xlsx", ".db", ".csv", ".jsonl"]);
}

/// Pages with so many rows that what is read off all of them at once would take gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_by_nodes_and_not_by_pages() {
    let folder = tempfile::tempdir().unwrap();
    let page = |at: usize, rows: usize| {
        let rows: String = (0..rows)
            .map(|row| {
                format!("<tr><td>{}<td>Item {row}<td><a href=/i/{at}-{row}>more</a>", at * 7919 % 1003 + row)
            })
            .collect();
        let html = format!("<title>List {at}</title><h1>List {at}</h1><table>{rows}</table>");
        serde_json::json!({"url": format!("http://a.test/list/{at}"), "html": html}).to_string() + "\n"
    };
    let source = folder.path().join("lists.jsonl");
    let output = folder.path().join("out.db");
    let mut file = fs::File::create(&source).unwrap();
    for at in 0..48 {
        file.write_all(page(at, 12_000).as_bytes()).unwrap();
    }
    drop(file);
    let status = Command::new("sh")
        .args(["-c", "ulimit -v 2600000 && exec \"$0\" run \"$1\" -o \"$2\" --quiet --threads 2"])
        .arg(env!("CARGO_BIN_EXE_unsite"))
        .args([&source, &output])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(pages(folder.path()), 48);
    let tables = "SELECT name FROM _tables WHERE parent IS NOT NULL LIMIT 1";
    let table: String =
        rusqlite::Connection::open(&output).unwrap().query_row(tables, [], |row| row.get(0)).unwrap();
    assert_eq!(number(&output, &format!("SELECT count(*) FROM {table}")), 48 * 12_000);
}
