//! What belongs to others in a database stays theirs, and programs that write to it at the same time are noticed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::common::*;
use rusqlite::Connection;
use unsite_store::{Output, Sink, StoreError, Summary};
use unsite_wrapper::{PageRecord, Schema, ValueType};

struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn new(schema: &Schema, pages: &[PageRecord]) -> Shop {
        let shop = Shop { folder: tempfile::tempdir().unwrap() };
        shop.add(schema, pages).unwrap();
        shop
    }

    fn out(&self) -> Output {
        Output::parse(self.folder.path().join("site.db")).unwrap()
    }

    fn add(&self, schema: &Schema, pages: &[PageRecord]) -> Result<Summary, StoreError> {
        let mut sink = Sink::create(&self.out(), schema, &meta())?;
        pages.iter().try_for_each(|page| sink.page(page))?;
        sink.finish()
    }

    fn db(&self) -> Connection {
        Connection::open(self.folder.path().join("site.db")).unwrap()
    }

    fn ask(&self, sql: &str) -> Vec<String> {
        ask(&self.db(), sql)
    }
}

/// The bookshop as a run sees it that finds no reviews.
fn without_reviews() -> Schema {
    let mut schema = bookshop_schema();
    schema.tables.remove(1);
    schema.tables[0].columns[4].references = Some(1);
    schema
}

fn bare(number: usize) -> PageRecord {
    PageRecord { rows: book(number).rows[..1].to_vec(), ..book(number) }
}

#[test]
fn a_table_of_others_is_not_taken_over() {
    for (kind, sql) in [
        (
            "table",
            "CREATE TABLE review(id INTEGER PRIMARY KEY, page_id INTEGER, book_id INTEGER, note TEXT);
             INSERT INTO review VALUES (1, 1, 1, 'mine')",
        ),
        ("table", "CREATE TABLE Review(note)"),
        ("view", "CREATE VIEW review AS SELECT title AS note FROM book"),
        ("index", "CREATE INDEX review ON book(title)"),
    ] {
        let shop = Shop::new(&without_reviews(), &[bare(3)]);
        shop.db().execute_batch(sql).unwrap();
        let before = dump(&shop.db());
        let refused = Sink::create(&shop.out(), &bookshop_schema(), &meta()).unwrap_err().to_string();
        for part in [kind, "eview\"", "not from here", "rename", "another file"] {
            assert!(refused.contains(part), "{refused}");
        }
        assert!(dump(&shop.db()) == before);
    }
    // It may also stand where a table of ours was.
    let shop = Shop::new(&bookshop_schema(), &[book(3)]);
    shop.db().execute_batch("DROP TABLE review; CREATE TABLE review(note)").unwrap();
    assert!(matches!(shop.add(&bookshop_schema(), &[book(3)]), Err(StoreError::Target { .. })));
    shop.db().execute_batch("DROP TABLE review").unwrap();
    shop.add(&without_reviews(), &[bare(3)]).unwrap();
    shop.add(&bookshop_schema(), &[book(3)]).unwrap();
    assert_eq!(shop.ask("SELECT count(*) FROM review"), ["3"]);
    // It may also come while the run is on.
    let shop = Shop::new(&without_reviews(), &[bare(3)]);
    let mut sink = Sink::create(&shop.out(), &bookshop_schema(), &meta()).unwrap();
    sink.page(&book(3)).unwrap();
    shop.db().execute_batch("CREATE TABLE review(note); INSERT INTO review VALUES ('mine')").unwrap();
    assert!(matches!(sink.finish(), Err(StoreError::Target { .. })));
    assert_eq!(shop.ask("SELECT note FROM review"), ["mine"]);
}

#[test]
fn a_column_of_others_is_not_written_to() {
    let shop = Shop::new(&bookshop_schema(), &[book(1)]);
    shop.db().execute_batch("ALTER TABLE book ADD COLUMN note TEXT; UPDATE book SET note = 'mine'").unwrap();
    let mut schema = bookshop_schema();
    schema.tables[0].columns.push(column("note", ValueType::Text));
    let mut page = book(1);
    page.rows[0].cells.push(cell(5, "theirs"));
    shop.add(&schema, &[page]).unwrap();
    assert_eq!(shop.ask("SELECT note, note_2 FROM book"), ["mine|theirs"]);
}

#[test]
fn an_open_transaction_of_another_program_stops_the_run() {
    for mode in ["DELETE", "WAL"] {
        let shop = Shop::new(&bookshop_schema(), &bookshop_pages());
        let other = shop.db();
        other.pragma_update(None, "journal_mode", mode).unwrap();
        other.execute_batch("CREATE TABLE mine(x); BEGIN IMMEDIATE; INSERT INTO mine VALUES (7)").unwrap();
        let error = shop.add(&bookshop_schema(), &[book(40)]).unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{mode}: {error}");
        assert!(error.to_string().contains("writing to it") && error.to_string().contains("run again"));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(shop.ask("SELECT x FROM mine"), ["7"], "{mode}");
        assert_eq!(shop.ask("SELECT count(*) FROM book"), ["12"], "{mode}");
        shop.add(&bookshop_schema(), &[book(40)]).unwrap();
        assert_eq!(ask(&other, "SELECT count(*), x FROM book, mine"), ["13|7"], "{mode}");
        assert_eq!(shop.ask("PRAGMA journal_mode"), [mode.to_lowercase()]);
    }
}

#[test]
fn a_locked_database_is_not_called_foreign() {
    let shop = Shop::new(&bookshop_schema(), &bookshop_pages());
    let other = shop.db();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = Sink::create(&shop.out(), &bookshop_schema(), &meta()).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }) && !error.to_string().contains("--replace"), "{error}");
    // Nor is it replaced under the hands of whoever writes to it.
    let sink = Sink::create(&shop.out().replace(true), &bookshop_schema(), &meta()).unwrap();
    assert!(matches!(sink.finish(), Err(StoreError::InUse { .. })));
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(shop.ask("SELECT count(*) FROM book"), ["12"]);
}

