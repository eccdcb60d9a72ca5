//! One fact, one column: which columns of a table say something of their own.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ColumnInfo, ValueType};

use super::lone_facts::by_itself;
use super::sheets::{Agreement, Sheets, is_address, told};
use crate::site::spread;

/// Of the rows that two columns share, the share in which they must say the same to be one fact: strays and typing errors are
/// what is left.
pub(super) const SAME: f64 = 0.95;
/// Rows that texts are searched in each other in. What holds in all of so many holds.
const SEARCHED: usize = 60;
/// A line has no more letters than this, on the mean.
const LINE: usize = 160;
/// A part that stands alone in more than the rest of its rows says something of its own.
const ALWAYS: f64 = 0.9;
/// Two columns are one when a value in so many of the one is one of the other.
const SHARED_VALUES: usize = 5;
/// What pages of all kinds say alike takes fewer different values than this share of the pages.
const FEW_NAMES: f64 = 0.1;
/// Fewer rows show no rule.
pub(super) const FEWEST: usize = 3;

/// What a column is to its table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fate {
    /// It says something of its own.
    Fact,
    /// It says what another column says.
    CopyOf(usize),
    /// It says in some rows what another column with the same label says in the others.
    Continues(usize),
    /// It is kept out of sight, and why.
    Hidden(String),
}

