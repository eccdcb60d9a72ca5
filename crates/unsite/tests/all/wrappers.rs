//! Wrapper files from the outside: learn, extract, check, repair, show.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{json_lines, number, small_site, unsite};
use rusqlite::Connection;
use unsite_sample::{Change, Family, Knobs, Site};

fn knobs() -> Knobs {
    Knobs { books: 40, authors: 10, categories: 4, queries: 4, ..Knobs::default() }
}

fn write_site(site: &Site, path: &Path) {
    fs::write(path, json_lines(site, 0..site.pages.len())).unwrap();
}

/// Every cell with its page, sorted: what two databases have to agree in.
fn cells(db: &Path) -> Vec<String> {
    let db = Connection::open(db).unwrap();
    let sql =
        "SELECT url, table_name, row_id, column_name, value, path FROM _cells ORDER BY 1, 2, 3, 4, 5, 6";
    let mut statement = db.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let text = |at| row.get::<_, Option<String>>(at).map(Option::unwrap_or_default);
        Ok(format!(
            "{} {} {} {} {} {}",
            text(0)?,
            text(1)?,
            row.get::<_, i64>(2)?,
            text(3)?,
            text(4)?,
            text(5)?
        ))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn files_that_are_no_wrappers_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&Site::generate(&knobs()), &at("site.jsonl"));
    let before = fs::read(at("site.jsonl")).unwrap();
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.jsonl")]).ends(1).says(&["is no wrapper file"]);
    assert_eq!(fs::read(at("site.jsonl")).unwrap(), before);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("none/site.unsite")]).ends(1).says(&["create it first"]);
    for _ in 0..2 {
        unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    }
    let extract =
        || unsite(&[&"extract", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-o", &at("site.db")]).ends(0);
    assert!(!extract().stdout.contains("Added to"));
    let again = extract().stdout;
    assert!(again.contains("0 rows added, 0 rows changed, 0 rows removed"), "{again}");
}

#[test]
fn extract_gives_what_run_gave_on_the_pages_it_was_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&Site::generate(&knobs()), &at("site.jsonl"));
    unsite(&[&"run", &at("site.jsonl"), &"-o", &at("run.db"), &"-q"]).ends(0);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    unsite(&[
        &"extract",
        &at("site.jsonl"),
        &"-w",
        &at("site.unsite"),
        &"-o",
        &at("one.db"),
        &"--threads",
        &"1",
    ])
    .ends(0);
    let found = cells(&at("run.db"));
    assert!(found.len() > 500);
    assert_eq!(found, cells(&at("one.db")));
    for sql in ["SELECT count(*) FROM _pages WHERE page_type IS NULL", "SELECT count(*) FROM _problems"] {
        assert_eq!(number(&at("run.db"), sql), number(&at("one.db"), sql));
    }
    // Fractions to the last digit.
    for sum in [
        "sum(confidence + coverage) FROM _columns",
        "sum(confidence) FROM _page_types",
        "sum(index_score) FROM _pages",
    ] {
        let of = |name: &str| -> f64 {
            let db = Connection::open(at(name)).unwrap();
            db.query_row(&format!("SELECT {sum}"), [], |row| row.get(0)).unwrap()
        };
        assert_eq!(of("run.db"), of("one.db"), "{sum}");
    }
    // The same file whatever the threads, and the same again.
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("again.unsite"), &"-q", &"--threads", &"3"]).ends(0);
    assert_eq!(fs::read(at("site.unsite")).unwrap(), fs::read(at("again.unsite")).unwrap());
    // No trace of a temporary file.
    assert!(
        fs::read_dir(folder.path())
            .unwrap()
            .all(|entry| { !entry.unwrap().file_name().to_string_lossy().contains(".tmp") })
    );
}

