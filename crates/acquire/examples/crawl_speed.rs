//! How fast a crawl is, and what a long queue costs:
//! `cargo run --release -p unsite-acquire --example crawl_speed`.
//!
//! The server is a process of its own on loopback. The baseline is the same fetcher asking for the same pages one by one
//! and doing nothing with them: the ratio is what reading, compressing, archiving and remembering leave of that.
//!
//! With `kills N` it kills a crawl of 2,000 pages N times instead, and fails if a page is lost or fetched twice.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

#[path = "../tests/support/kills.rs"]
mod kills;
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod server;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use server::{Answer, Server};
use unsite_acquire::crawl::{CrawlOptions, End, Event, Mode, Place, Reach, Scope, Watch, crawl};
use unsite_acquire::fetch::{FetchOptions, Fetcher, Request, Stop};
use url::Url;

const PAGES: usize = 5000;
/// Pages of the crawl whose queue is measured.
const QUEUE_PAGES: u64 = 1000;
/// Links of each of its pages.
const LINKS: usize = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("serve") => serve(),
        Some("queue") => queue(&arguments[2], arguments[3].parse().expect("a number")),
        Some("crawl") => crawl_and_tell(&arguments[2], &arguments[3]),
        Some("kills") => kill(arguments[2].parse().expect("a number")),
        _ => measure(),
    }
}

fn measure() {
    let (_child, base) = start_server();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let begun = Instant::now();
    let fetcher = fetcher();
    for page in 0..PAGES {
        let url = Url::parse(&format!("{base}/page/{page}")).expect("an address");
        assert_eq!(fetcher.exchange(&Request::get(url)).expect("an answer").status, 200);
    }
    let baseline = PAGES as f64 / begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let saved = run(&format!("{base}/page/0"), &folder.path().join("a.warc.gz"), None);
    let crawled = saved as f64 / begun.elapsed().as_secs_f64();
    println!("fetching alone  {baseline:8.0} pages/s");
    println!("crawl           {crawled:8.0} pages/s  ratio {:.2}  ({saved} pages)", crawled / baseline);
    let mut first = None;
    for links in [1, 20, LINKS as u64] {
        let output = Command::new(std::env::current_exe().expect("own path"))
            .args(["queue", &base, &links.to_string()])
            .output()
            .expect("starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let kilobytes: f64 = text
            .trim()
            .parse()
            .unwrap_or_else(|_| panic!("{text} {}", String::from_utf8_lossy(&output.stderr)));
        let ratio = kilobytes / *first.get_or_insert(kilobytes);
        println!(
            "queue of {:>7}  {:6.1} MB at most  ratio {ratio:.2}",
            links * QUEUE_PAGES,
            kilobytes / 1024.0
        );
    }
}

/// A crawl in a process of its own; prints the most memory that it had.
fn queue(base: &str, links: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(&format!("{base}/many/{links}/0"), &folder.path().join("a.warc.gz"), Some(QUEUE_PAGES));
    let mut text = String::new();
    std::fs::File::open("/proc/self/status")
        .and_then(|mut file| file.read_to_string(&mut text))
        .expect("Linux");
    let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("is in there");
    println!("{}", peak.trim().trim_end_matches(" kB"));
}

fn kill(most: usize) {
    let crawl = |server: &Server, output: &Path| {
        let mut command = Command::new(std::env::current_exe().expect("own path"));
        command.args(["crawl", &server.url("/")]).arg(output).stdin(Stdio::null()).stdout(Stdio::piped());
        command
    };
    let begun = Instant::now();
    let killed = kills::kill_again_and_again(2000, most, 0xfeed, &crawl);
    println!("{killed} kills over 2,000 pages in {:.0?}: 0 pages lost, 0 fetched twice", begun.elapsed());
}

/// Says which pages are safe, as `unsite crawl --print-saved` does.
struct Tell;

impl Watch for Tell {
    fn event(&mut self, event: Event<'_>) {
        if let Event::Saved(page) = event {
            println!("{}", page.url);
        }
    }
}

fn crawl_and_tell(start: &str, output: &str) {
    let start = Url::parse(start).expect("an address");
    let scope = Scope::new(&start, Reach::Host, Vec::new(), Vec::new());
    let options = CrawlOptions {
        start,
        scope,
        max_pages: None,
        max_depth: None,
        lists: true,
        traps: true,
        ignore_nofollow: false,
        mode: Mode::Resume,
    };
    let place = Place::parse(Path::new(output)).expect("a place");
    let report = crawl(&fetcher(), &place, &options, &mut Tell).expect("begins");
    assert_eq!(report.end, End::Done);
}

fn run(start: &str, output: &Path, max_pages: Option<u64>) -> u64 {
    let start = Url::parse(start).expect("an address");
    let scope = Scope::new(&start, Reach::Host, Vec::new(), Vec::new());
    let options = CrawlOptions {
        start,
        scope,
        max_pages,
        max_depth: None,
        lists: false,
        traps: true,
        ignore_nofollow: false,
        mode: Mode::New,
    };
    crawl(&fetcher(), &Place::parse(output).expect("a place"), &options, &mut ()).expect("begins").pages
}

fn fetcher() -> Fetcher {
    let options = FetchOptions { allow_private: true, delay: Duration::ZERO, ..FetchOptions::default() };
    Fetcher::new(options, Stop::default()).expect("is set up")
}

/// Ends with this process.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_server() -> (Ended, String) {
    let mut child = Command::new(std::env::current_exe().expect("own path"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("is piped")).read_line(&mut line).expect("says its address");
    (Ended(child), line.trim().to_owned())
}

/// Pages of 6 kB with ten links each; and pages with [`LINKS`] links, of which as many as their address says are new, so that
/// crawls with short and with long queues read the same amount.
fn serve() {
    let server = Server::start(|asked| {
        let number = |at: usize| {
            asked.path().split('/').nth(at).and_then(|part| part.parse::<usize>().ok()).unwrap_or(0)
        };
        match asked.path().split('/').nth(1) {
            Some("page") => {
                let page = number(2);
                let links: String = (1..=10)
                    .map(|n| (page * 10 + n, n))
                    .filter(|(next, _)| *next < PAGES)
                    .map(|(next, n)| format!("<li><a href=/page/{next}>Thing {n}</a>"))
                    .collect();
                let text: String = (0..60)
                    .map(|n| {
                        format!("<p class=row>Line {n} of thing x{page}, with some words around it.</p>")
                    })
                    .collect();
                Answer::html(format!("<title>Thing {page}</title><ul>{links}</ul>{text}"))
            }
            Some("many") => {
                let (links, page) = (number(2), number(3));
                let target = |n: usize| if n <= links { page * links + n } else { page.saturating_sub(n) };
                let list: String = (1..=LINKS)
                    .map(|n| format!("<a href=/many/{links}/{}>Thing x{page}y{n}</a> ", target(n)))
                    .collect();
                Answer::html(format!("<h1>Page x{page}y</h1>{list}"))
            }
            _ => Answer::status(404),
        }
    });
    println!("{}", server.url(""));
    // Until whoever started it is gone.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
