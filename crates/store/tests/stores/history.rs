//! Captures of several days: one row for each thing, and what was seen when.

use std::path::Path;

use crate::common::*;
use crate::seen::{address, category, product, schema};
use rusqlite::Connection;
use unsite_dom::Moment;
use unsite_store::changes::{ValueChange, changes};
use unsite_store::{Output, Sink};
use unsite_wrapper::{Cell, PageRecord, Row};

const PRICE: usize = 2;

fn day(number: i64) -> String {
    moment(number).to_string()
}

fn moment(number: i64) -> Moment {
    Moment::from_unix(1_500_000_000 + number * 86_400).unwrap()
}

fn on(number: i64, mut page: PageRecord) -> PageRecord {
    // Rows that are known by an address say it, as the wrapper has it, whatever the link to them looks like.
    for row in &mut page.rows {
        let key = row.key.clone().filter(|_| row.cells.iter().all(|cell| cell.column != 0 || cell.is_copy));
        row.cells.extend(key.map(|key| cell(0, &key)));
    }
    let reference = format!("{} of day {number}", page.reference);
    PageRecord { captured: Some(moment(number)), reference, fingerprint: number as u64, ..page }
}

/// A product that costs something, with other reviews than its two.
fn priced(number: usize, price: &str, reviews: &[&str]) -> PageRecord {
    let mut page = product(number);
    page.rows[0].cells.retain(|cell| cell.column != PRICE);
    page.rows[0].cells.push(Cell { beside: Some("EUR".into()), ..typed(PRICE, price, price) });
    page.rows.retain(|row| row.table != 4);
    for text in reviews {
        page.rows.push(Row { table: 4, parent: Some(0), cells: vec![cell(0, text)], ..Row::default() });
    }
    page
}

/// Three days of a shop.
pub(crate) fn days() -> [Vec<PageRecord>; 3] {
    [
        vec![
            on(0, priced(2, "2.00", &["good"])),
            on(0, priced(4, "4.00", &["fine"])),
            on(0, category("tea", 0, &[2, 4, 6])),
        ],
        vec![on(1, priced(2, "2.50", &["good", "better"])), on(1, category("tea", 0, &[2, 4]))],
        vec![
            on(2, priced(2, "2.00", &["better"])),
            on(2, priced(4, "4.00", &["fine"])),
            on(2, priced(8, "8.00", &[])),
            on(2, category("tea", 0, &[2, 4, 8])),
        ],
    ]
}

fn put(path: &Path, pages: &[PageRecord]) -> Option<unsite_store::Merged> {
    let mut sink = Sink::create(&Output::parse(path).unwrap(), &schema(), &meta()).unwrap();
    pages.iter().for_each(|page| sink.page(page).unwrap());
    sink.finish().unwrap().merged
}

fn said(path: &Path, sql: &str) -> Vec<String> {
    ask(&Connection::open(path).unwrap(), sql)
}

/// The history without the numbers of rows, which depend on when they came.
pub(crate) const HISTORY: &str =
    "SELECT h.table_name, h.column_name, h.value, h.first_seen, h.last_seen, p.url
     FROM _history h JOIN _pages p ON p.id = h.page_id ORDER BY 1, 2, 3, 4, 5, 6";

pub(crate) const CAPTURES: &str = "SELECT url, captured, ref, latest FROM _pages ORDER BY url, captured";

#[test]
fn captures_in_one_run_or_in_several_and_in_any_order_are_one_history() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let [first, second, third] = days();
    let all: Vec<PageRecord> = days().concat();
    put(&file("all.db"), &all);
    let want = (said(&file("all.db"), HISTORY), said(&file("all.db"), CAPTURES));
    for (name, runs) in [
        ("by_day.db", vec![&first, &second, &third]),
        ("backwards.db", vec![&third, &second, &first]),
        ("middle_last.db", vec![&first, &third, &second]),
        ("twice.db", vec![&first, &second, &second, &third, &first, &all]),
    ] {
        for run in runs {
            put(&file(name), run);
        }
        // Rows without an address are followed in the order of time alone.
        let known = |rows: Vec<String>| -> Vec<String> {
            rows.into_iter().filter(|row| name == "by_day.db" || !row.starts_with("review|")).collect()
        };
        assert_eq!(known(said(&file(name), HISTORY)), known(want.0.clone()), "{name}");
        assert_eq!(said(&file(name), CAPTURES), want.1, "{name}");
        let shop =
            "SELECT url, title, price, page_id IS NOT NULL FROM product WHERE url LIKE '%/0_' ORDER BY url";
        assert_eq!(said(&file(name), shop), said(&file("all.db"), shop), "{name}");
        let again = put(&file(name), &third).unwrap();
        assert_eq!((again.added, again.changed, again.removed), (0, 0, 0), "{name}");
        put(&file(name), &all);
        assert_eq!(known(said(&file(name), HISTORY)), known(want.0.clone()), "{name}, and all once more");
    }
    // The same pages in another order are the same bytes.
    let mut turned = all;
    turned.reverse();
    put(&file("turned.db"), &turned);
    assert_eq!(std::fs::read(file("turned.db")).unwrap(), std::fs::read(file("all.db")).unwrap());
}

