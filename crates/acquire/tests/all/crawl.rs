//! The crawler against sites on loopback, honest and hostile.

mod losses;
mod traps;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::server::{Answer, Asked, Server};
use tempfile::TempDir;
use unsite_acquire::crawl::{
    CrawlOptions, End, Event, Mode, Pattern, Place, Reach, Report, Scope, Watch, crawl,
};
use unsite_acquire::fetch::{FetchOptions, Fetcher, Stop};
use url::Url;

/// Remembers what was said.
#[derive(Default)]
struct Heard {
    saved: Vec<String>,
    notices: Vec<String>,
    troubles: Vec<String>,
}

impl Watch for Heard {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Saved(page) => self.saved.push(page.url.path().to_owned()),
            Event::Notice(text) => self.notices.push(text.to_owned()),
            Event::Trouble(url, why) => self.troubles.push(format!("{url}: {why}")),
            Event::Status(_) => {}
        }
    }
}

fn fetch_options() -> FetchOptions {
    FetchOptions { allow_private: true, delay: Duration::ZERO, tries: 1, ..FetchOptions::default() }
}

fn options(start: &str) -> CrawlOptions {
    let start = Url::parse(start).unwrap();
    let scope = Scope::new(&start, Reach::Domain, Vec::new(), Vec::new());
    CrawlOptions {
        start,
        scope,
        max_pages: None,
        max_depth: None,
        lists: true,
        traps: true,
        ignore_nofollow: false,
        mode: Mode::New,
    }
}

fn run(options: &CrawlOptions, fetching: FetchOptions, output: &Path) -> (Report, Heard) {
    let mut heard = Heard::default();
    let fetcher = Fetcher::new(fetching, Stop::default()).unwrap();
    let report = crawl(&fetcher, &Place::parse(output).unwrap(), options, &mut heard).unwrap();
    (report, heard)
}

/// Crawls a site of our own and reads back what was archived.
fn crawl_site(
    answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
) -> (Report, Heard, BTreeSet<String>, Server) {
    let server = Server::start(answer);
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("pages.warc.gz");
    let (report, heard) = run(&options(&server.url("/")), fetch_options(), &output);
    let paths = archived(&output);
    (report, heard, paths, server)
}

fn archived(output: &Path) -> BTreeSet<String> {
    let (pages, problems) = crate::support::read(output, 20 << 20);
    assert!(problems.iter().all(|problem| problem.kind == unsite_dom::ProblemKind::Skipped), "{problems:?}");
    let paths: BTreeSet<String> = pages
        .iter()
        .map(|page| Url::parse(&page.url).unwrap()[url::Position::BeforePath..].to_owned())
        .collect();
    assert_eq!(paths.len(), pages.len(), "each page once");
    paths
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn robots_and_pages_are_obeyed() {
    let (report, heard, paths, server) = crawl_site(|asked| match asked.path() {
        "/robots.txt" => Answer::text("User-agent: unsite\nDisallow: /secret\n\nUser-agent: *\nDisallow: /"),
        "/" => Answer::html(
            "<a href=/a?utm_source=x>a</a><a href=/a#part>a</a><a href=/secret/x>s</a><a href=/skip rel=nofollow>n</a>\
             <a href=/hidden>h</a><a href=/photo.jpg>p</a><a href='http://127.0.0.1:1/other'>o</a><a href=/file>f</a>",
        ),
        "/a" => Answer::html("<title>A</title><meta name=robots content=nofollow><a href=/never>x</a>"),
        "/hidden" => Answer::html("hidden <a href=/behind>b</a>").with("X-Robots-Tag", "noindex"),
        "/behind" => Answer::html("behind"),
        "/file" => {
            Answer::Whole(200, vec![("Content-Type".into(), "application/pdf".into())], b"%PDF".to_vec())
        }
        _ => Answer::status(404),
    });
    assert_eq!(report.end, End::Done);
    assert_eq!(paths, set(&["/", "/a", "/behind"]));
    assert_eq!((report.pages, report.forbidden, report.no_index, report.other), (3, 1, 1, 1));
    assert_eq!(heard.saved.len(), 3);
    let asked = server.targets();
    assert_eq!(asked[0], "/robots.txt");
    for target in ["/secret/x", "/skip", "/never", "/photo.jpg"] {
        assert!(!asked.contains(&target.to_owned()), "{target} was asked for");
    }
    assert_eq!(
        asked.iter().collect::<BTreeSet<_>>().len(),
        asked.len(),
        "nothing is asked for twice: {asked:?}"
    );
}

#[test]
fn servers_without_rules_and_with_broken_ones() {
    let site = |status: u16| {
        move |asked: &Asked| match asked.path() {
            "/robots.txt" => Answer::status(status),
            _ => Answer::html("page"),
        }
    };
    assert_eq!(crawl_site(site(404)).0.pages, 1);
    let (report, heard, ..) = {
        let server = Server::start(site(500));
        let folder = TempDir::new().unwrap();
        let (report, heard) =
            run(&options(&server.url("/")), fetch_options(), &folder.path().join("x.warc.gz"));
        assert_eq!(server.targets(), ["/robots.txt"]);
        (report, heard)
    };
    assert!(matches!(report.end, End::Unreachable(_)), "{report:?}");
    assert!(heard.troubles[0].contains("robots.txt answers 500"));
    let (report, ..) = crawl_site(|asked| match asked.path() {
        "/robots.txt" => Answer::redirect("/rules"),
        "/rules" => Answer::text("User-agent: *\nDisallow: /no"),
        "/" => Answer::html("<a href=/no>x"),
        _ => Answer::html("other"),
    });
    assert_eq!((report.pages, report.forbidden), (1, 1));
}

#[test]
fn sitemaps_and_feeds_are_read() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.path() {
        "/robots.txt" => Answer::text("Sitemap: /index.xml"),
        "/index.xml" => Answer::xml("<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>"),
        "/one.xml.gz" => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(b"<urlset><url><loc>/mapped</loc></url></urlset>").unwrap();
            Answer::xml(gzip.finish().unwrap())
        }
        "/" => Answer::html("<link rel=alternate type='application/rss+xml' href=/feed><p>start"),
        "/feed" => Answer::xml("<rss><channel><item><link>/fed</link></item></channel></rss>"),
        path @ ("/mapped" | "/fed") => Answer::html(path),
        _ => Answer::status(404),
    });
    assert_eq!(paths, set(&["/", "/mapped", "/fed"]));
    assert_eq!(report.end, End::Done);
}

