//! How well a table's rows hold labelled records.

use super::Prf;
use super::fields::FieldScore;
use super::text_match::contains_as_words;
use std::collections::BTreeMap;

/// The rows of one table on each page: page -> rows -> cells, all values normalised.
pub type PageRows<P> = BTreeMap<P, Vec<Vec<String>>>;

/// Shorter values must stand in a row as whole words; longer ones may stand anywhere in it.
const SHORT_VALUE_CHARS: usize = 12;

/// The table that holds most labelled records, with its precision, recall and F1.
///
/// # What it does
/// A labelled record is found when one row on its page holds all its values; a row serves one record. `P = found / rows on
/// the labelled pages`, `R = found / labelled records`. The first table with the highest F1 wins.
/// # Assumes
/// Values normalised by [`super::text_match::norm`]; the order of the tables is the order of their first cell.
/// # When it fails
/// Records are matched to rows greedily in page order, so equal rows may be matched in an unlucky order.
/// # Paper
/// Our own, in the manner of MDR's record counts (Liu, Grossman, Zhai 2003).
pub fn best_table<T: Clone, P: Ord>(tables: &[(T, PageRows<P>)], wanted: &PageRows<P>) -> FieldScore<T> {
    let total: usize = wanted.values().map(Vec::len).sum();
    let mut best = FieldScore { prf: Prf::default(), column: None };
    for (name, pages) in tables {
        let (mut found, mut rows) = (0, 0);
        for (page, records) in wanted {
            let have = pages.get(page).map_or(&[][..], Vec::as_slice);
            rows += have.len();
            found += matched_records(have, records);
        }
        let prf = Prf::from_counts(found, rows, total);
        if prf.f1 > best.prf.f1 {
            best = FieldScore { prf, column: Some(name.clone()) };
        }
    }
    best
}

/// Records of one page that find a row of their own.
fn matched_records(rows: &[Vec<String>], records: &[Vec<String>]) -> usize {
    let joined: Vec<String> = rows.iter().map(|cells| cells.join(" ")).collect();
    let mut used = vec![false; rows.len()];
    let mut found = 0;
    for record in records {
        let row =
            (0..rows.len()).find(|&i| !used[i] && record.iter().all(|v| holds(&rows[i], &joined[i], v)));
        if let Some(i) = row {
            used[i] = true;
            found += 1;
        }
    }
    found
}

fn holds(cells: &[String], joined: &str, value: &str) -> bool {
    if value.chars().nth(SHORT_VALUE_CHARS).is_some() {
        cells.iter().any(|cell| cell == value) || joined.contains(value)
    } else {
        contains_as_words(joined, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: &[&[&str]]) -> PageRows<&'static str> {
        let rows = rows.iter().map(|r| r.iter().map(|v| v.to_string()).collect()).collect();
        BTreeMap::from([("p", rows)])
    }

    #[test]
    fn each_row_serves_one_record() {
        let wanted = page(&[&["Emma", "9"], &["Emma", "9"], &["Persuasion", "12"]]);
        let books = page(&[&["Emma", "9 pounds"], &["Persuasion", "120"]]);
        let score = best_table(&[("nav", page(&[&["Home"]])), ("books", books)], &wanted);
        assert_eq!(score.column, Some("books"));
        assert_eq!(score.prf, Prf::from_counts(1, 2, 3));
    }

    #[test]
    fn long_values_may_span_cells_and_missing_pages_cost_recall() {
        let wanted = page(&[&["a long title of a book"]]);
        assert_eq!(best_table(&[(1, page(&[&["a long title", "of a book"]]))], &wanted).prf.f1, 1.0);
        let elsewhere: PageRows<&str> = BTreeMap::from([("q", vec![vec!["x".to_string()]])]);
        assert_eq!(best_table(&[(1, elsewhere)], &wanted).column, None);
        assert_eq!(best_table::<u8, &str>(&[], &BTreeMap::new()).prf, Prf::default());
    }
}
