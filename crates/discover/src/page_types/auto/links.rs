//! Who links to a page, and from which place.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Tree, Url};
use unsite_wrapper::ClassMap;

use crate::experts::{InLink, hash, mix};
use crate::site::Site;

/// Links kept to one page; a page of the menu has thousands that all say the same.
const MAX_IN_LINKS: usize = 200;

/// Elements, from the link upwards, that make its place: enough for the list it stands in, too few for the page
/// around it, because lists of one kind stand on pages of many types.
const PLACE_STEPS: usize = 5;

/// Links looked at on one page.
const MAX_LINKS: usize = 2000;

/// Bytes of a link's words that are compared.
const MAX_WORDS: usize = 300;

/// For each page of the site, the links of other pages to it. Linear in the links.
pub(super) fn in_links(site: &Site, classes: &ClassMap) -> Vec<Vec<InLink>> {
    let mut page_of: FxHashMap<String, usize> = FxHashMap::default();
    for (page, url) in site.urls().iter().enumerate() {
        if let Ok(url) = Url::parse(url) {
            page_of.entry(address(url)).or_insert(page);
        }
    }
    let found: Vec<Vec<(usize, InLink)>> = site
        .pages
        .par_iter()
        .enumerate()
        .map(|(from, page)| links_of(&page.tree, &page.raw.url, from, classes, &page_of))
        .collect();
    let mut links: Vec<Vec<InLink>> = vec![Vec::new(); site.pages.len()];
    for (target, link) in found.into_iter().flatten() {
        if links[target].len() < MAX_IN_LINKS {
            links[target].push(link);
        }
    }
    links
}

fn links_of(
    tree: &Tree,
    url: &str,
    from: usize,
    classes: &ClassMap,
    page_of: &FxHashMap<String, usize>,
) -> Vec<(usize, InLink)> {
    let Some(base) = tree.base_url(url) else { return Vec::new() };
    let mut signatures: FxHashMap<NodeId, u64> = FxHashMap::default();
    let mut links = Vec::new();
    for node in tree.elements("a").take(MAX_LINKS) {
        let Some(href) = tree.attr(node, "href").map(str::trim) else { continue };
        if href.starts_with('#') || href.starts_with("javascript:") || href.starts_with("mailto:") {
            continue;
        }
        let Some(&target) = base.join(href).ok().and_then(|url| page_of.get(&address(url))) else { continue };
        if target == from {
            continue;
        }
        // Sites mark tags, categories and authors by `rel` where nothing else tells them apart.
        let mut place = hash(&[tree.attr(node, "rel").unwrap_or_default()]);
        for step in std::iter::once(node).chain(tree.ancestors(node)).take(PLACE_STEPS) {
            place = mix(place, *signatures.entry(step).or_insert_with(|| classes.signature(tree, step)));
        }
        links.push((target, InLink { path: place, words: hash(&[&words(tree, node)]) }));
    }
    links
}

fn words(tree: &Tree, link: NodeId) -> String {
    let mut words = String::new();
    for text in tree.descendants(link).filter(|&below| tree.is_text(below)) {
        words.push_str(tree.text(text));
        if words.len() > MAX_WORDS {
            break;
        }
    }
    unsite_dom::collapse(&words).to_lowercase()
}

/// An address without fragment and last slash.
fn address(mut url: Url) -> String {
    url.set_fragment(None);
    let mut address = String::from(url);
    while address.ends_with('/') {
        address.pop();
    }
    address
}
