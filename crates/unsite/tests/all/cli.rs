//! The command line itself: help, exit codes, what is said where.

use std::fs;

use crate::support::{json_lines, number, program, small_site, unsite};
use unsite::Exit;

const COMMANDS: [&str; 25] = [
    "demo", "run", "crawl", "probe", "learn", "extract", "check", "repair", "show", "export", "pages",
    "roles", "regions", "tables", "search", "why", "why-page", "methods", "experts", "train", "dedup",
    "link", "why-same", "eval", "gate",
];

/// A folder with a small site as `site.jsonl`.
fn with_site() -> tempfile::TempDir {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("site.jsonl"), json_lines(&site, 0..site.pages.len())).unwrap();
    folder
}

#[test]
fn help_names_every_command_and_every_command_has_help() {
    let help = unsite(&[&"--help"]).ends(0).stdout;
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in: {help}");
        let own = unsite(&[&command, &"--help"]).ends(0).stdout;
        assert!(own.contains(&format!("Usage: unsite {command}")), "{own}");
    }
    assert!(unsite(&[&"--version"]).ends(0).stdout.starts_with("unsite 0."));
}

#[test]
fn the_help_text_tells_the_exit_codes() {
    let help = unsite(&[&"--help"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for (exit, meaning) in Exit::MEANINGS {
        let word = meaning.split(':').next().unwrap();
        assert!(help.contains(&format!("{} {word}", exit.code())), "{exit:?} is not in: {help}");
    }
}

#[test]
fn usage_errors_end_with_2() {
    for arguments in [&["run"][..], &["run", "x"], &["nonsense"], &["demo", "--seed", "many"], &[]] {
        let run = program().args(arguments).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{arguments:?}");
    }
    unsite(&[&"run", &"x", &"-o", &"x.db", &"--method", &"magic"])
        .ends(2)
        .says(&["there is no such method", "auto"]);
}

#[test]
fn what_cannot_be_opened_is_told_with_what_to_do() {
    unsite(&[&"run", &"no-such-place", &"-o", &"x.db"])
        .ends(1)
        .says(&["error: no such file", "Check the spelling"]);
    unsite(&[&"pages", &"http://a.test/"])
        .ends(1)
        .says(&["error: http://a.test/ is a web address", "unsite crawl"]);
    unsite(&[&"why", &"no.db", &"a", &"1", &"b"]).ends(1).says(&["error: there is no file no.db"]);
    unsite(&[&"eval", &"no-gold"]).ends(1).says(&["error:", "no-gold"]);
}

#[test]
fn an_output_never_takes_the_place_of_the_source() {
    let folder = with_site();
    let source = folder.path().join("site.jsonl");
    let before = fs::read(&source).unwrap();
    let around = folder.path().join("sub/../site.jsonl");
    fs::create_dir(folder.path().join("sub")).unwrap();
    let wrapper = folder.path().join("site.unsite");
    unsite(&[&"learn", &source, &"-w", &wrapper, &"-q"]).ends(0);
    let mut names = vec![source.clone()];
    names.push(around);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.jsonl");
        std::os::unix::fs::symlink(&source, &link).unwrap();
        names.push(link);
    }
    for name in &names {
        let said = ["would take the place of the source", "name another"];
        unsite(&[&"run", &source, &"-o", name, &"--replace"]).ends(1).says(&said);
        unsite(&[&"run", name, &"-o", &source]).ends(1).says(&said);
        unsite(&[&"extract", name, &"-w", &wrapper, &"-o", &source]).ends(1).says(&said);
    }
    let pages = folder.path().join("pages.csv");
    fs::create_dir(&pages).unwrap();
    unsite(&[&"run", &pages, &"-o", &format!("{}/", pages.display())]).ends(1).says(&["source"]);
    assert!(fs::read(&source).unwrap() == before);
}

#[test]
fn an_error_says_its_reason_once() {
    let folder = with_site();
    let (source, db) = (folder.path().join("site.jsonl"), folder.path().join("out.db"));
    unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(0);
    let forbid = "CREATE TRIGGER no BEFORE DELETE ON _receipts BEGIN SELECT raise(ABORT, 'not today'); END";
    rusqlite::Connection::open(&db).unwrap().execute_batch(forbid).unwrap();
    let said = unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(1).says(&["of yours forbids it"]).stderr;
    assert_eq!((said.matches("not today").count(), said.matches("out.db").count()), (1, 1), "{said}");
}

#[test]
fn quiet_says_nothing_and_json_everything() {
    let folder = with_site();
    let (source, db) = (folder.path().join("site.jsonl"), folder.path().join("out.db"));
    let quiet = unsite(&[&"run", &source, &"-o", &db, &"--quiet"]).ends(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    let loud = unsite(&[&"run", &source, &"-o", &db]).ends(0).says(&["hint: "]);
    assert!(loud.stdout.contains("Written to") && loud.stdout.contains("page type"), "{}", loud.stdout);
    let json = unsite(&[&"run", &source, &"-o", &db, &"--json", &"-q"]).ends(0).json();
    assert_eq!(json["pages"], number(&db, "SELECT count(*) FROM _pages"));
    assert_eq!(json["cells"], number(&db, "SELECT count(*) FROM _cells"));
    let types = json["page_types"].as_array().unwrap();
    assert_eq!(types.len() as i64, number(&db, "SELECT count(*) FROM _page_types"));
    let counted: i64 = types.iter().map(|info| info["pages"].as_i64().unwrap()).sum();
    assert_eq!(counted, number(&db, "SELECT count(*) FROM _pages WHERE page_type IS NOT NULL"));
    for table in json["tables"].as_array().unwrap() {
        let name = table["name"].as_str().unwrap();
        assert_eq!(table["rows"], number(&db, &format!("SELECT count(*) FROM \"{name}\"")));
        assert!(table["samples"].as_array().unwrap().len() <= 3);
    }
}

#[test]
fn colours_only_where_wanted() {
    let folder = with_site();
    let run = |flags: &[&str], no_color: bool| {
        let mut command = program();
        command.arg("run").arg(folder.path().join("site.jsonl")).arg("-o").arg(folder.path().join("out.db"));
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.args(flags).output().unwrap();
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    assert!(!run(&[], false), "no terminal, no colours");
    assert!(run(&["--color", "always"], false));
    assert!(!run(&["--color", "never"], false));
    assert!(!run(&[], true));
}

#[test]
fn pages_and_tables_agree_with_run() {
    let folder = with_site();
    let (source, db) = (folder.path().join("site.jsonl"), folder.path().join("out.db"));
    let run = unsite(&[&"run", &source, &"-o", &db, &"--json"]).ends(0).json();
    let pages = unsite(&[&"pages", &source, &"--json"]).ends(0).json();
    assert_eq!(pages["page_types"], run["page_types"]);
    let tables = unsite(&[&"tables", &source, &"--json"]).ends(0).json();
    assert_eq!(tables["tables"], run["tables"]);
    assert!(tables.get("output").is_none());
    let text = unsite(&[&"pages", &source]).ends(0).stdout;
    let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(table.len(), 1 + run["page_types"].as_array().unwrap().len(), "{text}");
    let text = unsite(&[&"tables", &source]).ends(0).stdout;
    for table in run["tables"].as_array().unwrap() {
        assert!(text.contains(&format!("{}: ", table["name"].as_str().unwrap())), "{text}");
    }
}

#[test]
fn the_diagram_is_printed_or_drawn() {
    let folder = with_site();
    let (source, file) = (folder.path().join("site.jsonl"), folder.path().join("out.svg"));
    let tables = unsite(&[&"tables", &source, &"--json", &"--mermaid"]).ends(0).json();
    let text = unsite(&[&"tables", &source, &"--mermaid"]).ends(0).stdout;
    assert_eq!(tables["er"], text);
    assert!(text.starts_with("erDiagram\n"), "{text}");
    let boxes = text.matches("        integer id PK\n").count();
    let entities = tables["tables"].as_array().unwrap().iter().filter(|table| table["kind"] == "entity");
    assert!(boxes > 0 && boxes <= entities.count(), "{text}");
    let drawn =
        unsite(&[&"tables", &source, &"--er", &"-o", &file]).ends(0).says(&["hint: the diagram is in"]);
    assert_eq!(drawn.stdout, "");
    let picture = fs::read_to_string(&file).unwrap();
    assert_eq!(picture.matches("class=\"box\"").count(), boxes);
    assert_eq!(picture.matches("class=\"link\"").count(), text.matches("o--o{").count());
    unsite(&[&"tables", &source, &"--er", &"-o", &"out.docx"]).ends(1).says(&["name a file .svg or .mmd"]);
    // A database and a wrapper that were written before say the same.
    let (db, wrapper) = (folder.path().join("out.db"), folder.path().join("out.unsite"));
    unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(0);
    unsite(&[&"learn", &source, &"-w", &wrapper, &"-q"]).ends(0);
    // Which columns are unique is only seen in their rows.
    let plain = |text: String| text.replace(" UK\n", "\n");
    for there in [&db, &wrapper] {
        let said = unsite(&[&"tables", there, &"--mermaid"]).ends(0).stdout;
        assert_eq!(plain(said), plain(text.clone()), "{}", there.display());
    }
    let there = unsite(&[&"tables", &db, &"--json"]).ends(0).json();
    let names = |tables: &serde_json::Value| -> Vec<String> {
        let tables = tables["tables"].as_array().unwrap().iter();
        tables.map(|table| format!("{} {} {}", table["name"], table["rows"], table["ties"])).collect()
    };
    assert_eq!(names(&there), names(&tables));
}

#[test]
fn every_cell_has_a_receipt() {
    let folder = with_site();
    let (source, db) = (folder.path().join("site.jsonl"), folder.path().join("out.db"));
    unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(0);
    let cells = rusqlite::Connection::open(&db).unwrap();
    let mut cells = cells
        .prepare("SELECT table_name, row_id, column_name, value, path, ref, url FROM _cells WHERE row_id IS NOT NULL
              ORDER BY random() LIMIT 5")
        .unwrap();
    let mut cells = cells.query([]).unwrap();
    while let Some(cell) = cells.next().unwrap() {
        let text = |at: usize| cell.get::<_, String>(at).unwrap();
        let row = cell.get::<_, i64>(1).unwrap().to_string();
        let receipt = unsite(&[&"why", &db, &text(0), &row, &text(2), &"--json"]).ends(0).json();
        let values = receipt["values"].as_array().unwrap();
        let here = |value: &serde_json::Value| {
            let page = &value["page"];
            value["value"] == text(3)
                && value["path"] == text(4)
                && page["ref"] == text(5)
                && page["url"] == text(6)
        };
        assert!(values.iter().any(here), "{receipt}");
        // The page of the receipt is the one that was read for the row, where there is such a one.
        let first = &values[0];
        assert_eq!(receipt["page"]["ref"], first["page"]["ref"], "{receipt}");
        assert!(first["copy"] == false || values.iter().all(|value| value["copy"] == true), "{receipt}");
        assert!(receipt["found_by"]["confidence"].is_number(), "{receipt}");
        let shown = unsite(&[&"why", &db, &text(0), &row, &text(2)]).ends(0).stdout;
        assert!(
            shown.contains(&text(4)) && shown.contains(first["page"]["url"].as_str().unwrap()),
            "{shown}"
        );
        // The source stands beside the database: where in it the page is, and what the experts say of it.
        assert!(receipt["page"]["offset"].is_number(), "{receipt}");
        // What the head says has no text around it.
        let on_page = values.iter().filter(|value| value["page"]["ref"] == receipt["page"]["ref"]);
        let in_body = on_page.clone().any(|value| value["path"].as_str().unwrap().starts_with("html/body"));
        assert_eq!(receipt["around"].as_array().unwrap().is_empty(), !in_body, "{receipt}");
        let experts = receipt["page_type_by"]["experts"].as_array().unwrap();
        assert!(experts.len() > 3, "{receipt}");
        assert_eq!(receipt["page_type_by"]["page_type"], receipt["page"]["page_type"]);
        assert_eq!(shown.matches("expert ").count(), experts.len(), "{shown}");
        let bare =
            unsite(&[&"why", &db, &text(0), &row, &text(2), &"--json", &"--no-experts"]).ends(0).json();
        assert!(bare["page_type_by"].is_null(), "{bare}");
    }
    let table = cells_table(&db);
    // The same addresses, other pages.
    let emptied = folder.path().join("emptied.jsonl");
    let pages = fs::read_to_string(&source).unwrap();
    let pages = pages.lines().map(|line| {
        let page: serde_json::Value = serde_json::from_str(line).unwrap();
        serde_json::json!({"url": page["url"], "html": "<p>gone"}).to_string() + "\n"
    });
    fs::write(&emptied, pages.collect::<String>()).unwrap();
    let (in_body, row): (String, i64) = rusqlite::Connection::open(&db)
        .unwrap()
        .query_row(
            "SELECT column_name, row_id FROM _cells WHERE table_name = ? AND path LIKE 'html/body/%/%/%' LIMIT 1",
            [&table],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    unsite(&[&"why", &db, &table, &row.to_string(), &in_body, &"--source", &emptied])
        .ends(0)
        .says(&["has nothing at html/body"]);
    unsite(&[&"why", &db, &"nothing", &"1", &"x"]).ends(1).says(&["there is no table", &table]);
    unsite(&[&"why", &db, &table, &"1", &"no_such"]).ends(1).says(&["has no column", "its columns are"]);
    unsite(&[&"why", &db, &table, &"999999", &first_column(&db, &table)])
        .ends(1)
        .says(&["its rows are 1 to"]);
    unsite(&[&"why", &source, &"a", &"1", &"b"]).ends(1).says(&["cannot tell why from"]);
}

fn cells_table(db: &std::path::Path) -> String {
    let db = rusqlite::Connection::open(db).unwrap();
    db.query_row("SELECT table_name FROM _columns ORDER BY id LIMIT 1", [], |row| row.get(0)).unwrap()
}

fn first_column(db: &std::path::Path, table: &str) -> String {
    let db = rusqlite::Connection::open(db).unwrap();
    let sql = "SELECT column_name FROM _columns WHERE table_name = ? ORDER BY id LIMIT 1";
    db.query_row(sql, [table], |row| row.get(0)).unwrap()
}

#[test]
fn methods_are_listed_and_each_can_be_used() {
    let folder = with_site();
    let listed = unsite(&[&"methods", &"--json"]).ends(0).json();
    let names: Vec<&str> =
        listed["methods"].as_array().unwrap().iter().map(|method| method["name"].as_str().unwrap()).collect();
    assert_eq!(names[0], "auto");
    let text = unsite(&[&"methods"]).ends(0).stdout;
    for name in names {
        assert!(text.contains(name), "{text}");
        unsite(&[&"pages", &folder.path().join("site.jsonl"), &"--method", &name]).ends(0);
    }
}

#[test]
fn published_methods_find_tables_on_a_few_pages() {
    let folder = with_site();
    let source = folder.path().join("site.jsonl");
    let listed = unsite(&[&"methods", &"--json"]).ends(0).json();
    for method in listed["data_methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        let found = unsite(&[&"tables", &source, &"--data-method", &name, &"--json"]).ends(0).json();
        assert!(!found["tables"].as_array().unwrap().is_empty(), "{name}");
    }
    unsite(&[&"tables", &source, &"--data-method", &"magic"])
        .ends(2)
        .says(&["there is no such method", "confhex"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = with_site();
    let mut command = program();
    command.arg("tables").arg(folder.path().join("site.jsonl")).arg("--json");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_database_says_itself_what_is_in_it() {
    let folder = with_site();
    let (source, db) = (folder.path().join("site.jsonl"), folder.path().join("site.db"));
    unsite(&[&"run", &source, &"-o", &db, &"-q"]).ends(0);
    let pages = unsite(&[&"pages", &db, &"--json"]).ends(0).json();
    let types = pages["page_types"].as_array().unwrap();
    let read = unsite(&[&"pages", &source, &"--json"]).ends(0).json();
    assert_eq!(types.len(), read["page_types"].as_array().unwrap().len());
    let sum: i64 = types.iter().map(|kind| kind["pages"].as_i64().unwrap()).sum();
    assert_eq!(sum, number(&db, "SELECT count(*) FROM _pages WHERE page_type IS NOT NULL"));
    let roles = unsite(&[&"roles", &db, &"--json"]).ends(0).json();
    assert_eq!(roles["pages"].as_array().unwrap().len() as i64, number(&db, "SELECT count(*) FROM _pages"));
    let listed = unsite(&[&"roles", &db, &"--top", &"3"]).ends(0).says(&["--top shows more"]).stdout;
    assert_eq!(listed.lines().count(), 4, "{listed}");
    let tables = unsite(&[&"tables", &db, &"--json"]).ends(0).json();
    let shown = "SELECT count(*) FROM _tables WHERE kind IN ('entity', 'relation')";
    assert_eq!(tables["tables"].as_array().unwrap().len() as i64, number(&db, shown));
    unsite(&[&"pages", &db, &"--key-paths"]).ends(1).says(&["is a database"]);
    // A database of somebody else.
    let other = folder.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
    for command in ["pages", "roles", "tables"] {
        unsite(&[&command, &other]).ends(1).says(&["a database that `unsite run` wrote"]);
    }
}

#[test]
fn what_is_no_source_is_called_what_it_is() {
    let folder = with_site();
    let at = |name: &str| folder.path().join(name);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    unsite(&[&"run", &at("site.jsonl"), &"-o", &at("site.db"), &"-q"]).ends(0);
    unsite(&[&"extract", &at("site.unsite"), &"-w", &at("site.unsite"), &"-o", &at("x.db")])
        .ends(1)
        .says(&["is a wrapper", "with -w"]);
    unsite(&[&"run", &at("site.db"), &"-o", &at("x.db")]).ends(1).says(&["is a database"]);
    unsite(&[&"run", &at("site.unsite"), &"-o", &at("x.db")]).ends(1).says(&["is a wrapper", "with -w"]);
    unsite(&[&"pages", &at("site.unsite")]).ends(1).says(&["is a wrapper"]);
    unsite(&[&"regions", &at("site.db")]).ends(1).says(&["is a database"]);
    unsite(&[&"show", &at("site.unsite")]).ends(1).says(&["show -w"]);
}
