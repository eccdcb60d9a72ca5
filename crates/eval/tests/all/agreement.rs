//! The numbers are those of the outside scorer, digit by digit, on nasty and on random sites.
//!
//! Needs `../shared/score.py` beside the repository, python3 and zstd; says so and passes where they are missing.

use crate::common::{CellRow, PageRow, write_database, write_gold};
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use unsite_eval::{Observed, Report, Set, evaluate};

/// Values that trip over white space, word boundaries, labels, patterns, lengths and scripts.
const VALUES: [&str; 30] = [
    "",
    " ",
    "555",
    "Phone: 555",
    "Phone:\u{a0}555",
    "Fax: Phone: 555",
    "A label of more than forty characters before it: 555",
    "5",
    "Emma",
    "Emma (novel)",
    "  Emma\n\u{2003}(novel) ",
    "Emma\u{1c}(novel)",
    "Emmas",
    "Pride and Prejudice",
    "Pride and Prejudice, 1813",
    "Pride and Prejud",
    "C++ (2nd ed.) [x]* \\d $1 ^a|b?",
    "C++",
    "_x",
    "x_",
    "日本語",
    "日本語の本",
    "é",
    "été",
    "- - -",
    "1.5",
    "It is a truth universally acknowledged, that a single man in possession",
    "It is a truth universally acknowledged, that a single man in possession!",
    "It is a truth universally acknowledged that a single man",
    "it is a TRUTH universally acknowledged, that a single man in possession of a good fortune",
];
const TYPES: [&str; 5] = ["book", "list", "a.b", "unknown", ""];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn random_site(seed: u64) -> (Vec<Value>, Vec<PageRow>, Vec<CellRow>) {
    let mut random = Random(seed.wrapping_mul(0x9e3779b97f4a7c15));
    let (mut gold, mut pages, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    // Few words make many ties; the large ones make long columns.
    let words = &VALUES[..4 + random.below(VALUES.len() - 4)];
    let types = 1 + random.below(TYPES.len());
    let mut row_id = 0;
    for number in 0..4 + random.below(24) {
        let file = format!("{number:05}.html");
        let mut page = json!({"file": format!("pages/{file}"), "url": format!("http://x.test/{number}")});
        if random.below(8) > 0 {
            page["page_type"] = json!(random.pick(&TYPES[..types]));
        }
        if random.below(5) > 0 {
            page["role"] = json!(random.pick(&["index", "article", "search", "other"]));
        }
        let labels = |random: &mut Random, names: &[&str]| {
            let values =
                |random: &mut Random| (0..random.below(3)).map(|_| json!(random.pick(words))).collect();
            let pairs = names.iter().map(|name| (name.to_string(), Value::Array(values(random))));
            Value::Object(pairs.collect())
        };
        page["fields"] = labels(&mut random, &["title", "price", "b.c", "c"]);
        page["open_fields"] = labels(&mut random, &["ISBN", "Größe"]);
        let records = (0..random.below(5)).map(|_| json!({"t": random.pick(words), "u": random.pick(words)}));
        page["records"] = Value::Array(records.collect());
        gold.push(page);
        if random.below(7) > 0 {
            let kind = (random.below(6) > 0).then(|| random.pick(&["one", "two", "three"]).to_string());
            let score = (random.below(6) > 0).then(|| random.pick(&[0.0, -0.0, 0.25, 1.0, -3.5]));
            pages.push((random.pick(&["", "pages/", "deep/er/"]).to_string() + &file, kind, score));
        }
        for _ in 0..random.below(12) {
            row_id += i64::from(random.below(2) == 0);
            let value = match random.below(12) {
                0 => Sql::Null,
                1 => Sql::Integer(5),
                2 => Sql::Real(1.5),
                _ => Sql::Text(random.pick(words).to_string()),
            };
            let (table, column) =
                (random.pick(&["book", "books", "a.b"]), random.pick(&["title", "price", "x"]));
            cells.push((format!("pages/{file}"), table.to_string(), row_id, column.to_string(), value));
        }
    }
    cells.push(("nowhere.html".into(), "empty".into(), 0, "column".into(), Sql::Null));
    cells.push(("nowhere.html".into(), "book".into(), 0, "title".into(), Sql::Text("Emma".into())));
    (gold, pages, cells)
}

/// Ties, equal F1 with different P and R, a page type that no page was given, colliding dotted names.
fn tied_site() -> (Vec<Value>, Vec<PageRow>, Vec<CellRow>) {
    let mut gold = Vec::new();
    for i in 0..4 {
        let page = json!({
            "file": format!("pages/{i}.html"), "page_type": if i < 3 { "a" } else { "a.b" }, "role": "index",
            "fields": {"b.c": [format!("v{i}"), format!("w{i}"), format!("x{i}")], "z": [format!("v{i}")]},
        });
        gold.push(page);
    }
    gold.push(json!({"file": "4.html", "page_type": "a.b", "fields": {"c": ["p", "q", "r"], "n": [7, 2.5, true, null]}}));
    let text = |value: String| Sql::Text(value);
    let mut cells: Vec<CellRow> = Vec::new();
    for i in 0..3 {
        let page = format!("{i}.html");
        // `second` is right on one page of one, `first` on two of four: the same F1 need not be the same P.
        cells.push((
            page.clone(),
            "t".into(),
            i,
            "first".into(),
            text(if i < 2 { format!("v{i}") } else { "no".into() }),
        ));
        cells.push((page.clone(), "t".into(), i, "second".into(), text(format!("v{i}"))));
        cells.push((page.clone(), "s".into(), i, "second".into(), text(format!("v{i}"))));
        cells.push((page, "s".into(), i, "wide".into(), text(format!("w{i}"))));
    }
    (gold, vec![("0.html".into(), None, None)], cells)
}

#[test]
fn all_printed_numbers_agree_with_the_outside_scorer() {
    let scorer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/score.py");
    let runs = |program: &str| {
        let silent =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        silent.is_ok_and(|status| status.success())
    };
    if !scorer.exists() || !runs("python3") || !runs("zstd") {
        let _ = writeln!(std::io::stderr(), "skipped: needs ../shared/score.py, python3 and zstd");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut sites: Vec<_> = (0..40).map(|seed| (format!("random-{seed:02}"), random_site(seed))).collect();
    sites.push(("tied".to_string(), tied_site()));
    sites.push(("empty".to_string(), (Vec::new(), Vec::new(), Vec::new())));
    for (name, (gold, pages, cells)) in &sites {
        let path = write_gold(folder.path(), name, "s", gold);
        write_database(&database(&path), pages, cells);
    }
    write_gold(folder.path(), "no-database", "s", &random_site(3).0);
    let program = folder.path().join("program");
    std::fs::write(&program, "#!/bin/sh\nexec cp \"$2.db\" \"$4\" 2>/dev/null\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();

    let sets = [Set::Fields, Set::Swde, Set::Open, Set::Records, Set::Pages, Set::Roles];
    let reports = evaluate(&[folder.path().to_path_buf()], &sets, |path, _| {
        Ok(Observed::from_database(&database(path))?)
    })
    .unwrap();
    for report in &reports {
        let outside = Command::new("python3")
            .arg(&scorer)
            .arg(&program)
            .arg(folder.path())
            .args(["--set", report.set.name(), "-v"])
            .output()
            .unwrap();
        assert!(outside.status.success(), "{}", String::from_utf8_lossy(&outside.stderr));
        let theirs: Vec<String> =
            String::from_utf8_lossy(&outside.stdout).lines().map(without_time).collect();
        let ours: Vec<String> = as_printed_outside(report).lines().map(without_time).collect();
        assert!(ours.len() > 30, "{}: too little was measured", report.set);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{}", report.set);
        }
        assert_eq!(ours.len(), theirs.len());
    }
}

fn database(site: &Path) -> PathBuf {
    PathBuf::from(format!("{}.db", site.display()))
}

/// The report in the outside scorer's words.
fn as_printed_outside(report: &Report) -> String {
    let mut out = String::new();
    let note = |target: &unsite_eval::TargetScore| match &target.matched {
        Some(column) => column.clone(),
        None if target.note.is_empty() => "None".to_string(),
        None => target.note.clone(),
    };
    for site in &report.sites {
        if site.failure.is_some() {
            out += &format!("{}: FAILED\n", site.name);
            continue;
        }
        let (prf, only) = (site.prf, site.targets.len() == 1);
        let said = note(&site.targets[0]).replace("None", "");
        out += &format!(
            "{:32} P {:.3} R {:.3} F1 {:.3}  {:5} columns {:6.1}s  {}\n",
            site.name,
            prf.precision,
            prf.recall,
            prf.f1,
            site.columns,
            0.0,
            if only { said } else { String::new() }
        );
        for target in &site.targets {
            let (name, prf) = (&target.name, target.prf);
            out += &format!(
                "    {name:24} P {:.3} R {:.3} F1 {:.3}  {}\n",
                prf.precision,
                prf.recall,
                prf.f1,
                note(target)
            );
        }
    }
    let (mean, prf) = (&report.mean, report.mean.prf);
    out += &format!(
        "MEAN {}: P {:.3} R {:.3} F1 {:.3} over {} sites; {:.3} of {} targets above .9; {:.2} bits a field; {:.1} s\n",
        report.set,
        prf.precision,
        prf.recall,
        prf.f1,
        mean.sites,
        mean.well_served,
        mean.targets,
        mean.bits,
        0.0
    );
    out
}

/// Seconds, and what an error says, differ from run to run; so does the sign of a zero.
fn without_time(line: &str) -> String {
    let line = line.replace("-0.000", "0.000");
    if let Some(end) = line.find(": FAILED") {
        return line[..end + 8].to_string();
    }
    if line.starts_with("MEAN") {
        return line.rsplit_once(';').unwrap().0.to_string();
    }
    match line.split_once(" columns ") {
        Some((before, after)) => format!("{before} columns {}", after.split_once("s  ").unwrap().1),
        None => line,
    }
}
