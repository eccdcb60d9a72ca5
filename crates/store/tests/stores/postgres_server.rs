//! PostgreSQL, against a real server that the test starts.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::*;
use crate::server::TestServer;
use crate::{finding, history, seen};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rusqlite::Connection;
use unsite_dom::ProblemKind;
use unsite_store::{Merged, Output, Sink, StoreError, Summary};
use unsite_wrapper::{PageRecord, Row, Schema, TableInfo, ValueType};

/// Names the server for the process that is going to be killed.
const TARGET: &str = "UNSITE_TEST_SERVER";

fn send(address: &str, schema: &Schema, pages: &[PageRecord]) -> Result<Summary, StoreError> {
    let mut sink = Sink::create(&Output::parse(address)?, schema, &meta())?;
    pages.iter().try_for_each(|page| sink.page(page))?;
    sink.finish()
}

/// One server for all of it: starting one takes seconds.
#[test]
fn a_real_server() {
    let Some(server) = TestServer::start() else { return };
    tables_types_and_keys(&server);
    the_same_as_sqlite(&server);
    what_is_there_is_updated(&server);
    rows_that_are_seen_anywhere(&server);
    what_was_seen_when(&server);
    the_schema_may_grow_and_change(&server);
    values_that_are_not_found_again_go(&server);
    two_first_runs_at_once(&server);
    tables_may_be_called_like_those_of_the_server(&server);
    tables_of_others_are_left_alone(&server);
    hostile_names_and_values(&server);
    long_and_wide(&server);
    a_killed_writer_changes_nothing(&server);
    what_the_server_says_is_told(&server);
    the_connection_can_be_encrypted(&server);
}

fn what_was_seen_when(server: &TestServer) {
    let address = server.address("?schema=days");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("days.db");
    let [first, second, third] = history::days();
    for run in [third, first, second] {
        send(&address, &seen::schema(), &run).unwrap();
        let mut sink = Sink::create(&Output::parse(&path).unwrap(), &seen::schema(), &meta()).unwrap();
        run.iter().for_each(|page| sink.page(page).unwrap());
        sink.finish().unwrap();
    }
    for query in [history::HISTORY, history::CAPTURES, "SELECT url, title FROM product ORDER BY url"] {
        let there = query.replace("FROM ", "FROM days.").replace("JOIN ", "JOIN days.");
        // The server sorts text as its language does.
        let sorted = |mut rows: Vec<String>| {
            rows.sort();
            rows
        };
        assert_eq!(
            sorted(server.ask(&there)),
            sorted(ask(&Connection::open(&path).unwrap(), query)),
            "{query}"
        );
    }
}

fn rows_that_are_seen_anywhere(server: &TestServer) {
    let address = server.address("?schema=seen");
    let (_folder, db) = database(&seen::schema(), &seen::pages());
    let same = |what: &str| {
        for query in [
            "SELECT id, page_id, url, title, price_currency, views FROM product ORDER BY id",
            "SELECT id, page_id, category_id, product_id FROM category_product ORDER BY id",
            "SELECT id, product_id, name FROM tag ORDER BY id",
            "SELECT name, kind, why FROM _tables ORDER BY length(name)",
            "SELECT table_name, column_name, hidden, note FROM _columns ORDER BY id",
        ] {
            let there = query.replace("FROM ", "FROM seen.");
            assert_eq!(server.ask(&there), ask(&db, query), "{what}: {query}");
        }
    };
    assert_eq!(send(&address, &seen::schema(), &seen::pages()).unwrap().merged, None);
    same("written");
    for page in seen::pages() {
        let name = page.reference.clone();
        let again = send(&address, &seen::schema(), &[page]).unwrap();
        assert_eq!(again.merged, Some(Merged::default()), "{name}");
        same(&name);
    }
    for (table, row) in [("product", 2), ("menu", 1)] {
        let told = |name: &str| finding::told(name.as_ref(), table, row);
        assert_eq!(told(&address), told(db.path().unwrap()), "{table}");
    }
    // What was out of sight comes to sight.
    let mut shown = seen::schema();
    shown.tables[5].kind = unsite_wrapper::TableKind::Entity;
    shown.tables[0].columns[4].is_hidden = false;
    send(&address, &shown, &[seen::product(2)]).unwrap();
    assert_eq!(server.ask("SELECT count(entry) FROM seen.menu"), ["4"]);
    assert_eq!(server.ask("SELECT count(mark) FROM seen.product"), ["4"]);
    // An earlier format is refused.
    server.client().execute("UPDATE seen._meta SET value = '1' WHERE key = 'format'", &[]).unwrap();
    let refused = send(&address, &seen::schema(), &seen::pages()).unwrap_err().to_string();
    assert!(refused.contains("another version"), "{refused}");
}

