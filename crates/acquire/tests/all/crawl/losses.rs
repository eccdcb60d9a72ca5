//! Pages that were lost without a word.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{archived, crawl_site, fetch_options, options, run, set};
use crate::server::{Answer, Server};
use tempfile::TempDir;
use unsite_acquire::crawl::{CrawlOptions, End, Mode, Pattern, Reach, Scope};
use unsite_acquire::fetch::FetchOptions;
use url::Url;

fn one_by_one() -> FetchOptions {
    FetchOptions { delay: Duration::from_millis(1), ..fetch_options() }
}

#[test]
fn odd_lists_do_not_hang_a_crawl() {
    let odd = "<?xml version=\"1.0\" encoding=“UTF-8”?>";
    let (report, _, paths, _) = crawl_site(move |asked| match asked.path() {
        "/sitemap.xml" => Answer::xml(format!("{odd}<urlset><url><loc>/mapped</loc></url></urlset>")),
        "/" => Answer::html("<link rel=alternate type='application/rss+xml' href=/feed>start"),
        "/feed" => Answer::xml(format!("{odd}<rss><channel><item><link>/fed</link></item></channel></rss>")),
        path @ ("/mapped" | "/fed") => Answer::html(path),
        _ => Answer::status(404),
    });
    assert_eq!((report.end, paths), (End::Done, set(&["/", "/mapped", "/fed"])));
}

