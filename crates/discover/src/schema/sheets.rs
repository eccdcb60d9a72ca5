//! What templates read off the pages that were looked at, table by table, as hashes that are quick to compare.

use std::hash::BuildHasher;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use unsite_wrapper::{Addresses, Row, ValueType, Wrapper};

use crate::site::{Site, spread};

/// Nodes of the pages that are looked at: the sample of a large site, and all of a small one. What things have in common shows on
/// fewer.
const NODES: usize = 6_000_000;
/// Pages that are looked at.
const PAGES: usize = 3_000;
/// Rows of one table that are looked at.
const ROWS: usize = 20_000;

/// A page that was looked at.
pub(super) struct Seen {
    pub(super) url: String,
    /// What its thing is known by.
    pub(super) key: String,
    pub(super) page_type: usize,
    pub(super) rows: Vec<Row>,
}

/// The rows of a table.
pub(super) struct Sheet {
    /// Page, and place among its rows.
    pub(super) rows: Vec<(usize, usize)>,
    pub(super) columns: usize,
    /// By row and column: the hash of the first value, zero for none.
    values: Vec<u64>,
    /// The same of what the value means, whichever way it is written; zero where it is not typed.
    meanings: Vec<u64>,
}

/// How far two columns say the same.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Agreement {
    /// Rows with values of both.
    pub(super) both: usize,
    /// Those in which they mean the same.
    pub(super) same: usize,
    /// Those in which they are written the same.
    pub(super) written: usize,
}

/// Everything that was looked at.
pub(super) struct Sheets {
    pub(super) pages: Vec<Seen>,
    pub(super) tables: Vec<Sheet>,
}

impl Sheets {
    /// Reads the pages of a site; `type_of` is the type of each.
    pub(super) fn read(site: &Site, type_of: &[usize], wrapper: &Wrapper) -> Sheets {
        let reader = wrapper.reader();
        let all: Vec<usize> = (0..site.pages.len()).collect();
        let pages: Vec<Seen> = site
            .sample(&all, PAGES, NODES)
            .into_par_iter()
            .map(|page| {
                let (raw, tree) = (&site.pages[page].raw, &site.pages[page].tree);
                Seen {
                    key: raw.url.clone(),
                    url: raw.url.clone(),
                    page_type: type_of[page],
                    rows: reader.rows(tree, &raw.url, type_of[page]),
                }
            })
            .collect();
        let mut places: Vec<Vec<(usize, usize)>> = vec![Vec::new(); wrapper.schema.tables.len()];
        for (at, page) in pages.iter().enumerate() {
            for (place, row) in page.rows.iter().enumerate() {
                places[row.table].push((at, place));
            }
        }
        let tables = places.into_par_iter().zip(&wrapper.schema.tables);
        let tables = tables.map(|(rows, info)| Sheet::of(spread(&rows, ROWS), info.columns.len(), &pages));
        Sheets { tables: tables.collect(), pages }
    }

    /// Says what the things of the pages are known by.
    pub(super) fn know_by(&mut self, addresses: &Addresses) {
        for page in &mut self.pages {
            page.key = addresses.of(&page.url).into_owned();
        }
    }

    /// The addresses that rows lead to.
    pub(super) fn links<'s>(&'s self, wrapper: &'s Wrapper) -> impl Iterator<Item = &'s str> {
        let cells = self.pages.iter().flat_map(|page| &page.rows).flat_map(|row| {
            let columns = &wrapper.schema.tables[row.table].columns;
            row.cells.iter().filter(|cell| columns[cell.column].value_type == ValueType::Url)
        });
        cells.map(|cell| cell.value.as_str())
    }

    /// The row itself.
    pub(super) fn row(&self, table: usize, row: usize) -> &Row {
        let (page, place) = self.tables[table].rows[row];
        &self.pages[page].rows[place]
    }

    /// The text of a cell as it stands.
    pub(super) fn text(&self, table: usize, row: usize, column: usize) -> Option<&str> {
        self.row(table, row).cells.iter().find(|cell| cell.column == column).map(|cell| cell.value.as_str())
    }
}

impl Sheet {
    fn of(rows: Vec<(usize, usize)>, columns: usize, pages: &[Seen]) -> Sheet {
        let mut values = vec![0; rows.len() * columns];
        let mut meanings = values.clone();
        let mut counted: Vec<Counted> = vec![Counted::default(); columns];
        for (at, &(page, place)) in rows.iter().enumerate() {
            for cell in &pages[page].rows[place].cells {
                let value = &mut values[at * columns + cell.column];
                if *value == 0 {
                    *value = told(&cell.value);
                    meanings[at * columns + cell.column] = cell.typed().map_or(0, meaning);
                    counted[cell.column].add(at, &cell.value);
                }
            }
        }
        for (column, counted) in counted.iter().enumerate().filter(|(_, counted)| counted.is_number()) {
            for &(at, number) in &counted.numbers {
                meanings[at * columns + column] = number;
            }
        }
        Sheet { rows, columns, values, meanings }
    }

    /// The hash of a row's value, zero for none.
    pub(super) fn value(&self, row: usize, column: usize) -> u64 {
        self.values[row * self.columns + column]
    }

