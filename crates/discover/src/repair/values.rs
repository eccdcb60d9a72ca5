//! What was known of a page and what can be read off it now, as numbers that are compared.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_wrapper::{
    KNOWN_ROWS, KnownRow, PageRecord, SavedWrapper, ValueType, Wrapper, beside, cut, typed,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::Site;

/// Lists agree on a page when this share of their values do.
const SAME_LIST: f64 = 0.9;

/// Rows of a page that are compared: as many as are known.
pub(super) const COMPARED_ROWS: usize = KNOWN_ROWS;

/// Rows of a page that are read: of a long list that is sorted otherwise now, the known ones may stand further below.
const READ_ROWS: usize = 10 * COMPARED_ROWS;

/// A column by its table's place and its own.
pub(super) type Place = (usize, usize);

/// The values of one column on one page: hashes of their normal forms, in order.
pub(super) type Values = Vec<u64>;

/// By table and column.
pub(super) type PageValues = FxHashMap<Place, Values>;

/// One page with known records that is still there.
pub(super) struct Pair {
    pub(super) page_type: usize,
    pub(super) address: u64,
    pub(super) known: PageValues,
    pub(super) new: PageValues,
    /// What an earlier repair did not find again: known, and not looked for when records are counted.
    pub(super) lost: BTreeSet<Place>,
    /// The same as they are written, not as what they mean.
    pub(super) known_as_written: PageValues,
    pub(super) new_as_written: PageValues,
}

/// What was known and what is there now, page by page.
pub(super) fn pairs(
    site: &Site,
    old: &SavedWrapper,
    candidates: &Wrapper,
    old_of: &[Option<usize>],
) -> Vec<Pair> {
    let at_address: FxHashMap<&str, usize> =
        site.pages.iter().enumerate().map(|(at, page)| (page.raw.url.as_str(), at)).collect();
    old.known
        .par_iter()
        .filter_map(|known| {
            let page = &site.pages[*at_address.get(known.url.as_str())?];
            let new_type = old_of.iter().position(|old| *old == Some(known.page_type))?;
            let record = candidates.read(&page.raw, &page.tree, &[], Some(new_type));
            let all_known = |hash| {
                let mut values = known_values(old, &known.lost, hash);
                values.extend(known_values(old, &known.rows, hash));
                values
            };
            Some(Pair {
                page_type: known.page_type,
                address: normal(cut(&known.url)),
                known: all_known(normal),
                new: new_values(&record, normal),
                lost: known_values(old, &known.lost, normal).into_keys().collect(),
                known_as_written: all_known(as_written),
                new_as_written: new_values(&record, as_written),
            })
        })
        .collect()
}

/// Single values have to be equal, lists nearly.
pub(super) fn agree(known: &[u64], new: &[u64]) -> bool {
    if known.len() == 1 || new.len() == 1 {
        return known == new;
    }
    let new = &new[..new.len().min(COMPARED_ROWS)];
    let known = &known[..known.len().min(COMPARED_ROWS)];
    2.0 * overlap(known, new) as f64 >= SAME_LIST * (known.len() + new.len()) as f64
}

/// Is this a long list, known by its first rows only, that shows them further below now? That speaks neither for it nor
/// against it.
pub(super) fn says_nothing(known: &[u64], new: &[u64]) -> bool {
    known.len() >= COMPARED_ROWS && overlap(known, new) as f64 >= SAME_LIST * known.len() as f64
}

/// How many values two lists share, each as often as both have it.
pub(super) fn overlap(known: &[u64], new: &[u64]) -> usize {
    let mut counts: FxHashMap<u64, i32> = FxHashMap::default();
    for value in known {
        *counts.entry(*value).or_default() += 1;
    }
    let mut same = 0usize;
    for value in new {
        if let Some(count) = counts.get_mut(value).filter(|count| **count > 0) {
            *count -= 1;
            same += 1;
        }
    }
    same
}

/// Known rows as values by place.
pub(super) fn known_values(
    old: &SavedWrapper,
    known: &BTreeMap<String, Vec<KnownRow>>,
    hash: fn(&str) -> u64,
) -> PageValues {
    let mut values = PageValues::default();
    for (table, info) in old.wrapper.schema.tables.iter().enumerate() {
        for row in known.get(&info.name).into_iter().flatten() {
            for (column, info) in info.columns.iter().enumerate() {
                for value in row.get(&info.name).into_iter().flatten() {
                    values.entry((table, column)).or_default().push(hash(value));
                }
            }
        }
    }
    values
}

/// What was read off a page as values by place.
pub(super) fn new_values(record: &PageRecord, hash: fn(&str) -> u64) -> PageValues {
    let mut rows: FxHashMap<usize, usize> = FxHashMap::default();
    let mut values = PageValues::default();
    for row in &record.rows {
        let seen = rows.entry(row.table).or_default();
        *seen += 1;
        if *seen > READ_ROWS {
            continue;
        }
        for cell in &row.cells {
            values.entry((row.table, cell.column)).or_default().push(hash(cut(&cell.value)));
        }
    }
    values
}

fn as_written(value: &str) -> u64 {
    xxh3_64(value.trim().as_bytes())
}

/// A value whatever its form: dates and numbers by what they mean, amounts with their currency, text as it stands.
pub(super) fn normal(value: &str) -> u64 {
    let amount = || {
        let number = typed(ValueType::Money, value)?;
        Some(format!("{number} {}", beside(ValueType::Money, value).unwrap_or_default()).into())
    };
    let meaning = typed(ValueType::Decimal, value).or_else(amount).or_else(|| typed(ValueType::Date, value));
    xxh3_64(meaning.as_deref().unwrap_or(value.trim()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_that_is_sorted_otherwise_says_nothing() {
        let known: Vec<u64> = (0..COMPARED_ROWS as u64).collect();
        let turned: Vec<u64> = (0..2 * COMPARED_ROWS as u64).rev().collect();
        assert!(!agree(&known, &turned) && says_nothing(&known, &turned));
        assert!(agree(&known, &known));
        assert!(!says_nothing(&known[..3], &turned), "a short list is known whole");
        assert!(!says_nothing(&known, &turned[..COMPARED_ROWS]), "others stand there");
    }

    #[test]
    fn values_are_what_they_mean_and_as_they_are_written() {
        assert_eq!(normal("January 12, 2025"), normal("2025-01-12"));
        assert_eq!(normal("£12.50"), normal("GBP 12.50"));
        assert_ne!(normal("£12.50"), normal("12.50"), "a number alone is not the amount");
        assert_ne!(as_written("January 12, 2025"), as_written("2025-01-12"));
        assert_eq!(overlap(&[1, 1, 2], &[1, 1, 1, 3]), 2);
    }
}
