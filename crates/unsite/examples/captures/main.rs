//! Measures what is learned from captures of several days.
//!
//! `cargo run --release -p unsite --example captures -- MODE ...`, where DATA holds the suites and MODE is
//! - `warcs DATA FOLDER [FILTER]`: writes the designs of each site of `redesign` as one WARC, three captures of each design, the
//!   first as responses, the others as revisits that name their record in all three ways;
//! - `boundaries DATA [FILTER]`: learns those and compares: boundaries, fields carried over, values against wrappers of one
//!   design alone;
//! - `halves DATA TIMES [FILTER]`: random halves of every site as two days: there must be one design;
//! - `linear ADDRESSES CAPTURES`: a generated shop with so many books captured so many times, into a WARC, learned and
//!   extracted; prints the time and the most memory;
//! - `history ROWS FILE`: a database with a history of so many rows, for `unsite changes`.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

mod load;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;
use unsite::Options;
use unsite::pipeline::{Classifier, learn_wrapper};
use unsite_acquire::Source;
use unsite_dom::{Limits, Moment, RawPage, Tree};
use unsite_eval::{GoldSite, Observed, Scorer, Set};
use unsite_wrapper::{PageRecord, SavedWrapper, Schema};
use xxhash_rust::xxh3::xxh3_64;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Captures of each design.
const ROUNDS: usize = 3;

/// Seconds between two rounds.
const BETWEEN: i64 = 90 * 86_400;

/// The first capture.
const BEGIN: i64 = 1_200_000_000;

/// A column serves a field when it is right on this share of the pages that show it.
const SERVED: f64 = 0.95;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let at = |n: usize| arguments.get(n).map(String::as_str);
    let data = || at(1).map(PathBuf::from).ok_or("where are the gold sites?");
    match at(0).unwrap_or_default() {
        "warcs" => {
            let folder = PathBuf::from(at(2).ok_or("where to?")?);
            for group in groups(&data()?, at(3).unwrap_or_default())? {
                let file = folder.join(format!("{}.warc", group[0].site));
                write_warc(&file, &group)?;
                println!("{}: {} designs", file.display(), group.len());
            }
            Ok(())
        }
        "boundaries" => boundaries(&data()?, at(2).unwrap_or_default()),
        "halves" => halves(&data()?, at(2).ok_or("how often?")?.parse()?, at(3).unwrap_or_default()),
        "linear" => load::linear(at(1).ok_or("how many?")?.parse()?, at(2).ok_or("how often?")?.parse()?),
        "history" => load::history(at(1).ok_or("how many?")?.parse()?, Path::new(at(2).ok_or("where to?")?)),
        _ => Err("which mode?".into()),
    }
}

/// One design of a site.
struct Design {
    site: String,
    name: String,
    pages: Vec<RawPage>,
    gold: GoldSite,
}

fn read(source: &Source) -> Outcome<Vec<RawPage>> {
    let (mut pages, mut all) = (source.pages()?, Vec::new());
    while let Some(item) = pages.next_page() {
        all.extend(item.ok());
    }
    Ok(all)
}

fn groups(data: &Path, filter: &str) -> Outcome<Vec<Vec<Design>>> {
    let folders: Vec<PathBuf> = [data.join("redesign"), data.join("more/redesign")]
        .into_iter()
        .filter(|path| path.is_dir())
        .collect();
    let mut groups: BTreeMap<String, Vec<Design>> = BTreeMap::new();
    for path in unsite_eval::gold_paths(&folders)? {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (site, theme) = file.split_once("__").unwrap_or((&file, ""));
        if !site.contains(filter) {
            continue;
        }
        let pages = read(&Source::open(&path.to_string_lossy(), &Default::default())?)?;
        let gold = GoldSite::load(&path)?;
        let name = theme.trim_end_matches(".tar.zst").to_owned();
        groups.entry(site.to_owned()).or_default().push(Design { site: site.to_owned(), name, pages, gold });
    }
    Ok(groups.into_values().collect())
}

fn day(design: usize, round: usize) -> i64 {
    BEGIN + (design * ROUNDS + round) as i64 * BETWEEN
}

fn moment(seconds: i64) -> String {
    Moment::from_unix(seconds).map(|moment| moment.to_string()).unwrap_or_default()
}

