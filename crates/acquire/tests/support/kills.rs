//! Killing a crawl at random moments, and looking whether anything is lost or fetched twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use unsite_acquire::{Source, SourceOptions};

use super::server::{Answer, Asked, Server};

/// Kills a crawl at moments that a seed decides, lets it go on, and looks whether anything is lost or fetched again.
/// `crawl` makes the command that goes on with a crawl and prints the address of each page that is safe. How often it
/// was killed.
pub(crate) fn kill_again_and_again(
    pages: usize,
    kills: usize,
    seed: u64,
    crawl: &dyn Fn(&Server, &Path) -> Command,
) -> usize {
    let server = Server::start(site(pages));
    let mut random = seed;
    let mut next = |most: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % most
    };
    let mut killed = 0;
    while killed < kills {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("x.warc.gz");
        let mut saved: BTreeSet<String> = BTreeSet::new();
        loop {
            server.forget();
            let mut running = Running::start(&mut crawl(&server, &output));
            let mut new = Vec::new();
            if killed < kills {
                // Half of the kills wait for pages, so that there is progress on a slow machine too.
                for _ in 0..next(2) * next(12) {
                    new.extend(running.lines.recv());
                }
                thread::sleep(Duration::from_micros(next(60_000)));
                // It may have ended by itself.
                let _ = running.child.kill();
            }
            let (code, rest) = running.rest();
            new.extend(rest);
            for target in server.targets() {
                let address = server.url(&target);
                assert!(
                    !saved.contains(&address),
                    "{address} was fetched again after it was reported (kill {killed})"
                );
            }
            for address in new {
                assert!(saved.insert(address.clone()), "{address} was reported twice (kill {killed})");
            }
            match code {
                Some(0) => break,
                Some(code) => panic!("ended with {code} after {killed} kills"),
                None => killed += 1,
            }
        }
        let there = archived(&output);
        // A kill between the commit and the report leaves a page that is safe and was never reported.
        let lost = saved.iter().find(|address| !there.contains_key(*address));
        assert_eq!(lost, None, "was reported and is not there");
        assert_eq!(there.len(), pages);
        assert!(there.values().all(|count| *count == 1));
    }
    killed
}

/// A site of so many pages, each of which leads to its neighbours and children.
pub(crate) fn site(pages: usize) -> impl Fn(&Asked) -> Answer + Send + Sync + 'static {
    move |asked| {
        let number = match asked.path() {
            "/" => 0,
            path => match path[1..].parse::<usize>() {
                Ok(number) if number < pages => number,
                _ => return Answer::status(404),
            },
        };
        let links: String = [number + 1, 2 * number + 1, 2 * number + 2]
            .iter()
            .filter(|next| **next < pages)
            .map(|next| format!("<a href=/{next}>more</a>"))
            .collect();
        Answer::html(format!(
            "<title>{number}</title><h1>Thing x{number}y</h1>{links}<p>{}",
            "text ".repeat(50)
        ))
    }
}

/// How often each address stands in an archive.
pub(crate) fn archived(output: &Path) -> BTreeMap<String, usize> {
    let source = Source::open(output.to_str().unwrap(), &SourceOptions::default()).unwrap();
    let mut pages = source.pages().unwrap();
    let mut found = BTreeMap::new();
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => *found.entry(page.url).or_default() += 1,
            Err(problem) => assert_eq!(problem.kind.name(), "skipped", "{problem}"),
        }
    }
    found
}

/// A crawl that is under way: the addresses it reports, as they come.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) lines: mpsc::Receiver<String>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Running {
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Running { child, lines }
    }

    /// Everything that it still reports, when it has ended or was ended.
    pub(crate) fn rest(mut self) -> (Option<i32>, Vec<String>) {
        let code = self.child.wait().unwrap().code();
        (code, self.lines.iter().collect())
    }
}
