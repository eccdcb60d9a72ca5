//! Tables to pages: which pages the site has, and what each of them shows.

use serde_json::json;

use crate::knobs::{Change, Knobs};
use crate::model::{Book, Review, Shop};
use crate::prose::plain;
use crate::rng::Rng;
use crate::urls::{self, Address, ORIGIN};
use crate::view::{
    Ad, AuthorView, Block, BookView, Card, Chrome, Content, Fact, Link, ListView, Page, ReviewView,
};
use crate::words::Lexicon;

/// Books on a grid page: five rows of four.
const GRID_BOOKS: usize = 20;
/// Books that the home page recommends.
const FEATURED_BOOKS: usize = 8;
/// How many pages before and after itself a page of a list leads to.
const PAGER_REACH: usize = 3;
/// Names of the grid pages in URLs.
const GRIDS: [&str; 2] = ["new-arrivals", "bargains"];

/// Makes the pages of one shop.
pub(crate) struct Builder<'a> {
    knobs: &'a Knobs,
    shop: &'a Shop,
    lexicon: &'static Lexicon,
    /// Books of each author.
    works: Vec<Vec<usize>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(knobs: &'a Knobs, shop: &'a Shop) -> Self {
        let mut works = vec![Vec::new(); shop.authors.len()];
        for (index, book) in shop.books.iter().enumerate() {
            book.authors.iter().for_each(|&author| works[author].push(index));
        }
        Builder { knobs, shop, lexicon: knobs.language.lexicon(), works }
    }

    /// What stands around every page.
    pub(crate) fn chrome(&self) -> Chrome {
        let labels = &self.lexicon.labels;
        let link = |text: &str, at: Address| Link { text: text.to_string(), url: at.url };
        let categories =
            self.shop.categories.iter().map(|c| link(c.name, urls::category(&c.slug, 1))).collect();
        Chrome {
            labels,
            promos: self.lexicon.promos,
            language: self.knobs.language.code(),
            home: link(labels.home, urls::home()),
            categories,
            grids: vec![
                link(labels.new_arrivals, urls::grid(GRIDS[0])),
                link(labels.bargains, urls::grid(GRIDS[1])),
            ],
            help: link(labels.help, urls::grid("help")),
            search_url: format!("{ORIGIN}/search"),
        }
    }

    /// Every page of the site, home first.
    pub(crate) fn pages(&self) -> Vec<Page> {
        let searches = self.searches();
        let mut pages = vec![self.home(&searches)];
        for category in 0..self.shop.categories.len() {
            self.category(category, &mut pages);
        }
        pages.extend(self.grids());
        pages.extend((0..self.shop.books.len()).map(|book| self.book(book)));
        pages.extend((0..self.shop.authors.len()).map(|author| self.author(author)));
        for (number, search) in searches.iter().enumerate() {
            self.search(number, search, &searches, &mut pages);
        }
        pages.push(self.help());
        pages
    }

    /// A page with its sidebar, whose choices depend on the page's own address alone.
    fn page(&self, at: Address, heading: &str, summary: &str, crumbs: Vec<Link>, content: Content) -> Page {
        let mut rng = Rng::new(self.knobs.seed, &format!("sidebar {}", at.path));
        let boxed = rng.between(3, 6);
        let bestsellers =
            rng.sample(self.shop.books.len(), boxed).into_iter().map(|b| self.card(b, false)).collect();
        let ads = (0..4).map(|_| self.ad(&mut rng)).collect();
        let blocks = self.blocks(&mut rng);
        let (heading, summary) = (heading.to_string(), summary.to_string());
        let Address { url, path } = at;
        Page { url, path, heading, summary, crumbs, content, bestsellers, ads, blocks, json_ld: None }
    }

    fn ad(&self, rng: &mut Rng) -> Ad {
        let id = rng.between(1000, 9999);
        let (head, body) = rng.pick_from(self.lexicon.ads).copied().unwrap_or_default();
        Ad { head, body, id }
    }

    fn blocks(&self, rng: &mut Rng) -> Vec<Block> {
        let mut blocks = vec![Block::Facts, Block::Description, Block::Reviews, Block::Related];
        if self.knobs.changes(Change::ReorderBlocks) {
            blocks = vec![Block::Description, Block::Related, Block::Facts, Block::Reviews];
        }
        if rng.chance(self.knobs.noise / 2.0) {
            blocks.swap(0, 1);
        }
        if rng.chance(self.knobs.noise) {
            let at = rng.below(blocks.len());
            blocks.insert(at, Block::Advertisement);
        }
        blocks
    }

    fn crumbs(&self) -> Vec<Link> {
        vec![Link { text: self.lexicon.labels.home.to_string(), url: urls::home().url }]
    }

    fn home(&self, searches: &[Search]) -> Page {
        let labels = &self.lexicon.labels;
        let mut rng = Rng::new(self.knobs.seed, "featured");
        let featured = rng.sample(self.shop.books.len(), FEATURED_BOOKS);
        let cards = featured.into_iter().map(|b| self.card(b, true)).collect();
        let content = Content::Home { cards, searches: links(searches) };
        self.page(urls::home(), labels.shop, labels.welcome, Vec::new(), content)
    }

    fn category(&self, index: usize, pages: &mut Vec<Page>) {
        let category = &self.shop.categories[index];
        let books = self.shop.books_in(index);
        let at = |page| urls::category(&category.slug, page);
        for list in self.lists(&books, Some(category.blurb), None, at) {
            let address = at(list.page);
            pages.push(self.page(
                address,
                category.name,
                category.blurb,
                self.crumbs(),
                Content::Category(list),
            ));
        }
    }

    /// The pages of a list; none when there are no books.
    fn lists(
        &self,
        books: &[usize],
        intro: Option<&str>,
        query: Option<&str>,
        at: impl Fn(usize) -> Address,
    ) -> Vec<ListView> {
        let chunks: Vec<&[usize]> = books.chunks(self.knobs.page_size).collect();
        let last = chunks.len();
        // A window keeps a list of n pages from having n * n links.
        let near = |page: usize| {
            (page.saturating_sub(PAGER_REACH)..=page + PAGER_REACH).filter(move |n| *n > 1 && *n < last)
        };
        let leads_to = |page: usize| -> Vec<usize> {
            let mut numbers: Vec<usize> = [1].into_iter().chain(near(page)).chain([last]).collect();
            numbers.dedup();
            numbers
        };
        let view = |(index, chunk): (usize, &&[usize])| ListView {
            intro: intro.map(str::to_string),
            query: query.map(str::to_string),
            total: books.len(),
            cards: chunk.iter().map(|&b| self.card(b, true)).collect(),
            page: index + 1,
            last,
            pages: leads_to(index + 1).into_iter().map(|n| (n, at(n).url)).collect(),
        };
        chunks.iter().enumerate().map(view).collect()
    }

    fn grids(&self) -> Vec<Page> {
        let labels = &self.lexicon.labels;
        let books = &self.shop.books;
        let mut rng = Rng::new(self.knobs.seed, "grids");
        let newest = rng.sample(books.len(), GRID_BOOKS);
        let cheap: Vec<usize> =
            (0..books.len()).filter(|&b| books[b].old_price.is_some()).take(GRID_BOOKS).collect();
        [(labels.new_arrivals, newest), (labels.bargains, cheap)]
            .into_iter()
            .zip(GRIDS)
            .map(|((heading, chosen), name)| {
                let cards = chosen.into_iter().map(|b| self.card(b, false)).collect();
                self.page(urls::grid(name), heading, labels.tagline, self.crumbs(), Content::Grid(cards))
            })
            .collect()
    }

    fn help(&self) -> Page {
        let labels = &self.lexicon.labels;
        let content = Content::Help(self.lexicon.faq.to_vec());
        self.page(urls::grid("help"), labels.help, labels.tagline, self.crumbs(), content)
    }

    fn book(&self, index: usize) -> Page {
        let book = &self.shop.books[index];
        let category = &self.shop.categories[book.category];
        let shelf = Link { text: category.name.to_string(), url: urls::category(&category.slug, 1).url };
        let view = BookView {
            title: book.title.clone(),
            cover: urls::cover(&book.slug),
            subtitle: book.subtitle.map(str::to_string),
            series: book.series.map(str::to_string),
            authors: book.authors.iter().map(|&a| self.author_link(a)).collect(),
            category: shelf.clone(),
            price: self.knobs.language.price(book.price),
            old_price: book.old_price.map(|cents| self.knobs.language.price(cents)),
            stock: book.stock.to_string(),
            facts: self.facts(book),
            description: book.description.clone(),
            reviews: book.reviews.iter().map(|r| self.review(r)).collect(),
            related: book.related.iter().map(|&b| self.card(b, false)).collect(),
        };
        let mut crumbs = self.crumbs();
        crumbs.push(shelf);
        let json_ld = self.knobs.json_ld.then(|| self.json_ld(book, &view));
        let summary = plain(&book.description[..book.description.len().min(1)]);
        let at = urls::book(&book.slug);
        let mut page = self.page(at, &book.title, &summary, crumbs, Content::Book(Box::new(view)));
        page.json_ld = json_ld;
        page
    }

    fn author(&self, index: usize) -> Page {
        let author = &self.shop.authors[index];
        let (labels, language) = (&self.lexicon.labels, self.knobs.language);
        let mut facts = Vec::new();
        let mut fact = |key, label, value: Option<String>, iso| {
            facts.extend(value.map(|value| Fact { key, label, value, iso }));
        };
        fact("born", labels.born, author.born.map(|d| language.date(d)), author.born.map(|d| d.iso()));
        fact("birthplace", labels.birthplace, author.birthplace.map(str::to_string), None);
        let view = AuthorView {
            name: author.name.clone(),
            portrait: urls::portrait(&author.slug),
            facts,
            bio: author.bio.clone(),
            books: self.works[index].iter().map(|&b| self.card(b, false)).collect(),
        };
        let summary = plain(&author.bio);
        self.page(urls::author(&author.slug), &author.name, &summary, self.crumbs(), Content::Author(view))
    }

    fn author_link(&self, index: usize) -> Link {
        let author = &self.shop.authors[index];
        Link { text: author.name.clone(), url: urls::author(&author.slug).url }
    }

    fn facts(&self, book: &Book) -> Vec<Fact> {
        let (labels, language) = (&self.lexicon.labels, self.knobs.language);
        let mut facts = Vec::new();
        let mut fact = |key, label, value: Option<String>, iso| {
            facts.extend(value.map(|value| Fact { key, label, value, iso }));
        };
        fact("isbn", labels.isbn, Some(book.isbn.clone()), None);
        fact("publisher", labels.publisher, book.publisher.map(str::to_string), None);
        let iso = book.published.map(|d| d.iso());
        fact("published", labels.published, book.published.map(|d| language.date(d)), iso);
        fact("pages", labels.pages, book.pages.map(|n| language.page_count(n)), None);
        fact("language", labels.language, book.language.map(str::to_string), None);
        fact("binding", labels.binding, book.binding.map(str::to_string), None);
        fact("weight", labels.weight, book.weight.map(|g| language.weight(g)), None);
        fact("dimensions", labels.dimensions, book.dimensions.map(|(w, h)| format!("{w} × {h} mm")), None);
        facts
    }

    fn review(&self, review: &Review) -> ReviewView {
        ReviewView {
            reviewer: review.reviewer.clone(),
            rating: self.knobs.language.stars(review.stars),
            stars: review.stars,
            date: self.knobs.language.date(review.date),
            iso: review.date.iso(),
            text: review.text.clone(),
        }
    }

    fn card(&self, index: usize, with_blurb: bool) -> Card {
        let book = &self.shop.books[index];
        let names: Vec<&str> = book.authors.iter().map(|&a| self.shop.authors[a].name.as_str()).collect();
        let blurb = || plain(&book.description[..book.description.len().min(1)]);
        Card {
            title: book.title.clone(),
            url: urls::book(&book.slug).url,
            cover: urls::cover(&book.slug),
            authors: self.knobs.language.names(&names),
            price: self.knobs.language.price(book.price),
            old_price: book.old_price.map(|cents| self.knobs.language.price(cents)),
            blurb: with_blurb.then(blurb),
        }
    }

    fn json_ld(&self, book: &Book, view: &BookView) -> String {
        let authors: Vec<_> =
            view.authors.iter().map(|a| json!({"@type": "Person", "name": a.text})).collect();
        let currency = match self.knobs.language.code() {
            "de" => "EUR",
            "zh" => "CNY",
            _ => "GBP",
        };
        let amount = format!("{}.{:02}", book.price / 100, book.price % 100);
        let data = json!({
            "@context": "https://schema.org",
            "@type": "Book",
            "name": view.title,
            "author": authors,
            "isbn": book.isbn,
            "image": view.cover,
            "offers": {"@type": "Offer", "price": amount, "priceCurrency": currency},
        });
        // A title could otherwise close the script element.
        data.to_string().replace("</", "<\\/")
    }
}