/// All captures of a site in one archive, in the order of time.
fn write_warc(path: &Path, designs: &[Design]) -> Outcome {
    let mut out = BufWriter::new(File::create(path)?);
    for (at, design) in designs.iter().enumerate() {
        for round in 0..ROUNDS {
            for (n, page) in design.pages.iter().enumerate() {
                let id = |round: usize| format!("<urn:captures:{at}:{round}:{n}>");
                let date = moment(day(at, round) + n as i64);
                let digest = format!("xxh3:{:016x}", xxh3_64(&page.bytes));
                let known = [
                    format!("WARC-Payload-Digest: {digest}\r\n"),
                    format!("WARC-Refers-To: {}\r\n", id(0)),
                    format!(
                        "WARC-Refers-To-Target-URI: {}\r\nWARC-Refers-To-Date: {}\r\n",
                        page.url,
                        moment(day(at, 0) + n as i64)
                    ),
                ];
                let (kind, more, body): (&str, String, &[u8]) = match round {
                    0 => ("response", known[0].clone(), &page.bytes),
                    _ => ("revisit", known[(n + round) % known.len()].clone(), b""),
                };
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
                write!(
                    out,
                    "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {}\r\nWARC-Date: {date}\r\nWARC-Target-URI: {}\r\n{more}\
                     Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{head}",
                    id(round),
                    page.url,
                    head.len() + body.len()
                )?;
                out.write_all(body)?;
                out.write_all(b"\r\n\r\n")?;
            }
        }
    }
    Ok(out.flush()?)
}

#[derive(Default)]
struct Tally {
    boundaries: usize,
    found: usize,
    false_ones: usize,
    fields: usize,
    carried: usize,
    wrong: usize,
    alone: Vec<f64>,
    together: Vec<f64>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.boundaries += other.boundaries;
        self.found += other.found;
        self.false_ones += other.false_ones;
        self.fields += other.fields;
        self.carried += other.carried;
        self.wrong += other.wrong;
        self.alone.extend(&other.alone);
        self.together.extend(&other.together);
    }

    fn print(&self, name: &str) {
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len().max(1) as f64;
        println!(
            "{name}: boundaries {}/{}, false {}, fields carried over {}/{} ({:.3}), confidently wrong {}, values F1 {:.4} \
             alone {:.4}",
            self.found,
            self.boundaries,
            self.false_ones,
            self.carried,
            self.fields,
            self.carried as f64 / self.fields.max(1) as f64,
            self.wrong,
            mean(&self.together),
            mean(&self.alone),
        );
    }
}

fn boundaries(data: &Path, filter: &str) -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut all = Tally::default();
    for group in groups(data, filter)?.iter().filter(|group| group.len() > 1) {
        let mut tally = Tally::default();
        let file = folder.path().join("site.warc");
        write_warc(&file, group)?;
        let source = Source::open(&file.to_string_lossy(), &Default::default())?;
        let begun = Instant::now();
        let saved = learn_wrapper(&source, &Options::default(), Classifier::Marks, &mut ())?.saved;
        let pages = group.iter().map(|design| design.pages.len() * ROUNDS).sum::<usize>();
        let seconds = begun.elapsed().as_secs_f64();
        compare_boundaries(group, &saved, &mut tally);
        compare_fields(group, &saved, &mut tally)?;
        tally.print(&format!(
            "{} ({} designs, {pages} captures, {seconds:.1} s)",
            group[0].site,
            group.len()
        ));
        all.add(&tally);
    }
    all.print("all");
    Ok(())
}

fn compare_boundaries(group: &[Design], saved: &SavedWrapper, tally: &mut Tally) {
    let told: BTreeSet<(&str, &str)> = saved
        .epochs
        .iter()
        .flat_map(|epoch| &epoch.changes)
        .map(|change| (change.before.as_str(), change.after.as_str()))
        .collect();
    let mut right = BTreeSet::new();
    for at in 1..group.len() {
        tally.boundaries += 1;
        let (before, after) = (moment(day(at - 1, ROUNDS - 1)), moment(day(at, 0)));
        let (end, behind) = (moment(day(at, 0) - 1), moment(day(at, 1) - 1));
        let is_it = |pair: &&(&str, &str)| {
            (before.as_str()..=end.as_str()).contains(&pair.0)
                && (after.as_str()..=behind.as_str()).contains(&pair.1)
        };
        match told.iter().find(is_it) {
            Some(pair) => {
                tally.found += 1;
                right.insert(*pair);
            }
            None => println!("  {} -> {}: not found", group[at - 1].name, group[at].name),
        }
    }
    for pair in told.difference(&right) {
        tally.false_ones += 1;
        println!("  false: {pair:?}");
    }
    for reason in saved.epochs.iter().filter_map(|epoch| epoch.refused.as_ref()) {
        println!("  refused: {reason}");
    }
}

