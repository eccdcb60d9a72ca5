//! Texts that are partly constant: `Articles tagged with X`, `In stock (22 available)`, `Height: 6-9 | Weight: 240`.
//!
//! # What it does
//! Looks at the different values of one column. Words that open or close nearly all of them, and words or separators
//! that stand exactly once in nearly all of them, are constant; what stands between is a part, and becomes a column
//! beside the whole text.
//!
//! # Assumes
//! At least [`DISTINCT`] different values; the constants come in one order.
//!
//! # When it fails
//! A constant that is inflected (`1 comment`, `2 comments`) leaves the rarer form without its part.
//!
//! # Paper
//! The unique common token runs of CHEX (Gazen 2008, chapter 3), applied to one column instead of a whole page.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{Part, ValueType, What, split};
use xxhash_rust::xxh3::xxh3_64;

use super::columns::Slot;
use super::types;

/// Fewer different values share words by accident.
const DISTINCT: usize = 4;

/// A constant stands in this share of the different values.
const NEARLY_ALL: f64 = 0.9;

/// Longer texts are prose.
const MOST_TOKENS: usize = 24;

/// Templates of one line hold a handful of values.
const MOST_PARTS: usize = 5;

/// A part that another column gives in this share of its rows says nothing new.
pub(super) const KNOWN: f64 = 0.9;

/// Signs that separate values even without a word beside them.
const SEPARATORS: [&str; 10] = ["|", "·", "•", "–", "—", "-", "/", ",", ":", "»"];

/// Adds the parts of the slots that have any, as slots of their own. What the head says in constant words around values
/// that the page shows as well (`Blue Chair | Our Shop`) goes, and so does a trail of which one crumb varies.
pub(super) fn add_parts(slots: &mut Vec<Slot>, is_in_parts: impl Fn(&Slot) -> bool) {
    let known = values_by_row(slots.iter());
    let mut found = Vec::new();
    let mut redundant = vec![false; slots.len()];
    for (at, slot) in slots.iter().enumerate() {
        if matches!(slot.what, What::Attribute(_) | What::Part(..)) || is_in_parts(slot) {
            continue;
        }
        let value_type = types::infer(&slot.what, &slot.examples).value_type;
        if !matches!(value_type, ValueType::Text | ValueType::Measure) {
            continue;
        }
        let values: Vec<&str> = slot.examples.iter().map(String::as_str).collect();
        let mut parts: Vec<Slot> = Vec::new();
        for constants in wordings(&values) {
            let part = |index| part_slot(slot, Part { constants: constants.clone(), index });
            parts.extend((0..constants.len() - 1).filter_map(part));
        }
        if parts.is_empty() {
            continue;
        }
        let repeats = slot.what.is_in_head() || slot.what == What::Trail;
        redundant[at] = repeats && parts.iter().all(|part| is_known(part, &known));
        found.extend(parts.into_iter().filter(|part| !is_known(part, &known)));
    }
    let mut redundant = redundant.into_iter();
    slots.retain(|_| !redundant.next().unwrap_or(false));
    slots.extend(found);
}

/// Hashes of values by list and row: page and number of the row on it.
pub(super) type KnownValues = FxHashSet<(usize, (u32, u32), u64)>;

/// The values that the rows of each list have, whatever their columns.
pub(super) fn values_by_row<'s>(slots: impl Iterator<Item = &'s Slot>) -> KnownValues {
    let rows = slots.flat_map(|slot| {
        slot.examples
            .iter()
            .zip(&slot.example_rows)
            .map(|(value, row)| (slot.list, *row, xxh3_64(value.as_bytes())))
    });
    rows.collect()
}

/// Does another column give nearly all of these values in the same rows?
pub(super) fn is_known(part: &Slot, known: &KnownValues) -> bool {
    let rows = part.examples.iter().zip(&part.example_rows);
    let hits =
        rows.filter(|(value, row)| known.contains(&(part.list, **row, xxh3_64(value.as_bytes())))).count();
    hits as f64 >= KNOWN * part.examples.len() as f64
}

fn part_slot(slot: &Slot, part: Part) -> Option<Slot> {
    let rows = slot.examples.iter().zip(&slot.example_rows);
    let (examples, example_rows): (Vec<String>, Vec<(u32, u32)>) =
        rows.filter_map(|(value, row)| Some((part.read(value)?.to_owned(), *row))).unzip();
    if examples.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    let share = examples.len() as f64 / slot.examples.len() as f64;
    Some(slot.part(What::Part(Box::new(slot.what.clone()), part), examples, example_rows, share))
}

/// Wordings of one line that stand beside each other: lists by tag, by author and by month that share a template.
const MOST_WORDINGS: usize = 4;

/// A wording is not an accident when this share of the values have it, and all wordings together so many of them.
const ONE_WORDING: f64 = 0.1;
const ALL_WORDINGS: f64 = 0.5;

