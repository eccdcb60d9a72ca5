//! The known tables, before any template sees them.

use std::collections::BTreeSet;

use crate::knobs::Knobs;
use crate::prose::{Paragraph, Writer};
use crate::rng::Rng;
use crate::slug::slug;
use crate::words::{Date, Language, Lexicon};

/// Share of books sold below their old price.
const SALE_SHARE: f64 = 0.35;
/// Share of books with a second author.
const SECOND_AUTHOR_SHARE: f64 = 0.2;
/// Most reviews of one book.
const MOST_REVIEWS: usize = 6;
/// Most books in a "related" list.
const MOST_RELATED: usize = 5;

pub(crate) struct Shop {
    pub(crate) categories: Vec<Category>,
    pub(crate) authors: Vec<Author>,
    pub(crate) books: Vec<Book>,
}

pub(crate) struct Category {
    pub(crate) name: &'static str,
    pub(crate) slug: String,
    pub(crate) blurb: &'static str,
}

pub(crate) struct Author {
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) born: Option<Date>,
    pub(crate) birthplace: Option<&'static str>,
    pub(crate) bio: Vec<Paragraph>,
}

pub(crate) struct Book {
    pub(crate) title: String,
    pub(crate) slug: String,
    pub(crate) subtitle: Option<&'static str>,
    pub(crate) series: Option<&'static str>,
    pub(crate) authors: Vec<usize>,
    pub(crate) category: usize,
    pub(crate) price: usize,
    pub(crate) old_price: Option<usize>,
    pub(crate) stock: &'static str,
    pub(crate) isbn: String,
    pub(crate) publisher: Option<&'static str>,
    pub(crate) published: Option<Date>,
    pub(crate) pages: Option<usize>,
    pub(crate) language: Option<&'static str>,
    pub(crate) binding: Option<&'static str>,
    pub(crate) weight: Option<usize>,
    pub(crate) dimensions: Option<(usize, usize)>,
    pub(crate) description: Vec<Paragraph>,
    pub(crate) reviews: Vec<Review>,
    pub(crate) related: Vec<usize>,
}

pub(crate) struct Review {
    pub(crate) reviewer: String,
    pub(crate) stars: usize,
    pub(crate) date: Date,
    pub(crate) text: String,
}

impl Shop {
    /// Draws all tables. `knobs` must be clamped.
    pub(crate) fn generate(knobs: &Knobs) -> Shop {
        let lexicon = knobs.language.lexicon();
        let categories = (0..knobs.categories).map(|index| category(knobs, lexicon, index)).collect();
        let mut taken = Taken::default();
        let authors = (0..knobs.authors).map(|index| author(knobs, lexicon, index, &mut taken)).collect();
        let mut taken = Taken::default();
        let books = (0..knobs.books).map(|index| book(knobs, lexicon, index, &mut taken)).collect();
        Shop { categories, authors, books }
    }

    /// Books of a category, in shelf order.
    pub(crate) fn books_in(&self, category: usize) -> Vec<usize> {
        (0..self.books.len()).filter(|&b| self.books[b].category == category).collect()
    }
}

/// Names and slugs that are already in use.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    slugs: BTreeSet<String>,
}

impl Taken {
    /// A name from `draw` that nobody has yet, numbered when the word lists are exhausted.
    fn name(&mut self, mut draw: impl FnMut() -> String) -> String {
        const TRIES: usize = 60;
        let mut name = draw();
        for _ in 0..TRIES {
            if self.names.insert(name.to_lowercase()) {
                return name;
            }
            name = draw();
        }
        let numbered = (2..).map(|n| format!("{name} {n}")).find(|n| self.names.insert(n.to_lowercase()));
        numbered.unwrap_or(name)
    }

    /// A URL segment for the name; `fallback` when most of the name is not Latin or its slug is taken.
    fn slug(&mut self, name: &str, fallback: String) -> String {
        let wanted = slug(name);
        // Of "港湾 2" only the number would be left.
        let lost = wanted.len() * 2 < name.len();
        let segment =
            if wanted.is_empty() || lost || self.slugs.contains(&wanted) { fallback } else { wanted };
        self.slugs.insert(segment.clone());
        segment
    }
}

