//! `unsite eval`, `unsite gate` and the demo's comparison; agreement with the scorer outside of the project.
#![allow(clippy::print_stderr, reason = "a test that was skipped says so")]

use std::fs;
use std::process::Command;

use crate::support::{gold_archive, gold_site, root, small_site, unsite};

#[test]
fn the_sample_site_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let gold = folder.path().join("sample.tar.zst");
    fs::write(&gold, gold_site(&small_site())).unwrap();
    let run = unsite(&[&"eval", &gold, &"--set", &"fields,records,pages", &"--json"]).ends(0).json();
    assert_eq!(run["method"], "auto");
    let reports = run["reports"].as_array().unwrap();
    assert_eq!(
        reports.iter().map(|report| report["set"].as_str().unwrap()).collect::<Vec<_>>(),
        ["fields", "records", "pages"]
    );
    for report in reports {
        let f1 = report["mean"]["f1"].as_f64().unwrap();
        assert!((0.3..=1.0).contains(&f1), "{} {f1}", report["set"]);
    }
    let text = unsite(&[&"eval", &folder.path(), &"-v"]).ends(0).stdout;
    assert!(text.contains("MEAN fields:") && text.contains("book.title"), "{text}");
}

#[test]
fn a_site_can_be_left_out_of_the_training() {
    let folder = tempfile::tempdir().unwrap();
    for (name, seed) in [("one.tar.zst", 1), ("two.tar.zst", 2)] {
        let knobs = unsite::sample::Knobs { seed, ..small_site().knobs };
        fs::write(folder.path().join(name), gold_site(&unsite::sample::Site::generate(&knobs))).unwrap();
    }
    let run = |extra: &str| {
        let report = unsite(&[&"eval", &folder.path(), &"--set", &"pages", &"--json", &extra]).ends(0).json();
        report["reports"][0]["mean"]["f1"].as_f64().unwrap()
    };
    // Both samples are of one host, so that each is left out with the other and nothing is left to learn from.
    let (built_in, untrained) = (run("--quiet"), run("--leave-one-out"));
    assert!(untrained <= built_in && built_in > 0.9, "{untrained} {built_in}");
}

#[test]
fn the_demo_compares_whatever_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let compared = |name: &str| {
        let json = unsite(&[&"demo", &"-o", &folder.path().join(name), &"--json"]).ends(0).json();
        json["compared"].clone()
    };
    let database = compared("demo.db");
    for part in database["parts"].as_array().unwrap() {
        let (known, found) = (part["known"].as_u64().unwrap(), part["found"].as_u64().unwrap());
        assert!(found <= known, "{part}");
    }
    let found: u64 =
        database["parts"].as_array().unwrap().iter().map(|part| part["found"].as_u64().unwrap()).sum();
    assert!(found > 1500, "{database:#}");
    assert_eq!(compared("demo.csv"), database);
}

#[test]
fn several_jobs_give_the_same_report() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(format!("{name}.tar.zst")), gold_site(&small_site())).unwrap();
    }
    let measured = |jobs: &str| {
        let mut json = unsite(&[&"eval", &folder.path(), &"--jobs", &jobs, &"--json"]).ends(0).json();
        let report = &mut json["reports"][0];
        let without = |part: &mut serde_json::Value| drop(part.as_object_mut().unwrap().remove("seconds"));
        without(&mut report["mean"]);
        without(&mut report["suites"]["sample"]);
        report["sites"].as_array_mut().unwrap().iter_mut().for_each(without);
        json
    };
    assert_eq!(measured("3"), measured("1"));
}

#[test]
fn forms_and_main_text_are_measured() {
    let prose = "The harbour was quiet that morning, and nobody on the pier expected the ferry before noon.";
    let page = format!(
        "<nav><a href=/>Home</a></nav><form action=/search><input name=q></form><p>{prose}</p>\
         <form method=post action=/login><input name=user><input type=password name=p></form>"
    );
    let meta = serde_json::json!({"name": "one", "suite": "x", "labels": ["form_types", "main_text"]});
    let gold = serde_json::json!({"file": "pages/0.html", "url": "http://a.test/", "form_types": ["s", "l"],
        "main_text": prose});
    let files = [("meta.json", meta.to_string()), ("gold.jsonl", gold.to_string()), ("pages/0.html", page)];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.tar.zst");
    fs::write(&path, gold_archive(files.map(|(name, text)| (name.to_owned(), text.into_bytes())))).unwrap();
    let run = unsite(&[&"eval", &path, &"--set", &"forms,main-text", &"--json"]).ends(0).json();
    for report in run["reports"].as_array().unwrap() {
        assert_eq!(report["mean"]["f1"], 1.0, "{report:#}");
    }
    unsite(&[&"eval", &"x.tar.zst", &"--set", &"beauty"]).ends(2).says(&["no set of measures"]);
}

