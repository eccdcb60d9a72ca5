//! Exported code reads what extraction reads, on pages that nobody learned from.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{json_lines, small_site, unsite};
use serde_json::Value;

/// A wrapper learned from every other page of a small site, and the other pages.
struct Halves {
    folder: tempfile::TempDir,
}

impl Halves {
    fn new() -> Halves {
        let site = small_site();
        let folder = tempfile::tempdir().unwrap();
        let (learned, held): (Vec<usize>, Vec<usize>) = (0..site.pages.len()).partition(|at| at % 2 == 0);
        fs::write(folder.path().join("learned.jsonl"), json_lines(&site, learned.into_iter())).unwrap();
        fs::write(folder.path().join("held.jsonl"), json_lines(&site, held.into_iter())).unwrap();
        let halves = Halves { folder };
        unsite(&[&"learn", &halves.path("learned.jsonl"), &"-w", &halves.path("site.unsite")]).ends(0);
        halves
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The Python that `make test` puts below the target folder, if it has a module.
#[allow(clippy::print_stderr)]
fn python_with(module: &str) -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("python/bin/python");
    let import = format!("import {module}");
    let has =
        Command::new(&python).args(["-c", &import]).output().is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("skipped: no Python with {module} in target/python");
    }
    has.then_some(python)
}

#[test]
fn every_target_is_written_and_says_what_it_leaves_out() {
    let halves = Halves::new();
    let wrapper = halves.path("site.unsite");
    for (target, holds) in [
        ("parsel", "PAGE_TYPES = ["),
        ("scrapy", "class SiteSpider"),
        ("xpath", "/html/body"),
        ("css", "html > body"),
    ] {
        let out = unsite(&[&"export", &"-w", &wrapper, &"--to", &target]).ends(0);
        assert!(out.stdout.contains(holds), "{target}: {}", out.stdout);
        let counted: Value = serde_json::from_str(
            &unsite(&[&"export", &"-w", &wrapper, &"--to", &target, &"--json"]).ends(0).stdout,
        )
        .unwrap();
        assert!(counted["columns"].as_u64().unwrap() > 0, "{target}: {counted}");
    }
    unsite(&[&"export", &"-w", &wrapper, &"--to", &"cobol"]).ends(2).says(&["scrapy, parsel, xpath, css"]);
    unsite(&[&"export", &"-w", &halves.path("none.unsite"), &"--to", &"css"]).ends(1).says(&["none.unsite"]);
}

#[test]
fn parsel_agrees_on_held_back_pages() {
    let Some(python) = python_with("parsel") else { return };
    let halves = Halves::new();
    for target in ["parsel", "xpath", "css"] {
        let out = unsite(&[
            &"export",
            &"-w",
            &halves.path("site.unsite"),
            &"--to",
            &target,
            &"--json",
            &"--verify",
            &halves.path("held.jsonl"),
            &"--python",
            &python,
        ])
        .ends(0);
        let said: Value = serde_json::from_str(&out.stdout).unwrap();
        let left_out = said["left_out"].as_array().unwrap();
        let is_left_out = |found: &Value| {
            left_out.iter().any(|left| {
                left["table"] == found["table"] && (left["column"] == found["column"] || left["column"] == "")
            })
        };
        let columns: Vec<&Value> =
            said["agreement"].as_array().unwrap().iter().filter(|found| !is_left_out(found)).collect();
        assert!(!columns.is_empty(), "{target}: {}", out.stderr);
        for found in columns {
            assert_eq!(found["equal"], found["cells"], "{target}: {found} {}", out.stderr);
        }
    }
}

/// Pages that lxml reads otherwise than browsers do, with a value for machines and a label at the end of the block before.
fn awkward_pages() -> String {
    let page = |at: usize| {
        let (word, year) = (["Alder", "Birch", "Cedar", "Damson", "Elder", "Fig"][at % 6], 1900 + at);
        let rows: String = (0..3 + at % 3)
            .map(|row| format!("<tr><td>{word} {row}<td><a href=/leaf/{at}-{row}>leaf {at}{row}</a>"))
            .collect();
        let html = format!(
            "<!doctype html><title>{word}</title><script type=application/ld+json>\
             {{\"@type\":[\"schema:Tree\"],\"height\":{{\"@value\":\"{at} m\"}},\"age\":{year},}}</script>\
             <body><main><td><h1 id=tree-{word}>{word} {at}</h1>\
             <p>Planted in <b>{year}</b> by hand {at}<section><i>{word}wood no. {at}</i></section>\
             <div class=head><span>Known {at} times</span> <em>Leaves</em><script>x({at})</script></div>\
             <p class=way>Way::<wbr><a href=/kind/{at}>{word} kind</a>::<wbr><i>leaf {at}</i></p>\
             <div class=box><table>{rows}</table></div></main>"
        );
        serde_json::json!({"url": format!("http://trees.test/tree/{at}"), "html": html}).to_string() + "\n"
    };
    (0..24).map(page).collect()
}

