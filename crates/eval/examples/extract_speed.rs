//! Extraction beside bare parsing of the same pages in the same run: time on one thread and on two, and memory.
//!
//! `cargo run --release -p unsite-eval --example extract_speed -- GOLD_SITE...` prints, for each site and for all, how many
//! times the time of bare parsing an extraction takes (by html5ever, the baseline that does not move, and by the parser that
//! extraction uses), what its stages take over that parser, how much faster two threads are, and the memory of the process while it
//! extracts the same pages over and over.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use rustc_hash::FxHashMap;
use unsite_discover::{Site, induce, page_types};
use unsite_dom::{Limits, RawPage, Tree};
use unsite_wrapper::{PageTraits, View, Wrapper, apply};

/// Rounds, and seconds that they take together, at the least; the fastest counts, because only disturbances make one
/// slower, and some of those last.
const ROUNDS: usize = 5;
const SECONDS: f64 = 0.5;

/// Pages that are learned from.
const LEARNED: usize = 100;

/// Pages that are extracted for the measure of memory.
const MANY_PAGES: usize = 100_000;

/// The allocator of the program.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let paths = unsite_eval::gold_paths(&std::env::args().skip(1).map(PathBuf::from).collect::<Vec<_>>())?;
    let limits = Limits::default();
    let (mut bare_all, mut parse_all, mut extract_all) = (0.0, 0.0, 0.0);
    let (mut one_all, mut two_all) = (0.0, 0.0);
    let mut last = None;
    for path in paths {
        let pages = load(&path)?;
        let step = pages.len().div_ceil(LEARNED).max(1);
        let wrapper = learn(pages.iter().step_by(step).cloned().collect());
        let reader = wrapper.reader();
        let bare = fastest(|| {
            for page in &pages {
                black_box(Tree::parse_with_html5ever(&page.bytes, page.charset.as_deref(), &limits));
            }
        });
        let parse = fastest(|| {
            for page in &pages {
                black_box(Tree::parse(&page.bytes, page.charset.as_deref(), &limits));
            }
        });
        let extract = fastest(|| {
            for page in &pages {
                black_box(reader.extract(page, &limits));
            }
        });
        let one = soonest(|| pages.iter().for_each(|page| drop(black_box(reader.extract(page, &limits)))));
        let two = soonest(|| {
            let (left, right) = pages.split_at(pages.len() / 2);
            std::thread::scope(|scope| {
                for half in [left, right] {
                    let reader = &reader;
                    scope.spawn(move || {
                        half.iter().for_each(|page| drop(black_box(reader.extract(page, &limits))))
                    });
                }
            });
        });
        let trees: Vec<Tree> =
            pages.iter().map(|page| Tree::parse(&page.bytes, page.charset.as_deref(), &limits).0).collect();
        let stage = |work: &dyn Fn(&RawPage, &Tree)| {
            fastest(|| pages.iter().zip(&trees).for_each(|(page, tree)| work(page, tree))) / parse
        };
        let kinds: FxHashMap<&str, usize> = pages
            .iter()
            .zip(&trees)
            .filter_map(|(page, tree)| Some((page.reference.as_str(), wrapper.classify(page, tree)?)))
            .collect();
        let model = |page: &RawPage| kinds.get(page.reference.as_str()).map(|&kind| &wrapper.types[kind]);
        let types = |table: usize, column: usize| wrapper.schema.tables[table].columns[column].value_type;
        let recognise = stage(&|page, tree| {
            black_box(wrapper.recognise(tree, &page.url));
        });
        let traits = stage(&|page, tree| {
            black_box(PageTraits::of(tree, &page.url, wrapper.surroundings()));
        });
        let view = stage(&|page, tree| {
            drop(black_box(model(page).map(|model| View::new(tree, &model.template.classes))));
        });
        let rows = stage(&|page, tree| {
            let rows =
                model(page).map(|model| apply(&model.template, tree, &page.url, model.page_table, types));
            drop(black_box(rows));
        });
        let read = stage(&|page, tree| {
            let kind = kinds.get(page.reference.as_str()).copied();
            drop(black_box(reader.read(page, tree, &[], kind)));
        });
        println!(
            "{:40} {:5} pages  html5ever {:7.0}/s  parse {:7.0}/s  extract {:7.0}/s, {:.2} of html5ever, {:.2} of parse (recognise {:.2}, traits {:.2}, view {:.2}, view and rows {:.2}, all reading {:.2})  two threads {:.2}x",
            path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            pages.len(),
            pages.len() as f64 / bare,
            pages.len() as f64 / parse,
            pages.len() as f64 / extract,
            extract / bare,
            extract / parse,
            recognise,
            traits,
            view,
            rows,
            read,
            one / two
        );
        bare_all += bare;
        parse_all += parse;
        extract_all += extract;
        one_all += one;
        two_all += two;
        last = Some((wrapper, pages));
    }
    println!(
        "all: extraction takes {:.2} times bare parsing by html5ever, {:.2} times our own; two threads {:.2}x",
        extract_all / bare_all,
        extract_all / parse_all,
        one_all / two_all
    );
    if let Some((wrapper, pages)) = last {
        let reader = wrapper.reader();
        let mut done = 0;
        while done < MANY_PAGES {
            for page in &pages {
                black_box(reader.extract(page, &limits));
            }
            if done / (MANY_PAGES / 5) != (done + pages.len()) / (MANY_PAGES / 5) || done == 0 {
                println!(
                    "after {:6} pages: {}",
                    done + pages.len(),
                    memory().unwrap_or_else(|| "memory unknown".into())
                );
            }
            done += pages.len();
        }
    }
    Ok(())
}

fn load(path: &std::path::Path) -> Result<Vec<RawPage>, Box<dyn Error>> {
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default())?;
    let mut stream = source.pages()?;
    let mut pages = Vec::new();
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    Ok(pages)
}

fn learn(pages: Vec<RawPage>) -> Wrapper {
    let site = Site::parse(pages, &Limits::default());
    let types = page_types::cluster(&site, &page_types::Options::default());
    induce(&site, types)
}

fn fastest(mut work: impl FnMut()) -> f64 {
    let (mut best, mut rounds) = (f64::INFINITY, 0);
    let begin = Instant::now();
    while rounds < ROUNDS || begin.elapsed().as_secs_f64() < SECONDS {
        let start = spent(begin);
        work();
        best = best.min(spent(begin) - start);
        rounds += 1;
    }
    best
}

/// Seconds that this thread had a processor; without a system that tells, those of the clock.
fn spent(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Rounds by the clock, for what several threads do.
fn soonest(mut work: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The memory that the process holds now, where the system tells.
fn memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")).map(|value| value.trim().to_owned())
}