fn the_connection_can_be_encrypted(server: &TestServer) {
    let open = |address: &str| {
        let output = Output::parse(address).unwrap();
        Sink::create(&output, &bookshop_schema(), &meta()).map_err(|error| error.to_string())
    };
    for (host, parameters, encrypted) in [
        ("localhost", "?schema=tls&sslmode=require".to_owned(), true),
        ("127.0.0.1", "?schema=tls".to_owned(), true),
        ("127.0.0.1", "?schema=tls&sslmode=disable".to_owned(), false),
        ("localhost", format!("?schema=tls&sslmode=verify-full&sslrootcert={}", server.authority()), true),
    ] {
        let sink = open(&server.network_address(host, &parameters)).unwrap();
        let last = server.connections().pop().unwrap();
        assert_eq!(last.contains("SSL enabled"), encrypted, "{host} {parameters}: {last}");
        drop(sink);
    }
    let stranger = open(&server.network_address("localhost", "?schema=tls&sslmode=verify-full"));
    assert!(stranger.is_err_and(|error| error.contains("certificate")));
    let no_file = open(&server.network_address("localhost", "?sslmode=require&sslrootcert=nowhere.pem"));
    assert!(no_file.is_err_and(|error| error.contains("nowhere.pem")));
    // A socket is not encrypted, and says so when it has to be.
    let refused = open(&server.address("?schema=tls&sslmode=require"));
    assert!(
        refused.is_err_and(|error| error.contains("does not support TLS") && error.contains("leave out"))
    );
}

fn tables_types_and_keys(server: &TestServer) {
    let summary = send(&server.address("?schema=shop"), &bookshop_schema(), &bookshop_pages()).unwrap();
    assert_eq!((summary.merged, summary.rows), (None, 12 + 18 + 2));
    let types = "SELECT column_name, data_type FROM information_schema.columns
                 WHERE table_schema = 'shop' AND table_name = 'book' ORDER BY ordinal_position";
    assert_eq!(
        server.ask(types),
        [
            "id|bigint",
            "page_id|bigint",
            "title|text",
            "price|double precision",
            "stock|bigint",
            "published|date",
            "author_url|text",
            "author_id|bigint"
        ]
    );
    let first = server.ask("SELECT * FROM shop.book WHERE title = 'Book 1'");
    assert_eq!(first, ["2|5|Book 1|1299.5|7|2020-05-01|https://shop.example/author/1#top|2"]);
    let keys = "SELECT conrelid::regclass::text AS t, pg_get_constraintdef(oid) AS d FROM pg_constraint
                WHERE conrelid = 'shop.review'::regclass ORDER BY 2";
    assert_eq!(
        server.ask(keys),
        [
            "shop.review|FOREIGN KEY (book_id) REFERENCES shop.book(id) ON DELETE CASCADE",
            "shop.review|FOREIGN KEY (page_id) REFERENCES shop._pages(id)",
            "shop.review|PRIMARY KEY (id)"
        ]
    );
}

/// Every table holds what the same run leaves in SQLite.
fn the_same_as_sqlite(server: &TestServer) {
    let (_folder, db) = database(&bookshop_schema(), &bookshop_pages());
    for table in
        ["book", "review", "author", "_pages", "_page_types", "_columns", "_tables", "_problems", "_meta"]
    {
        let mut there = server.ask(&format!("SELECT * FROM shop.{table}"));
        let mut here = ask(&db, &format!("SELECT * FROM {table}"));
        // Numbers are written differently: 1 and 1.0.
        for line in there.iter_mut().chain(&mut here) {
            *line = line.replace(".0|", "|").trim_end_matches(".0").to_owned();
        }
        there.sort();
        here.sort();
        assert_eq!(there, here, "{table}");
    }
    let cells = "table_name, row_id, column_name, value, path FROM";
    let mut there = server.ask(&format!("SELECT {cells} shop._cells"));
    let mut here = ask(&db, &format!("SELECT {cells} _cells"));
    there.sort();
    here.sort();
    assert_eq!(there, here);
}

