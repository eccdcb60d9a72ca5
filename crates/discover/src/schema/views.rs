//! What lists say of the things they lead to.

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{Fate, without};
use super::lists::{Kind, List, Surroundings};
use super::sheets::is_address;

/// Two lists of the same things that stand on one page more often than this are the list and what is beside it.
const TOGETHER: f64 = 0.2;
/// A list says what the thing says when this share of its rows do: lists are older or newer than pages, and cut texts.
const SAME: f64 = 0.9;
/// What a list says of a thing belongs to the thing when this share of the things that were seen twice say the same.
const FOLLOWS: f64 = 0.9;
/// A fact is one that this share of the things have.
const KNOWN_OF: f64 = 0.3;
/// Fewer pairs show nothing.
const FEWEST: usize = 3;

/// Of lists of the same things on the same pages the list of the page is the one that stands on the fewest kinds of pages, and of
/// those the longest; the others are beside it.
pub(super) fn choose_main(around: &Surroundings<'_>, lists: &mut [List]) {
    let sheets = around.sheets;
    let mut of_thing: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, list) in lists.iter().enumerate() {
        if let Kind::Things { thing, .. } = list.kind {
            of_thing.entry(thing).or_default().push(at);
        }
    }
    let pages = |at: usize| -> FxHashSet<usize> {
        sheets.tables[lists[at].table].rows.iter().map(|row| row.0).collect()
    };
    let mut beside: Vec<usize> = Vec::new();
    for mut members in of_thing.into_values() {
        let kinds = |at: usize| {
            let rows = sheets.tables[lists[at].table].rows.iter();
            let kinds = rows.map(|row| around.wrapper.types[sheets.pages[row.0].page_type].page_table);
            kinds.collect::<FxHashSet<_>>().len()
        };
        let rows = |at: usize| std::cmp::Reverse(sheets.tables[lists[at].table].rows.len());
        members.sort_by_cached_key(|&at| (kinds(at), rows(at), at));
        let mut main: Vec<FxHashSet<usize>> = Vec::new();
        for at in members {
            let own = pages(at);
            let together = main.iter().any(|other| {
                let both = own.iter().filter(|page| other.contains(page)).count();
                both as f64 > TOGETHER * own.len().min(other.len()) as f64
            });
            match together {
                true => beside.push(at),
                false => main.push(own),
            }
        }
    }
    for at in beside {
        lists[at].kind = Kind::View("stands beside the list of its page".into());
    }
}

/// What a column of a list is to the things that its rows are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Seen {
    /// The thing says the same in this column of its own table.
    Copy(usize),
    /// A fact of the thing that only lists tell: its value for each thing.
    Fact(FxHashMap<String, u64>),
    /// It says nothing lasting of the thing, and why.
    Hidden(String),
}

