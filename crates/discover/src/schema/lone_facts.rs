//! What can be said of a column without looking at others: whether it says something at all.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ColumnInfo, ValueType};

use super::facts::{About, FEWEST, Fate, SAME, rows_with};
use super::sheets::{Sheets, is_address, told};

/// A column that says one thing in this share of all rows says nothing of its row.
const CONSTANT: f64 = 0.95;
/// What is punctuation in more than this share of its rows was cut out of a running text.
const PUNCTUATION: f64 = 0.02;
/// What fewer rows than this share have, without a label, is a whim of their pages: on the labelled sites to look at and the installed
/// applications, 4 of 43 such columns are facts.
const FEW_ROWS: f64 = 0.5;
/// The same of a list, which may hold rows of several kinds.
const FEW_OF_LIST: f64 = 0.3;
/// How selectors begin that reach a column by a text before it.
const BEHIND: &str = "behind “";
/// What such a text names stands in the cell of a table or of a list of names and values, or right behind a colon; not in a button or
/// another link.
const VALUES: [&str; 4] = ["”: td ", "”: dd ", ":”: div text 1", ":”: p text 1"];
/// How selectors end that reach a whole trail.
const WAY: &str = "(way to the page)";

/// What can be said of a column without looking at others.
pub(super) fn by_itself(sheets: &Sheets, about: &About<'_>, column: usize) -> Option<Fate> {
    let (sheet, info) = (&sheets.tables[about.table], &about.columns[column]);
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for &row in about.rows {
        *counts.entry(sheet.value(row, column)).or_default() += 1;
    }
    let filled = about.rows.len() - counts.remove(&0).unwrap_or(0);
    let most = counts.values().copied().max().unwrap_or(0);
    if filled == 0 {
        return Some(Fate::hidden("seen nowhere"));
    }
    if about.title == Some(column) {
        return None;
    }
    if about.frame.contains(&column) {
        return Some(Fate::hidden("pages of other kinds say the same"));
    }
    let is_full = filled as f64 >= CONSTANT * about.rows.len() as f64;
    let is_one = most as f64 >= CONSTANT * filled as f64;
    // Where only some rows have it, a labelled value says something by being there, if nothing else has its label.
    let is_mark = info.label.is_some()
        && about.columns.iter().filter(|other| other.label == info.label).count() == 1
        && counts.len() == 1;
    if about.rows.len() > 1 && is_one && (is_full || !is_mark) {
        return Some(Fate::hidden("the same everywhere"));
    }
    // An amount of money is one wherever it stands: a price that was.
    let is_money = info.value_type == ValueType::Money;
    let few = if about.is_list { FEW_OF_LIST } else { FEW_ROWS };
    if info.label.is_none() && !is_money && (filled as f64) < few * about.rows.len() as f64 {
        return Some(Fate::hidden("said of few"));
    }
    if info.selector.starts_with(BEHIND) && !VALUES.iter().any(|end| info.selector.contains(end)) {
        return Some(Fate::hidden("stands behind a text that names nothing"));
    }
    if info.selector.contains(WAY) {
        return Some(Fate::hidden("the way to the page"));
    }
    if is_another_number(info) {
        return Some(Fate::hidden("a number beside another"));
    }
    if is_label(sheets, about, column) {
        return Some(Fate::hidden("names what stands behind it"));
    }
    if is_address(info.value_type) && !(about.leads)(column) {
        return Some(Fate::hidden("leads to no thing"));
    }
    let is_bare = |row: &&usize| {
        let text = sheets.text(about.table, **row, column);
        text.is_some_and(|text| !text.chars().any(char::is_alphanumeric))
    };
    // Behind a label it stands for nothing: `Height: ?`.
    let most_bare = if info.label.is_some() { 0.5 } else { PUNCTUATION };
    if about.rows.iter().filter(is_bare).count() as f64 > most_bare * filled as f64 {
        return Some(Fate::hidden("punctuation between other things"));
    }
    if counts.len() <= FEWEST && is_one_word(sheets, about, column) {
        return Some(Fate::hidden("one word in its forms"));
    }
    if is_count(sheets, about, column) {
        return Some(Fate::hidden("counts what a link leads to"));
    }
    if about.is_list && follows_the_page(sheets, about, column) {
        return Some(Fate::hidden("a fact of the page, not of the row"));
    }
    if !about.is_list && counts_the_parts(sheets, about, column) {
        return Some(Fate::hidden("says which part of a long page it is"));
    }
    None
}

