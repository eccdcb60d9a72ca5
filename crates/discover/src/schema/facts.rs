//! One fact, one column: which columns of a table say something of their own.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::ColumnInfo;

use super::sheets::{Sheets, is_address};
use crate::site::spread;

/// Of the rows that two columns share, the share in which they must say the same to be one fact: strays and typing errors are
/// what is left.
const SAME: f64 = 0.95;
/// A column that says one thing in this share of all rows says nothing of its row.
const CONSTANT: f64 = 0.97;
/// Rows that texts are searched in each other in. What holds in all of so many holds.
const SEARCHED: usize = 60;
/// Fewer rows show no rule.
const FEWEST: usize = 3;

/// What a column is to its table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fate {
    /// It says something of its own.
    Fact,
    /// It says what another column says.
    CopyOf(usize),
    /// It is kept out of sight, and why.
    Hidden(String),
}

impl Fate {
    fn hidden(why: &str) -> Fate {
        Fate::Hidden(why.to_owned())
    }
}

/// What is known of a table besides its rows.
pub(super) struct About<'a> {
    pub(super) table: usize,
    pub(super) columns: &'a [ColumnInfo],
    /// The rows to look at.
    pub(super) rows: &'a [usize],
    /// The column that names its rows.
    pub(super) title: Option<usize>,
    /// Its rows are those of a list inside a page.
    pub(super) is_list: bool,
    /// Columns that say on pages of other kinds what they say here.
    pub(super) frame: &'a FxHashSet<usize>,
    /// For each column of addresses: does it lead to a thing, or out of the site?
    pub(super) leads: &'a dyn Fn(usize) -> bool,
}

/// Says of each column what it is.
///
/// # What it does
/// A column that says one thing everywhere, what its whole page says or what pages of every kind say is no fact of the row. Of columns
/// that say the same in the same rows, the one with a label stays. A text that another one contains is a part of it; where what is
/// left of the longer one hardly varies, the longer one is the one that says nothing more.
///
/// # Assumes
/// Enough rows to tell a rule from a chance.
///
/// # When it fails
/// Two facts that are always the same on the pages that were seen are taken for one.
///
/// # Paper
/// Ours.
pub(super) fn facts(sheets: &Sheets, about: &About<'_>) -> Vec<Fate> {
    let mut fates: Vec<Option<Fate>> =
        (0..about.columns.len()).map(|column| by_itself(sheets, about, column)).collect();
    let mut open: Vec<usize> = (0..fates.len()).filter(|&column| fates[column].is_none()).collect();
    let sheet = &sheets.tables[about.table];
    let filled = |column: usize| about.rows.iter().filter(|&&row| sheet.value(row, column) != 0).count();
    let fullness: Vec<usize> = (0..fates.len()).map(filled).collect();
    open.sort_by_key(|&column| std::cmp::Reverse((standing(about, column), fullness[column])));
    let mut kept: Vec<usize> = Vec::new();
    for column in open {
        let twin = kept.iter().find(|&&other| {
            let (both, same) = sheet.agreement(about.rows, other, column);
            2 * both >= fullness[column]
                && both >= FEWEST.min(about.rows.len())
                && same as f64 >= SAME * both as f64
        });
        match twin {
            Some(&other) => fates[column] = Some(Fate::CopyOf(other)),
            None => kept.push(column),
        }
    }
    inside_each_other(sheets, about, &kept, &mut fates);
    neighbours(sheets, about, &kept, &mut fates);
    fates.into_iter().map(|fate| fate.unwrap_or(Fate::Fact)).collect()
}

/// Which of two columns that say the same stays: the name of the row, then what has a label, then what stands on the page.
fn standing(about: &About<'_>, column: usize) -> (bool, bool, bool) {
    let info = &about.columns[column];
    (about.title == Some(column), info.label.is_some(), !is_head(info))
}

/// Does it stand in the head of a page or in data for machines?
pub(super) fn is_head(info: &ColumnInfo) -> bool {
    info.name.starts_with("meta_") || info.name.starts_with("page_title")
}

/// What can be said of a column without looking at others.
fn by_itself(sheets: &Sheets, about: &About<'_>, column: usize) -> Option<Fate> {
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
    if about.rows.len() >= FEWEST && is_one && (is_full || info.label.is_none() || counts.len() > 1) {
        return Some(Fate::hidden("the same everywhere"));
    }
    if is_address(info.value_type) && !(about.leads)(column) {
        return Some(Fate::hidden("leads to no thing"));
    }
    let has_letters = |row: &usize| {
        sheets.text(about.table, *row, column).is_some_and(|text| text.chars().any(char::is_alphanumeric))
    };
    if 2 * about.rows.iter().filter(|row| has_letters(row)).count() < filled {
        return Some(Fate::hidden("punctuation"));
    }
    if about.is_list && follows_the_page(sheets, about, column) {
        return Some(Fate::hidden("a fact of the page, not of the row"));
    }
    if !about.is_list && counts_the_parts(sheets, about, column) {
        return Some(Fate::hidden("says which part of a long page it is"));
    }
    None
}

