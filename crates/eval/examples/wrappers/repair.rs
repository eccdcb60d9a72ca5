//! Repair over all ordered pairs of themes: what of the labelled fields is found again under its old name.

use std::collections::BTreeMap;
use std::path::Path;

use unsite_discover::page_types::Options;
use unsite_discover::{Site, read_all};
use unsite_dom::{Limits, RawPage, collapse};
use unsite_wrapper::{PageRecord, Provenance, Wrapper};

use super::{Gold, Outcome, saved, theme_groups};

/// A column serves a field when it is right on this share of the pages that show the field.
const SERVED: f64 = 0.95;

/// A column that was taken over and is right on fewer pages than this is confidently wrong.
const WRONG: f64 = 0.5;

/// The labelled values of one page: by page type and field, whether the field is of the page's list.
type Labels = BTreeMap<(String, String, bool), Vec<String>>;

pub(super) fn repair(data: &Path, filter: &str) -> Outcome {
    let (mut fields, mut recovered, mut refused, mut partly, mut wrong, mut pairs) = (0, 0, 0, 0, 0, 0);
    for group in theme_groups(data, filter)? {
        for old in &group {
            let saved = saved(raw(old));
            let served = served(old, &saved.wrapper);
            for new in group.iter().filter(|new| new.name != old.name) {
                let site = Site::parse(raw(new), &Limits::default());
                let options = Options { seed: 42, ..Options::default() };
                let repair = unsite_discover::repair(&site, &saved, &options, Provenance::default());
                let shown = shown(new);
                let records = read_all(&site, &repair.saved.wrapper);
                let (mut here, mut good) = (0, 0);
                let mut notes = Vec::new();
                for (field, &(table, column)) in &served {
                    if !shown.contains_key(field) {
                        continue;
                    }
                    here += 1;
                    let accepted = repair.is_proved()
                        && repair.columns.iter().any(|proof| {
                            let schema = &saved.wrapper.schema.tables[table];
                            proof.table == schema.name
                                && proof.column == schema.columns[column].name
                                && proof.proof.is_some()
                        });
                    if !accepted {
                        refused += 1;
                        notes.push(format!("{}.{} refused", field.0, field.1));
                        continue;
                    }
                    let share = right(new, &records, field, (table, column));
                    if share >= SERVED {
                        good += 1;
                    } else if share >= WRONG {
                        partly += 1;
                        notes.push(format!("{}.{} {share:.2}", field.0, field.1));
                    } else {
                        wrong += 1;
                        notes.push(format!("{}.{} WRONG {share:.2}", field.0, field.1));
                    }
                }
                pairs += 1;
                fields += here;
                recovered += good;
                println!(
                    "{:28} -> {:28} {good:2}/{here:2} records {}/{} {} {}",
                    old.name,
                    new.name,
                    repair.found,
                    repair.records,
                    if repair.is_proved() { "" } else { "REFUSED" },
                    notes.join(", ")
                );
            }
        }
    }
    println!(
        "{pairs} pairs: {recovered} of {fields} fields recovered ({:.3}), {refused} refused, {partly} partly right, {wrong} confidently wrong",
        f64::from(recovered) / f64::from(fields.max(1))
    );
    Ok(())
}

fn raw(gold: &Gold) -> Vec<RawPage> {
    gold.pages.iter().map(|(page, _)| page.clone()).collect()
}

/// For each labelled field the column that serves it.
fn served(gold: &Gold, wrapper: &Wrapper) -> BTreeMap<(String, String, bool), (usize, usize)> {
    let site = Site::parse(raw(gold), &Limits::default());
    let records = read_all(&site, wrapper);
    let mut served = BTreeMap::new();
    for field in shown(gold).into_keys() {
        let mut best: Option<(f64, (usize, usize))> = None;
        for (table, info) in wrapper.schema.tables.iter().enumerate() {
            for column in 0..info.columns.len() {
                let share = right(gold, &records, &field, (table, column));
                if share >= SERVED && best.is_none_or(|(known, _)| share > known) {
                    best = Some((share, (table, column)));
                }
            }
        }
        if let Some((_, place)) = best {
            served.insert(field, place);
        }
    }
    served
}

/// The fields that a theme shows, and on how many pages.
fn shown(gold: &Gold) -> BTreeMap<(String, String, bool), usize> {
    let mut shown = BTreeMap::new();
    for page in gold.labels.values() {
        for (field, values) in labels(gold, page.file.rsplit('/').next().unwrap_or_default()) {
            if !values.is_empty() {
                *shown.entry(field).or_insert(0) += 1;
            }
        }
    }
    shown
}

fn labels(gold: &Gold, file: &str) -> Labels {
    let mut labels = Labels::new();
    let Some(page) = gold.labels.get(file) else { return labels };
    let kind = page.kind().to_owned();
    let clean = |text: &str| collapse(text).into_owned();
    for (name, values) in page.fields.iter() {
        let values = values.iter().map(|value| clean(value.as_str())).filter(|value| !value.is_empty());
        labels.insert((kind.clone(), name.to_owned(), false), values.collect());
    }
    for record in &page.records {
        for (name, value) in record.iter() {
            labels.entry((kind.clone(), name.to_owned(), true)).or_default().push(clean(value.as_str()));
        }
    }
    labels
}

/// The share of the pages with a field on which a column gives its values.
fn right(gold: &Gold, records: &[PageRecord], field: &(String, String, bool), place: (usize, usize)) -> f64 {
    let (mut pages, mut good) = (0, 0);
    for record in records {
        let labels = labels(gold, record.reference.rsplit('/').next().unwrap_or_default());
        let Some(wanted) = labels.get(field).filter(|values| !values.is_empty()) else { continue };
        pages += 1;
        let given: Vec<&str> = record
            .rows
            .iter()
            .filter(|row| row.table == place.0)
            .flat_map(|row| row.cells.iter().filter(|cell| cell.column == place.1))
            .map(|cell| cell.value.as_str())
            .collect();
        let known = given.iter().filter(|value| wanted.iter().any(|wanted| wanted == *value)).count();
        let is_right = if field.2 {
            let found = wanted.iter().filter(|wanted| given.contains(&wanted.as_str())).count();
            known as f64 >= 0.9 * given.len() as f64 && found as f64 >= 0.9 * wanted.len() as f64
        } else {
            !given.is_empty() && known == given.len()
        };
        good += usize::from(is_right && !given.is_empty());
    }
    if pages == 0 { 0.0 } else { good as f64 / pages as f64 }
}
