//! Rows of lists joined to the rows of the pages they are about, by their values.

use std::path::Path;

use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use unsite_records::align::{FieldMatch, FieldProfiles};
use unsite_records::dedup::{DedupConfig, Pairing};
use unsite_records::link::{Linked, link};
use unsite_records::record::RecordSet;
use unsite_store::records_io::read_records;
use unsite_store::same_rows::{SameRow, SiteTable, linked_rows, site_tables, write_same};

/// Rows of one table joined to those of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// The table whose rows are about those of the other.
    pub table: String,
    /// The table of pages that they are about.
    pub to: String,
    /// The columns that were compared, of the one and of the other.
    pub columns: Vec<(String, String)>,
    /// How many rows the table has.
    pub rows: u64,
    /// How many were joined because a link leads to the other row.
    pub by_link: usize,
    /// How many were joined by their values alone.
    pub by_values: usize,
    /// Of the rows with a link that were also joined by their values: how many times both say the same.
    pub agreed: usize,
    /// How many rows that is out of.
    pub compared: usize,
}

/// The fewest rows on both sides: with less there is nothing to learn what values are worth from.
const FEWEST_ROWS: u64 = 3;

/// Joins the rows of a site's database that are about the same thing and keeps the answer in its table `_same`.
///
/// # What it does
/// A table with one row a page describes things; other tables mention them. For each table the table of pages that shares most
/// identifying values with it is chosen, its columns are matched by their values, and the rows are linked as records, several
/// mentions to one thing. Where a link already leads to a row, the link is believed; how often the values agree with links is
/// told, as a measure of how far to trust the others.
/// # Assumes
/// A mention repeats something that identifies the thing, such as its title.
/// # When it fails
/// Mentions cut short to a few letters; things that have the same title and nothing else in common with their mentions.
/// # Paper
/// Ours; record linkage of Fellegi and Sunter 1969 between the tables of one site.
pub fn join(database: &Path) -> Result<Vec<Joined>> {
    let context = || format!("cannot join the rows of {}", database.display());
    let tables: Vec<SiteTable> = site_tables(database)
        .with_context(context)?
        .into_iter()
        .filter(|table| table.rows >= FEWEST_ROWS && !table.columns.is_empty())
        .collect();
    let mut sides = Vec::new();
    for table in tables {
        let records = rows_of(database, &table).with_context(context)?;
        sides.push(Side { profiles: FieldProfiles::of(&records), table, records });
    }
    let mut out = Vec::new();
    for side in &sides {
        if let Some((thing, columns)) = thing_of(side, &sides) {
            out.extend(join_two(database, side, thing, &columns).with_context(context)?);
        }
    }
    Ok(out)
}

struct Side {
    table: SiteTable,
    records: RecordSet,
    profiles: FieldProfiles,
}

/// The table of pages that shares most identifying values with a table. Of two tables of pages the smaller mentions the larger.
fn thing_of<'s>(mentions: &Side, sides: &'s [Side]) -> Option<(&'s Side, Vec<FieldMatch>)> {
    let size = |side: &Side| (side.table.rows, std::cmp::Reverse(side.table.name.clone()));
    let larger = |side: &Side| !mentions.table.is_of_pages || size(side) > size(mentions);
    let mut best: Option<(usize, &Side)> = None;
    for side in sides {
        if side.table.is_of_pages && side.table.name != mentions.table.name && larger(side) {
            let common = mentions.profiles.common_keys(&side.profiles);
            if common > best.map_or(0, |b| b.0) {
                best = Some((common, side));
            }
        }
    }
    let (_, side) = best?;
    Some((side, mentions.profiles.align(&side.profiles)))
}

fn join_two(
    database: &Path,
    mentions: &Side,
    things: &Side,
    columns: &[FieldMatch],
) -> Result<Option<Joined>> {
    let pick = |records: &RecordSet, fields: Vec<usize>| {
        let names = columns.iter().map(|m| mentions.records.fields()[m.first].clone()).collect();
        let mut out = RecordSet::new(names);
        for record in 0..records.len() as u32 {
            out.push(records.id(record), fields.iter().map(|&f| records.value(record, f).map(str::to_owned)));
        }
        out
    };
    let first = pick(&mentions.records, columns.iter().map(|m| m.first).collect());
    let second = pick(&things.records, columns.iter().map(|m| m.second).collect());
    let config = DedupConfig { pairing: Pairing::ManyToOne, ..DedupConfig::default() };
    let found = by_values(&first, &second, &link(&first, &second, &config)?);
    let followed: Vec<&str> = mentions
        .table
        .links
        .iter()
        .filter(|(_, to)| *to == things.table.name)
        .map(|(column, _)| column.as_str())
        .collect();
    let links: FxHashMap<i64, i64> = match followed.is_empty() {
        true => FxHashMap::default(),
        false => linked_rows(database, &mentions.table.name, &followed)?.into_iter().collect(),
    };
    let with_link: Vec<&SameRow> = found.iter().filter(|row| links.contains_key(&row.first_id)).collect();
    let mut rows: Vec<SameRow> =
        found.iter().filter(|row| !links.contains_key(&row.first_id)).cloned().collect();
    let joined = Joined {
        table: mentions.table.name.clone(),
        to: things.table.name.clone(),
        columns: columns
            .iter()
            .map(|m| (mentions.records.fields()[m.first].clone(), things.records.fields()[m.second].clone()))
            .collect(),
        rows: mentions.table.rows,
        by_link: links.len(),
        by_values: rows.len(),
        agreed: with_link.iter().filter(|row| links[&row.first_id] == row.second_id).count(),
        compared: with_link.len(),
    };
    rows.extend(links.iter().map(|(&first_id, &second_id)| SameRow {
        first_id,
        second_id,
        probability: None,
    }));
    rows.sort_by_key(|row| row.first_id);
    if rows.is_empty() {
        return Ok(None);
    }
    write_same(database, &joined.table, &joined.to, &rows)?;
    Ok(Some(joined))
}

/// Links between records as links between rows; ids that are no numbers cannot be.
fn by_values(first: &RecordSet, second: &RecordSet, linked: &Linked) -> Vec<SameRow> {
    let row = |l: &unsite_records::link::Link| {
        Some(SameRow {
            first_id: first.id(l.a).parse().ok()?,
            second_id: second.id(l.b).parse().ok()?,
            probability: Some(l.probability()),
        })
    };
    linked.links.iter().filter_map(row).collect()
}

/// The values of a table as records, without its keys.
fn rows_of(database: &Path, table: &SiteTable) -> Result<RecordSet> {
    let read = read_records(&format!("{}:{}", database.display(), table.name))?;
    let place = |name: &str| read.fields.iter().position(|field| field == name);
    let id = place("id");
    let places: Vec<Option<usize>> = table.columns.iter().map(|column| place(column)).collect();
    let mut records = RecordSet::new(table.columns.clone());
    for row in &read.rows {
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at).cloned().flatten());
        records.push(cell(id).unwrap_or_default(), places.iter().map(|&at| cell(at)));
    }
    Ok(records)
}