/// The constant stretches of the values: those that nearly all of them have, or those of a few wordings told apart by how
/// they begin; whichever leaves less to be said.
fn wordings(values: &[&str]) -> Vec<Vec<String>> {
    let said = |count: usize, constants: &[String]| {
        let length = constants.iter().map(String::len).sum::<usize>();
        count.saturating_sub(1) * length
    };
    let one = constants(values);
    let saved_by_one = one.as_ref().map_or(0, |constants| said(values.len(), constants));
    let mut by_beginning: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for value in values {
        // The second word as well: `Articles in`, `Articles by`, `Tag:`.
        if let [first, second, _, ..] = tokens(value)[..]
            && is_word(first)
        {
            let end = second.as_ptr() as usize + second.len() - value.as_ptr() as usize;
            by_beginning.entry(&value[..end]).or_default().push(value);
        }
    }
    let found: Vec<(usize, Vec<String>)> = by_beginning
        .into_values()
        .filter(|alike| alike.len() as f64 >= ONE_WORDING * values.len() as f64)
        .filter_map(|alike| Some((alike.len(), constants_of(&alike, true)?)))
        .filter(|(_, constants)| {
            constants[0].split_whitespace().count() > 1 || constants[0].ends_with([':', '：'])
        })
        .collect();
    let told: usize = found.iter().map(|(count, _)| count).sum();
    let saved: usize = found.iter().map(|(count, constants)| said(*count, constants)).sum();
    let several = found.len() > 1
        && found.len() <= MOST_WORDINGS
        && told as f64 >= ALL_WORDINGS * values.len() as f64
        && saved > saved_by_one;
    if several {
        found.into_iter().map(|(_, constants)| constants).collect()
    } else {
        one.into_iter().collect()
    }
}

/// [`constants_of`] values that are all of one wording.
fn constants(values: &[&str]) -> Option<Vec<String>> {
    constants_of(values, false)
}

/// The constant stretches of the values: before, between and after what varies. `None` when there are none. A label with a
/// colon is taken off elsewhere, where it is the only wording.
fn constants_of(values: &[&str], may_be_label: bool) -> Option<Vec<String>> {
    let mut distinct: Vec<&str> = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < DISTINCT {
        return None;
    }
    let tokens: Vec<Vec<&str>> = distinct.iter().map(|value| tokens(value)).collect();
    if tokens.iter().any(|tokens| tokens.len() > MOST_TOKENS) {
        return None;
    }
    let enough = (NEARLY_ALL * distinct.len() as f64).ceil() as usize;
    let opening = shared(&tokens, enough, |tokens, at| tokens.get(at).copied());
    let closing = shared(&tokens, enough, |tokens, at| tokens.iter().rev().nth(at).copied());
    let inner = unique(&tokens, enough, opening, closing);
    // The middle first; if its order differs from value to value, the two ends alone.
    for inner in [inner, FxHashSet::default()] {
        for (value, tokens) in distinct.iter().zip(&tokens) {
            if tokens.len() <= opening + closing {
                continue;
            }
            let is_constant =
                |at: usize| at < opening || at + closing >= tokens.len() || inner.contains(tokens[at]);
            let Some(constants) = stretches(value, tokens, is_constant, may_be_label) else { continue };
            let fitting = distinct.iter().filter(|value| split(value, &constants).is_some()).count();
            if fitting >= enough {
                return Some(constants);
            }
            break;
        }
    }
    None
}

/// How many tokens from one end are shared by nearly all values.
fn shared<'t>(
    values: &[Vec<&'t str>],
    enough: usize,
    token: impl Fn(&[&'t str], usize) -> Option<&'t str>,
) -> usize {
    let mut alive: Vec<&Vec<&str>> = values.iter().collect();
    let mut length = 0;
    loop {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for tokens in &alive {
            // One token is left for the part.
            if let Some(token) = token(tokens, length).filter(|_| tokens.len() > length + 1) {
                *counts.entry(token).or_default() += 1;
            }
        }
        let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
        match best.filter(|(text, count)| *count >= enough && !has_digit(text)) {
            Some((text, _)) => {
                alive.retain(|tokens| token(tokens, length) == Some(text));
                length += 1;
            }
            None => return length,
        }
    }
}

/// Tokens that stand exactly once between the ends of nearly all values.
fn unique<'t>(values: &[Vec<&'t str>], enough: usize, opening: usize, closing: usize) -> FxHashSet<&'t str> {
    let mut once: FxHashMap<&str, usize> = FxHashMap::default();
    for tokens in values {
        let inner = tokens.get(opening..tokens.len().saturating_sub(closing)).unwrap_or_default();
        for token in inner {
            let separates = SEPARATORS.contains(token) || is_word(token);
            if separates && inner.iter().filter(|other| *other == token).count() == 1 {
                *once.entry(token).or_default() += 1;
            }
        }
    }
    once.into_iter().filter(|(_, count)| *count >= enough).map(|(token, _)| token).collect()
}

