//! What a perfect reader would find: the labels of every page, and the tables behind all of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::knobs::Knobs;
use crate::prose::plain;
use crate::view::{BookView, Card, Content, Fact, Page};

/// The labels of one page. A value is the text exactly as it stands on the page with white space collapsed,
/// or the absolute URL of a link or image.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoldPage {
    /// The page's file in the gold site, `pages/NNNNN.html`.
    pub file: String,
    /// The page's address.
    pub url: String,
    /// Which template made the page: `home`, `category`, `grid`, `book`, `author`, `search`, `search_none`
    /// or `help`.
    pub page_type: String,
    /// `index`, `article`, `search` or `other`.
    pub role: String,
    /// Values of the page's own record by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, Vec<String>>,
    /// Values by the label that the page prints beside them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub open_fields: BTreeMap<String, Vec<String>>,
    /// Rows of the page's main list in page order: books of a list, reviews of a book, questions of the help page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<BTreeMap<String, String>>,
    /// What was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Records in the whole list, on all its pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}

/// One of the tables the site was made from, in the form its pages show. `None` is a missing value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldTable {
    /// Name of the table.
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Option<String>>>,
}

/// Labels of the page that becomes file number `index`.
pub(crate) fn label(index: usize, page: &Page) -> GoldPage {
    let mut gold = GoldPage { file: file_name(index), url: page.url.clone(), ..GoldPage::default() };
    let (page_type, role) = kind(&page.content);
    (gold.page_type, gold.role) = (page_type.to_string(), role.to_string());
    match &page.content {
        Content::Home { cards, .. } | Content::Grid(cards) => {
            gold.records = cards.iter().map(record).collect()
        }
        Content::Category(list) | Content::Search(list) => {
            gold.records = list.cards.iter().map(record).collect();
            gold.total = Some(list.total);
            gold.query.clone_from(&list.query);
            if list.query.is_none() {
                put(&mut gold.fields, "category", page.heading.clone());
            }
        }
        Content::NoMatch { query, .. } => {
            gold.query = Some(query.clone());
            gold.total = Some(0);
        }
        Content::Book(book) => label_book(book, &mut gold),
        Content::Author(author) => {
            put(&mut gold.fields, "name", author.name.clone());
            put(&mut gold.fields, "portrait", author.portrait.clone());
            put(&mut gold.fields, "bio", plain(&author.bio));
            put_facts(&author.facts, &mut gold);
            gold.records = author.books.iter().map(record).collect();
        }
        Content::Help(questions) => {
            let row = |(q, a): &(&str, &str)| pairs([("question", *q), ("answer", *a)]);
            gold.records = questions.iter().map(row).collect();
        }
    }
    gold
}

fn label_book(book: &BookView, gold: &mut GoldPage) {
    let fields = &mut gold.fields;
    put(fields, "title", book.title.clone());
    put(fields, "cover", book.cover.clone());
    put(fields, "category", book.category.text.clone());
    put(fields, "price", book.price.clone());
    put(fields, "stock", book.stock.clone());
    put(fields, "description", plain(&book.description));
    for (name, value) in
        [("subtitle", &book.subtitle), ("series", &book.series), ("old_price", &book.old_price)]
    {
        if let Some(value) = value {
            put(fields, name, value.clone());
        }
    }
    for author in &book.authors {
        put(fields, "author", author.text.clone());
        put(fields, "author_url", author.url.clone());
    }
    for card in &book.related {
        put(fields, "related", card.title.clone());
    }
    put_facts(&book.facts, gold);
    for review in &book.reviews {
        gold.records.push(pairs([
            ("reviewer", &review.reviewer),
            ("rating", &review.rating),
            ("date", &review.date),
            ("text", &review.text),
        ]));
    }
}

/// Type and role of a page.
pub(crate) fn kind(content: &Content) -> (&'static str, &'static str) {
    match content {
        Content::Home { .. } => ("home", "index"),
        Content::Category(_) => ("category", "index"),
        Content::Grid(_) => ("grid", "index"),
        Content::Search(_) => ("search", "search"),
        Content::NoMatch { .. } => ("search_none", "search"),
        Content::Book(_) => ("book", "article"),
        Content::Author(_) => ("author", "article"),
        Content::Help(_) => ("help", "other"),
    }
}

/// The file of page number `index` in a gold site.
pub(crate) fn file_name(index: usize) -> String {
    format!("pages/{index:05}.html")
}

/// `meta.json` of a gold site.
pub(crate) fn meta(knobs: &Knobs, pages: usize) -> String {
    let family = serde_json::to_value(knobs.family).unwrap_or_default();
    let name = format!("sample_{}_{}", family.as_str().unwrap_or_default(), knobs.language.code());
    let meta = json!({
        "name": name,
        "suite": "sample",
        "pages": pages,
        "labels": ["page_type", "role", "fields", "open_fields", "records", "query"],
        "source": "generated by unsite-sample; gold is what the templates were given",
        "notes": "",
        "knobs": knobs,
    });
    format!("{meta:#}\n")
}

fn record(card: &Card) -> BTreeMap<String, String> {
    let mut row = pairs([
        ("title", card.title.as_str()),
        ("url", &card.url),
        ("author", &card.authors),
        ("price", &card.price),
    ]);
    row.extend(card.old_price.iter().map(|old| ("old_price".to_string(), old.clone())));
    row.extend(card.blurb.iter().map(|blurb| ("blurb".to_string(), blurb.clone())));
    row
}

fn pairs<const N: usize>(items: [(&str, impl AsRef<str>); N]) -> BTreeMap<String, String> {
    items.into_iter().map(|(name, value)| (name.to_string(), value.as_ref().to_string())).collect()
}

fn put(fields: &mut BTreeMap<String, Vec<String>>, name: &str, value: String) {
    fields.entry(name.to_string()).or_default().push(value);
}

fn put_facts(facts: &[Fact], gold: &mut GoldPage) {
    for fact in facts {
        put(&mut gold.fields, fact.key, fact.value.clone());
        put(&mut gold.open_fields, fact.label, fact.value.clone());
    }
}
