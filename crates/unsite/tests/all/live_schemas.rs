//! The databases of labelled sites as people see them: a picture of each to judge, and names that stay.

#![allow(clippy::print_stdout, reason = "tests say what they skipped")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{json_lines_of, put, root, unsite};
use rusqlite::Connection;
use unsite_dom::RawPage;

/// The sites whose schemas are kept as pictures.
const SHOWN: [&str; 4] = ["shop_oscar", "tracker_roundup", "news_jobs_wordpress_en", "forum_machina"];
/// The sites whose names are asked for again with other pages and another seed: those that are quickly read.
const ASKED_AGAIN: [&str; 2] = ["tracker_roundup", "news_wordpress_zh"];
/// Of a hundred names so many may change.
const CHANGED: f64 = 0.02;
/// Every so many-th page is left out: the rest with them are a tenth more.
const LEFT_OUT: usize = 11;

fn site(name: &str) -> Option<PathBuf> {
    let data = std::env::var("DATA").map_or_else(|_| root().join("../shared/data"), PathBuf::from);
    let path = data.join(format!("live/{name}.tar.zst"));
    if !path.is_file() {
        println!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path)
}

fn rows(db: &Connection, sql: &str) -> Vec<Vec<String>> {
    let mut query = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let width = query.column_count();
    let text = |value: Option<String>| value.unwrap_or_default();
    let rows = query.query_map([], |row| (0..width).map(|at| row.get(at).map(text)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Tables with their kind, parent and rows; columns with their type and how many rows have a value. Nothing that the pages say.
fn picture(db: &Path) -> String {
    let db = Connection::open(db).unwrap();
    let mut picture = String::new();
    for table in rows(
        &db,
        "SELECT name, kind, parent FROM _tables WHERE kind IN ('entity', 'relation') ORDER BY rowid",
    ) {
        let [name, kind, parent] = &table[..] else { panic!("{table:?}") };
        let count = rows(&db, &format!("SELECT CAST(count(*) AS TEXT) FROM \"{name}\""))[0][0].clone();
        let of = if parent.is_empty() { String::new() } else { format!(" of {parent}") };
        picture += &format!("{name}: {kind}{of}, {count} rows\n");
        let columns = format!(
            "SELECT column_name, type FROM _columns WHERE table_name = '{name}' AND NOT hidden ORDER BY id"
        );
        for column in rows(&db, &columns) {
            let filled = format!("SELECT CAST(count(\"{}\") AS TEXT) FROM \"{name}\"", column[0]);
            picture += &format!("  {:24} {:9} {}\n", column[0], column[1], rows(&db, &filled)[0][0]);
        }
        for key in rows(
            &db,
            &format!("SELECT \"from\", \"table\" FROM pragma_foreign_key_list('{name}') ORDER BY 1"),
        ) {
            if !key[1].starts_with('_') {
                picture += &format!("  {:24} -> {}\n", key[0], key[1]);
            }
        }
    }
    picture
}

/// Compares with the picture that is kept; with `UPDATE_PICTURES` set the new one takes its place.
fn judge(name: &str, seen: &str) {
    let path = root().join(format!("crates/unsite/tests/pictures/{name}.txt"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, seen).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == seen,
        "the schema of {name} is not the one in {}:\n{seen}\nif it is better, run the test with UPDATE_PICTURES=1",
        path.display()
    );
}

#[test]
fn databases_look_as_people_have_judged() {
    let folder = tempfile::tempdir().unwrap();
    for name in SHOWN {
        let Some(path) = site(name) else { continue };
        let db = folder.path().join(format!("{name}.db"));
        unsite(&[&"run", &path, &"-o", &db, &"-q"]).ends(0);
        judge(name, &picture(&db));
    }
}

/// What tables and columns are called that people see.
fn names(source: &Path, db: &Path, seed: &str) -> BTreeSet<String> {
    unsite(&[&"run", &source, &"-o", &db, &"-q", &"--seed", &seed]).ends(0);
    let db = Connection::open(db).unwrap();
    let shown =
        "SELECT table_name || '.' || column_name FROM _columns c JOIN _tables t ON t.name = c.table_name
                 WHERE NOT hidden AND t.kind IN ('entity', 'relation')
                 UNION SELECT name FROM _tables WHERE kind IN ('entity', 'relation')";
    rows(&db, shown).into_iter().map(|mut row| row.remove(0)).collect()
}

#[test]
fn names_stay_with_other_pages_and_another_seed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ASKED_AGAIN {
        let Some(path) = site(name) else { continue };
        let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default()).unwrap();
        let mut all: Vec<RawPage> = Vec::new();
        let mut pages = source.pages().unwrap();
        while let Some(item) = pages.next_page() {
            all.extend(item.ok());
        }
        let fewer: Vec<&RawPage> =
            all.iter().enumerate().filter(|(at, _)| at % LEFT_OUT != 0).map(|(_, page)| page).collect();
        let few = put(&folder, "few.jsonl", json_lines_of(fewer.into_iter()));
        let many = put(&folder, "many.jsonl", json_lines_of(all.iter()));
        let first = names(&few, &folder.path().join(format!("{name}.few.db")), "42");
        for (what, source, seed) in [("a tenth more pages", &many, "42"), ("another seed", &few, "43")] {
            let then = names(source, &folder.path().join(format!("{name}.{seed}.{}.db", what.len())), seed);
            let gone: Vec<&String> = first.difference(&then).collect();
            println!("{name}, {what}: {} of {} names change: {gone:?}", gone.len(), first.len());
            assert!(
                gone.len() as f64 <= CHANGED * first.len() as f64,
                "{name}, {what}: {gone:?} became {:?}",
                then.difference(&first).collect::<Vec<_>>()
            );
        }
    }
}
