//! Wrappers that are kept: learning one, extracting with it, checking it, repairing it.

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::Source;
use unsite_discover::page_types::neighbours::{self, Neighbours};
use unsite_discover::{Repair, extend, remember};
use unsite_dom::{ProblemKind, RawPage, Tree};
use unsite_methods::page_types::cluster;
use unsite_store::{Output, Sink, Summary};
use unsite_wrapper::drift::{Aspect, Finding, Revisited, compare};
use unsite_wrapper::profile::Profiler;
use unsite_wrapper::structure::{StructureMark, structure};
use unsite_wrapper::{Designs, PageRecord, Provenance, SavedWrapper};

use super::epochs;
use super::sample::{Duplicates, Smallest};
use super::stream::{Item, stream};
use super::{Filling, NoPages, Options, Progress, learn, parse, sample, short_name};

/// Pages that fit nothing and are named in a report.
const NAMED_PAGES: usize = 5;

/// Pages that fit nothing are worth learning from when there are this many: one page shows no structure.
const WORTH_LEARNING: usize = 2;

/// How pages are recognised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Classifier {
    /// By all marks of a page.
    #[default]
    Marks,
    /// By the nearest training pages under the Fourier distance.
    Fourier,
}

/// A learned wrapper, and what was wrong with the source.
pub struct Taught {
    /// What was learned.
    pub saved: SavedWrapper,
    /// How many problems there were of each kind.
    pub problems: BTreeMap<&'static str, u64>,
}

/// Learns a wrapper that can be kept. Of captures of several days each design is learned.
pub fn learn_wrapper(
    source: &Source,
    options: &Options,
    classifier: Classifier,
    progress: &mut dyn Progress,
) -> Result<Taught> {
    if classifier == Classifier::Marks
        && let Some(taught) = epochs::learn(source, options, progress)?
    {
        return Ok(taught);
    }
    let sampled = sample(source, options, progress)?;
    if sampled.total == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into());
    }
    let provenance = provenance(source, options, sampled.total, sampled.pages.len());
    let learned = learn(sampled.pages, options, progress);
    progress.stage("remembering", None);
    let mut saved = remember(&learned.site, learned.wrapper, provenance);
    saved.seen = epochs::seen(&learned.site).into_iter().collect();
    if classifier == Classifier::Fourier {
        let wrapper = &saved.wrapper;
        let type_of: Vec<usize> = learned
            .site
            .pages
            .iter()
            .map(|page| wrapper.classify(&page.raw, &page.tree).unwrap_or_default())
            .collect();
        saved.spectra = neighbours::spectra(&learned.site, &type_of, wrapper.types.len());
    }
    let mut problems = BTreeMap::new();
    for problem in &sampled.problems {
        *problems.entry(problem.kind.name()).or_default() += 1;
    }
    Ok(Taught { saved, problems })
}

fn provenance(source: &Source, options: &Options, pages: usize, learned_from: usize) -> Provenance {
    Provenance {
        program: format!("unsite {}", env!("CARGO_PKG_VERSION")),
        source: short_name(source),
        pages,
        learned_from,
        seed: options.seed,
        method: options.method.name.into(),
        history: Vec::new(),
    }
}

/// What pages looked like through a wrapper.
pub struct Checked {
    /// Pages looked at.
    pub pages: u64,
    /// For each page type, how many there are.
    pub pages_of_type: Vec<u64>,
    /// Pages that fit no type.
    pub set_aside: u64,
    /// The addresses of some of them.
    pub aside: Vec<String>,
    /// What is not as it was learned; empty where nothing has changed.
    pub findings: Vec<Finding>,
    /// How many problems there were of each kind.
    pub problems: BTreeMap<&'static str, u64>,
}

impl Checked {
    /// Whether part of the source could not be read.
    pub fn is_partial(&self) -> bool {
        [ProblemKind::Unreadable, ProblemKind::Truncated]
            .iter()
            .any(|kind| self.problems.contains_key(kind.name()))
    }
}

/// Watches pages go by.
struct Watch<'w> {
    saved: &'w SavedWrapper,
    profiler: Profiler,
    revisited: Revisited,
    checked: Checked,
}

