//! What can be turned: size, look, language and dirt of the generated site.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::rng::Rng;
use crate::templates::Family;
use crate::words::Language;

/// Everything a generated site depends on. Values out of range are clamped by [`Knobs::clamped`], which
/// [`Site::generate`](crate::Site::generate) calls first.
///
/// The tables depend on `seed`, `language`, `missing` and the sizes alone: two sites that differ only in
/// `family`, `noise`, `json_ld` or `redesign` show the same records under the same URLs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Knobs {
    /// Where all random choices start from.
    pub seed: u64,
    /// Number of books, 1 to 5,000. Each has a detail page.
    pub books: usize,
    /// Number of authors, 1 to `books` (and at most 1,000). Each has a page and at least one book.
    pub authors: usize,
    /// Number of categories, 1 to 12 (and at most `books`). Each has a list of one page or more.
    pub categories: usize,
    /// Books on one page of a category list or of search results, 2 to 50.
    pub page_size: usize,
    /// Number of searches that find something, 0 to 30; fewer when the titles do not have so many words.
    pub queries: usize,
    /// Which set of templates renders the tables.
    pub family: Family,
    /// Language of labels and text, and its date and number formats.
    pub language: Language,
    /// Probability that an optional value (subtitle, series, most facts, an author's birthday) is absent, 0 to 1.
    pub missing: f64,
    /// Template noise, 0 to 1: probability of an extra element, advertisement or comment at each place that
    /// allows one, of swapped optional blocks, and of irregular white space. 0 keeps only the regular
    /// advertisement slot and the bestseller box, whose content varies from page to page anyway.
    pub noise: f64,
    /// Whether detail pages carry a JSON-LD block.
    pub json_ld: bool,
    /// What a redesign changed against the family's own markup; empty for none.
    pub redesign: BTreeSet<Change>,
}

/// One way in which a redesign changes a family's markup while tables and URLs stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Every class and id gets another name.
    RenameClasses,
    /// Other tags for the same purpose: `section` for `div`, `b` for `span`, `h3` for `h2`, ...
    ChangeTags,
    /// About half of the containers get one more `div` inside, the same ones on all pages.
    NewNesting,
    /// Main blocks stand in another order.
    ReorderBlocks,
    /// Names and prices are split over two elements (`£` and `12.99`).
    SplitFields,
    /// Two facts stand in one text node, as in "Pages: 320 | Language: English".
    MergeFields,
}

impl Change {
    /// All changes.
    pub const ALL: [Change; 6] = [
        Change::RenameClasses,
        Change::ChangeTags,
        Change::NewNesting,
        Change::ReorderBlocks,
        Change::SplitFields,
        Change::MergeFields,
    ];
}

impl Default for Knobs {
    /// The bookshop "Larkspur Books": about 150 pages in English, modern markup with some noise.
    fn default() -> Self {
        Knobs {
            seed: 42,
            books: 90,
            authors: 24,
            categories: 6,
            page_size: 6,
            queries: 8,
            family: Family::Modern,
            language: Language::En,
            missing: 0.25,
            noise: 0.2,
            json_ld: true,
            redesign: BTreeSet::new(),
        }
    }
}

impl Knobs {
    /// A random clean variant for property tests: any family, language and size, values missing in up to
    /// 40 %, but no noise and no redesign, so that a perfect reader could restore every table.
    pub fn random(seed: u64) -> Knobs {
        let mut rng = Rng::new(seed, "knobs");
        let books = rng.between(20, 90);
        Knobs {
            seed: rng.next(),
            books,
            authors: rng.between(4, books / 3 + 2),
            categories: rng.between(2, 7),
            page_size: rng.between(4, 12),
            queries: rng.between(3, 9),
            family: rng.pick_from(&Family::ALL).copied().unwrap_or_default(),
            language: rng.pick_from(&Language::ALL).copied().unwrap_or_default(),
            missing: rng.below(41) as f64 / 100.0,
            noise: 0.0,
            json_ld: rng.chance(0.5),
            redesign: BTreeSet::new(),
        }
        .clamped()
    }

    /// The same knobs with every value moved into its range.
    pub fn clamped(&self) -> Knobs {
        let books = self.books.clamp(1, 5000);
        Knobs {
            books,
            authors: self.authors.clamp(1, books.min(1000)),
            categories: self.categories.clamp(1, books.min(12)),
            page_size: self.page_size.clamp(2, 50),
            queries: self.queries.min(30),
            missing: rate(self.missing),
            noise: rate(self.noise),
            ..self.clone()
        }
    }

    /// True when the redesign has this change.
    pub fn changes(&self, change: Change) -> bool {
        self.redesign.contains(&change)
    }
}

fn rate(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_knobs_are_clamped() {
        let wild = Knobs {
            books: 0,
            authors: 0,
            categories: 99,
            page_size: 0,
            queries: 1000,
            missing: f64::NAN,
            noise: -3.0,
            ..Knobs::default()
        }
        .clamped();
        assert_eq!((wild.books, wild.authors, wild.categories, wild.page_size), (1, 1, 1, 2));
        assert_eq!((wild.queries, wild.missing, wild.noise), (30, 0.0, 0.0));
        assert_eq!(wild, wild.clamped());
    }

    #[test]
    fn the_default_needs_no_clamping() {
        assert_eq!(Knobs::default(), Knobs::default().clamped());
    }

    #[test]
    fn random_knobs_are_clean_and_varied() {
        let drawn: Vec<Knobs> = (0..40).map(Knobs::random).collect();
        assert!(drawn.iter().all(|k| k.noise == 0.0 && k.redesign.is_empty()));
        for family in Family::ALL {
            assert!(drawn.iter().any(|k| k.family == family), "{family:?} never drawn");
        }
        assert_eq!(Knobs::random(3), Knobs::random(3));
    }
}
