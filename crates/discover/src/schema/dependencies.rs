//! What a row says of another thing that it refers to: that thing's facts, told again.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::ValueType;

use super::facts::{Fate, without};
use super::lists::Surroundings;
use super::sheets::is_address;

/// A column says what the other thing says when this share of its rows do.
const SAME: f64 = 0.9;
/// Several rows refer to each thing: where each row has one of its own, who depends on whom is open.
const SHARED: f64 = 0.8;
/// Everything stands in a long text: it tells what is no line, and of a length with it.
const LINE: usize = 160;
/// So many times as long.
const LONGER: usize = 3;
/// Fewer rows show no rule.
const FEWEST: usize = 3;

/// Hides the columns that follow from a thing that the row refers to, but for its name, which is what people call it by.
pub(super) fn hide_what_follows(around: &Surroundings<'_>, table: usize, fates: &mut [Fate]) {
    let info = &around.wrapper.schema.tables[table];
    for link in (0..info.columns.len()).filter(|&column| info.columns[column].value_type == ValueType::Url) {
        let Some((thing, pairs)) = referred(around, table, link) else { continue };
        // The text of the link says which one the row refers to.
        let called = around.text_of(table, link);
        let (other, title) = (around.things[thing].table, around.things[thing].title);
        for (column, fate) in fates.iter_mut().enumerate() {
            if *fate != Fate::Fact || called == Some(column) || is_address(info.columns[column].value_type) {
                continue;
            }
            if share(around, (table, column), (other, title), &pairs, false) >= SAME {
                continue;
            }
            // What has a label of its own is a fact, wherever else its words stand.
            let is_labelled = info.columns[column].label.is_some();
            let says = (0..around.sheets.tables[other].columns)
                .filter(|&its| around.facts[thing][its] == Fate::Fact)
                .filter(|&its| !is_address(around.wrapper.schema.tables[other].columns[its].value_type))
                .find(|&its| share(around, (table, column), (other, its), &pairs, !is_labelled) >= SAME);
            if let Some(its) = says {
                let (thing, its) = (
                    &around.wrapper.schema.tables[other].name,
                    &around.wrapper.schema.tables[other].columns[its].name,
                );
                *fate = Fate::Hidden(format!("follows from {thing}.{its}"));
            }
        }
    }
}

/// The thing that a column of links refers to, and for each row that has such a link the row of that thing.
fn referred(around: &Surroundings<'_>, table: usize, link: usize) -> Option<(usize, Vec<(usize, usize)>)> {
    let sheet = &around.sheets.tables[table];
    let mut keys: FxHashMap<usize, Vec<(usize, String)>> = FxHashMap::default();
    for (row, _) in sheet.column(link) {
        let key = (around.address)(around.sheets.text(table, row, link)?);
        let thing = around.targets.table(&key).and_then(|target| around.thing_of_table(target));
        if let Some(thing) = thing.filter(|&thing| around.things[thing].table != table) {
            keys.entry(thing).or_default().push((row, key));
        }
    }
    let (thing, keys) =
        keys.into_iter().max_by_key(|(thing, keys)| (keys.len(), std::cmp::Reverse(*thing)))?;
    let different = keys.iter().map(|(_, key)| key).collect::<FxHashSet<_>>().len();
    if keys.len() < FEWEST || different as f64 > SHARED * keys.len() as f64 {
        return None;
    }
    let rows = around.rows_by_key(thing);
    Some((thing, keys.iter().filter_map(|(row, key)| Some((*row, *rows.get(key.as_str())?))).collect()))
}

/// Of the pairs of rows in which both have a value, the share in which they say the same; with `inside`, also where the one stands in
/// the other.
fn share(
    around: &Surroundings<'_>,
    (table, column): (usize, usize),
    (other, its): (usize, usize),
    pairs: &[(usize, usize)],
    inside: bool,
) -> f64 {
    let (sheet, things) = (&around.sheets.tables[table], &around.sheets.tables[other]);
    let (mut both, mut same, mut asked) = (0usize, 0usize, 0usize);
    for &(row, its_row) in pairs.iter().take(200) {
        if sheet.value(row, column) == 0 {
            continue;
        }
        asked += 1;
        if things.value(its_row, its) == 0 {
            continue;
        }
        both += 1;
        let is_same = sheet.says((row, column), things, (its_row, its));
        same += usize::from(
            is_same
                || inside && {
                    let texts =
                        around.sheets.text(table, row, column).zip(around.sheets.text(other, its_row, its));
                    texts.is_some_and(|(short, long)| {
                        long.len() <= LINE.max(LONGER * short.len()) && without(long, short).is_some()
                    })
                },
        );
    }
    if both < FEWEST || 2 * both < asked { 0.0 } else { same as f64 / both as f64 }
}