/// The constant stretches of one value as they stand in it.
fn stretches(
    value: &str,
    tokens: &[&str],
    is_constant: impl Fn(usize) -> bool,
    may_be_label: bool,
) -> Option<Vec<String>> {
    let place = |token: &str| token.as_ptr() as usize - value.as_ptr() as usize;
    let mut constants: Vec<String> = Vec::new();
    let mut says_something = false;
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        while at < tokens.len() && is_constant(at) {
            says_something |= is_word(tokens[at]);
            at += 1;
        }
        let stretch = match at {
            at if at == start => "",
            at => &value[place(tokens[start])..place(tokens[at - 1]) + tokens[at - 1].len()],
        };
        constants.push(stretch.to_owned());
        while at < tokens.len() && !is_constant(at) {
            at += 1;
        }
    }
    if tokens.last().is_some_and(|_| !is_constant(tokens.len() - 1)) {
        constants.push(String::new());
    }
    let labelled = constants.len() == 2 && constants[1].is_empty() && constants[0].ends_with([':', '：']);
    let useful =
        says_something && (may_be_label || !labelled) && (2..=MOST_PARTS + 1).contains(&constants.len());
    useful.then_some(constants)
}

/// Words, and the signs around them: `(22` is a bracket and a number, `6-9` is one word.
fn tokens(value: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in value.split_whitespace() {
        let is_sign =
            |c: char| c.is_ascii_punctuation() && !matches!(c, '$' | '%' | '#' | '@' | '&' | '+' | '_');
        let is_sign = |c: char| is_sign(c) || "“”«»‹›·•–—、，：（）《》「」".contains(c);
        let bare = word.trim_matches(is_sign);
        let start =
            if bare.is_empty() { word.len() } else { bare.as_ptr() as usize - word.as_ptr() as usize };
        let signs = |stretch: &'_ str| {
            stretch.char_indices().map(|(at, c)| at..at + c.len_utf8()).collect::<Vec<_>>()
        };
        let before = &word[..start];
        tokens.extend(signs(before).into_iter().map(|range| &before[range]));
        if !bare.is_empty() {
            tokens.push(bare);
            let after = &word[start + bare.len()..];
            tokens.extend(signs(after).into_iter().map(|range| &after[range]));
        }
    }
    tokens
}

fn is_word(token: &str) -> bool {
    token.chars().filter(|c| c.is_alphabetic()).count() >= 2 && !has_digit(token)
}

fn has_digit(token: &str) -> bool {
    token.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Option<Vec<String>> {
        constants(values)
    }

    #[test]
    fn words_at_the_ends_are_constant() {
        let terms = ["Articles in the Libs category", "Articles in the Web category"];
        let more = ["Articles in the Games category", "Articles in the Old Books category"];
        assert_eq!(found(&[terms, more].concat()).unwrap(), ["Articles in the", "category"]);
        let stock = ["In stock (2 available)", "In stock (14 available)"];
        let more = ["In stock (3 available)", "In stock (9 available)"];
        assert_eq!(found(&[stock, more].concat()).unwrap(), ["In stock (", "available)"]);
    }

    #[test]
    fn words_and_separators_in_the_middle_are_constant() {
        let sizes = ["Height: 6-9 | Weight: 240", "Height: 7-0 | Weight: 251"];
        let more = ["Height: 6-2 | Weight: 190", "Height: 6-6 | Weight: 215"];
        assert_eq!(found(&[sizes, more].concat()).unwrap(), ["Height:", "| Weight:", ""]);
    }

    #[test]
    fn a_line_may_have_a_few_wordings() {
        let tags = ["Articles tagged with a1", "Articles tagged with b", "Articles tagged with c d"];
        let more = ["Articles tagged with e", "Articles in the Web category", "Articles in the Old category"];
        let last = ["Articles in the Net category", "Articles in the New category"];
        let values = [&tags[..], &more[..], &last[..]].concat();
        let expected = [vec!["Articles in the", "category"], vec!["Articles tagged with", ""]];
        assert_eq!(wordings(&values), expected);
        // Half of the values begin in no common way.
        let titles = ["Of Mice", "Of Men", "Of Time", "Of Space", "Emma", "Ulysses", "Dune", "Middlemarch"];
        assert!(wordings(&titles).is_empty());
    }

    #[test]
    fn values_without_constants_have_no_parts() {
        assert_eq!(found(&["Anna Smith", "Ben Jones", "Carl Fox", "Dora Hill"]), None);
        assert_eq!(found(&["Articles in A", "Articles in B"]), None);
        assert_eq!(found(&["ISBN: 1", "ISBN: 2", "ISBN: 3", "ISBN: 4"]), None);
        assert_eq!(found(&["2025", "2026", "2027", "2028", ""]), None);
    }
}
