//! Labelled records against the rows of tables.

use super::prepared::Prepared;
use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::{GoldPage, Ordered, Text};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use unsite_learn::measures::records::{PageRows, best_table};
use unsite_learn::measures::text_match::norm;

/// A kind of page with fewer labelled records says nothing and is left out.
const FEWEST_RECORDS: usize = 3;

type Rows<'a> = PageRows<&'a str>;
/// The labelled records of pages.
type Labelled<'a> = BTreeMap<&'a str, &'a [Ordered<Text>]>;

/// The best table for each kind of page that has labelled records.
pub(super) fn score(found: &Prepared, gold: &[GoldPage]) -> Vec<TargetScore> {
    let tables = tables(found);
    let mut scores = Vec::new();
    for (kind, labelled) in kinds(gold) {
        let wanted: Rows = labelled.iter().map(|(page, records)| (*page, normalised(records))).collect();
        if wanted.values().map(Vec::len).sum::<usize>() < FEWEST_RECORDS {
            continue;
        }
        let best = best_table(&tables, &wanted);
        let mut score = TargetScore::new(kind, best.prf);
        score.matched = best.column.map(str::to_string);
        let rows = tables.iter().find(|(name, _)| Some(*name) == best.column);
        score.misses = labelled
            .iter()
            .filter_map(|(page, records)| first_miss(page, records, rows))
            .take(EXAMPLES)
            .collect();
        scores.push(score);
    }
    scores
}

/// The rows of every table by page, tables and rows in the order of their first cell.
fn tables<'a>(found: &'a Prepared) -> Vec<(&'a str, Rows<'a>)> {
    let mut tables: Vec<(&str, Rows)> = Vec::new();
    let mut table_number: FxHashMap<&str, usize> = FxHashMap::default();
    let mut row_number: FxHashMap<(usize, &str, &str), usize> = FxHashMap::default();
    for cell in &found.cells {
        let table = *table_number.entry(cell.table).or_insert_with(|| {
            tables.push((cell.table, Rows::new()));
            tables.len() - 1
        });
        let rows = tables[table].1.entry(cell.page).or_default();
        let row = *row_number.entry((table, cell.page, cell.row)).or_insert_with(|| {
            rows.push(Vec::new());
            rows.len() - 1
        });
        rows[row].push(cell.value.clone());
    }
    tables
}

/// The labelled records of each kind of page, kinds in the order of their first page.
fn kinds(gold: &[GoldPage]) -> Vec<(&str, Labelled<'_>)> {
    let mut kinds: Vec<(&str, Labelled)> = Vec::new();
    for page in gold.iter().filter(|page| !page.records.is_empty()) {
        let id = kinds.iter().position(|(kind, _)| *kind == page.kind()).unwrap_or_else(|| {
            kinds.push((page.kind(), Labelled::new()));
            kinds.len() - 1
        });
        kinds[id].1.insert(key(&page.file), &page.records);
    }
    kinds
}

fn normalised(records: &[Ordered<Text>]) -> Vec<Vec<String>> {
    records.iter().map(|record| record.iter().map(|(_, value)| norm(value.as_str())).collect()).collect()
}

/// The first record of a page that has no row, beside the row in its place.
fn first_miss(page: &str, records: &[Ordered<Text>], rows: Option<&(&str, Rows)>) -> Option<Miss> {
    let wanted = normalised(records);
    let table = match rows {
        Some((name, pages)) => {
            vec![(*name, Rows::from([(page, pages.get(page).cloned().unwrap_or_default())]))]
        }
        None => Vec::new(),
    };
    // Records take rows one after the other, so the first prefix with a record too many ends at the lost one.
    let whole = |n: usize| best_table(&table, &Rows::from([(page, wanted[..n].to_vec())])).prf.recall >= 1.0;
    if whole(wanted.len()) {
        return None;
    }
    let lost = (1..=wanted.len()).collect::<Vec<_>>().partition_point(|&n| whole(n));
    let here = table.first().and_then(|(_, pages)| pages.get(page)?.get(lost));
    let expected = records[lost].iter().map(|(_, value)| value.as_str());
    Some(Miss::new(page, expected, here.into_iter().flatten().map(String::as_str)))
}