/// Another program commits all the time: whatever becomes of the runs, none of its commits is lost.
#[test]
fn commits_of_another_program_are_not_lost() {
    for mode in ["DELETE", "WAL"] {
        let shop = Shop::new(&bookshop_schema(), &bookshop_pages());
        let other = shop.db();
        other.pragma_update(None, "journal_mode", mode).unwrap();
        other.busy_timeout(Duration::from_secs(20)).unwrap();
        other.execute_batch("CREATE TABLE mine(x)").unwrap();
        let (stop, written) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut added = 0;
        std::thread::scope(|scope| {
            let (stop, written) = (&stop, &written);
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    other.execute_batch("INSERT INTO mine VALUES (1)").unwrap();
                    written.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(15));
                }
            });
            for number in 100..130 {
                match shop.add(&bookshop_schema(), &[book(number)]) {
                    Ok(_) => added += 1,
                    Err(StoreError::Changed { .. } | StoreError::InUse { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            stop.store(true, Ordering::SeqCst);
        });
        let count = |table: &str| shop.ask(&format!("SELECT count(*) FROM {table}"));
        assert_eq!(count("mine"), [written.load(Ordering::SeqCst).to_string()], "{mode}");
        assert_eq!(count("book"), [(12 + added).to_string()], "{mode}");
        assert_eq!(shop.ask("PRAGMA integrity_check"), ["ok"], "{mode}");
    }
}

/// Runs into one database at the same time: one that saw the rows before another wrote its own would take their ids.
#[test]
fn runs_at_the_same_time_do_not_write_over_each_other() {
    let shop = Shop::new(&bookshop_schema(), &bookshop_pages());
    let added = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for first in [100, 200, 300] {
            let (shop, added) = (&shop, &added);
            scope.spawn(move || {
                for number in first..first + 12 {
                    match shop.add(&bookshop_schema(), &[book(number)]) {
                        Ok(_) => added.fetch_add(1, Ordering::SeqCst),
                        Err(StoreError::Changed { .. } | StoreError::InUse { .. }) => 0,
                        Err(error) => panic!("{error}"),
                    };
                }
            });
        }
    });
    let pages = "SELECT count(*), count(DISTINCT p.url) FROM book b JOIN _pages p ON p.id = b.page_id";
    let books = 12 + added.load(Ordering::SeqCst);
    assert_eq!(shop.ask(pages), [format!("{books}|{books}")]);
    let right = "SELECT count(*) FROM book b JOIN _pages p ON p.id = b.page_id
                 WHERE p.url LIKE '%/' || printf('%04d', substr(b.title, 6))";
    assert_eq!(shop.ask(right), [books.to_string()]);
}

#[test]
fn a_database_that_came_meanwhile_is_not_replaced() {
    let shop = Shop { folder: tempfile::tempdir().unwrap() };
    let first = Sink::create(&shop.out(), &bookshop_schema(), &meta()).unwrap();
    shop.add(&bookshop_schema(), &bookshop_pages()).unwrap();
    assert!(matches!(first.finish(), Err(StoreError::Changed { .. })));
    assert_eq!(shop.ask("SELECT count(*) FROM book"), ["12"]);
}

#[test]
fn indexes_views_and_triggers_of_others_live_through_a_change_of_types() {
    let shop = Shop::new(&bookshop_schema(), &bookshop_pages());
    shop.db()
        .execute_batch(
            "CREATE UNIQUE INDEX by_stock ON book(stock, id) WHERE stock > 1;
             CREATE VIEW stocked AS SELECT title, stock FROM book WHERE stock IS NOT NULL;
             CREATE VIEW titles AS SELECT title FROM stocked;
             CREATE TABLE log(x);
             CREATE TRIGGER noted AFTER UPDATE OF stock ON book BEGIN INSERT INTO log VALUES (new.stock); END;
             CREATE TRIGGER instead INSTEAD OF DELETE ON stocked BEGIN SELECT 1; END;",
        )
        .unwrap();
    let made =
        "SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' AND name <> '_values' ORDER BY 1, 2";
    let before = shop.ask(made);
    let mut schema = bookshop_schema();
    schema.tables[0].columns[2].value_type = ValueType::Text;
    let mut page = book(1);
    page.rows[0].cells[2] = cell(2, "007");
    shop.add(&schema, &[page]).unwrap();
    assert_eq!(shop.ask(made), before);
    assert_eq!(shop.ask("SELECT stock FROM stocked WHERE title = 'Book 1'"), ["007"]);
    assert_eq!(shop.ask("SELECT count(*) FROM titles"), ["12"]);
    shop.db().execute_batch("UPDATE book SET stock = '8' WHERE id = 3").unwrap();
    assert_eq!(shop.ask("SELECT x FROM log ORDER BY rowid DESC LIMIT 1"), ["8"]);
}

#[test]
fn a_row_of_others_that_would_hang_in_the_air_is_named() {
    let shop = Shop::new(&bookshop_schema(), &[book(3)]);
    shop.db()
        .execute_batch(
            "CREATE TABLE liked(review INTEGER REFERENCES review(id)); INSERT INTO liked VALUES (NULL), (3)",
        )
        .unwrap();
    let error = shop.add(&bookshop_schema(), &[bare(3)]).unwrap_err().to_string();
    for part in ["row 2 of", "\"liked\"", "\"review\"", "ON DELETE"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(shop.ask("SELECT count(*) FROM review"), ["3"]);
}
