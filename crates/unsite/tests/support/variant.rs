//! A generated site, learned and read, against the tables it was made from.

use unsite::Options;
use unsite::pipeline::learn;
use unsite_dom::RawPage;
use unsite_eval::recovery::{KnownTable, Recovered, recovered};
use unsite_sample::{Knobs, Site};
use unsite_wrapper::PageRecord;

/// Generates, learns, reads and compares.
pub(crate) fn read(knobs: &Knobs) -> Vec<Recovered> {
    let site = Site::generate(knobs);
    let raw = site.pages.iter().map(|page| RawPage {
        url: page.url.clone(),
        reference: page.path.clone(),
        bytes: page.html.clone().into_bytes(),
        ..RawPage::default()
    });
    let learned = learn(raw.collect(), &Options::default(), &mut ());
    let records: Vec<PageRecord> = learned
        .site
        .pages
        .iter()
        .map(|page| {
            let page_type = learned.wrapper.classify(&page.raw, &page.tree);
            learned.wrapper.read(&page.raw, &page.tree, &page.cuts, page_type)
        })
        .collect();
    let known: Vec<KnownTable<'_>> = site
        .tables
        .iter()
        .map(|table| KnownTable {
            name: &table.name,
            columns: &table.columns,
            rows: &table.rows,
            is_list: matches!(table.name.as_str(), "reviews" | "related" | "book_authors"),
        })
        .collect();
    recovered(&known, &learned.wrapper.schema, &records)
}

/// All cells, and those that came back.
pub(crate) fn totals(result: &[Recovered]) -> (usize, usize) {
    result.iter().fold((0, 0), |sum, table| (sum.0 + table.cells, sum.1 + table.found))
}