/// Compares a column of a list with what the things say of themselves. `own` are the things' rows by their addresses.
pub(super) fn seen(
    around: &Surroundings<'_>,
    list: &List,
    column: usize,
    thing: usize,
    own: &FxHashMap<&str, usize>,
) -> Seen {
    if let Fate::Hidden(why) = &list.fates[column] {
        return Seen::Hidden(why.clone());
    }
    let sheet = &around.sheets.tables[list.table];
    let table = around.things[thing].table;
    let things = &around.sheets.tables[table];
    let pairs: Vec<(usize, usize)> = (0..sheet.rows.len())
        .filter(|&row| sheet.value(row, column) != 0)
        .filter_map(|row| Some((row, *own.get(list.leads_to[row].as_deref()?)?)))
        .collect();
    let columns = &around.wrapper.schema.tables[table].columns;
    let mut best: Option<(usize, usize, bool)> = None;
    for other in 0..things.columns {
        let (mut both, mut same, mut written) = (0usize, 0usize, 0usize);
        for &(row, its) in pairs.iter().filter(|&&(_, its)| things.value(its, other) != 0) {
            both += 1;
            same += usize::from(sheet.says((row, column), things, (its, other)));
            written += usize::from(sheet.value(row, column) == things.value(its, other));
        }
        let is_copy = both >= FEWEST.min(pairs.len()).max(1)
            && 2 * both >= pairs.len()
            && same as f64 >= SAME * both as f64;
        if is_copy && best.is_none_or(|(most, ..)| same + written > most) {
            best = Some((same + written, other, written as f64 >= SAME * both as f64));
        }
    }
    match best {
        Some((_, other, true)) => return Seen::Copy(other),
        Some((_, other, false)) => return Seen::Hidden(format!("tells {}", columns[other].name)),
        None => {}
    }
    if is_address(around.wrapper.schema.tables[list.table].columns[column].value_type) {
        return Seen::Hidden("an address that only the list has".into());
    }
    let labels: Vec<Option<&str>> =
        around.wrapper.schema.tables[list.table].columns.iter().map(|info| info.label.as_deref()).collect();
    for other in (0..things.columns).filter(|&other| !is_address(columns[other].value_type)) {
        let (mut both, mut inside, mut around_it) = (0usize, 0usize, 0usize);
        let mut frames: FxHashSet<String> = FxHashSet::default();
        for &(row, its) in pairs.iter().take(60) {
            let texts =
                around.sheets.text(list.table, row, column).zip(around.sheets.text(table, its, other));
            if let Some((short, long)) = texts {
                both += 1;
                let short = short.trim_end_matches(|c: char| !c.is_alphanumeric());
                inside += usize::from(!short.is_empty() && (long.contains(short) || begins(long, short)));
                if let Some(rest) = without(short, long) {
                    around_it += 1;
                    frames.insert(rest);
                }
            }
        }
        if both >= FEWEST && around_it as f64 >= SAME * both as f64 && 10 * frames.len() <= both + 9 {
            return Seen::Hidden(format!("tells {}", columns[other].name));
        }
        // What has a label of its own is a fact, wherever else its words stand.
        let is_own = labels[column].is_some() && labels[column] != columns[other].label.as_deref();
        if !is_own && both >= FEWEST && 2 * both >= pairs.len().min(60) && inside as f64 >= SAME * both as f64
        {
            return Seen::Hidden(format!("part of {}", columns[other].name));
        }
    }
    follows(around, list, column)
}

/// Letters that two texts which begin alike by chance do not share.
const BEGINS: usize = 30;
/// Letters that a short text shares with the beginning of another: a town with its state, before the country.
const NAMED: usize = 8;
/// Letters of a long text that are compared.
const COMPARED: usize = 400;

/// Does one text begin as the other does, whatever marks stand between its words: cut short, with a link to the rest behind it? Or
/// do both say the same letters?
fn begins(long: &str, short: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).take(COMPARED).collect()
    };
    let (long, short) = (letters(long), letters(short));
    let alike = long.iter().zip(&short).take_while(|(a, b)| a == b).count();
    (alike == short.len() && (alike == long.len() || alike >= NAMED) && alike > 0)
        || (alike >= BEGINS && 2 * alike >= short.len())
}

/// Does the value follow from the thing?
fn follows(around: &Surroundings<'_>, list: &List, column: usize) -> Seen {
    let sheet = &around.sheets.tables[list.table];
    let mut values: FxHashMap<String, (u64, usize, usize)> = FxHashMap::default();
    for (row, value) in sheet.column(column) {
        if let Some(key) = &list.leads_to[row] {
            let entry = values.entry(key.clone()).or_insert((value, 0, 0));
            entry.1 += 1;
            entry.2 += usize::from(entry.0 == value);
        }
    }
    let again: Vec<(usize, usize)> =
        values.values().filter(|seen| seen.1 > 1).map(|seen| (seen.1, seen.2)).collect();
    let all: usize = again.iter().map(|seen| seen.0).sum();
    let same: usize = again.iter().map(|seen| seen.1).sum();
    if (same as f64) < FOLLOWS * all as f64 {
        return Seen::Hidden("differs from list to list".into());
    }
    let known: FxHashSet<&str> = list.leads_to.iter().flatten().map(String::as_str).collect();
    if (values.len() as f64) < KNOWN_OF * known.len() as f64 {
        return Seen::Hidden("said of few".into());
    }
    Seen::Fact(values.into_iter().map(|(key, seen)| (key, seen.0)).collect())
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn excerpts_are_known_by_how_they_begin() {
        let whole = "A light radio for people who travel.\n\nIt survived a fall, and more than that.";
        assert!(begins(whole, "A light radio for people who travel. It survived … Continue reading A radio"));
        assert!(begins("Barre, Vermont", "Barre (Vermont)"));
        assert!(begins("Barre, Vermont, United States", "Barre (Vermont)"));
        assert!(!begins(whole, "A light bicycle for people who race. It survived nothing."));
        assert!(!begins("Barre, Vermont", "Barre"));
    }
}
