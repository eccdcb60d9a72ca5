//! Who links to a page, and from which place.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Tree, Url};
use unsite_wrapper::ClassMap;

use crate::experts::{InLink, hash, mix};
use crate::page_types::SearchLog;
use crate::site::{Site, SitePage, page_address};

/// Different links kept to one page; a page of the menu has thousands that all say the same.
const MAX_IN_LINKS: usize = 64;

/// Pages whose links are followed, evenly spread: lists of one kind look alike, so that more teach nothing new. With
/// 2,000 no labelled site measures better.
const LINKING_PAGES: usize = 500;

/// Pages whose links are held in memory at one time.
const BATCH: usize = 256;

/// Elements, from the link upwards, that make its place: enough for the list it stands in, too few for the page
/// around it, because lists of one kind stand on pages of many types.
const PLACE_STEPS: usize = 5;

/// Links looked at on one page.
const MAX_LINKS: usize = 2000;

/// Bytes of a link's words that are compared.
const MAX_WORDS: usize = 300;

/// For each page of the site, the links of other pages to it, and what was searched for by those who came to it. Linear
/// in the links.
pub(super) fn in_links(site: &Site, classes: &ClassMap, log: Option<&SearchLog>) -> Vec<Vec<InLink>> {
    let mut page_of: FxHashMap<String, usize> = FxHashMap::default();
    for (page, url) in site.urls().iter().enumerate() {
        if let Ok(url) = Url::parse(url) {
            page_of.entry(page_address(url)).or_insert(page);
        }
    }
    let mut links: Vec<Vec<InLink>> = vec![Vec::new(); site.pages.len()];
    let mut keep = |target: usize, link: InLink| {
        let kept = &mut links[target];
        if kept.len() < MAX_IN_LINKS && !kept.contains(&link) {
            kept.push(link);
        }
    };
    for click in log.iter().flat_map(|log| &log.clicks) {
        let page = Url::parse(&click.url).ok().and_then(|url| page_of.get(&page_address(url)));
        if let Some(&page) = page {
            let words = unsite_dom::collapse(&click.query).to_lowercase();
            keep(page, InLink { path: InLink::SEARCH, words: hash(&[&words]) });
        }
    }
    let step = site.pages.len().div_ceil(LINKING_PAGES).max(1);
    let linking: Vec<usize> = (0..site.pages.len()).step_by(step).collect();
    for batch in linking.chunks(BATCH) {
        let found: Vec<Vec<(usize, InLink)>> = batch
            .par_iter()
            .map_init(
                || Targets { page_of: &page_of, found: FxHashMap::default() },
                |targets, &from| links_of(&site.pages[from], from, classes, targets),
            )
            .collect();
        found.into_iter().flatten().for_each(|(target, link)| keep(target, link));
    }
    links
}

/// Which pages addresses lead to. Menus say the same on every page, and making out an address is dear.
struct Targets<'a> {
    page_of: &'a FxHashMap<String, usize>,
    found: FxHashMap<u64, Option<usize>>,
}

impl Targets<'_> {
    fn page(&mut self, base: &Url, href: &str) -> Option<usize> {
        let spelled = base.as_str();
        // What an address depends on besides itself: the host, the folder, or the whole page.
        let context = match href.as_bytes().first() {
            Some(b'/') => spelled.match_indices('/').nth(2).map_or(spelled, |(path, _)| &spelled[..path]),
            // No address at all is that of the page itself.
            None | Some(b'?') => spelled,
            _ => {
                let path = spelled.split(['?', '#']).next().unwrap_or(spelled);
                path.rsplit_once('/').map_or(spelled, |(folder, _)| folder)
            }
        };
        let resolve = || base.join(href).ok().and_then(|url| self.page_of.get(&page_address(url)).copied());
        *self.found.entry(hash(&[context, href])).or_insert_with(resolve)
    }
}

fn links_of(
    page: &SitePage,
    from: usize,
    classes: &ClassMap,
    targets: &mut Targets<'_>,
) -> Vec<(usize, InLink)> {
    let tree = &page.tree;
    let Some(base) = tree.base_url(&page.raw.url) else { return Vec::new() };
    let mut signer = classes.signer(tree);
    let mut links = Vec::new();
    for node in tree.elements("a").take(MAX_LINKS) {
        let Some(href) = tree.attr(node, "href").map(str::trim) else { continue };
        if href.starts_with('#') || href.starts_with("javascript:") || href.starts_with("mailto:") {
            continue;
        }
        let Some(target) = targets.page(&base, href).filter(|&target| target != from) else { continue };
        // Sites mark tags, categories and authors by `rel` where nothing else tells them apart.
        let mut place = hash(&[tree.attr(node, "rel").unwrap_or_default()]);
        for step in std::iter::once(node).chain(tree.ancestors(node)).take(PLACE_STEPS) {
            place = mix(place, signer.signature(step));
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

#[cfg(test)]
mod tests {
    use unsite_dom::{Limits, RawPage};

    use super::*;

    #[test]
    fn a_link_without_an_address_leads_to_its_own_page() {
        let page = |url: &str, html: &str| RawPage {
            url: url.into(),
            reference: url.into(),
            bytes: html.into(),
            ..RawPage::default()
        };
        let pages = vec![
            page("http://a.example/x/1", "<a href=''>me</a>"),
            page("http://a.example/x/2", "<a href=''>me</a><a href='1'>one</a>"),
            page("http://a.example/x/3", "<a href=' '>me</a>"),
        ];
        let site = Site::parse(pages, &Limits::default());
        let counts: Vec<usize> = in_links(&site, &ClassMap::default(), None).iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 0, 0]);
    }
}