/// One question put to the shop, and what it found.
struct Search {
    query: String,
    url: String,
    hits: Vec<usize>,
}

fn links(searches: &[Search]) -> Vec<Link> {
    searches.iter().map(|s| Link { text: s.query.clone(), url: s.url.clone() }).collect()
}

impl Builder<'_> {
    /// The searches with most hits, then those that find nothing.
    fn searches(&self) -> Vec<Search> {
        let titles: Vec<String> = self.shop.books.iter().map(|b| b.title.to_lowercase()).collect();
        let hits = |word: &str| -> Vec<usize> {
            let word = word.to_lowercase();
            (0..titles.len()).filter(|&b| titles[b].contains(&word)).collect()
        };
        let mut found: Vec<(String, Vec<usize>)> =
            (self.lexicon.search_words)().into_iter().map(|word| (word.to_lowercase(), hits(word))).collect();
        found.retain(|(_, hits)| !hits.is_empty());
        found.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
        found.truncate(self.knobs.queries);
        let nothing = self.lexicon.no_match.iter().map(|word| (word.to_string(), hits(word)));
        found.extend(nothing.filter(|(_, hits)| hits.is_empty()));
        let number = found.into_iter().enumerate();
        number.map(|(n, (query, hits))| Search { url: urls::search(&query, n, 1).url, query, hits }).collect()
    }

    fn search(&self, number: usize, search: &Search, all: &[Search], pages: &mut Vec<Page>) {
        let labels = &self.lexicon.labels;
        let at = |page| urls::search(&search.query, number, page);
        if search.hits.is_empty() {
            let useful: Vec<Link> =
                links(all).into_iter().zip(all).filter(|(_, s)| !s.hits.is_empty()).map(|(l, _)| l).collect();
            let mut rng = Rng::new(self.knobs.seed, &search.query);
            let chosen = rng.sample(useful.len(), 4);
            let suggestions = chosen.into_iter().map(|i| useful[i].clone()).collect();
            let content = Content::NoMatch { query: search.query.clone(), suggestions };
            let heading = labels.nothing_found(&search.query);
            pages.push(self.page(at(1), &heading, labels.tagline, self.crumbs(), content));
        }
        let heading = labels.results_for(&search.query);
        for list in self.lists(&search.hits, None, Some(&search.query), at) {
            let address = at(list.page);
            pages.push(self.page(address, &heading, labels.tagline, self.crumbs(), Content::Search(list)));
        }
    }
}
