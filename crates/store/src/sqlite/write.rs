//! The staged pages, written out in an order that does not depend on the order they came in.
//!
//! # What it does
//! Pages are numbered by (URL, reference, fingerprint), and their rows in that order, each by its place in its page;
//! what a database holds already keeps its number. SQLite sorts the pages by those keys alone, on disk when there are
//! many; each page is then read back once. A row that is seen again (rows are known by addresses, and those of relations by
//! what they say) is one row: it has what its own page says, and what that does not say from the first page that does. Of
//! several captures of an address the newest is written here; the others are history.
//! # Assumes
//! Two pages that agree in all three and in everything they gave are the same page.
//! # When it fails
//! Any error leaves the temporary database unusable; the caller throws it away.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Result, Statement, ToSql, params};
use unsite_dom::Moment;
use unsite_wrapper::Storage;

use super::codec::{StagedCell, StagedPage, StagedRow, decode};
use super::history::write_history;
use super::links::resolve_links;
use super::natural_keys::declare_natural_keys;
use super::schema::{create_indexes, table_sql};
use super::search_index::index_texts;
use super::write_receipts::{note_rows, write_receipts};
use crate::identity::{Found, RowIds, Seen, number_pages};
use crate::plan::{Column, Layout, Part, Table, main_text, quoted};

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
    let cells = if layout.has_receipts { write_receipts(db, layout)? } else { 0 };
    resolve_links(db, "main", layout)?;
    write_main_texts(db)?;
    let problems = db.execute(
        "INSERT INTO _problems SELECT * FROM stage.problems ORDER BY kind, ref, url, offset, message",
        [],
    )?;
    create_indexes(db, "main", layout)?;
    declare_natural_keys(db, "main", layout)?;
    if layout.is_searched {
        index_texts(db, "main", layout)?;
    }
    Ok(Counts { problems: problems as u64, cells, ..counts })
}

fn write_pages(db: &Connection, layout: &Layout) -> Result<Counts> {
    number_pages(db)?;
    let mut writer = Writer::new(db, layout)?;
    writer.counts.pages += write_history(db, layout, &mut writer.row_ids)?;
    let mut order = db.prepare(
        "SELECT seq, url, ref, id, captured FROM stage.pages JOIN stage.page_ids USING (seq)
         WHERE seq NOT IN (SELECT seq FROM stage.past) ORDER BY url, ref, fingerprint, tie",
    )?;
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
        let captured = page.get::<_, Option<i64>>(4)?.and_then(Moment::from_unix);
        let place = (url, page.get_ref(2)?.as_str()?);
        let found = writer.page(page.get(3)?, place, captured, &staged)?;
        note_rows(db, page.get(0)?, &found)?;
    }
    writer.finish()
}

/// Makes and fills `_main_text` where any page came with its main text.
fn write_main_texts(db: &Connection) -> Result<()> {
    let asked: bool = db.query_row("SELECT EXISTS (SELECT 1 FROM stage.main_texts)", [], |row| row.get(0))?;
    if !asked {
        return Ok(());
    }
    db.execute_batch(&table_sql("main", &main_text()))?;
    db.execute_batch(
        "INSERT INTO _main_text SELECT p.ref, m.text, i.id
         FROM stage.main_texts m JOIN stage.pages p USING (seq) JOIN stage.page_ids i USING (seq) ORDER BY i.id",
    )
}

struct Writer<'a> {
    db: &'a Connection,
    layout: &'a Layout,
    counts: Counts,
    insert_page: Statement<'a>,
    /// By table and part.
    insert_row: Vec<Vec<Inserts<'a>>>,
    pages_of_type: Vec<i64>,
    row_ids: RowIds<'a>,
}

