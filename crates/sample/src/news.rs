//! A small news site: articles with author, date, section and picture, and the lists that lead to them.

use crate::prose::{Writer, plain};
use crate::rng::Rng;
use crate::site::SamplePage;
use crate::slug::slug;
use crate::words::{Date, Language};

/// Where the news site stands.
const ORIGIN: &str = "https://gazette.example";

/// Sections of the site.
const SECTIONS: usize = 4;

/// Articles on one page of a list.
const PAGE_SIZE: usize = 8;

/// One article as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewsArticle {
    /// Its address.
    pub url: String,
    /// Its heading.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When, as ISO 8601.
    pub date: String,
    /// The name of its section.
    pub section: String,
    /// Its text, one paragraph after the other.
    pub paragraphs: Vec<String>,
    /// The address of its picture.
    pub image: String,
    /// The list pages that link to it.
    pub lists: Vec<String>,
}

/// A generated news site: its pages, and what they were made from.
///
/// The same numbers always give the same bytes.
pub fn news_site(language: Language, articles: usize, seed: u64) -> (Vec<SamplePage>, Vec<NewsArticle>) {
    let mut known: Vec<NewsArticle> = (0..articles).map(|at| article(language, at, seed)).collect();
    let mut pages = Vec::new();
    let all: Vec<usize> = (0..articles).collect();
    list(language, "latest", &all, &mut known, &mut pages);
    for section in language.lexicon().categories.iter().take(SECTIONS) {
        let inside: Vec<usize> = all.iter().copied().filter(|&at| known[at].section == *section).collect();
        let name = format!("section/{}", slug_of(section));
        list(language, &name, &inside, &mut known, &mut pages);
    }
    for at in 0..articles {
        pages.push(article_page(language, &known, at));
    }
    (pages, known)
}

fn article(language: Language, at: usize, seed: u64) -> NewsArticle {
    let lexicon = language.lexicon();
    let mut rng = Rng::new(seed, &format!("news {at}"));
    let title = (lexicon.title)(&mut rng);
    let author = (lexicon.full_name)(rng.word(lexicon.given), rng.word(lexicon.family));
    let date = Date { year: 2024 + rng.below(3), month: 1 + rng.below(12), day: 1 + rng.below(28) };
    let section = lexicon.categories[rng.below(SECTIONS.min(lexicon.categories.len()))].to_owned();
    let count = rng.between(3, 6);
    let name = author.clone();
    let text = Writer::new(language, &mut rng, &name).text(lexicon.story, count);
    let paragraphs = text.iter().map(|paragraph| plain(std::slice::from_ref(paragraph))).collect();
    NewsArticle {
        url: format!("{ORIGIN}/{}/{:02}/{}-{at}/", date.year, date.month, slug_of(&title)),
        title: format!("{title} {at}"),
        author,
        date: date.iso(),
        section,
        paragraphs,
        image: format!("{ORIGIN}/pictures/{at}.jpg"),
        lists: Vec::new(),
    }
}

/// The pages of one list; each notes the articles that it leads to.
fn list(
    language: Language,
    name: &str,
    articles: &[usize],
    known: &mut [NewsArticle],
    pages: &mut Vec<SamplePage>,
) {
    let count = articles.len().div_ceil(PAGE_SIZE).max(1);
    let address = |number: usize| match number {
        1 => format!("{ORIGIN}/{name}/"),
        _ => format!("{ORIGIN}/{name}/page/{number}/"),
    };
    for (number, here) in (1..).zip(articles.chunks(PAGE_SIZE)) {
        let mut items = String::new();
        for &at in here {
            let article = &mut known[at];
            article.lists.push(address(number));
            let teaser: String = article.paragraphs[0].chars().take(90).collect();
            items += &format!(
                "<article class=\"teaser\"><h2><a href=\"{}\">{}</a></h2><time datetime=\"{}\">{}</time><p>{teaser}</p></article>\n",
                article.url, article.title, article.date, article.date
            );
        }
        let numbers: String = (1..=count)
            .map(|page| format!("<a class=\"page\" href=\"{}\">{page}</a> ", address(page)))
            .collect();
        let body = format!("<main class=\"list\">{items}<nav class=\"pages\">{numbers}</nav></main>");
        pages.push(page(language, &address(number), name, &body));
    }
}

fn article_page(language: Language, known: &[NewsArticle], at: usize) -> SamplePage {
    let article = &known[at];
    let text: String = article.paragraphs.iter().map(|paragraph| format!("<p>{paragraph}</p>\n")).collect();
    let next = &known[(at + 1) % known.len()];
    let body = format!(
        "<main class=\"story\"><header><p class=\"section\"><a href=\"{ORIGIN}/section/{}/\">{}</a></p><h1>{}</h1>\
         <p class=\"byline\"><span class=\"author\">{}</span> <time datetime=\"{}\">{}</time></p></header>\
         <figure><img class=\"lead\" src=\"{}\" alt=\"\"></figure><div class=\"body\">{text}</div>\
         <footer><a class=\"next\" href=\"{}\">{}</a></footer></main>",
        slug_of(&article.section),
        article.section,
        article.title,
        article.author,
        article.date,
        article.date,
        article.image,
        next.url,
        next.title,
    );
    page(language, &article.url, &article.title, &body)
}

fn page(language: Language, url: &str, title: &str, body: &str) -> SamplePage {
    let sections: String = language
        .lexicon()
        .categories
        .iter()
        .take(SECTIONS)
        .map(|name| format!("<li><a href=\"{ORIGIN}/section/{}/\">{name}</a></li>", slug_of(name)))
        .collect();
    let html = format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title} - Gazette</title></head><body>\
         <nav class=\"top\"><ul><li><a href=\"{ORIGIN}/latest/\">Gazette</a></li>{sections}</ul></nav>\n{body}\n\
         <footer class=\"imprint\"><p>© Gazette</p></footer></body></html>\n",
        language.code()
    );
    let path = url.trim_start_matches("https://gazette.example/").trim_end_matches('/').replace('/', "-");
    SamplePage { url: url.to_owned(), path: format!("{path}.html"), html }
}

/// A slug, also for names that leave none: those of other scripts.
fn slug_of(name: &str) -> String {
    let plain = slug(name);
    if plain.is_empty() { format!("n{:x}", crate::rng::hash(name) & 0xffff) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_article_is_listed_and_the_same_numbers_give_the_same_site() {
        for language in Language::ALL {
            let (pages, articles) = news_site(language, 20, 7);
            assert!(articles.iter().all(|article| article.lists.len() >= 2 && article.paragraphs.len() >= 3));
            assert_eq!(news_site(language, 20, 7), (pages, articles));
        }
    }
}
