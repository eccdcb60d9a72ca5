//! The families of keys. One family is one function and one line in [`FAMILIES`].

use std::cmp::Ordering;
use std::hash::Hasher;

use rayon::prelude::*;
use rustc_hash::FxHasher;

use super::pairs::Keyed;
use crate::corpus::{Column, Corpus, Token};
use crate::kinds::FieldKind;
use crate::record::RecordIndex;
use crate::text;

/// One way of bringing records together.
pub struct Family {
    /// For people.
    pub name: &'static str,
    pub(super) keys: fn(&Corpus<'_>) -> Keys,
}

/// What a family gives.
pub(super) enum Keys {
    /// Records with equal keys are compared.
    Blocks(Vec<Keyed>),
    /// Records that stand near each other are compared.
    Orders(Vec<Vec<RecordIndex>>),
}

/// All families; at most eight, one bit each.
pub const FAMILIES: &[Family] = &[
    Family { name: "equal values", keys: equal_values },
    Family { name: "rare words", keys: rare_words },
    Family { name: "beginnings of two fields", keys: field_pairs },
    Family { name: "alphabetical neighbours", keys: neighbours },
    Family { name: "rare word shapes", keys: rare_shapes },
];

/// Rare words that key a record. Four, because noise seldom spoils all of four words.
const RARE_WORDS: usize = 4;
/// Fields that take part in pairs of fields: five give ten pairs.
const PAIRED_FIELDS: usize = 5;
/// Fields whose alphabetical order is used, forwards and backwards.
const SORTED_FIELDS: usize = 2;
/// Letters of a field's short form.
const SHORT_FORM: usize = 4;

fn equal_values(corpus: &Corpus<'_>) -> Keys {
    let mut keys = Vec::new();
    for (at, column) in corpus.columns.iter().enumerate() {
        if matches!(column.kind, FieldKind::Category | FieldKind::Number) {
            continue;
        }
        keys.par_extend((0..corpus.len() as RecordIndex).into_par_iter().filter_map(|record| {
            let value = column.text(record)?;
            let mut hasher = FxHasher::default();
            hasher.write_usize(at);
            value.bytes().filter(|b| *b != b' ').for_each(|b| hasher.write_u8(b));
            Some((hasher.finish(), record))
        }));
    }
    Keys::Blocks(keys)
}

fn rare_words(corpus: &Corpus<'_>) -> Keys {
    // A word of one record pairs nothing; the largest rarity is that of such words.
    let lone = (1.0 + corpus.len() as f32).ln() - 1e-4;
    let keys = (0..corpus.len() as RecordIndex).into_par_iter().flat_map_iter(|record| {
        rarest(corpus, record, |t| t.overall < lone).into_iter().map(move |w| (u64::from(w), record))
    });
    Keys::Blocks(keys.collect())
}

/// The rarest words of a record among those that serve.
fn rarest(corpus: &Corpus<'_>, record: RecordIndex, serves: impl Fn(&Token) -> bool) -> Vec<u32> {
    let mut tokens: Vec<&Token> = corpus.tokens(record).iter().filter(|t| serves(t)).collect();
    tokens.sort_unstable_by(|a, b| b.overall.total_cmp(&a.overall).then(a.word.cmp(&b.word)));
    tokens.dedup_by_key(|t| t.word);
    tokens.truncate(RARE_WORDS);
    tokens.into_iter().map(|t| t.word).collect()
}

/// Words by their consonants' outline: slips in vowels and doubled letters do not matter.
fn rare_shapes(corpus: &Corpus<'_>) -> Keys {
    let shapes: Vec<u64> = (0..corpus.words.len()).map(|w| shape(corpus.word(w as u32))).collect();
    let keys = (0..corpus.len() as RecordIndex).into_par_iter().flat_map_iter(|record| {
        let words = rarest(corpus, record, |t| shapes[t.word as usize] != 0);
        let keys: Vec<Keyed> = words.iter().map(|&w| (shapes[w as usize], record)).collect();
        keys
    });
    Keys::Blocks(keys.collect())
}

fn field_pairs(corpus: &Corpus<'_>) -> Keys {
    let chosen = telling_columns(corpus, PAIRED_FIELDS);
    let keys = (0..corpus.len() as RecordIndex).into_par_iter().flat_map_iter(|record| {
        let forms: Vec<(usize, u64)> = chosen
            .iter()
            .filter_map(|&at| short_form(&corpus.columns[at], record).map(|form| (at, form)))
            .collect();
        let mut keys = Vec::with_capacity(forms.len() * forms.len() / 2);
        for (i, a) in forms.iter().enumerate() {
            for b in &forms[i + 1..] {
                let mut hasher = FxHasher::default();
                hasher.write_usize(a.0);
                hasher.write_u64(a.1);
                hasher.write_usize(b.0);
                hasher.write_u64(b.1);
                keys.push((hasher.finish(), record));
            }
        }
        keys
    });
    Keys::Blocks(keys.collect())
}

fn neighbours(corpus: &Corpus<'_>) -> Keys {
    let mut orders = Vec::new();
    for at in telling_columns(corpus, SORTED_FIELDS) {
        orders.push(sorted_by_text(corpus, Some(at)));
        orders.push(sorted_by_reversed(corpus, at));
    }
    Keys::Orders(orders)
}

/// Records in alphabetical order of one column, or of their most telling columns one after the other.
pub(super) fn sorted_by_text(corpus: &Corpus<'_>, column: Option<usize>) -> Vec<RecordIndex> {
    let columns = column.map_or_else(|| telling_columns(corpus, PAIRED_FIELDS), |c| vec![c]);
    let records: Vec<RecordIndex> = (0..corpus.len() as RecordIndex)
        .filter(|&r| column.is_none_or(|c| corpus.columns[c].text(r).is_some()))
        .collect();
    let texts = |r: RecordIndex| columns.iter().map(move |&c| corpus.columns[c].text(r).unwrap_or(""));
    sorted(records, |r| head(texts(r).next().unwrap_or("").bytes()), |a, b| texts(a).cmp(texts(b)))
}

fn sorted_by_reversed(corpus: &Corpus<'_>, column: usize) -> Vec<RecordIndex> {
    let column = &corpus.columns[column];
    let records: Vec<RecordIndex> =
        (0..corpus.len() as RecordIndex).filter(|&r| column.text(r).is_some()).collect();
    let text = |r: RecordIndex| column.text(r).unwrap_or("").bytes().rev();
    sorted(records, |r| head(text(r)), |a, b| text(a).cmp(text(b)))
}

/// Sorts by the first bytes, which lie beside the record's number, and reads the texts only where those are equal.
fn sorted(
    records: Vec<RecordIndex>,
    head: impl Fn(RecordIndex) -> u64 + Sync,
    compare: impl Fn(RecordIndex, RecordIndex) -> Ordering + Sync,
) -> Vec<RecordIndex> {
    let mut keyed: Vec<Keyed> = records.into_par_iter().map(|r| (head(r), r)).collect();
    keyed.par_sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| compare(a.1, b.1)).then_with(|| a.1.cmp(&b.1))
    });
    keyed.into_iter().map(|k| k.1).collect()
}