fn what_is_there_is_updated(server: &TestServer) {
    let address = server.address("?schema=shop");
    let again = send(&address, &bookshop_schema(), &bookshop_pages()).unwrap();
    assert_eq!(again.merged, Some(Merged::default()));
    assert_eq!(
        server.ask("SELECT count(*) FROM shop._values"),
        server.ask("SELECT count(*) FROM shop._cells")
    );
    let mut changed = book(3);
    changed.rows[0].cells[1] = typed(1, "$1", "1.0");
    changed.rows.remove(1);
    let merged = send(&address, &bookshop_schema(), &[changed, book(20), author(2)]).unwrap().merged;
    assert_eq!(merged, Some(Merged { added: 2, changed: 1, removed: 1, set_aside: 0 }));
    assert_eq!(server.ask("SELECT id, price FROM shop.book WHERE title = 'Book 3'"), ["4|1"]);
    assert_eq!(server.ask("SELECT count(*) FROM shop._pages"), ["17"]);
    let by = "SELECT b.title FROM shop.book b JOIN shop.author a ON a.id = b.author_id WHERE a.name = 'Author 2' ORDER BY b.id";
    assert_eq!(server.ask(by), ["Book 2", "Book 5", "Book 8", "Book 11", "Book 20"]);
    let mut sink =
        Sink::create(&Output::parse(&address).unwrap().replace(true), &bookshop_schema(), &meta()).unwrap();
    sink.problem(&problem(ProblemKind::Skipped, "x", "y")).unwrap();
    sink.page(&book(1)).unwrap();
    assert_eq!(sink.finish().unwrap().merged, None);
    assert_eq!(server.ask("SELECT count(*) FROM shop.book"), ["1"]);
}

fn the_schema_may_grow_and_change(server: &TestServer) {
    let address = server.address("?schema=grown");
    send(&address, &bookshop_schema(), &bookshop_pages()).unwrap();
    let mut schema = bookshop_schema();
    schema.tables[0].columns[2].value_type = ValueType::Text;
    schema.tables[0].columns[3].value_type = ValueType::Text;
    schema.tables[0].columns.push(column("isbn", ValueType::Text));
    let mut page = book(1);
    page.rows[0].cells[2] = cell(2, "007");
    page.rows[0].cells.push(cell(5, "978-3"));
    send(&address, &schema, &[page]).unwrap();
    let read = "SELECT id, stock, isbn, published FROM grown.book ORDER BY id LIMIT 2";
    assert_eq!(server.ask(read), ["1|7|NULL|2020-05-01", "2|007|978-3|2020-05-01"]);
    // The narrow types again: the columns stay wide.
    send(&address, &bookshop_schema(), &[book(2)]).unwrap();
    assert_eq!(server.ask("SELECT stock FROM grown.book WHERE id = 3"), ["7"]);
}

fn values_that_are_not_found_again_go(server: &TestServer) {
    let address = server.address("?schema=fewer");
    send(&address, &bookshop_schema(), &bookshop_pages()).unwrap();
    let own = "ALTER TABLE fewer.book ADD COLUMN mine text DEFAULT 'x'";
    server.client().batch_execute(own).unwrap();
    let mut schema = bookshop_schema();
    schema.tables[0].columns.drain(2..);
    let mut page = book(1);
    page.rows[0].cells.drain(2..);
    let merged = send(&address, &schema, std::slice::from_ref(&page)).unwrap().merged;
    assert_eq!(merged, Some(Merged { changed: 1, ..Merged::default() }));
    let read =
        "SELECT id, price, stock, published, author_url, author_id, mine FROM fewer.book ORDER BY id LIMIT 2";
    assert_eq!(
        server.ask(read),
        [
            "1|299.5|7|2020-05-01|https://shop.example/author/0#top|1|x".to_owned(),
            "2|1299.5|NULL|NULL|NULL|NULL|x".to_owned()
        ]
    );
    // A column of the same name under another label is another column.
    schema.tables[0].columns[1].label = Some("RRP".into());
    send(&address, &schema, std::slice::from_ref(&page)).unwrap();
    schema.tables[0].columns[1].label = Some("Our price".into());
    send(&address, &schema, std::slice::from_ref(&page)).unwrap();
    assert_eq!(server.ask("SELECT price, price_2 FROM fewer.book WHERE id = 2"), ["NULL|1299.5"]);
}

