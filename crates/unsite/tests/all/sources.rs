//! Every kind of source and output, through the whole program.

use std::fs;
use std::path::Path;

use crate::support::{
    Run, dump, gold_site, json_lines, number, save_folder, small_site, unsite, unsite_with_input, warc_file,
};

/// Runs on the source and says how many pages and cells the database has.
fn counts(source: &Path, folder: &Path) -> (i64, i64) {
    let db = folder.join("out.db");
    unsite(&[&"run", &source, &"-o", &db, &"--replace"]).ends(0);
    (number(&db, "SELECT count(*) FROM _pages"), number(&db, "SELECT count(*) FROM _cells"))
}

#[test]
fn every_source_gives_the_same_tables() {
    let site = small_site();
    let all = site.pages.len();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    save_folder(&site, &at("saved"));
    fs::write(at("site.jsonl"), json_lines(&site, 0..all)).unwrap();
    fs::write(at("site.warc"), warc_file(&site, 0..all, false)).unwrap();
    fs::write(at("site.warc.gz"), warc_file(&site, 0..all, true)).unwrap();
    fs::write(at("site.tar.zst"), gold_site(&site)).unwrap();
    let want = counts(&at("saved"), folder.path());
    assert_eq!(want.0, all as i64);
    assert!(want.1 > 500, "{want:?}");
    for name in ["site.jsonl", "site.warc", "site.warc.gz", "site.tar.zst"] {
        assert_eq!(counts(&at(name), folder.path()), want, "{name}");
    }
}

#[test]
fn standard_input_is_a_source() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("out.db");
    let lines = json_lines(&site, 0..site.pages.len());
    unsite_with_input(&[&"run", &"-", &"-o", &db], lines.as_bytes()).ends(0);
    assert_eq!(number(&db, "SELECT count(*) FROM _pages"), site.pages.len() as i64);
    assert_eq!(
        number(&db, "SELECT count(*) FROM _meta WHERE key = 'source' AND value = 'standard input'"),
        1
    );
}

#[test]
fn csv_and_json_lines_hold_the_same_rows() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    let run =
        |output: &Path| -> Run { unsite(&[&"run", &at("site.jsonl"), &"-o", &output, &"--json"]).ends(0) };
    let summary = run(&at("out.db")).json();
    run(&at("csv.csv"));
    run(&at("lines.ndjson"));
    let tables = summary["tables"].as_array().unwrap();
    assert!(tables.len() > 1);
    for table in tables {
        let (name, rows) = (table["name"].as_str().unwrap(), table["rows"].as_u64().unwrap() as usize);
        let lines = fs::read_to_string(at("lines").join(format!("{name}.ndjson")))
            .or_else(|_| fs::read_to_string(at("lines").join(format!("{name}.jsonl"))))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(lines.lines().count(), rows, "{name}");
        let csv = fs::read_to_string(at("csv").join(format!("{name}.csv"))).unwrap();
        assert!(csv.lines().count() > rows, "{name}");
    }
    for name in ["_pages", "_cells", "_columns", "_page_types", "_meta", "_problems"] {
        assert!(at("csv").join(format!("{name}.csv")).is_file(), "{name}");
    }
}

#[test]
fn running_again_adds_what_is_new_and_doubles_nothing() {
    let site = small_site();
    let all = site.pages.len();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("some.jsonl"), json_lines(&site, 0..all - 3)).unwrap();
    fs::write(at("all.jsonl"), json_lines(&site, 0..all)).unwrap();
    let run = |source: &str, more: &str| -> serde_json::Value {
        unsite(&[&"run", &at(source), &"-o", &at("out.db"), &"--json", &more]).ends(0).json()
    };
    assert!(run("some.jsonl", "--quiet")["merged"].is_null(), "there was nothing");
    let urls = |more: &str| number(&at("out.db"), &format!("SELECT count({more} url) FROM _pages"));
    assert_eq!(
        run("some.jsonl", "--quiet")["merged"],
        serde_json::json!({"added": 0, "changed": 0, "removed": 0, "set_aside": 0})
    );
    assert_eq!(urls(""), all as i64 - 3);
    run("all.jsonl", "--quiet");
    assert_eq!((urls(""), urls("DISTINCT")), (all as i64, all as i64));
    assert!(run("some.jsonl", "--replace")["merged"].is_null());
    assert_eq!(urls(""), all as i64 - 3);
}

