//! Relations: from clusters to tables as published, and across page types: a link to a page refers to the row of that
//! page.

pub mod relations;

mod articles;
mod merging;
mod programs;
mod unify;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{ValueType, Wrapper};

pub(crate) use articles::name_articles;
pub(crate) use merging::put_together;
pub(crate) use unify::{Unify, unify};

use crate::site::{Site, SitePage};

/// Pages of each type that are read to see what their tables hold, and their nodes.
const LOOKED_AT: usize = 30;
const LOOKED_AT_NODES: usize = 40_000;

/// Such pages of each type.
pub(crate) fn looked_at(site: &Site, type_of: &[usize], types: usize) -> Vec<Vec<usize>> {
    let mut of_type: Vec<Vec<usize>> = vec![Vec::new(); types];
    for (page, &at) in type_of.iter().enumerate() {
        of_type[at].push(page);
    }
    of_type.iter().map(|pages| site.sample(pages, LOOKED_AT, LOOKED_AT_NODES)).collect()
}

/// A column refers to a table when this share of its links that lead to pages of the site lead to pages of that
/// table: the rest are strays.
const AGREEMENT: f64 = 0.8;

/// And when this share of its links lead to pages of the site at all.
const INSIDE: f64 = 0.5;

/// Finds, for every column of links, the table whose rows it refers to. `type_of` is the type of each page.
pub(crate) fn refer(site: &Site, type_of: &[usize], wrapper: &mut Wrapper) {
    let type_of_url: FxHashMap<&str, usize> =
        site.pages.iter().zip(type_of).map(|(page, &at)| (without_fragment(&page.raw.url), at)).collect();
    // By table and column: all links, and those into each type.
    let mut links: FxHashMap<(usize, usize), (usize, FxHashMap<usize, usize>)> = FxHashMap::default();
    let looked_at = looked_at(site, type_of, wrapper.types.len()).concat();
    // Table and column of each link, and the type that it leads into.
    type Target = ((usize, usize), Option<usize>);
    let targets = |&page: &usize| -> Vec<Target> {
        let SitePage { raw, tree, .. } = &site.pages[page];
        let is_link = |at: &(usize, usize)| {
            wrapper.schema.tables[at.0].columns[at.1].value_type == ValueType::Url
        };
        let rows = wrapper.rows(tree, &raw.url, type_of[page]);
        let cells = rows.iter().flat_map(|row| row.cells.iter().map(|cell| ((row.table, cell.column), cell)));
        let links = cells.filter(|(at, _)| is_link(at));
        links.map(|(at, cell)| (at, type_of_url.get(without_fragment(&cell.value)).copied())).collect()
    };
    let found: Vec<Vec<Target>> = looked_at.par_iter().map(targets).collect();
    for (at, target) in found.into_iter().flatten() {
        let entry = links.entry(at).or_default();
        entry.0 += 1;
        if let Some(target) = target {
            *entry.1.entry(target).or_default() += 1;
        }
    }
    for ((table, column), (all, into)) in links {
        let inside: usize = into.values().sum();
        let most = into.into_iter().max_by_key(|&(target, count)| (count, std::cmp::Reverse(target)));
        if let Some((target, count)) = most
            && inside as f64 >= INSIDE * all as f64
            && count as f64 >= AGREEMENT * inside as f64
        {
            wrapper.schema.tables[table].columns[column].references = wrapper.types[target].page_table;
        }
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}
