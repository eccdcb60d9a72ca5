//! Labelled fields against columns, by value and by page.

use super::prepared::Prepared;
use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::{GoldPage, Ordered, Text};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use unsite_learn::measures::fields::Columns;
use unsite_learn::measures::text_match::{norm, same};

/// A field with fewer different labelled cells says nothing and is left out.
pub(super) const FEWEST_CELLS: usize = 3;

/// When a column serves a field.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Protocol {
    /// Target-cluster scores over (page, value) cells.
    Value,
    /// SWDE: over pages, a page being right when all the column gives on it is among the labelled values.
    Page,
}

/// Scores each (page type, field) of the labels that `labels` picks, in the order of their first value.
pub(super) fn score(
    found: &Prepared,
    gold: &[GoldPage],
    labels: fn(&GoldPage) -> &Ordered<Vec<Text>>,
    protocol: Protocol,
) -> Vec<TargetScore> {
    let mut targets = targets(gold, labels);
    targets.retain(|target| target.cells.len() >= FEWEST_CELLS);
    let columns = Columns::new(
        found.cells.iter().map(|cell| ((cell.table, cell.column), cell.page, cell.value.as_str())),
    );
    let several_types = targets.iter().any(|target| target.page_type != targets[0].page_type);
    let mut scores: Vec<TargetScore> = Vec::new();
    for target in &targets {
        let cells: BTreeSet<(&str, &str)> =
            target.cells.iter().map(|(page, v)| (*page, v.as_str())).collect();
        let best = match protocol {
            Protocol::Value => columns.target_cluster(&cells),
            Protocol::Page => columns.page_protocol(&cells),
        };
        let name = match several_types {
            true => format!("{}.{}", target.page_type, target.field),
            false => target.field.to_string(),
        };
        let mut score = TargetScore::new(name, best.prf);
        score.matched = best.column.map(|(table, column)| format!("{table}.{column}"));
        score.misses = misses(found, best.column, target, protocol);
        // Two dotted names may read the same; like the outside scorer, the later one stands in the earlier's place.
        match scores.iter_mut().find(|known| known.name == score.name) {
            Some(known) => *known = score,
            None => scores.push(score),
        }
    }
    scores
}

/// The labelled cells of one field.
pub(super) struct Target<'a> {
    page_type: &'a str,
    field: &'a str,
    /// Normalised, for comparing.
    pub(super) cells: BTreeSet<(&'a str, String)>,
    /// As labelled, for showing.
    shown: BTreeMap<&'a str, Vec<&'a str>>,
}

pub(super) fn targets(gold: &[GoldPage], labels: fn(&GoldPage) -> &Ordered<Vec<Text>>) -> Vec<Target<'_>> {
    let mut targets: Vec<Target> = Vec::new();
    let mut number: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for page in gold {
        for (field, values) in labels(page).iter() {
            for value in values {
                let page_type = page.kind();
                let id = *number.entry((page_type, field)).or_insert_with(|| {
                    targets.push(Target { page_type, field, cells: BTreeSet::new(), shown: BTreeMap::new() });
                    targets.len() - 1
                });
                let file = key(&page.file);
                targets[id].cells.insert((file, norm(value.as_str())));
                targets[id].shown.entry(file).or_default().push(value.as_str());
            }
        }
    }
    targets
}

/// The first pages on which the column is not right.
fn misses(found: &Prepared, column: Option<(&str, &str)>, target: &Target, protocol: Protocol) -> Vec<Miss> {
    let given = column.map(|name| found.on_pages(name)).unwrap_or_default();
    let mut misses = Vec::new();
    for cells in target.cells.iter().collect::<Vec<_>>().chunk_by(|a, b| a.0 == b.0) {
        let page = cells[0].0;
        let wanted: BTreeSet<&str> = cells.iter().map(|(_, value)| value.as_str()).collect();
        let here = given.get(page).map_or(&[][..], Vec::as_slice);
        let got: BTreeSet<&str> = here.iter().map(|cell| cell.value.as_str()).collect();
        let right = match protocol {
            Protocol::Value => got == wanted,
            Protocol::Page => !got.is_empty() && got.iter().all(|g| wanted.iter().any(|w| same(g, w))),
        };
        if !right {
            let expected = target.shown.get(page).into_iter().flatten().copied();
            misses.push(Miss::new(page, expected, here.iter().map(|cell| cell.raw)));
        }
        if misses.len() == EXAMPLES {
            break;
        }
    }
    misses
}
