//! Sites that are asked while they run: search forms are questioned, scripts rendered, wishes of the site heard.

#![allow(clippy::print_stdout, reason = "tests say what they skipped")]

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::kills::{archived, site};
use crate::server::{Answer, Asked, Server};
use crate::support::{Run, dump, number, program, unsite};
use unsite_acquire::browser::find_browser;

/// 120 teas behind a search form, ten to a page; the list is never shown whole.
fn teas(asked: &Asked) -> Answer {
    let value = |name: &str| {
        let query = asked.target.split_once('?').map_or("", |(_, query)| query);
        query
            .split('&')
            .find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
            .unwrap_or("")
            .to_lowercase()
    };
    let form = "<html lang=en><form action=/find><input type=search name=words></form>";
    let name = |n: usize| {
        let (colour, place) =
            (["green", "black", "white", "red"][n % 4], ["garden", "river", "valley"][n % 3]);
        format!("{colour} tea of the {place} number{n:03}x")
    };
    match asked.path() {
        "/" => Answer::html(form),
        "/find" => {
            let (word, page) = (value("words"), value("p").parse().unwrap_or(1_usize));
            let all: Vec<usize> = (0..120).filter(|n| name(*n).split(' ').any(|part| part == word)).collect();
            if all.is_empty() {
                return Answer::html(format!("{form}<p class=none>Nothing matches {word}.</p>"));
            }
            let row =
                |n: &usize| format!("<li><a href=/tea/{n}>{}</a> <b>{}.50 EUR</b></li>", name(*n), n + 3);
            let rows: String = all.iter().skip(10 * (page - 1)).take(10).map(row).collect();
            let next = if all.len() > 10 * page {
                format!("<a href='/find?words={word}&p={}'>Next page</a>", page + 1)
            } else {
                String::new()
            };
            Answer::html(format!(
                "{form}<h2>{} teas for {word}</h2><ul class=hits>{rows}</ul>{next}",
                all.len()
            ))
        }
        _ => Answer::status(404),
    }
}

/// What every command needs to fetch from loopback without pauses.
const HERE: [&str; 3] = ["--allow-private", "--delay", "0"];

fn fetch(arguments: &[&dyn AsRef<OsStr>]) -> Run {
    let here: Vec<&dyn AsRef<OsStr>> = HERE.iter().map(|text| text as &dyn AsRef<OsStr>).collect();
    unsite(&[arguments, &here].concat())
}

#[test]
fn a_search_form_gives_its_rows_away() {
    let server = Server::start(teas);
    let folder = tempfile::tempdir().unwrap();
    let (archive, address) = (folder.path().join("teas.warc.gz"), server.url("/"));
    let report = fetch(&[&"probe", &address, &"-o", &archive, &"--json"]).ends(0).json();
    assert_eq!((&report["form"]["method"], &report["form"]["field"]), (&"GET".into(), &"words".into()));
    let classes: Vec<(&str, u64)> = report["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| (class["class"].as_str().unwrap(), class["queries"].as_u64().unwrap()))
        .collect();
    assert!(classes.iter().all(|(name, count)| (*name == "error") == (*count == 0)), "{classes:?}");
    assert_eq!(report["results"], 120, "{report}");
    assert!(report["queries"].as_array().unwrap().len() <= 110);
    fetch(&[&"probe", &address, &"-o", &archive]).ends(1).says(&["is there already"]);
    // The command that does both finds the same rows.
    let output = folder.path().join("teas.db");
    std::fs::remove_file(&archive).unwrap();
    let run = fetch(&[&"run", &address, &"--probe", &"-o", &output]).ends(0);
    assert!(archive.is_file(), "{}", run.stderr);
    let tables = rusqlite::Connection::open(&output).unwrap();
    let names: Vec<String> = tables
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let most = names.iter().map(|name| number(&output, &format!("SELECT count(*) FROM \"{name}\""))).max();
    assert!(most >= Some(120), "{names:?} {most:?}");
}

#[test]
fn a_probe_says_why_it_cannot_ask() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /find"),
        "/nothing" => Answer::html("<h1>No form here</h1>"),
        "/login" => {
            Answer::html("<form method=post action=/in><input name=user><input type=password name=p></form>")
        }
        _ => teas(asked),
    });
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("x.warc.gz");
    for (path, why) in [("/nothing", "no search form"), ("/login", "no search form"), ("/", "robots.txt")] {
        fetch(&[&"probe", &server.url(path), &"-o", &archive]).ends(1).says(&[why]);
        assert!(!archive.exists(), "{path}");
    }
    fetch(&[&"probe", &server.url("/login"), &"-o", &archive, &"--form", &"1"]).ends(1).says(&["not sent"]);
    assert!(!server.targets().iter().any(|target| target.starts_with("/find") || target == "/in"));
    fetch(&[&"probe", &server.url("/"), &"-o", &folder.path().join("x.zip")]).ends(1).says(&[".warc.gz"]);
    unsite(&[&"probe", &server.url("/"), &"-o", &archive]).ends(1).says(&["loopback", "--allow-private"]);
}

#[test]
fn the_longer_delay_wins_and_is_said() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" => Answer::text("User-agent: *\nCrawl-delay: 0.2"),
        "/" => Answer::html("<a href=/x>x</a>"),
        "/x" => Answer::html("<h1>Another page</h1>"),
        _ => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    for (own, said) in
        [("0.05", "0.2 s between requests; the longer"), ("0.4", "--delay is longer and holds: 0.4 s")]
    {
        let archive = folder.path().join(format!("{own}.warc.gz"));
        let arguments: [&dyn AsRef<OsStr>; 7] =
            [&"crawl", &server.url("/"), &"-o", &archive, &"--allow-private", &"--delay", &own];
        unsite(&arguments).ends(0).says(&[said]);
        assert_eq!(archived(&archive).len(), 2);
    }
}