fn tables_may_be_called_like_those_of_the_server(server: &TestServer) {
    for name in ["pg_class", "pg_attribute", "pg_constraint", "pg_namespace"] {
        let columns = vec![column("oid", ValueType::Text)];
        let table = TableInfo { name: name.into(), columns, ..Default::default() };
        let schema = Schema { tables: vec![table], ..Default::default() };
        let rows = vec![Row { cells: vec![cell(0, "x")], ..Default::default() }];
        let page = PageRecord { rows, ..Default::default() };
        let address = server.address("?schema=catalogue");
        for _ in 0..2 {
            send(&address, &schema, std::slice::from_ref(&page)).unwrap();
        }
        assert_eq!(server.ask(&format!("SELECT oid FROM catalogue.{name}")), ["x"]);
    }
}

fn two_first_runs_at_once(server: &TestServer) {
    for round in 0..4 {
        let address = server.address(&format!("?schema=new{round}"));
        let runs: Vec<_> = (0..3)
            .map(|number| {
                let address = address.clone();
                std::thread::spawn(move || send(&address, &bookshop_schema(), &[book(number)]).map(|_| ()))
            })
            .collect();
        for run in runs {
            run.join().unwrap().unwrap();
        }
        assert_eq!(server.ask(&format!("SELECT count(*) FROM new{round}.book")), ["3"]);
    }
}

fn tables_of_others_are_left_alone(server: &TestServer) {
    server.client().batch_execute("CREATE TABLE book(mine text); INSERT INTO book VALUES ('x')").unwrap();
    let refused = send(&server.address(""), &bookshop_schema(), &[book(1)]).unwrap_err().to_string();
    assert!(refused.contains("table \"book\"") && refused.contains("add ?schema="), "{refused}");
    server.client().batch_execute("CREATE SCHEMA busy; CREATE VIEW busy.book AS SELECT 1 AS x").unwrap();
    let refused = send(&server.address("?schema=busy"), &bookshop_schema(), &[]).unwrap_err().to_string();
    assert!(refused.contains("view \"book\"") && refused.contains("name another one"), "{refused}");
    assert_eq!(server.ask("SELECT * FROM public.book"), ["x"]);
    assert_eq!(
        server.ask("SELECT count(*) FROM pg_tables WHERE tablename = '_pages' AND schemaname = 'public'"),
        ["0"]
    );
}

fn hostile_names_and_values(server: &TestServer) {
    let hostile = prop::sample::select(vec![
        "\0",
        "\"",
        "'",
        "\\",
        "\\N",
        "\r",
        "\n",
        "\t",
        "=cmd|' /C calc'!A0",
        "😀",
        "␀",
        "␀0",
        "0",
        "\\.",
        "a",
        "$1",
        "\u{202e}",
    ]);
    let text = prop_oneof![
        prop::collection::vec(hostile, 0..5).prop_map(|parts| parts.concat()),
        any::<String>(),
        "[A-Za-z ]{1,90}"
    ];
    let reserved =
        prop::sample::select(vec!["select", "SELECT", "user", "id", "ctid", "xmin", "t", "T", "pg_class"]);
    let name = prop_oneof![reserved.prop_map(str::to_owned), text.clone()];
    let site = (name.clone(), prop::collection::vec((name, prop::option::of(text)), 1..6));
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let counter = std::cell::Cell::new(0);
    runner
        .run(&site, |(table, columns)| {
            let number = counter.get() + 1;
            counter.set(number);
            let infos = columns.iter().map(|(name, _)| column(name, ValueType::Text)).collect();
            let table = TableInfo { name: table, columns: infos, ..Default::default() };
            let schema = Schema { tables: vec![table], ..Default::default() };
            let cells =
                columns.iter().enumerate().filter_map(|(at, (_, v))| Some(cell(at, v.as_ref()?))).collect();
            let rows = vec![Row { cells, ..Default::default() }];
            let page =
                PageRecord { url: "a\0'\\".into(), reference: "\0".into(), rows, ..Default::default() };
            let address = server.address(&format!("?schema=h%20{number}"));
            let summary = send(&address, &schema, std::slice::from_ref(&page)).unwrap();
            prop_assert_eq!(send(&address, &schema, &[page]).unwrap().merged, Some(Merged::default()));
            let shown = &summary.tables[0];
            let mut client = server.client();
            for ((_, value), name) in columns.iter().zip(&shown.columns) {
                let sql = format!("SELECT \"{name}\" FROM \"h {number}\".\"{}\"", shown.name);
                let there: Option<String> = client.query_one(&sql, &[]).unwrap().get(0);
                // As the documentation says: a sign for NUL, and twice the sign for the sign.
                prop_assert_eq!(there, value.as_ref().map(|v| v.replace('␀', "␀␀").replace('\0', "␀0")));
            }
            Ok(())
        })
        .unwrap();
}

