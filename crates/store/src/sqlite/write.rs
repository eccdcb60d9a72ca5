//! The staged pages, written out in an order that does not depend on the order they came in.
//!
//! # What it does
//! Pages are numbered by (URL, reference, fingerprint), and their rows in that order, each by its place in its page.
//! SQLite sorts the pages by those keys alone, on disk when there are many; each page is then read back once.
//! # Assumes
//! Two pages that agree in all three and in everything they gave are the same page.
//! # When it fails
//! Any error leaves the temporary database unusable; the caller throws it away.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Result, Statement, ToSql, params};
use unsite_wrapper::Storage;

use super::codec::{StagedCell, StagedPage, StagedRow, decode};
use super::paths::Paths;
use super::schema::create_indexes;
use crate::plan::{Column, Layout, Table, quoted};

/// How much was written.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) pages: u64,
    pub(crate) duplicate_urls: u64,
    pub(crate) cells: u64,
    pub(crate) problems: u64,
    /// By table of the schema.
    pub(crate) rows: Vec<i64>,
}

/// Fills the tables from the stage, resolves links, makes the indexes.
pub(crate) fn write_all(db: &Connection, layout: &Layout) -> Result<Counts> {
    let counts = write_pages(db, layout)?;
    resolve_links(db, layout)?;
    write_main_texts(db)?;
    let problems = db.execute(
        "INSERT INTO _problems SELECT * FROM stage.problems ORDER BY kind, ref, url, offset, message",
        [],
    )?;
    create_indexes(db, layout)?;
    Ok(Counts { problems: problems as u64, ..counts })
}

fn write_pages(db: &Connection, layout: &Layout) -> Result<Counts> {
    let mut writer = Writer::new(db, layout)?;
    let mut order =
        db.prepare("SELECT seq, url, ref FROM stage.pages ORDER BY url, ref, fingerprint, tie")?;
    let mut body = db.prepare("SELECT body FROM stage.pages WHERE seq = ?")?;
    let mut pages = order.query([])?;
    let mut previous: Option<String> = None;
    while let Some(page) = pages.next()? {
        let url = page.get_ref(1)?.as_str()?;
        let is_duplicate = previous.as_deref() == Some(url) && !url.is_empty();
        writer.counts.duplicate_urls += u64::from(is_duplicate);
        previous = Some(url.to_owned());
        let mut bodies = body.query([page.get::<_, i64>(0)?])?;
        let staged = bodies.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let staged = decode(staged.get_ref(0)?.as_blob()?).ok_or(rusqlite::Error::InvalidQuery)?;
        writer.page(url, page.get_ref(2)?.as_str()?, &staged)?;
    }
    writer.finish()
}

/// Makes and fills `_main_text` where any page came with its main text. Pages have the numbers that [`write_pages`] gave
/// them, in the same order.
fn write_main_texts(db: &Connection) -> Result<()> {
    let asked: bool = db.query_row("SELECT EXISTS (SELECT 1 FROM stage.main_texts)", [], |row| row.get(0))?;
    if !asked {
        return Ok(());
    }
    db.execute_batch(
        "CREATE TABLE _main_text(ref TEXT, text TEXT, page_id INTEGER REFERENCES _pages(id));
         INSERT INTO _main_text
             SELECT p.ref, m.text, p.id
             FROM (SELECT seq, ref, row_number() OVER (ORDER BY url, ref, fingerprint, tie) AS id FROM stage.pages) p
                  JOIN stage.main_texts m ON m.seq = p.seq
             ORDER BY p.id;",
    )
}

struct Writer<'a> {
    db: &'a Connection,
    layout: &'a Layout,
    counts: Counts,
    paths: Paths<'a>,
    insert_page: Statement<'a>,
    insert_value: Statement<'a>,
    insert_target: Statement<'a>,
    /// By table and part.
    insert_row: Vec<Vec<Statement<'a>>>,
    pages_of_type: Vec<i64>,
    /// The ids that the rows of the current page got.
    row_ids: Vec<i64>,
}

