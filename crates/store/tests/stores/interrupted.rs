//! A process that is killed while it writes leaves the old output or the new one, whole.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::*;
use unsite_store::{Output, Sink};
use unsite_wrapper::{PageRecord, Typed};

/// Names the target for the process that is going to be killed.
const TARGET: &str = "UNSITE_TEST_TARGET";
const KILLS: u64 = 6;

/// One of two contents of the same size: everything in it says which.
fn pages(version: u64) -> Vec<PageRecord> {
    let mut pages: Vec<PageRecord> = (0..300).map(book).collect();
    for cell in pages.iter_mut().flat_map(|page| &mut page.rows).flat_map(|row| &mut row.cells) {
        cell.value = format!("version {version} {}", cell.value);
        cell.typed = Typed::Not;
    }
    pages
}

fn write_version(target: &Path, version: u64) {
    let out = Output::parse(target).unwrap();
    let mut sink = Sink::create(&out, &bookshop_schema(), &meta()).unwrap();
    pages(version).iter().for_each(|page| sink.page(page).unwrap());
    sink.finish().unwrap();
}

/// Writes one version after the other until it is killed. Does nothing unless it is told where.
#[test]
#[allow(clippy::print_stdout)]
fn writer() {
    let Some(target) = std::env::var_os(TARGET) else { return };
    for version in 0.. {
        write_version(Path::new(&target), version % 2);
        println!("written");
    }
}

/// How many values of either version stand there; `Err` if files are missing or the database is broken.
fn look(target: &Path) -> Result<[usize; 2], String> {
    let texts: Vec<String> = if target.is_dir() {
        let files = names(target);
        let listed = read(target.join(".unsite-files"));
        let missing: Vec<&str> =
            listed.lines().filter(|name| !files.iter().any(|file| file == name)).collect();
        if !missing.is_empty() || files.len() != listed.lines().count() + 1 {
            return Err(format!("{missing:?} of {files:?}"));
        }
        ["book", "review", "_cells"]
            .iter()
            .flat_map(|table| {
                let name = files.iter().find(|name| name.starts_with(table)).unwrap();
                let table =
                    unsite_store::records_io::read_records(target.join(name).to_str().unwrap()).unwrap();
                table.rows.into_iter().flatten().flatten()
            })
            .collect()
    } else {
        let db = rusqlite::Connection::open(target).map_err(|e| e.to_string())?;
        if ask(&db, "PRAGMA integrity_check") != ["ok"] {
            return Err("not a whole database".to_owned());
        }
        let mut texts = ask(&db, "SELECT title FROM book");
        texts.extend(ask(&db, "SELECT text FROM review"));
        texts.extend(ask(&db, "SELECT value FROM _cells"));
        texts
    };
    let count = |version| texts.iter().filter(|text| text.starts_with(&format!("version {version}"))).count();
    Ok([count(0), count(1)])
}

#[test]
fn a_killed_writer_leaves_a_whole_output() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["site.db", "site.csv/", "site.jsonl/", "site.parquet/"] {
        let target = folder.path().join(name);
        write_version(&target, 0);
        let [whole, none] = look(&target).unwrap();
        assert!(whole > 2000 && none == 0);
        for kill in 0..KILLS {
            let mut writer = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "interrupted::writer", "--nocapture"])
                .env(TARGET, &target)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut said = BufReader::new(writer.stdout.take().unwrap()).lines();
            // At least once it wrote; then it is killed somewhere on the way.
            while !said.next().unwrap().unwrap().contains("written") {}
            std::thread::sleep(Duration::from_millis(7 * kill));
            writer.kill().unwrap();
            writer.wait().unwrap();
            let there = look(&target).unwrap_or_else(|wrong| panic!("{name} after kill {kill}: {wrong}"));
            assert!(
                there == [whole, 0] || there == [0, whole],
                "{name} after kill {kill}: {there:?} of {whole}"
            );
        }
        // What a killed writer left behind is in nobody's way.
        write_version(&target, 1);
        assert_eq!(look(&target), Ok([0, whole]), "{name}");
    }
}