fn category(knobs: &Knobs, lexicon: &'static Lexicon, index: usize) -> Category {
    let name = lexicon.categories.get(index).copied().unwrap_or_default();
    let mut taken = Taken::default();
    let mut rng = Rng::new(knobs.seed, &format!("category {index}"));
    Category {
        name,
        slug: taken.slug(name, format!("c{index:02}")),
        blurb: rng.word(lexicon.category_blurbs),
    }
}

fn author(knobs: &Knobs, lexicon: &'static Lexicon, index: usize, taken: &mut Taken) -> Author {
    let mut rng = Rng::new(knobs.seed, &format!("author {index}"));
    let name = taken.name(|| (lexicon.full_name)(rng.word(lexicon.given), rng.word(lexicon.family)));
    let slug = taken.slug(&name, format!("a{index:04}"));
    let born = date(&mut rng, 1935, 1994);
    let birthplace = rng.word(lexicon.places);
    let paragraphs = rng.between(1, 2);
    let bio = Writer::new(knobs.language, &mut rng, &name).text(lexicon.bio, paragraphs);
    Author {
        born: keep(&mut rng, knobs, born),
        birthplace: keep(&mut rng, knobs, birthplace),
        bio,
        name,
        slug,
    }
}

fn book(knobs: &Knobs, lexicon: &'static Lexicon, index: usize, taken: &mut Taken) -> Book {
    let mut rng = Rng::new(knobs.seed, &format!("book {index}"));
    let words = (lexicon.search_words)();
    let title = taken.name(|| {
        let drawn = (lexicon.title)(&mut rng);
        // A noun drawn twice ("The Mirror's Mirror") is drawn once more; chance decides the rest.
        if words.iter().any(|word| drawn.matches(word).count() > 1) {
            (lexicon.title)(&mut rng)
        } else {
            drawn
        }
    });
    let slug = taken.slug(&title, format!("b{index:04}"));
    let (low, high) = knobs.language.price_range();
    let price = round_price(rng.between(low, high));
    let old_price = rng.chance(SALE_SHARE).then(|| round_price(price * rng.between(115, 180) / 100));
    let paragraphs = rng.between(2, 4);
    let description = Writer::new(knobs.language, &mut rng, "").text(lexicon.story, paragraphs);
    let reviews =
        (0..rng.below(MOST_REVIEWS + 1)).map(|_| review(knobs.language, lexicon, &mut rng)).collect();
    let publisher = rng.word(lexicon.publishers);
    let published = date(&mut rng, 1988, 2025);
    let pages = rng.between(64, 980);
    let (width, height) = (rng.between(105, 210), rng.between(178, 297));
    // The first books go round, so that no author and no category is left empty.
    let first = if index < knobs.authors { index } else { rng.below(knobs.authors) };
    let mut authors = vec![first];
    let second = rng.below(knobs.authors);
    if rng.chance(SECOND_AUTHOR_SHARE) && second != first {
        authors.push(second);
    }
    let category = if index < knobs.categories { index } else { rng.below(knobs.categories) };
    let wanted = rng.below(MOST_RELATED + 1);
    let mut related = rng.sample(knobs.books, wanted);
    related.retain(|&other| other != index);
    let (subtitle, series) = (rng.word(lexicon.subtitles), rng.word(lexicon.series));
    let (language, binding) = (rng.word(lexicon.languages), rng.word(lexicon.bindings));
    let weight = pages * 6 / 10 + rng.between(50, 200);
    Book {
        title,
        slug,
        subtitle: keep(&mut rng, knobs, subtitle),
        series: keep(&mut rng, knobs, series),
        authors,
        category,
        price,
        old_price,
        stock: rng.word(lexicon.stock),
        isbn: isbn(&mut rng),
        publisher: keep(&mut rng, knobs, publisher),
        published: keep(&mut rng, knobs, published),
        pages: keep(&mut rng, knobs, pages),
        language: keep(&mut rng, knobs, language),
        binding: keep(&mut rng, knobs, binding),
        weight: keep(&mut rng, knobs, weight),
        dimensions: keep(&mut rng, knobs, (width, height)),
        description,
        reviews,
        related,
    }
}

