//! What it costs a person to get the labelled fields out of what was found.

use super::fields::{FEWEST_CELLS, targets};
use super::key;
use super::prepared::Prepared;
use crate::gold::{GoldPage, Ordered, Text};
use crate::observed::Observed;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::collections::BTreeSet;
use unsite_learn::measures::effort::labelling_bits;
use unsite_learn::measures::fields::Columns;

/// A further column that holds this share of a field's labelled cells is pointed at too. Below it a person would not
/// notice that something is missing.
const WORTH_POINTING: f64 = 0.05;

/// The labelling effort on one site.
///
/// # What it does
/// A person points at the column of each labelled field, and at further columns when its values are scattered over
/// several. Each time there are all columns to choose from: `bits = times * log2(columns)`. The same in two steps, as
/// the paper counts it for RoadRunner, is the choice of a page type and then of a column on its pages.
/// # Assumes
/// Every column is equally likely to be the right one: names and examples, which make the choice easier, count nothing.
/// # When it fails
/// A field that was not found at all costs one vain look over all columns, though no effort would get it.
/// # Paper
/// Gazen 2008 (CONFHEX): labelling effort, 6.7 bits a field for CONFHEX, 2.6 + 6.0 for RoadRunner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Effort {
    /// Labelled fields.
    pub fields: usize,
    /// Columns that were found, over all tables.
    pub columns: usize,
    /// Columns that are pointed at for a field, on the mean; more than 1 when values are scattered.
    pub pointed_at: f64,
    /// Bits a field, on the mean.
    pub bits: f64,
    /// Bits of choosing a page type.
    pub type_bits: f64,
    /// Bits of choosing a column among those of its page type, on the mean over the fields.
    pub field_bits: f64,
}

/// The effort on one site; `None` without labels.
pub(super) fn effort(
    found: &Prepared,
    observed: &Observed,
    gold: &[GoldPage],
    labels: fn(&GoldPage) -> &Ordered<Vec<Text>>,
) -> Option<Effort> {
    let mut targets = targets(gold, labels);
    targets.retain(|target| target.cells.len() >= FEWEST_CELLS);
    let all = Columns::new(
        found.cells.iter().map(|cell| ((cell.table, cell.column), cell.page, cell.value.as_str())),
    );
    let types = Types::of(found, observed);
    let (fields, columns) = (targets.len(), all.len());
    let mut effort =
        Effort { fields, columns, type_bits: labelling_bits([types.count]), ..Effort::default() };
    for target in &targets {
        let cells: BTreeSet<(&str, &str)> =
            target.cells.iter().map(|(page, v)| (*page, v.as_str())).collect();
        let times = all.pointed_at(&cells, WORTH_POINTING).max(1);
        let pages: BTreeSet<&str> = cells.iter().map(|(page, _)| *page).collect();
        effort.pointed_at += times as f64 / fields as f64;
        effort.bits += labelling_bits(std::iter::repeat_n(columns, times)) / fields as f64;
        effort.field_bits += labelling_bits([types.columns_around(&pages)]) / fields as f64;
    }
    (fields > 0).then_some(effort)
}

/// The columns of each page type.
struct Types<'a> {
    count: usize,
    of_page: FxHashMap<&'a str, &'a str>,
    columns: FxHashMap<&'a str, usize>,
}

impl<'a> Types<'a> {
    fn of(found: &Prepared<'a>, observed: &'a Observed) -> Self {
        let of_page: FxHashMap<&str, &str> = observed
            .pages
            .iter()
            .filter_map(|page| Some((key(&page.reference), page.page_type.as_deref()?)))
            .collect();
        let seen: FxHashSet<(&str, &str, &str)> = found
            .cells
            .iter()
            .filter_map(|cell| Some((*of_page.get(cell.page)?, cell.table, cell.column)))
            .collect();
        let mut columns: FxHashMap<&str, usize> = FxHashMap::default();
        for (page_type, _, _) in seen {
            *columns.entry(page_type).or_default() += 1;
        }
        let count = of_page.values().collect::<FxHashSet<_>>().len();
        Types { count, of_page, columns }
    }

    /// Columns on the pages of the type that most of these pages are of.
    fn columns_around(&self, pages: &BTreeSet<&str>) -> usize {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for page_type in pages.iter().filter_map(|page| self.of_page.get(page)) {
            *counts.entry(page_type).or_default() += 1;
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
        most.and_then(|(page_type, _)| self.columns.get(page_type).copied()).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use crate::{GoldSite, Observed, Scorer, Set};

    #[test]
    fn scattered_values_cost_more() {
        let gold: String = (0..20)
            .map(|i| format!("{{\"file\":\"{i}.html\",\"fields\":{{\"title\":[\"T{i}\"]}}}}\n"))
            .collect();
        let site = GoldSite::from_parts("x", b"{\"name\":\"shop\"}", gold.as_bytes()).unwrap();
        let observe = |column_of: fn(usize) -> &'static str| {
            let mut found = Observed::default();
            for i in 0..20 {
                let (page, row) = (format!("{i}.html"), i.to_string());
                found.add_page(&page, Some(if i == 0 { "home" } else { "book" }), None);
                found.add_cell(&page, "t", &row, column_of(i), &format!("T{i}"));
                for other in ["a", "b", "c"] {
                    found.add_cell(&page, "t", &row, other, other);
                }
            }
            Scorer::new(&site.pages, &found).effort(Set::Fields).unwrap()
        };
        let whole = observe(|_| "title");
        assert_eq!((whole.columns, whole.pointed_at, whole.bits), (4, 1.0, 2.0));
        assert_eq!((whole.type_bits, whole.field_bits), (1.0, 2.0));
        let scattered = observe(|i| ["t0", "t1", "t2", "t3", "t4"][i % 5]);
        assert_eq!((scattered.columns, scattered.pointed_at, scattered.bits), (8, 5.0, 15.0));
    }
}
