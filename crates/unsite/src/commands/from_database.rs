//! `pages`, `roles` and `tables` on a database that an earlier run wrote: what it says itself, without reading pages.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value, json};
use unsite::Exit;

use crate::ui::{self, Grid, Ui};

/// How every SQLite database begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Whether a SOURCE is a database and not pages.
pub(crate) fn is_database(source: &str) -> bool {
    let mut start = [0; SQLITE.len()];
    let path = Path::new(source);
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == *SQLITE
}

/// A table of what a database says, for people and programs.
struct Answer {
    /// What the list is called in JSON.
    name: &'static str,
    sql: &'static str,
    /// For each column its name in JSON, its heading, and how wide it may be; 0 for numbers.
    columns: &'static [(&'static str, &'static str, usize)],
}

const PAGES: Answer = Answer {
    name: "page_types",
    sql: "SELECT name, pages, role, round(confidence, 2), url_pattern FROM _page_types ORDER BY pages DESC, name",
    columns: &[
        ("name", "page type", 30),
        ("pages", "pages", 0),
        ("role", "role", 10),
        ("confidence", "confidence", 0),
        ("url_pattern", "URLs", usize::MAX),
    ],
};

const ROLES: Answer = Answer {
    name: "pages",
    sql: "SELECT role, round(index_score, 4), page_type, coalesce(nullif(url, ''), ref) FROM _pages
          ORDER BY index_score DESC, id",
    columns: &[
        ("role", "role", 10),
        ("score", "index score", 0),
        ("page_type", "page type", 30),
        ("url", "URL", usize::MAX),
    ],
};

/// The page types of a database.
pub(crate) fn pages(database: &str, ui: Ui) -> Result<Exit> {
    tell(database, &PAGES, usize::MAX, ui)
}

/// Its pages with their roles, the surest index pages first.
pub(crate) fn roles(database: &str, top: usize, ui: Ui) -> Result<Exit> {
    tell(database, &ROLES, top, ui)
}

fn tell(database: &str, answer: &Answer, top: usize, ui: Ui) -> Result<Exit> {
    let rows = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|db| read(&db, answer))
        .with_context(|| format!("{database} is no database that `unsite run` wrote"))?;
    if ui.json {
        let objects: Vec<Value> = rows.iter().map(|row| object(answer, row)).collect();
        ui.print_json(&json!({ answer.name: objects }))?;
        return Ok(Exit::Done);
    }
    let shown = &rows[..rows.len().min(top)];
    let mut grid = Grid::new(shown.len());
    for (at, (_, heading, most)) in answer.columns.iter().enumerate() {
        let texts = shown.iter().map(|row| text(&row[at]));
        match most {
            0 => {
                grid.numbers(heading, texts);
            }
            most => {
                grid.text(heading, *most, texts);
            }
        }
    }
    ui.print(&(grid.lines(0, ui.width()).0.join("\n") + "\n"))?;
    if rows.len() > shown.len() {
        ui.hint(&format!("{} of {} pages; --top shows more", shown.len(), rows.len()));
    }
    Ok(Exit::Done)
}

fn read(db: &Connection, answer: &Answer) -> rusqlite::Result<Vec<Vec<Sql>>> {
    let mut select = db.prepare(answer.sql)?;
    let rows = select.query_map([], |row| (0..answer.columns.len()).map(|at| row.get(at)).collect())?;
    rows.collect()
}

fn text(value: &Sql) -> String {
    match value {
        Sql::Null => "-".to_owned(),
        Sql::Integer(number) => number.to_string(),
        Sql::Real(number) => format!("{number:.2}"),
        Sql::Text(text) => ui::printable(text),
        Sql::Blob(_) => String::new(),
    }
}

fn object(answer: &Answer, row: &[Sql]) -> Value {
    let named = answer.columns.iter().zip(row).map(|((name, ..), value)| {
        let value = match value {
            Sql::Null | Sql::Blob(_) => Value::Null,
            Sql::Integer(number) => json!(number),
            Sql::Real(number) => json!(number),
            Sql::Text(text) => json!(text),
        };
        ((*name).to_owned(), value)
    });
    Value::Object(named.collect::<Map<_, _>>())
}
