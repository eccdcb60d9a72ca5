//! Repair over all ordered pairs of themes: what of the labelled fields is found again under its old name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use unsite_discover::page_types::Options;
use unsite_discover::{ColumnProof, Site, read_all};
use unsite_dom::{Limits, RawPage, collapse};
use unsite_wrapper::{PageRecord, Provenance, SavedWrapper, Wrapper, cut};

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
    /// Of those that are wrong by the labels of the new theme, the ones that are right by those of the old: a theme is
    /// labelled with what it shows, and the same page is about the same records in both.
    right_by_old: usize,
}

impl Tally {
    pub(super) fn print(&self) {
        println!(
            "{} pairs: {} of {} fields recovered ({:.3}), {} refused, {} partly right, {} confidently wrong \
             ({} of them right by the labels of the old theme for the same pages)",
            self.pairs,
            self.recovered,
            self.fields,
            self.recovered as f64 / self.fields.max(1) as f64,
            self.refused,
            self.partly,
            self.wrong,
            self.right_by_old
        );
    }
}

/// `pair` limits it to one old and one new theme, `OLD:NEW`, and shows values of what was not recovered.
pub(super) fn repair(data: &Path, filter: &str, pair: Option<&str>) -> Outcome {
    let mut all = Tally::default();
    let (from, to) = pair.and_then(|pair| pair.split_once(':')).unwrap_or(("", ""));
    for group in theme_groups(data, filter)? {
        let mut here = Tally::default();
        for old in group.iter().filter(|old| old.name.ends_with(from)) {
            let mut learned = Learned::of(old);
            learned.examples = pair.is_some();
            for new in group.iter().filter(|new| new.name != old.name && new.name.ends_with(to)) {
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
    gold: &'g Gold,
    pub(super) saved: SavedWrapper,
    served: BTreeMap<Field, (usize, usize)>,
    /// Show values of what was not recovered.
    examples: bool,
}

impl<'g> Learned<'g> {
    pub(super) fn of(old: &'g Gold) -> Self {
        let saved = saved(raw(old));
        let served = served(old, &saved.wrapper);
        Learned { gold: old, saved, served, examples: false }
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
        let pages = compared(&records, of_file(new));
        let by_old_labels = compared(&records, of_address(self.gold));
        for (field, &(table, column)) in self.served.iter().filter(|(field, _)| shown.contains_key(*field)) {
            let schema = &self.saved.wrapper.schema.tables[table];
            let name = &schema.columns[column].name;
            let of_column = |proof: &&ColumnProof| proof.table == schema.name && proof.column == *name;
            let proofs = || repair.columns.iter().filter(of_column);
            one.fields += 1;
            let told = format!("{}.{}{}", field.0, field.1, if field.2 { "[]" } else { "" });
            // By their names, as people find them again.
            let tables = &repair.saved.wrapper.schema.tables;
            let place = tables.iter().position(|table| table.name == schema.name).and_then(|table| {
                let column = tables[table].columns.iter().position(|column| column.name == *name)?;
                Some((table, column))
            });
            let Some(place) = place else {
                one.refused += 1;
                notes.push(format!("{told} LOST ({}.{name})", schema.name));
                continue;
            };
            if self.examples {
                println!("{told}: {}.{name}", schema.name);
                for proof in proofs() {
                    let ColumnProof { page_type, agreed, compared, selectors, .. } = proof;
                    println!("    {page_type} {agreed}/{compared} {} {selectors:?}", proof.is_proved());
                }
                show_values(new, &records, field, place);
            }
            let Share { right, wrong } = share(&pages, field, place);
            if !repair.is_proved() || !proofs().any(ColumnProof::is_proved) || right + wrong == 0.0 {
                one.refused += 1;
                let told_of: Vec<String> =
                    proofs().map(|proof| format!("{}/{}", proof.agreed, proof.compared)).collect();
                notes.push(format!("{told} refused ({}.{name} {})", schema.name, told_of.join(" ")));
                continue;
            }
            if right >= SERVED {
                one.recovered += 1;
            } else if wrong < WRONG * (right + wrong) {
                one.partly += 1;
                notes.push(format!("{told} right {right:.2} wrong {wrong:.2}"));
            } else {
                one.wrong += 1;
                let by_old = share(&by_old_labels, field, place).right;
                one.right_by_old += usize::from(by_old >= SERVED);
                notes.push(format!(
                    "{told} WRONG {wrong:.2} right {right:.2} ({}.{name}; {by_old:.2} by the old labels)",
                    schema.name
                ));
            }
        }
        println!(
            "{:28} -> {:28} {:2}/{:2} records {}/{} {} {}",
            self.gold.name,
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
            tally.right_by_old += one.right_by_old;
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
    let pages = compared(&records, of_file(gold));
    let mut served = BTreeMap::new();
    for field in shown(gold).into_keys() {
        let mut best: Option<(f64, (usize, usize))> = None;
        for (table, info) in wrapper.schema.tables.iter().enumerate() {
            for column in 0..info.columns.len() {
                let share = share(&pages, &field, (table, column)).right;
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

/// What a column gives on a few pages, and what it should.
fn show_values(gold: &Gold, records: &[PageRecord], field: &Field, place: (usize, usize)) {
    const SHOWN: usize = 4;
    let mut shown = 0;
    for record in records {
        let labels = labels(gold, record.reference.rsplit('/').next().unwrap_or_default());
        let Some(wanted) = labels.get(field).filter(|values| !values.is_empty()) else { continue };
        let given = given(record, place);
        if given.iter().eq(wanted.iter()) {
            continue;
        }
        let few =
            |values: &[&str]| values.iter().take(3).map(|value| cut(value).to_owned()).collect::<Vec<_>>();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        println!(
            "    {} {:?}: {} {:?} wanted {} {:?}",
            record.url,
            record.page_type,
            given.len(),
            few(&given),
            wanted.len(),
            few(&wanted)
        );
        shown += 1;
        if shown == SHOWN {
            break;
        }
    }
}

fn given(record: &PageRecord, place: (usize, usize)) -> Vec<&str> {
    let rows = record.rows.iter().filter(|row| row.table == place.0);
    let cells = rows.flat_map(|row| row.cells.iter().filter(|cell| cell.column == place.1));
    cells.map(|cell| cell.value.as_str()).collect()
}

/// A page with its labels and what was read off it, by table and column.
struct Compared<'r> {
    labels: Labels,
    given: BTreeMap<(usize, usize), Vec<&'r str>>,
}

fn compared(records: &[PageRecord], labels_of: impl Fn(&PageRecord) -> Labels) -> Vec<Compared<'_>> {
    let one = |record| {
        let mut given: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        let record: &PageRecord = record;
        for row in &record.rows {
            for cell in &row.cells {
                given.entry((row.table, cell.column)).or_default().push(cell.value.as_str());
            }
        }
        Compared { labels: labels_of(record), given }
    };
    records.iter().map(one).collect()
}

/// The labels of a page by the name of its file.
fn of_file(gold: &Gold) -> impl Fn(&PageRecord) -> Labels {
    |record| labels(gold, record.reference.rsplit('/').next().unwrap_or_default())
}

/// Those of the page with the same address in another theme.
fn of_address(gold: &Gold) -> impl Fn(&PageRecord) -> Labels {
    let files: BTreeMap<&str, &str> =
        gold.pages.iter().map(|(page, _)| (page.url.as_str(), page.reference.as_str())).collect();
    move |record| {
        let file = files.get(record.url.as_str()).and_then(|reference| reference.rsplit('/').next());
        file.map(|file| labels(gold, file)).unwrap_or_default()
    }
}

fn share(pages: &[Compared<'_>], field: &Field, place: (usize, usize)) -> Share {
    let (mut shown, mut right, mut wrong) = (0usize, 0usize, 0usize);
    for page in pages {
        let Some(wanted) = page.labels.get(field).filter(|values| !values.is_empty()) else { continue };
        shown += 1;
        let Some(given) = page.given.get(&place) else { continue };
        let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
        let known = given.iter().filter(|value| wanted.contains(*value)).count();
        let is_right = if field.2 {
            let given: BTreeSet<&str> = given.iter().copied().collect();
            let all = page.labels[field].len();
            let found = page.labels[field].iter().filter(|wanted| given.contains(wanted.as_str())).count();
            known as f64 >= 0.9 * page.given[&place].len() as f64 && found as f64 >= 0.9 * all as f64
        } else {
            known == given.len()
        };
        right += usize::from(is_right);
        wrong += usize::from(!is_right);
    }
    let of_pages = |count: usize| count as f64 / shown.max(1) as f64;
    Share { right: of_pages(right), wrong: of_pages(wrong) }
}