/// Is it the same in all rows of a page?
fn follows_the_page(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let sheet = &sheets.tables[about.table];
    let (mut pages, mut same) = (0usize, 0usize);
    for rows in about.rows.chunk_by(|&a, &b| sheet.rows[a].0 == sheet.rows[b].0) {
        let mut values = rows.iter().map(|&row| sheet.value(row, column)).filter(|&value| value != 0);
        let Some(first) = values.next() else { continue };
        let rest: Vec<u64> = values.collect();
        if !rest.is_empty() {
            pages += 1;
            same += usize::from(rest.iter().all(|&value| value == first));
        }
    }
    pages >= FEWEST && same as f64 >= SAME * pages as f64
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

/// Texts that stand in others.
fn inside_each_other(sheets: &Sheets, about: &About<'_>, kept: &[usize], fates: &mut [Option<Fate>]) {
    let text = |row: usize, column: usize| sheets.text(about.table, row, column);
    let is_text = |&&column: &&usize| !is_address(about.columns[column].value_type);
    let texts: Vec<usize> = kept.iter().filter(is_text).copied().collect();
    let sheet = &sheets.tables[about.table];
    for &whole in &texts {
        for &part in &texts {
            if whole == part
                || fates[whole].is_some()
                || fates[part].is_some()
                || about.title == Some(part) && about.title == Some(whole)
            {
                continue;
            }
            let both: Vec<usize> = about
                .rows
                .iter()
                .copied()
                .filter(|&row| sheet.value(row, whole) != 0 && sheet.value(row, part) != 0)
                .collect();
            if both.len() < FEWEST {
                continue;
            }
            let rows = spread(&both, SEARCHED);
            let mut rests: FxHashMap<String, usize> = FxHashMap::default();
            let mut wholes: FxHashSet<&str> = FxHashSet::default();
            let mut inside = 0;
            for &row in &rows {
                let (Some(long), Some(short)) = (text(row, whole), text(row, part)) else { continue };
                wholes.insert(long);
                if let Some(rest) = without(long, short) {
                    inside += 1;
                    *rests.entry(rest).or_default() += 1;
                }
            }
            if (inside as f64) < SAME * rows.len() as f64 {
                continue;
            }
            // What is left over hardly varies: ten texts share each way of framing the part.
            let is_frame = rests.len() <= 1 + wholes.len() / 10;
            if about.title != Some(whole) && (is_frame || about.title == Some(part)) {
                let why = format!("tells {}", about.columns[part].name);
                fates[whole] = Some(Fate::Hidden(why));
            } else if about.title != Some(part) {
                let why = format!("part of {}", about.columns[whole].name);
                fates[part] = Some(Fate::Hidden(why));
            }
        }
    }
}

/// A text without another one that stands in it between words; `None` where it does not.
fn without(long: &str, short: &str) -> Option<String> {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    for (at, found) in long.match_indices(short) {
        let (before, after) = (&long[..at], &long[at + found.len()..]);
        let cut_before = is_word(before.chars().next_back()) && is_word(short.chars().next());
        let cut_after = is_word(after.chars().next()) && is_word(short.chars().next_back());
        // Writing without spaces has no borders between words.
        if !(cut_before || cut_after) || !short.is_ascii() {
            return Some(format!("{before}\u{0}{after}"));
        }
    }
    None
}

/// Columns that name each of the other rows once: ways to the one before and the next.
fn neighbours(sheets: &Sheets, about: &About<'_>, kept: &[usize], fates: &mut [Option<Fate>]) {
    let Some(title) = about.title else { return };
    let sheet = &sheets.tables[about.table];
    let names: FxHashSet<u64> = about.rows.iter().map(|&row| sheet.value(row, title)).collect();
    for &column in kept.iter().filter(|&&column| column != title) {
        let (mut filled, mut names_another) = (0usize, 0usize);
        let mut different: FxHashSet<u64> = FxHashSet::default();
        for &row in about.rows {
            let value = sheet.value(row, column);
            if value != 0 {
                filled += 1;
                different.insert(value);
                names_another += usize::from(names.contains(&value) && value != sheet.value(row, title));
            }
        }
        let is_once = different.len() as f64 >= 0.8 * filled as f64;
        if filled >= FEWEST
            && is_once
            && names_another as f64 >= 0.8 * filled as f64
            && fates[column].is_none()
        {
            fates[column] = Some(Fate::hidden("names the one before or the next"));
        }
    }
}

/// The columns that say on pages of other kinds what they say here: facts of the site or of the moment.
pub(super) fn frame(sheets: &Sheets, tables: &[(usize, &[ColumnInfo])]) -> FxHashSet<(usize, usize)> {
    // By what leads to a column: where it stands, and what it says.
    let mut places: FxHashMap<(&str, &str), Vec<(usize, usize, FxHashSet<u64>)>> = FxHashMap::default();
    for &(table, columns) in tables {
        for (column, info) in columns.iter().enumerate() {
            let said: FxHashSet<u64> = sheets.tables[table].column(column).map(|(_, value)| value).collect();
            if !said.is_empty() {
                places
                    .entry((info.selector.as_str(), info.value_type.name()))
                    .or_default()
                    .push((table, column, said));
            }
        }
    }
    let mut frame = FxHashSet::default();
    for columns in places.values().filter(|columns| columns.len() >= FEWEST) {
        let mut everywhere: FxHashMap<u64, usize> = FxHashMap::default();
        columns
            .iter()
            .flat_map(|(_, _, said)| said)
            .for_each(|&value| *everywhere.entry(value).or_default() += 1);
        for (table, column, said) in columns {
            let elsewhere = said.iter().filter(|value| everywhere[*value] > 1).count();
            if 2 * elsewhere > said.len() {
                frame.insert((*table, *column));
            }
        }
    }
    frame
}
