//! Gold can be trusted: every labelled value stands on its page, in order, and agrees with the tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Seen, variants};
use unsite_sample::{Change, GoldPage, Knobs, SamplePage, Site};

fn each_page(mut check: impl FnMut(&Site, &SamplePage, &GoldPage, &Seen)) {
    for (site, seen) in variants() {
        assert_eq!(site.pages.len(), site.gold.len());
        for ((page, gold), seen) in site.pages.iter().zip(&site.gold).zip(seen) {
            assert_eq!(page.url, gold.url);
            check(site, page, gold, seen);
        }
    }
}

#[test]
fn markup_is_well_formed() {
    each_page(|site, page, _, seen| {
        assert!(seen.faults.is_empty(), "{:?} {}: {:?}", site.knobs, page.url, seen.faults);
    });
}

#[test]
fn every_gold_value_stands_on_its_page() {
    each_page(|site, page, gold, seen| {
        let merged = site.knobs.changes(Change::MergeFields);
        let fields = gold.fields.values().chain(gold.open_fields.values()).flatten();
        for value in fields.chain(gold.records.iter().flat_map(BTreeMap::values)) {
            let found = seen.has(value) || merged && seen.has_within(value);
            assert!(found, "{value:?} is not on {} of {:?}", page.url, site.knobs);
        }
        for label in gold.open_fields.keys() {
            assert!(seen.has_within(label), "label {label:?} is not on {}", page.url);
        }
        if let Some(query) = &gold.query {
            assert!(seen.has_within(query), "query {query:?} is not on {}", page.url);
        }
    });
}

#[test]
fn records_stand_in_list_order() {
    each_page(|_, page, gold, seen| {
        let mut links = seen.links.iter();
        let mut texts = seen.texts.iter();
        for record in &gold.records {
            let found = match record.get("url") {
                Some(url) => links.any(|(target, text)| target == url && *text == record["title"]),
                None => {
                    let wanted = record.get("text").or(record.get("answer")).expect("a review or an answer");
                    texts.any(|text| text == wanted)
                }
            };
            assert!(found, "{record:?} out of order on {}", page.url);
        }
    });
}

#[test]
fn lists_are_complete() {
    let site = Site::generate(&Knobs::default());
    let mut listed: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for gold in site.gold.iter().filter(|g| g.page_type == "category") {
        let entry = listed.entry(&gold.fields["category"][0]).or_default();
        *entry = (entry.0 + gold.records.len(), gold.total.expect("lists have totals"));
    }
    assert_eq!(listed.len(), 6);
    assert!(listed.values().all(|(seen, total)| seen == total));
    assert_eq!(listed.values().map(|(seen, _)| seen).sum::<usize>(), 90);
}

#[test]
fn pages_agree_with_the_tables() {
    let site = Site::generate(&Knobs::default());
    let books = site.table("books").expect("there are books");
    let by_url: BTreeMap<&str, &GoldPage> = site.gold.iter().map(|g| (g.url.as_str(), g)).collect();
    for row in &books.rows {
        let cell = |name: &str| &row[books.columns.iter().position(|c| c == name).expect("a column")];
        let gold = by_url[cell("url").as_deref().expect("a key")];
        for column in books.columns.iter().filter(|c| !c.ends_with("url")) {
            assert_eq!(gold.fields.get(column).and_then(|v| v.first()), cell(column).as_ref(), "{column}");
        }
    }
    let reviews = site.table("reviews").expect("there are reviews").rows.len();
    let on_pages: usize = site.gold.iter().filter(|g| g.page_type == "book").map(|g| g.records.len()).sum();
    assert_eq!(reviews, on_pages);
    for table in &site.tables {
        assert!(!table.rows.is_empty(), "{} is empty", table.name);
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.name);
    }
}

#[test]
fn no_two_books_share_a_title() {
    let site = Site::generate(&Knobs::default());
    let titles: BTreeSet<_> =
        site.gold.iter().filter(|g| g.page_type == "book").map(|g| g.fields["title"][0].clone()).collect();
    assert_eq!(titles.len(), 90);
}

#[test]
fn the_default_site_has_every_kind_of_page() {
    let site = Site::generate(&Knobs::default());
    assert!((140..=160).contains(&site.pages.len()), "{} pages", site.pages.len());
    let kinds: BTreeSet<_> = site.gold.iter().map(|g| (g.page_type.as_str(), g.role.as_str())).collect();
    let wanted = [
        ("author", "article"),
        ("book", "article"),
        ("category", "index"),
        ("grid", "index"),
        ("help", "other"),
        ("home", "index"),
        ("search", "search"),
        ("search_none", "search"),
    ];
    assert_eq!(kinds, BTreeSet::from(wanted));
}

#[test]
fn missing_values_follow_their_rate() {
    for missing in [0.0, 0.4] {
        let site = Site::generate(&Knobs { books: 300, missing, ..Knobs::default() });
        let books: Vec<_> = site.gold.iter().filter(|g| g.page_type == "book").collect();
        for name in ["subtitle", "series", "publisher", "published", "pages", "language", "binding", "weight"]
        {
            let absent =
                books.iter().filter(|g| !g.fields.contains_key(name)).count() as f64 / books.len() as f64;
            assert!((absent - missing).abs() < 0.1, "{name}: {absent} for {missing}");
        }
    }
}

#[test]
fn gold_files_can_be_read_back() {
    let site = Site::generate(&Knobs { books: 10, ..Knobs::default() });
    let files: BTreeMap<String, Vec<u8>> = site.gold_files().into_iter().collect();
    assert_eq!(files.len(), site.pages.len() + 2);
    let meta: serde_json::Value = serde_json::from_slice(&files["meta.json"]).expect("meta is JSON");
    assert_eq!(meta["pages"], site.pages.len());
    let lines = std::str::from_utf8(&files["gold.jsonl"]).expect("gold is UTF-8").lines();
    let read: Vec<GoldPage> = lines.map(|line| serde_json::from_str(line).expect("gold is JSON")).collect();
    assert_eq!(read, site.gold);
    for (page, gold) in site.pages.iter().zip(&site.gold) {
        assert_eq!(files[&gold.file], page.html.as_bytes());
    }
}
