//! Changes by hand from the outside: made, undone, carried over, honoured by every command.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;
use unsite_sample::{Change, Knobs, Site};
use unsite_wrapper::edits::Edit;
use unsite_wrapper::{SavedWrapper, Schema, ValueType};

use crate::support::{json_lines, number, unsite};

fn knobs() -> Knobs {
    Knobs { books: 40, authors: 10, categories: 4, queries: 4, ..Knobs::default() }
}

fn learned(folder: &Path) {
    let site = Site::generate(&knobs());
    fs::write(folder.join("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    unsite(&[&"learn", &folder.join("site.jsonl"), &"-w", &folder.join("site.unsite"), &"-q"]).ends(0);
}

fn columns(db: &Path, table: &str) -> Vec<String> {
    let db = Connection::open(db).unwrap();
    let mut names = db.prepare("SELECT name FROM pragma_table_info(?)").unwrap();
    names.query_map([table], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn flags_name_things_as_they_are_and_every_command_honours_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    learned(folder.path());
    let before = fs::read(at("site.unsite")).unwrap();
    let said = unsite(&[
        &"edit",
        &at("site.unsite"),
        &"--rename",
        &"book=novel",
        &"--rename",
        &"book.isbn=number",
        &"--rename",
        &"type:author=writer",
        &"--drop",
        &"book.weight",
        &"--drop",
        &"book_promo",
        &"--merge",
        &"book.binding=publisher",
        &"--split",
        &"book.dimensions=×:high,wide",
        &"--type",
        &"book.published=text",
    ])
    .ends(0);
    assert!(said.stdout.contains("rename table book to novel"), "{}", said.stdout);
    let extract = ["extract", "-o"];
    unsite(&[&extract[0], &at("site.jsonl"), &"-w", &at("site.unsite"), &extract[1], &at("site.db"), &"-q"])
        .ends(0);
    let names = columns(&at("site.db"), "novel");
    for name in ["number", "publisher", "high", "wide"] {
        assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
    }
    for name in ["isbn", "weight", "binding"] {
        assert!(!names.iter().any(|known| known == name), "{name} is in {names:?}");
    }
    assert!(columns(&at("site.db"), "book_promo").is_empty());
    assert!(number(&at("site.db"), "SELECT count(high) FROM novel") > 5);
    assert!(number(&at("site.db"), "SELECT count(*) FROM _pages WHERE page_type = 'writer'") > 0);
    let check = unsite(&[&"check", &at("site.jsonl"), &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(check.contains("writer") && check.contains("No drift"), "{check}");
    let code = unsite(&[&"export", &"-w", &at("site.unsite"), &"--to", &"xpath", &"-q"]).ends(0).stdout;
    assert!(code.contains("number") && !code.contains("weight"), "{code}");
    let tables = unsite(&[&"tables", &at("site.unsite")]).ends(0).stdout;
    assert!(tables.contains("novel") && !tables.contains("book_promo:"), "{tables}");
    assert!(
        unsite(&[&"show", &"-w", &at("site.unsite")]).ends(0).stdout.contains("by hand: drop book.weight")
    );
    unsite(&[&"edit", &at("site.unsite"), &"--undo", &"8", &"-q"]).ends(0);
    assert_eq!(fs::read(at("site.unsite")).unwrap(), before);
}

#[test]
fn edits_that_cannot_be_made_change_nothing_and_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    learned(folder.path());
    let before = fs::read(at("site.unsite")).unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"edit"];
        let file = at("site.unsite");
        all.push(&file);
        all.extend(arguments.iter().map(|argument| argument as &dyn AsRef<std::ffi::OsStr>));
        unsite(&all).ends(1).says(&[why]);
        assert_eq!(fs::read(at("site.unsite")).unwrap(), before);
    };
    refused(&["--rename", "bok=novel"], "there is no table \"bok\"; the tables are book");
    refused(&["--drop", "book.weight", "--drop", "book.nothing"], "there is no column of book \"nothing\"");
    refused(&["--drop", "book.url"], "known by");
    refused(&["--rename", "book.isbn=The ISBN!"], "the_isbn");
    refused(&["--rename", "book.isbn=title"], "has a column title already");
    refused(&["--rename", "book.isbn"], "book.now=price");
    refused(&["--type", "book.isbn=number"], "there is no type");
    refused(&["--undo", "3"], "the log has 0 edits");
    fs::write(at("edits.json"), "[{\"rename_column\": {\"table\": \"book\"}}]").unwrap();
    let file = at("edits.json");
    refused(&[file.to_str().unwrap()], "item 1 is no edit");
    fs::write(&file, "{").unwrap();
    refused(&[file.to_str().unwrap()], "is not JSON");
}

#[test]
fn the_log_is_carried_over_and_what_cannot_be_made_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    learned(folder.path());
    unsite(&[&"edit", &at("site.unsite"), &"--rename", &"book.isbn=number", &"--drop", &"author", &"-q"])
        .ends(0);
    let log = unsite(&[&"edit", &at("site.unsite"), &"--json"]).ends(0).json();
    fs::write(at("log.json"), log.to_string()).unwrap();
    // Learned again: the same log, made again.
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    assert_eq!(unsite(&[&"edit", &at("site.unsite"), &"--json"]).ends(0).json(), log);
    // Repaired after a redesign: likewise, under the names that people gave.
    let redesign = BTreeSet::from([Change::RenameClasses, Change::ChangeTags, Change::ReorderBlocks]);
    let site = Site::generate(&Knobs { redesign, ..knobs() });
    fs::write(at("new.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    let told = unsite(&[&"repair", &at("new.jsonl"), &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(told.contains("book.number") && !told.contains("book.isbn"), "{told}");
    unsite(&[&"extract", &at("new.jsonl"), &"-w", &at("site.unsite"), &"-o", &at("new.db"), &"-q"]).ends(0);
    assert!(number(&at("new.db"), "SELECT count(number) FROM book") > 30);
    assert!(columns(&at("new.db"), "author").is_empty());
    // Learned from pages without books: the edit of one is told, and stays.
    let authors: String = fs::read_to_string(at("site.jsonl"))
        .unwrap()
        .lines()
        .filter(|line| line.contains("books.example/author/"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(at("authors.jsonl"), authors).unwrap();
    unsite(&[&"learn", &at("authors.jsonl"), &"-w", &at("site.unsite")])
        .ends(0)
        .says(&["edit 2 is not made"]);
    let after = unsite(&[&"edit", &at("site.unsite"), &"--json"]).ends(0).json();
    assert_eq!(after["edits"], log["edits"]);
    assert!(!after["not_made"].as_array().unwrap().is_empty());
    // The list that was printed is a list that can be made elsewhere.
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("other.unsite"), &"-q"]).ends(0);
    unsite(&[&"edit", &at("other.unsite"), &at("log.json"), &"-q"]).ends(0);
    assert_eq!(unsite(&[&"edit", &at("other.unsite"), &"--json"]).ends(0).json()["edits"], log["edits"]);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("other.unsite"), &"--forget-edits", &"-q"]).ends(0);
    assert_eq!(unsite(&[&"edit", &at("other.unsite"), &"--json"]).ends(0).json()["edits"], json!([]));
}

/// Numbers that look drawn, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// An edit of something that is there, shown or not.
fn random(schema: &Schema, draw: &mut Draw, number: usize) -> Edit {
    let at = draw.below(schema.tables.len());
    let (info, other) = (&schema.tables[at], &schema.tables[draw.below(schema.tables.len())]);
    let pick = |draw: &mut Draw| {
        info.columns.get(draw.below(info.columns.len())).map_or(String::new(), |info| info.name.clone())
    };
    let page = |draw: &mut Draw| schema.page_types[draw.below(schema.page_types.len())].name.clone();
    let (table, column, from) = (info.name.clone(), pick(draw), pick(draw));
    match draw.below(19) {
        0 | 1 => Edit::RenameColumn { table, column, to: format!("column_{number}") },
        2 | 3 => Edit::DropColumn { table, column },
        4 | 5 => Edit::RestoreColumn { table, column },
        6 => Edit::MergeColumns { table, column, from },
        7 => Edit::SplitColumn {
            table,
            column,
            at: " ".into(),
            into: vec![format!("a_{number}"), format!("b_{number}")],
        },
        8 => Edit::RetypeColumn { table, column, to: ValueType::ALL[draw.below(ValueType::ALL.len())] },
        9 => Edit::RenameTable { table, to: format!("table_{number}") },
        10 => Edit::DropTable { table },
        11 | 12 => Edit::RestoreTable { table },
        13 => Edit::MergeTables { table, from: other.name.clone() },
        14 => Edit::SplitTable { table, page_type: page(draw), to: format!("part_{number}") },
        15 => Edit::NotRows { table },
        16 => Edit::RenamePageType { page_type: page(draw), to: format!("type_{number}") },
        17 => Edit::MergePageTypes { page_type: page(draw), from: page(draw) },
        _ => Edit::SplitPageType {
            page_type: page(draw),
            address: "/*a*".into(),
            to: format!("split_{number}"),
        },
    }
}

#[test]
fn fifty_random_edits_leave_a_wrapper_that_works_and_undone_leave_the_bytes_from_before() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    learned(folder.path());
    let before = fs::read_to_string(at("site.unsite")).unwrap();
    for seed in 1..=6 {
        let mut saved = SavedWrapper::from_text(&before).unwrap();
        let mut draw = Draw(seed * 0x9E37_79B9_7F4A_7C15);
        let mut tries = 0;
        while saved.edits.len() < 50 {
            tries += 1;
            assert!(tries < 2_000, "only {} edits could be made", saved.edits.len());
            let schema = saved.edited().saved.wrapper.stored_schema();
            let edit = random(&schema, &mut draw, tries);
            if saved.edit(vec![edit.into()]).is_ok() {
                let edited = saved.edited();
                assert_eq!(edited.unmade, []);
                let shown = edited.saved.wrapper.stored_schema();
                assert!(
                    shown
                        .tables
                        .iter()
                        .all(|table| table.parent.is_none_or(|parent| parent < shown.tables.len()))
                );
            }
        }
        // What was made is kept, read again, and reads pages into tables.
        fs::write(at("edited.unsite"), saved.to_text()).unwrap();
        assert_eq!(SavedWrapper::from_text(&saved.to_text()).unwrap(), saved);
        let output = at("edited.db");
        unsite(&[
            &"extract",
            &at("site.jsonl"),
            &"-w",
            &at("edited.unsite"),
            &"-o",
            &output,
            &"--replace",
            &"-q",
        ])
        .ends(0);
        unsite(&[&"check", &at("site.jsonl"), &"-w", &at("edited.unsite"), &"-q"]).ends(0);
        assert_eq!(saved.undo(50).len(), 50);
        assert_eq!(saved.to_text(), before);
    }
}
