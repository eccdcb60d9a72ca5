//! Repair where nothing has changed: the wrapper has to stay as good as it was.

use std::collections::BTreeMap;
use std::path::Path;

use unsite_discover::page_types::Options;
use unsite_discover::{Site, TypeState, read_all};
use unsite_dom::{Limits, RawPage};
use unsite_sample::Knobs;
use unsite_wrapper::{Provenance, SavedWrapper, Wrapper};

use super::{Outcome, load, saved, sites};

/// Pages of another site that are put among those of the site.
const STRANGERS: usize = 6;

/// How many values there are, and rows that belong to another, by table and column.
type Counts = BTreeMap<(String, String), usize>;

pub(super) fn same(data: &Path, filter: &str) -> Outcome {
    let (mut repairs, mut all_lost) = (0, 0);
    for path in sites(data, &["redesign", "live", "swde"], filter)? {
        let gold = load(&path)?;
        let pages: Vec<RawPage> = gold.pages.into_iter().map(|(page, _)| page).collect();
        let mut learned = saved(pages.clone());
        let site = Site::parse(pages.clone(), &Limits::default());
        let before = counts(&site, &learned.wrapper);
        let with_strangers = Site::parse([pages, strangers()].concat(), &Limits::default());
        for (named, changed) in
            [("same pages", &site), ("and strangers", &with_strangers), ("again", &with_strangers)]
        {
            let options = Options { seed: 42, ..Options::default() };
            let repair = unsite_discover::repair(changed, &learned, &options, Provenance::default());
            let after = counts(&site, &repair.saved.wrapper);
            let lost: Vec<String> = before
                .iter()
                .filter(|(place, count)| after.get(*place).is_none_or(|now| now < *count))
                .map(|((table, column), count)| {
                    let now = after.get(&(table.clone(), column.clone())).copied().unwrap_or(0);
                    format!("{table}.{column} {count} -> {now}")
                })
                .collect();
            repairs += 1;
            all_lost += lost.len();
            let relearned = repair.types.iter().filter(|report| report.state == TypeState::Relearned).count();
            println!(
                "{:30} {named:14} {} columns, {} lost values, {} new, {relearned} of {} types relearned{} {}",
                gold.name,
                before.len(),
                lost.len(),
                repair.added.len(),
                repair.types.len(),
                if repair.is_unchanged() { ", unchanged" } else { "" },
                lost.join(", ")
            );
            learned = SavedWrapper { provenance: Provenance::default(), ..repair.saved };
        }
    }
    println!("{all_lost} columns lost values in {repairs} repairs");
    Ok(())
}

fn strangers() -> Vec<RawPage> {
    let site = unsite_sample::Site::generate(&Knobs { books: 12, ..Knobs::default() });
    let page = |(at, page): (usize, &unsite_sample::SamplePage)| RawPage {
        url: page.url.clone(),
        reference: format!("stranger {at}"),
        bytes: page.html.clone().into_bytes(),
        ..RawPage::default()
    };
    site.pages.iter().enumerate().take(STRANGERS).map(page).collect()
}

fn counts(site: &Site, wrapper: &Wrapper) -> Counts {
    let mut counts = Counts::new();
    for record in read_all(site, wrapper) {
        for row in &record.rows {
            let table = &wrapper.schema.tables[row.table];
            if row.parent.is_some() {
                *counts.entry((table.name.clone(), "(belongs to a row)".into())).or_default() += 1;
            }
            for cell in &row.cells {
                let column = table.columns[cell.column].name.clone();
                *counts.entry((table.name.clone(), column)).or_default() += 1;
            }
        }
    }
    counts
}
