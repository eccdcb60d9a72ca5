//! Repair over all ordered pairs of themes: what of the labelled fields is found again under its old name.

use std::collections::BTreeMap;
use std::path::Path;

use unsite_discover::page_types::Options;
use unsite_discover::{Site, read_all};
use unsite_dom::{Limits, RawPage, collapse};
use unsite_wrapper::{PageRecord, Provenance, SavedWrapper, Wrapper};

use super::{Gold, Outcome, saved, theme_groups};

/// A column serves a field when it is right on this share of the pages that show the field.
const SERVED: f64 = 0.95;

/// A column that was taken over and whose values are wrong on this share of the pages where it has any is confidently
/// wrong; one that has too few values is not.
const WRONG: f64 = 0.5;

/// A labelled field: page type, name, whether it is of the page's list.
type Field = (String, String, bool);

/// The labelled values of one page.
type Labels = BTreeMap<Field, Vec<String>>;

/// What became of the fields that both sides show.
#[derive(Default)]
pub(super) struct Tally {
    pairs: usize,
    fields: usize,
    recovered: usize,
    refused: usize,
    partly: usize,
    wrong: usize,
}

impl Tally {
    pub(super) fn print(&self) {
        println!(
            "{} pairs: {} of {} fields recovered ({:.3}), {} refused, {} partly right, {} confidently wrong",
            self.pairs,
            self.recovered,
            self.fields,
            self.recovered as f64 / self.fields.max(1) as f64,
            self.refused,
            self.partly,
            self.wrong
        );
    }
}

pub(super) fn repair(data: &Path, filter: &str) -> Outcome {
    let mut all = Tally::default();
    for group in theme_groups(data, filter)? {
        let mut here = Tally::default();
        for old in &group {
            let learned = Learned::of(old);
            for new in group.iter().filter(|new| new.name != old.name) {
                learned.repair(new, &mut [&mut here, &mut all]);
            }
        }
        here.print();
    }
    all.print();
    Ok(())
}

/// An old site, and which of its columns serve which labelled field.
pub(super) struct Learned<'g> {
    name: &'g str,
    pub(super) saved: SavedWrapper,
    served: BTreeMap<Field, (usize, usize)>,
}

impl<'g> Learned<'g> {
    pub(super) fn of(old: &'g Gold) -> Self {
        let saved = saved(raw(old));
        let served = served(old, &saved.wrapper);
        Learned { name: &old.name, saved, served }
    }

    /// Repairs for a changed site and counts what became of each field that it still shows.
    pub(super) fn repair(&self, new: &Gold, tallies: &mut [&mut Tally]) {
        let site = Site::parse(raw(new), &Limits::default());
        let options = Options { seed: 42, ..Options::default() };
        let repair = unsite_discover::repair(&site, &self.saved, &options, Provenance::default());
        let shown = shown(new);
        let records = read_all(&site, &repair.saved.wrapper);
        let mut one = Tally { pairs: 1, ..Tally::default() };
        let mut notes = Vec::new();
        for (field, &(table, column)) in self.served.iter().filter(|(field, _)| shown.contains_key(*field)) {
            let schema = &self.saved.wrapper.schema.tables[table];
            let name = &schema.columns[column].name;
            let proof =
                repair.columns.iter().find(|proof| proof.table == schema.name && proof.column == *name);
            one.fields += 1;
            let told = format!("{}.{}{}", field.0, field.1, if field.2 { "[]" } else { "" });
            if !repair.is_proved() || proof.is_none_or(|proof| proof.proof.is_none()) {
                one.refused += 1;
                let (agreed, compared) = proof.map_or((0, 0), |proof| (proof.agreed, proof.compared));
                notes.push(format!("{told} refused ({}.{name} {agreed}/{compared})", schema.name));
                continue;
            }
            let Share { right, wrong } = share(new, &records, field, (table, column));
            if right >= SERVED {
                one.recovered += 1;
            } else if wrong < WRONG * (right + wrong) || right + wrong == 0.0 {
                one.partly += 1;
                notes.push(format!("{told} right {right:.2} wrong {wrong:.2}"));
            } else {
                one.wrong += 1;
                notes.push(format!("{told} WRONG {wrong:.2} right {right:.2} ({}.{name})", schema.name));
            }
        }
        println!(
            "{:28} -> {:28} {:2}/{:2} records {}/{} {} {}",
            self.name,
            new.name,
            one.recovered,
            one.fields,
            repair.found,
            repair.records,
            if repair.is_proved() { "" } else { "REFUSED" },
            notes.join(", ")
        );
        for tally in tallies {
            tally.pairs += 1;
            tally.fields += one.fields;
            tally.recovered += one.recovered;
            tally.refused += one.refused;
            tally.partly += one.partly;
            tally.wrong += one.wrong;
        }
    }
}

fn raw(gold: &Gold) -> Vec<RawPage> {
    gold.pages.iter().map(|(page, _)| page.clone()).collect()
}

/// For each labelled field the column that serves it.
fn served(gold: &Gold, wrapper: &Wrapper) -> BTreeMap<Field, (usize, usize)> {
    let site = Site::parse(raw(gold), &Limits::default());
    let records = read_all(&site, wrapper);
    let mut served = BTreeMap::new();
    for field in shown(gold).into_keys() {
        let mut best: Option<(f64, (usize, usize))> = None;
        for (table, info) in wrapper.schema.tables.iter().enumerate() {
            for column in 0..info.columns.len() {
                let share = share(gold, &records, &field, (table, column)).right;
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
fn shown(gold: &Gold) -> BTreeMap<Field, usize> {
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

/// Shares of the pages with a field: a column gives its values, or it gives others.
struct Share {
    right: f64,
    wrong: f64,
}

fn share(gold: &Gold, records: &[PageRecord], field: &Field, place: (usize, usize)) -> Share {
    let (mut pages, mut right, mut wrong) = (0usize, 0usize, 0usize);
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
        if given.is_empty() {
            continue;
        }
        let known = given.iter().filter(|value| wanted.iter().any(|wanted| wanted == *value)).count();
        let is_right = if field.2 {
            let found = wanted.iter().filter(|wanted| given.contains(&wanted.as_str())).count();
            known as f64 >= 0.9 * given.len() as f64 && found as f64 >= 0.9 * wanted.len() as f64
        } else {
            known == given.len()
        };
        right += usize::from(is_right);
        wrong += usize::from(!is_right);
    }
    let of_pages = |count: usize| count as f64 / pages.max(1) as f64;
    Share { right: of_pages(right), wrong: of_pages(wrong) }
}
