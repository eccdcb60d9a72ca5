//! Roles, regions and news, through the whole program.

use std::fs;
use std::path::Path;

use crate::support::{json_lines, number, small_site, unsite};
use rusqlite::Connection;
use serde_json::json;
use unsite_sample::{Language, NewsArticle, SamplePage, news_site};

/// A news site as a file, and what it was made from.
fn news(folder: &Path, language: Language) -> (std::path::PathBuf, Vec<NewsArticle>) {
    let (pages, articles): (Vec<SamplePage>, _) = news_site(language, 48, 3);
    let lines: String =
        pages.iter().map(|page| json!({"url": page.url, "html": page.html}).to_string() + "\n").collect();
    let path = folder.join(format!("{}.jsonl", language.code()));
    fs::write(&path, lines).unwrap();
    (path, articles)
}

#[test]
fn a_news_site_gives_articles_and_their_lists() {
    for language in [Language::En, Language::Zh] {
        let folder = tempfile::tempdir().unwrap();
        let (source, articles) = news(folder.path(), language);
        let db = folder.path().join("news.db");
        unsite(&[&"run", &source, &"-o", &db, &"--main-text"]).ends(0);
        let open = Connection::open(&db).unwrap();
        let mut query = open
            .prepare("SELECT id, title, author, date, body, section, image FROM articles WHERE url = ?")
            .unwrap();
        for article in &articles {
            let row: (i64, [String; 6]) = query
                .query_row([&article.url], |row| {
                    let mut values: [String; 6] = Default::default();
                    for (at, value) in values.iter_mut().enumerate() {
                        *value = row.get(at + 1)?;
                    }
                    Ok((row.get(0)?, values))
                })
                .unwrap_or_else(|error| panic!("{}: {error}", article.url));
            let [title, author, date, body, section, image] = row.1;
            assert_eq!(
                (&title, &author, &date, &section, &image),
                (&article.title, &article.author, &article.date, &article.section, &article.image)
            );
            assert_eq!(body, article.paragraphs.join("\n"), "{}", article.url);
            let mut lists =
                open.prepare("SELECT list FROM article_lists WHERE article_id = ? ORDER BY list").unwrap();
            let found: Vec<String> =
                lists.query_map([row.0], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            let mut wanted = article.lists.clone();
            wanted.sort();
            assert_eq!(found, wanted, "{}", article.url);
            let text: String = open
                .query_row(
                    "SELECT m.text FROM _main_text m JOIN _pages p ON p.id = m.page_id WHERE p.url = ?",
                    [&article.url],
                    |row| row.get(0),
                )
                .unwrap();
            assert_eq!(text, article.paragraphs.join("\n"));
        }
        assert_eq!(number(&db, "SELECT count(*) FROM articles"), articles.len() as i64);
        assert_eq!(number(&db, "SELECT count(*) FROM _pages WHERE role = 'article'"), articles.len() as i64);
    }
}

#[test]
fn roles_are_told_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (source, articles) = news(folder.path(), Language::En);
    let (svg, dot) = (folder.path().join("site.svg"), folder.path().join("site.dot"));
    let told = unsite(&[&"roles", &source, &"--graph", &svg]).ends(0).stdout;
    assert!(told.contains("redundant") && told.contains("article") && told.contains("index"), "{told}");
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("all links") && drawn.contains("links that inform"));
    let json = unsite(&[&"roles", &source, &"--json", &"--method", &"lamis-ln-cb-hr-tw", &"--graph", &dot])
        .ends(0)
        .json();
    assert_eq!(json["method"], "lamis-ln-cb-hr-tw");
    let (links, redundant) = (json["links"].as_u64().unwrap(), json["redundant_links"].as_u64().unwrap());
    assert!(0 < redundant && redundant < links);
    let roles: Vec<&str> =
        json["ranking"].as_array().unwrap().iter().map(|page| page["role"].as_str().unwrap()).collect();
    assert_eq!(roles.iter().filter(|role| **role == "article").count(), articles.len());
    let graphs = fs::read_to_string(&dot).unwrap();
    let arrows = |graph: &str| graph.matches(" -> ").count();
    let (before, after) = graphs.split_once("digraph after").unwrap();
    assert!(arrows(after) < arrows(before) && arrows(before) <= links as usize);
    for method in ["out-links", "hits", "lamis-cb", "unsite"] {
        unsite(&[&"roles", &source, &"--method", &method, &"--top", &"3"]).ends(0);
    }
    unsite(&[&"roles", &source, &"--method", &"nonsense"]).ends(2);
    let refused = unsite(&[&"roles", &source, &"--graph", &"site.png"]).ends(1);
    assert!(refused.stderr.contains(".svg"), "{}", refused.stderr);
}

