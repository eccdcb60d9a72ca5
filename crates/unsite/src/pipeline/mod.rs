//! The main job: pages from a source, through discovery, into a store.

mod epochs;
mod main_texts;
mod options;
mod progress;
mod published;
mod sample;
mod stream;
mod wrapper_file;
mod wrapping;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;
use thiserror::Error;
use unsite_acquire::Source;
use unsite_discover::page_types::PageTypes;
use unsite_discover::{Site, SitePage, induce};
use unsite_dom::{Cut, Problem, ProblemKind, RawPage, Tree};
use unsite_methods::page_types::cluster;
use unsite_site::{LEARNED_NODES, learning_limits};
use unsite_store::{Output, Sink, Summary};
use unsite_wrapper::{PageRecord, Schema, Wrapper};

use stream::stream;

pub use main_texts::MainTexts;
pub use options::{DEFAULT_SAMPLE, DEFAULT_SEED, Options};
pub use progress::{Cancelled, Progress};
pub use sample::{Sampled, sample};
pub use unsite_site::Checked;
pub use wrapper_file::{is_wrapper, may_write_wrapper, read_wrapper, write_wrapper};
pub use wrapping::{
    Classifier, Extracted, Taught, check_source, extract_tables, extract_with, learn_new, learn_wrapper,
    renew_wrapper, repair_wrapper,
};

/// Pages that are extracted together: enough to keep all threads busy, little enough to stay in memory.
const BATCH: usize = 256;

/// Pages that are parsed together: a tenth of a second at most, on ordinary pages.
const PARSED_TOGETHER: usize = 64;

/// What came out of a run.
pub struct Outcome {
    /// What was learned.
    pub wrapper: Wrapper,
    /// The tables that are stored, by which those of the summary are numbered.
    pub stored: Schema,
    /// What was written.
    pub summary: Summary,
    /// For each page type of the wrapper's schema, how many pages of the whole source are of it.
    pub pages_of_type: Vec<u64>,
    /// For each page type, pages that show what it is.
    pub type_pages: Vec<TypePages>,
    /// How many pages the types were learned from.
    pub learned_from: usize,
    /// How many problems there were of each kind, by the word that stands for it.
    pub problems: BTreeMap<&'static str, u64>,
}

impl Outcome {
    /// Whether part of the source could not be read.
    pub fn is_partial(&self) -> bool {
        [ProblemKind::Unreadable, ProblemKind::Truncated]
            .iter()
            .any(|kind| self.problems.contains_key(kind.name()))
    }
}

/// A source that could be read and has no page in it.
#[derive(Debug, Error)]
#[error("{source_name} holds no pages{}", listed(.problems))]
pub struct NoPages {
    /// The source as it was given.
    pub source_name: String,
    /// What was found instead.
    pub problems: Vec<Problem>,
}

/// Everything: read, discover, extract, store; of captures of several days each in the design of its day. Fails with [`NoPages`] when there is nothing to look at; what stood at
/// the output before is then still there.
pub fn run(
    source: &Source,
    output: &Output,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    if let Some(method) = options.data_method {
        return published::run(source, output, options, method, progress);
    }
    if !options.main_text
        && let Some(taught) = epochs::learn(source, options, progress)?
    {
        return epochs::run(source, output, options, &taught, progress);
    }
    let sampled = sample(source, options, progress)?;
    if sampled.total == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into());
    }
    let all_sampled = sampled.total == sampled.pages.len();
    let learned_from = sampled.pages.len();
    let learned = learn(sampled.pages, options, progress);
    let texts = options.main_text.then(|| MainTexts::learn(&learned));
    let Learned { site, wrapper, type_pages, .. } = learned;
    // Pages of which only the beginning was learned from are read anew, as a whole.
    let is_cut = |page: &SitePage| options.limits.nodes > LEARNED_NODES && page.cuts.contains(&Cut::Nodes);
    let complete = all_sampled && !site.pages.iter().any(is_cut);
    progress.stage("extracting", Some(sampled.total));
    let schema = wrapper.stored_schema();
    let sink = Sink::create(output, &schema, &options.meta(&short_name(source), &schema))?;
    let mut filling =
        Filling { sink, pages_of_type: vec![0; wrapper.types.len()], problems: BTreeMap::new() };
    for problem in &sampled.problems {
        filling.problem(problem)?;
    }
    if complete {
        let reader = wrapper.reader();
        let mut rest = site.pages.as_slice();
        while !rest.is_empty() {
            let pages;
            (pages, rest) = rest.split_at(batch(rest));
            let read = |page: &SitePage| {
                let mut record = reader.read_new(&page.raw, &page.tree, &page.cuts);
                record.main_text = texts.as_ref().map(|texts| texts.of(record.page_type, &page.tree));
                wrapper.stored(record)
            };
            let records: Vec<PageRecord> = options.on_pool(|| pages.par_iter().map(read).collect());
            filling.pages(&records, progress)?;
        }
    } else {
        drop(site);
        extract(source, &wrapper, texts.as_ref(), options, &mut filling, progress)?;
    }
    progress.stage("writing", None);
    let Filling { sink, pages_of_type, mut problems } = filling;
    let summary = sink.finish()?;
    // The store has problems of its own: tables that were wider than one can be.
    let own = summary.problems.saturating_sub(problems.values().sum());
    if own > 0 {
        *problems.entry(ProblemKind::Limit.name()).or_default() += own;
    }
    Ok(Outcome { wrapper, stored: schema, summary, pages_of_type, type_pages, learned_from, problems })
}

