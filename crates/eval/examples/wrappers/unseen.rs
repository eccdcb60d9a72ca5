//! Extraction of unseen pages from few training pages, beside discovery on the same pages.

use std::collections::BTreeMap;
use std::path::Path;

use unsite_dom::{Limits, RawPage, collapse};
use unsite_wrapper::{PageRecord, Wrapper};

use super::{Gold, Outcome, learn, load, sites};

/// Pages that are learned from.
const TRAINING: usize = 20;

pub(super) fn unseen(data: &Path, filter: &str) -> Outcome {
    let (mut sums, mut count) = ([0.0; 2], 0.0);
    for path in sites(data, &["swde"], filter)? {
        let gold = load(&path)?;
        let step = gold.pages.len() / TRAINING;
        let (mut training, mut rest) = (Vec::new(), Vec::new());
        for (at, (page, _)) in gold.pages.iter().enumerate() {
            let chosen = at % step == 0 && training.len() < TRAINING;
            if chosen { training.push(page.clone()) } else { rest.push(page.clone()) }
        }
        let (_, few) = learn(training);
        let (_, all) = learn(rest.clone());
        let scores = [score(&gold, &few, &rest), score(&gold, &all, &rest)];
        println!(
            "{:34} from {TRAINING} pages {:.4}, discovery on the same pages {:.4}",
            gold.name, scores[0], scores[1]
        );
        for (sum, score) in sums.iter_mut().zip(scores) {
            *sum += score;
        }
        count += 1.0;
    }
    println!("mean F1 from {TRAINING} pages {:.4}, discovery {:.4}", sums[0] / count, sums[1] / count);
    Ok(())
}

/// The mean over the labelled fields of the F1 of the column that serves each best.
fn score(gold: &Gold, wrapper: &Wrapper, pages: &[RawPage]) -> f64 {
    let (reader, limits) = (wrapper.reader(), Limits::default());
    let records: Vec<PageRecord> = pages.iter().map(|page| reader.extract(page, &limits)).collect();
    type Counts = BTreeMap<(usize, usize), (usize, usize)>;
    let mut fields: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut wanted_of: BTreeMap<&str, usize> = BTreeMap::new();
    for record in &records {
        let file = record.reference.rsplit('/').next().unwrap_or_default();
        let Some(page) = gold.labels.get(file) else { continue };
        for (name, values) in page.fields.iter() {
            let wanted: Vec<_> = values
                .iter()
                .map(|value| collapse(value.as_str()))
                .filter(|value| !value.is_empty())
                .collect();
            let columns = fields.entry(name).or_default();
            *wanted_of.entry(name).or_default() += usize::from(!wanted.is_empty());
            let mut seen: BTreeMap<(usize, usize), bool> = BTreeMap::new();
            for row in &record.rows {
                for cell in &row.cells {
                    let right = seen.entry((row.table, cell.column)).or_default();
                    *right |= wanted.iter().any(|wanted| *wanted == cell.value);
                }
            }
            for (place, right) in seen {
                let counts = columns.entry(place).or_default();
                counts.0 += usize::from(right);
                counts.1 += 1;
            }
        }
    }
    let f1 = |name: &str, (right, given): (usize, usize)| {
        2.0 * right as f64 / (given + wanted_of[name]).max(1) as f64
    };
    let best = |(name, columns): (&&str, &BTreeMap<_, (usize, usize)>)| {
        columns.values().map(|counts| f1(name, *counts)).fold(0.0, f64::max)
    };
    fields.iter().map(best).sum::<f64>() / fields.len().max(1) as f64
}