#[test]
fn floors_rise_hold_and_do_not_fall_silently() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("data/swde")).unwrap();
    fs::write(at("data/swde/sample.tar.zst"), gold_site(&small_site())).unwrap();
    let (floors, data) = (at("floors.json"), at("data"));
    let raised = unsite(&[&"gate", &"--floors", &floors, &"--data", &data, &"--raise"]).ends(0).stdout;
    assert!(raised.contains("fields/swde.f1") && raised.contains("floor raised from none"), "{raised}");
    let held = unsite(&[&"gate", &"--floors", &floors, &"--data", &data]).ends(0).stdout;
    assert!(held.contains(" 0 broken"), "{held}");
    let absent = unsite(&[&"gate", &"--floors", &floors, &"--data", &at("none")]).ends(0).stdout;
    assert!(absent.starts_with("gate skipped: there is no labelled data at"), "{absent}");
    unsite(&[&"gate", &"--floors", &floors, &"--lower", &"fields/swde.f1=0.1"]).ends(2);
    let lower: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"gate", &"--floors", &floors, &"--lower", &"fields/swde.f1=0.1", &"--reason", &"a test"];
    unsite(&lower).ends(0);
    assert!(fs::read_to_string(&floors).unwrap().contains("a test"));
    let edited = fs::read_to_string(&floors).unwrap().replace("0.1", "0.05");
    fs::write(&floors, edited).unwrap();
    unsite(&[&"gate", &"--floors", &floors, &"--data", &data])
        .ends(1)
        .says(&["restore it from version control"]);
}

#[test]
fn a_broken_floor_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("data/swde")).unwrap();
    let good = gold_site(&small_site());
    fs::write(at("data/swde/sample.tar.zst"), good).unwrap();
    let (floors, data) = (at("floors.json"), at("data"));
    unsite(&[&"gate", &"--floors", &floors, &"--data", &data, &"--raise"]).ends(0);
    // The same labels over pages that say nothing.
    let mut site = small_site();
    for page in &mut site.pages {
        page.html = "<p>gone</p>".into();
    }
    fs::write(at("data/swde/sample.tar.zst"), gold_site(&site)).unwrap();
    let run = unsite(&[&"gate", &"--floors", &floors, &"--data", &data]).ends(1).says(&["hint:"]);
    assert!(run.stdout.contains("BROKEN"), "{}", run.stdout);
}

#[test]
fn the_committed_floors_are_sealed() {
    let path = root().join("floors.json");
    let floors = unsite_eval::gate::Floors::load(&path).unwrap_or_else(|error| panic!("{error}"));
    assert!(floors.get("swde/swde.f1").is_some());
}

/// The outside scorer runs the same program and must come to the same numbers, digit by digit.
#[test]
fn eval_agrees_with_the_outside_scorer() {
    let shared = root().join("../shared");
    let scorer = shared.join("score.py");
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !scorer.is_file() || !works("python3") || !works("zstd") {
        eprintln!("skipped: needs ../shared/score.py, python3 and zstd");
        return;
    }
    let cases = [
        ("swde", "swde/auto-aol"),
        ("fields", "swde/book-abebooks"),
        ("open", "swde/auto-aol"),
        ("records", "records/serp-ecosia"),
        ("pages", "redesign/pelican_blog__simple"),
        ("roles", "redesign/pelican_blog__simple"),
    ];
    for (set, site) in cases {
        let site = shared.join("data").join(format!("{site}.tar.zst"));
        if !site.is_file() {
            eprintln!("skipped: {} is not there", site.display());
            continue;
        }
        let theirs = Command::new("python3")
            .args([&scorer, std::path::Path::new(env!("CARGO_BIN_EXE_unsite")), &site])
            .args(["--set", set, "-v"])
            .output()
            .unwrap();
        let theirs = String::from_utf8(theirs.stdout).unwrap();
        let ours = unsite(&[&"eval", &site, &"--set", &set, &"-v"]).stdout;
        assert_eq!(
            numbers(&ours, false),
            numbers(&theirs, true),
            "\n{set} {}\n{ours}\n{theirs}",
            site.display()
        );
    }
}

/// Name and the three numbers of every line that has them.
fn numbers(text: &str, is_theirs: bool) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.contains("expected ") && !line.starts_with("MEAN")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let taken: Vec<&str> = match is_theirs {
            true => [0, 2, 4, 6].iter().filter_map(|&at| words.get(at).copied()).collect(),
            false => words.iter().take(4).copied().collect(),
        };
        if taken.len() == 4 && taken[1..].iter().all(|word| word.parse::<f64>().is_ok()) {
            found.push(taken.join(" "));
        }
    }
    assert!(!found.is_empty() || text.is_empty() || !text.contains("MEAN"), "{text}");
    found
}
