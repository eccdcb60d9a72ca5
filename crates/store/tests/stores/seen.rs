//! Rows that are seen on several pages: one row each, whatever the order of the pages.

use crate::common::*;
use rusqlite::Connection;
use unsite_store::{Merged, Output, Sink};
use unsite_wrapper::{
    Cell, ColumnInfo, PageRecord, PageTypeInfo, Row, Schema, TableInfo, TableKind, ValueType,
};

const URL: usize = 0;
const TITLE: usize = 1;
const PRICE: usize = 2;
const VIEWS: usize = 3;
const MARK: usize = 4;

/// Products with tags and reviews, categories that list them, and a template's table out of sight.
pub(crate) fn schema() -> Schema {
    let mut product = TableInfo {
        name: "product".into(),
        columns: vec![
            column("url", ValueType::Url),
            column("title", ValueType::Text),
            column("price", ValueType::Money),
            column("views", ValueType::Integer),
            ColumnInfo { is_hidden: true, note: "template".into(), ..column("mark", ValueType::Text) },
        ],
        key: Some(URL),
        ..TableInfo::default()
    };
    product.columns[URL].note = "address".into();
    let category = TableInfo {
        name: "category".into(),
        page_type: 1,
        columns: vec![column("url", ValueType::Url), column("name", ValueType::Text)],
        key: Some(0),
        ..TableInfo::default()
    };
    let mut product_url = column("product_url", ValueType::Url);
    product_url.references = Some(0);
    let pairs = TableInfo {
        name: "category_product".into(),
        page_type: 1,
        parent: Some(1),
        columns: vec![product_url, column("place", ValueType::Integer)],
        kind: TableKind::Relation,
        why: "the list of a category".into(),
        ..TableInfo::default()
    };
    let tag = TableInfo {
        name: "tag".into(),
        parent: Some(0),
        columns: vec![column("name", ValueType::Text)],
        is_fact: true,
        ..TableInfo::default()
    };
    let review = TableInfo {
        name: "review".into(),
        parent: Some(0),
        columns: vec![column("text", ValueType::Text)],
        ..TableInfo::default()
    };
    let menu = TableInfo {
        name: "menu".into(),
        parent: None,
        columns: vec![column("entry", ValueType::Text)],
        kind: TableKind::Template,
        why: "the same on every page".into(),
        ..TableInfo::default()
    };
    let page_type = |name: &str| PageTypeInfo { name: name.into(), ..PageTypeInfo::default() };
    Schema {
        page_types: vec![page_type("product"), page_type("category")],
        tables: vec![product, category, pairs, tag, review, menu],
    }
}

pub(crate) fn address(number: usize) -> String {
    format!("https://shop.example/p/{number:02}")
}

fn money(text: &str, amount: &str, currency: &str) -> Cell {
    Cell { beside: Some(currency.into()), ..typed(PRICE, text, amount) }
}

fn copy(cell: Cell) -> Cell {
    Cell { is_copy: true, ..cell }
}

/// The page of a product. Odd ones say no price.
pub(crate) fn product(number: usize) -> PageRecord {
    let key = address(number);
    let mut cells = vec![
        Cell { path: String::new(), ..cell(URL, &key) },
        copy(cell(TITLE, &format!("Product {number} | Shop"))),
        cell(TITLE, &format!("Product {number}")),
        cell(MARK, "menu"),
    ];
    if number.is_multiple_of(2) {
        cells.push(money(&format!("{number} €"), &format!("{number}.00"), "EUR"));
    }
    let mut rows = vec![Row { cells, key: Some(key.clone()), ..Row::default() }];
    for tag in ["red", "blue", "red"] {
        rows.push(Row { table: 3, parent: Some(0), cells: vec![cell(0, tag)], ..Row::default() });
    }
    rows.push(Row { table: 4, parent: Some(0), cells: vec![cell(0, "good")], ..Row::default() });
    rows.push(Row { table: 4, parent: Some(0), cells: vec![cell(0, "good")], ..Row::default() });
    rows.push(Row { table: 5, cells: vec![copy(cell(0, "Home"))], ..Row::default() });
    PageRecord {
        url: key,
        reference: format!("p{number}"),
        page_type: Some(0),
        rows,
        ..PageRecord::default()
    }
}

/// The page of a category, or a part of it, which lists products.
pub(crate) fn category(name: &str, part: usize, products: &[usize]) -> PageRecord {
    let key = format!("https://shop.example/c/{name}");
    let url = if part == 0 { key.clone() } else { format!("{key}?page={part}") };
    let cells = vec![cell(0, &key), cell(1, name)];
    let mut rows = vec![Row { table: 1, cells, key: Some(key), is_view: part > 0, ..Row::default() }];
    for (place, &number) in products.iter().enumerate() {
        let link = format!("{}#from-list", address(number));
        let cells = vec![
            copy(cell(URL, &link)),
            copy(cell(TITLE, &format!("Product {number}…"))),
            copy(money(&format!("${number}"), &format!("{number}.50"), "USD")),
            typed(VIEWS, &format!("{name} {number}"), &(number * 10 + part + name.len() - 3).to_string()),
        ];
        rows.push(Row { table: 0, cells, key: Some(address(number)), is_view: true, ..Row::default() });
        let cells = vec![cell(0, &link), typed(1, "", &place.to_string())];
        rows.push(Row { table: 2, parent: Some(0), cells, ..Row::default() });
    }
    PageRecord {
        url,
        reference: format!("c-{name}-{part}"),
        page_type: Some(1),
        rows,
        ..PageRecord::default()
    }
}

