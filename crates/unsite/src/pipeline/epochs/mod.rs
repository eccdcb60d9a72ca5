//! The designs that a site had, found in captures of several days.
//!
//! # What it does
//! Captures are cut into slices of time. The newest slice is learned; then slice by slice back in time it is tested whether
//! the pages still look as the design has them. Where they do not, it is looked for the moment within the slice from which on
//! they do, and the design is repaired to the pages before it, so that names stay; that is the older design, with which the
//! walk goes on. A slice that looks as a design found earlier on the walk belongs to that one, and what it says is what is
//! known from then on: values that change over time are proved by those that were seen next to the boundary.
//! # Assumes
//! The newest slice is of one design. Addresses were captured in both designs, and their pages say mostly the same.
//! # When it fails
//! Where no known record is found again, the older pages are learned under names of their own, and it is said.
//! # Paper
//! The test is that of `unsite check`, the carrying over that of `unsite repair`; the walk is ours.

mod changes;
mod drifted;
mod gather;
mod renew;
mod slices;
mod written;

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::{Source, SourceKind};
use unsite_discover::{Site, SitePage, extend, remember};
use unsite_dom::{Moment, RawPage};
use unsite_methods::page_types::cluster;
use unsite_site::provenance;
use unsite_store::Output;
use unsite_wrapper::{Epoch, Provenance, SavedWrapper, Seen, TypeChange};

use self::changes::{Boundary, changes, new_types};
use self::drifted::{boundary, findings};
use self::gather::gather;
use self::renew::renew;
pub(super) use self::renew::renewed;
use self::slices::{Slice, Slices};
use self::written::as_first_written;
use super::wrapping::{Classifier, Taught, extract_with};
use super::{Options, Outcome, Progress, TypePages, learn as learn_pages, parse, short_name};

/// Pages of a slice that are tested: the test needs five of a type, and a page is parsed for every design.
const TESTED: usize = 400;

/// A design, and when it was seen.
struct Found {
    saved: SavedWrapper,
    seen: Vec<Slice>,
    changes: Vec<TypeChange>,
    refused: Option<String>,
}

