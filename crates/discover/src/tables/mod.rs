//! Across page types: a link to a page refers to the row of that page, lists of one kind are one table.

mod articles;
mod collected;
mod lists;
mod merging;
mod programs;
mod unify;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_wrapper::{Row, ValueType, Wrapper};

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

/// A page that was looked at, and its rows.
pub(crate) struct Looked<'s> {
    tree: &'s Tree,
    rows: Vec<Row>,
}

/// Reads some pages of each type; `type_of` is the type of each page.
pub(crate) fn read<'s>(site: &'s Site, type_of: &[usize], wrapper: &Wrapper) -> Vec<Vec<Looked<'s>>> {
    let reader = wrapper.reader();
    let read = |&page: &usize| {
        let SitePage { raw, tree, .. } = &site.pages[page];
        Looked { tree, rows: reader.rows(tree, &raw.url, type_of[page]) }
    };
    let pages = looked_at(site, type_of, wrapper.types.len());
    pages.par_iter().map(|pages| pages.par_iter().map(read).collect()).collect()
}

/// Finds, for every column of links, the table whose rows it refers to. `type_of` is the type of each page.
pub(crate) fn refer(site: &Site, type_of: &[usize], read: &[Vec<Looked<'_>>], wrapper: &mut Wrapper) {
    let type_of_url: FxHashMap<&str, usize> =
        site.pages.iter().zip(type_of).map(|(page, &at)| (without_fragment(&page.raw.url), at)).collect();
    // By table and column: all links, and those into each type.
    let mut links: FxHashMap<(usize, usize), (usize, FxHashMap<usize, usize>)> = FxHashMap::default();
    for row in read.iter().flatten().flat_map(|page| &page.rows) {
        for cell in &row.cells {
            if wrapper.schema.tables[row.table].columns[cell.column].value_type == ValueType::Url {
                let entry = links.entry((row.table, cell.column)).or_default();
                entry.0 += 1;
                if let Some(&target) = type_of_url.get(without_fragment(&cell.value)) {
                    *entry.1.entry(target).or_default() += 1;
                }
            }
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
