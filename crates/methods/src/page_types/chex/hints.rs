//! CHEX's experts: which pages, and which texts of them, look as if they belong together.

use rayon::prelude::*;
use unsite_dom::{NodeId, PathStyle, Tree};

use super::search::Hints;
use crate::templates::{
    Indexed, PageTokens, Uniqueness, coverage, page_tokens, slots, string_stripes, stripes,
};
use unsite_discover::Site;

/// URLs whose template covers this much of them hint at one kind of page. Not published; our choice.
const URL_COVERAGE: f64 = 0.8;

/// Two pages whose template covers less than this have no template in common, and its slots say nothing. Ours: on the
/// labelled sites half of the pairs of two types lie below 0.4 and half of the pairs of one type above 0.6.
const TEMPLATE_COVERAGE: f64 = 0.5;

/// A slot with more texts than this on either page is a whole region and says nothing about single texts.
const SLOT_TEXTS: usize = 4;

/// Texts of one list or column that give hints, of each page.
const LIST_TEXTS: usize = 8;

/// Texts of a page that take part.
const PAGE_TEXTS: usize = 60;

/// The samples of the joint problem: pages and their texts, with the hints on both.
pub(super) struct Samples {
    /// Hints on pages.
    pub(super) pages: Hints,
    /// For each page the numbers of its texts.
    pub(super) texts: Vec<std::ops::Range<usize>>,
    /// Hints on texts.
    pub(super) text_hints: Hints,
}

/// A page ready to be compared.
pub(super) struct Read {
    page: PageTokens,
    unique: Uniqueness,
}

impl Read {
    pub(super) fn new(tree: &Tree) -> Self {
        let page = page_tokens(tree, |_| true);
        let unique = Indexed::new(&page.tokens).uniqueness(&page.tokens);
        Read { page, unique }
    }

    pub(super) fn indexed(&self) -> Indexed {
        Indexed::new(&self.page.tokens)
    }

    /// How much of two pages their template covers.
    pub(super) fn coverage(&self, other: &Indexed, other_page: &Read) -> f64 {
        let common = stripes(&self.page.tokens, &self.unique, &[other]);
        coverage(&common, self.page.tokens.len(), other_page.page.tokens.len())
    }
}

impl Samples {
    /// Asks all experts about the chosen pages.
    pub(super) fn new(site: &Site, chosen: &[usize], read: &[Read]) -> Self {
        let urls: Vec<&str> = chosen.iter().map(|&page| site.pages[page].raw.url.as_str()).collect();
        let mut pages = Hints::new(chosen.len());
        for (a, b) in url_hints(&urls) {
            pages.add(a, b);
        }
        let trees: Vec<&Tree> = chosen.iter().map(|&page| &site.pages[page].tree).collect();
        let hints = all_text_hints(&trees, read);
        let numbers = numbered(&hints);
        let from = |page: usize| numbers.partition_point(|text| text.0 < page);
        let texts = (0..chosen.len()).map(|page| from(page)..from(page + 1)).collect();
        let text_hints = between(&hints, &numbers);
        Samples { pages, texts, text_hints }
    }
}

/// A hint on texts: two of (page, text).
type TextHint = [(usize, usize); 2];

/// The hints on the texts of pages, and the texts they speak about.
pub(super) fn of_texts(trees: &[&Tree], read: &[Read]) -> (Hints, Vec<(usize, NodeId)>) {
    let hints = all_text_hints(trees, read);
    let numbers = numbered(&hints);
    let nodes = numbers.iter().map(|&(page, text)| (page, read[page].page.texts[text].0)).collect();
    (between(&hints, &numbers), nodes)
}

/// What all experts on texts say.
fn all_text_hints(trees: &[&Tree], read: &[Read]) -> Vec<TextHint> {
    let mut hints = template_hints(read);
    for (at, (tree, read)) in trees.iter().zip(read).enumerate() {
        for style in [PathStyle::Attributes, PathStyle::Tags] {
            hints.extend(list_hints(tree, style, &read.page).map(|(a, b)| [(at, a), (at, b)]));
        }
    }
    hints
}

/// The texts that hints speak about, in order, at most so many of each page. The others would be clusters of one
/// whatever happens.
fn numbered(hints: &[TextHint]) -> Vec<(usize, usize)> {
    let mut used: Vec<(usize, usize)> = hints.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used.chunk_by(|a, b| a.0 == b.0).flat_map(|page| page.iter().take(PAGE_TEXTS).copied()).collect()
}