#[test]
fn one_page_is_saved_once() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.target.as_str() {
        "/" => Answer::html(
            "<a href=/p?b=1>1</a><a href=/p?b=2>2</a><a href=/old>3</a><a href=/loop>4</a><a href=/wrong>5</a>\
             <a href='/s;jsessionid=1'>6</a><a href=/copy/>7</a>",
        ),
        "/p?b=1" | "/p?b=2" => Answer::html(format!("<link rel=canonical href=/p>{}", asked.target)),
        "/p" => Answer::html("<link rel=canonical href=/p>the page"),
        "/old" => Answer::redirect("/new"),
        "/new" => Answer::html("new"),
        "/loop" => Answer::redirect("/pool"),
        "/pool" => Answer::redirect("/loop"),
        // Names a page as its own that is not there.
        "/wrong" => Answer::html("<link rel=canonical href=/wrong/index.html>wrong but good"),
        "/s" => Answer::html("session"),
        path if path.starts_with("/copy/") => Answer::html("<a href=deeper/>endless</a> copy"),
        _ => Answer::status(404),
    });
    assert_eq!(paths, set(&["/", "/p", "/new", "/wrong", "/s", "/copy/"]));
    assert_eq!((report.aliases, report.redirects, report.end), (2, 3, End::Done));
    assert_eq!(report.duplicates, 1, "the copy in the copy, and no further");
}

fn words(number: u32) -> String {
    number
        .to_string()
        .chars()
        .map(|digit| {
            ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay"]
                [digit.to_digit(10).unwrap() as usize]
        })
        .collect()
}

