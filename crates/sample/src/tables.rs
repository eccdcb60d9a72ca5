//! The known tables in the form that the pages show them.

use crate::gold::GoldTable;
use crate::prose::plain;
use crate::view::{BookView, Content, Fact, Page};

const BOOK_FACTS: [&str; 8] =
    ["isbn", "publisher", "published", "pages", "language", "binding", "weight", "dimensions"];
const AUTHOR_FACTS: [&str; 2] = ["born", "birthplace"];

/// `categories`, `authors`, `books`, `book_authors`, `reviews`, `related`: keys are URLs.
pub(crate) fn tables(pages: &[Page]) -> Vec<GoldTable> {
    let mut categories = table("categories", &["url", "name", "blurb"], &[]);
    let mut authors = table("authors", &["url", "name", "portrait", "bio"], &AUTHOR_FACTS);
    let own = [
        "url",
        "title",
        "subtitle",
        "series",
        "category_url",
        "price",
        "old_price",
        "stock",
        "cover",
        "description",
    ];
    let mut books = table("books", &own, &BOOK_FACTS);
    let mut book_authors = table("book_authors", &["book_url", "author_url"], &[]);
    let mut reviews = table("reviews", &["book_url", "position", "reviewer", "rating", "date", "text"], &[]);
    let mut related = table("related", &["book_url", "related_url"], &[]);
    for page in pages {
        let url = page.url.as_str();
        match &page.content {
            Content::Category(list) if list.page == 1 => {
                categories.rows.push(vec![some(url), some(&page.heading), list.intro.clone()]);
            }
            Content::Author(author) => {
                let mut row =
                    vec![some(url), some(&author.name), some(&author.portrait), Some(plain(&author.bio))];
                row.extend(facts(&author.facts, &AUTHOR_FACTS));
                authors.rows.push(row);
            }
            Content::Book(book) => {
                books.rows.push(book_row(url, book));
                book_authors.rows.extend(book.authors.iter().map(|a| vec![some(url), some(&a.url)]));
                related.rows.extend(book.related.iter().map(|r| vec![some(url), some(&r.url)]));
                for (position, review) in book.reviews.iter().enumerate() {
                    let cells = [&review.reviewer, &review.rating, &review.date, &review.text];
                    let mut row = vec![some(url), Some((position + 1).to_string())];
                    row.extend(cells.map(|cell| some(cell)));
                    reviews.rows.push(row);
                }
            }
            _ => {}
        }
    }
    vec![categories, authors, books, book_authors, reviews, related]
}

fn book_row(url: &str, book: &BookView) -> Vec<Option<String>> {
    let mut row = vec![
        some(url),
        some(&book.title),
        book.subtitle.clone(),
        book.series.clone(),
        some(&book.category.url),
        some(&book.price),
        book.old_price.clone(),
        some(&book.stock),
        some(&book.cover),
        Some(plain(&book.description)),
    ];
    row.extend(facts(&book.facts, &BOOK_FACTS));
    row
}

fn table(name: &str, columns: &[&str], more: &[&str]) -> GoldTable {
    let columns = columns.iter().chain(more).map(|c| c.to_string()).collect();
    GoldTable { name: name.to_string(), columns, rows: Vec::new() }
}

fn facts(facts: &[Fact], keys: &[&str]) -> Vec<Option<String>> {
    keys.iter().map(|key| facts.iter().find(|f| f.key == *key).map(|f| f.value.clone())).collect()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_string())
}