/// Products 1 to 6 of which 5 and 6 have no page here.
pub(crate) fn pages() -> Vec<PageRecord> {
    let lists = [category("tea", 0, &[1, 2, 5]), category("tea", 1, &[5, 6]), category("tinned", 0, &[1, 6])];
    lists.into_iter().chain((1..=4).map(product)).collect()
}

const PRODUCTS: &str =
    "SELECT id, page_id, url, title, price, price_currency, views FROM product ORDER BY id";

#[test]
fn a_row_is_one_row_wherever_it_is_seen() {
    let (_folder, db) = database(&schema(), &pages());
    assert_eq!(
        ask(&db, PRODUCTS),
        [
            "1|4|https://shop.example/p/01|Product 1|1.5|USD|10",
            "2|5|https://shop.example/p/02|Product 2|2.0|EUR|20",
            "3|6|https://shop.example/p/03|Product 3|NULL|NULL|NULL",
            "4|7|https://shop.example/p/04|Product 4|4.0|EUR|NULL",
            "5|1|https://shop.example/p/05|Product 5…|5.5|USD|50",
            "6|2|https://shop.example/p/06|Product 6…|6.5|USD|61",
        ]
    );
    let by = "SELECT c.name, p.url FROM category_product x JOIN category c ON c.id = x.category_id
              JOIN product p ON p.id = x.product_id ORDER BY x.id";
    let pairs: Vec<String> = [("tea", 1), ("tea", 2), ("tea", 5), ("tea", 6), ("tinned", 1), ("tinned", 6)]
        .map(|(name, number)| format!("{name}|{}", address(number)))
        .into();
    assert_eq!(ask(&db, by), pairs);
    assert_eq!(ask(&db, "SELECT product_id, name FROM tag WHERE product_id = 2"), ["2|red", "2|blue"]);
    assert_eq!(ask(&db, "SELECT count(*) FROM review"), ["8"], "reviews may say the same");
    assert!(ask(&db, "PRAGMA foreign_key_check").is_empty());
    let unique = "SELECT \"unique\" FROM pragma_index_list('product') WHERE name = '_address_product'";
    assert_eq!(ask(&db, unique), ["1"]);
}

#[test]
fn every_place_is_in_cells() {
    let (_folder, db) = database(&schema(), &pages());
    let cells = "SELECT ref, table_name, row_id, column_name, value, copy FROM _cells";
    let of_product = "WHERE table_name = 'product' AND row_id = 2 AND column_name <> 'url'";
    let mut told = ask(&db, &format!("{cells} {of_product}"));
    told.sort();
    assert_eq!(
        told,
        [
            "c-tea-0|product|2|price|$2|1",
            "c-tea-0|product|2|title|Product 2…|1",
            "c-tea-0|product|2|views|tea 2|0",
            "p2|product|2|mark|menu|1",
            "p2|product|2|price|2 €|0",
            "p2|product|2|tag|blue|0",
            "p2|product|2|tag|red|0",
            "p2|product|2|tag|red|0",
            "p2|product|2|title|Product 2 | Shop|1",
            "p2|product|2|title|Product 2|0",
        ]
    );
    assert_eq!(ask(&db, &format!("{cells} WHERE table_name = 'menu' LIMIT 1")), ["p1|menu|1|entry|Home|1"]);
    assert_eq!(
        ask(&db, "SELECT name, kind, why FROM _tables WHERE kind <> 'entity'"),
        ["category_product|relation|the list of a category", "menu|template|the same on every page"]
    );
    assert_eq!(
        ask(&db, "SELECT table_name, column_name, hidden, note FROM _columns WHERE hidden OR note <> ''"),
        ["product|url|0|address", "product|mark|1|template", "menu|entry|1|"]
    );
    assert!(ask(&db, "SELECT name FROM sqlite_master WHERE name = 'menu'").is_empty());
    assert_eq!(ask(&db, "SELECT count(*) FROM pragma_table_info('product') WHERE name = 'mark'"), ["0"]);
}

#[test]
fn the_order_of_pages_does_not_matter() {
    let (_folder, db) = database(&schema(), &pages());
    let mut turned = pages();
    for _ in 0..turned.len() {
        turned.rotate_left(1);
        let (_folder, other) = database(&schema(), &turned);
        assert!(dump(&db) == dump(&other));
        turned.reverse();
        let (_folder, other) = database(&schema(), &turned);
        assert!(dump(&db) == dump(&other));
    }
}