/// Learns the designs of a source with captures of several days; `None` for any other source.
pub(super) fn learn(
    source: &Source,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Option<Taught>> {
    // Neither tells when its pages were captured.
    if matches!(source.kind(), SourceKind::Gold | SourceKind::Page) {
        return Ok(None);
    }
    let slices = Slices::of(source, progress)?;
    if slices.slices.len() < 2 {
        return Ok(None);
    }
    progress.stage("sampling each of the days", Some(slices.pages));
    let is_small = slices.pages <= options.sample;
    let most = if is_small { options.sample } else { TESTED.min(options.sample) };
    let mut samples = gather(source, &slices.slices, most, options.seed, progress)?;
    let all_of = |at: usize, samples: &mut Vec<Vec<RawPage>>, progress: &mut dyn Progress| {
        let slice = slices.slices[at];
        if slice.pages <= most {
            return Ok::<_, anyhow::Error>(samples[at].clone());
        }
        progress.stage("reading a design", Some(slices.pages));
        Ok(gather(source, &[slice], options.sample, options.seed, progress)?.pop().unwrap_or_default())
    };
    let newest = slices.slices.len() - 1;
    let pages = all_of(newest, &mut samples, progress)?;
    let (name, total) = (short_name(source), slices.pages);
    let provenance = provenance(&name, total, pages.len(), options.seed, options.method);
    let learned = learn_pages(pages, options, progress);
    progress.stage("remembering", None);
    let saved = options.on_pool(|| remember(&learned.site, learned.wrapper, provenance.clone()));
    let seen = vec![slices.slices[newest]];
    let mut designs = vec![Found { saved, seen, changes: Vec::new(), refused: None }];
    let mut current = 0;
    for at in (0..newest).rev() {
        let mut slice = slices.slices[at];
        let site = parse(std::mem::take(&mut samples[at]), options, progress);
        progress.stage("comparing an earlier day", None);
        let fits = |design: &Found| options.on_pool(|| findings(&site, &design.saved).is_empty());
        let order = (0..designs.len()).map(|n| (current + designs.len() - n) % designs.len());
        if let Some(known) = order.into_iter().find(|&design| fits(&designs[design])) {
            designs[known].saw(slice, known == current);
            options.on_pool(|| renew(&mut designs[known].saved, &site));
            current = known;
            continue;
        }
        let split = options.on_pool(|| boundary(&site, &designs[current].saved));
        samples[at] = site.pages.into_iter().map(|page| page.raw).collect();
        let mut pages = all_of(at, &mut samples, progress)?;
        samples[at] = Vec::new();
        if let Some(moment) = split {
            let moments = || pages.iter().filter_map(|page| page.captured);
            let (last, first) =
                (moments().filter(|at| *at < moment).max(), moments().filter(|at| *at >= moment).min());
            if let Some((last, first)) = last.zip(first) {
                let newer = moments().filter(|at| *at >= moment).count();
                designs[current].saw(Slice { first, last: slice.last, pages: newer }, true);
                slice = Slice { last, pages: slice.pages.saturating_sub(newer), ..slice };
                pages.retain(|page| page.captured.is_some_and(|at| at < moment));
            }
        }
        let site = parse(pages, options, progress);
        progress.stage("learning an earlier design", None);
        let boundary = Boundary { before: slice.last, after: designs[current].first() };
        let newest_first: Vec<&SavedWrapper> = designs.iter().map(|design| &design.saved).collect();
        let newer = as_first_written(newest_first[current], &newest_first);
        match options.on_pool(|| older(&site, &newer, options, &provenance, boundary)) {
            Older::Same => designs[current].saw(slice, true),
            Older::OtherPages => {
                let design = &mut designs[current];
                design.saved = options.on_pool(|| wider(&site, &design.saved, options));
                design.saw(slice, true);
            }
            Older::Another(found) => {
                designs.push(Found { seen: vec![slice], ..*found });
                current = designs.len() - 1;
            }
        }
    }
    let mut problems = BTreeMap::new();
    for problem in &slices.problems {
        *problems.entry(problem.kind.name()).or_default() += 1;
    }
    Ok(Some(Taught { saved: together(designs), problems }))
}

/// Extracts every capture in the design of its day.
pub(super) fn run(
    source: &Source,
    output: &Output,
    options: &Options,
    taught: &Taught,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    let saved = &taught.saved;
    let extracted = extract_with(source, saved, Classifier::Marks, output, options, progress)?;
    Ok(Outcome {
        wrapper: saved.wrapper.clone(),
        stored: saved.designs().schema().clone(),
        summary: extracted.summary,
        type_pages: vec![TypePages::default(); saved.wrapper.types.len()],
        pages_of_type: extracted.checked.pages_of_type,
        learned_from: saved.provenance.learned_from,
        problems: extracted.checked.problems,
    })
}

/// What pages are that do not look as a known design has them.
enum Older {
    /// Nothing has changed after all.
    Same,
    /// Pages at other addresses, some of them of types that nobody has seen yet.
    OtherPages,
    /// Pages of another design, which has the names of the known one.
    Another(Box<Found>),
}

/// A redesign changes what most pages look like. Where no address is known, fewer strangers than this are other pages.
const STRANGERS_OF_A_REDESIGN: f64 = 0.5;

fn older(
    site: &Site,
    newer: &SavedWrapper,
    options: &Options,
    provenance: &Provenance,
    boundary: Boundary,
) -> Older {
    let repair = unsite_discover::repair(site, newer, &options.page_type_options(), provenance.clone());
    if repair.is_unchanged() {
        return Older::Same;
    }
    match repair.refusal() {
        None => {
            let changes = changes(&repair, newer, boundary);
            Older::Another(Box::new(Found { saved: repair.saved, seen: Vec::new(), changes, refused: None }))
        }
        Some(_) if is_of_other_pages(site, newer) => Older::OtherPages,
        Some(reason) => {
            let saved = wider(site, newer, options);
            let changes = new_types(&saved, newer.wrapper.types.len(), boundary);
            Older::Another(Box::new(Found { saved, seen: Vec::new(), changes, refused: Some(reason) }))
        }
    }
}

/// A design with the page types besides that some pages are of.
fn wider(site: &Site, known: &SavedWrapper, options: &Options) -> SavedWrapper {
    extend(site, known, cluster(site, options.method, &options.page_type_options()))
}

/// Whether nothing says that pages have changed: none is at an address that is known, and most look as known ones do.
fn is_of_other_pages(site: &Site, known: &SavedWrapper) -> bool {
    let is_known = |page: &SitePage| !known.wrapper.training.types_at(&page.raw.url).is_empty();
    if site.pages.iter().any(is_known) {
        return false;
    }
    let is_strange = |page: &&SitePage| known.wrapper.recognise(&page.tree, &page.raw.url).is_none();
    let strangers = site.pages.iter().filter(is_strange).count();
    (strangers as f64) < STRANGERS_OF_A_REDESIGN * site.pages.len() as f64
}

impl Found {
    /// Notes that it was seen in one more slice, which comes right before the others or not.
    fn saw(&mut self, slice: Slice, goes_on: bool) {
        match self.seen.last_mut() {
            Some(span) if goes_on => {
                (span.first, span.pages) = (slice.first, span.pages + slice.pages);
            }
            _ => self.seen.push(slice),
        }
    }

    /// Its earliest capture so far.
    fn first(&self) -> Moment {
        self.seen.iter().map(|slice| slice.first).min().unwrap_or(self.seen[0].first)
    }

    fn spans(&self) -> Vec<Seen> {
        let mut spans: Vec<Seen> = self
            .seen
            .iter()
            .map(|slice| Seen { first: slice.first.to_string(), last: slice.last.to_string() })
            .collect();
        spans.sort();
        spans
    }
}

/// One wrapper of all designs: the newest, and the others behind it.
fn together(designs: Vec<Found>) -> SavedWrapper {
    let mut designs = designs.into_iter();
    let Some(newest) = designs.next() else { return SavedWrapper::default() };
    let seen = newest.spans();
    let epochs = designs.map(|design| Epoch {
        seen: design.spans(),
        wrapper: design.saved.wrapper,
        profile: design.saved.profile,
        known: design.saved.known,
        changes: design.changes,
        refused: design.refused,
    });
    SavedWrapper { seen, epochs: epochs.collect(), ..newest.saved }
}