#[test]
fn bombs_and_endless_answers_do_not_stop_a_crawl() {
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..1024 {
        bomb.write_all(&[b' '; 64 << 10]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    let (report, heard, paths, _) = {
        let server = Server::start(move |asked| match asked.path() {
            "/" => Answer::html(
                "<a href=/bomb>1</a><a href=/endless>2</a><a href=/headers>3</a><a href=/short>4</a><a href=/slow>5</a><a href=/good>6</a><a href=/map.xml>7</a>",
            ),
            "/bomb" => Answer::Whole(
                200,
                vec![("Content-Type".into(), "text/html".into()), ("Content-Encoding".into(), "gzip".into())],
                bomb.clone(),
            ),
            "/map.xml" => Answer::xml(bomb.clone()),
            "/endless" => Answer::Endless(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>endless".to_vec(),
                vec![b'y'; 8192],
            ),
            "/headers" => {
                Answer::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"A: bbbbbbbbbbbbbbbbbbbbbbbb\r\n".to_vec())
            }
            "/short" => Answer::Raw(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999\r\n\r\n<p>cut".to_vec(),
            ),
            "/slow" => Answer::Hang(Vec::new()),
            "/good" => Answer::html("good"),
            _ => Answer::status(404),
        });
        let folder = TempDir::new().unwrap();
        let output = folder.path().join("pages.warc.gz");
        let fetching = FetchOptions {
            max_body_bytes: 1 << 20,
            // Long enough for a machine that does ten other things; one answer never comes.
            response_timeout: Duration::from_secs(5),
            total_timeout: Duration::from_secs(60),
            ..fetch_options()
        };
        let (report, heard) = run(&options(&server.url("/")), fetching, &output);
        let (pages, _) = crate::support::read(&output, 20 << 20);
        let paths: BTreeSet<String> =
            pages.iter().map(|page| Url::parse(&page.url).unwrap().path().to_owned()).collect();
        (report, heard, paths, server)
    };
    assert_eq!(report.end, End::Done, "{heard:?}", heard = heard.troubles);
    for path in ["/", "/endless", "/short", "/good"] {
        assert!(paths.contains(path), "{path} is missing from {paths:?}");
    }
    assert!(
        heard.troubles.iter().any(|trouble| trouble.contains("/endless") && trouble.contains("1048576")),
        "{:?}",
        heard.troubles
    );
    assert!(
        heard.troubles.iter().any(|trouble| trouble.contains("/headers"))
            && heard.troubles.iter().any(|trouble| trouble.contains("/slow"))
    );
}

#[test]
fn limits_and_patterns_hold() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        path => {
            let depth = path.trim_matches('/').split('/').count();
            Answer::html(format!(
                "{path} depth {} <a href=x{depth}/>1</a><a href=print/>2</a>",
                words(depth as u32)
            ))
        }
    });
    let folder = TempDir::new().unwrap();
    let limited = CrawlOptions { max_pages: Some(3), ..options(&server.url("/")) };
    let (report, _) = run(&limited, fetch_options(), &folder.path().join("a.warc.gz"));
    assert_eq!((report.end, report.pages), (End::PageLimit, 3));
    let shallow = CrawlOptions { max_depth: Some(1), ..options(&server.url("/")) };
    let (report, _) = run(&shallow, fetch_options(), &folder.path().join("b.warc.gz"));
    assert_eq!(report.pages, 3);
    let start = Url::parse(&server.url("/")).unwrap();
    let exclude: Vec<Pattern> = vec!["/print/".parse().unwrap()];
    let scope = Scope::new(&start, Reach::Domain, Vec::new(), exclude);
    let chosen = CrawlOptions { scope, max_depth: Some(3), ..options(&server.url("/")) };
    let (report, heard) = run(&chosen, fetch_options(), &folder.path().join("c.warc.gz"));
    assert_eq!(report.pages, 4, "{:?}", heard.saved);
}

#[test]
fn a_crawl_goes_on_where_it_was_stopped() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html((0..30).map(|n| format!("<a href=/{n}>x</a>")).collect::<String>()),
        path => Answer::html(format!("page {}", words(path[1..].parse().unwrap()))),
    });
    let folder = TempDir::new().unwrap();
    for (name, whole) in
        [("x.warc.gz", "x.warc.gz"), ("x.wacz", "x.wacz"), ("folder", "folder/archive/data.warc.gz")]
    {
        server.forget();
        let output = folder.path().join(name);
        let first = CrawlOptions { max_pages: Some(10), ..options(&server.url("/")) };
        assert_eq!(run(&first, fetch_options(), &output).0.pages, 10);
        let again = CrawlOptions { mode: Mode::Resume, ..options(&server.url("/")) };
        let (report, heard) = run(&again, fetch_options(), &output);
        assert_eq!((report.pages, heard.saved.len(), report.end), (31, 21, End::Done), "{name}");
        assert_eq!(archived(&folder.path().join(whole)).len(), 31);
        let pages: Vec<String> =
            server.targets().into_iter().filter(|target| target != "/robots.txt").collect();
        assert_eq!(
            pages.iter().collect::<BTreeSet<_>>().len(),
            pages.len(),
            "{name}: a page was fetched twice"
        );
        let taken = crawl(
            &Fetcher::new(fetch_options(), Stop::default()).unwrap(),
            &Place::parse(&output).unwrap(),
            &options(&server.url("/")),
            &mut (),
        );
        assert!(taken.unwrap_err().to_string().contains("--resume"));
    }
}