/// The hints whose both ends are numbered.
fn between(hints: &[TextHint], numbers: &[(usize, usize)]) -> Hints {
    let mut all = Hints::new(numbers.len());
    for [a, b] in hints {
        if let (Ok(a), Ok(b)) = (numbers.binary_search(a), numbers.binary_search(b)) {
            all.add(a, b);
        }
    }
    all
}

/// URL expert: pairs whose template covers enough.
fn url_hints(urls: &[&str]) -> Vec<(usize, usize)> {
    let pairs: Vec<(usize, usize)> = (0..urls.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let alike = |&(a, b): &(usize, usize)| {
        let covered =
            coverage(&string_stripes(urls[a], urls[b]), urls[a].chars().count(), urls[b].chars().count());
        covered >= URL_COVERAGE
    };
    pairs.into_par_iter().filter(alike).collect()
}

/// Template expert: texts in the same slot of the template of two pages.
fn template_hints(read: &[Read]) -> Vec<TextHint> {
    let of = |second: usize| {
        let index = read[second].indexed();
        let mut hints = Vec::new();
        for first in 0..second {
            let common = stripes(&read[first].page.tokens, &read[first].unique, &[&index]);
            let ends = [read[first].page.tokens.len(), read[second].page.tokens.len()];
            if coverage(&common, ends[0], ends[1]) < TEMPLATE_COVERAGE {
                continue;
            }
            for slot in slots(&common, ends) {
                let left = texts_in(&read[first].page, &slot[0]);
                let right = texts_in(&read[second].page, &slot[1]);
                if left.len() <= SLOT_TEXTS && right.len() <= SLOT_TEXTS {
                    let pairs = left.flat_map(|a| right.clone().map(move |b| [(first, a), (second, b)]));
                    hints.extend(pairs);
                }
            }
        }
        hints
    };
    (0..read.len()).into_par_iter().flat_map_iter(of).collect()
}

/// The texts that a stretch of tokens touches.
fn texts_in(page: &PageTokens, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let from = page.texts.partition_point(|text| text.2 <= range.start);
    let to = page.texts.partition_point(|text| text.1 < range.end);
    from..to.max(from)
}

/// List and layout experts: texts of one page at the same path without indices. With ids and classes that is the slot of
/// a row template; with tags alone it stands in for the x coordinate, which needs a browser.
fn list_hints(
    tree: &Tree,
    style: PathStyle,
    page: &PageTokens,
) -> impl Iterator<Item = (usize, usize)> + use<> {
    let hashes = tree.path_hashes(style);
    let mut paths: Vec<(u64, usize)> =
        page.texts.iter().enumerate().map(|(number, text)| (hashes[text.0.index()], number)).collect();
    paths.sort_unstable();
    let mut pairs = Vec::new();
    for run in paths.chunk_by(|a, b| a.0 == b.0) {
        let first = &run[..run.len().min(LIST_TEXTS)];
        for (at, a) in first.iter().enumerate() {
            pairs.extend(first[at + 1..].iter().map(|b| (a.1, b.1)));
        }
    }
    pairs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    #[test]
    fn golden_url_hints() {
        let urls = [
            "http://www.bookpool.com/ss?qs=clustering&x=0&y=0",
            "http://www.bookpool.com/ss?qs=learning&x=0&y=0",
            "http://www.bookpool.com/sm/1590598296",
            "http://www.bookpool.com/sm/0131882228",
        ];
        assert_eq!(url_hints(&urls), [(0, 1), (2, 3)]);
    }

    #[test]
    fn slots_and_lists_give_text_hints() {
        let raw = |n: usize, name: &str| RawPage {
            url: format!("http://a/{n}"),
            bytes: format!("<h1>Book</h1><b>{name}</b><i>Price</i><ul><li>x{n}<li>y{n}</ul>").into_bytes(),
            ..RawPage::default()
        };
        let site = Site::parse(vec![raw(1, "Larkspur"), raw(2, "Heron")], &Limits::default());
        let read: Vec<Read> = site.pages.iter().map(|page| Read::new(&page.tree)).collect();
        // Texts: 0 Book, 1 the name, 2 Price, 3 and 4 the list.
        let hints = template_hints(&read);
        assert!(hints.contains(&[(0, 1), (1, 1)]), "{hints:?}");
        assert!(
            !hints.iter().any(|hint| hint[0].1 == 0 || hint[0].1 == 2),
            "constants lie in no slot: {hints:?}"
        );
        let lists: Vec<_> = list_hints(&site.pages[0].tree, PathStyle::Tags, &read[0].page).collect();
        assert_eq!(lists, [(3, 4)]);
        let samples = Samples::new(&site, &[0, 1], &read);
        assert_eq!((samples.texts[0].clone(), samples.texts[1].clone()), (0..3, 3..6));
    }
}