/// The first eight bytes as a number that sorts as they do.
fn head(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut out = [0_u8; 8];
    out.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = byte);
    u64::from_be_bytes(out)
}

/// The columns that tell records apart best: coverage times how rare their words are on average.
fn telling_columns(corpus: &Corpus<'_>, most: usize) -> Vec<usize> {
    let mut scored: Vec<(f64, usize)> = corpus
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| (column.telling, at))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(most).map(|(_, at)| at).collect()
}

/// What is left of a value when only its beginning counts; for names the rarest word's beginning.
fn short_form(column: &Column, record: RecordIndex) -> Option<u64> {
    let value = column.text(record)?;
    let mut hasher = FxHasher::default();
    match column.kind {
        FieldKind::Number | FieldKind::Date | FieldKind::Category => hasher.write(value.as_bytes()),
        FieldKind::Identifier => {
            let tail = value.bytes().rev().filter(|b| *b != b' ').take(SHORT_FORM + 2);
            tail.for_each(|b| hasher.write_u8(b));
        }
        FieldKind::Text | FieldKind::Names | FieldKind::Ignored => {
            let longest = text::words(value).max_by_key(|w| (w.len(), std::cmp::Reverse(*w)))?;
            longest.chars().take(SHORT_FORM).for_each(|c| hasher.write_u32(c as u32));
        }
    }
    Some(hasher.finish())
}

/// First letter and the consonants after it, doubles once; 0 for words too short to mean anything.
fn shape(word: &str) -> u64 {
    if word.len() < 4 {
        return 0;
    }
    let mut hasher = FxHasher::default();
    let (mut last, mut kept) = ('\0', 0);
    for (i, c) in word.chars().enumerate() {
        let vowel = matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'h' | 'w');
        if (i > 0 && vowel) || c == last {
            continue;
        }
        last = c;
        kept += 1;
        hasher.write_u32(c as u32);
    }
    if kept < 3 { 0 } else { hasher.finish() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_forgive_vowels_and_doubles() {
        assert_eq!(shape("learning"), shape("lerrning"));
        assert_ne!(shape("learning"), shape("leaning"));
        assert_eq!(shape("aha"), 0);
    }
}