/// What a design reads off pages, in terms of its own tables.
struct Reading<'s> {
    schema: &'s Schema,
    records: Vec<PageRecord>,
}

fn readings<'s>(saved: &'s SavedWrapper, design: usize, pages: &[RawPage], count: usize) -> Reading<'s> {
    let designs = saved.designs();
    // A page of the day: the epochs are counted from the newest.
    let captured = Moment::from_unix(day(design, ROUNDS - 1));
    let read = |page: &RawPage| {
        let page = RawPage { captured, ..page.clone() };
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default());
        designs.read(&page, &tree, &cuts)
    };
    let read: Vec<(usize, PageRecord)> = pages.par_iter().map(read).collect();
    let wrapper = |at: usize| match at {
        0 => &saved.wrapper,
        at => &saved.epochs[at - 1].wrapper,
    };
    // The design that most pages were read with, which is one for all of them where the boundaries are right.
    let mut times = vec![0; 1 + saved.epochs.len()];
    read.iter().for_each(|(at, _)| times[*at] += 1);
    let most = (0..times.len()).max_by_key(|&at| times[at]).unwrap_or(0);
    if times[most] < read.len() {
        println!(
            "  {} of {} pages of design {design} of {count} are read with another",
            read.len() - times[most],
            read.len()
        );
    }
    let records = read.into_iter().map(|(at, record)| match at == most {
        true => record,
        false => PageRecord { rows: Vec::new(), page_type: None, ..record },
    });
    Reading { schema: &wrapper(most).schema, records: records.collect() }
}

fn compare_fields(group: &[Design], saved: &SavedWrapper, tally: &mut Tally) -> Outcome {
    let newest = readings(saved, group.len() - 1, &group[group.len() - 1].pages, group.len());
    let served = served(&newest, &group[group.len() - 1]);
    for (at, design) in group.iter().enumerate() {
        let reading = readings(saved, at, &design.pages, group.len());
        let source = Source::memory(design.pages.clone());
        let alone = learn_wrapper(&source, &Options::default(), Classifier::Marks, &mut ())?.saved;
        let single = readings(&alone, at, &design.pages, group.len());
        for set in [Set::Fields, Set::Records] {
            let score = |reading: &Reading<'_>| -> f64 {
                let observed = Observed::from_records(reading.schema, &reading.records);
                let scores = Scorer::new(&design.gold.pages, &observed).score(set);
                scores.iter().map(|score| score.prf.f1).sum::<f64>() / scores.len().max(1) as f64
            };
            let (together, alone) = (score(&reading), score(&single));
            println!("  {} {set}: {together:.4}, alone {alone:.4}", design.name);
            tally.together.push(together);
            tally.alone.push(alone);
        }
        if at + 1 == group.len() {
            continue;
        }
        for ((page_type, field), name) in &served {
            let Some((right, wrong)) = share(&reading, design, page_type, field, name) else { continue };
            tally.fields += 1;
            if right >= SERVED {
                tally.carried += 1;
            } else if wrong > 0.5 {
                tally.wrong += 1;
                println!("  {}: {page_type}.{field} WRONG {wrong:.2} ({}.{})", design.name, name.0, name.1);
            } else {
                println!("  {}: {page_type}.{field} right {right:.2} ({}.{})", design.name, name.0, name.1);
            }
        }
    }
    Ok(())
}

/// Page type and field of the labels.
type Field = (String, String);

