//! Which beginnings of texts come and go together.
//!
//! # What it does
//! Weighs the first words of every text outside links by how many others come and go with them over the site, as
//! [`super::blocks`] weighs paths, and takes the weighted share of common ones. What a template writes before its data (`Price:`,
//! `Founded`, `Posts by`) comes in company; a name or a value comes alone.
//! # Assumes
//! A type has several texts of its own.
//! # When it fails
//! Sections that repeat their own words in several places; templates without words.
//! # Paper
//! Ours; of one family with Gazen's template expert, which counts every common run alike.

use super::page_view::{hash, mix};
use super::{Expert, Feature, Features, PageView, Weights, blocks};

pub(super) const EXPERT: Expert = Expert {
    name: "labels",
    about: "first words of texts that come and go together with others: what a type writes before its data",
    read,
    weigh: blocks::weigh,
    weight: |weights, text| weights.of.get(&text.key).copied(),
    score,
};

/// How many words may begin a text before its data: `Tag:`, `Posts written by`.
const MOST_WORDS: usize = 3;

/// Beginnings kept of a page: the smallest hashes, the same ones on every page.
const MAX_BEGINNINGS: usize = 1500;

/// The first words of every text outside links, which are names of things.
fn read(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let mut link_end = 0;
    let mut linked = vec![false; tree.len()];
    for node in tree.nodes() {
        if tree.name(node) == "a" {
            link_end = link_end.max(tree.end(node).0);
        }
        linked[node.index()] = node.0 < link_end;
    }
    let mut beginnings = Vec::new();
    for (_, text) in page.texts.iter().filter(|(node, _)| !linked[node.index()]) {
        let mut beginning = 0;
        for word in text.split_whitespace().map(letters).filter(|word| !word.is_empty()).take(MOST_WORDS) {
            let shorter = beginning;
            beginning = mix(shorter, hash(&[&word]));
            beginnings.push(Feature::new(beginning, 1.0).below(shorter));
        }
    }
    Features::new(beginnings).sketched(MAX_BEGINNINGS)
}

/// A word by its letters: numbers and marks are the data's.
fn letters(word: &str) -> String {
    word.chars().filter(|c| c.is_alphabetic()).collect()
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.jaccard(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, Tree};
    use unsite_wrapper::ClassMap;

    fn features(html: &str) -> Features {
        let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
        read(&PageView::new("http://a.test/", &tree, &ClassMap::default(), &[]))
    }

    /// Players and clubs of one wiki: the same markup, other labels, many names.
    fn page(at: usize) -> Features {
        let labels = [["Club", "Born", "Position"], ["Town", "Founded", "Ground"]][at % 2];
        let row = |label: &str| format!("<tr><th>{label}</th><td>{label}{}</td></tr>", "x".repeat(at));
        let name = "n".repeat(at);
        features(&format!("<h1>{name}</h1><table>{}</table>", labels.map(row).concat()))
    }

    #[test]
    fn labels_of_one_kind_come_in_company() {
        let mut pages: Vec<Features> = (1..41).map(page).collect();
        let weights = blocks::weigh(&pages.iter().collect::<Vec<_>>());
        pages.iter_mut().for_each(|page| page.settle(|text| (EXPERT.weight)(&weights, text)));
        assert_eq!(score(&weights, &pages[0], &pages[2]), Some(1.0));
        assert_eq!(score(&weights, &pages[0], &pages[1]), Some(0.0));
    }

    #[test]
    fn links_are_names() {
        assert!(features("<p><a href=/x>Opinion</a></p>").is_empty());
        assert_eq!(features("<p>Tag: sea</p>").iter().count(), 2);
    }
}
