//! The fetcher against a server that behaves badly.

use std::time::{Duration, Instant};

use crate::server::{Answer, Server};
use unsite_acquire::fetch::{Exchange, FetchError, FetchOptions, Fetcher, Request, Stop, Truncated};
use url::Url;

fn options() -> FetchOptions {
    FetchOptions { allow_private: true, delay: Duration::ZERO, tries: 1, ..FetchOptions::default() }
}

fn fetcher(options: FetchOptions) -> Fetcher {
    Fetcher::new(options, Stop::default()).unwrap()
}

fn get(fetcher: &Fetcher, url: &str) -> Result<Exchange, FetchError> {
    fetcher.exchange(&Request::get(Url::parse(url).unwrap()))
}

#[test]
fn a_page_is_fetched_as_it_is_sent() {
    let server = Server::start(|asked| Answer::html(format!("{} {}", asked.method, asked.target)));
    let fetcher = fetcher(FetchOptions { contact: Some("me@a.test".into()), ..options() });
    let exchange = get(&fetcher, &server.url("/a%20b?x=y#z")).unwrap();
    assert_eq!((exchange.status, exchange.body.as_slice()), (200, &b"GET /a%20b?x=y"[..]));
    assert_eq!(exchange.charset().as_deref(), Some("utf-8"));
    assert_eq!(exchange.reason, "Status");
    assert!(exchange.request_head.starts_with(b"GET /a%20b?x=y HTTP/1.1\r\nhost: 127.0.0.1:"));
    let asked = &server.asked()[0];
    assert!(asked.header("user-agent").starts_with("unsite/"));
    assert_eq!(asked.header("from"), "me@a.test");
    assert!(asked.header("accept-encoding").contains("zstd"));
}

#[test]
fn forms_are_posted_and_redirects_stay_visible() {
    let server = Server::start(|asked| match asked.path() {
        "/search" => Answer::redirect("/found?n=1"),
        _ => Answer::html(String::from_utf8_lossy(&asked.body).into_owned()),
    });
    let request =
        Request::post_form(Url::parse(&server.url("/search")).unwrap(), [("q", "tea & cake"), ("x", "")]);
    let fetched = fetcher(options()).fetch(&request, &|_| Ok(())).unwrap();
    let statuses: Vec<u16> = fetched.hops.iter().map(|hop| hop.status).collect();
    assert_eq!(statuses, [302, 200]);
    assert_eq!(fetched.last().url.path(), "/found");
    let asked = server.asked();
    assert_eq!(asked[0].body, b"q=tea+%26+cake&x=");
    assert_eq!(asked[0].header("content-type"), "application/x-www-form-urlencoded");
    assert_eq!((asked[1].method.as_str(), asked[1].body.len()), ("GET", 0));
}

#[test]
fn private_addresses_are_refused_also_behind_names_and_redirects() {
    let server = Server::start(|_| Answer::html("secret"));
    let careful = fetcher(FetchOptions { allow_private: false, ..options() });
    let port = server.port();
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
    ] {
        let error = get(&careful, &format!("http://{host}:{port}/")).unwrap_err();
        assert!(matches!(error, FetchError::NotPublic { .. }), "{host}: {error}");
        assert!(error.to_string().contains("--allow-private"));
    }
    assert!(server.asked().is_empty());
    for other in ["ftp://a.test/", "file:///etc/passwd", "data:text/html,x"] {
        assert!(matches!(get(&careful, other), Err(FetchError::NotWeb { .. })));
    }
}

#[test]
fn redirect_loops_end_and_vetoes_hold() {
    let server = Server::start(|asked| Answer::redirect(if asked.path() == "/a" { "/b" } else { "/a" }));
    let request = Request::get(Url::parse(&server.url("/a")).unwrap());
    let fetcher = fetcher(options());
    assert!(matches!(fetcher.fetch(&request, &|_| Ok(())), Err(FetchError::TooManyRedirects { .. })));
    let refused = fetcher.fetch(&request, &|url| Err(format!("no {}", url.path()))).unwrap_err();
    assert!(refused.to_string().contains("no /b"));
}

