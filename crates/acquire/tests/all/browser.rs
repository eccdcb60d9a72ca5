//! A real Chromium against pages of ours on loopback.

#![allow(clippy::print_stderr, reason = "tests say what they skipped")]

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::site::Site;
use unsite_acquire::archive::ArchiveWriter;
use unsite_acquire::browser::{
    Browser, BrowserError, BrowserOptions, Document, Rendered, find_browser, render_exchange, write_rendered,
};
use unsite_acquire::fetch::{FetchOptions, Fetcher, Request, Stop};
use unsite_acquire::{Source, SourceOptions};
use unsite_dom::{Limits, Tree};

/// A page whose list is made by a script from an answer of the site.
const APP: &str =
    "<!doctype html><title>Shop</title><script type='application/json' id=state>{\"a\": 1}</script>
<div id=app></div><noscript>Switch scripts on</noscript>
<img src=/picture.png><script src=/app.js></script>";

const SCRIPT: &str = "fetch('/items.json').then(r => r.json()).then(items => {
  const list = document.createElement('ul');
  list.style.cssText = 'position:absolute;left:300px;margin:0;padding:0;list-style:none';
  for (const item of items) {
    const row = document.createElement('li');
    row.append(item.name, ' ', 'costs ', String(item.price));
    list.append(row);
  }
  document.getElementById('app').append(list);
});";

fn start(options: BrowserOptions) -> Option<Browser> {
    if find_browser().is_none() {
        eprintln!("skipped: there is no Chromium on PATH (apt-get install chromium)");
        return None;
    }
    Some(Browser::start(options).expect("a browser that is there starts"))
}

fn private(page_time: u64) -> BrowserOptions {
    let page_time = Duration::from_secs(page_time);
    BrowserOptions { allow_private: true, page_time, ..BrowserOptions::default() }
}

