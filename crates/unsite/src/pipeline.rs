//! The main job: pages from a source, through discovery, into a store.

use anyhow::{Context, Result};
use rayon::prelude::*;
use unsite_acquire::Source;
use unsite_discover::page_types::{self, methods::METHODS};
use unsite_discover::{Site, induce};
use unsite_dom::{Limits, Problem, RawPage};
use unsite_store::{Meta, Output, Sink, Summary};
use unsite_wrapper::{PageRecord, Wrapper, fingerprint};

/// How a run is done.
#[derive(Clone)]
pub struct Options {
    /// What random choices start from.
    pub seed: u64,
    /// How much of hostile pages is looked at.
    pub limits: Limits,
    /// Pages that discovery learns from; all pages are extracted.
    pub sample: usize,
    /// How page types are found.
    pub method: &'static page_types::methods::Method,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 42, limits: Limits::default(), sample: 2000, method: &METHODS[0] }
    }
}

/// Bytes of raw pages that the sample may hold.
const SAMPLE_BYTES: usize = 512 << 20;

/// Pages that are extracted together: enough to keep all threads busy, little enough to stay in memory.
const BATCH: usize = 256;

/// Told what is going on, for a progress display.
pub trait Progress {
    /// Another stage begins; `total` pages if that is known.
    fn stage(&mut self, name: &'static str, total: Option<usize>);
    /// This many pages more are done.
    fn advance(&mut self, pages: usize);
}

impl Progress for () {
    fn stage(&mut self, _: &'static str, _: Option<usize>) {}
    fn advance(&mut self, _: usize) {}
}

/// What was read for learning.
pub struct Sampled {
    /// The sample; all pages if there are few enough.
    pub pages: Vec<RawPage>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// How many pages there are in all.
    pub total: usize,
}

/// Reads the source once and keeps a sample that depends on the seed and on the set of pages, not on their order:
/// the pages whose hashed address is smallest.
pub fn sample(source: &Source, options: &Options, progress: &mut dyn Progress) -> Result<Sampled> {
    progress.stage("reading", None);
    let mut kept: std::collections::BTreeMap<(u64, String, String, u64), RawPage> = Default::default();
    let (mut bytes, mut total, mut problems) = (0, 0, Vec::new());
    let mut pages = source.pages()?;
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => {
                total += 1;
                bytes += page.bytes.len();
                let place =
                    fingerprint(format!("{}\n{}\n{}", options.seed, page.url, page.reference).as_bytes());
                let key = (place, page.url.clone(), page.reference.clone(), fingerprint(&page.bytes));
                kept.insert(key, page);
                while kept.len() > options.sample || (bytes > SAMPLE_BYTES && kept.len() > 1) {
                    if let Some((_, dropped)) = kept.pop_last() {
                        bytes -= dropped.bytes.len();
                    }
                }
                progress.advance(1);
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok(Sampled { pages: kept.into_values().collect(), problems, total })
}

/// Learns the wrapper of a site.
pub fn learn(pages: Vec<RawPage>, options: &Options, progress: &mut dyn Progress) -> (Site, Wrapper) {
    progress.stage("parsing", Some(pages.len()));
    let site = Site::parse(pages, &options.limits);
    progress.stage("discovering", None);
    let choice = page_types::Options { seed: options.seed, k: None };
    let wrapper = induce(&site, page_types::cluster(&site, options.method, &choice));
    (site, wrapper)
}

/// Everything: read, discover, extract, store.
pub fn run(
    source: &Source,
    output: &Output,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<(Wrapper, Summary)> {
    let sampled = sample(source, options, progress)?;
    let complete = sampled.total == sampled.pages.len();
    let (site, wrapper) = learn(sampled.pages, options, progress);
    progress.stage("extracting", Some(sampled.total));
    let meta = Meta::new(env!("CARGO_PKG_VERSION"), options.seed).with("source", source.name());
    let mut sink = Sink::create(output, &wrapper.schema, &meta)?;
    for problem in &sampled.problems {
        sink.problem(problem)?;
    }
    if complete {
        for pages in site.pages.chunks(BATCH) {
            let records: Vec<PageRecord> = pages
                .par_iter()
                .map(|page| {
                    let page_type = wrapper.classify(&page.tree).map(|(page_type, _)| page_type);
                    wrapper.read(&page.raw, &page.tree, &page.cuts, page_type)
                })
                .collect();
            store(&mut sink, &records, progress)?;
        }
    } else {
        drop(site);
        extract(source, &wrapper, options, &mut sink, progress)?;
    }
    progress.stage("writing", None);
    let summary = sink.finish().with_context(|| format!("cannot finish {}", output.path().display()))?;
    Ok((wrapper, summary))
}

/// Streams a source through a wrapper into a store. Problems of reading were reported by the first pass.
fn extract(
    source: &Source,
    wrapper: &Wrapper,
    options: &Options,
    sink: &mut Sink,
    progress: &mut dyn Progress,
) -> Result<()> {
    let mut pages = source.pages()?;
    loop {
        let mut batch: Vec<RawPage> = Vec::with_capacity(BATCH);
        while batch.len() < BATCH
            && let Some(item) = pages.next_page()
        {
            batch.extend(item.ok());
        }
        if batch.is_empty() {
            return Ok(());
        }
        let records: Vec<PageRecord> =
            batch.par_iter().map(|page| wrapper.extract(page, &options.limits)).collect();
        store(sink, &records, progress)?;
    }
}

fn store(sink: &mut Sink, records: &[PageRecord], progress: &mut dyn Progress) -> Result<()> {
    for record in records {
        sink.page(record)?;
    }
    progress.advance(records.len());
    Ok(())
}
