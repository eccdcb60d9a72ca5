//! Places without end are ended, and nothing real is taken for one.

use std::collections::BTreeSet;

use super::{crawl_site, fetch_options, options, run, words};
use crate::server::{Answer, Asked, Server};
use unsite_acquire::crawl::{CrawlOptions, End, Mode, Report};

/// Pages of one kind in the archive.
fn count(paths: &BTreeSet<String>, start: &str) -> usize {
    paths.iter().filter(|path| path.starts_with(start)).count()
}

fn number(text: &str) -> usize {
    text.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
}

fn parameter(asked: &Asked, name: &str) -> usize {
    let query = asked.target.split('?').nth(1).unwrap_or_default();
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map_or(0, number)
}

fn nothing_is_left(report: &Report) {
    assert_eq!((&report.end, report.trapped, report.is_partial()), (&End::Done, 0, false));
}

/// A catalogue with lists of `size` that lead on, and pages that say less than their list does.
fn catalogue(items: usize, size: usize) -> impl Fn(&Asked) -> Answer + Send + Sync + 'static {
    move |asked| match asked.path() {
        "/" => Answer::html("<h1>Shop</h1><a href='/list?page=1'>Everything</a>"),
        "/list" => {
            let page = parameter(asked, "page");
            let rows: String = ((page - 1) * size..(page * size).min(items))
                .map(|item| format!("<li><a href=/item/{item}>Item {item}</a> {}.50", item % 20))
                .collect();
            let next = if page * size < items {
                format!("<a href='/list?page={}'>next</a>", page + 1)
            } else {
                String::new()
            };
            Answer::html(format!("<h1>Everything</h1><ul>{rows}</ul>{next}"))
        }
        path if path.starts_with("/item/") => {
            let item = number(path);
            Answer::html(format!("<a href=/>Shop</a><h1>Item {item}</h1><p>{}.50", item % 20))
        }
        _ => Answer::status(404),
    }
}

#[test]
fn thin_catalogues_are_fetched_to_the_last_page() {
    for (items, size) in [(40, 40), (300, 20), (3000, 100), (3000, 3000)] {
        let (report, _, paths, _) = crawl_site(catalogue(items, size));
        nothing_is_left(&report);
        assert_eq!(count(&paths, "/item/"), items, "{items} in lists of {size}");
    }
}

#[test]
fn numbered_pages_in_a_chain_are_fetched() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.path() {
        "/" => Answer::html("<a href=/part/0>read</a>"),
        path if path.starts_with("/part/") => {
            let part = number(path);
            let next = if part < 39 { format!("<a href=/part/{}>next</a>", part + 1) } else { String::new() };
            Answer::html(format!("<h1>Part {part}</h1>{next}"))
        }
        _ => Answer::status(404),
    });
    nothing_is_left(&report);
    assert_eq!(count(&paths, "/part/"), 40);
}

#[test]
fn photos_and_matches_are_fetched() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.path() {
        "/" => Answer::html(
            "<a href=/photo/0>photos</a><a href=/season/1>1</a><a href=/season/2>2</a><a href=/season/3>3</a>",
        ),
        path if path.starts_with("/photo/") => {
            let photo = number(path);
            let next =
                if photo < 1500 { format!("<a href=/photo/{}>next</a>", photo + 1) } else { String::new() };
            Answer::html(format!("<img src=/image/{photo}.jpg>{next}"))
        }
        path if path.starts_with("/season/") => {
            let season = number(path);
            Answer::html(
                (0..38)
                    .map(|round| format!("<a href=/round/{season}{round:02}>{round}</a> "))
                    .collect::<String>(),
            )
        }
        path if path.starts_with("/round/") => {
            let round = number(path) % 100;
            let games: String = (0..10)
                .map(|game| {
                    let (home, away) = ((round + game) % 20, (round * 3 + game * 7 + 1) % 20);
                    format!(
                        "<li><a href=/match/{}{game}>{} {} : {} {}</a>",
                        number(path),
                        words(home as u32),
                        round % 4,
                        game % 3,
                        words(away as u32)
                    )
                })
                .collect();
            Answer::html(games)
        }
        path if path.starts_with("/match/") => {
            let game = number(path);
            Answer::html(format!("<h1>Match {game}</h1><p>{} : {}</p><a href=/>all</a>", game % 4, game % 3))
        }
        _ => Answer::status(404),
    });
    nothing_is_left(&report);
    assert_eq!(count(&paths, "/photo/"), 1501);
    assert_eq!(count(&paths, "/match/"), 3 * 380);
}