impl<'a> Writer<'a> {
    fn new(db: &'a Connection, layout: &'a Layout) -> Result<Self> {
        let insert_row = layout.tables.iter().map(|t| row_statements(db, t)).collect::<Result<_>>()?;
        Ok(Writer {
            db,
            layout,
            counts: Counts { rows: vec![0; layout.tables.len()], ..Counts::default() },
            paths: Paths::new(db)?,
            insert_page: db.prepare("INSERT INTO _pages VALUES (?, ?, ?, ?, ?, ?, ?)")?,
            insert_value: db.prepare(
                "INSERT INTO _values(page_id, column_id, row_id, path_id, value) VALUES (?, ?, ?, ?, ?)",
            )?,
            insert_target: db.prepare("INSERT OR IGNORE INTO stage.targets VALUES (?, ?, ?)")?,
            insert_row,
            pages_of_type: vec![0; layout.page_types.len()],
            row_ids: Vec::new(),
        })
    }

    fn page(&mut self, url: &str, reference: &str, page: &StagedPage<'_>) -> Result<()> {
        self.counts.pages += 1;
        let page_id = self.counts.pages as i64;
        if let Some(page_type) = page.page_type {
            self.pages_of_type[page_type] += 1;
        }
        let type_name = page.page_type.map(|t| &self.layout.page_types[t]);
        let score = Some(page.index_score).filter(|s| s.is_finite());
        self.insert_page.execute(params![
            page_id,
            url,
            reference,
            type_name,
            page.role,
            score,
            page.problems as i64
        ])?;
        self.row_ids.clear();
        for row in &page.rows {
            self.row(page_id, url, row)?;
        }
        Ok(())
    }

    fn row(&mut self, page_id: i64, url: &str, row: &StagedRow<'_>) -> Result<()> {
        let table = &self.layout.tables[row.table];
        self.counts.rows[row.table] += 1;
        let row_id = self.counts.rows[row.table];
        self.row_ids.push(row_id);
        let parent = table.parent.as_ref().map(|_| row.parent.map(|i| self.row_ids[i]));
        let mut values = vec![SqlValue::Null; table.columns.len()];
        let mut besides = values.clone();
        for cell in &row.cells {
            let value = &mut values[cell.column];
            if matches!(value, SqlValue::Null) {
                *value = typed(&table.columns[cell.column], cell);
                besides[cell.column] = beside(&table.columns[cell.column], cell);
            }
        }
        for (index, (part, statement)) in table.parts.iter().zip(&mut self.insert_row[row.table]).enumerate()
        {
            let (columns, besides) = (&table.columns[part.columns.clone()], &besides[part.columns.clone()]);
            let values = &values[part.columns.clone()];
            if index > 0 && values.iter().all(|v| matches!(v, SqlValue::Null)) {
                continue;
            }
            statement.raw_bind_parameter(1, row_id)?;
            statement.raw_bind_parameter(2, page_id)?;
            let mut next = 3;
            if let Some(parent) = parent.filter(|_| index == 0) {
                statement.raw_bind_parameter(next, parent)?;
                next += 1;
            }
            for ((column, value), beside) in columns.iter().zip(values).zip(besides) {
                statement.raw_bind_parameter(next, value)?;
                next += 1;
                if column.beside.is_some() {
                    statement.raw_bind_parameter(next, beside)?;
                    next += 1;
                }
            }
            statement.raw_execute()?;
        }
        if table.is_referenced {
            self.insert_target.execute(params![row.table as i64, without_fragment(url), row_id])?;
        }
        self.cells(page_id, row_id, table, &row.cells)
    }

