//! Answers to a search: pages with no, one and many answers are three types, as THOR has them.
//!
//! # What it does
//! A page answers a search when its address holds what one of its own text fields holds, or a parameter that
//! search forms are known to send. Within a type, the links of such pages that lead neither to the frame of the site
//! nor to the same search again are put together by the place that they stand at; the place that most of the pages have,
//! and of these the one with the most different targets, is that of the answers. The number of answers at it says
//! whether there are none, one or many. Addresses with other parameters whose answers stand elsewhere, or are of another
//! kind, are a search of their own.
//! # Assumes
//! Answers are links in a list, and the queries differ.
//! # When it fails
//! Answers without links; answers of several kinds, each at its own place; searches sent in the body of a request
//! that leave no trace on the page. All answers then stay one type.
//! # Paper
//! The classes are those of Caverlee, Liu, Buttler 2004 (THOR); telling them apart by counting is ours.

mod apart;
mod search;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Tree;
use unsite_wrapper::ClassMap;

use crate::site::Site;
use apart::{Asked, OneSearch};
use search::{Link, Search, frame, links};

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
    /// The type of the usual answers, by which the others are named; one of `types`, unless the pages without answers look
    /// so different that they were a type before they were counted.
    pub(super) usual: usize,
}

impl AnswerTypes {
    /// How many answers a page gives; `None` for a page that answers no search.
    pub(super) fn count(&self, url: &str, tree: &Tree, classes: &ClassMap) -> Option<Answers> {
        let search = Search::of(url, tree)?;
        Some(self.counted(&search, &links(&search, url, tree, classes, &self.frame)))
    }

    /// Whether the address asks as this search's do.
    pub(super) fn is_asked_by(&self, url: &str, tree: &Tree) -> bool {
        Search::of(url, tree).is_some_and(|search| self.names.contains(&search.names))
    }

    fn counted(&self, search: &Search, links: &[Link]) -> Answers {
        match links.iter().filter(|link| link.place == self.place).count() {
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
    let asked: Vec<Option<Search>> =
        site.pages.par_iter().map(|page| Search::of(&page.raw.url, &page.tree)).collect();
    let mut groups: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (page, _) in asked.iter().enumerate().filter(|(_, search)| search.is_some()) {
        groups.entry(type_of[page]).or_default().push(page);
    }
    let mut groups: Vec<(usize, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_unstable();
    if groups.is_empty() {
        return Vec::new();
    }
    let frame = frame(site);
    let with_links = |(search, page): (Option<Search>, &crate::site::SitePage)| {
        let search = search?;
        let links = links(&search, &page.raw.url, &page.tree, classes, &frame);
        Some((search, links))
    };
    let pages = Asked { searches: asked.into_par_iter().zip(&site.pages).map(with_links).collect() };
    let (mut found, mut mute) = (Vec::new(), Vec::new());
    for (page_type, group) in groups {
        let searches = pages.apart(&group);
        if searches.is_empty() {
            mute.push((page_type, group));
        }
        for (at, OneSearch { place, names, pages: members }) in searches.into_iter().enumerate() {
            let (frame, types) = (frame.clone(), Vec::new());
            let mut answers = AnswerTypes { origin: page_type, names, place, frame, types, usual: page_type };
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
            answers.usual = answers.types.first().map_or(page_type, |first| first.1);
            found.push(answers);
        }
    }
    for (page_type, group) in mute {
        let answers = without_answers(&pages, page_type, &group, &found, type_of, &mut next);
        found.extend(answers);
    }
    found
}

/// Pages that no place of answers was found on, and that were a type before anything was counted: each goes with the search
/// of another type that asks as it does, and with those that have its number of answers there.
fn without_answers(
    pages: &Asked,
    page_type: usize,
    group: &[usize],
    found: &[AnswerTypes],
    type_of: &mut [usize],
    next: &mut usize,
) -> Vec<AnswerTypes> {
    let mut apart: FxHashMap<(usize, Answers), Vec<usize>> = FxHashMap::default();
    for &page in group {
        let Some((search, links)) = &pages.searches[page] else { continue };
        if let Some(at) = found.iter().position(|answers| answers.names.contains(&search.names)) {
            apart.entry((at, found[at].counted(search, links))).or_default().push(page);
        }
    }
    let mut apart: Vec<((usize, Answers), Vec<usize>)> = apart.into_iter().collect();
    apart.sort_by_key(|(key, pages)| (std::cmp::Reverse(pages.len()), *key));
    let mut told = Vec::new();
    for (at, ((search, count), members)) in apart.into_iter().enumerate() {
        let own = if at == 0 { page_type } else { *next };
        *next += usize::from(at > 0);
        members.iter().for_each(|&page| type_of[page] = own);
        told.push(AnswerTypes { origin: page_type, types: vec![(count, own)], ..found[search].clone() });
    }
    told
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
