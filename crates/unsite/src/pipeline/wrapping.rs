//! Wrappers that are kept: learning one, extracting with it, checking it, repairing it.

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::Source;
use unsite_discover::page_types::neighbours::{self, Neighbours};
use unsite_discover::{Repair, extend, remember};
use unsite_dom::{RawPage, Tree};
use unsite_methods::page_types::cluster;
use unsite_site::{Checked, Sample, Watch, provenance, repair_site, seen};
use unsite_store::{Output, Sink, Summary, TakeTables};
use unsite_wrapper::structure::{StructureMark, structure};
use unsite_wrapper::{Designs, PageRecord, SavedWrapper};

use super::epochs;
use super::sample::Duplicates;
use super::stream::{Item, stream};
use super::{Filling, NoPages, Options, Progress, advance, learn, parse, sample, short_name};

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
    let (name, total) = (short_name(source), sampled.total);
    let provenance = provenance(&name, total, sampled.pages.len(), options.seed, options.method);
    let learned = learn(sampled.pages, options, progress);
    progress.stage("remembering", None);
    let mut saved = options.on_pool(|| remember(&learned.site, learned.wrapper, provenance));
    saved.seen = seen(&learned.site).into_iter().collect();
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
        options,
        |page| reader.read_closely(page),
        |batch| {
            for item in &batch {
                match item {
                    Ok((design, record, _)) if *design > 0 => {
                        watch.earlier(record.page_type.map(|at| reader.pages.page_type(*design, at)));
                    }
                    Ok((_, record, marks)) => {
                        watch.page(record);
                        watch.structure(record.page_type, marks);
                    }
                    Err(problem) => watch.problem(problem.kind),
                }
            }
            advance(progress, batch.len())
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
    let schema = reader.pages.schema();
    let sink = Sink::create(output, schema, &options.meta(&short_name(source), schema))?;
    let (sink, checked) = fill(source, &reader, sink, progress)?;
    progress.stage("writing", None);
    let summary = sink.finish()?;
    Ok(Extracted { summary, checked })
}

/// Streams a source through a wrapper and hands over its tables instead of writing them.
pub fn extract_tables(
    source: &Source,
    saved: &SavedWrapper,
    taker: &mut dyn TakeTables,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Extracted> {
    let reader = Reader::new(saved, Classifier::Marks, options)?;
    let schema = reader.pages.schema();
    let sink = Sink::collect(schema, &options.meta(&short_name(source), schema))?;
    let (sink, checked) = fill(source, &reader, sink, progress)?;
    progress.stage("writing", None);
    let summary = sink.finish_into(taker)?;
    Ok(Extracted { summary, checked })
}

/// Streams a source through a wrapper into a sink, which is left to be finished.
fn fill(
    source: &Source,
    reader: &Reader<'_>,
    sink: Sink,
    progress: &mut dyn Progress,
) -> Result<(Sink, Checked)> {
    progress.stage("extracting", None);
    let pages_of_type = vec![0; reader.pages.schema().page_types.len()];
    let mut filling = Filling { sink, pages_of_type, problems: BTreeMap::new() };
    let mut watch = Watch::new(reader.saved);
    let mut duplicates = Duplicates::default();
    stream(
        source,
        reader.options,
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
    checked.problems = filling.problems;
    // As they are stored: people may have merged page types, or split them.
    checked.pages_of_type = filling.pages_of_type;
    Ok((filling.sink, checked))
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
    let mut aside = Sample::new(options.seed, options.sample);
    stream(
        source,
        options,
        |page| {
            let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
            reader.saved.wrapper.classify(page, &tree).is_none().then(|| page.clone())
        },
        |batch| {
            advance(progress, batch.len())?;
            batch.into_iter().flatten().flatten().for_each(|page| aside.offer(page));
            Ok(())
        },
    )?;
    let pages = aside.into_pages();
    if pages.len() < WORTH_LEARNING {
        return Ok(None);
    }
    let site = parse(pages, options, progress);
    progress.stage("learning new page types", None);
    let types = options.on_pool(|| cluster(&site, options.method, &options.page_type_options()));
    Ok(Some(options.on_pool(|| extend(&site, saved, types))))
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
    let (name, total) = (short_name(source), sampled.total);
    let mut provenance = provenance(&name, total, sampled.pages.len(), options.seed, options.method);
    provenance.history.clone_from(&saved.provenance.history);
    provenance
        .history
        .push(format!("repaired on {}; learned from {} before", provenance.source, saved.provenance.source));
    let site = parse(sampled.pages, options, progress);
    progress.stage("relearning", None);
    let told = options.page_type_options();
    let mut repair = options.on_pool(|| repair_site(&site, saved, &told, provenance));
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