#[test]
fn regions_are_listed_and_texts_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (source, articles) = news(folder.path(), Language::En);
    let listed = unsite(&[&"regions", &source]).ends(0).stdout;
    assert!(listed.contains("informative") && listed.contains("redundant"), "{listed}");
    let json = unsite(&[&"regions", &source, &"--json", &"--page", &articles[0].url]).ends(0).json();
    let page = &json["pages"][0];
    assert_eq!(page["url"], articles[0].url.as_str());
    let region = |text: &str| {
        let regions = page["regions"].as_array().unwrap();
        regions.iter().find(|region| region["text"].as_str().unwrap().contains(text)).cloned().unwrap()
    };
    assert_eq!(region(&articles[0].paragraphs[1])["verdict"], "informative");
    assert_eq!(region("© Gazette")["verdict"], "redundant");
    let mut listed_on: Vec<&str> =
        page["listed_on"].as_array().unwrap().iter().map(|list| list.as_str().unwrap()).collect();
    listed_on.sort_unstable();
    let mut lists: Vec<&str> = articles[0].lists.iter().map(String::as_str).collect();
    lists.sort_unstable();
    assert_eq!(listed_on, lists);
    let text = unsite(&[&"regions", &source, &"--main-text", &"--page", &articles[1].url]).ends(0).stdout;
    assert_eq!(text.trim(), format!("{}\n\n{}", articles[1].url, articles[1].paragraphs.join("\n")));
    let markdown = unsite(&[&"regions", &source, &"--main-text", &"--markdown", &"--page", &articles[1].url])
        .ends(0)
        .stdout;
    let body = articles[1].paragraphs.join("\n\n");
    assert_eq!(markdown.trim(), format!("<!-- {} -->\n\n{body}", articles[1].url));
    let all = unsite(&[&"regions", &source, &"--main-text", &"--markdown"]).ends(0).stdout;
    for article in &articles {
        let text = format!("<!-- {} -->\n\n{}\n\n", article.url, article.paragraphs.join("\n\n"));
        assert!(all.contains(&text), "{}", article.url);
    }
    let db = folder.path().join("texts.db");
    unsite(&[&"regions", &source, &"--main-text", &"-o", &db, &"-q"]).ends(0);
    assert!(number(&db, "SELECT count(*) FROM _main_text WHERE text <> ''") >= articles.len() as i64);
    let missing = unsite(&[&"regions", &source, &"--page", &"no such page"]).ends(1);
    assert!(missing.stderr.contains("no such page"));
}

#[test]
fn answers_to_searches_are_found() {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("site.jsonl");
    fs::write(&source, json_lines(&site, 0..site.pages.len())).unwrap();
    let json = unsite(&[&"regions", &source, &"--pagelets", &"--json"]).ends(0).json();
    let pages = json["pages"].as_array().unwrap();
    let class = |name: &str| pages.iter().filter(|page| page["answer"] == name).count();
    assert!(class("multi-match") > 0 && class("no-match") > 0, "{json:#}");
    assert!(
        pages
            .iter()
            .all(|page| (page["answer"] == "no-match") == page["objects"].as_array().unwrap().is_empty())
    );
    unsite(&[&"regions", &source, &"--pagelets"]).ends(0);
    unsite(&[&"regions", &source, &"--pagelets", &"--main-text"]).ends(2);
}

#[test]
fn template_blocks_are_no_tables_and_the_main_list_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("demo.db");
    unsite(&[&"demo", &"-o", &db, &"-q"]).ends(0);
    let open = Connection::open(&db).unwrap();
    let mut tables = open.prepare("SELECT name, parent FROM _tables ORDER BY rowid").unwrap();
    let tables: Vec<(String, Option<String>)> =
        tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    // The menu of the home page, of which there is only one, stands on all other pages too.
    let menu = "SELECT count(*) FROM _cells WHERE value = 'http://books.example/bargains.html' AND path LIKE 'html/body/%'";
    assert_eq!(number(&db, menu), 0);
    // The first list that pages of a type have rows of.
    let first_of = |page_type: &str| {
        let on = format!(
            "SELECT DISTINCT table_name FROM _cells c JOIN _pages p ON p.ref = c.ref WHERE p.page_type = '{page_type}'"
        );
        let mut on = open.prepare(&on).unwrap();
        let on: Vec<String> = on.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        tables.iter().map(|(name, _)| name.clone()).find(|name| name != page_type && on.contains(name))
    };
    assert_eq!(first_of("category").as_deref(), Some("book_card"));
    assert_eq!(first_of("search").as_deref(), Some("book_card"));
    let (source, _) = news(folder.path(), Language::En);
    let news_db = folder.path().join("news.db");
    unsite(&[&"run", &source, &"-o", &news_db, &"-q"]).ends(0);
    // Page numbers are no table either: the lists of articles have one child, their teasers.
    let children = "SELECT count(*) FROM _tables WHERE parent IS NOT NULL";
    assert_eq!(number(&news_db, children), 1);
}