fn long_and_wide(server: &TestServer) {
    let long = "x\\\t😀".repeat((10 << 20) / 7);
    let columns: Vec<_> = (0..1000).map(|n| column(&format!("c{n}"), ValueType::Text)).collect();
    let table = TableInfo { name: "n".repeat(300), columns, ..Default::default() };
    let schema = Schema { tables: vec![table], ..Default::default() };
    let mut cells: Vec<_> = (0..1000).map(|at| cell(at, &format!("{at} {}", "y".repeat(300)))).collect();
    cells[0] = cell(0, &long);
    let deep = "div/".repeat(3000);
    cells[1].path.clone_from(&deep);
    let url = format!("https://a/{}", "u".repeat(20_000));
    let page = PageRecord { url, rows: vec![Row { cells, ..Default::default() }], ..Default::default() };
    for _ in 0..2 {
        send(&server.address("?schema=wide"), &schema, std::slice::from_ref(&page)).unwrap();
    }
    let mut client = server.client();
    let name = "n".repeat(52);
    let there: String = client.query_one(&format!("SELECT c0 FROM wide.{name}"), &[]).unwrap().get(0);
    assert!(there == long);
    let tables = server.ask("SELECT name FROM wide._tables ORDER BY 1");
    assert_eq!(tables, [name.clone(), format!("{name}_more"), format!("{name}_more_2")]);
    assert_eq!(server.ask("SELECT count(*) FROM wide._cells"), ["1000"]);
    let problems = server.ask("SELECT message FROM wide._problems");
    assert!(problems[0].contains("PostgreSQL") && !problems[0].contains("SQLite"), "{problems:?}");
}

/// Fills a schema until it is killed. Does nothing unless it is told where.
#[test]
fn writer() {
    let Ok(address) = std::env::var(TARGET) else { return };
    loop {
        let pages: Vec<PageRecord> = (0..3000).map(book).collect();
        send(&address, &bookshop_schema(), &pages).unwrap();
        send(&format!("{address}_other"), &bookshop_schema(), &pages).unwrap();
    }
}

fn a_killed_writer_changes_nothing(server: &TestServer) {
    let address = server.address("?schema=killed");
    send(&address, &bookshop_schema(), &bookshop_pages()).unwrap();
    let before = server.ask("SELECT * FROM killed.book");
    let mut killed = 0;
    for attempt in 0..20 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "postgres_server::writer", "--nocapture"])
            .env(TARGET, &address)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed as soon as it is seen writing rows; what it wrote must then be gone with it.
        let busy =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'unsite' AND query LIKE 'COPY%'";
        let mut client = server.client();
        for _ in 0..3000 {
            if client.query_one(busy, &[]).unwrap().get::<_, i64>(0) > 0 {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        // The server notices before the next one may lock the schema.
        let count: usize = server.ask("SELECT count(*) FROM killed.book")[0].parse().unwrap();
        assert!(count == 12 || count == 3000, "{count} rows of half a run, attempt {attempt}");
        if count == 12 {
            assert_eq!(server.ask("SELECT * FROM killed.book"), before);
            killed += 1;
            break;
        }
        server.client().batch_execute("DROP SCHEMA killed CASCADE").unwrap();
        send(&address, &bookshop_schema(), &bookshop_pages()).unwrap();
    }
    assert!(killed > 0, "every attempt came too late");
}

fn what_the_server_says_is_told(server: &TestServer) {
    let nobody = server.address("").replace("tester@", "nobody_here:s3cret@");
    let refused = send(&nobody, &bookshop_schema(), &[]).unwrap_err().to_string();
    assert!(refused.contains("nobody_here") && refused.contains("does not exist"), "{refused}");
    assert!(!refused.contains("s3cret"));
    let refused =
        send("postgres://me:s3cret@127.0.0.1:1/x", &bookshop_schema(), &[]).unwrap_err().to_string();
    assert!(refused.contains("127.0.0.1:1/x") && !refused.contains("s3cret"), "{refused}");
    server.client().batch_execute("CREATE USER guest; CREATE SCHEMA closed").unwrap();
    let guest = server.address("?schema=closed").replace("tester@", "guest@");
    let refused = send(&guest, &bookshop_schema(), &[]).unwrap_err().to_string();
    assert!(refused.contains("closed") && refused.contains("grant"), "{refused}");
    assert!(Output::parse("postgres://host/db?nonsense=1").unwrap_err().to_string().contains("nonsense"));
}