/// The columns of the newest design that serve labelled fields, by their names.
fn served(reading: &Reading<'_>, design: &Design) -> BTreeMap<Field, (String, String)> {
    let mut fields: BTreeSet<Field> = BTreeSet::new();
    for page in &design.gold.pages {
        fields.extend(page.fields.iter().map(|(name, _)| (page.kind().to_owned(), name.to_owned())));
    }
    let names = || {
        let tables = reading.schema.tables.iter();
        tables.flat_map(|table| table.columns.iter().map(|column| (table.name.clone(), column.name.clone())))
    };
    let best = |(page_type, field): &Field| {
        let right = names()
            .enumerate()
            .filter_map(|(at, name)| Some((share(reading, design, page_type, field, &name)?.0, at, name)));
        // Of columns that are equally right the first, as everywhere in the measures.
        let best = right.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))?;
        (best.0 >= SERVED).then_some(best.2)
    };
    fields.into_iter().filter_map(|field| Some((field.clone(), best(&field)?))).collect()
}

/// On which shares of the pages with a field a column gives its values, or others. `None` where the design shows no such
/// field.
fn share(
    reading: &Reading<'_>,
    design: &Design,
    page_type: &str,
    field: &str,
    (table, column): &(String, String),
) -> Option<(f64, f64)> {
    let short = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
    let of_page: BTreeMap<String, &PageRecord> =
        reading.records.iter().map(|record| (short(&record.reference), record)).collect();
    let place = reading.schema.tables.iter().position(|info| info.name == *table).and_then(|at| {
        Some((at, reading.schema.tables[at].columns.iter().position(|info| info.name == *column)?))
    });
    let (mut shown, mut right, mut wrong) = (0, 0, 0);
    for page in design.gold.pages.iter().filter(|page| page.kind() == page_type) {
        let clean = |text: &str| unsite_dom::collapse(text).into_owned();
        let values = page.fields.iter().find(|(name, _)| *name == field).map(|(_, values)| values);
        let wanted: BTreeSet<String> =
            values.into_iter().flatten().map(|value| clean(value.as_str())).collect();
        if wanted.iter().all(String::is_empty) {
            continue;
        }
        shown += 1;
        let (Some(place), Some(record)) = (place, of_page.get(&short(&page.file))) else { continue };
        let rows = record.rows.iter().filter(|row| row.table == place.0);
        let given: Vec<&str> = rows
            .flat_map(|row| row.cells.iter().filter(|cell| cell.column == place.1))
            .map(|cell| cell.value.as_str())
            .collect();
        if given.is_empty() {
            continue;
        }
        match given.iter().all(|value| wanted.contains(*value)) {
            true => right += 1,
            false => wrong += 1,
        }
    }
    let of = |count: usize| count as f64 / shown as f64;
    (shown > 0).then(|| (of(right), of(wrong)))
}

fn halves(data: &Path, times: u64, filter: &str) -> Outcome {
    let suites = ["live", "redesign", "more/live", "more/redesign", "swde", "more/swde"];
    let folders: Vec<PathBuf> =
        suites.iter().map(|suite| data.join(suite)).filter(|path| path.is_dir()).collect();
    let (mut checks, mut alarms) = (0, 0);
    let paths: Vec<String> = unsite_eval::gold_paths(&folders)?
        .into_iter()
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|name| name.contains(filter))
        .collect();
    // All sites once, then all again: wherever it is stopped, every site has been seen about as often.
    for turn in 0..times {
        for name in &paths {
            let begun = Instant::now();
            let pages = read(&Source::open(name, &Default::default())?)?;
            let half =
                |page: &RawPage| xxh3_64(format!("{turn} {} {}", page.url, page.reference).as_bytes()) % 2;
            let captures = pages.iter().enumerate().map(|(at, page)| RawPage {
                captured: Moment::from_unix(BEGIN + half(page) as i64 * BETWEEN + at as i64),
                ..page.clone()
            });
            let source = Source::memory(captures.collect());
            let saved = learn_wrapper(&source, &Options::default(), Classifier::Marks, &mut ())?.saved;
            checks += 1;
            if !saved.epochs.is_empty() {
                alarms += 1;
                let changes: Vec<_> = saved.epochs.iter().map(|epoch| &epoch.changes).collect();
                println!("  false epoch, half {turn}: {changes:?}");
            }
            let seconds = begun.elapsed().as_secs_f64();
            println!("{checks} halves, {alarms} false epochs ({name}, {seconds:.1} s)");
        }
    }
    Ok(())
}