#[test]
fn a_second_visit_takes_what_has_changed() {
    let round = Arc::new(AtomicUsize::new(0));
    let now = round.clone();
    let server = Server::start(move |asked| {
        let round = now.load(Ordering::Relaxed);
        match asked.path() {
            "/robots.txt" | "/sitemap.xml" => Answer::status(404),
            "/" if round == 0 => Answer::html(
                "<a href=/list>list</a><a href=/tagged>t</a><a href=/plain>p</a><a href=/going>g</a>",
            ),
            "/" => Answer::html("<a href=/list>list</a><a href=/tagged>t</a><a href=/plain>p</a>"),
            "/list" => Answer::html(format!(
                "list {}{}",
                if round == 0 { "one" } else { "two" },
                "<a href=/item>i</a>".to_string() + if round == 0 { "" } else { "<a href=/fresh>f</a>" }
            )),
            "/tagged" if asked.header("if-none-match") == "\"v1\"" => {
                Answer::Whole(304, Vec::new(), Vec::new())
            }
            "/tagged" => Answer::html("tagged").with("ETag", "\"v1\""),
            "/plain" => Answer::html(format!("plain<script>{round}</script>")),
            "/item" => Answer::html("item"),
            "/fresh" => Answer::html("fresh"),
            "/going" if round == 0 => Answer::html("going"),
            _ => Answer::status(410),
        }
    });
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("x.warc.gz");
    assert_eq!(run(&options(&server.url("/")), fetch_options(), &output).0.pages, 6);
    round.store(1, Ordering::Relaxed);
    server.forget();
    let again = CrawlOptions { mode: Mode::ChangedOnly, ..options(&server.url("/")) };
    // With a delay there is one request at a time, and their order is that of the queue.
    let one_by_one = FetchOptions { delay: Duration::from_millis(2), ..fetch_options() };
    let (report, heard) = run(&again, one_by_one, &output);
    assert_eq!(report.end, End::Done);
    assert_eq!(heard.saved.iter().cloned().collect::<BTreeSet<_>>(), set(&["/", "/list", "/fresh"]));
    assert_eq!((report.changed, report.unchanged, report.gone), (2, 3, 1));
    let order = server.targets();
    let place = |path: &str| order.iter().position(|target| target == path).unwrap();
    assert!(
        place("/list") < place("/item") && place("/") < place("/plain"),
        "index pages come first: {order:?}"
    );
    // Each page stands in the archive once, as it is now.
    let (pages, _) = crate::support::read(&output, 20 << 20);
    assert_eq!(archived(&output), set(&["/", "/list", "/tagged", "/plain", "/item", "/fresh", "/going"]));
    let list = pages.iter().find(|page| page.url.ends_with("/list")).unwrap();
    assert!(String::from_utf8_lossy(&list.bytes).starts_with("list two"));
}

#[test]
fn longer_delays_of_the_site_win_and_are_said() {
    let (_, heard, ..) = crawl_site(|asked| match asked.path() {
        "/robots.txt" => Answer::text("User-agent: *\nCrawl-delay: 0.05"),
        _ => Answer::html("x"),
    });
    assert!(heard.notices[0].contains("asks for 0.05 s"), "{:?}", heard.notices);
}

#[test]
fn hosts_that_go_away_leave_their_pages_waiting() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html((0..20).map(|n| format!("<a href=/{n}>x</a>")).collect::<String>()),
        _ => Answer::Raw(Vec::new()),
    });
    let folder = TempDir::new().unwrap();
    for (name, delay) in [("one-by-one.warc.gz", 1), ("at-once.warc.gz", 0)] {
        // With a delay there is one request at a time.
        let fetching = FetchOptions { delay: Duration::from_millis(delay), ..fetch_options() };
        let (report, heard) = run(&options(&server.url("/")), fetching, &folder.path().join(name));
        assert!(
            matches!(&report.end, End::Unreachable(why) if why.contains("broke the connection")),
            "{report:?}"
        );
        // Five failures in a row are the end; without a delay, the sitemap that is missing may be answered in between,
        // and three more requests may be under way.
        let failed = heard.troubles.len() as u64;
        let most = if delay > 0 { 5 } else { 12 };
        assert!((5..=most).contains(&failed), "{name}: {failed}");
        assert_eq!((report.pages, report.failed, report.status.queued), (1, failed, 20 - failed), "{name}");
    }
}

#[test]
fn folders_have_lists_of_their_pages() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html("<title>Start</title><a href=/b>b</a><a href=/old>o</a>"),
        "/old" => Answer::redirect("/b"),
        _ => Answer::html("<title>B & C</title>b"),
    });
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("site");
    run(&options(&server.url("/")), fetch_options(), &output);
    let read = |name: &str| std::fs::read_to_string(output.join(name)).unwrap();
    let pages: Vec<serde_json::Value> =
        read("pages/pages.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(pages[0]["format"], "json-pages-1.0");
    let titles: BTreeSet<&str> = pages[1..].iter().map(|page| page["title"].as_str().unwrap()).collect();
    assert_eq!(titles, BTreeSet::from(["Start", "B & C"]));
    let index = read("indexes/index.cdxj");
    let lines: Vec<&str> = index.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.is_sorted());
    let warc = std::fs::read(output.join("archive/data.warc.gz")).unwrap();
    for line in lines {
        let fields: serde_json::Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
        let number = |name: &str| fields[name].as_str().unwrap().parse::<usize>().unwrap();
        let record = &warc[number("offset")..number("offset") + number("length")];
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(record), &mut text).unwrap();
        assert!(text.contains("WARC-Type: response") && text.contains(fields["url"].as_str().unwrap()));
    }
}
