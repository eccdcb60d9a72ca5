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
    let shown: Vec<_> = site.tables.iter().map(|table| shown(&table.columns, &table.rows)).collect();
    let known: Vec<KnownTable<'_>> = site
        .tables
        .iter()
        .zip(&shown)
        .map(|(table, (columns, rows))| KnownTable {
            name: &table.name,
            columns,
            rows,
            is_list: matches!(table.name.as_str(), "reviews" | "related" | "book_authors"),
        })
        .collect();
    recovered(&known, &learned.wrapper.schema, &records)
}

type Shown = (Vec<String>, Vec<Vec<Option<String>>>);

/// A table without the number of a row on its page, which no page shows: rows stand in their order.
fn shown(columns: &[String], rows: &[Vec<Option<String>>]) -> Shown {
    let kept: Vec<usize> = (0..columns.len()).filter(|&at| columns[at] != "position").collect();
    let rows = rows.iter().map(|row| kept.iter().map(|&at| row[at].clone()).collect()).collect();
    (kept.iter().map(|&at| columns[at].clone()).collect(), rows)
}

/// All cells, and those that came back.
pub(crate) fn totals(result: &[Recovered]) -> (usize, usize) {
    result.iter().fold((0, 0), |sum, table| (sum.0 + table.cells, sum.1 + table.found))
}
