//! A wrapper with everything that is kept beside it: what its pages looked like, and what was read off them.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use unsite_wrapper::profile::{Profiler, SiteProfile};
use unsite_wrapper::structure::structure;
use unsite_wrapper::{
    FORMAT, KNOWN_PAGES, KnownPage, PageMarks, PageRecord, Provenance, SavedWrapper, VERSION, Wrapper,
};

use crate::site::Site;

/// Reads the pages that a wrapper was learned from once more and keeps what is needed to notice and repair changes.
pub fn remember(site: &Site, wrapper: Wrapper, provenance: Provenance) -> SavedWrapper {
    remember_some(site, wrapper, provenance, &vec![true; site.pages.len()])
}

/// The same of some of the pages: the others say nothing about the site as it was learned.
pub(crate) fn remember_some(
    site: &Site,
    wrapper: Wrapper,
    provenance: Provenance,
    counts: &[bool],
) -> SavedWrapper {
    let records = read_all(site, &wrapper);
    let profile = profile(site, &wrapper, &records, counts);
    let mut known: Vec<KnownPage> = Vec::new();
    let mut of_type: Vec<Vec<usize>> = vec![Vec::new(); wrapper.types.len()];
    for (at, record) in records.iter().enumerate().filter(|(at, _)| counts[*at]) {
        if let Some(page_type) = record.page_type {
            of_type[page_type].push(at);
        }
    }
    for pages in of_type {
        let chosen = of_all_shapes(&pages, &records);
        known.extend(chosen.into_iter().filter_map(|at| KnownPage::of(&wrapper.schema, &records[at])));
    }
    SavedWrapper {
        format: FORMAT.into(),
        version: VERSION,
        provenance,
        wrapper,
        profile,
        known,
        ..SavedWrapper::default()
    }
}

/// At most [`KNOWN_PAGES`] of the pages, in order: some of every shape, where the columns that a page has are its shape.
/// What only few pages show has to be found again too.
fn of_all_shapes(pages: &[usize], records: &[PageRecord]) -> Vec<usize> {
    let mut shapes: BTreeMap<BTreeSet<(usize, usize)>, Vec<usize>> = BTreeMap::new();
    for &at in pages {
        let shape =
            records[at].rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.table, cell.column)));
        shapes.entry(shape.collect()).or_default().push(at);
    }
    // Rare shapes first: what they do not need is left to the others.
    let mut shapes: Vec<Vec<usize>> = shapes.into_values().collect();
    shapes.sort_by_key(|pages| (pages.len(), pages[0]));
    let (mut chosen, mut left) = (Vec::new(), KNOWN_PAGES);
    for (at, pages) in shapes.iter().enumerate() {
        let share = left.div_ceil(shapes.len() - at).min(pages.len());
        if share > 0 {
            chosen.extend((0..share).map(|nth| pages[nth * pages.len() / share]));
            left -= share;
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Reads every page of a site with a wrapper, in order.
pub fn read_all(site: &Site, wrapper: &Wrapper) -> Vec<PageRecord> {
    let reader = wrapper.reader();
    site.pages.par_iter().map(|page| reader.read_new(&page.raw, &page.tree, &page.cuts)).collect()
}

fn profile(site: &Site, wrapper: &Wrapper, records: &[PageRecord], counts: &[bool]) -> SiteProfile {
    let mut profiler = Profiler::new(wrapper);
    let strange: Vec<bool> = site
        .pages
        .par_iter()
        .zip(records)
        .map(|(page, record)| {
            // Of the types with one page there are as many more to come (Good and Turing).
            let alone = record.page_type.is_some_and(|at| wrapper.recogniser.pages[at] == 1);
            let marks = PageMarks::of(&page.tree, &page.raw.url, &wrapper.classes);
            alone || wrapper.recogniser.recognise(&marks, None).is_none()
        })
        .collect();
    for (at, (record, page)) in records.iter().zip(&site.pages).enumerate().filter(|(at, _)| counts[*at]) {
        profiler.page(record, at, records.len());
        let marks = structure(&page.tree, &wrapper.classes, |_| false);
        profiler.structure(record.page_type, &marks, at, records.len());
        if strange[at] && record.page_type.is_some() {
            profiler.stranger();
        }
    }
    profiler.finish()
}
