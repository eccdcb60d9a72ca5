//! Records made ready for comparison: folded text, words as numbers, how rare each word is.

mod addresses;
mod arena;
mod rows;

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::kinds::{self, FieldKind, Schema};
use crate::record::{RecordIndex, RecordSet};
use crate::text;

pub use arena::StrArena;
use rows::Rows;
pub use rows::{Outline, Token};

/// Everything the experts read. Built once, shared by all threads.
#[derive(Debug)]
pub struct Corpus<'r> {
    /// The records as they came.
    pub records: &'r RecordSet,
    /// One for each field that takes part.
    pub columns: Vec<Column>,
    /// Every word of every field, in order of first appearance.
    pub words: StrArena,
    rows: Arc<Rows>,
}

/// One field of all records.
#[derive(Debug)]
pub struct Column {
    /// The field's name.
    pub name: String,
    /// Its position in the record set.
    pub field: usize,
    /// What its values are.
    pub kind: FieldKind,
    /// How well it tells records apart: the summed rarity of its words, for each record on average.
    pub telling: f64,
    place: usize,
    rows: Arc<Rows>,
}

impl<'r> Corpus<'r> {
    /// Folds and counts; fields whose kind is [`FieldKind::Ignored`] take no part. Addresses of a few sites are compared
    /// without their host.
    pub fn new(records: &'r RecordSet, schema: Option<&Schema>) -> Corpus<'r> {
        let kinds = kinds::infer(records, schema);
        let fields: Vec<usize> =
            (0..kinds.len()).filter(|&field| kinds[field] != FieldKind::Ignored).collect();
        let sources: Vec<(usize, bool)> =
            fields.iter().map(|&field| (field, addresses::are_of_few_hosts(records, field))).collect();
        let (mut rows, words) = Rows::read(records, &sources);
        let of_columns: Vec<Vec<f32>> =
            (0..fields.len()).into_par_iter().map(|place| column_rarity(&rows, place, words.len())).collect();
        rows.weigh(&of_columns, &record_rarity(&rows, words.len()));
        let rows = Arc::new(rows);
        let columns = fields.iter().enumerate().map(|(place, &field)| Column {
            name: records.fields()[field].clone(),
            field,
            kind: kinds[field],
            telling: telling(&rows, place),
            place,
            rows: Arc::clone(&rows),
        });
        Corpus { records, columns: columns.collect(), words, rows }
    }

    /// How many records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The text of a word.
    pub fn word(&self, word: u32) -> &str {
        self.words.get(word as usize)
    }

    /// The words of all columns of a record, one after the other.
    pub fn tokens(&self, record: RecordIndex) -> &[Token] {
        self.rows.all_tokens(record)
    }

    /// Brings records into the cache. Their reads do not wait for each other, as those of one comparison after the other do:
    /// a million records are compared nearly as fast as ten thousand.
    pub(crate) fn fetch(&self, records: impl Iterator<Item = RecordIndex>) {
        std::hint::black_box(records.map(|record| self.rows.touch(record)).fold(0, usize::wrapping_add));
    }

    /// The column of a field with one of these names (case ignored), the first name first.
    pub fn column_named(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.columns.iter().position(|c| c.name.eq_ignore_ascii_case(name)))
    }
}

impl Column {
    /// The folded value, `None` when missing or made of punctuation only.
    #[inline]
    pub fn text(&self, record: RecordIndex) -> Option<&str> {
        Some(self.rows.text(record, self.place)).filter(|t| !t.is_empty())
    }

    /// The words of a value in the order of the text.
    #[inline]
    pub fn tokens(&self, record: RecordIndex) -> &[Token] {
        self.rows.tokens(record, self.place)
    }
}

/// For each word: `ln(1 + distinct values / distinct values with it)`. Distinct values, so that a value repeated
/// by many duplicates does not make its words look common.
fn column_rarity(rows: &Rows, place: usize, vocabulary: usize) -> Vec<f32> {
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let fresh = |record: RecordIndex| {
        let value = rows.text(record, place);
        !value.is_empty() && seen.insert(text::fingerprint(value))
    };
    let frequency = frequencies(rows.len(), vocabulary, fresh, |record| rows.tokens(record, place));
    rarity(&frequency, seen.len())
}

/// For each word: `ln(1 + records / records with it)`.
fn record_rarity(rows: &Rows, vocabulary: usize) -> Vec<f32> {
    let frequency = frequencies(rows.len(), vocabulary, |_| true, |record| rows.all_tokens(record));
    rarity(&frequency, rows.len())
}

/// In how many of the counted records each word stands.
fn frequencies<'t>(
    records: usize,
    vocabulary: usize,
    mut counted: impl FnMut(RecordIndex) -> bool,
    tokens: impl Fn(RecordIndex) -> &'t [Token],
) -> Vec<u32> {
    let mut frequency = vec![0_u32; vocabulary];
    let mut last_seen = vec![RecordIndex::MAX; vocabulary];
    for record in (0..records as RecordIndex).filter(|&r| counted(r)) {
        for token in tokens(record) {
            let word = token.word as usize;
            if last_seen[word] != record {
                last_seen[word] = record;
                frequency[word] += 1;
            }
        }
    }
    frequency
}

fn rarity(frequency: &[u32], whole: usize) -> Vec<f32> {
    frequency.iter().map(|&f| (1.0 + whole as f32 / f.max(1) as f32).ln()).collect()
}

fn telling(rows: &Rows, place: usize) -> f64 {
    let total: f64 = (0..rows.len() as RecordIndex)
        .flat_map(|record| rows.tokens(record, place))
        .map(|token| f64::from(token.rarity))
        .sum();
    total / rows.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_and_rare_words_weigh_more() {
        let mut set = RecordSet::default();
        for (id, title) in
            [("1", "The tree"), ("2", "The tree"), ("3", "the forest"), ("4", "The ..."), ("5", "!")]
        {
            set.push_named(id, &[("title", title), ("note", id)]);
        }
        let corpus = Corpus::new(&set, None);
        let column = &corpus.columns[0];
        assert_eq!(column.tokens(0), column.tokens(1));
        assert_eq!((column.text(0), column.text(4)), (Some("the tree"), None));
        let [the, tree] = column.tokens(0) else { panic!("two words") };
        assert!(tree.rarity > the.rarity);
        // Two records say "tree" but they are one distinct value among three.
        assert!((tree.rarity - 4.0_f32.ln()).abs() < 1e-6);
        assert!((tree.overall - 3.5_f32.ln()).abs() < 1e-6);
        assert_eq!(corpus.word(tree.word), "tree");
        assert_eq!(corpus.tokens(0).len(), 3);
        assert_eq!(corpus.columns[1].text(4), Some("5"));
    }
}
