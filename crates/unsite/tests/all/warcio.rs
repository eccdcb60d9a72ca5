//! What we write is opened by another implementation, warcio from PyPI, and read back equal.

#![allow(clippy::print_stdout, reason = "tests say what they skipped and counted")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{Answer, Server};
use crate::support::unsite;

/// Prints each record as a line: kind, address, status, payload with its encoding undone; bad digests end it.
const READ: &str = r#"
import sys, hashlib, json
from warcio.archiveiterator import ArchiveIterator
with open(sys.argv[1], 'rb') as stream:
    for record in ArchiveIterator(stream, check_digests='raise'):
        payload = record.content_stream().read()
        status = record.http_headers.get_statuscode() if record.rec_type == 'response' else ''
        print(json.dumps([record.rec_type, record.rec_headers.get_header('WARC-Target-URI'), status,
                          payload.decode('utf-8', 'replace') if record.rec_type == 'response' else '']))
"#;

#[test]
fn warcio_reads_what_we_wrote() {
    let Some(python) = python_with("warcio", "1.8.1") else { return };
    let body = "<title>Ünïcode</title><p>compressed <a href=/plain>next</a>";
    let packed = move || {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(body.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<p>chu\r\n4\r\nnked\r\n0\r\n\r\n";
    let server = Server::start(move |asked| match asked.path() {
        "/" => Answer::Whole(
            200,
            vec![
                ("Content-Type".into(), "text/html; charset=utf-8".into()),
                ("Content-Encoding".into(), "gzip".into()),
            ],
            packed(),
        ),
        "/plain" => Answer::html("<p>plain<a href=/chunked>c</a><a href=/old>o</a>"),
        "/chunked" => Answer::Raw(chunked.as_bytes().to_vec()),
        "/old" => Answer::redirect("/"),
        _ => Answer::status(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("pages.warc.gz");
    let address = server.url("/");
    unsite(&[&"crawl", &address, &"-o", &output, &"--allow-private", &"--delay", &"0"]).ends(0);
    let records = read_with(&python, &output);
    let count = |kind: &str| records.iter().filter(|record| record[0] == kind).count();
    assert_eq!((count("warcinfo"), count("response"), count("request")), (1, 4, 4));
    let pages: BTreeMap<&str, (&str, &str)> = records
        .iter()
        .filter(|record| record[0] == "response")
        .map(|record| {
            (record[1].as_str().unwrap(), (record[2].as_str().unwrap(), record[3].as_str().unwrap()))
        })
        .collect();
    assert_eq!(pages[server.url("/").as_str()], ("200", body));
    assert_eq!(pages[server.url("/chunked").as_str()], ("200", "<p>chunked"));
    assert_eq!(pages[server.url("/old").as_str()], ("302", ""));
}

fn read_with(python: &Path, archive: &Path) -> Vec<serde_json::Value> {
    let output = Command::new(python).args(["-c", READ]).arg(archive).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A Python that has the package, in an environment of its own below the target folder; says so if there is none.
fn python_with(package: &str, version: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{package}-{version}"));
    let python = folder.join("bin/python");
    let has_it = || {
        Command::new(&python)
            .args(["-c", &format!("import {package}")])
            .output()
            .is_ok_and(|run| run.status.success())
    };
    if has_it() {
        return Some(python);
    }
    let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).output();
    if !made.is_ok_and(|run| run.status.success()) {
        println!("skipped: python3 with venv is not here");
        return None;
    }
    let wanted = format!("{package}=={version}");
    let installed = Command::new(&python).args(["-m", "pip", "install", "--quiet", &wanted]).output();
    if !installed.is_ok_and(|run| run.status.success()) || !has_it() {
        println!("skipped: {wanted} cannot be had from PyPI");
        return None;
    }
    Some(python)
}