impl Fate {
    pub(super) fn hidden(why: &str) -> Fate {
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
    let letters = |column: usize| -> usize {
        let rows = rows_with(sheets, about, &[column]);
        rows.iter().filter_map(|&row| sheets.text(about.table, row, column)).map(str::len).sum()
    };
    // Of two ways to say the same the shorter one has no label in it.
    open.sort_by_cached_key(|&column| {
        (std::cmp::Reverse((standing(about, column), fullness[column])), letters(column))
    });
    let mut kept: Vec<usize> = Vec::new();
    // `15 km` says more than 15, where the line has its label beside it and not inside.
    for &part in &open {
        let whole = open.iter().find(|&&whole| whole != part && is_number_of(sheets, about, whole, part));
        if let Some(&whole) = whole.filter(|_| about.title != Some(part)) {
            fates[part] = Some(Fate::Hidden(format!("the number in {}", about.columns[whole].name)));
        }
    }
    open.retain(|&column| fates[column].is_none());
    for column in open {
        let found = kept.iter().map(|&other| (other, sheet.agreement(about.rows, other, column)));
        let is_twin = |(_, found): &(usize, Agreement)| {
            2 * found.both >= fullness[column]
                && found.both >= FEWEST.min(about.rows.len())
                && found.same as f64 >= SAME * found.both as f64
        };
        let in_words = |(other, found): &(usize, Agreement)| {
            2 * found.both >= fullness[column] && is_date_in_words(sheets, about, *other, column)
        };
        match found.into_iter().find(|found| is_twin(found) || in_words(found)) {
            // A date for machines beside the date for people is a witness; the same words are the same value.
            Some((other, found)) if found.written as f64 >= SAME * found.both as f64 => {
                fates[column] = Some(Fate::CopyOf(other));
            }
            Some((other, _)) => {
                fates[column] = Some(Fate::Hidden(format!("tells {}", about.columns[other].name)))
            }
            None => kept.push(column),
        }
    }
    // What only machines are told is a witness of what stands on the page, or nothing that people would ask for.
    kept.retain(|&column| {
        let info = &about.columns[column];
        let is_for_machines =
            is_head(info) && !is_data(info) && about.title != Some(column) && !is_measured(info.value_type);
        if is_for_machines {
            fates[column] = Some(Fate::hidden("told to machines only"));
        }
        !is_for_machines
    });
    inside_each_other(sheets, about, &kept, &mut fates);
    continuations(sheets, about, &kept, &mut fates);
    neighbours(sheets, about, &kept, &mut fates);
    fates.into_iter().map(|fate| fate.unwrap_or(Fate::Fact)).collect()
}

/// Which of two columns that say the same stays: the name of the row, then an amount of money as such, then what has a label, then what
/// stands on the page.
fn standing(about: &About<'_>, column: usize) -> (bool, bool, bool, bool) {
    let info = &about.columns[column];
    let is_money = info.value_type == ValueType::Money;
    let stands_there = !is_head(info) && !is_attribute(info);
    (about.title == Some(column), is_money && !is_head(info), info.label.is_some(), stands_there)
}

/// Does it stand in an attribute that says what people read beside it: the machine's form of a date?
fn is_attribute(info: &ColumnInfo) -> bool {
    info.selector.contains(" @") && !is_address(info.value_type)
}

/// Does it stand in the head of a page or in data for machines?
pub(super) fn is_head(info: &ColumnInfo) -> bool {
    info.name.starts_with("meta_") || info.name.starts_with("page_title") || is_data(info)
}

/// Does it stand in data for machines?
pub(super) fn is_data(info: &ColumnInfo) -> bool {
    info.selector.starts_with("embedded data ")
}

/// Is it a moment or a number, which says the same to machines and to people?
fn is_measured(value_type: ValueType) -> bool {
    value_type != ValueType::Text && !is_address(value_type)
}

/// Texts that stand in others.
fn inside_each_other(sheets: &Sheets, about: &About<'_>, kept: &[usize], fates: &mut [Option<Fate>]) {
    let is_text = |&&column: &&usize| !is_address(about.columns[column].value_type);
    let mut texts: Vec<usize> = kept.iter().filter(is_text).copied().collect();
    // What names the row is judged first: what is a part of it, or tells it with more around it.
    texts.sort_by_key(|&column| about.title != Some(column));
    let sheet = &sheets.tables[about.table];
    let filled = |column: usize| about.rows.iter().filter(|&&row| sheet.value(row, column) != 0).count();
    let fullness: Vec<usize> = (0..about.columns.len()).map(filled).collect();
    for &whole in &texts {
        let parts: Vec<usize> = texts
            .iter()
            .copied()
            .filter(|&part| part != whole && fates[part].is_none() && is_inside(sheets, about, whole, part))
            .collect();
        if parts.is_empty() || fates[whole].is_some() {
            continue;
        }
        let tells_the_name =
            about.title.is_some_and(|title| parts.contains(&title)) && is_short(sheets, about, whole);
        // A labelled line cut into several is one value: `9 May: 09:00`.
        let is_cut = parts.len() > 1
            && about.columns[whole].label.is_some()
            && parts.iter().any(|&part| is_measured(about.columns[part].value_type))
            && parts.iter().all(|&part| about.columns[part].label == about.columns[whole].label);
        if about.title != Some(whole)
            && !is_cut
            && (tells_the_name || is_made_of(sheets, about, whole, &parts))
        {
            let names: Vec<&str> = parts.iter().map(|&part| about.columns[part].name.as_str()).collect();
            fates[whole] = Some(Fate::Hidden(format!("tells {}", names.join(", "))));
            continue;
        }
        // What has a label of its own is a fact, wherever else its words stand.
        let is_own = |part: usize| {
            let label = &about.columns[part].label;
            about.title == Some(part) || label.is_some() && *label != about.columns[whole].label
        };
        for part in parts.into_iter().filter(|&part| !is_own(part)) {
            let has_both = |row: &&usize| sheet.value(**row, whole) != 0 && sheet.value(**row, part) != 0;
            let both = about.rows.iter().filter(has_both).count();
            if both as f64 >= ALWAYS * fullness[part] as f64 {
                fates[part] = Some(Fate::Hidden(format!("part of {}", about.columns[whole].name)));
            }
        }
    }
}

/// Columns of one label that no row has both of: a value that stands elsewhere on pages that lack something.
fn continuations(sheets: &Sheets, about: &About<'_>, kept: &[usize], fates: &mut [Option<Fate>]) {
    let sheet = &sheets.tables[about.table];
    for (place, &column) in kept.iter().enumerate() {
        let info = &about.columns[column];
        if fates[column].is_some() || info.label.is_none() || about.title == Some(column) {
            continue;
        }
        let continues = |&&other: &&usize| {
            let its = &about.columns[other];
            let found = sheet.agreement(about.rows, other, column);
            let values: FxHashSet<u64> = about.rows.iter().map(|&row| sheet.value(row, other)).collect();
            let own: FxHashSet<u64> = about.rows.iter().map(|&row| sheet.value(row, column)).collect();
            // Rows without a value count as one on both sides.
            let both = values.intersection(&own).count().saturating_sub(1);
            fates[other].is_none()
                && (&its.label, its.value_type) == (&info.label, info.value_type)
                && found.both == 0
                && (is_measured(info.value_type) || SHARED_VALUES * both >= own.len())
        };
        if let Some(&other) = kept[..place].iter().find(continues) {
            fates[column] = Some(Fate::Continues(other));
        }
    }
}

/// Is one of them the other's date as people write it, in whichever language: the same year and day among the words?
fn is_date_in_words(sheets: &Sheets, about: &About<'_>, a: usize, b: usize) -> bool {
    let is_date = |column: usize| about.columns[column].value_type.is_date();
    let (date, text) = match (is_date(a), is_date(b)) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return false,
    };
    let rows = rows_with(sheets, about, &[date, text]);
    let tells = |row: &&usize| {
        let typed = sheets.row(about.table, **row).cells.iter().find(|cell| cell.column == date);
        let Some(typed) = typed.and_then(|cell| cell.typed()) else { return false };
        let text = sheets.text(about.table, **row, text).unwrap_or_default();
        let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
        let (year, day) = (typed.get(..4).unwrap_or("-"), typed.get(8..10).unwrap_or("-"));
        text.len() <= LINE
            && numbers.contains(&year)
            && numbers.iter().any(|number| *number == day || *number == day.trim_start_matches('0'))
    };
    rows.len() >= FEWEST && rows.iter().filter(tells).count() as f64 >= SAME * rows.len() as f64
}