#[test]
fn pages_are_kept_until_their_canonical_is() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.target.as_str() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /*/index.html"),
        "/" => Answer::html(
            (0..5)
                .map(|n| format!("<a href=/back{n}>b</a><a href=/no{n}/>n</a><a href=/other{n}>o</a>"))
                .collect::<String>(),
        ),
        path if path.starts_with("/no") => {
            Answer::html(format!("<link rel=canonical href={path}index.html>{path}"))
        }
        path if path.starts_with("/back") && path.ends_with('/') => {
            Answer::redirect(path.trim_end_matches('/'))
        }
        path if path.starts_with("/back") => Answer::html(format!("<link rel=canonical href={path}/>{path}")),
        path if path.starts_with("/other") && path.ends_with("?full") => {
            Answer::html("<meta name=robots content=noindex>hidden")
        }
        path if path.starts_with("/other") => {
            Answer::html(format!("<link rel=canonical href={path}?full>{path}"))
        }
        _ => Answer::status(404),
    });
    let mut wanted = set(&["/"]);
    wanted.extend((0..5).flat_map(|n| [format!("/back{n}"), format!("/no{n}/"), format!("/other{n}")]));
    assert_eq!(paths, wanted);
    assert_eq!((report.end, report.aliases), (End::Done, 0));
}

#[test]
fn failures_that_may_pass_are_tried_by_another_run() {
    let round = Arc::new(AtomicUsize::new(0));
    let now = round.clone();
    let whole = "<h1>whole</h1><p>to the very end";
    let server = Server::start(move |asked| {
        let bad = now.load(Ordering::SeqCst) == 0;
        match asked.path() {
            "/robots.txt" | "/sitemap.xml" => Answer::status(404),
            "/" => Answer::html("<a href=/busy>1</a><a href=/many>2</a><a href=/dead>3</a><a href=/cut>4</a><a href=/odd>5</a><a href=/gone>6</a>"),
            "/busy" if bad => Answer::status(503),
            "/many" if bad => Answer::status(429),
            "/odd" if bad => Answer::Whole(304, Vec::new(), Vec::new()),
            "/dead" if bad => Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n".to_vec()),
            "/cut" if bad => Answer::Raw(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\nContent-Length: 99\r\n\r\n<h1>whole</h1><p>to".to_vec(),
            ),
            "/cut" if !asked.header("if-none-match").is_empty() => Answer::Whole(304, Vec::new(), Vec::new()),
            "/cut" => Answer::html(whole),
            "/gone" => Answer::status(404),
            path => Answer::html(format!("<p>{path}")),
        }
    });
    let folder = TempDir::new().unwrap();
    for name in ["x.warc.gz", "x.wacz"] {
        round.store(0, Ordering::SeqCst);
        let output = folder.path().join(name);
        let (report, heard) = run(&options(&server.url("/")), fetch_options(), &output);
        assert_eq!(
            (report.end.clone(), report.pages, report.failed, report.cut, report.missing),
            (End::Done, 2, 4, 1, 1),
            "{name}"
        );
        assert!(report.is_partial());
        for path in ["/busy", "/many", "/dead", "/cut", "/odd"] {
            assert!(
                heard.troubles.iter().any(|trouble| trouble.contains(path)),
                "{path}: {:?}",
                heard.troubles
            );
        }
        round.store(1, Ordering::SeqCst);
        let again = CrawlOptions { mode: Mode::Resume, ..options(&server.url("/")) };
        let (report, heard) = run(&again, fetch_options(), &output);
        assert_eq!(
            (report.end.clone(), report.pages, report.failed, report.cut),
            (End::Done, 6, 0, 0),
            "{:?}",
            heard.troubles
        );
        assert!(!report.is_partial());
        let there = archived(&output);
        assert_eq!(there, set(&["/", "/busy", "/many", "/dead", "/cut", "/odd"]));
        let (pages, _) = crate::support::read(&output, 1 << 20);
        let cut = pages.iter().find(|page| page.url.ends_with("/cut")).unwrap();
        assert_eq!(String::from_utf8_lossy(&cut.bytes), whole);
    }
}

#[test]
fn pages_that_always_break_do_not_keep_others_waiting() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html((0..20).map(|n| format!("<a href=/{n}>x</a>")).collect::<String>()),
        path if path[1..].parse::<u8>().unwrap() < 6 => Answer::Raw(Vec::new()),
        path => Answer::html(path),
    });
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("x.warc.gz");
    let (first, _) = run(&options(&server.url("/")), one_by_one(), &output);
    assert!(matches!(first.end, End::Unreachable(_)));
    let again = CrawlOptions { mode: Mode::Resume, ..options(&server.url("/")) };
    let (second, _) = run(&again, one_by_one(), &output);
    assert_eq!((second.pages, second.failed), (15, 6));
}

#[test]
fn lists_of_lists_leave_room_for_pages() {
    let lists = |asked: &crate::server::Asked| -> Answer {
        match asked.path() {
            "/sitemap.xml" => Answer::xml(
                (0..300)
                    .map(|n| format!("<sitemap><loc>/map/{n}</loc></sitemap>"))
                    .collect::<String>()
                    .replacen("<s", "<sitemapindex><s", 1),
            ),
            path if path.starts_with("/map/") => Answer::xml(
                (0..50)
                    .map(|n| format!("<sitemap><loc>{path}/{n}</loc></sitemap>"))
                    .collect::<String>()
                    .replacen("<s", "<sitemapindex><s", 1),
            ),
            "/" => Answer::html(
                (0..400).map(|n| format!("<a href=/page/{n}>{}</a>", super::words(n))).collect::<String>(),
            ),
            path if path.starts_with("/page/") => Answer::html(super::words(path[6..].parse().unwrap())),
            _ => Answer::status(404),
        }
    };
    let server = Server::start(lists);
    let folder = TempDir::new().unwrap();
    let limited = CrawlOptions { max_pages: Some(300), ..options(&server.url("/")) };
    let (report, _) = run(&limited, fetch_options(), &folder.path().join("a.warc.gz"));
    assert_eq!((report.end, report.pages), (End::PageLimit, 300));
    let maps = server.targets().iter().filter(|target| target.contains("map")).count();
    assert!(maps <= 320, "{maps} lists for 300 pages");
    server.forget();
    let (report, heard) = run(&options(&server.url("/")), fetch_options(), &folder.path().join("b.warc.gz"));
    assert_eq!((report.end.clone(), report.pages), (End::Done, 401));
    assert!(
        report.trapped > 0
            && heard.notices.iter().any(|notice| notice.contains("sitemaps and feeds left alone"))
    );
    assert!(server.targets().len() < 401 + 1100);
}

#[test]
fn patterns_hold_for_what_an_earlier_run_queued() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html("<a href=/a/1>1</a><a href=/b/1>2</a><a href=/b/2>3</a>"),
        path => Answer::html(path),
    });
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("x.warc.gz");
    let first = CrawlOptions { max_pages: Some(1), ..options(&server.url("/")) };
    run(&first, fetch_options(), &output);
    let start = Url::parse(&server.url("/")).unwrap();
    let exclude: Vec<Pattern> = vec!["/b/".parse().unwrap()];
    let scope = Scope::new(&start, Reach::Domain, Vec::new(), exclude);
    let without = CrawlOptions { mode: Mode::Resume, scope, ..options(&server.url("/")) };
    let (report, _) = run(&without, fetch_options(), &output);
    assert_eq!((report.end, report.pages, report.excluded), (End::Done, 2, 2));
    assert!(!server.targets().iter().any(|target| target.starts_with("/b/")));
    let all = CrawlOptions { mode: Mode::Resume, ..options(&server.url("/")) };
    let (report, _) = run(&all, fetch_options(), &output);
    assert_eq!((report.pages, report.excluded), (4, 0));
}

#[test]
fn nofollow_is_obeyed_and_said() {
    let server = Server::start(|asked| match asked.path() {
        "/robots.txt" | "/sitemap.xml" => Answer::status(404),
        "/" => Answer::html("<meta name=robots content=nofollow><a href=/a>a</a>"),
        path => Answer::html(path),
    });
    let folder = TempDir::new().unwrap();
    let (report, heard) = run(&options(&server.url("/")), fetch_options(), &folder.path().join("x.warc.gz"));
    assert_eq!((report.pages, report.is_partial()), (1, false));
    assert!(heard.notices.iter().any(|notice| notice.contains("--ignore-nofollow")), "{:?}", heard.notices);
    let own = CrawlOptions { ignore_nofollow: true, ..options(&server.url("/")) };
    let (report, heard) = run(&own, fetch_options(), &folder.path().join("y.warc.gz"));
    assert_eq!((report.pages, heard.notices.len()), (2, 0));
}

#[test]
fn robots_in_other_spellings_is_obeyed() {
    let (report, _, _, server) = crawl_site(|asked| match asked.path() {
        "/robots.txt" => Answer::text(
            "User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /straße\nDisallow: /%7Eold\nDisallow: /%70rivate\nDisallow: /q?u=http://x",
        ),
        "/" => Answer::html(
            "<meta charset=utf-8><a href=/café/1>1</a><a href=/stra%c3%9fe>2</a><a href=/~old/x>3</a><a href=/private>4</a><a href='/q?u=http%3a%2f%2fx/y'>5</a>",
        ),
        path => Answer::html(path),
    });
    assert_eq!((report.pages, report.forbidden), (1, 5), "{:?}", server.targets());
}
