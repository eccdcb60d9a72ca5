//! A database that is there is added to: nothing doubles, ids stay, what is gone goes.

use crate::common::*;
use rusqlite::Connection;
use unsite_store::{Merged, Output, Sink, StoreError, Summary};
use unsite_wrapper::{PageRecord, Row, Schema, ValueType};

struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        Shop { folder: tempfile::tempdir().unwrap() }
    }

    fn write(&self, schema: &Schema, pages: &[PageRecord]) -> Summary {
        write(&self.folder.path().join("site.db"), schema, pages)
    }

    fn db(&self) -> Connection {
        Connection::open(self.folder.path().join("site.db")).unwrap()
    }

    fn ask(&self, sql: &str) -> Vec<String> {
        ask(&self.db(), sql)
    }
}

#[test]
fn the_same_again_changes_nothing() {
    let shop = Shop::new();
    assert_eq!(shop.write(&bookshop_schema(), &bookshop_pages()).merged, None);
    let before = dump(&shop.db());
    let again = shop.write(&bookshop_schema(), &bookshop_pages());
    assert_eq!(again.merged, Some(Merged::default()));
    assert!(dump(&shop.db()) == before, "{}\n\n{}", before, dump(&shop.db()));
    assert_eq!(names(shop.folder.path()), ["site.db"]);
}

#[test]
fn what_was_read_off_a_page_stays_when_it_fits_no_type_any_more() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &bookshop_pages());
    let before = dump(&shop.db());
    let strange = |page: PageRecord| PageRecord { page_type: None, rows: Vec::new(), ..page };
    let merged = shop.write(&bookshop_schema(), &[strange(book(3)), strange(book(4))]).merged;
    assert_eq!(merged, Some(Merged { set_aside: 2, ..Merged::default() }));
    assert!(dump(&shop.db()) == before, "{}\n\n{}", before, dump(&shop.db()));
    // A page that is new is listed all the same.
    shop.write(&bookshop_schema(), &[strange(book(30))]);
    assert_eq!(shop.ask("SELECT count(*) FROM _pages WHERE page_type IS NULL"), ["2"]);
}

#[test]
fn a_part_read_again_is_updated_and_the_rest_stays() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &bookshop_pages());
    let ids = "SELECT id, title FROM book ORDER BY id";
    let before = shop.ask(ids);
    // Book 3 gets a new price and loses its first review, book 20 and the missing author are new.
    let mut changed = book(3);
    changed.rows[0].cells[1] = typed(1, "$1", "1.0");
    changed.rows.remove(1);
    let reviews = shop.ask("SELECT id FROM review WHERE book_id = 4 ORDER BY id");
    let merged = shop.write(&bookshop_schema(), &[changed, book(20), author(2)]).merged;
    assert_eq!(merged, Some(Merged { added: 2, changed: 1, removed: 1, set_aside: 0 }));
    assert_eq!(shop.ask(ids)[..12], before[..]);
    assert_eq!(shop.ask("SELECT id, price FROM book WHERE title = 'Book 3'"), ["4|1.0"]);
    assert_eq!(shop.ask("SELECT id FROM review WHERE book_id = 4 ORDER BY id"), reviews[1..]);
    assert_eq!(shop.ask("SELECT count(*) FROM _pages"), ["17"]);
    assert_eq!(shop.ask("SELECT name, pages FROM _page_types"), ["book|13", "author|3"]);
    let by = "SELECT b.title FROM book b JOIN author a ON a.id = b.author_id WHERE a.name = 'Author 2' ORDER BY b.id";
    assert_eq!(shop.ask(by), ["Book 2", "Book 5", "Book 8", "Book 11", "Book 20"]);
    let cells = shop.ask("SELECT value FROM _cells WHERE ref = 'book-3.html' AND column_name = 'price'");
    assert_eq!(cells, ["$1"]);
    for check in [
        "PRAGMA foreign_key_check",
        "SELECT 1 FROM _values v LEFT JOIN _columns c ON c.id = v.column_id WHERE c.id IS NULL",
    ] {
        assert!(shop.ask(check).is_empty(), "{check}");
    }
    assert_eq!(shop.ask("PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn rows_keep_their_ids_when_a_list_is_reordered() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &[book(3)]);
    let mut page = book(3);
    page.rows[1..].reverse();
    page.rows.insert(
        1,
        Row { table: 1, parent: Some(0), cells: vec![cell(1, "a new one in front")], ..Row::default() },
    );
    let merged = shop.write(&bookshop_schema(), &[page]).merged;
    assert_eq!(merged, Some(Merged { added: 1, ..Merged::default() }));
    assert_eq!(
        shop.ask("SELECT id, text FROM review ORDER BY id"),
        ["1|review 0", "2|review 1", "3|review 2", "4|a new one in front"]
    );
}

#[test]
fn what_else_is_in_the_database_stays() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &bookshop_pages());
    shop.db()
        .execute_batch(
            "CREATE TABLE mine(x); INSERT INTO mine VALUES (7);
             CREATE VIEW cheap AS SELECT title FROM book WHERE price < 1000;
             CREATE INDEX by_title ON book(title);",
        )
        .unwrap();
    shop.write(&bookshop_schema(), &[book(30)]);
    assert_eq!(shop.ask("SELECT x FROM mine"), ["7"]);
    assert_eq!(shop.ask("SELECT title FROM cheap"), ["Book 0"]);
    assert_eq!(shop.ask("SELECT count(*) FROM sqlite_master WHERE name = 'by_title'"), ["1"]);
}

