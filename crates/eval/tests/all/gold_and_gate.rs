//! Gold sites on disk, methods that fail, and the gate from end to end.

use crate::common::{write_database, write_gold};
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use unsite_eval::gate::{Action, Floors, GateOptions, Standing, gate};
use unsite_eval::{GoldSite, Meta, MethodError, Observed, Set, evaluate, gold_paths};

fn labels() -> Vec<Value> {
    (0..5)
        .map(|i| json!({"file": format!("pages/{i}.html"), "page_type": "book", "fields": {"title": [format!("T{i}")]}}))
        .collect()
}

/// A method that gets the titles of the first `right` pages right.
fn method(right: usize) -> impl FnMut(&Path, &Meta) -> Result<Observed, MethodError> {
    move |_, _| {
        let mut found = Observed::default();
        for i in 0..5 {
            let value = if i < right { format!("T{i}") } else { "wrong".to_string() };
            found.add_cell(&format!("{i}.html"), "book", &i.to_string(), "title", &value);
        }
        Ok(found)
    }
}

#[test]
fn folders_are_read_in_order_and_errors_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    std::fs::create_dir(&suite).unwrap();
    write_gold(&suite, "b", "suite", &labels());
    write_gold(&suite, "a", "suite", &labels());
    std::fs::write(suite.join("notes.txt"), "").unwrap();
    let found = gold_paths(&[suite.join("b.tar.zst"), suite.clone()]).unwrap();
    let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["b.tar.zst", "a.tar.zst", "b.tar.zst"]);
    assert_eq!(GoldSite::load(&found[0]).unwrap().pages.len(), 5);

    let error = gold_paths(&[folder.path().to_path_buf()]).unwrap_err().to_string();
    assert!(error.contains("did you mean") && error.contains("suite"), "{error}");
    let error = gold_paths(&[PathBuf::from("no/such/site")]).unwrap_err().to_string();
    assert!(error.contains("no/such/site") && error.contains("check that the path"), "{error}");

    let broken = folder.path().join("broken.tar.zst");
    let whole = std::fs::read(&found[0]).unwrap();
    for (bytes, what) in
        [(&b"not zstd"[..], "unpacked"), (&whole[..whole.len() / 2], "unpacked"), (&b""[..], "meta.json")]
    {
        std::fs::write(&broken, bytes).unwrap();
        let error = GoldSite::load(&broken).unwrap_err().to_string();
        assert!(error.contains("broken.tar.zst") && error.contains(what), "{error}");
    }
}

#[test]
fn a_database_is_read_by_its_documented_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let cells = [
        ("0.html".to_string(), "t".to_string(), 1, "a".to_string(), Sql::Text("v".into())),
        ("0.html".to_string(), "t".to_string(), 1, "b".to_string(), Sql::Null),
        ("0.html".to_string(), "t".to_string(), 2, "a".to_string(), Sql::Integer(7)),
    ];
    write_database(&path, &[("0.html".into(), Some("book".into()), Some(0.5))], &cells);
    let observed = Observed::from_database(&path).unwrap();
    assert_eq!(observed.pages[0].page_type.as_deref(), Some("book"));
    assert_eq!(observed.columns(), 2);
    assert_eq!(observed.cells[1].value, None);
    assert_eq!(observed.cells[2].value.as_deref(), Some("7"));
    assert_eq!(observed.main_text, None);
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch("create table _main_text(ref, text); insert into _main_text values ('0.html', 'body')")
        .unwrap();
    assert_eq!(Observed::from_database(&path).unwrap().main_text.unwrap()["0.html"], "body");

    let error = Observed::from_database(&folder.path().join("missing.db")).unwrap_err().to_string();
    assert!(error.contains("missing.db") && error.contains("unsite run"), "{error}");
    assert!(!folder.path().join("missing.db").exists());
}

#[test]
fn a_method_that_fails_on_a_site_scores_nothing_there() {
    let folder = tempfile::tempdir().unwrap();
    write_gold(folder.path(), "a", "suite", &labels());
    write_gold(folder.path(), "b", "suite", &labels());
    let mut good = method(5);
    let reports =
        evaluate(&[folder.path().to_path_buf()], &[Set::Swde, Set::Roles, Set::Pages], |path, meta| {
            if meta.name == "b" { Err("out of memory".into()) } else { good(path, meta) }
        })
        .unwrap();
    assert_eq!((reports[0].mean.prf.f1, reports[0].mean.sites), (0.5, 2));
    assert_eq!(reports[0].sites[1].failure.as_deref(), Some("out of memory"));
    // The site that worked has no roles; the failed one counts all the same.
    assert_eq!((reports[1].mean.prf.f1, reports[1].mean.sites), (0.0, 1));
    assert_eq!(reports[2].sites[0].targets[0].prf.f1, 1.0);
}

#[test]
fn the_gate_rises_holds_breaks_and_skips() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("swde");
    std::fs::create_dir(&suite).unwrap();
    write_gold(&suite, "a", "swde", &labels());
    let floors = folder.path().join("gate.json");
    let options = |action| GateOptions {
        floors: floors.clone(),
        data: folder.path().to_path_buf(),
        suites: Vec::new(),
        action,
    };
    let error = gate(&options(Action::Check), method(4)).unwrap_err().to_string();
    assert!(error.contains("gate.json"), "{error}");

    let first = gate(&options(Action::Raise), method(4)).unwrap();
    let raised: Vec<(&str, f64)> =
        first.changes.iter().map(|change| (change.key.as_str(), change.to)).collect();
    assert_eq!(raised, [("fields/swde.f1", 0.798), ("swde/swde.f1", 0.798)]);
    assert!(gate(&options(Action::Check), method(4)).unwrap().passed());

    let worse = gate(&options(Action::Check), method(3)).unwrap();
    assert!(!worse.passed());
    assert!(worse.text().ends_with("0 floors held, 2 broken, 0 skipped.\n"), "{}", worse.text());
    let before = std::fs::read_to_string(&floors).unwrap();
    assert!(gate(&options(Action::Raise), method(3)).is_err());
    assert_eq!(std::fs::read_to_string(&floors).unwrap(), before);

    gate(&options(Action::Raise), method(5)).unwrap();
    let known = Floors::load(&floors).unwrap();
    assert_eq!(known.get("swde/swde.f1").unwrap().floor, 0.998);
    assert!(!gate(&options(Action::Check), method(4)).unwrap().passed());
    assert!(!gate(&options(Action::Check), |_, _| Err("no".into())).unwrap().passed());

    let elsewhere = GateOptions { data: folder.path().join("nowhere"), ..options(Action::Check) };
    let skipped = gate(&elsewhere, method(5)).unwrap();
    assert!(skipped.passed() && skipped.verdicts.iter().all(|verdict| verdict.standing == Standing::Skipped));
    let other = GateOptions { suites: vec!["live".into()], ..options(Action::Check) };
    assert_eq!(gate(&other, method(5)).unwrap().verdicts[0].standing, Standing::Skipped);

    let edited = std::fs::read_to_string(&floors).unwrap().replace("0.998", "0.9");
    std::fs::write(&floors, edited).unwrap();
    let error = gate(&options(Action::Check), method(5)).unwrap_err().to_string();
    assert!(error.contains("edited by hand") && error.contains("version control"), "{error}");
}