#[test]
fn parquet_files_come_with_a_data_package() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    let summary = unsite(&[&"run", &at("site.jsonl"), &"-o", &at("out.parquet/"), &"--json"]).ends(0).json();
    let package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(at("out.parquet/datapackage.json")).unwrap()).unwrap();
    for table in summary["tables"].as_array().unwrap() {
        let file = at("out.parquet").join(format!("{}.parquet", table["name"].as_str().unwrap()));
        let rows = unsite_store::records_io::read_records(file.to_str().unwrap()).unwrap().rows.len();
        assert_eq!(table["rows"], rows, "{table}");
        let resources = package["resources"].as_array().unwrap();
        assert!(resources.iter().any(|resource| resource["title"] == table["name"]), "{package}");
    }
}

/// A disk of a hundred kilobytes, where the test may make one.
#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stderr)]
fn a_full_disk_is_told_and_leaves_what_was_there() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    fs::create_dir(at("disk")).unwrap();
    let script = "mount -t tmpfs -o size=100k none \"$1\" || exit 77
        for name in out.csv out.parquet out.db; do
            echo old > \"$1/old\"
            \"$0\" run \"$2\" -o \"$1/$name\" --quiet && exit 78
            test \"$(ls -A \"$1\")\" = old || exit 79
        done";
    let run = std::process::Command::new("unshare")
        .args(["-m", "sh", "-c", script, env!("CARGO_BIN_EXE_unsite")])
        .args([at("disk"), at("site.jsonl")])
        .output();
    let Some(run) = run.ok().filter(|run| !matches!(run.status.code(), Some(1 | 77))) else {
        eprintln!("skipped: no file system of our own can be mounted here");
        return;
    };
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{} {said}", run.status);
    assert_eq!(said.matches("no space left while writing").count(), 3, "{said}");
}

#[test]
fn a_small_sample_still_extracts_every_page() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    let run = unsite(&[&"run", &at("site.jsonl"), &"-o", &at("out.db"), &"--sample", &"20"]).ends(0);
    assert!(run.stdout.contains("Learned from 20 pages"), "{}", run.stdout);
    assert_eq!(number(&at("out.db"), "SELECT count(*) FROM _pages"), site.pages.len() as i64);
}

#[test]
fn the_database_is_identical_whatever_the_threads_and_the_order() {
    let site = small_site();
    let all = site.pages.len();
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, bytes: &[u8], source: &str, more: &[&str]| -> String {
        // The same file name in another folder: the name is part of what the database says.
        let here = folder.path().join(name);
        fs::create_dir_all(&here).unwrap();
        fs::write(here.join(source), bytes).unwrap();
        let db = here.join("out.db");
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"run", &"--quiet"];
        let (source, output) = (here.join(source), db.clone());
        arguments.extend([&source as &dyn AsRef<std::ffi::OsStr>, &"-o", &output]);
        arguments.extend(more.iter().map(|flag| flag as &dyn AsRef<std::ffi::OsStr>));
        assert_eq!(unsite(&arguments).ends(0).stdout, "");
        dump(&db)
    };
    for more in [&[][..], &["--sample", "20"]] {
        let with = |flags: &[&'static str]| -> Vec<&str> { [more, flags].concat() };
        let warc = warc_file(&site, 0..all, false);
        let want = run("one", &warc, "site.warc", &with(&["--threads", "1"]));
        assert!(want.len() > 10_000);
        assert_eq!(run("four", &warc, "site.warc", &with(&["--threads", "4"])), want);
        assert_eq!(run("again", &warc, "site.warc", &with(&[])), want);
        let reversed = warc_file(&site, (0..all).rev(), false);
        assert_eq!(run("reversed", &reversed, "site.warc", &with(&["--threads", "4"])), want);

        // A line's number is its page's name, so that it is the one thing that may differ.
        let without_lines = |dump: String| -> String {
            dump.lines().map(|line| line.split("\"line ").next().unwrap_or(line).to_owned() + "\n").collect()
        };
        let shuffled = (0..all).map(|at| (at * 7 + 3) % all);
        assert!(!all.is_multiple_of(7), "7 must go through all pages");
        let lines = run("lines", json_lines(&site, 0..all).as_bytes(), "site.jsonl", &with(&[]));
        let other =
            run("shuffled", json_lines(&site, shuffled).as_bytes(), "site.jsonl", &with(&["--threads", "3"]));
        assert_eq!(without_lines(other), without_lines(lines));
    }
}