impl<'w> Watch<'w> {
    fn new(saved: &'w SavedWrapper) -> Self {
        let pages_of_type = vec![0; saved.wrapper.types.len()];
        let checked = Checked {
            pages: 0,
            pages_of_type,
            set_aside: 0,
            aside: Vec::new(),
            findings: Vec::new(),
            problems: BTreeMap::new(),
        };
        let profiler = Profiler::against(&saved.wrapper, &saved.profile);
        Watch { saved, profiler, revisited: Revisited::default(), checked }
    }

    /// Counts a page of an earlier design, which says nothing about how the site is now.
    fn earlier(&mut self, page_type: Option<usize>) {
        self.checked.pages += 1;
        if let Some(count) = page_type.and_then(|at| self.checked.pages_of_type.get_mut(at)) {
            *count += 1;
        }
    }

    fn page(&mut self, record: &PageRecord) {
        self.checked.pages += 1;
        match record.page_type {
            Some(page_type) => self.checked.pages_of_type[page_type] += 1,
            None => {
                self.checked.set_aside += 1;
                if self.checked.aside.len() < NAMED_PAGES {
                    self.checked.aside.push(record.url.clone());
                }
            }
        }
        self.revisited.page(&self.saved.wrapper.training, record);
        self.profiler.page(record, 0, 1);
    }

    fn finish(self) -> Checked {
        let now = self.profiler.finish();
        let mut findings = compare(&self.saved.wrapper.schema, &self.saved.profile, &now, self.revisited);
        for finding in &mut findings {
            if matches!(finding.aspect, Aspect::Strangers | Aspect::PageType) {
                finding.examples_now.clone_from(&self.checked.aside);
            }
        }
        Checked { findings, ..self.checked }
    }
}

/// Reads pages with a wrapper.
struct Reader<'w> {
    saved: &'w SavedWrapper,
    pages: Designs<'w>,
    neighbours: Option<Neighbours>,
    options: &'w Options,
}

impl<'w> Reader<'w> {
    fn new(saved: &'w SavedWrapper, classifier: Classifier, options: &'w Options) -> Result<Self> {
        let neighbours = match classifier {
            Classifier::Marks => None,
            Classifier::Fourier if saved.spectra.is_empty() => anyhow::bail!(
                "the wrapper holds no spectra to compare with; learn it with `--classifier fourier`"
            ),
            Classifier::Fourier => Some(Neighbours::new(&saved.spectra)),
        };
        Ok(Reader { saved, pages: saved.designs(), neighbours, options })
    }

    /// The design that a page is of, counted from the newest, and what was read off it.
    fn read(&self, page: &RawPage) -> (usize, PageRecord) {
        let (design, record, _) = self.read_tree(page);
        (design, record)
    }

    /// Also says how the page is built.
    fn read_closely(&self, page: &RawPage) -> (usize, PageRecord, Vec<StructureMark>) {
        let (design, record, tree) = self.read_tree(page);
        let known = |mark: u64| self.saved.profile.knows(record.page_type, mark);
        let marks = structure(&tree, &self.saved.wrapper.classes, known);
        (design, record, marks)
    }

    fn read_tree(&self, page: &RawPage) -> (usize, PageRecord, Tree) {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &self.options.limits);
        let (design, record) = match &self.neighbours {
            None => self.pages.read(page, &tree, &cuts),
            Some(neighbours) => {
                let known = self.saved.wrapper.training.page_type(page);
                let page_type = known.or_else(|| neighbours.classify(&tree));
                (0, self.saved.wrapper.read(page, &tree, &cuts, page_type))
            }
        };
        (design, record, tree)
    }
}

/// Looks at a source through a wrapper and writes nothing.
pub fn check_source(
    source: &Source,
    saved: &SavedWrapper,
    classifier: Classifier,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Checked> {
    progress.stage("checking", None);
    let reader = Reader::new(saved, classifier, options)?;
    let mut watch = Watch::new(saved);
    stream(
        source,
        |page| reader.read_closely(page),
        |batch| {
            for item in &batch {
                match item {
                    Ok((design, record, _)) if *design > 0 => watch.earlier(record.page_type),
                    Ok((_, record, marks)) => {
                        watch.page(record);
                        watch.profiler.structure(record.page_type, marks, 0, 1);
                    }
                    Err(problem) => *watch.checked.problems.entry(problem.kind.name()).or_default() += 1,
                }
            }
            progress.advance(batch.len());
            Ok(())
        },
    )?;
    let checked = watch.finish();
    if checked.pages == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: Vec::new() }.into());
    }
    Ok(checked)
}