/// Is it a line, such as the title of a page or a trail, and no running text?
fn is_short(sheets: &Sheets, about: &About<'_>, column: usize) -> bool {
    let rows = rows_with(sheets, about, &[column]);
    let letters =
        rows.iter().filter_map(|&row| sheets.text(about.table, row, column)).map(|text| text.chars().count());
    letters.sum::<usize>() <= LINE * rows.len()
}

/// Is a part the number in a labelled value that has nothing but a unit beside it?
fn is_number_of(sheets: &Sheets, about: &About<'_>, whole: usize, part: usize) -> bool {
    let (line, number) = (&about.columns[whole], &about.columns[part]);
    let is_split = line.label == number.label && number.selector.starts_with(&line.selector);
    let Some(label) = line.label.as_deref().filter(|_| is_split && is_measured(number.value_type)) else {
        return false;
    };
    let label = told(label.trim_end_matches([':', '：']));
    let is_its = |&&row: &&usize| {
        let text = sheets.text(about.table, row, whole).unwrap_or_default();
        text.starts_with(|c: char| c.is_numeric() || c == '-')
            && text.split(char::is_whitespace).all(|word| told(word) != label)
    };
    let rows = rows_with(sheets, about, &[whole, part]);
    matches!(line.value_type, ValueType::Text | ValueType::Measure)
        && rows.len() >= FEWEST
        && rows.iter().filter(is_its).count() as f64 >= SAME * rows.len() as f64
}

/// Rows that have values of all these columns, some of them.
pub(super) fn rows_with(sheets: &Sheets, about: &About<'_>, columns: &[usize]) -> Vec<usize> {
    let sheet = &sheets.tables[about.table];
    let has_all = |row: &usize| columns.iter().all(|&column| sheet.value(*row, column) != 0);
    let rows: Vec<usize> = about.rows.iter().copied().filter(has_all).collect();
    spread(&rows, SEARCHED)
}

/// Does one text stand in the other wherever both are?
fn is_inside(sheets: &Sheets, about: &About<'_>, whole: usize, part: usize) -> bool {
    let rows = rows_with(sheets, about, &[whole, part]);
    let text = |row: usize, column: usize| sheets.text(about.table, row, column).unwrap_or_default();
    let inside = rows.iter().filter(|&&row| without(text(row, whole), text(row, part)).is_some()).count();
    rows.len() >= FEWEST && inside as f64 >= SAME * rows.len() as f64
}

