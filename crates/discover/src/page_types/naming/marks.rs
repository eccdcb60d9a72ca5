//! Words on the pages of a type that stand on few others.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{Meta, Terms, Tree};

use crate::naming::slug;
use crate::site::Site;

/// A mark names a type when this share of its pages has it ...
const COMMON: f64 = 0.8;

/// ... and at most this share of the other pages.
const ELSEWHERE: f64 = 0.1;

/// Pages of a type that are looked at for its name.
const LOOKED_AT: usize = 60;

/// A mark with more words than this is a sentence.
const MAX_WORDS: usize = 3;

/// What parts the pieces of a title.
const TITLE_PARTS: [&str; 7] = [" | ", " - ", " – ", " — ", " » ", " · ", ": "];

/// Words of template names that say how a page is built and not what it is.
const BUILDING: [&str; 22] = [
    "main",
    "page",
    "content",
    "container",
    "wrapper",
    "header",
    "footer",
    "sidebar",
    "column",
    "block",
    "box",
    "link",
    "links",
    "text",
    "button",
    "form",
    "icon",
    "pagination",
    "menu",
    "widget",
    "section",
    "table",
];

/// For each type: each mark and the share of the type's pages with it.
pub(super) struct Marks {
    shares: Vec<FxHashMap<String, f64>>,
}

impl Marks {
    /// What pages say about themselves: body classes, declared types, pieces of titles, the words at both ends of headings.
    pub(super) fn declared(site: &Site, members: &[Vec<usize>]) -> Self {
        let terms = Terms::new();
        Self::of(site, members, |url, tree, alone| {
            let language = terms.language(tree);
            // One page does not tell which words of its heading are its own and which are those of its kind.
            let says = |word: &str| !alone && !terms.terms(word, language).is_empty();
            declared(&tree.meta(url), tree, says)
        })
    }

    /// The names that templates gave to elements, for pages that say nothing about themselves.
    pub(super) fn built(site: &Site, members: &[Vec<usize>]) -> Self {
        Self::of(site, members, |_, tree, _| {
            let elements = tree.nodes().filter(|&node| tree.is_element(node));
            elements.flat_map(|node| unsite_wrapper::raw_names(tree, node)).collect()
        })
    }

    fn of(
        site: &Site,
        members: &[Vec<usize>],
        marks: impl Fn(&str, &Tree, bool) -> Vec<String> + Sync,
    ) -> Self {
        let marks_on = |page: usize, alone: bool| {
            let page = &site.pages[page];
            let mut marks = marks(&page.raw.url, &page.tree, alone);
            marks.sort_unstable();
            marks.dedup();
            marks
        };
        let shares = members.iter().map(|pages| {
            let step = pages.len().div_ceil(LOOKED_AT).max(1);
            let looked: Vec<usize> = pages.iter().copied().step_by(step).collect();
            let marks: Vec<Vec<String>> =
                looked.par_iter().map(|&page| marks_on(page, pages.len() == 1)).collect();
            let mut shares: FxHashMap<String, f64> = FxHashMap::default();
            for mark in marks.into_iter().flatten() {
                *shares.entry(mark).or_default() += 1.0 / looked.len() as f64;
            }
            shares
        });
        Marks { shares: shares.collect() }
    }

    /// The marks that most pages of a type and few others have, the surest first.
    fn own(&self, at: usize) -> Vec<(&str, f64)> {
        let others = (self.shares.len().max(2) - 1) as f64;
        let elsewhere = |mark: &str| {
            let all = self.shares.iter().enumerate().filter(|(other, _)| *other != at);
            all.map(|(_, shares)| shares.get(mark).copied().unwrap_or(0.0)).sum::<f64>() / others
        };
        let mut own: Vec<(&str, f64)> = self.shares[at]
            .iter()
            .filter(|(_, share)| **share >= COMMON)
            .map(|(mark, &share)| (mark.as_str(), share, elsewhere(mark)))
            .filter(|&(_, _, elsewhere)| elsewhere <= ELSEWHERE)
            .map(|(mark, share, elsewhere)| (mark, share - elsewhere))
            .collect();
        own.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0)));
        own
    }

    /// The mark that names a type; of marks that are as sure, the whole phrase and not one word of it.
    pub(super) fn name(&self, at: usize) -> Option<String> {
        let name = |mark: &str| slug(mark).filter(|name| name.chars().count() > 2);
        let mut own = self.own(at);
        own.retain(|(mark, _)| !mark.contains('#') && name(mark).is_some());
        let &(best, sure) = own.first()?;
        let phrases = own
            .iter()
            .filter(|(mark, as_sure)| *as_sure >= sure && (mark.starts_with(best) || mark.ends_with(best)));
        name(phrases.map(|(mark, _)| *mark).max_by_key(|mark| mark.len()).unwrap_or(best))
    }

    /// What several marks of a type begin with: `sub_gallery` of `sub_gallery_name`, `sub_gallery_image`.
    pub(super) fn family_name(&self, at: usize) -> Option<String> {
        let mut families: FxHashMap<String, usize> = FxHashMap::default();
        for (mark, _) in self.own(at) {
            let words: Vec<&str> =
                mark.trim_start_matches('#').split(['-', '_']).filter(|word| !word.is_empty()).collect();
            for most in 1..words.len().min(MAX_WORDS) {
                *families.entry(words[..most].join("_")).or_default() += 1;
            }
        }
        let says = |name: &str| {
            let words: Vec<&str> = name.split('_').collect();
            name.chars().all(|c| c.is_alphabetic() || c == '_')
                && words.iter().all(|word| !BUILDING.contains(&word.to_lowercase().as_str()))
                && words.iter().any(|word| word.chars().count() > 3)
        };
        // Most names, then the longest beginning that as many have.
        let best = families
            .into_iter()
            .filter(|(name, count)| *count > 1 && says(name))
            .max_by(|a, b| (a.1, a.0.len()).cmp(&(b.1, b.0.len())).then(b.0.cmp(&a.0)));
        best.and_then(|(name, _)| slug(&name))
    }
}

/// `says` tells whether a word names anything: articles and prepositions do not.
fn declared(meta: &Meta, tree: &Tree, says: impl Fn(&str) -> bool) -> Vec<String> {
    let mut marks: Vec<String> = Vec::new();
    if let Some(body) = tree.elements("body").next() {
        marks.extend(unsite_wrapper::raw_names(tree, body).filter(|name| !name.contains('#')));
    }
    marks.extend(meta.get("og:type").map(str::to_owned));
    let mut pieces = vec![meta.title.as_str()];
    for part in TITLE_PARTS {
        pieces = pieces.into_iter().flat_map(|piece| piece.split(part)).collect();
    }
    let top = meta.headings.iter().find(|heading| heading.level == 1).map(|heading| heading.text.as_str());
    for text in pieces.into_iter().chain(top).map(str::trim) {
        let words: Vec<&str> = text.split_whitespace().collect();
        if (1..=MAX_WORDS).contains(&words.len()) {
            marks.push(text.to_owned());
        }
        // The first and the last word where more stand beside them: data follows `Tag`, or precedes `profile`.
        if let [first, .., last] = words[..] {
            marks.extend([first, last].into_iter().filter(|word| says(word)).map(str::to_owned));
        }
    }
    marks.iter().map(|mark| mark.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect()
}