fn review(language: Language, lexicon: &'static Lexicon, rng: &mut Rng) -> Review {
    let (given, family) = (rng.word(lexicon.given), rng.word(lexicon.family));
    let initial: String = family.chars().take(1).collect();
    let reviewer = match language {
        Language::Zh => (lexicon.full_name)(given, family),
        _ if rng.chance(0.5) => format!("{given} {initial}."),
        _ => (lexicon.full_name)(given, family),
    };
    let text = Writer::new(language, rng, "").line(lexicon.opinions);
    Review { reviewer, stars: rng.between(1, 5), date: date(rng, 2019, 2025), text }
}

/// The value, or nothing at the missing-value rate.
fn keep<T>(rng: &mut Rng, knobs: &Knobs, value: T) -> Option<T> {
    (!rng.chance(knobs.missing)).then_some(value)
}

fn date(rng: &mut Rng, first: usize, last: usize) -> Date {
    Date { year: rng.between(first, last), month: rng.between(1, 12), day: rng.between(1, 28) }
}

fn round_price(cents: usize) -> usize {
    cents / 50 * 50 + 49
}

/// Thirteen digits with a valid check digit: weights 1 and 3 in turn, the sum a multiple of ten.
fn isbn(rng: &mut Rng) -> String {
    let mut digits = vec![9, 7, 8];
    digits.extend((0..9).map(|_| rng.below(10)));
    let sum: usize = digits.iter().enumerate().map(|(i, d)| d * if i % 2 == 0 { 1 } else { 3 }).sum();
    digits.push((10 - sum % 10) % 10);
    digits.iter().map(|d| char::from(b'0' + *d as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop(change: impl Fn(&mut Knobs)) -> Shop {
        let mut knobs = Knobs::default();
        change(&mut knobs);
        Shop::generate(&knobs.clamped())
    }

    #[test]
    fn titles_and_slugs_are_unique_even_when_words_run_out() {
        for language in Language::ALL {
            let shop = shop(|k| (k.books, k.language) = (4000, language));
            let titles: BTreeSet<_> = shop.books.iter().map(|b| b.title.to_lowercase()).collect();
            let slugs: BTreeSet<_> = shop.books.iter().map(|b| b.slug.as_str()).collect();
            assert_eq!((titles.len(), slugs.len()), (4000, 4000));
        }
    }

    #[test]
    fn every_author_and_category_has_a_book() {
        let shop = shop(|k| (k.books, k.authors, k.categories) = (12, 12, 12));
        for index in 0..12 {
            assert!(shop.books.iter().any(|b| b.authors.contains(&index)));
            assert!(!shop.books_in(index).is_empty());
        }
    }

    #[test]
    fn the_missing_rate_is_respected() {
        for rate in [0.0, 0.3, 1.0] {
            let shop = shop(|k| (k.books, k.missing) = (600, rate));
            let absent = shop.books.iter().filter(|b| b.pages.is_none()).count() as f64 / 600.0;
            assert!((absent - rate).abs() < 0.06, "{rate}: {absent}");
        }
    }

    #[test]
    fn isbns_have_a_valid_check_digit() {
        let mut rng = Rng::new(5, "isbn");
        for _ in 0..50 {
            let isbn = isbn(&mut rng);
            let sum: usize =
                isbn.bytes().enumerate().map(|(i, d)| usize::from(d - b'0') * [1, 3][i % 2]).sum();
            assert_eq!((isbn.len(), sum % 10), (13, 0));
        }
    }

    #[test]
    fn old_prices_are_higher() {
        let shop = shop(|k| k.books = 500);
        assert!(shop.books.iter().any(|b| b.old_price.is_some()));
        assert!(shop.books.iter().all(|b| b.old_price.is_none_or(|old| old > b.price)));
    }
}