    /// The rows that have a value of a column, with its hash.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        (0..self.rows.len()).map(move |row| (row, self.value(row, column))).filter(|&(_, value)| value != 0)
    }

    /// How often each value of a column occurs.
    pub(super) fn counts(&self, column: usize) -> FxHashMap<u64, usize> {
        let mut counts = FxHashMap::default();
        for (_, value) in self.column(column) {
            *counts.entry(value).or_default() += 1;
        }
        counts
    }

    /// What a row's value means, zero where that is not known.
    pub(super) fn meaning(&self, row: usize, column: usize) -> u64 {
        self.meanings[row * self.columns + column]
    }

    /// Does a value of this sheet say the same as one of that sheet?
    pub(super) fn says(
        &self,
        (row, column): (usize, usize),
        other: &Sheet,
        (its_row, its): (usize, usize),
    ) -> bool {
        let (meaning, its_meaning) = (self.meaning(row, column), other.meaning(its_row, its));
        self.value(row, column) == other.value(its_row, its) || (meaning != 0 && meaning == its_meaning)
    }

    /// Of some rows, how many have a value of both columns, in how many of those it means the same, and in how many it is written the
    /// same.
    pub(super) fn agreement(&self, rows: &[usize], a: usize, b: usize) -> Agreement {
        let mut found = Agreement::default();
        for &row in rows.iter().filter(|&&row| self.value(row, a) != 0 && self.value(row, b) != 0) {
            found.both += 1;
            found.same += usize::from(self.says((row, a), self, (row, b)));
            found.written += usize::from(self.value(row, a) == self.value(row, b));
        }
        found
    }
}

/// Wordings that a number may have around it: one thing and several.
const WORDINGS: usize = 2;
/// Rows that show a wording.
const WORDED: usize = 3;

/// The numbers of a column that says the same words around each: `Message 12`, `12 reviews`.
#[derive(Debug, Clone, Default)]
struct Counted {
    wordings: Vec<u64>,
    /// By row: what the number means.
    numbers: Vec<(usize, u64)>,
    is_other: bool,
}

impl Counted {
    fn add(&mut self, row: usize, text: &str) {
        let Some((words, number)) = numbered(text).filter(|_| !self.is_other) else {
            self.is_other = true;
            return;
        };
        if !self.wordings.contains(&words) {
            self.wordings.push(words);
        }
        self.is_other = self.wordings.len() > WORDINGS;
        self.numbers.push((row, number));
    }

    fn is_number(&self) -> bool {
        !self.is_other && self.numbers.len() >= WORDED * self.wordings.len().max(1)
    }
}

/// The words around the only number of a short text, and the number.
fn numbered(text: &str) -> Option<(u64, u64)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let start = text.find(|c: char| c.is_ascii_digit()).filter(|_| text.len() <= LONG)?;
    let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
    let number = text[start..end].trim_end_matches(['.', ',']);
    let words = format!("{}\u{0}{}", &text[..start], &text[start + number.len()..]);
    let is_only = !words.contains(|c: char| c.is_numeric());
    is_only.then(|| (told(&words), meaning(&number.replace(',', ""))))
}

/// A text longer than this is compared by its letters and digits: line breaks and marks differ from place to place.
const LONG: usize = 60;

/// What a text says, as a number that is not zero: case and white space do not matter.
pub(super) fn told(text: &str) -> u64 {
    let mut plain = String::with_capacity(text.len());
    let is_long = text.len() > LONG;
    for word in text.split_whitespace() {
        if !plain.is_empty() && !is_long {
            plain.push(' ');
        }
        let letters = word.chars().filter(|c| !is_long || c.is_alphanumeric());
        plain.extend(letters.flat_map(char::to_lowercase));
    }
    if plain.is_empty() { 0 } else { FxBuildHasher.hash_one(&plain) | 1 }
}

/// The same of a typed value: days count without the time of day, `3.0` is `3`.
fn meaning(typed: &str) -> u64 {
    let is_day = typed.len() > 10 && typed.as_bytes().get(4) == Some(&b'-') && typed.is_char_boundary(10);
    let plain = if is_day { &typed[..10] } else { typed };
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() => FxBuildHasher.hash_one(number.to_bits()) | 1,
        _ => told(plain),
    }
}

/// Does a type say where something is instead of what it is?
pub(super) fn is_address(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Url | ValueType::Image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_number(texts: &[&str]) -> bool {
        let mut counted = Counted::default();
        texts.iter().enumerate().for_each(|(row, text)| counted.add(row, text));
        counted.is_number()
    }

    #[test]
    fn a_number_in_the_same_words_is_that_number() {
        assert!(is_number(&["Message1", "Message2", "Message31"]));
        assert!(is_number(&["1 review", "2 reviews", "5 reviews", "1 review", "3 reviews", "9 reviews"]));
        assert_eq!(numbered("msg12 (view)").map(|told| told.1), numbered("12").map(|told| told.1));
        assert_eq!(numbered("1,200 rows").map(|told| told.1), numbered("1200.").map(|told| told.1));
    }

    #[test]
    fn numbers_among_words_that_differ_are_texts() {
        assert!(!is_number(&["Alpha 1", "Beta 2", "Gamma 3"]));
        assert!(!is_number(&["page 1 of 3", "page 2 of 3", "page 3 of 3"]));
        assert!(!is_number(&["Message1", "Message2", "Message"]));
    }
}