#[test]
fn tables_hold_what_the_newest_captures_say_and_the_history_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    put(&path, &days().concat());
    let price = "SELECT price FROM product WHERE url LIKE '%/02'";
    assert_eq!(said(&path, price), ["2.0"]);
    let spans = format!(
        "SELECT value, first_seen, last_seen FROM _history WHERE column_name = 'price'
         AND row_id = (SELECT id FROM product WHERE url = '{}') ORDER BY first_seen",
        address(2)
    );
    let want = [("2.00", 0), ("2.50", 1), ("2.00", 2)].map(|(price, at)| format!("{price}|{0}|{0}", day(at)));
    assert_eq!(said(&path, &spans), want);
    // A page that was not captured on the second day was seen from the first to the third.
    let fine = "SELECT first_seen, last_seen FROM _history WHERE value = '4.00'";
    assert_eq!(said(&path, fine), [format!("{}|{}", day(0), day(2))]);
    // A review that comes second to one that goes keeps its row.
    let better = "SELECT count(DISTINCT row_id) FROM _history WHERE value = 'better'";
    assert_eq!(said(&path, better), ["1"]);
    assert_eq!(said(&path, "SELECT text FROM review ORDER BY id"), ["better", "fine"]);
    // Copies, and what is kept out of sight, have no history.
    let hidden = "SELECT count(*) FROM _history WHERE value LIKE '%Shop' OR column_name IN ('mark', 'entry')";
    assert_eq!(said(&path, hidden), ["0"]);
}

#[test]
fn without_captures_of_several_days_there_is_no_history() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    put(&path, &days()[0]);
    let tables = "SELECT count(*) FROM sqlite_master WHERE name = '_history'";
    assert_eq!(said(&path, tables), ["0"]);
    assert_eq!(said(&path, "SELECT DISTINCT captured, latest FROM _pages"), [format!("{}|1", day(0))]);
    // What is known of them is told all the same.
    let found = changes(&path, &day(-1), Some("product")).unwrap();
    assert_eq!((found.added.len(), found.changed.len(), found.unseen.len()), (3, 0, 0));
    put(&path, &[product(2)]);
    assert_eq!(said(&path, tables), ["0"]);
}

#[test]
fn files_have_the_history_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("shop.jsonl");
    put(&out, &days().concat());
    let history = std::fs::read_to_string(folder.path().join("shop/_history.jsonl")).unwrap();
    assert!(history.contains("\"2.50\"") && history.contains("first_seen"), "{history}");
}

#[test]
fn changes_are_rows_added_values_changed_and_rows_not_seen_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    for run in days() {
        put(&path, &run);
    }
    let found = changes(&path, &day(0), None).unwrap();
    assert_eq!(found.until, Some(day(2)));
    let prices: Vec<&ValueChange> = found.changed.iter().filter(|change| change.column == "price").collect();
    let told: Vec<_> = prices
        .iter()
        .map(|change| (change.name.as_str(), change.from.join(","), change.to.join(","), change.at.clone()))
        .collect();
    let url = address(2);
    assert_eq!(
        told,
        [
            (url.as_str(), "2.00".into(), "2.50".into(), day(1)),
            (url.as_str(), "2.50".into(), "2.00".into(), day(2))
        ]
    );
    assert_eq!(prices[0].receipt.record, "p2 of day 1");
    assert_eq!(prices[0].receipt.url, url);
    let added: Vec<(&str, &str)> = found
        .added
        .iter()
        .filter(|row| row.table != "category_product")
        .map(|row| (row.table.as_str(), row.values[0].1.as_str()))
        .collect();
    assert_eq!(added, [("product", address(8).as_str()), ("review", "better")]);
    let unseen: Vec<(&str, String)> = found
        .unseen
        .iter()
        .filter(|row| row.table != "category_product")
        .map(|row| (row.table.as_str(), row.at.clone()))
        .collect();
    // The sixth product stood only in a list, and the first review is gone.
    assert_eq!(unseen, [("product", day(0)), ("review", day(1))]);
    let pairs = found.unseen.iter().filter(|row| row.table == "category_product").count();
    assert_eq!(pairs, 1, "{:?}", found.unseen);
    // After the last day nothing happened; in one table only its own.
    let nothing = changes(&path, &day(2), None).unwrap();
    assert!(nothing.added.is_empty() && nothing.changed.is_empty() && nothing.unseen.is_empty());
    let reviews = changes(&path, &day(0), Some("review")).unwrap();
    assert!(reviews.added.iter().chain(&reviews.unseen).all(|row| row.table == "review"));
}

#[test]
fn a_row_that_comes_back_is_the_one_that_went() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    put(&path, &[on(0, category("tea", 0, &[2, 6]))]);
    put(&path, &[on(1, category("tea", 0, &[2]))]);
    assert_eq!(said(&path, "SELECT count(*) FROM product"), ["1"]);
    // What is new in between does not take its number.
    put(&path, &[on(2, category("tea", 0, &[2, 8]))]);
    put(&path, &[on(3, category("tea", 0, &[2, 6, 8]))]);
    let ids = "SELECT value, count(DISTINCT row_id) FROM _history WHERE column_name = 'url' AND table_name = 'product' GROUP BY 1";
    let rows = said(&path, ids);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.ends_with("|1")), "{rows:?}");
    let shared = "SELECT count(*) FROM (SELECT row_id FROM _history WHERE column_name = 'url' AND table_name = 'product'
                  GROUP BY 1 HAVING count(DISTINCT value) > 1)";
    assert_eq!(said(&path, shared), ["0"]);
}
