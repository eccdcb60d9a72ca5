//! Values as the newest design that has them writes them: what names are proved by before an older design.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use unsite_wrapper::{KnownRow, SavedWrapper, ValueType, beside, typed};

/// A design with its known values written as the first design that says the same at the same address writes them.
///
/// A design in between may show a date in its head alone, as programs write it. The one before it has it there too, and for
/// all to see as the newest has it: both mean the same, and only the way it is written tells which of them is the column.
pub(super) fn as_first_written(design: &SavedWrapper, newest_first: &[&SavedWrapper]) -> SavedWrapper {
    let mut writings: FxHashMap<(&str, &str, &str, String), &str> = FxHashMap::default();
    for page in newest_first.iter().flat_map(|design| &design.known) {
        for (table, column, value) in values(&page.rows) {
            if let Some(meaning) = meaning(value) {
                writings.entry((&page.url, table, column, meaning)).or_insert(value);
            }
        }
    }
    let mut told = design.clone();
    for page in &mut told.known {
        for (table, rows) in page.rows.iter_mut().chain(&mut page.lost) {
            for (column, values) in rows.iter_mut().flatten() {
                for value in values {
                    let writing = meaning(value).and_then(|meaning| {
                        writings.get(&(page.url.as_str(), table.as_str(), column.as_str(), meaning))
                    });
                    if let Some(writing) = writing {
                        *value = (*writing).to_owned();
                    }
                }
            }
        }
    }
    told
}

/// Tables, columns and values of a page.
fn values(rows: &BTreeMap<String, Vec<KnownRow>>) -> impl Iterator<Item = (&str, &str, &str)> {
    rows.iter().flat_map(|(table, rows)| {
        let cells = rows.iter().flatten();
        cells.flat_map(move |(column, values)| {
            values.iter().map(move |value| (table.as_str(), column.as_str(), value.as_str()))
        })
    })
}

/// What may be written in several ways: numbers, amounts and days.
fn meaning(value: &str) -> Option<String> {
    let amount = || {
        let number = typed(ValueType::Money, value)?;
        Some(format!("{number} {}", beside(ValueType::Money, value).unwrap_or_default()))
    };
    let number = typed(ValueType::Decimal, value).map(|number| number.into_owned());
    number.or_else(amount).or_else(|| typed(ValueType::Date, value).map(|day| day.into_owned()))
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::KnownPage;

    use super::*;

    fn design(posted: &str) -> SavedWrapper {
        let row = KnownRow::from([("posted".to_owned(), vec![posted.to_owned()])]);
        let rows = BTreeMap::from([("job".to_owned(), vec![row])]);
        let page = KnownPage { url: "https://jobs.test/1".into(), rows, ..KnownPage::default() };
        SavedWrapper { known: vec![page], ..SavedWrapper::default() }
    }

    #[test]
    fn what_means_the_same_is_written_as_in_the_newest_design() {
        let (newest, between) = (design("January 6, 2025"), design("2025-01-06"));
        assert_eq!(as_first_written(&between, &[&newest, &between]).known, newest.known);
        let another_day = design("2025-01-07");
        assert_eq!(as_first_written(&another_day, &[&newest, &another_day]).known, another_day.known);
        let (text, other) = (design("soon"), design("Soon"));
        assert_eq!(as_first_written(&other, &[&text, &other]).known, other.known, "texts are as they stand");
    }
}
