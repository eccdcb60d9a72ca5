//! A small site for the tests and ways to look at what was written.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use unsite_dom::{Problem, ProblemKind};
use unsite_store::{Meta, Output, Sink, Summary};
use unsite_wrapper::{Cell, ColumnInfo, PageRecord, PageTypeInfo, Row, Schema, TableInfo, Typed, ValueType};

pub(crate) fn column(name: &str, value_type: ValueType) -> ColumnInfo {
    ColumnInfo { name: name.into(), value_type, confidence: 0.75, coverage: 1.0, ..Default::default() }
}

pub(crate) fn cell(column: usize, value: &str) -> Cell {
    Cell { column, value: value.into(), path: format!("html/body/p[{column}]"), ..Cell::default() }
}

pub(crate) fn typed(column: usize, value: &str, typed: &str) -> Cell {
    Cell { typed: Typed::As(typed.into()), ..cell(column, value) }
}

pub(crate) fn problem(kind: ProblemKind, reference: &str, message: &str) -> Problem {
    Problem { kind, reference: reference.into(), url: None, offset: Some(12), message: message.into() }
}

/// Books with reviews and a link to their author, and authors.
pub(crate) fn bookshop_schema() -> Schema {
    let page_type = |name: &str| PageTypeInfo {
        name: name.into(),
        pages: 1000,
        role: "article".into(),
        url_pattern: format!("https://shop.example/{name}/*"),
        confidence: 0.9,
    };
    let mut author_url = column("author_url", ValueType::Url);
    author_url.references = Some(2);
    author_url.label = Some("by".into());
    author_url.selector = "a.author".into();
    let book = vec![
        column("title", ValueType::Text),
        column("price", ValueType::Decimal),
        column("stock", ValueType::Integer),
        column("published", ValueType::Date),
        author_url,
    ];
    let review = vec![column("stars", ValueType::Integer), column("text", ValueType::Text)];
    Schema {
        page_types: vec![page_type("book"), page_type("author")],
        tables: vec![
            TableInfo { name: "book".into(), columns: book, ..TableInfo::default() },
            TableInfo { name: "review".into(), parent: Some(0), columns: review, ..TableInfo::default() },
            TableInfo {
                name: "author".into(),
                page_type: 1,
                columns: vec![column("name", ValueType::Text)],
                ..TableInfo::default()
            },
        ],
    }
}

pub(crate) fn book(number: usize) -> PageRecord {
    let author = format!("https://shop.example/author/{}#top", number % 3);
    let cells = vec![
        cell(0, &format!("Book {number}")),
        typed(1, &format!("${number},299"), &format!("{number}299.50")),
        typed(2, "seven in stock", "7"),
        typed(3, "1 May 2020", "2020-05-01"),
        cell(4, &author),
    ];
    let mut rows = vec![Row { cells, ..Row::default() }];
    for review in 0..number % 4 {
        let cells =
            vec![typed(0, "****", "4"), cell(1, &format!("review {review}")), cell(1, "second paragraph")];
        rows.push(Row { table: 1, parent: Some(0), cells, ..Row::default() });
    }
    PageRecord {
        url: format!("https://shop.example/book/{number:04}"),
        reference: format!("book-{number}.html"),
        fingerprint: number as u64,
        page_type: Some(0),
        role: "article".into(),
        index_score: -1.5,
        rows,
        main_text: None,
        captured: None,
        problems: if number.is_multiple_of(5) {
            vec![problem(ProblemKind::Limit, "book", "deep")]
        } else {
            vec![]
        },
    }
}

pub(crate) fn author(number: usize) -> PageRecord {
    PageRecord {
        url: format!("https://shop.example/author/{number}"),
        reference: format!("author-{number}.html"),
        page_type: Some(1),
        role: "index".into(),
        index_score: 2.0,
        rows: vec![Row { table: 2, cells: vec![cell(0, &format!("Author {number}"))], ..Row::default() }],
        ..Default::default()
    }
}

/// Authors 0 and 1 are there, author 2 is not.
pub(crate) fn bookshop_pages() -> Vec<PageRecord> {
    let unknown =
        PageRecord { url: "https://shop.example/".into(), reference: "home".into(), ..Default::default() };
    (0..12).map(book).chain((0..2).map(author)).chain([unknown]).collect()
}

pub(crate) fn meta() -> Meta {
    Meta::new("0.1.0", 42).with("method", "auto")
}

pub(crate) fn write(path: &Path, schema: &Schema, pages: &[PageRecord]) -> Summary {
    let mut sink = Sink::create(&Output::parse(path).unwrap(), schema, &meta()).unwrap();
    for page in pages {
        sink.page(page).unwrap();
    }
    sink.finish().unwrap()
}

/// Writes the pages to a new database and opens it. The folder must outlive the connection.
pub(crate) fn database(schema: &Schema, pages: &[PageRecord]) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.db");
    write(&path, schema, pages);
    let db = Connection::open(path).unwrap();
    (folder, db)
}

/// Every row of a query, values as SQL would write them, separated by `|`.
pub(crate) fn ask(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    let width = statement.column_count();
    let line = |row: &rusqlite::Row<'_>| {
        let values: Vec<String> = (0..width)
            .map(|i| match row.get_ref(i).unwrap() {
                ValueRef::Null => "NULL".to_owned(),
                ValueRef::Integer(n) => n.to_string(),
                ValueRef::Real(x) => format!("{x:?}"),
                ValueRef::Text(t) | ValueRef::Blob(t) => String::from_utf8_lossy(t).into_owned(),
            })
            .collect();
        Ok(values.join("|"))
    };
    statement.query_map([], line).unwrap().map(Result::unwrap).collect()
}

/// Everything in the database: its statements and the rows of every table in the order they are stored.
pub(crate) fn dump(db: &Connection) -> String {
    let mut out = ask(db, "SELECT type, name, sql FROM sqlite_master ORDER BY type, name").join("\n");
    for table in ask(db, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name") {
        out += &format!("\n== {table}\n");
        out += &ask(db, &format!("SELECT * FROM \"{table}\"")).join("\n");
    }
    out
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let name = |e: std::io::Result<std::fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = std::fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

pub(crate) fn read(path: impl Into<PathBuf>) -> String {
    std::fs::read_to_string(path.into()).unwrap()
}