/// How many of the pages are read together.
fn batch(pages: &[SitePage]) -> usize {
    let mut nodes = 0;
    let fitting = pages.iter().take(BATCH).take_while(|page| {
        nodes += page.tree.len();
        nodes < stream::BATCH_NODES
    });
    fitting.count().max(1)
}

/// What was learned, and from what.
pub struct Learned {
    /// The pages it was learned from.
    pub site: Site,
    /// The structure of the site.
    pub wrapper: Wrapper,
    /// The type of each page of the site.
    pub type_of: Vec<usize>,
    /// For each page type, pages that show what it is.
    pub type_pages: Vec<TypePages>,
}

/// Pages that show what a page type is, by their URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypePages {
    /// Most like the others of the type, best first.
    pub typical: Vec<String>,
    /// Least surely of the type, worst first.
    pub doubtful: Vec<String>,
}

/// Reads a sample of a source and learns from it, for commands that show one stage. Says whether all pages are in it, and
/// what could not be read; fails with [`NoPages`] when there is nothing to look at.
pub fn learn_source(
    source: &Source,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<(Learned, bool, Vec<Problem>)> {
    let sampled = sample(source, options, progress)?;
    if sampled.total == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into());
    }
    let is_whole = sampled.total == sampled.pages.len();
    Ok((learn(sampled.pages, options, progress), is_whole, sampled.problems))
}

/// Learns the wrapper of a site.
pub fn learn(pages: Vec<RawPage>, options: &Options, progress: &mut dyn Progress) -> Learned {
    let site = parse(pages, options, progress);
    progress.stage("discovering", None);
    let types = options.on_pool(|| cluster(&site, options.method, &options.page_type_options()));
    let type_pages = type_pages(&site, &types);
    let type_of = types.type_of.clone();
    let wrapper = options.on_pool(|| induce(&site, types));
    Learned { site, wrapper, type_of, type_pages }
}

/// Parses pages to learn from, a few at a time so that the progress of it can be told. Of huge ones only the beginning is
/// looked at.
pub fn parse(mut pages: Vec<RawPage>, options: &Options, progress: &mut dyn Progress) -> Site {
    progress.stage("parsing", Some(pages.len()));
    let limits = learning_limits(&options.limits);
    let mut site = Site::default();
    while !pages.is_empty() {
        let rest = pages.split_off(pages.len().min(PARSED_TOGETHER));
        let some = std::mem::replace(&mut pages, rest);
        let some = options.on_pool(|| Site::parse(some, &limits));
        progress.advance(some.pages.len());
        site.pages.extend(some.pages);
    }
    site.sort();
    site
}

fn type_pages(site: &Site, types: &PageTypes) -> Vec<TypePages> {
    let urls = site.urls();
    let addresses = |pages: &Vec<usize>| pages.iter().map(|&page| urls[page].to_owned()).collect();
    let both = types.typical.iter().zip(&types.doubtful);
    both.map(|(typical, doubtful)| TypePages { typical: addresses(typical), doubtful: addresses(doubtful) })
        .collect()
}

/// Streams a source through a wrapper into a store. Problems of reading were reported by the first pass.
fn extract(
    source: &Source,
    wrapper: &Wrapper,
    texts: Option<&MainTexts>,
    options: &Options,
    filling: &mut Filling,
    progress: &mut dyn Progress,
) -> Result<()> {
    let reader = wrapper.reader();
    let read = |page: &RawPage| {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
        let mut record = reader.read_new(page, &tree, &cuts);
        record.main_text = texts.map(|texts| texts.of(record.page_type, &tree));
        wrapper.stored(record)
    };
    stream(source, options, read, |batch| {
        let records: Vec<PageRecord> = batch.into_iter().flatten().collect();
        filling.pages(&records, progress)
    })
}

/// Tells that pages are done; fails where the run should stop.
fn advance(progress: &mut dyn Progress, pages: usize) -> Result<()> {
    progress.advance(pages);
    if progress.is_cancelled() { Err(Cancelled.into()) } else { Ok(()) }
}

/// A sink and what went into it so far.
struct Filling {
    sink: Sink,
    pages_of_type: Vec<u64>,
    problems: BTreeMap<&'static str, u64>,
}

impl Filling {
    fn pages(&mut self, records: &[PageRecord], progress: &mut dyn Progress) -> Result<()> {
        for record in records {
            self.sink.page(record)?;
            if let Some(page_type) = record.page_type {
                self.pages_of_type[page_type] += 1;
            }
            for problem in &record.problems {
                *self.problems.entry(problem.kind.name()).or_default() += 1;
            }
        }
        advance(progress, records.len())
    }

    fn problem(&mut self, problem: &Problem) -> Result<()> {
        *self.problems.entry(problem.kind.name()).or_default() += 1;
        Ok(self.sink.problem(problem)?)
    }
}

/// The source's name without its folder, so that no path of this machine gets into a result.
fn short_name(source: &Source) -> String {
    let name = Path::new(source.name()).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| source.name().to_owned())
}

/// The first few problems, for a message.
fn listed(problems: &[Problem]) -> String {
    const SHOWN: usize = 3;
    let mut text: String = problems.iter().take(SHOWN).map(|problem| format!("\n  {problem}")).collect();
    if problems.len() > SHOWN {
        text += &format!("\n  and {} more", problems.len() - SHOWN);
    }
    text
}
