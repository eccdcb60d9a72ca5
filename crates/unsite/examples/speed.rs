//! How long discovery takes against parsing, and what a site of ten thousand pages costs in all.
//!
//! `cargo run --release -p unsite --example speed -- [GOLD...]`: the ratio to the time in which html5ever parses the same pages, all
//! on as many cores, on a generated site and on each gold site; then the whole run on a generated site of about 10,000 pages with its peak memory (where the system tells).
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use rayon::prelude::*;
use unsite::acquire::{Source, SourceOptions};
use unsite::discover::{Site as Parsed, induce, page_types};
use unsite::dom::{RawPage, Tree};
use unsite::store::Output;
use unsite::{Options, pipeline, run};
use unsite_sample::{Knobs, Site};

/// A shop with many small list pages: about 10,000 in all.
fn large() -> Knobs {
    Knobs { books: 5000, authors: 1000, categories: 12, page_size: 2, queries: 30, ..Knobs::default() }
}

fn pages(knobs: &Knobs) -> Vec<RawPage> {
    let raw = |page: unsite_sample::SamplePage| RawPage {
        url: page.url,
        reference: page.path,
        bytes: page.html.into_bytes(),
        ..RawPage::default()
    };
    Site::generate(knobs).pages.into_iter().map(raw).collect()
}

fn ratio(name: &str, pages: Vec<RawPage>, options: &Options) {
    let (count, start) = (pages.len(), Instant::now());
    let bare =
        |page: &RawPage| Tree::parse_with_html5ever(&page.bytes, page.charset.as_deref(), &options.limits).0;
    // The trees are kept, as those of a site are.
    let trees: Vec<Tree> = pages.par_iter().map(bare).collect();
    let bare = start.elapsed().as_secs_f64();
    drop(trees);
    let start = Instant::now();
    let site = Parsed::parse(pages, &options.limits);
    let parse = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let choice = page_types::Options { seed: options.seed, ..Default::default() };
    let types = page_types::cluster(&site, &choice);
    let typed = start.elapsed().as_secs_f64();
    let wrapper = induce(&site, types);
    let all = start.elapsed().as_secs_f64();
    println!(
        "{name:32} {count:6} {bare:11.2} {parse:8.2} {typed:8.2} {:8.2} {:7.2}  {} tables",
        all - typed,
        all / bare,
        wrapper.schema.tables.len()
    );
}

/// The most memory the process ever held, in MiB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn main() -> anyhow::Result<()> {
    let options = Options::default();
    println!(
        "{:32} {:>6} {:>11} {:>8} {:>8} {:>8} {:>7}",
        "site", "pages", "html5ever s", "parse s", "types s", "fields s", "ratio"
    );
    ratio("generated", pages(&Knobs { books: 600, authors: 150, ..Knobs::default() }), &options);
    for path in std::env::args().skip(1) {
        let source = Source::open(&path, &SourceOptions::default())?;
        let sampled = pipeline::sample(&source, &options, &mut ())?;
        let name = path.rsplit('/').next().unwrap_or(&path);
        ratio(name, sampled.pages, &options);
    }
    let before = peak();
    let source = Source::memory(pages(&large()));
    let folder = tempfile::tempdir()?;
    let output = Output::parse(folder.path().join("site.db"))?;
    let start = Instant::now();
    let outcome = run(&source, &output, &options, &mut ())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("whole run: {} pages, {} cells in {seconds:.1} s", outcome.summary.pages, outcome.summary.cells);
    if let (Some(before), Some(peak)) = (before, peak()) {
        println!("peak memory {peak:.0} MiB, of it the pages themselves; {before:.0} MiB before");
    }
    Ok(())
}
