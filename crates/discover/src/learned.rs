//! A wrapper with everything that is kept beside it: what its pages looked like, and what was read off them.

use rayon::prelude::*;
use unsite_wrapper::profile::{Profiler, SiteProfile};
use unsite_wrapper::{
    FORMAT, KNOWN_PAGES, KnownPage, PageMarks, PageRecord, Provenance, SavedWrapper, Spectra, VERSION,
    Wrapper,
};

use crate::site::Site;

/// Reads the pages that a wrapper was learned from once more and keeps what is needed to notice and repair changes.
pub fn remember(site: &Site, wrapper: Wrapper, provenance: Provenance) -> SavedWrapper {
    let records = read_all(site, &wrapper);
    let profile = profile(site, &wrapper, &records);
    let mut known: Vec<KnownPage> = Vec::new();
    let mut of_type: Vec<Vec<usize>> = vec![Vec::new(); wrapper.types.len()];
    for (at, record) in records.iter().enumerate() {
        of_type[record.page_type.unwrap_or_default()].push(at);
    }
    for pages in of_type {
        let step = pages.len().div_ceil(KNOWN_PAGES).max(1);
        known.extend(
            pages.iter().step_by(step).filter_map(|&at| KnownPage::of(&wrapper.schema, &records[at])),
        );
    }
    SavedWrapper {
        format: FORMAT.into(),
        version: VERSION,
        provenance,
        wrapper,
        profile,
        known,
        spectra: Spectra::default(),
    }
}

/// Reads every page of a site with a wrapper, in order.
pub fn read_all(site: &Site, wrapper: &Wrapper) -> Vec<PageRecord> {
    site.pages
        .par_iter()
        .map(|page| wrapper.read(&page.raw, &page.tree, &page.cuts, wrapper.classify(&page.raw, &page.tree)))
        .collect()
}

fn profile(site: &Site, wrapper: &Wrapper, records: &[PageRecord]) -> SiteProfile {
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
    for (at, record) in records.iter().enumerate() {
        profiler.page(record, at, records.len());
        if strange[at] && record.page_type.is_some() {
            profiler.stranger();
        }
    }
    profiler.finish()
}