impl<'a> Writer<'a> {
    fn new(db: &'a Connection, layout: &'a Layout) -> Result<Self> {
        let insert_row = layout.tables.iter().map(|t| row_statements(db, t)).collect::<Result<_>>()?;
        Ok(Writer {
            db,
            layout,
            counts: Counts { rows: vec![0; layout.tables.len()], ..Counts::default() },
            insert_page: db.prepare("INSERT INTO _pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)")?,
            insert_row,
            pages_of_type: vec![0; layout.page_types.len()],
            row_ids: RowIds::new(db, layout)?,
        })
    }

    fn page(
        &mut self,
        page_id: i64,
        (url, reference): (&str, &str),
        captured: Option<Moment>,
        page: &StagedPage<'_>,
    ) -> Result<Vec<Found>> {
        self.counts.pages += 1;
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
            page.problems as i64,
            captured.map(|captured| captured.to_string())
        ])?;
        let found = self.row_ids.of(page_id, &page.rows, self.layout)?;
        for (row, &this) in page.rows.iter().zip(&found) {
            let parent = row.parent.map(|parent| found[parent].id);
            self.row(page_id, this, parent, row)?;
        }
        Ok(found)
    }

    fn row(&mut self, page_id: i64, this: Found, parent: Option<i64>, row: &StagedRow<'_>) -> Result<()> {
        let table = &self.layout.tables[row.table];
        self.counts.rows[row.table] += i64::from(this.seen == Seen::First);
        if !table.is_shown {
            return Ok(());
        }
        let parent = table.parent.as_ref().map(|_| parent);
        let mut values = vec![SqlValue::Null; table.columns.len()];
        let mut besides = values.clone();
        // What is told again stands in only where nothing else does.
        for cell in
            row.cells.iter().filter(|cell| !cell.is_copy).chain(row.cells.iter().filter(|c| c.is_copy))
        {
            let value = &mut values[cell.column];
            if matches!(value, SqlValue::Null) {
                let column = &table.columns[cell.column];
                *value = typed(column, cell, self.layout.keeps_texts);
                besides[cell.column] = beside(column, cell, self.layout.keeps_texts);
            }
        }
        if let Some(key) = table.key {
            values[key] = row.key.map_or(SqlValue::Null, SqlValue::Text);
        }
        for (index, (part, inserts)) in table.parts.iter().zip(&mut self.insert_row[row.table]).enumerate() {
            let says_nothing = |key: Option<usize>| {
                let mut all = table.columns_of(part).filter(|(at, _)| Some(*at) != key);
                all.all(|(at, _)| matches!(values[at], SqlValue::Null))
            };
            let statement = match this.seen {
                Seen::First if index > 0 && says_nothing(None) => continue,
                Seen::Again if says_nothing(table.key) => continue,
                Seen::First => &mut inserts.first,
                Seen::Again => &mut inserts.again,
                Seen::OnItsPage => &mut inserts.on_its_page,
            };
            statement.raw_bind_parameter(1, this.id)?;
            statement.raw_bind_parameter(2, page_id)?;
            let mut next = 3;
            if let Some(parent) = parent.filter(|_| index == 0) {
                statement.raw_bind_parameter(next, parent)?;
                next += 1;
            }
            for (at, column) in table.columns_of(part) {
                statement.raw_bind_parameter(next, values[at])?;
                next += 1;
                if column.beside.is_some() {
                    statement.raw_bind_parameter(next, besides[at])?;
                    next += 1;
                }
            }
            statement.raw_execute()?;
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

/// The ways to put a row into one of the tables that hold it.
struct Inserts<'a> {
    first: Statement<'a>,
    /// Adds what is not known of it yet.
    again: Statement<'a>,
    /// Its own page knows best.
    on_its_page: Statement<'a>,
}

fn row_statements<'a>(db: &'a Connection, table: &Table) -> Result<Vec<Inserts<'a>>> {
    if !table.is_shown {
        return Ok(Vec::new());
    }
    table.parts.iter().map(|part| inserts(db, table, part)).collect()
}

