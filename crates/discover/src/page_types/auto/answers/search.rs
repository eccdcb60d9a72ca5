//! What a page was asked, and the links that may answer it.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, PathStyle, Tree, Url};
use unsite_wrapper::ClassMap;

use super::super::sample::kind;
use crate::experts::{PAGERS, hash, mix};
use crate::page_types::SEARCH_PARAMETERS;
use crate::site::Site;

/// A target on this share of pages is part of the site's frame. Half, as no answer is given to every second question.
const FRAME_SHARE: f64 = 0.5;

/// Pages that the frame is found on, evenly spread.
const FRAME_PAGES: usize = 200;

/// A link stands at most so deep in the cell of a table.
const CELL_DEPTH: usize = 4;

/// Links looked at on one page.
const MAX_LINKS: usize = 2000;

/// Texts of two rows that are compared: rows that begin alike so far say the same.
const ROW_TEXTS: usize = 40;

/// What a page was asked.
#[derive(Debug, PartialEq)]
pub(super) struct Search {
    /// Values of the address that were searched for.
    asked: Vec<String>,
    /// The names of its parameters but those of pagers, hashed.
    pub(super) names: u64,
    /// A further page of the answers.
    pub(super) further: bool,
}

impl Search {
    /// `None` for a page that answers no search.
    pub(super) fn of(url: &str, tree: &Tree) -> Option<Search> {
        let url = Url::parse(url).ok()?;
        let pairs: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| (name.into_owned(), value.trim().to_owned()))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        if pairs.is_empty() {
            return None;
        }
        let fields: Vec<(&str, &str)> = tree
            .elements("input")
            .filter(|&node| matches!(tree.attr(node, "type").unwrap_or("text"), "text" | "search"))
            .filter_map(|node| Some((tree.attr(node, "name")?, tree.attr(node, "value")?.trim())))
            .collect();
        let asked: Vec<String> = pairs
            .iter()
            .filter(|(name, value)| {
                SEARCH_PARAMETERS.contains(&name.as_str())
                    || fields.contains(&(name.as_str(), value.as_str()))
            })
            .map(|(_, value)| value.clone())
            .collect();
        let is_pager = |name: &str| PAGERS.contains(&name.to_lowercase().as_str());
        let further =
            pairs.iter().any(|(name, value)| is_pager(name) && value.parse::<u64>().is_ok_and(|n| n > 1))
                || is_further_path(url.path());
        let mut names: Vec<&str> =
            pairs.iter().map(|(name, _)| name.as_str()).filter(|name| !is_pager(name)).collect();
        names.sort_unstable();
        names.dedup();
        (!asked.is_empty()).then(|| Search { names: hash(&names), asked, further })
    }
}

/// `/search/page/3/`.
fn is_further_path(path: &str) -> bool {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    matches!(steps[..], [.., word, number] if PAGERS.contains(&word) && number.parse::<u64>().is_ok_and(|n| n > 1))
}

/// A link of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// Where it stands.
    pub(super) place: u64,
    /// What it leads to.
    pub(super) target: u64,
    /// What the address that it leads to looks like from far.
    pub(super) kind: u64,
}

/// The links of a page that may be answers: neither those of the frame nor those that ask the same again (pagers, orders,
/// other kinds of answers). A target that is linked twice from one place counts twice where each link has a row
/// of its own with words of its own: two posts of one topic are two answers.
pub(super) fn links(
    search: &Search,
    url: &str,
    tree: &Tree,
    classes: &ClassMap,
    frame: &FxHashSet<u64>,
) -> Vec<Link> {
    let paths = tree.path_hashes(PathStyle::Tags);
    let mut signer = classes.signer(tree);
    let same_search = |href: &str| {
        let query = href.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .any(|(_, value)| search.asked.contains(&decoded(value)))
    };
    let base = tree.base_url(url);
    let mut before: FxHashMap<(u64, u64), NodeId> = FxHashMap::default();
    tree.elements("a")
        .take(MAX_LINKS)
        .filter_map(|node| {
            let href = tree.attr(node, "href")?.trim();
            let leads_away = !href.is_empty() && !href.starts_with(['#', '?']) && !same_search(href);
            let target = target(href);
            if !leads_away || frame.contains(&target) {
                return None;
            }
            // Rows of one list are marked by what is in them, so that only the names nearest to the link count.
            let mut place = mix(paths[node.index()], signer.signature(node));
            place = tree.parent(node).map_or(place, |above| mix(place, signer.signature(above)));
            place = mix(place, cell(tree, node));
            let again = before.insert((place, target), node);
            if again.is_some_and(|first| !stand_in_two_rows(tree, first, node)) {
                return None;
            }
            let address = base.as_ref().and_then(|base| base.join(href).ok());
            Some(Link { place, target, kind: address.map_or(0, |address| kind(address.as_str())) })
        })
        .collect()
}

/// Whether two links stand in two elements beside each other that say different things.
fn stand_in_two_rows(tree: &Tree, first: NodeId, second: NodeId) -> bool {
    let around = |node: NodeId, list: NodeId| {
        std::iter::once(node).chain(tree.ancestors(node)).find(|&row| tree.parent(row) == Some(list))
    };
    let list = tree.ancestors(second).find(|&above| above < first && tree.end(above) > first);
    let rows = list.and_then(|list| Some((around(first, list)?, around(second, list)?)));
    rows.is_some_and(|(one, other)| {
        let texts = |row| {
            let texts = tree.descendants(row).filter(|&below| tree.is_text(below)).take(ROW_TEXTS);
            texts.map(|text| tree.text(text).trim()).filter(|text| !text.is_empty())
        };
        one != first && other != second && !texts(one).eq(texts(other))
    })
}

/// The column of a table that a link stands in, from 1; 0 outside of tables.
fn cell(tree: &Tree, link: NodeId) -> u64 {
    let cell = tree.ancestors(link).take(CELL_DEPTH).find(|&above| matches!(tree.name(above), "td" | "th"));
    let Some((cell, row)) = cell.and_then(|cell| Some((cell, tree.parent(cell)?))) else { return 0 };
    tree.children(row).take_while(|&child| child <= cell).filter(|&child| tree.is_element(child)).count()
        as u64
}

/// A value of a query as people typed it.
fn decoded(value: &str) -> String {
    let Ok(url) = Url::parse(&format!("http://a.invalid/?x={value}")) else { return String::new() };
    url.query_pairs().next().map_or(String::new(), |(_, value)| value.trim().to_owned())
}

/// Two places on one page, such as two posts of a topic, are two answers.
fn target(href: &str) -> u64 {
    hash(&[href])
}

/// Targets that many pages of the site link to.
pub(super) fn frame(site: &Site) -> FxHashSet<u64> {
    let step = site.pages.len().div_ceil(FRAME_PAGES).max(1);
    let pages: Vec<FxHashSet<u64>> = site
        .pages
        .par_iter()
        .step_by(step)
        .map(|page| {
            let links = page.tree.elements("a").take(MAX_LINKS);
            links.filter_map(|node| Some(target(page.tree.attr(node, "href")?.trim()))).collect()
        })
        .collect();
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    pages.iter().flatten().for_each(|&target| *counts.entry(target).or_default() += 1);
    let many = FRAME_SHARE * pages.len() as f64;
    counts.into_iter().filter(|&(_, count)| count as f64 > many).map(|(target, _)| target).collect()
}