/// A shop whose list and whose pages are made by scripts; lists stand left, things right.
fn scripted(asked: &Asked, changed: bool) -> Answer {
    let script = |left: usize, body: &str| {
        Answer::html(format!(
            "<!doctype html><title>Shop</title><div id=app></div><script>document.getElementById('app').innerHTML = \
             `<div style='position:absolute;left:{left}px'>{body}</div>`</script>"
        ))
    };
    match asked.path() {
        "/" => {
            let row = |n: usize| format!("<li><a href=/thing/{n}>Thing number{n}x</a></li>");
            script(40, &format!("<ul>{}</ul>", (0..12).map(row).collect::<String>()))
        }
        path => match path.strip_prefix("/thing/").and_then(|n| n.parse::<usize>().ok()) {
            Some(n) if n < 12 => {
                let price = if changed && n == 3 { 99 } else { n + 5 };
                script(400, &format!("<h1>Thing number{n}x</h1><p>Price <b>{price}.00 EUR</b></p>"))
            }
            _ => Answer::status(404),
        },
    }
}

/// How many records of a kind an archive has.
fn records(archive: &Path, kind: &str) -> usize {
    let mut text = Vec::new();
    let file = std::fs::File::open(archive).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut text).unwrap();
    String::from_utf8_lossy(&text).matches(&format!("WARC-Type: {kind}\r\n")).count()
}

#[test]
fn lists_made_by_scripts_are_rendered_kept_and_read() {
    if find_browser().is_none() {
        println!("skipped: there is no Chromium on PATH (apt-get install chromium)");
        return;
    }
    let changed = Arc::new(AtomicBool::new(false));
    let later = changed.clone();
    let server = Server::start(move |asked| scripted(asked, later.load(Ordering::Relaxed)));
    let folder = tempfile::tempdir().unwrap();
    let (plain, archive) = (folder.path().join("plain.warc.gz"), folder.path().join("shop.warc.gz"));
    fetch(&[&"crawl", &server.url("/"), &"-o", &plain])
        .ends(0)
        .says(&["empty until its script", "--browser"]);
    assert_eq!(archived(&plain).len(), 1, "without a browser there are no links");
    fetch(&[&"crawl", &server.url("/"), &"-o", &archive, &"--browser"]).ends(0);
    assert_eq!(archived(&archive).len(), 13);
    assert_eq!((records(&archive, "response"), records(&archive, "conversion")), (13, 13));
    assert_eq!(records(&archive, "metadata"), 13, "where the texts stand");
    // The markup of all pages has one shape at the top; where the texts stand tells them apart.
    let types = unsite(&[&"pages", &archive, &"--only", &"layout", &"--json"]).ends(0).json();
    let sizes: Vec<u64> =
        types["page_types"].as_array().unwrap().iter().map(|kind| kind["pages"].as_u64().unwrap()).collect();
    assert!(sizes.contains(&12), "{types}");
    let database = folder.path().join("shop.db");
    unsite(&[&"run", &archive, &"-o", &database]).ends(0);
    assert_eq!(number(&database, "SELECT count(*) FROM thing"), 12);
    changed.store(true, Ordering::Relaxed);
    let again =
        fetch(&[&"crawl", &server.url("/"), &"-o", &archive, &"--browser", &"--changed-only", &"--json"]);
    let report = again.ends(0).json();
    assert_eq!((&report["changed"], &report["unchanged"]), (&1.into(), &12.into()), "{report}");
    assert_eq!((records(&archive, "response"), records(&archive, "conversion")), (13, 13));
    assert_eq!(archived(&archive).len(), 13);
    let database = folder.path().join("later.db");
    unsite(&[&"run", &archive, &"-o", &database]).ends(0);
    let rows = dump(&database);
    let things = || rows.lines().filter(|row| row.starts_with("INSERT INTO thing "));
    let row_of = |thing: &str, price: &str| things().any(|row| row.contains(thing) && row.contains(price));
    assert!(row_of("number3x", " 99.0,") && !row_of("number4x", " 99.0,"), "{rows}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_probe_with_what_it_has() {
    let server = Server::start(teas);
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("x.warc.gz");
    let mut command = program();
    command.args(["probe", &server.url("/"), "--allow-private", "--delay", "0.05", "-o"]).arg(&archive);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while server.targets().len() < 8 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("it was stopped"));
    assert!(archived(&archive).len() >= 4);
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_probe_with_what_it_has() {
    let server = Server::start(teas);
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("x.warc.gz");
    // Files may have 24 blocks of 512 bytes, as if the disk had no more.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 24; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_unsite"), "probe"])
        .args([&server.url("/"), "--allow-private", "--delay", "0", "-o"])
        .arg(&archive)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("cannot write to") && said.contains("everything saved so far is good"), "{said}");
    assert!(archived(&archive).len() >= 4, "what was written is whole");
}

#[test]
fn quiet_is_quiet() {
    let server = Server::start(site(30));
    let folder = tempfile::tempdir().unwrap();
    let run = fetch(&[&"crawl", &server.url("/"), &"-o", &folder.path().join("x.warc.gz"), &"-q"]).ends(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}
