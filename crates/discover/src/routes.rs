//! Further ways to the values of each column, and how often they agree with the template.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{Anchor, PageRecord, Route, RouteFinder, Wrapper, node_at};

use crate::site::Site;
use crate::tables::looked_at;

/// Ways kept of one kind.
const KEPT: usize = 2;

/// A way that agrees with the template on fewer pages is none.
const LEAST_AGREEMENT: f64 = 0.5;

/// Finds the ways to the values of every column of a table with one row a page, and to the first row of a list.
/// `type_of` is the type of each page.
pub(crate) fn add_routes(site: &Site, wrapper: &mut Wrapper, type_of: &[usize]) {
    let found: Vec<FxHashMap<(usize, usize), Vec<Route>>> = looked_at(site, type_of, wrapper.types.len())
        .par_iter()
        .enumerate()
        .map(|(page_type, pages)| of_pages(site, wrapper, pages, page_type))
        .collect();
    for (at, table) in wrapper.schema.tables.iter_mut().enumerate() {
        for (column, info) in table.columns.iter_mut().enumerate() {
            info.routes = vec![Route { by: Anchor::Template(info.selector.clone()), agreement: 1.0 }];
            info.routes
                .extend(found.iter().filter_map(|routes| routes.get(&(at, column))).flatten().cloned());
        }
    }
}

fn of_pages(
    site: &Site,
    wrapper: &Wrapper,
    pages: &[usize],
    page_type: usize,
) -> FxHashMap<(usize, usize), Vec<Route>> {
    let classes = &wrapper.types[page_type].template.classes;
    let reader = wrapper.reader();
    let read = |&page: &usize| {
        let page = &site.pages[page];
        reader.read(&page.raw, &page.tree, &[], Some(page_type))
    };
    let records: Vec<PageRecord> = pages.par_iter().map(read).collect();
    let finders: Vec<RouteFinder<'_>> =
        pages.par_iter().map(|&page| RouteFinder::new(&site.pages[page].tree, classes)).collect();
    // The first value of each column on each page, and the ways that lead there.
    let mut values: FxHashMap<(usize, usize), Vec<(usize, &str)>> = FxHashMap::default();
    let mut ways: FxHashMap<(usize, usize), BTreeMap<Anchor, usize>> = FxHashMap::default();
    for (place, &page) in pages.iter().enumerate() {
        for row in &records[place].rows {
            for cell in &row.cells {
                let seen = values.entry((row.table, cell.column)).or_default();
                if seen.last().is_some_and(|(last, _)| *last == place) {
                    continue;
                }
                seen.push((place, &cell.value));
                if let Some(node) = node_at(&site.pages[page].tree, &cell.path) {
                    for anchor in finders[place].anchors(node) {
                        *ways.entry((row.table, cell.column)).or_default().entry(anchor).or_default() += 1;
                    }
                }
            }
        }
    }
    let mut routes = FxHashMap::default();
    for (column, values) in values {
        let Some(ways) = ways.get(&column) else { continue };
        let mut candidates: Vec<(&Anchor, usize)> =
            ways.iter().map(|(anchor, count)| (anchor, *count)).collect();
        candidates.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found = Vec::new();
        for (anchor, _) in candidates {
            let kept = kept.entry(anchor.kind()).or_default();
            if *kept >= KEPT {
                continue;
            }
            *kept += 1;
            let agrees = |&&(place, value): &&(usize, &str)| {
                finders[place].find(anchor).is_some_and(|other| same(value, &other))
            };
            let agreement = values.iter().filter(agrees).count() as f64 / values.len() as f64;
            if agreement >= LEAST_AGREEMENT {
                let agreement = (agreement * 1000.0).round() / 1000.0;
                found.push(Route { by: anchor.clone(), agreement });
            }
        }
        routes.insert(column, found);
    }
    routes
}

/// Prose joins its parts in its own way; white space is all that may differ.
fn same(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq(b.split_whitespace())
}