    fn cells(&mut self, page_id: i64, row_id: i64, table: &Table, cells: &[StagedCell<'_>]) -> Result<()> {
        for cell in cells {
            self.counts.cells += 1;
            let path = self.paths.id(cell.path)?;
            self.insert_value.execute(params![
                page_id,
                table.columns[cell.column].id,
                row_id,
                path,
                cell.value
            ])?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Counts> {
        let mut update = self.db.prepare("UPDATE _page_types SET pages = ? WHERE name = ?")?;
        for (pages, name) in self.pages_of_type.iter().zip(&self.layout.page_types) {
            update.execute(params![pages, name])?;
        }
        Ok(self.counts)
    }
}

fn row_statements<'a>(db: &'a Connection, table: &Table) -> Result<Vec<Statement<'a>>> {
    let statement = |(index, part): (usize, &crate::plan::Part)| {
        let parent = table.parent.iter().filter(|_| index == 0).map(|(_, key)| key.as_str());
        let own = table.columns[part.columns.clone()].iter().flat_map(|c| {
            std::iter::once(c.name.as_str()).chain(c.beside.iter().map(|(name, _)| name.as_str()))
        });
        let names: Vec<String> = ["id", "page_id"].into_iter().chain(parent).chain(own).map(quoted).collect();
        let marks = vec!["?"; names.len()].join(", ");
        db.prepare(&format!("INSERT INTO {}({}) VALUES ({marks})", quoted(&part.name), names.join(", ")))
    };
    table.parts.iter().enumerate().map(statement).collect()
}

#[derive(Debug, Clone, Copy)]
enum SqlValue<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            SqlValue::Null => ValueRef::Null,
            SqlValue::Integer(n) => ValueRef::Integer(n),
            SqlValue::Real(x) => ValueRef::Real(x),
            SqlValue::Text(t) => ValueRef::Text(t.as_bytes()),
        }))
    }
}

/// The value as the column's type has it, or the text as it stands on the page.
fn typed<'a>(column: &Column, cell: &StagedCell<'a>) -> SqlValue<'a> {
    match cell.typed {
        Some(text) => stored(column.value_type.storage(), text),
        None => SqlValue::Text(cell.value),
    }
}

/// What is kept beside the value: a currency, a number.
fn beside<'a>(column: &Column, cell: &StagedCell<'a>) -> SqlValue<'a> {
    match (&column.beside, cell.beside) {
        (Some((_, storage)), Some(text)) => stored(*storage, text),
        _ => SqlValue::Null,
    }
}

fn stored(storage: Storage, text: &str) -> SqlValue<'_> {
    let number = match storage {
        Storage::Integer => text.parse().ok().map(SqlValue::Integer),
        // `parse` also takes words such as "inf" and "NaN".
        Storage::Real if !text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')) => {
            text.parse().ok().filter(|x: &f64| x.is_finite()).map(SqlValue::Real)
        }
        _ => None,
    };
    number.unwrap_or(SqlValue::Text(text))
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

/// Fills the keys beside links: the row of the referenced table on the page that the link leads to, the first one
/// where there are several.
fn resolve_links(db: &Connection, layout: &Layout) -> Result<()> {
    for (table, part) in layout.parts() {
        let mut assignments = Vec::new();
        let mut present = Vec::new();
        for column in &table.columns[part.columns.clone()] {
            let Some((key, target)) = &column.key else { continue };
            let (key, link) = (quoted(key), quoted(&column.name));
            assignments.push(format!(
                "{key} = (SELECT t.row_id FROM stage.targets t WHERE t.table_index = {target} AND t.url = \
                 CASE WHEN instr({link}, '#') > 0 THEN substr({link}, 1, instr({link}, '#') - 1) ELSE {link} END)"
            ));
            present.push(format!("{link} IS NOT NULL"));
        }
        if !assignments.is_empty() {
            let (assignments, present) = (assignments.join(", "), present.join(" OR "));
            db.execute(&format!("UPDATE {} SET {assignments} WHERE {present}", quoted(&part.name)), [])?;
        }
    }
    Ok(())
}