#[test]
fn unseen_pages_of_known_types_are_read_and_strangers_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let site = Site::generate(&knobs());
    let (even, odd): (Vec<usize>, Vec<usize>) = (0..site.pages.len()).partition(|at| at % 2 == 0);
    fs::write(at("even.jsonl"), json_lines(&site, even.into_iter())).unwrap();
    let stranger = "<html><body><table><tr><td><center>odd</center></td></tr></table></body></html>";
    let lines: String = (0..3)
        .map(|n| {
            serde_json::json!({"url": format!("http://elsewhere.test/{n}"), "html": format!("{stranger}{n}")})
                .to_string()
                + "\n"
        })
        .collect();
    fs::write(at("odd.jsonl"), json_lines(&site, odd.iter().copied()) + &lines).unwrap();
    unsite(&[&"learn", &at("even.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let told =
        unsite(&[&"extract", &at("odd.jsonl"), &"-w", &at("site.unsite"), &"-o", &at("odd.db"), &"--json"])
            .ends(0)
            .says(&["set aside", "--learn-new"])
            .json();
    assert_eq!(told["pages"], odd.len() as i64 + 3);
    let aside = told["set_aside"].as_i64().unwrap();
    assert!((3..=3 + odd.len() as i64 / 10).contains(&aside), "{told}");
    assert_eq!(aside, number(&at("odd.db"), "SELECT count(*) FROM _pages WHERE page_type IS NULL"));
    // Where nothing else is in the source, nothing was read.
    fs::write(at("strangers.jsonl"), &lines).unwrap();
    let strangers = at("strangers.jsonl");
    let quiet =
        unsite(&[&"extract", &strangers, &"-w", &at("site.unsite"), &"-o", &at("none.db"), &"-q"]).ends(4);
    assert!(
        quiet.stdout.is_empty() && quiet.stderr.lines().all(|line| line.starts_with("error:")),
        "{}",
        quiet.stderr
    );
    // Learned as a new type, they are set aside no more, and the file knows them.
    let told = unsite(&[
        &"extract",
        &at("odd.jsonl"),
        &"-w",
        &at("site.unsite"),
        &"-o",
        &at("new.db"),
        &"--learn-new",
        &"--json",
    ])
    .ends(0)
    .json();
    assert!(told["new_page_types"].as_i64().unwrap() >= 1, "{told}");
    assert!(told["set_aside"].as_i64().unwrap() < aside, "{told}");
    let shown = unsite(&[&"show", &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(shown.contains("new page type"), "{shown}");
}

#[test]
fn the_fourier_classifier_needs_spectra() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&small_site(), &at("site.jsonl"));
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let extract = |out: &str| {
        unsite(&[
            &"extract",
            &at("site.jsonl"),
            &"-w",
            &at("site.unsite"),
            &"-o",
            &at(out),
            &"--classifier",
            &"fourier",
            &"-q",
        ])
    };
    extract("x.db").ends(1).says(&["--classifier fourier"]);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"--classifier", &"fourier", &"-q"])
        .ends(0);
    extract("y.db").ends(0);
}