fn inserts<'a>(db: &'a Connection, table: &Table, part: &Part) -> Result<Inserts<'a>> {
    let parent = table.parent.iter().filter(|_| part.at == 0).map(|(_, key)| quoted(key));
    let mut names: Vec<String> = ["id".to_owned(), "page_id".to_owned()].into_iter().chain(parent).collect();
    let rest = |names: &[String], new: &str, old: &str| -> Vec<String> {
        names[2..].iter().map(|name| format!("{name} = coalesce({new}{name}, {old}{name})")).collect()
    };
    let (mut again, mut on_its_page) = (rest(&names, "o.", "excluded."), rest(&names, "excluded.", "o."));
    on_its_page.push("page_id = excluded.page_id".to_owned());
    for (_, column) in table.columns_of(part) {
        let name = quoted(&column.name);
        again.push(format!("{name} = coalesce(o.{name}, excluded.{name})"));
        on_its_page.push(format!("{name} = coalesce(excluded.{name}, o.{name})"));
        // A currency belongs to its amount.
        if let Some((beside, _)) = &column.beside {
            let beside = quoted(beside);
            let either = |first: &str, second: &str| {
                format!("{beside} = iif({first}.{name} IS NULL, {second}.{beside}, {first}.{beside})")
            };
            again.push(either("o", "excluded"));
            on_its_page.push(either("excluded", "o"));
            names.extend([name, beside]);
        } else {
            names.push(name);
        }
    }
    let marks = vec!["?"; names.len()].join(", ");
    let insert = format!("INSERT INTO {} AS o({}) VALUES ({marks})", quoted(&part.name), names.join(", "));
    let or = |set: &[String]| match set.is_empty() {
        true => db.prepare(&format!("{insert} ON CONFLICT (id) DO NOTHING")),
        false => db.prepare(&format!("{insert} ON CONFLICT (id) DO UPDATE SET {}", set.join(", "))),
    };
    Ok(Inserts { first: db.prepare(&insert)?, again: or(&again)?, on_its_page: or(&on_its_page)? })
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

/// The value as the column's type has it, or the text as it stands on the page. A text that is no number of that
/// type but that SQLite would make one of (`007`) is left to `_cells`, unless the column takes it.
fn typed<'a>(column: &Column, cell: &StagedCell<'a>, keeps_texts: bool) -> SqlValue<'a> {
    stored(column.value_type.storage(), cell.typed, cell.value, keeps_texts)
}

/// What is kept beside the value: a currency, a number.
fn beside<'a>(column: &Column, cell: &StagedCell<'a>, keeps_texts: bool) -> SqlValue<'a> {
    match (&column.beside, cell.beside) {
        (Some((_, storage)), Some(text)) => stored(*storage, Some(text), text, keeps_texts),
        _ => SqlValue::Null,
    }
}

/// The same for a store that has types and keeps texts apart.
pub(crate) fn stored_text<'a>(storage: Storage, typed: Option<&'a str>, raw: &'a str) -> ValueRef<'a> {
    match stored(storage, typed, raw, true) {
        SqlValue::Null => ValueRef::Null,
        SqlValue::Integer(n) => ValueRef::Integer(n),
        SqlValue::Real(x) => ValueRef::Real(x),
        SqlValue::Text(t) => ValueRef::Text(t.as_bytes()),
    }
}

fn stored<'a>(storage: Storage, typed: Option<&'a str>, raw: &'a str, keeps_texts: bool) -> SqlValue<'a> {
    let text = typed.unwrap_or(raw);
    // `parse` also takes words such as "inf" and "NaN".
    let real = || -> Option<f64> {
        let is_word = text.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E'));
        text.trim().parse().ok().filter(|_| !is_word)
    };
    let number = match storage {
        Storage::Integer => text.parse().ok().map(SqlValue::Integer),
        Storage::Real => real().filter(|x| x.is_finite()).map(SqlValue::Real),
        Storage::Text | Storage::Date => return SqlValue::Text(text),
    };
    match number.filter(|_| typed.is_some()) {
        Some(number) => number,
        None if keeps_texts => SqlValue::Text(raw),
        None if real().is_some() => SqlValue::Null,
        None => SqlValue::Text(text),
    }
}