#[test]
fn what_browsers_put_right_is_put_right() {
    let Some(python) = python_with("parsel") else { return };
    let columns = agreement(&awkward_pages(), &python);
    assert!(
        columns.iter().any(|column| column["column"].as_str().unwrap().contains("height")),
        "{columns:?}"
    );
    assert!(columns.len() >= 6, "{columns:?}");
    for column in columns {
        assert_eq!(column["equal"], column["cells"], "{column}");
    }
}

#[test]
fn lists_of_articles_are_read_off_their_links() {
    let Some(python) = python_with("parsel") else { return };
    let (pages, _) = unsite_sample::news_site(unsite_sample::Language::En, 48, 3);
    let lines =
        pages.iter().map(|page| serde_json::json!({"url": page.url, "html": page.html}).to_string() + "\n");
    let columns = agreement(&lines.collect::<String>(), &python);
    let lists: Vec<&Value> = columns.iter().filter(|column| column["table"] == "article_lists").collect();
    assert_eq!(lists.len(), 3, "{columns:?}");
    for column in lists {
        assert_eq!(column["equal"], column["cells"], "{column}");
    }
}

/// Labels inside texts that part the lines before them from those behind, blocks that only their inside tells apart, and
/// lists at addresses like those of the things they list.
fn pages_of_an_office() -> String {
    let page = |at: usize| {
        let name = ["Alder", "Birch", "Cedar", "Damson", "Elder", "Fig"][at % 6];
        let phone = if at.is_multiple_of(3) { format!("<br>({at}) 555-0{at}") } else { String::new() };
        let facts: String =
            (0..4 + at % 2).map(|fact| format!("<li><b>{name} {fact}</b> in {}", 1900 + at + fact)).collect();
        let advert = if at.is_multiple_of(4) { "" } else { "<div><img src=/ad.gif alt=ad><p>Buy now</div>" };
        let html = format!(
            "<!doctype html><title>{name} {at}</title><body><h1>{name} College {at}</h1>\
             <td><table><tr><td id=office><h3>Office</h3>Box {at}<br>{name} Street {at}{phone}<br>Fax: ({at}) 555\
             <br>Contact: {name} Smith {at}<br>Director {at}</td></tr></table>\
             {advert}<div><h2>{name} history</h2><ul>{facts}</ul></div><div><em>{at} people</em> like {name} {at}</div>"
        );
        serde_json::json!({"url": format!("http://c.test/{}{at}", name.to_lowercase()), "html": html})
    };
    let list = |at: usize| {
        let rows: String = (0..6)
            .map(|row| format!("<tr><td><a href=/alder{row}{at}>College {row}{at}</a><td>{} km", row + at))
            .collect();
        let html = format!(
            "<!doctype html><title>Places {at}</title><body><h1>All of {at}</h1><table class=all>{rows}</table>"
        );
        serde_json::json!({"url": format!("http://c.test/region{at}"), "html": html})
    };
    (0..24).map(page).chain((0..8).map(list)).map(|page| page.to_string() + "\n").collect()
}

#[test]
fn labels_blocks_and_page_types_are_told_as_here() {
    let Some(python) = python_with("parsel") else { return };
    let said = verified(&pages_of_an_office(), &python, &[]);
    assert_eq!(said["page_types"], serde_json::json!({"pages": 32, "as_here": 32}), "{said}");
    let columns = said["agreement"].as_array().unwrap();
    assert!(columns.len() >= 8, "{said}");
    for column in columns {
        assert_eq!(column["equal"], column["cells"], "{column}");
    }
}

/// Two modules in one program, read by several threads at once, give what each gives alone.
#[test]
fn modules_do_not_get_into_each_others_way() {
    let Some(python) = python_with("parsel") else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, pages) in [("office", pages_of_an_office()), ("trees", awkward_pages())] {
        let (source, wrapper) = (at(&format!("{name}.jsonl")), at(&format!("{name}.unsite")));
        fs::write(&source, pages).unwrap();
        unsite(&[&"learn", &source, &"-w", &wrapper, &"-q"]).ends(0);
        unsite(&[&"export", &"-w", &wrapper, &"--to", &"parsel", &"-o", &at(&format!("{name}.py")), &"-q"])
            .ends(0);
    }
    let program = "
import json, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
import office, trees
work = [(m, json.loads(line)) for m in (office, trees) for line in open(m.__name__ + '.jsonl')]
work = work[::2] + work[1::2]
alone = {m: subprocess.run([sys.executable, m.__name__ + '.py'], stdin=open(m.__name__ + '.jsonl'),
         capture_output=True, text=True, check=True).stdout for m in (office, trees)}
alone = {m: {item['_url']: item for item in map(json.loads, said.splitlines())} for m, said in alone.items()}
with ThreadPoolExecutor(4) as threads:
    items = list(threads.map(lambda task: task[0].extract(task[1]['html'], task[1]['url']), work))
wrong = [page['url'] for (m, page), item in zip(work, items) if item != alone[m][page['url']]]
assert len(items) == 56 and not wrong, wrong
";
    let run = Command::new(python)
        .args(["-c", program])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8")
        .env("PYTHONUTF8", "1")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// Markup that is broken where lxml and browsers part: a table is closed inside a block that was opened in it.