#[test]
fn the_schema_may_grow_and_change() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &bookshop_pages());
    let mut schema = bookshop_schema();
    schema.tables[0].columns[2].value_type = ValueType::Text;
    schema.tables[0].columns.push(column("isbn", ValueType::Text));
    let mut page = book(1);
    page.rows[0].cells[2] = cell(2, "007");
    page.rows[0].cells.push(cell(5, "978-3"));
    shop.write(&schema, &[page]);
    assert_eq!(
        shop.ask("SELECT id, stock, isbn FROM book ORDER BY id LIMIT 3"),
        ["1|7|NULL", "2|007|978-3", "3|7|NULL"]
    );
    assert_eq!(shop.ask("SELECT DISTINCT typeof(stock) FROM book"), ["text"]);
    // Without the reviews: those of the page that is read again go, the others stay.
    schema.tables.remove(1);
    schema.tables[0].columns[4].references = Some(1);
    let bare = PageRecord { rows: book(3).rows[..1].to_vec(), ..book(3) };
    let merged = shop.write(&schema, &[bare]).merged;
    assert_eq!(merged.map(|merged| merged.removed), Some(3));
    assert_eq!(shop.ask("SELECT count(*) FROM review"), [(1 + 2 + 1 + 2 + 3 + 1 + 2 + 3).to_string()]);
}

#[test]
fn pages_without_a_url_are_known_by_their_reference_and_duplicates_by_their_order() {
    let shop = Shop::new();
    let page = |url: &str, reference: &str, fingerprint| PageRecord {
        url: url.into(),
        reference: reference.into(),
        fingerprint,
        ..Default::default()
    };
    let first = [page("", "a", 1), page("", "b", 2), page("u", "x", 3), page("u", "y", 4)];
    shop.write(&bookshop_schema(), &first);
    let ids = || shop.ask("SELECT id, url, ref FROM _pages ORDER BY id");
    assert_eq!(ids(), ["1||a", "2||b", "3|u|x", "4|u|y"]);
    shop.write(
        &bookshop_schema(),
        &[page("", "b", 9), page("", "c", 9), page("u", "z", 9), page("u", "y", 9)],
    );
    assert_eq!(ids(), ["1||a", "2||b", "3|u|z", "4|u|y", "5||c"]);
}

#[test]
fn problems_of_a_page_that_is_read_again_are_not_doubled() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &[book(5), book(10)]);
    shop.write(&bookshop_schema(), &[book(5)]);
    assert_eq!(shop.ask("SELECT count(*) FROM _problems"), ["1"], "equal problems without a page are one");
}

#[test]
fn what_is_not_from_here_is_not_added_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    let out = Output::parse(&path).unwrap();
    std::fs::write(&path, "no database").unwrap();
    let refused = || Sink::create(&out, &bookshop_schema(), &meta()).unwrap_err();
    assert!(matches!(refused(), StoreError::Target { .. }) && refused().to_string().contains("--replace"));
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE book(title)").unwrap();
    assert!(refused().to_string().contains("not a database from here"), "{}", refused());
    let mut sink = Sink::create(&out.clone().replace(true), &bookshop_schema(), &meta()).unwrap();
    sink.page(&book(1)).unwrap();
    assert_eq!(sink.finish().unwrap().merged, None);
    assert_eq!(ask(&Connection::open(&path).unwrap(), "SELECT title FROM book"), ["Book 1"]);
}

#[test]
fn a_change_by_another_program_is_not_overwritten() {
    let shop = Shop::new();
    shop.write(&bookshop_schema(), &bookshop_pages());
    let out = Output::parse(shop.folder.path().join("site.db")).unwrap();
    let mut sink = Sink::create(&out, &bookshop_schema(), &meta()).unwrap();
    sink.page(&book(40)).unwrap();
    // Before the end it is still taken in.
    shop.db().execute_batch("CREATE TABLE mine(x)").unwrap();
    sink.finish().unwrap();
    assert_eq!(shop.ask("SELECT count(*) FROM mine"), ["0"]);
    assert_eq!(shop.ask("SELECT count(*) FROM book"), ["13"]);
}