/// Is what is left of a text without its parts a frame that hardly varies: ten texts share each way of framing them?
fn is_made_of(sheets: &Sheets, about: &About<'_>, whole: usize, parts: &[usize]) -> bool {
    let mut rests: FxHashSet<String> = FxHashSet::default();
    let mut wholes: FxHashSet<&str> = FxHashSet::default();
    for row in rows_with(sheets, about, &[whole]) {
        let long = sheets.text(about.table, row, whole).unwrap_or_default();
        let mut texts: Vec<&str> =
            parts.iter().filter_map(|&part| sheets.text(about.table, row, part)).collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        wholes.insert(long);
        rests.insert(texts.iter().fold(long.to_owned(), |rest, text| without(&rest, text).unwrap_or(rest)));
    }
    let is_number = |part: &usize| about.columns[*part].value_type != ValueType::Text;
    // `Levy Hall` is more than `Levy`; `36 available` is no more than 36.
    let goes_on =
        |rest: &String| rest.rsplit('\u{0}').next().is_some_and(|end| end.chars().any(char::is_alphabetic));
    let is_cut_short = !parts.iter().all(is_number) && rests.iter().all(goes_on);
    rests.len() <= 1 + wholes.len() / 10 && !is_cut_short
}

/// A text without another one that stands in it between words; `None` where it does not.
pub(super) fn without(long: &str, short: &str) -> Option<String> {
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
    let is_shared = 10 * names.len() < 9 * about.rows.len();
    for &column in kept.iter().filter(|&&column| column != title) {
        let (mut filled, mut names_another, mut own) = (0usize, 0usize, 0usize);
        let mut different: FxHashSet<u64> = FxHashSet::default();
        for &row in about.rows {
            let value = sheet.value(row, column);
            if value != 0 {
                filled += 1;
                different.insert(value);
                // The next of a thread has the same name.
                names_another +=
                    usize::from(names.contains(&value) && (is_shared || value != sheet.value(row, title)));
                own += usize::from(value == sheet.value(row, title));
            }
        }
        let is_once = different.len() as f64 >= 0.8 * filled.min(names.len()) as f64 && 10 * own < 9 * filled;
        if filled >= FEWEST
            && is_once
            && names_another as f64 >= 0.8 * filled as f64
            && fates[column].is_none()
        {
            fates[column] = Some(Fate::hidden("names the one before or the next"));
        }
    }
}

/// What a column says; of words with a number that is all that differs (`took 14 ms`) the words.
fn said(sheets: &Sheets, table: usize, column: usize) -> FxHashSet<u64> {
    let sheet = &sheets.tables[table];
    let rows: Vec<usize> = sheet.column(column).map(|(row, _)| row).collect();
    let wordings: FxHashSet<u64> = spread(&rows, SEARCHED)
        .into_iter()
        .filter_map(|row| sheets.text(table, row, column))
        .map(|text| {
            let words: String = text.chars().filter(|c| !c.is_numeric() && !matches!(c, '.' | ',')).collect();
            told(words.trim())
        })
        .collect();
    let speaks =
        |row: &usize| sheets.text(table, *row, column).is_some_and(|text| text.contains(char::is_alphabetic));
    if wordings.len() == 1 && rows.len() >= FEWEST && rows.first().is_some_and(speaks) {
        return wordings;
    }
    sheet.column(column).map(|(_, value)| value).collect()
}

/// The columns that say on pages of other kinds what they say here: facts of the site or of the moment.
pub(super) fn frame(sheets: &Sheets, tables: &[(usize, &[ColumnInfo])]) -> FxHashSet<(usize, usize)> {
    // By what leads to a column: where it stands, and what it says.
    type Said = (usize, usize, FxHashSet<u64>);
    let mut places: FxHashMap<(&str, &str), Vec<Said>> = FxHashMap::default();
    for &(table, columns) in tables {
        for (column, info) in columns.iter().enumerate() {
            let said = said(sheets, table, column);
            if said.is_empty() {
                continue;
            }
            if let Some(label) = &info.label {
                places.entry((label, "label")).or_default().push((table, column, said.clone()));
            }
            places.entry((&info.selector, info.value_type.name())).or_default().push((table, column, said));
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
            let is_labelled = tables.iter().any(|(at, infos)| at == table && infos[*column].label.is_some());
            if is_labelled && said.len() >= FEWEST {
                continue;
            }
            // Who wrote it is said on pages of all kinds as well, but by many names.
            let filled = sheets.tables[*table].column(*column).count();
            if said.len() > FEWEST && said.len() as f64 > FEW_NAMES * filled as f64 {
                continue;
            }
            let elsewhere = said.iter().filter(|value| everywhere[*value] > 1).count();
            if 2 * elsewhere > said.len() {
                frame.insert((*table, *column));
            }
        }
    }
    frame
}