#[test]
fn html5lib_reads_broken_markup_as_browsers_do() {
    let Some(python) = python_with("html5lib") else { return };
    let page = |at: usize| {
        let html = format!(
            "<!doctype html><title>T {at}</title><body><div id=main><table><tr><td><div class=inner><p>Alpha {at}\
             </table><p class=price>{at}.50</p></div><form><table><tr><form><td>Beta {at}</td></form></tr></table></form>\
             <b><p class=note>Note {at}</b> and more {at}</p>"
        );
        serde_json::json!({"url": format!("http://b.test/thing/{at}"), "html": html}).to_string() + "\n"
    };
    let said = verified(&(0..20).map(page).collect::<String>(), &python, &["--html5lib"]);
    let columns = said["agreement"].as_array().unwrap();
    assert!(columns.len() >= 3, "{said}");
    for column in columns {
        assert_eq!(column["equal"], column["cells"], "{column}");
    }
}

/// How far exported code agrees on the pages that it was learned from, column by column.
fn agreement(pages: &str, python: &Path) -> Vec<Value> {
    verified(pages, python, &[])["agreement"].as_array().unwrap().clone()
}

/// What `export --verify` says of code for the pages that it was learned from.
fn verified(pages: &str, python: &Path, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("pages.jsonl"), pages).unwrap();
    unsite(&[&"learn", &at("pages.jsonl"), &"-w", &at("site.unsite"), &"-q"]).ends(0);
    let (site, source) = (at("site.unsite"), at("pages.jsonl"));
    let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![
        &"export",
        &"-w",
        &site,
        &"--to",
        &"parsel",
        &"--json",
        &"--verify",
        &source,
        &"--python",
        &python,
    ];
    arguments.extend(options.iter().map(|option| option as &dyn AsRef<std::ffi::OsStr>));
    unsite(&arguments).ends(0).json()
}

/// A real Scrapy fetches the held back pages from a server of our own and gives an item for each page whose address
/// our own extraction knows, of the same type and with the same values.
#[test]
fn a_real_scrapy_reads_the_same() {
    let Some(python) = python_with("scrapy") else { return };
    let halves = Halves::new();
    let held = fs::read_to_string(halves.path("held.jsonl")).unwrap();
    let pages: BTreeMap<String, String> = held
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|page| (page["url"].as_str().unwrap().to_owned(), page["html"].as_str().unwrap().to_owned()))
        .collect();
    let spider = halves.path("spider.py");
    unsite(&[&"export", &"-w", &halves.path("site.unsite"), &"--to", &"scrapy", &"-o", &spider]).ends(0);
    let items = halves.path("items.jsonl");
    // The spider goes to our server under the pages' own names.
    let run = Command::new(python)
        .args(["-m", "scrapy", "runspider"])
        .arg(&spider)
        .args(["-a", &format!("start={}", pages.keys().cloned().collect::<Vec<_>>().join(" "))])
        .args([
            "-a",
            "follow=no",
            "-s",
            "ROBOTSTXT_OBEY=False",
            "-s",
            "TELNETCONSOLE_ENABLED=False",
            "-s",
            "DOWNLOAD_DELAY=0",
        ])
        .args(["-s", "HTTPPROXY_ENABLED=True", "-O"])
        .arg(&items)
        .env("http_proxy", format!("http://127.0.0.1:{}", serve(pages.clone())))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{log}");

    let own = halves.path("held.db");
    unsite(&[&"extract", &halves.path("held.jsonl"), &"-w", &halves.path("site.unsite"), &"-o", &own])
        .ends(0);
    let db = rusqlite::Connection::open(own).unwrap();
    let mut same_type = 0;
    let mut same_title = 0;
    for line in fs::read_to_string(&items).unwrap().lines() {
        let item: Value = serde_json::from_str(line).unwrap();
        let url = item["_url"].as_str().unwrap();
        let (page_type, title): (String, Option<String>) = db
            .query_row(
                "SELECT p.page_type, b.product_title FROM _pages p LEFT JOIN book b ON b.page_id = p.id WHERE p.url = ?",
                [&url],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!(item["_page_type"], page_type.as_str(), "{url}");
        same_type += 1;
        if let Some(title) = title {
            assert_eq!(item["product_title"], title.as_str(), "{url}");
            same_title += 1;
        }
    }
    assert!(same_type >= 12 && same_title >= 10, "{same_type} items, {same_title} books: {log}");
}

/// Answers requests for whole addresses, as a proxy is asked; gives its port.
fn serve(pages: BTreeMap<String, String>) -> u16 {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut connection in server.incoming().flatten() {
            let mut request = String::new();
            let _ = BufReader::new(&connection).read_line(&mut request);
            let html = request.split(' ').nth(1).and_then(|url| pages.get(url)).map_or("", String::as_str);
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                html.len()
            );
            let _ =
                connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(html.as_bytes()));
        }
    });
    port
}