#[test]
fn bodies_that_never_end_are_cut() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
    let server = Server::start(move |asked| match asked.path() {
        "/endless" => Answer::Endless(head.clone(), vec![b'x'; 4096]),
        "/drip" => Answer::Hang([head.as_slice(), b"<p>start"].concat()),
        "/silent" => Answer::Hang(Vec::new()),
        "/short" => Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this".to_vec()),
        _ => Answer::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-Pad: yyyyyyyyyyyyyyyyyyyyyyy\r\n".to_vec()),
    });
    let fetcher = fetcher(FetchOptions {
        max_body_bytes: 100_000,
        response_timeout: Duration::from_millis(300),
        total_timeout: Duration::from_millis(600),
        ..options()
    });
    let endless = get(&fetcher, &server.url("/endless")).unwrap();
    assert_eq!((endless.body.len(), endless.truncated), (100_000, Some(Truncated::Length)));
    let drip = get(&fetcher, &server.url("/drip")).unwrap();
    assert_eq!((drip.body.as_slice(), drip.truncated), (&b"<p>start"[..], Some(Truncated::Time)));
    let short = get(&fetcher, &server.url("/short")).unwrap();
    assert_eq!((short.body.as_slice(), short.truncated), (&b"only this"[..], Some(Truncated::Disconnect)));
    assert!(matches!(get(&fetcher, &server.url("/silent")), Err(FetchError::Slow { .. })));
    assert!(matches!(get(&fetcher, &server.url("/headers")), Err(FetchError::Protocol { .. })));
}

#[test]
fn what_is_not_http_is_an_error_with_a_reason() {
    let server = Server::start(|asked| match asked.path() {
        "/garbage" => Answer::Raw(b"220 mail.test ESMTP\r\n".to_vec()),
        "/nothing" => Answer::Raw(Vec::new()),
        _ => Answer::Raw(format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(1000)).into_bytes()),
    });
    let fetcher = fetcher(options());
    for path in ["/garbage", "/nothing", "/many"] {
        let error = get(&fetcher, &server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::Protocol { .. } | FetchError::Broken { .. }), "{path}: {error}");
    }
    drop(server);
    assert!(matches!(get(&fetcher, "http://127.0.0.1:9/"), Err(FetchError::Connect { .. })));
}

#[test]
fn a_host_is_asked_one_at_a_time_with_a_pause() {
    let server = Server::start(|_| Answer::html("x"));
    let fetcher = fetcher(FetchOptions { delay: Duration::from_millis(50), ..options() });
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| get(&fetcher, &server.url("/")).unwrap());
        }
    });
    // Three pauses lie between four requests; how much longer it takes is up to the machine.
    assert!(begun.elapsed() >= Duration::from_millis(150));
}

#[test]
fn busy_servers_are_asked_again() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |_| match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 => Answer::status(503).with("Retry-After", "0"),
        _ => Answer::html("here"),
    });
    let request = Request::get(Url::parse(&server.url("/")).unwrap());
    let fetched = fetcher(FetchOptions { tries: 3, ..options() }).fetch(&request, &|_| Ok(())).unwrap();
    assert_eq!((fetched.last().status, server.asked().len()), (200, 2));
    let far = Server::start(|_| Answer::status(503).with("Retry-After", "86400"));
    let request = Request::get(Url::parse(&far.url("/")).unwrap());
    let fetched = fetcher(FetchOptions { tries: 3, ..options() }).fetch(&request, &|_| Ok(())).unwrap();
    assert_eq!((fetched.last().status, far.asked().len()), (503, 1));
}

#[test]
fn a_stop_ends_every_wait() {
    let server = Server::start(|_| Answer::Hang(Vec::new()));
    let stop = Stop::default();
    let fetcher = Fetcher::new(options(), stop.clone()).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| get(&fetcher, &server.url("/")));
        while server.asked().is_empty() {
            std::thread::yield_now();
        }
        stop.request();
        assert!(matches!(waiting.join().unwrap(), Err(FetchError::Stopped)));
    });
}
