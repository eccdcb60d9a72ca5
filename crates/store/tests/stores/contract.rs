//! What other programs may rely on in a finished database.

use crate::common::*;
use unsite_dom::ProblemKind;
use unsite_store::{Output, Sink, StoreError};
use unsite_wrapper::{Cell, PageRecord, Row, Schema, TableInfo, ValueType};

#[test]
fn tables_have_typed_values_and_keys() {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    let first = ask(&db, "SELECT * FROM book WHERE title = 'Book 1'");
    assert_eq!(first, ["2|5|Book 1|1299.5|7|2020-05-01|https://shop.example/author/1#top|2"]);
    let types = ask(&db, "SELECT typeof(title), typeof(price), typeof(stock) FROM book LIMIT 1");
    assert_eq!(types, ["text|real|integer"]);
    let reviews = ask(
        &db,
        "SELECT r.text, b.title FROM review r JOIN book b ON b.id = r.book_id ORDER BY r.id LIMIT 3",
    );
    assert_eq!(reviews, ["review 0|Book 1", "review 0|Book 2", "review 1|Book 2"]);
    let by = ask(
        &db,
        "SELECT b.title, a.name FROM book b LEFT JOIN author a ON a.id = b.author_id ORDER BY b.id LIMIT 3",
    );
    assert_eq!(by, ["Book 0|Author 0", "Book 1|Author 1", "Book 2|NULL"]);
    assert!(ask(&db, "PRAGMA foreign_key_check").is_empty());
    assert_eq!(ask(&db, "PRAGMA integrity_check"), ["ok"]);
    let keys = ask(
        &db,
        "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('review') ORDER BY \"from\"",
    );
    assert_eq!(keys, ["book|book_id|id", "_pages|page_id|id"]);
}

#[test]
fn currencies_and_numbers_stand_beside_their_values() {
    let columns = vec![
        column("price", ValueType::Money),
        column("weight", ValueType::Measure),
        column("length", ValueType::Duration),
        column("new", ValueType::Boolean),
        column("price_currency", ValueType::Text),
    ];
    let table = TableInfo { name: "tea".into(), columns, ..TableInfo::default() };
    let schema = Schema { tables: vec![table], ..Schema::default() };
    let with = |cell: Cell, beside: &str| Cell { beside: Some(beside.into()), ..cell };
    let cells = vec![
        with(typed(0, "12,50 €", "12.50"), "EUR"),
        with(typed(1, "210 g", "210 g"), "210"),
        with(typed(2, "1 h 30 min", "1 h 30 min"), "5400"),
        typed(3, "yes", "1"),
        cell(4, "as shown"),
    ];
    let rows =
        vec![Row { cells, ..Row::default() }, Row { cells: vec![cell(0, "ask us")], ..Row::default() }];
    let (_folder, db) = database(&schema, &[PageRecord { rows, ..PageRecord::default() }]);
    let asked =
        "price, price_currency_2, weight, weight_number, length, length_seconds, \"new\", price_currency";
    assert_eq!(
        ask(&db, &format!("SELECT {asked} FROM tea ORDER BY id")),
        ["12.5|EUR|210 g|210.0|1 h 30 min|5400.0|1|as shown", "ask us|NULL|NULL|NULL|NULL|NULL|NULL|NULL",]
    );
    // The text as it stands is always in `_cells`.
    assert_eq!(ask(&db, "SELECT value FROM _cells WHERE column_name = 'price' LIMIT 1"), ["12,50 €"]);
}

#[test]
fn every_foreign_key_has_an_index() {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    for (table, key) in
        [("book", "page_id"), ("book", "author_id"), ("review", "book_id"), ("author", "page_id")]
    {
        let plan = ask(&db, &format!("EXPLAIN QUERY PLAN SELECT id FROM {table} WHERE {key} = 1"));
        assert!(plan[0].contains("SEARCH") && plan[0].contains("INDEX"), "{table}.{key}: {plan:?}");
    }
    let plan = ask(
        &db,
        "EXPLAIN QUERY PLAN SELECT path FROM _cells WHERE table_name = 'book' AND row_id = 3 AND column_name = 'price'",
    );
    assert!(plan.iter().all(|step| step.contains("SEARCH")), "{plan:?}");
}

#[test]
fn pages_are_all_there() {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    assert_eq!(ask(&db, "SELECT count(*) FROM _pages"), ["15"]);
    assert_eq!(
        ask(&db, "SELECT * FROM _pages ORDER BY id LIMIT 2"),
        [
            "1|https://shop.example/|home|NULL||0.0|0|NULL|1",
            "2|https://shop.example/author/0|author-0.html|author|index|2.0|0|NULL|1",
        ]
    );
    assert_eq!(
        ask(&db, "SELECT url, problems FROM _pages WHERE ref = 'book-5.html'"),
        ["https://shop.example/book/0005|1"]
    );
    assert_eq!(
        ask(&db, "SELECT name, pages, role, url_pattern, confidence FROM _page_types"),
        [
            "book|12|article|https://shop.example/book/*|0.9",
            "author|2|article|https://shop.example/author/*|0.9",
        ]
    );
}