/// An endless calendar by months with a few events in its first fifty years.
fn calendar(asked: &Asked) -> Answer {
    match asked.path() {
        "/" => Answer::html("<a href='/calendar?year=2000&month=1'>events</a>"),
        "/calendar" => {
            let (year, month) = (parameter(asked, "year"), parameter(asked, "month"));
            let at = (year - 2000) * 12 + month;
            let days: String = (1..=28 + month % 4).map(|day| format!("<td>{day}</td>")).collect();
            // Gaps of 13, 100, 250 and 230 months.
            let event = match [5, 18, 118, 368, 598].iter().position(|when| *when == at) {
                Some(event) => format!("<a href=/event/{event}>more</a>"),
                None => String::new(),
            };
            let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            Answer::html(format!(
                "<h1>{month}/{year}</h1><table><tr>{days}</tr></table>{event}<a href='/calendar?year={next_year}&month={next}'>next</a>"
            ))
        }
        path if path.starts_with("/event/") => Answer::html(format!("<h1>Event {}</h1>", number(path))),
        _ => Answer::status(404),
    }
}

#[test]
fn calendars_end_and_all_their_events_are_found() {
    let (report, heard, paths, _) = crawl_site(calendar);
    assert_eq!(count(&paths, "/event/"), 5);
    assert!(count(&paths, "/calendar") < 1500, "{}", count(&paths, "/calendar"));
    assert_eq!((report.end.clone(), report.trapped, report.is_partial()), (End::Done, 1, true));
    let said = |what: &str| heard.notices.iter().any(|notice| notice.contains(what));
    assert!(
        said("looks like a trap") && said("1 of 127.0.0.1") && said("--resume --no-traps"),
        "{:?}",
        heard.notices
    );
}

#[test]
fn what_was_left_is_fetched_on_request() {
    let server = Server::start(calendar);
    let folder = tempfile::TempDir::new().unwrap();
    let output = folder.path().join("x.warc.gz");
    let (first, _) = run(&options(&server.url("/")), fetch_options(), &output);
    assert_eq!(first.trapped, 1);
    let again = CrawlOptions { mode: Mode::Resume, ..options(&server.url("/")) };
    let (same, _) = run(&again, fetch_options(), &output);
    assert_eq!((same.pages, same.trapped), (first.pages, 1));
    let all = CrawlOptions { traps: false, max_pages: Some(50), ..again };
    let (more, heard) = run(&all, fetch_options(), &output);
    assert_eq!((more.pages, more.end.clone()), (first.pages + 50, End::PageLimit));
    assert!(heard.notices.iter().all(|notice| !notice.contains("trap")), "{:?}", heard.notices);
}

#[test]
fn facets_sessions_and_loops_end() {
    let (report, heard, paths, server) = crawl_site(|asked| {
        let products = |keep: &dyn Fn(usize) -> bool| -> String {
            (0..60)
                .filter(|n| keep(*n))
                .map(|n| format!("<li><a href=/product/{n}>Tea {}</a>", words(n as u32)))
                .collect()
        };
        match asked.path() {
            "/" => Answer::html("<a href=/facets>f</a><a href=/visit>s</a><a href=/loop/a/>l</a>"),
            "/facets" => {
                let query = asked.target.split('?').nth(1).unwrap_or_default();
                let chosen: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
                let mut links = String::new();
                for name in ["colour", "size", "brand", "shape", "order", "place"] {
                    for value in ["one", "two", "three", "four", "five"] {
                        let rest = chosen.iter().filter(|pair| !pair.starts_with(name));
                        let query: Vec<String> =
                            rest.map(|pair| (*pair).to_owned()).chain([format!("{name}={value}")]).collect();
                        links.push_str(&format!(
                            "<a href='/facets?{}'>{value} ({})</a> ",
                            query.join("&"),
                            query.join("").len()
                        ));
                    }
                }
                let all = chosen.join(" ").bytes().map(usize::from).sum::<usize>();
                let keep = |n: usize| chosen.is_empty() || (n * 7 + all).is_multiple_of(3);
                Answer::html(format!(
                    "<h1>Teas {}</h1>{links}<p>{} results<ul>{}",
                    chosen.join(", "),
                    40 + all % 17,
                    products(&keep)
                ))
            }
            "/visit" => {
                let mark = parameter(asked, "v") * 7 % 1_000_003 + 11;
                let links: String = (0..5)
                    .map(|n| format!("<a href='/visit?v={}&page={n}'>page</a>", mark * 5 + n))
                    .collect();
                let page = parameter(asked, "page");
                Answer::html(format!("<h1>Visit {}</h1>{links}", words(page as u32)))
            }
            path if path.starts_with("/product/") => {
                Answer::html(format!("<h1>{}</h1>", words(number(path) as u32)))
            }
            path if path.starts_with("/loop/") => {
                let depth = path.matches('/').count();
                Answer::html(format!(
                    "<p>in {}</p><a href=a/>a</a><a href=b/>b</a><a href=../c/>{depth}</a>",
                    depth % 5
                ))
            }
            _ => Answer::status(404),
        }
    });
    assert_eq!(report.end, End::Done);
    assert_eq!(count(&paths, "/product/"), 60);
    let asked = |start: &str| server.targets().iter().filter(|target| target.starts_with(start)).count();
    let (facets, visits, loops) = (asked("/facets"), asked("/visit"), asked("/loop/"));
    assert!(facets < 1500 && visits < 1500 && loops < 3000, "{facets} {visits} {loops} {:?}", heard.notices);
    assert!(report.trapped > 0 && report.is_partial());
}