/// Is it cut out of a line behind a number: `Page 3` behind `Page 1`?
fn is_another_number(info: &ColumnInfo) -> bool {
    let is_number = |word: &str| word.trim_matches(':').chars().all(|c| c.is_ascii_digit());
    let last = info.label.as_deref().and_then(|label| label.split_whitespace().last());
    info.selector.contains(" “") && last.is_some_and(is_number)
}

/// Do most values end with a colon, so that something else is what they name?
fn is_label(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let rows = rows_with(sheets, about, &[column]);
    let ends = |row: &&usize| {
        let text = sheets.text(about.table, **row, column).unwrap_or_default();
        text.trim_end().ends_with([':', '：'])
    };
    2 * rows.iter().filter(ends).count() > rows.len()
}

/// Are all values forms of one word: `review`, `reviews`?
fn is_one_word(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let rows = rows_with(sheets, about, &[column]);
    let texts: Vec<&str> = rows.iter().filter_map(|&row| sheets.text(about.table, row, column)).collect();
    let Some(first) = texts.first() else { return false };
    let is_shared = |length: usize| {
        first.get(..length).is_some_and(|start| texts.iter().all(|text| text.starts_with(start)))
    };
    let shared = (1..=first.len()).rev().find(|&length| is_shared(length)).unwrap_or(0);
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    let is_word = texts.iter().all(|text| text.chars().all(char::is_alphabetic));
    // An ending is at most a third of a word.
    rows.len() >= FEWEST && is_word && 3 * shared >= 2 * longest
}

/// Numbers in brackets, as they stand beside links to lists.
fn is_count(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let rows = rows_with(sheets, about, &[column]);
    let in_brackets = |row: &&usize| {
        let text = sheets.text(about.table, **row, column).unwrap_or_default().trim();
        let inner = text.strip_prefix(['(', '[', '（']).and_then(|rest| rest.strip_suffix([')', ']', '）']));
        inner.is_some_and(|inner| !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || c == ','))
    };
    2 * rows.iter().filter(in_brackets).count() > rows.len()
}

/// Does the page's own row say the same?
fn follows_the_page(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let sheet = &sheets.tables[about.table];
    let (mut rows, mut same) = (0usize, 0usize);
    for &row in about.rows {
        let value = sheet.value(row, column);
        let page = &sheets.pages[sheet.rows[row].0];
        // Only rows inside a page can repeat what the page says.
        if let Some(own) = page.rows.first().filter(|own| value != 0 && own.table != about.table) {
            rows += 1;
            same += usize::from(own.cells.iter().any(|cell| told(&cell.value) == value));
        }
    }
    rows >= FEWEST && same as f64 >= SAME * rows as f64
}

/// Does it differ between the parts of one page?
fn counts_the_parts(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let sheet = &sheets.tables[about.table];
    let mut of_thing: FxHashMap<&str, FxHashSet<u64>> = FxHashMap::default();
    let mut parts: FxHashMap<&str, usize> = FxHashMap::default();
    for (row, value) in sheet.column(column) {
        let key = sheets.pages[sheet.rows[row].0].key.as_str();
        of_thing.entry(key).or_default().insert(value);
        *parts.entry(key).or_default() += 1;
    }
    let long: Vec<&str> = parts.iter().filter(|&(_, &parts)| parts > 1).map(|(key, _)| *key).collect();
    let differ = long.iter().filter(|key| of_thing[**key].len() > 1).count();
    2 * differ > long.len()
}