#[test]
fn columns_and_meta_describe_the_tables() {
    let (_folder, db) = database(&bookshop_schema(), &[]);
    let columns = "table_name, column_name, type, selector, label, confidence, coverage";
    let lines = ask(&db, &format!("SELECT {columns} FROM _columns ORDER BY id"));
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[4], "book|author_url|url|a.author|by|0.75|1.0");
    assert_eq!(lines[5], "review|stars|integer||NULL|0.75|1.0");
    assert_eq!(
        ask(&db, "SELECT * FROM _meta ORDER BY key"),
        ["format|3", "method|auto", "seed|42", "version|0.1.0"]
    );
}

#[test]
fn cells_are_receipts_before_typing() {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    let columns = "ref, url, table_name, row_id, column_name, value, path";
    let lines = ask(
        &db,
        &format!("SELECT {columns} FROM _cells WHERE ref = 'book-1.html' ORDER BY table_name, path"),
    );
    let url = "https://shop.example/book/0001";
    assert_eq!(lines[1], format!("book-1.html|{url}|book|2|price|$1,299|html/body/p[1]"));
    assert_eq!(lines[5], format!("book-1.html|{url}|review|1|stars|****|html/body/p[0]"));
    assert_eq!(lines.len(), 8, "five of the book, and all three of its review: {lines:?}");
    assert_eq!(ask(&db, "SELECT text FROM review WHERE id = 1"), ["review 0"], "the first of several values");
    let wrong = "SELECT count(*) FROM _cells c LEFT JOIN _columns k USING (table_name, column_name) WHERE k.id IS NULL";
    assert_eq!(ask(&db, wrong), ["0"]);
}

/// The three questions that the scoring script asks.
#[test]
fn the_scorer_finds_what_it_needs() {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    let cells = ask(&db, "select ref, table_name, column_name, value from _cells where value is not null");
    assert_eq!(cells.len(), 12 * 5 + (0..12).map(|n| n % 4 * 3).sum::<usize>() + 2);
    assert!(cells.contains(&"author-1.html|author|name|Author 1".to_owned()));
    let rows = ask(&db, "select ref, table_name, row_id, value from _cells where value is not null");
    assert_eq!(rows.len(), cells.len());
    assert_eq!(ask(&db, "select ref, page_type from _pages").len(), 15);
    assert_eq!(ask(&db, "select ref, index_score from _pages").len(), 15);
    let distinct = "select count(*) from (select distinct table_name, column_name from _cells)";
    assert_eq!(ask(&db, distinct), ["8"]);
}

#[test]
fn problems_come_from_pages_and_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let mut sink = Sink::create(&Output::parse(&path).unwrap(), &bookshop_schema(), &meta()).unwrap();
    sink.problem(&problem(ProblemKind::Truncated, "record 7", "ends early")).unwrap();
    sink.page(&book(5)).unwrap();
    let summary = sink.finish().unwrap();
    assert_eq!(summary.problems, 2);
    let db = rusqlite::Connection::open(path).unwrap();
    assert_eq!(
        ask(&db, "SELECT kind, ref, url, offset, message FROM _problems"),
        ["limit|book|NULL|12|deep", "truncated|record 7|NULL|12|ends early"]
    );
}

#[test]
fn the_summary_counts_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let mut pages = bookshop_pages();
    pages.push(PageRecord { fingerprint: 99, reference: "copy".into(), ..book(3) });
    let summary = write(&path, &bookshop_schema(), &pages);
    assert_eq!((summary.pages, summary.duplicate_urls, summary.problems), (16, 1, 3));
    assert_eq!(summary.rows, summary.tables.iter().map(|t| t.rows).sum::<u64>());
    assert_eq!(summary.path.canonicalize().unwrap(), path.canonicalize().unwrap());
    let book = &summary.tables[0];
    assert_eq!((book.name.as_str(), book.rows, book.samples.len()), ("book", 13, 3));
    assert_eq!(book.columns, ["title", "price", "stock", "published", "author_url"]);
    assert_eq!(book.samples[1][1].as_deref(), Some("1299.5"));
}

#[test]
fn a_site_without_tables_or_pages_is_written_too() {
    let (_folder, db) = database(&Schema::default(), &[]);
    for table in ["_pages", "_page_types", "_columns", "_cells", "_problems"] {
        assert_eq!(ask(&db, &format!("SELECT count(*) FROM {table}")), ["0"], "{table}");
    }
    let (_folder, db) =
        database(&Schema::default(), &[PageRecord { url: "https://a/".into(), ..Default::default() }]);
    assert_eq!(ask(&db, "SELECT url FROM _pages"), ["https://a/"]);
}

#[test]
fn a_page_that_does_not_fit_the_schema_is_refused_and_costs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = Output::parse(folder.path().join("site.db")).unwrap();
    let mut sink = Sink::create(&out, &bookshop_schema(), &meta()).unwrap();
    let with = |row: Row| PageRecord { rows: vec![Row::default(), row], ..Default::default() };
    let bad = [
        PageRecord { page_type: Some(9), ..Default::default() },
        with(Row { table: 9, ..Default::default() }),
        with(Row { cells: vec![cell(9, "x")], ..Default::default() }),
        with(Row { table: 1, parent: Some(1), ..Default::default() }),
        with(Row { table: 2, parent: Some(0), ..Default::default() }),
    ];
    for page in &bad {
        assert!(matches!(sink.page(page), Err(StoreError::Record { .. })), "{page:?}");
    }
    sink.page(&book(1)).unwrap();
    assert_eq!(sink.finish().unwrap().pages, 1);
}
