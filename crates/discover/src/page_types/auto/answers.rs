//! Answers to a search: pages with no, one and many answers are three types, as THOR has them.
//!
//! # What it does
//! A page answers a search when its address holds what one of its own text fields holds, or a parameter that
//! search forms are known to send. Within a type, the links of such pages that lead neither to the frame of the site
//! nor to the same search again are put together by the place that they stand at; the place that most of the pages have,
//! and of these the one with the most different targets, is that of the answers. The number of different
//! targets at it says whether there are none, one or many.
//! # Assumes
//! Answers are links in a list, and the queries differ.
//! # When it fails
//! Answers without links; answers of several kinds, each at its own place; searches sent in the body of a request
//! that leave no trace on the page. All answers then stay one type.
//! # Paper
//! The classes are those of Caverlee, Liu, Buttler 2004 (THOR); telling them apart by counting is ours.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, PathStyle, Tree, Url};
use unsite_wrapper::ClassMap;

use crate::experts::{PAGERS, hash, mix};
use crate::page_types::methods::keyclus::SEARCH_PARAMETERS;
use crate::site::Site;

/// A target on this share of pages is part of the site's frame. Half, as no answer is given to every second question.
const FRAME_SHARE: f64 = 0.5;

/// Pages that the frame is found on, evenly spread.
const FRAME_PAGES: usize = 200;

/// A link stands at most so deep in the cell of a table.
const CELL_DEPTH: usize = 4;

/// Links looked at on one page.
const MAX_LINKS: usize = 2000;

/// How many answers a page gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answers {
    /// The search found nothing.
    None,
    /// It found one thing.
    One,
    /// It found several, or this is a further page of what it found.
    Many,
}

impl Answers {
    /// What the type's name ends in.
    pub fn word(self) -> &'static str {
        match self {
            Answers::None => "none",
            Answers::One => "single",
            Answers::Many => "results",
        }
    }
}

/// How the pages of one type that answer a search are told apart.
#[derive(Debug, Clone)]
pub(super) struct AnswerTypes {
    /// The type that they were before they came apart: searches that share it are told apart by `names`.
    pub(super) origin: usize,
    /// The parameters of its addresses, hashed.
    names: Vec<u64>,
    /// Where the answers stand.
    place: u64,
    /// What is linked everywhere.
    frame: FxHashSet<u64>,
    /// The types, by the number of answers.
    pub(super) types: Vec<(Answers, usize)>,
}

impl AnswerTypes {
    /// How many answers a page gives; `None` for a page that answers no search.
    pub(super) fn count(&self, url: &str, tree: &Tree, classes: &ClassMap) -> Option<Answers> {
        let search = Search::of(url, tree)?;
        Some(self.counted(&search, &links(&search, tree, classes)))
    }

    /// Whether the address asks as this search's do.
    pub(super) fn is_asked_by(&self, url: &str, tree: &Tree) -> bool {
        Search::of(url, tree).is_some_and(|search| self.names.contains(&search.names))
    }

    fn counted(&self, search: &Search, links: &[Link]) -> Answers {
        let mut targets: Vec<u64> = links
            .iter()
            .filter(|link| link.place == self.place && !self.frame.contains(&link.target))
            .map(|link| link.target)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        match targets.len() {
            _ if search.further => Answers::Many,
            0 => Answers::None,
            1 => Answers::One,
            _ => Answers::Many,
        }
    }
}