#[test]
fn with_all_nothing_is_out_of_sight() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let out = Output::parse(&path).unwrap().all(true);
    let mut sink = Sink::create(&out, &schema(), &meta()).unwrap();
    pages().iter().for_each(|page| sink.page(page).unwrap());
    sink.finish().unwrap();
    let db = Connection::open(&path).unwrap();
    assert_eq!(ask(&db, "SELECT mark FROM product WHERE id < 3"), ["menu", "menu"]);
    assert_eq!(ask(&db, "SELECT entry FROM menu"), ["Home"; 4]);
    let told = "SELECT hidden FROM _columns WHERE table_name = 'menu'";
    assert_eq!(ask(&db, told), ["1"], "it says so all the same");
}

struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        Shop { folder: tempfile::tempdir().unwrap() }
    }

    fn write(&self, schema: &Schema, pages: &[PageRecord]) -> Option<Merged> {
        write(&self.folder.path().join("site.db"), schema, pages).merged
    }

    fn db(&self) -> Connection {
        Connection::open(self.folder.path().join("site.db")).unwrap()
    }

    fn ask(&self, sql: &str) -> Vec<String> {
        ask(&self.db(), sql)
    }
}

#[test]
fn reading_the_same_again_changes_nothing() {
    let shop = Shop::new();
    shop.write(&schema(), &pages());
    let before = dump(&shop.db());
    assert_eq!(shop.write(&schema(), &pages()), Some(Merged::default()));
    assert!(dump(&shop.db()) == before, "{before}\n\n{}", dump(&shop.db()));
    // In parts too: what others say of a row is not lost, and does not take the place of what its page says.
    let rows = "SELECT * FROM product ORDER BY id";
    let before = (shop.ask(rows), shop.ask("SELECT * FROM category_product ORDER BY id"));
    for page in pages() {
        let name = page.reference.clone();
        assert_eq!(shop.write(&schema(), &[page]), Some(Merged::default()), "{name}");
        let after = (shop.ask(rows), shop.ask("SELECT * FROM category_product ORDER BY id"));
        assert_eq!(after, before, "{name}");
    }
    assert!(shop.ask("PRAGMA foreign_key_check").is_empty());
    assert_eq!(shop.ask("PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_page_that_comes_later_knows_best() {
    let shop = Shop::new();
    shop.write(&schema(), &pages());
    shop.write(&schema(), &[product(6)]);
    let six = || shop.ask("SELECT id, title, price, views, page_id FROM product WHERE url LIKE '%06'");
    assert_eq!(six(), ["6|Product 6|6.0|61|8"], "the number of views is only told by lists");
    shop.write(&schema(), &[category("tinned", 0, &[1, 6])]);
    assert_eq!(six(), ["6|Product 6|6.0|61|8"]);
    let mut list = category("tea", 1, &[5, 6]);
    list.rows[3].cells[3] = typed(VIEWS, "now", "99");
    shop.write(&schema(), &[list]);
    assert_eq!(six(), ["6|Product 6|6.0|99|8"], "told anew where it was told first");
}

#[test]
fn a_row_goes_when_nobody_tells_of_it_any_more() {
    let shop = Shop::new();
    shop.write(&schema(), &pages());
    shop.write(&schema(), &[category("tea", 1, &[5])]);
    let six = || shop.ask("SELECT id, page_id FROM product WHERE url LIKE '%06'");
    assert_eq!(six(), ["6|3"], "another list has it");
    let gone = shop.write(&schema(), &[category("tinned", 0, &[1])]).unwrap();
    assert_eq!((six(), gone.removed), (vec![], 2), "the product and its pair");
    assert!(shop.ask("PRAGMA foreign_key_check").is_empty());
}

#[test]
fn what_was_out_of_sight_comes_to_sight_with_its_values() {
    let shop = Shop::new();
    shop.write(&schema(), &pages());
    let mut seen = schema();
    seen.tables[0].columns[MARK].is_hidden = false;
    seen.tables[5].kind = TableKind::Entity;
    shop.write(&seen, &[product(2)]);
    assert_eq!(shop.ask("SELECT mark FROM product"), ["menu", "menu", "menu", "menu", "NULL", "NULL"]);
    assert_eq!(shop.ask("SELECT id, entry FROM menu"), ["1|Home", "2|Home", "3|Home", "4|Home"]);
    assert_eq!(shop.ask("SELECT hidden FROM _columns WHERE column_name = 'mark'"), ["0"]);
    // And what was shown once goes on being filled.
    shop.write(&schema(), &[product(2), product(7)]);
    assert_eq!(shop.ask("SELECT count(mark) FROM product"), ["5"]);
    assert_eq!(shop.ask("SELECT count(*) FROM menu"), ["5"]);
    assert_eq!(shop.ask("SELECT kind FROM _tables WHERE name = 'menu'"), ["template"]);
}