#[test]
fn an_unchanged_site_is_no_drift_and_a_changed_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let site = Site::generate(&knobs());
    let (even, odd): (Vec<usize>, Vec<usize>) = (0..site.pages.len()).partition(|at| at % 2 == 0);
    fs::write(at("even.jsonl"), json_lines(&site, even.into_iter())).unwrap();
    fs::write(at("odd.jsonl"), json_lines(&site, odd.into_iter())).unwrap();
    unsite(&[&"learn", &at("even.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let told = unsite(&[&"check", &at("odd.jsonl"), &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(told.contains("No drift"), "{told}");
    let unread = [Change::RenameClasses, Change::ChangeTags, Change::NewNesting];
    // What the wrapper still reads is told by `check` alone.
    for change in unread.into_iter().chain([Change::ReorderBlocks, Change::SplitFields]) {
        let changed = Site::generate(&Knobs { redesign: BTreeSet::from([change]), ..knobs() });
        write_site(&changed, &at("changed.jsonl"));
        let told =
            unsite(&[&"check", &at("changed.jsonl"), &"-w", &at("site.unsite"), &"--json"]).ends(4).json();
        assert_eq!(told["drift"], true, "{change:?}");
        let first = &told["findings"][0];
        assert!(
            first["chance"].as_f64().unwrap() < 1e-5 && !first["class"].as_str().unwrap().is_empty(),
            "{first}"
        );
        let extracted =
            unsite(&[&"extract", &at("changed.jsonl"), &"-w", &at("site.unsite"), &"-o", &at("x.db")]);
        if unread.contains(&change) {
            extracted.says(&["not as it was learned", "unsite repair"]);
        } else {
            let built =
                told["findings"].as_array().unwrap().iter().find(|found| found["aspect"] == "structure");
            assert!(built.is_some_and(|built| built["page_type"].is_string()), "{told}");
        }
    }
}

#[test]
fn a_repair_is_proved_keeps_names_and_ends_the_drift() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&Site::generate(&knobs()), &at("old.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let before = fs::read(at("site.unsite")).unwrap();
    let old = unsite(&[&"show", &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    let redesign = BTreeSet::from([Change::RenameClasses, Change::ChangeTags, Change::ReorderBlocks]);
    write_site(&Site::generate(&Knobs { redesign, ..knobs() }), &at("new.jsonl"));
    let proposed = unsite(&[&"repair", &at("new.jsonl"), &"-w", &at("site.unsite"), &"--propose", &"--json"])
        .ends(0)
        .json();
    assert_eq!((&proposed["proved"], &proposed["written"]), (&true.into(), &false.into()));
    assert_eq!(fs::read(at("site.unsite")).unwrap(), before);
    let columns = proposed["columns"].as_array().unwrap();
    let proved = columns.iter().filter(|column| column["proved"] == true).count();
    assert!(proved * 10 >= columns.len() * 7, "{proved} of {}", columns.len());
    let told = unsite(&[&"repair", &at("new.jsonl"), &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(told.contains("found again under its old name"), "{told}");
    unsite(&[&"check", &at("new.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    // Old tables and columns are where they were, under their names.
    let new = unsite(&[&"show", &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    for (old, new) in old["tables"].as_array().unwrap().iter().zip(new["tables"].as_array().unwrap()) {
        assert_eq!(old["name"], new["name"]);
        for (old, new) in old["columns"].as_array().unwrap().iter().zip(new["columns"].as_array().unwrap()) {
            assert_eq!(old["name"], new["name"]);
        }
    }
}

#[test]
fn another_site_is_no_repair() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&small_site(), &at("old.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let before = fs::read(at("site.unsite")).unwrap();
    let other = Site::generate(&Knobs { seed: 7, family: Family::Antique, books: 24, ..Knobs::default() });
    write_site(&other, &at("other.jsonl"));
    unsite(&[&"repair", &at("other.jsonl"), &"-w", &at("site.unsite")]).ends(4).says(&["refused"]);
    assert_eq!(fs::read(at("site.unsite")).unwrap(), before);
}

#[test]
fn what_is_no_wrapper_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&small_site(), &at("site.jsonl"));
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let good = fs::read_to_string(at("site.unsite")).unwrap();
    let bad = |text: &str, says: &[&str]| {
        fs::write(at("bad.unsite"), text).unwrap();
        for command in ["show", "check"] {
            let source = at("site.jsonl");
            let run = match command {
                "show" => unsite(&[&"show", &"-w", &at("bad.unsite")]),
                _ => unsite(&[&"check", &source, &"-w", &at("bad.unsite")]),
            };
            run.ends(1).says(says);
        }
    };
    bad("", &["not a wrapper file"]);
    bad("{\"a\": 1}", &["not a wrapper file"]);
    bad(&"[".repeat(100_000), &["not a wrapper file"]);
    bad(&good[..good.len() / 2], &["cut off at line"]);
    bad(&good.replacen("\"version\": 1", "\"version\": 99", 1), &["version 99", "newer unsite"]);
    bad(&good.replacen("\"page_table\": 0", "\"page_table\": 99999", 1), &["damaged"]);
    let mut unknown: serde_json::Value = serde_json::from_str(&good).unwrap();
    unknown["known"][0]["page_type"] = 99.into();
    bad(&unknown.to_string(), &["damaged", "a type that is not there"]);
    unsite(&[&"repair", &at("site.jsonl"), &"-w", &at("bad.unsite")]).ends(1).says(&["damaged"]);
    unsite(&[&"show", &"-w", &at("nowhere.unsite")]).ends(1).says(&["cannot open", "unsite learn"]);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &folder.path()]).ends(1).says(&["is a folder"]);
    let shown = unsite(&[&"show", &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(shown.contains("recognised") && shown.contains("book"), "{shown}");
    unsite(&[&"show", &"nothing", &"-w", &at("site.unsite")]).ends(1).says(&["no table"]);
    unsite(&[&"show", &at("site.unsite")]).ends(1).says(&["given with -w"]);
}

/// The pages of a site whose address has this in it, as JSON Lines.
fn only(site: &Site, part: &str) -> String {
    json_lines(site, (0..site.pages.len()).filter(|&at| site.pages[at].url.contains(part)))
}

/// What became of each page type, by name.
fn states(told: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    told["page_types"].as_array().unwrap().iter().map(|at| (text(&at["name"]), text(&at["state"]))).collect()
}

fn redesigned() -> Site {
    let redesign = BTreeSet::from([Change::RenameClasses, Change::ChangeTags, Change::ReorderBlocks]);
    Site::generate(&Knobs { redesign, ..knobs() })
}

#[test]
fn a_site_that_has_not_changed_needs_no_repair() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let site = Site::generate(&knobs());
    write_site(&site, &at("site.jsonl"));
    fs::write(at("books.jsonl"), only(&site, "/book/").lines().take(8).collect::<Vec<_>>().join("\n"))
        .unwrap();
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let before = fs::read(at("site.unsite")).unwrap();
    for source in ["site.jsonl", "books.jsonl"] {
        let told = unsite(&[&"repair", &at(source), &"-w", &at("site.unsite")]).ends(0).stdout;
        assert!(told.contains("nothing has changed"), "{source}: {told}");
        assert_eq!(fs::read(at("site.unsite")).unwrap(), before, "{source}");
    }
}

#[test]
fn page_types_that_are_not_in_the_source_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (site, new) = (Site::generate(&knobs()), redesigned());
    write_site(&site, &at("old.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    // Three pages prove nothing.
    let books = only(&new, "/book/");
    fs::write(at("few.jsonl"), books.lines().take(3).collect::<Vec<_>>().join("\n")).unwrap();
    let before = fs::read(at("site.unsite")).unwrap();
    unsite(&[&"repair", &at("few.jsonl"), &"-w", &at("site.unsite")])
        .ends(4)
        .says(&["too few pages: 3 of book"]);
    assert_eq!(fs::read(at("site.unsite")).unwrap(), before);
    // All books in a new look: the other pages are read and recognised as they were.
    fs::write(at("books.jsonl"), &books).unwrap();
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(at(path)).unwrap()).unwrap()
    };
    let old = json("site.unsite");
    let told = unsite(&[&"repair", &at("books.jsonl"), &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    let states = states(&told);
    assert!(states.contains(&("book".into(), "relearned".into())), "{states:?}");
    assert!(states.contains(&("author".into(), "not_looked_at".into())), "{states:?}");
    let now = json("site.unsite");
    for (place, (_, state)) in states.iter().enumerate().filter(|(_, (_, state))| state == "not_looked_at") {
        assert_eq!(old["wrapper"]["types"][place], now["wrapper"]["types"][place], "{state}");
        assert_eq!(old["profile"]["types"][place], now["profile"]["types"][place]);
        let prototype = |file: &serde_json::Value| file["wrapper"]["recogniser"]["prototypes"][place].clone();
        assert_eq!(prototype(&old), prototype(&now));
        let training =
            |file: &serde_json::Value| file["wrapper"]["training"]["types"][place.to_string()].clone();
        assert_eq!(training(&old), training(&now));
    }
    fs::write(at("others.jsonl"), only(&site, "/author/") + &only(&site, "/search")).unwrap();
    let told = unsite(&[&"check", &at("others.jsonl"), &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    assert_eq!((&told["set_aside"], &told["drift"]), (&0.into(), &false.into()), "{told}");
    unsite(&[&"check", &at("books.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
}

#[test]
fn only_page_types_that_have_changed_are_learned_anew() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (site, new) = (Site::generate(&knobs()), redesigned());
    write_site(&site, &at("old.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let others = (0..site.pages.len()).filter(|&at| !site.pages[at].url.contains("/book/"));
    fs::write(at("half.jsonl"), only(&new, "/book/") + &json_lines(&site, others)).unwrap();
    let told = unsite(&[&"repair", &at("half.jsonl"), &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    let states = states(&told);
    let changed: Vec<&String> =
        states.iter().filter(|(_, state)| state != "fits").map(|(name, _)| name).collect();
    assert_eq!(changed, ["book"], "{states:?}");
    // A second time there is nothing left to do.
    let written = fs::read(at("site.unsite")).unwrap();
    let told = unsite(&[&"repair", &at("half.jsonl"), &"-w", &at("site.unsite")]).ends(0).stdout;
    assert!(told.contains("nothing has changed"), "{told}");
    assert_eq!(fs::read(at("site.unsite")).unwrap(), written);
}

#[test]
fn a_redesign_and_back_returns_to_the_old_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&Site::generate(&knobs()), &at("old.jsonl"));
    let redesign = BTreeSet::from([Change::RenameClasses, Change::MergeFields, Change::SplitFields]);
    write_site(&Site::generate(&Knobs { redesign, ..knobs() }), &at("new.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q", &"--classifier", &"fourier"])
        .ends(0);
    let repair =
        |source: &str| unsite(&[&"repair", &at(source), &"-w", &at("site.unsite"), &"--json"]).ends(0).json();
    let lost = |told: &serde_json::Value| -> Vec<String> {
        let columns = told["columns"].as_array().unwrap().iter();
        let lost = columns.filter(|column| column["proved"] == false && column["compared"] != 0);
        lost.map(|column| format!("{}.{} {}", column["table"], column["column"], column["page_type"]))
            .collect()
    };
    let there = repair("new.jsonl");
    let missing = lost(&there);
    assert!(!missing.is_empty(), "the redesign hides something: {there}");
    let back = repair("old.jsonl");
    let still: Vec<String> = lost(&back).into_iter().filter(|name| missing.contains(name)).collect();
    assert!(still.is_empty(), "{still:?}");
    // Spectra are made anew too.
    unsite(&[&"check", &at("old.jsonl"), &"-w", &at("site.unsite"), &"--classifier", &"fourier", &"-q"])
        .ends(0);
}

#[test]
fn a_repair_says_where_columns_are_now_and_why_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_site(&small_site(), &at("old.jsonl"));
    unsite(&[&"learn", &at("old.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let redesign = BTreeSet::from([Change::RenameClasses, Change::ChangeTags]);
    let knobs = Knobs { books: 24, authors: 8, categories: 3, queries: 3, redesign, ..Knobs::default() };
    write_site(&Site::generate(&knobs), &at("new.jsonl"));
    let told = unsite(&[&"repair", &at("new.jsonl"), &"-w", &at("site.unsite"), &"--propose"]).ends(0).stdout;
    assert!(told.contains("was at") && told.contains("is at"), "{told}");
    let other = Site::generate(&Knobs { seed: 7, family: Family::Antique, books: 24, ..Knobs::default() });
    write_site(&other, &at("other.jsonl"));
    let refused = unsite(&[&"repair", &at("other.jsonl"), &"-w", &at("site.unsite")]).ends(4);
    assert!(!refused.stdout.contains("found again under its old name"), "{}", refused.stdout);
    assert!(!refused.stderr.contains("which is no proof"), "{}", refused.stderr);
    // A source of another site, under other addresses.
    let page = |at: usize| serde_json::json!({"url": format!("http://elsewhere.test/{at}"), "html": other.pages[at].html});
    fs::write(at("foreign.jsonl"), (0..20).map(|at| format!("{}\n", page(at))).collect::<String>()).unwrap();
    unsite(&[&"repair", &at("foreign.jsonl"), &"-w", &at("site.unsite")])
        .ends(4)
        .says(&["refused: no page of a page type that is known is in the source"]);
}

#[test]
fn a_check_says_what_it_does_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (site, new) = (Site::generate(&knobs()), redesigned());
    write_site(&site, &at("site.jsonl"));
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let check = |source: &str| unsite(&[&"check", &at(source), &"-w", &at("site.unsite")]);
    fs::write(at("few.jsonl"), only(&site, "/book/").lines().take(2).collect::<Vec<_>>().join("\n")).unwrap();
    let told = check("few.jsonl").ends(0).stdout;
    assert!(told.contains("No drift proved: too few pages to tell"), "{told}");
    let stranger =
        serde_json::json!({"url": "http://elsewhere.test/1", "html": "<body><center>odd</center>"});
    fs::write(at("odd.jsonl"), json_lines(&site, 0..site.pages.len()) + &stranger.to_string()).unwrap();
    let told = check("odd.jsonl").ends(0).stdout;
    assert!(told.contains("No drift; 1 page fit no page type"), "{told}");
    // A redesign at the same addresses that was learned beside the old pages is no drift.
    write_site(&new, &at("new.jsonl"));
    check("new.jsonl").ends(4);
    fs::write(
        at("both.jsonl"),
        json_lines(&site, 0..site.pages.len()) + &json_lines(&new, 0..new.pages.len()),
    )
    .unwrap();
    unsite(&[
        &"extract",
        &at("both.jsonl"),
        &"-w",
        &at("site.unsite"),
        &"-o",
        &at("both.db"),
        &"--learn-new",
        &"-q",
    ])
    .ends(0);
    let told = check("both.jsonl").stdout;
    assert!(!told.contains("of another type at the same address"), "{told}");
}