/// What came out of an extraction.
pub struct Extracted {
    /// What was written.
    pub summary: Summary,
    /// What the pages looked like.
    pub checked: Checked,
}

/// Streams a source through a wrapper into a store, in one pass.
pub fn extract_with(
    source: &Source,
    saved: &SavedWrapper,
    classifier: Classifier,
    output: &Output,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Extracted> {
    let reader = Reader::new(saved, classifier, options)?;
    progress.stage("extracting", None);
    let schema = reader.pages.schema();
    let mut filling = Filling {
        sink: Sink::create(output, schema, &options.meta(&short_name(source), schema))?,
        pages_of_type: vec![0; schema.page_types.len()],
        problems: BTreeMap::new(),
    };
    let mut watch = Watch::new(saved);
    let mut duplicates = Duplicates::default();
    stream(
        source,
        |page| reader.read(page),
        |batch: Vec<Item<(usize, PageRecord)>>| {
            let mut records = Vec::with_capacity(batch.len());
            for item in batch {
                match item {
                    Ok((design, record)) => {
                        if design == 0 {
                            watch.page(&record);
                        }
                        duplicates.note_capture(&record.url, record.captured);
                        let stored = reader.pages.stored(design, record);
                        if design > 0 {
                            watch.earlier(stored.page_type);
                        }
                        records.push(stored);
                    }
                    Err(problem) => filling.problem(&problem)?,
                }
            }
            filling.pages(&records, progress)
        },
    )?;
    let mut checked = watch.finish();
    if checked.pages == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: Vec::new() }.into());
    }
    for problem in duplicates.problems() {
        filling.problem(&problem)?;
    }
    progress.stage("writing", None);
    let summary = filling.sink.finish()?;
    checked.problems = filling.problems;
    Ok(Extracted { summary, checked })
}

/// Clusters and learns the pages of a source that fit no page type. `None` where there are too few of them.
pub fn learn_new(
    source: &Source,
    saved: &SavedWrapper,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Option<SavedWrapper>> {
    progress.stage("looking for new pages", None);
    let reader = Reader::new(saved, Classifier::Marks, options)?;
    let mut aside = Smallest::new(options.sample);
    stream(
        source,
        |page| {
            let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
            reader.saved.wrapper.classify(page, &tree).is_none().then(|| page.clone())
        },
        |batch| {
            progress.advance(batch.len());
            batch.into_iter().flatten().flatten().for_each(|page| aside.offer(options.seed, page));
            Ok(())
        },
    )?;
    let pages = aside.into_pages();
    if pages.len() < WORTH_LEARNING {
        return Ok(None);
    }
    let site = parse(pages, options, progress);
    progress.stage("learning new page types", None);
    let types = cluster(&site, options.method, &options.page_type_options());
    Ok(Some(extend(&site, saved, types)))
}

/// What is known of a site that has not changed, as its pages say it now; `None` where they say the same.
pub fn renew_wrapper(
    source: &Source,
    saved: &SavedWrapper,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Option<SavedWrapper>> {
    epochs::renewed(source, saved, options, progress)
}

/// Learns a changed site anew under the old names.
pub fn repair_wrapper(
    source: &Source,
    saved: &SavedWrapper,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Repair> {
    let sampled = sample(source, options, progress)?;
    if sampled.total == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into());
    }
    let mut provenance = provenance(source, options, sampled.total, sampled.pages.len());
    provenance.history.clone_from(&saved.provenance.history);
    provenance
        .history
        .push(format!("repaired on {}; learned from {} before", provenance.source, saved.provenance.source));
    let site = parse(sampled.pages, options, progress);
    progress.stage("relearning", None);
    let mut repair = unsite_discover::repair(&site, saved, &options.page_type_options(), provenance);
    if !repair.is_unchanged() {
        epochs::succeed(&mut repair.saved, saved, &site);
    }
    if !saved.spectra.is_empty() && !repair.is_unchanged() {
        let wrapper = &repair.saved.wrapper;
        let as_it_was = |at: usize| repair.types.get(at).is_some_and(|report| report.state.is_as_it_was());
        let is_fresh: Vec<bool> = (0..wrapper.types.len()).map(|at| !as_it_was(at)).collect();
        let type_of: Vec<Option<usize>> =
            site.pages.iter().map(|page| wrapper.classify(&page.raw, &page.tree)).collect();
        repair.saved.spectra = neighbours::renewed(&saved.spectra, &site, &type_of, &is_fresh);
    }
    Ok(repair)
}