#[test]
fn what_a_sitemap_names_is_in_no_trap() {
    let (report, _, paths, _) = crawl_site(|asked| match asked.path() {
        "/sitemap.xml" => {
            let rows: String =
                (0..4000).step_by(2).map(|n| format!("<url><loc>/deep/{n}</loc></url>")).collect();
            Answer::xml(format!("<urlset>{rows}</urlset>"))
        }
        "/" => Answer::html("<a href=/deep/0>go</a>"),
        path if path.starts_with("/deep/") => {
            let at = number(path);
            Answer::html(format!(
                "<p>{at}</p><a href=/deep/{}>on</a><a href=/deep/{}>on</a>",
                at + 1,
                at + 5001
            ))
        }
        _ => Answer::status(404),
    });
    let even = paths
        .iter()
        .filter(|path| path.starts_with("/deep/") && number(path).is_multiple_of(2) && number(path) < 4000);
    assert_eq!(even.count(), 2000);
    assert!(report.trapped > 0);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    /// Dice in the query, which are known for what they are.
    Token,
    /// A number in the query.
    Number,
    /// Dice in the path.
    Path,
}

/// A shop that writes a fresh mark into every link, under a name that nobody knows.
fn marked_shop(kind: Mark) -> impl Fn(&Asked) -> Answer + Send + Sync + 'static {
    let next = std::sync::atomic::AtomicUsize::new(1);
    move |asked| {
        let link = |path: &str, text: &str| {
            let count = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as u64;
            let mark = match kind {
                Mark::Number => (count * 7919 % 1_000_003).to_string(),
                _ => format!("{:016x}", count.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            };
            match kind {
                Mark::Path => format!("<a href='/v{mark}{path}'>{text}</a> "),
                _ => format!("<a href='{path}?v={mark}'>{text}</a> "),
            }
        };
        let path = match asked.path().strip_prefix("/v").filter(|_| kind == Mark::Path) {
            Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()),
            None => asked.path(),
        };
        let menu: String = ["/", "/about", "/help", "/list/1"]
            .iter()
            .map(|path| link(path, &path.replace('/', "To ")))
            .collect();
        match path {
            "/robots.txt" | "/sitemap.xml" => Answer::status(404),
            "/" | "" => Answer::html(format!("<h1>Welcome</h1>{menu}")),
            "/about" | "/help" => Answer::html(format!("<h1>{path}</h1>{menu}")),
            _ if path.starts_with("/list/") => {
                let page = number(path);
                let rows: String = (page * 10 - 10..page * 10)
                    .map(|n| link(&format!("/thing/{n}"), &format!("Thing {}", words(n as u32))))
                    .collect();
                let on = if page < 8 { link(&format!("/list/{}", page + 1), "next") } else { String::new() };
                Answer::html(format!("<h1>List</h1>{menu}{rows}{on}"))
            }
            _ if path.starts_with("/thing/") => {
                Answer::html(format!("<h1>Thing {}</h1>{menu}", words(number(path) as u32)))
            }
            _ => Answer::status(404),
        }
    }
}

#[test]
fn marks_in_every_link_end() {
    for (kind, most) in [(Mark::Token, 1500), (Mark::Number, 4000), (Mark::Path, 4000)] {
        let (report, heard, paths, server) = crawl_site(marked_shop(kind));
        let things: BTreeSet<&str> = paths
            .iter()
            .filter_map(|path| Some(path.split_once("/thing/")?.1.split('?').next().unwrap_or_default()))
            .collect();
        assert_eq!(things.len(), 80, "{kind:?}: {:?}", heard.notices);
        assert_eq!(report.end, End::Done);
        let asked = server.targets().len();
        assert!(asked < most, "{kind:?}: {asked} {:?}", heard.notices);
    }
}