fn site() -> Site {
    Site::start(|request| match request.path.as_str() {
        "/app.js" => ("text/javascript", SCRIPT.to_owned()),
        "/app" => ("text/html", APP.to_owned()),
        "/items.json" => {
            ("application/json", r#"[{"name":"Larkspur","price":12},{"name":"Yarrow","price":7}]"#.into())
        }
        path => ("text/html", format!("<p>not asked for: {path}")),
    })
}

fn render(browser: &Browser, url: &str, html: &str) -> Result<Rendered, BrowserError> {
    let headers = [("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())];
    browser.render(&Document { url, status: 200, headers: &headers, body: html.as_bytes() })
}

#[test]
fn a_list_that_a_script_makes_is_there_with_its_places() {
    let Some(browser) = start(private(20)) else { return };
    let site = site();
    let page = render(&browser, &site.url("/shop"), APP).expect("is rendered");
    assert!(page.finished);
    let (tree, _) = Tree::parse(page.html.as_bytes(), None, &Limits::default());
    let rows: Vec<String> = tree.elements("li").map(|row| tree.visible_text(row)).collect();
    assert_eq!(rows, ["Larkspur costs 12", "Yarrow costs 7"], "{}", page.html);
    assert!(!page.html.contains("Switch scripts on"));
    assert!(page.html.contains(r#"{"a": 1}"#), "state that the page carries is kept");
    let boxes = page.layout.boxes(&tree);
    let mut places: Vec<_> = boxes.values().map(|place| (place.y, place.x)).collect();
    places.sort_unstable();
    assert_eq!(places.len(), 2);
    assert!(places.iter().all(|place| place.1 == 300), "{places:?}");
    assert!(places[0].0 < places[1].0, "{places:?}");
    // The document was handed over and the picture is noise: neither is asked for.
    let asked = site.asked();
    assert!(!asked.iter().any(|path| path == "/shop" || path == "/picture.png"), "{asked:?}");
    assert!(page.blocked >= 1);
}

#[test]
fn what_was_rendered_is_read_back_from_the_archive() {
    let Some(browser) = start(private(20)) else { return };
    let site = site();
    let options = FetchOptions { allow_private: true, delay: Duration::ZERO, ..FetchOptions::default() };
    let fetcher = Fetcher::new(options, Stop::default()).expect("starts");
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("pages.warc.gz");
    let mut archive = ArchiveWriter::create(&file, &[]).expect("is new");
    for path in ["/app", "/plain"] {
        let url = site.url(path).parse().expect("is an address");
        let exchange = fetcher.exchange(&Request::get(url)).expect("is fetched");
        let written = archive.write_exchange(&exchange).expect("there is room");
        if path == "/app" {
            let body = exchange.decoded(1 << 20).bytes;
            let rendered = render_exchange(&browser, &exchange, &body).expect("is rendered");
            write_rendered(&mut archive, &exchange, &written.id, &rendered).expect("there is room");
        }
    }
    let source = Source::open(file.to_str().expect("is text"), &SourceOptions::default()).expect("opens");
    let mut stream = source.pages().expect("is read");
    let mut pages = Vec::new();
    while let Some(item) = stream.next_page() {
        pages.extend(item.ok());
    }
    assert_eq!(pages.len(), 2, "a page and what was made of it are one page");
    assert_eq!(pages[0].status, Some(200));
    assert!(String::from_utf8_lossy(&pages[0].bytes).contains("Larkspur"));
    let layout = pages[0].layout.as_ref().expect("has places");
    let (tree, _) = Tree::parse(&pages[0].bytes, pages[0].charset.as_deref(), &Limits::default());
    assert_eq!(layout.boxes(&tree).len(), 2);
    assert!(pages[1].layout.is_none());
}

#[test]
fn private_addresses_stay_out_of_reach() {
    let Some(browser) = start(BrowserOptions { allow_private: false, ..private(10) }) else { return };
    let site = site();
    let html = format!(
        "<p id=out>nothing</p><script>fetch('{}').then(r => r.text())\
         .then(t => document.getElementById('out').textContent = 'got ' + t)</script>\
         <iframe src='{}'></iframe>",
        site.url("/items.json"),
        site.url("/frame"),
    );
    let page = render(&browser, "http://public.test/", &html).expect("is rendered");
    assert!(page.html.contains("nothing"), "{}", page.html);
    assert!(site.asked().is_empty(), "{:?}", site.asked());
    assert!(browser.refused_connections() >= 1);
}

#[test]
fn a_page_that_never_ends_costs_its_time_and_no_more() {
    let Some(browser) = start(private(3)) else { return };
    let site = site();
    let endless = render(&browser, &site.url("/endless"), "<p>before<script>for(;;){}</script>");
    let error = endless.expect_err("cannot be rendered").to_string();
    assert!(error.contains("did not answer within 3 s"), "{error}");
    let restless = "<p>here<script>setInterval(() => document.body.append('x'), 50)</script>";
    let page = render(&browser, &site.url("/restless"), restless).expect("is rendered as far as it got");
    assert!(!page.finished && page.html.contains("here"));
    let page = render(&browser, &site.url("/shop"), APP).expect("the next page is fine");
    assert!(page.html.contains("Larkspur"));
}

#[test]
fn a_browser_that_dies_is_started_again() {
    let Some(browser) = start(private(20)) else { return };
    let site = site();
    assert!(render(&browser, &site.url("/shop"), APP).is_ok());
    for _ in 0..3 {
        let id = browser.process_id().expect("runs").to_string();
        let killed = std::process::Command::new("kill").args(["-9", &id]).status().expect("kill is there");
        assert!(killed.success());
        let page = render(&browser, &site.url("/shop"), APP).expect("is rendered by a new one");
        assert!(page.html.contains("Larkspur"));
    }
    assert_eq!(browser.starts(), 4);
}

#[test]
fn tabs_work_side_by_side() {
    let Some(browser) = start(BrowserOptions { tabs: 2, ..private(20) }) else { return };
    let site = site();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (browser, site) = (&browser, &site);
            scope.spawn(move || {
                for page in 0..3 {
                    let html = format!("{APP}<p>worker {worker} page {page}");
                    let page = render(browser, &site.url("/shop"), &html).expect("is rendered");
                    assert!(
                        page.html.contains("Larkspur") && page.html.contains(&format!("worker {worker} "))
                    );
                }
            });
        }
    });
    assert_eq!(site.count.load(Ordering::SeqCst) % 2, 0);
}

#[test]
fn dialogs_and_forwards_do_not_stop_a_page() {
    let Some(browser) = start(private(10)) else { return };
    let site = site();
    let html = "<script>alert('hello'); window.open('/popup');</script><p>after";
    let page = render(&browser, &site.url("/dialog"), html).expect("is rendered");
    assert!(page.html.contains("after") && page.finished);
    let page =
        render(&browser, &site.url("/old"), "<script>location = '/new'</script>").expect("is rendered");
    assert!(page.html.contains("not asked for: /new"), "{}", page.html);
    let away = "<p>stays<script>location = 'http://elsewhere.test/'</script>";
    let page = render(&browser, &site.url("/away"), away).expect("is rendered");
    assert!(page.html.contains("stays"), "{}", page.html);
}

#[test]
fn a_program_that_is_no_browser_says_so() {
    let options = BrowserOptions { program: Some("/bin/false".into()), ..BrowserOptions::default() };
    let error = Browser::start(options).err().expect("does not start").to_string();
    assert!(error.contains("/bin/false does not start"), "{error}");
}
