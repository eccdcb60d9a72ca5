//! The schema that a person sees against the tables behind the site.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_learn::measures::Prf;
use unsite_learn::measures::text_match::norm;

use super::naming::shares_a_word;
use super::{Miss, TargetScore};
use crate::gold::{GoldPage, TrueSchema, TrueTable};
use crate::observed::Observed;

/// A column is the true one when their distinct values agree this far, by F1.
const AGREES: f64 = 0.8;

type Values = FxHashSet<String>;
type Columns<'a> = BTreeMap<&'a str, Values>;

/// Every true table is served by one table, every true column by one column of it. Precision is over all columns that are shown, but
/// for links and pictures: a thing told twice costs as much as a miss.
pub(super) fn score(observed: &Observed, gold: &[GoldPage], wanted: &TrueSchema) -> Option<TargetScore> {
    let wanted: BTreeMap<&str, Columns<'_>> =
        wanted.iter().map(|(name, table)| (name.as_str(), truth(table, gold))).collect();
    let all: usize = wanted.values().map(BTreeMap::len).sum();
    if all == 0 {
        return None;
    }
    let mut shown: BTreeMap<&str, Columns<'_>> = BTreeMap::new();
    for cell in observed.cells.iter().filter(|cell| !cell.is_copy) {
        let Some(value) = cell.value.as_deref() else { continue };
        shown.entry(&cell.table).or_default().entry(&cell.column).or_default().insert(norm(value));
    }
    let mut candidates: Vec<(&str, &str, BTreeMap<&str, &str>)> = Vec::new();
    for (entity, columns) in &wanted {
        for (table, have) in &shown {
            let served = serve(columns, have);
            if !served.is_empty() {
                candidates.push((entity, table, served));
            }
        }
    }
    candidates.sort_by(|a, b| b.2.len().cmp(&a.2.len()).then((a.0, a.1).cmp(&(b.0, b.1))));
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut out: BTreeMap<&str, (&str, BTreeMap<&str, &str>)> = BTreeMap::new();
    for (entity, table, served) in candidates {
        if !out.contains_key(entity) && used.insert(table) {
            out.insert(entity, (table, served));
        }
    }
    let hit: usize = out.values().map(|(_, served)| served.len()).sum();
    let serves: BTreeSet<(&str, &str)> = out
        .values()
        .flat_map(|(table, served)| served.values().map(move |column| (*table, *column)))
        .collect();
    let is_link = |table: &str, column: &str| observed.links.contains(&(table.to_owned(), column.to_owned()));
    let columns =
        shown.iter().flat_map(|(table, columns)| columns.keys().map(move |column| (*table, *column)));
    let counted = columns.filter(|place| serves.contains(place) || !is_link(place.0, place.1)).count();
    let mut target = TargetScore::new("schema", Prf::from_counts(hit, counted, all));
    let missing: Vec<String> = wanted
        .iter()
        .flat_map(|(entity, columns)| columns.keys().map(move |column| (*entity, *column)))
        .filter(|(entity, column)| out.get(entity).is_none_or(|(_, served)| !served.contains_key(column)))
        .map(|(entity, column)| format!("{entity}.{column}"))
        .collect();
    target.note = format!(
        "{} of {} tables, {hit} of {all} columns; shown {} tables, {counted} columns",
        out.len(),
        wanted.len(),
        shown.len(),
    );
    if !missing.is_empty() {
        target.note += &format!("; missing {}", missing.join(", "));
    }
    let found: Vec<(String, String)> = out
        .iter()
        .flat_map(|(entity, (table, served))| {
            served
                .iter()
                .map(move |(wanted, column)| (format!("{entity}.{wanted}"), format!("{table}.{column}")))
        })
        .collect();
    let is_named = |(wanted, column): &&(String, String)| {
        let place = column.split_once('.').map(|(table, column)| (table.to_owned(), column.to_owned()));
        let label = place.and_then(|place| observed.labels.get(&place));
        shares_a_word(wanted, column, label.map(String::as_str))
    };
    if !found.is_empty() {
        let named = found.iter().filter(is_named).count();
        target.more.insert("names", named as f64 / found.len() as f64);
        target.note += &format!("; {named} of {} named as the site or the truth does", found.len());
        let others = found.iter().filter(|found| !is_named(found));
        target.misses =
            others.map(|(wanted, column)| Miss::new("name", [wanted.as_str()], [column.as_str()])).collect();
    }
    Some(target)
}

/// The true columns of a table with their distinct values, as the labels state them.
fn truth<'a>(table: &'a TrueTable, gold: &'a [GoldPage]) -> Columns<'a> {
    let takes_all = table.columns.iter().any(|column| column == "*");
    let named = |column: &str| table.columns.iter().any(|known| known == column);
    let mut columns = Columns::new();
    for page in gold {
        let states = |what: &str| table.from.iter().any(|from| *from == format!("{}.{what}", page.kind()));
        let mut add = |name: &'a str, value: &str| {
            if named(name) || takes_all && name != "url" {
                columns.entry(name).or_default().insert(norm(value));
            }
        };
        if states("fields") {
            page.fields.iter().for_each(|(name, values)| values.iter().for_each(|value| add(name, &value.0)));
        }
        if states("records") {
            page.records
                .iter()
                .flat_map(|record| record.iter())
                .for_each(|(name, value)| add(name, &value.0));
        }
    }
    columns
}

/// For each true column the column that serves it, best pairs first.
fn serve<'a>(wanted: &Columns<'a>, have: &Columns<'a>) -> BTreeMap<&'a str, &'a str> {
    let mut pairs: Vec<(f64, &str, &str)> = Vec::new();
    for (name, values) in wanted {
        for (column, found) in have {
            let common = values.intersection(found).count();
            let f1 = 2.0 * common as f64 / (values.len() + found.len()).max(1) as f64;
            if f1 >= AGREES {
                pairs.push((f1, name, column));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken: FxHashMap<&str, &str> = FxHashMap::default();
    let mut served: BTreeMap<&str, &str> = BTreeMap::new();
    for (_, name, column) in pairs {
        if !served.contains_key(name) && !taken.contains_key(column) {
            taken.insert(column, name);
            served.insert(name, column);
        }
    }
    served
}
