//! The prober against sites of ours on loopback: what it sends, what it never sends, how it tells answers apart.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::site::{Request, Site};
use unsite_acquire::archive::ArchiveWriter;
use unsite_acquire::fetch::{FetchOptions, Fetcher, Stop};
use unsite_acquire::probe::{Ended, ProbeError, ProbeOptions, ProbeReport, ProbeTools, probe};
use unsite_acquire::{Source, SourceOptions};
use url::Url;

/// A shop with 300 teas behind a form; twenty to a page.
fn tea(request: &Request) -> String {
    let value = |name: &str| {
        let sent = if request.method == "POST" { &request.body } else { &request.query };
        let url = Url::parse(&format!("http://x/?{sent}")).expect("is an address");
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let form = |method: &str| {
        format!(
            "<form class=search action=/find method={method}><input type=hidden name=token value=t42>\
             <input name=words placeholder=Search><select name=shelf><option value=''>all<option>top</select></form>"
        )
    };
    let frame = |body: &str| {
        format!(
            "<html lang=en><nav><a href=/>Shop</a> <a href=/login>Sign in</a></nav>{body}<footer>open daily</footer>"
        )
    };
    if request.path == "/login" {
        return frame(
            "<form method=post action=/session><input name=user><input type=password name=p></form>",
        );
    }
    if request.path != "/find" {
        return frame(&form(if request.path == "/post" { "post" } else { "get" }));
    }
    if value("token").as_deref() != Some("t42") {
        return frame("<h1>The form was not filled in as a browser does</h1>");
    }
    let word = value("words").unwrap_or_default().to_lowercase();
    let page: usize = value("p").and_then(|page| page.parse().ok()).unwrap_or(1);
    let kinds = ["green", "black", "white", "yellow", "red"];
    let places = ["garden", "mountain", "river", "valley", "island", "forest", "village"];
    let teas: Vec<(usize, String)> = (0..300)
        .map(|n| (n, format!("{} tea of the {} number{n:03}x", kinds[n % 5], places[n % 7])))
        .filter(|(_, name)| name.split(' ').any(|part| part == word))
        .collect();
    if teas.is_empty() {
        return frame(&format!("{}<p class=none>Nothing matches {word}.</p>", form("get")));
    }
    let rows: String = teas
        .iter()
        .skip(20 * (page - 1))
        .take(20)
        .map(|(n, name)| format!("<li><a href=/tea/{n}>{name}</a> <b>{n} EUR</b></li>"))
        .collect();
    let next = if teas.len() > 20 * page {
        format!("<a href='/find?token=t42&words={word}&p={}'>Next page</a>", page + 1)
    } else {
        String::new()
    };
    frame(&format!("{}<h2>{} teas for {word}</h2><ul class=hits>{rows}</ul>{next}", form("get"), teas.len()))
}

fn shop() -> Site {
    Site::start(|request| match request.path.as_str() {
        "/robots.txt" => ("text/plain", String::new()),
        _ => ("text/html", tea(request)),
    })
}

fn ask(start: &str, file: &Path, options: &ProbeOptions) -> Result<ProbeReport, ProbeError> {
    let fetch = FetchOptions { allow_private: true, delay: Duration::ZERO, ..FetchOptions::default() };
    let fetcher = Fetcher::new(fetch, Stop::default()).expect("starts");
    let mut archive = ArchiveWriter::create(file, &[]).expect("the file is new");
    let tools =
        ProbeTools { fetcher: &fetcher, archive: &mut archive, browser: None, allowed: &|_: &Url| Ok(()) };
    probe(&Url::parse(start).expect("is an address"), options, tools, &mut |_| ())
}

#[test]
fn a_shop_is_read_through_its_form() {
    let folder = tempfile::tempdir().expect("there is room");
    for path in ["/", "/post"] {
        let site = shop();
        let file = folder.path().join(format!("{}.warc.gz", path.len()));
        let report = ask(&site.url(path), &file, &ProbeOptions::default()).expect("is probed");
        assert_eq!(report.form.method, if path == "/" { "GET" } else { "POST" });
        assert!(report.form.field.contains("words"), "{:?}", report.form);
        assert!(report.queries.len() <= 110);
        for class in ["several", "one", "no match"] {
            assert!(report.queries.iter().any(|query| query.class == class), "{class} is missing");
        }
        let truth = |word: &str| {
            tea(&Request {
                path: "/find".into(),
                query: format!("token=t42&words={word}"),
                ..Request::default()
            })
        };
        for query in &report.queries {
            let matches = !truth(&query.word).contains("Nothing matches");
            assert_eq!(matches, query.class != "no match", "{query:?}");
        }
        assert_eq!(report.results, 300, "{:?}", report.ended);
        assert!(report.estimated_coverage.is_some_and(|share| (0.5..=1.0).contains(&share)));
        // What was written is what a run reads: every tea is in it.
        let source = Source::open(file.to_str().expect("is text"), &SourceOptions::default()).expect("opens");
        let mut pages = source.pages().expect("is read");
        let mut teas = BTreeSet::new();
        while let Some(item) = pages.next_page() {
            let Ok(page) = item else { continue };
            let html = String::from_utf8_lossy(&page.bytes).into_owned();
            teas.extend(
                html.split("href=/tea/").skip(1).filter_map(|rest| rest.split('>').next().map(str::to_owned)),
            );
        }
        assert_eq!(teas.len(), 300);
        assert!(!site.asked().iter().any(|path| path == "/session"), "the sign-in form was sent");
    }
}

#[test]
fn the_same_seed_asks_the_same_words() {
    let folder = tempfile::tempdir().expect("there is room");
    let words = |name: &str, seed| -> Vec<String> {
        let site = shop();
        let options = ProbeOptions { seed, words: 20, nonsense: 4, ..ProbeOptions::default() };
        let report = ask(&site.url("/"), &folder.path().join(name), &options).expect("is probed");
        report.queries.into_iter().map(|query| query.word).collect()
    };
    let first = words("a.warc.gz", 1);
    assert_eq!(first.len(), 24);
    assert_eq!(first, words("b.warc.gz", 1));
    assert_ne!(first, words("c.warc.gz", 2));
}

#[test]
fn budgets_hold() {
    let folder = tempfile::tempdir().expect("there is room");
    let site = shop();
    let options = ProbeOptions { max_pages: 12, ..ProbeOptions::default() };
    let report = ask(&site.url("/"), &folder.path().join("a.warc.gz"), &options).expect("is probed");
    assert_eq!(report.ended, Ended::PagesUsedUp);
    assert!(report.requests <= 12 && site.asked().len() <= 12);
}

#[test]
fn sign_in_forms_are_never_sent_even_when_asked_for() {
    let folder = tempfile::tempdir().expect("there is room");
    let site = shop();
    let wanted = ProbeOptions { form: Some("1".into()), ..ProbeOptions::default() };
    let error = ask(&site.url("/login"), &folder.path().join("a.warc.gz"), &wanted).expect_err("is refused");
    assert!(error.to_string().contains("it asks for a password"), "{error}");
    let missing = ProbeOptions { form: Some("nothing".into()), ..ProbeOptions::default() };
    let error =
        ask(&site.url("/login"), &folder.path().join("b.warc.gz"), &missing).expect_err("is not there");
    assert!(error.to_string().contains("has no form nothing; it has 1 form"), "{error}");
    assert_eq!(site.asked(), ["/login", "/login"]);
}

#[test]
fn a_form_on_another_page_is_found_and_none_is_said() {
    let folder = tempfile::tempdir().expect("there is room");
    let site = Site::start(|request| {
        let html = match request.path.as_str() {
            "/" => "<a href=/a>About</a><a href=/seek>Search the collection</a>",
            "/seek" => "<form action=/find><input name=q></form>",
            "/find" => "<p>Nothing",
            _ => "<p>nothing here",
        };
        ("text/html", html.to_owned())
    });
    let options = ProbeOptions { words: 3, nonsense: 2, ..ProbeOptions::default() };
    let report = ask(&site.url("/"), &folder.path().join("a.warc.gz"), &options).expect("is probed");
    assert!(report.form.page.ends_with("/seek"));
    assert!(!site.asked().iter().any(|path| path == "/a"), "what speaks of searching comes first");
    let error = ask(&site.url("/a"), &folder.path().join("b.warc.gz"), &options).expect_err("there is none");
    assert!(matches!(error, ProbeError::NoForm { .. }), "{error}");
}
