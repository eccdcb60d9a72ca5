//! What a page shows, as text: the one thing that templates render and gold is read from.

use crate::prose::Paragraph;
use crate::words::Labels;

/// A text that leads to a page.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) text: String,
    /// Absolute.
    pub(crate) url: String,
}

/// A book where it stands among others.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) cover: String,
    pub(crate) authors: String,
    pub(crate) price: String,
    pub(crate) old_price: Option<String>,
    pub(crate) blurb: Option<String>,
}

/// A name-value pair of a detail page.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    /// Name of the column, the same in all languages.
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) value: String,
    /// Machine-readable form, for dates.
    pub(crate) iso: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct ReviewView {
    pub(crate) reviewer: String,
    pub(crate) rating: String,
    pub(crate) stars: usize,
    pub(crate) date: String,
    pub(crate) iso: String,
    pub(crate) text: String,
}

#[derive(Debug, Clone)]
pub(crate) struct BookView {
    pub(crate) title: String,
    pub(crate) cover: String,
    pub(crate) subtitle: Option<String>,
    pub(crate) series: Option<String>,
    pub(crate) authors: Vec<Link>,
    pub(crate) category: Link,
    pub(crate) price: String,
    pub(crate) old_price: Option<String>,
    pub(crate) stock: String,
    pub(crate) facts: Vec<Fact>,
    pub(crate) description: Vec<Paragraph>,
    pub(crate) reviews: Vec<ReviewView>,
    pub(crate) related: Vec<Card>,
}

#[derive(Debug, Clone)]
pub(crate) struct AuthorView {
    pub(crate) name: String,
    pub(crate) portrait: String,
    pub(crate) facts: Vec<Fact>,
    pub(crate) bio: Vec<Paragraph>,
    pub(crate) books: Vec<Card>,
}

/// One page of a list that may go on.
#[derive(Debug, Clone)]
pub(crate) struct ListView {
    pub(crate) intro: Option<String>,
    pub(crate) query: Option<String>,
    pub(crate) total: usize,
    pub(crate) cards: Vec<Card>,
    pub(crate) page: usize,
    /// Number of pages of the whole list.
    pub(crate) last: usize,
    /// Number and URL of the pages that this one leads to, itself included: its neighbours, the first, the last.
    pub(crate) pages: Vec<(usize, String)>,
}

impl ListView {
    /// The URL of page `number`, when this page leads there.
    pub(crate) fn url_of(&self, number: usize) -> Option<&str> {
        self.pages.iter().find(|(n, _)| *n == number).map(|(_, url)| url.as_str())
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Home { cards: Vec<Card>, searches: Vec<Link> },
    Category(ListView),
    Search(ListView),
    NoMatch { query: String, suggestions: Vec<Link> },
    Grid(Vec<Card>),
    Book(Box<BookView>),
    Author(AuthorView),
    Help(Vec<(&'static str, &'static str)>),
}

/// Main blocks of a detail page after its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    Facts,
    Description,
    Reviews,
    Related,
    Advertisement,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ad {
    pub(crate) head: &'static str,
    pub(crate) body: &'static str,
    pub(crate) id: usize,
}

/// One page, ready for a template.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) url: String,
    /// File name below the folder of a saved site.
    pub(crate) path: String,
    pub(crate) heading: String,
    pub(crate) summary: String,
    /// The way from home to this page, itself excluded.
    pub(crate) crumbs: Vec<Link>,
    pub(crate) content: Content,
    /// The sidebar box.
    pub(crate) bestsellers: Vec<Card>,
    pub(crate) ads: Vec<Ad>,
    /// Order of the main blocks of a detail page.
    pub(crate) blocks: Vec<Block>,
    pub(crate) json_ld: Option<String>,
}

/// What every page of the site shows around its content.
pub(crate) struct Chrome {
    pub(crate) labels: &'static Labels,
    pub(crate) promos: &'static [&'static str],
    pub(crate) language: &'static str,
    pub(crate) home: Link,
    pub(crate) categories: Vec<Link>,
    pub(crate) grids: Vec<Link>,
    pub(crate) help: Link,
    /// Where the search form leads.
    pub(crate) search_url: String,
}