/// Gives pages with another number of answers than most of their type types of their own, numbered from `next` on.
pub(super) fn split(
    site: &Site,
    classes: &ClassMap,
    type_of: &mut [usize],
    mut next: usize,
) -> Vec<AnswerTypes> {
    let searches: Vec<Option<(Search, Vec<Link>)>> = site
        .pages
        .par_iter()
        .map(|page| {
            let search = Search::of(&page.raw.url, &page.tree)?;
            let links = links(&search, &page.tree, classes);
            Some((search, links))
        })
        .collect();
    let mut groups: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (page, _) in searches.iter().enumerate().filter(|(_, search)| search.is_some()) {
        groups.entry(type_of[page]).or_default().push(page);
    }
    let mut groups: Vec<(usize, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_unstable();
    if groups.is_empty() {
        return Vec::new();
    }
    let pages = Asked { searches, frame: frame(site) };
    let mut found = Vec::new();
    for (page_type, group) in groups {
        for (at, (place, names, members)) in pages.apart(&group).into_iter().enumerate() {
            let mut answers = AnswerTypes {
                origin: page_type,
                names,
                place,
                frame: pages.frame.clone(),
                types: Vec::new(),
            };
            let mut by_count: FxHashMap<Answers, Vec<usize>> = FxHashMap::default();
            for page in members {
                if let Some((search, links)) = &pages.searches[page] {
                    by_count.entry(answers.counted(search, links)).or_default().push(page);
                }
            }
            for kind in [Answers::Many, Answers::One, Answers::None] {
                let Some(pages) = by_count.get(&kind) else { continue };
                // The first keeps the number of the type that they come from.
                let keeps = at == 0 && answers.types.is_empty();
                let own = if keeps { page_type } else { next };
                next += usize::from(!keeps);
                pages.iter().for_each(|&page| type_of[page] = own);
                answers.types.push((kind, own));
            }
            found.push(answers);
        }
    }
    found
}

/// The pages that answer searches, and what is linked everywhere.
struct Asked {
    searches: Vec<Option<(Search, Vec<Link>)>>,
    frame: FxHashSet<u64>,
}

/// Where a search's answers stand, what its addresses ask for, and its pages.
type OneSearch = (u64, Vec<u64>, Vec<usize>);

impl Asked {
    fn links(&self, page: usize) -> &[Link] {
        self.searches[page].as_ref().map_or(&[][..], |(_, links)| links.as_slice())
    }

    /// The searches among the pages of one type, the main one first. Addresses with other parameters are another search
    /// when their answers never stand where the main one's do: a shop's goods and its articles, found by one form.
    fn apart(&self, pages: &[usize]) -> Vec<OneSearch> {
        let mut by_names: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for &page in pages {
            if let Some((search, _)) = &self.searches[page] {
                by_names.entry(search.names).or_default().push(page);
            }
        }
        let mut by_names: Vec<(u64, Vec<usize>)> = by_names.into_iter().collect();
        by_names.sort_by_key(|(names, pages)| (std::cmp::Reverse(pages.len()), *names));
        let place = |pages: &[usize]| place(pages.iter().map(|&page| self.links(page)), &self.frame);
        let mut found: Vec<OneSearch> = Vec::new();
        for (names, pages) in by_names {
            let own = place(&pages);
            let has = |place: u64| {
                let answers = |page: &&usize| {
                    let mut links = self.links(**page).iter();
                    links.any(|link| link.place == place && !self.frame.contains(&link.target))
                };
                pages.iter().filter(answers).count()
            };
            let elsewhere = found.iter().all(|(place, _, _)| has(*place) == 0);
            let joins = match own {
                Some(own) if elsewhere && pages.len() > 1 && has(own) * 2 > pages.len() => None,
                _ => found
                    .iter()
                    .position(|(place, _, _)| has(*place) > 0)
                    .or((!found.is_empty()).then_some(0)),
            };
            match (joins, own) {
                (Some(at), _) => {
                    found[at].1.push(names);
                    found[at].2.extend(pages);
                }
                (None, Some(own)) => found.push((own, vec![names], pages)),
                (None, None) => {}
            }
        }
        found
    }
}

/// What a page was asked.
#[derive(Debug, PartialEq)]
struct Search {
    /// Values of the address that were searched for.
    asked: Vec<String>,
    /// The names of its parameters but those of pagers, hashed.
    names: u64,
    /// A further page of the answers.
    further: bool,
}

impl Search {
    fn of(url: &str, tree: &Tree) -> Option<Search> {
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
struct Link {
    place: u64,
    target: u64,
}

/// The links of a page but those that ask the same again: pagers, orders, other kinds of answers.
fn links(search: &Search, tree: &Tree, classes: &ClassMap) -> Vec<Link> {
    let paths = tree.path_hashes(PathStyle::Tags);
    let mut signer = classes.signer(tree);
    let same_search = |href: &str| {
        let query = href.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .any(|(_, value)| search.asked.contains(&decoded(value)))
    };
    tree.elements("a")
        .take(MAX_LINKS)
        .filter_map(|node| {
            let href = tree.attr(node, "href")?.trim();
            let leads_away = !href.is_empty() && !href.starts_with(['#', '?']) && !same_search(href);
            if !leads_away {
                return None;
            }
            // Rows of one list are marked by what is in them, so that only the names nearest to the link count.
            let mut place = mix(paths[node.index()], signer.signature(node));
            place = tree.parent(node).map_or(place, |above| mix(place, signer.signature(above)));
            Some(Link { place: mix(place, cell(tree, node)), target: target(href) })
        })
        .collect()
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
fn frame(site: &Site) -> FxHashSet<u64> {
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

/// Where the answers stand.
fn place<'l>(pages: impl Iterator<Item = &'l [Link]>, frame: &FxHashSet<u64>) -> Option<u64> {
    let mut places: FxHashMap<u64, (FxHashSet<usize>, FxHashSet<u64>)> = FxHashMap::default();
    for (page, links) in pages.enumerate() {
        for link in links.iter().filter(|link| !frame.contains(&link.target)) {
            let (pages, targets) = places.entry(link.place).or_default();
            pages.insert(page);
            targets.insert(link.target);
        }
    }
    let rank = |place: &(u64, (FxHashSet<usize>, FxHashSet<u64>))| {
        (place.1.0.len(), place.1.1.len(), std::cmp::Reverse(place.0))
    };
    places.into_iter().filter(|place| place.1.1.len() > 1).max_by_key(rank).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    fn page(query: &str, hits: &[usize]) -> RawPage {
        let rows: String = hits
            .iter()
            .map(|n| format!("<li><h3><a href=/tea/{n}>Tea {n}</a></h3><a class=tag href=/tag/hot>hot</a>"))
            .collect();
        let html = format!(
            "<a href=/home>Home</a><form><input name=find value='{query}'></form><ul>{rows}</ul>\
             <a href='?find={query}&order=2'>by price</a>"
        );
        RawPage {
            url: format!("http://a.example/search?find={query}"),
            bytes: html.into_bytes(),
            ..RawPage::default()
        }
    }

    #[test]
    fn none_one_and_many_are_three_types() {
        let mut pages: Vec<RawPage> = (0..8).map(|n| page(&format!("w{n}"), &[n, n + 1, n + 2])).collect();
        pages.extend([page("x1", &[3]), page("x2", &[5]), page("y1", &[]), page("y2", &[])]);
        pages.push(RawPage { url: "http://a.example/search?find=w1&page=2".into(), ..page("w1", &[9]) });
        let site = Site::parse(pages, &Limits::default());
        let mut type_of = vec![4; site.pages.len()];
        let classes = ClassMap::default();
        let found = split(&site, &classes, &mut type_of, 7);
        for (page, page_type) in site.pages.iter().zip(&type_of) {
            let want = match page.raw.url.split("find=").nth(1).and_then(|query| query.chars().next()) {
                Some('x') => 7,
                Some('y') => 8,
                _ => 4,
            };
            assert_eq!(*page_type, want, "{}", page.raw.url);
        }
        let page = &site.pages[type_of.iter().position(|&page_type| page_type == 8).unwrap()];
        assert_eq!(found[0].count(&page.raw.url, &page.tree, &classes), Some(Answers::None));
        assert_eq!(found[0].count("http://a.example/tea/1", &page.tree, &classes), None);
        assert_eq!(found[0].types, [(Answers::Many, 4), (Answers::One, 7), (Answers::None, 8)]);
    }

    #[test]
    fn one_form_may_hold_two_searches() {
        let mut pages: Vec<RawPage> = (0..8).map(|n| page(&format!("w{n}"), &[n, n + 1])).collect();
        pages.extend((0..4).map(|n| RawPage {
            url: format!("http://a.example/search?find=j{n}&kind=job"),
            bytes: format!(
                "<a href=/home>Home</a><input name=find value=j{n}>\
                 <table><tr><td><a href=/job/{n}>a</a><td><a href=/firm>f</a><tr><td><a href=/job/1{n}>b</a></table>"
            )
            .into_bytes(),
            ..RawPage::default()
        }));
        let site = Site::parse(pages, &Limits::default());
        let mut type_of = vec![0; site.pages.len()];
        let found = split(&site, &ClassMap::default(), &mut type_of, 1);
        assert_eq!(found.len(), 2);
        for (page, page_type) in site.pages.iter().zip(&type_of) {
            assert_eq!(*page_type, usize::from(page.raw.url.contains("kind=job")), "{}", page.raw.url);
        }
    }

    #[test]
    fn pages_that_answer_nothing_stay_together() {
        let pages = (0..6).map(|n| RawPage {
            url: format!("http://a.example/item?id={n}"),
            bytes: if n == 0 { Vec::new() } else { format!("<a href=/x/{n}>x</a>").into_bytes() },
            ..RawPage::default()
        });
        let site = Site::parse(pages.collect(), &Limits::default());
        let mut type_of = vec![0; 6];
        assert!(split(&site, &ClassMap::default(), &mut type_of, 1).is_empty());
        assert_eq!(type_of, [0; 6]);
    }
}
