//! `unsite crawl` and `unsite run URL` as people use them: exit codes, Ctrl-C, full disks, kills.

#![allow(clippy::print_stdout, reason = "tests say what they skipped and counted")]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::kills::{Running, archived, kill_again_and_again, site};
use crate::server::{Answer, Server};
use crate::support::{program, small_site, unsite};

fn crawl(server: &Server, output: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["crawl", &server.url("/"), "--delay", "0", "--allow-private", "-o"]).arg(output).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_site_is_crawled_and_the_archive_is_read() {
    let server = Server::start(site(40));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("pages.warc.gz");
    let (code, stdout, stderr) = run(&mut crawl(&server, &output, &[]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("40 pages in "), "{stdout}");
    assert!(stderr.contains("unsite run"));
    assert_eq!(archived(&output).len(), 40);
    let (code, _, stderr) = run(&mut crawl(&server, &output, &[]));
    assert_eq!(code, 1);
    assert!(stderr.contains("--resume") && stderr.contains("--changed-only"), "{stderr}");
    let (code, stdout, _) = run(&mut crawl(&server, &output, &["--changed-only", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["unchanged"], &report["pages"]), (0, &40.into(), &40.into()));
}

#[test]
fn an_address_is_a_source_for_run() {
    let sample = small_site();
    let pages: BTreeMap<String, String> =
        sample.pages.iter().map(|page| (path_of(&page.url), page.html.clone())).collect();
    let links: String = pages.keys().map(|path| format!("<a href='{path}'>x</a>")).collect();
    let server = Server::start(move |asked| match pages.get(&asked.target) {
        Some(html) => Answer::html(html.clone()),
        None if asked.path() == "/all" => Answer::html(links.clone()),
        None => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("shop.db");
    let address = server.url("/all");
    let fetching: [&dyn AsRef<OsStr>; 3] = [&"--allow-private", &"--delay", &"0"];
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"run", &address, &"-o", &output];
    unsite(&[&arguments[..], &fetching].concat()).ends(0);
    assert!(output.is_file() && folder.path().join("shop.warc.gz").is_file());
    unsite(&arguments).ends(1).says(&["--resume"]);
}

fn path_of(url: &str) -> String {
    let url = url::Url::parse(url).unwrap();
    url[url::Position::BeforePath..].to_owned()
}

#[test]
fn private_addresses_need_permission() {
    let server = Server::start(site(3));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let address = server.url("/");
    unsite(&[&"crawl", &address, &"-o", &output]).ends(1).says(&["loopback", "--allow-private"]);
    assert!(server.asked().is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    for (address, why) in [("ftp://a.test/", "only http and https"), ("http://", "no web address")] {
        unsite(&[&"crawl", &address, &"-o", &output]).ends(2).says(&[why]);
    }
    unsite(&[&"crawl", &address, &"-o", &"pages.txt"]).ends(1).says(&[".warc.gz", ".wacz"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    let server = Server::start(site(5000));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let running = Running::start(crawl(&server, &output, &[]).arg("--print-saved"));
    let first = running.lines.recv().unwrap();
    let pid = running.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let (code, mut saved) = running.rest();
    assert_eq!(code, Some(3));
    saved.push(first);
    let there = archived(&output);
    assert_eq!(saved.iter().cloned().collect::<BTreeSet<_>>(), there.keys().cloned().collect());
    assert!(there.len() < 5000 && there.values().all(|count| *count == 1));
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let server = Server::start(site(3000));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let plain = crawl(&server, &output, &["--print-saved"]);
    // Files may have 2,000 blocks of 512 bytes, as if the disk had no more.
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args());
    let (code, stdout, stderr) = run(&mut limited);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("everything saved so far is good"), "{stderr}");
    let saved: BTreeSet<String> = stdout.lines().map(str::to_owned).collect();
    let (code, stdout, stderr) = run(&mut crawl(&server, &output, &["--print-saved", "--resume"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.lines().all(|line| !saved.contains(line)));
    let there = archived(&output);
    assert_eq!(there.len(), 3000);
    assert!(there.values().all(|count| *count == 1));
}

fn resumed(server: &Server, output: &Path) -> Command {
    crawl(server, output, &["--print-saved", "--resume"])
}

#[test]
fn kills_lose_nothing() {
    assert_eq!(kill_again_and_again(300, 25, 0x5eed, &resumed), 25);
}

/// The long version: `cargo test --release -p unsite --test all crawl -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_kills_lose_nothing() {
    let killed = kill_again_and_again(2000, 1000, 0xfeed, &resumed);
    println!("{killed} kills over 2,000 pages: 0 pages lost, 0 fetched twice");
}

#[test]
fn what_is_missing_is_said_and_ends_with_three() {
    let sound = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let now = sound.clone();
    let server = Server::start(move |asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => {
            Answer::html((0..30).map(|n| format!("<a href=/{n}>Thing number{n}x</a>")).collect::<String>())
        }
        "/7" if !now.load(std::sync::atomic::Ordering::SeqCst) => Answer::status(503),
        path => {
            Answer::html(format!("<h1>Thing number{}x</h1><p>Price <b>{}.00</b></p>", &path[1..], path.len()))
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let (code, stdout, stderr) = run(&mut crawl(&server, &output, &["--tries", "1"]));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("1 address could not be fetched; --resume tries again"), "{stderr}");
    assert!(stdout.contains("30 pages in"), "{stdout}");
    // Everything else is done with the pages that there are.
    let database = folder.path().join("site.db");
    let address = server.url("/");
    let arguments: [&dyn AsRef<OsStr>; 9] =
        [&"run", &address, &"-o", &database, &"--allow-private", &"--delay", &"0", &"--tries", &"1"];
    unsite(&arguments).ends(3).says(&["could not be fetched"]);
    assert!(database.is_file());
    sound.store(true, std::sync::atomic::Ordering::SeqCst);
    let (code, stdout, stderr) = run(&mut crawl(&server, &output, &["--resume"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("31 pages in"), "{stdout}");
}

#[test]
fn a_trap_is_counted_and_fetched_on_request() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html("<a href='/calendar?m=1'>events</a>"),
        "/calendar" => {
            let month: u32 = asked.target.rsplit('=').next().unwrap().parse().unwrap();
            Answer::html(format!("<h1>Month {month}</h1><a href='/calendar?m={}'>next</a>", month + 1))
        }
        _ => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.warc.gz");
    let (code, stdout, stderr) = run(&mut crawl(&server, &output, &[]));
    assert_eq!(code, 3, "{stderr}");
    assert!(
        stderr.contains("looks like a trap") && stderr.contains("--resume --no-traps fetches them"),
        "{stderr}"
    );
    assert!(stdout.contains("1  left alone in traps"), "{stdout}");
    let (code, stdout, stderr) =
        run(&mut crawl(&server, &output, &["--resume", "--no-traps", "--max-pages", "9", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &report["saved"], &report["trapped"]), (0, &9.into(), &0.into()), "{stderr}");
}

#[test]
fn nofollow_is_named_as_the_reason() {
    let server = Server::start(|asked| match asked.path() {
        "/" => Answer::html("<meta name=robots content=nofollow><a href=/a>a</a>"),
        "/a" => Answer::html("another"),
        _ => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let (code, _, stderr) = run(&mut crawl(&server, &folder.path().join("x.warc.gz"), &[]));
    assert!(code == 0 && stderr.contains("nofollow") && stderr.contains("--ignore-nofollow"), "{stderr}");
    let (code, stdout, _) =
        run(&mut crawl(&server, &folder.path().join("y.warc.gz"), &["--ignore-nofollow"]));
    assert!(code == 0 && stdout.contains("2 pages in"), "{stdout}");
}

#[test]
fn an_odd_sitemap_hangs_nothing() {
    let server = Server::start(|asked| match asked.path() {
        "/sitemap.xml" => {
            Answer::xml("<?xml version='1.0' encoding=“UTF-8”?><urlset><loc>/mapped</loc></urlset>")
        }
        "/" | "/mapped" => Answer::html(asked.path()),
        _ => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = run(&mut crawl(&server, &folder.path().join("x.wacz"), &[]));
    assert!(code == 0 && stdout.contains("2 pages in"), "{stdout}{stderr}");
}
