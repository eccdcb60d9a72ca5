//! Records made ready for comparison: folded text, words as numbers, how rare each word is.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kinds::{self, FieldKind, Schema};
use crate::record::{RecordIndex, RecordSet};
use crate::text;

/// Everything the experts read. Built once, shared by all threads.
#[derive(Debug)]
pub struct Corpus<'r> {
    /// The records as they came.
    pub records: &'r RecordSet,
    /// One for each field that takes part.
    pub columns: Vec<Column>,
    /// Every word of every field, in order of first appearance.
    pub words: StrArena,
    /// For each word: `ln(1 + records / records with it)`.
    pub rarity: Vec<f32>,
    /// For each word what a first look needs; the texts of a million records do not fit a cache, this does.
    pub outlines: Vec<Outline>,
}

/// First and last byte of a word and its length, to rule out most pairs of words without reading them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The first byte.
    pub first: u8,
    /// The last byte.
    pub last: u8,
    /// Bytes, at most 65,535.
    pub length: u16,
}

impl Outline {
    fn of(word: &str) -> Outline {
        let bytes = word.as_bytes();
        Outline {
            first: bytes.first().copied().unwrap_or(0),
            last: bytes.last().copied().unwrap_or(0),
            length: bytes.len().min(usize::from(u16::MAX)) as u16,
        }
    }
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
    /// Folded text; empty when missing.
    pub folded: StrArena,
    /// Word numbers in the order of the text.
    pub words: Vec<u32>,
    word_starts: Vec<u32>,
    /// For each word: `ln(1 + distinct values / distinct values with it)`. Distinct values, so that a value repeated
    /// by many duplicates does not make its words look common.
    pub rarity: Vec<f32>,
    /// Share of the records that have a value.
    pub coverage: f32,
}

impl<'r> Corpus<'r> {
    /// Folds and counts; fields whose kind is [`FieldKind::Ignored`] take no part.
    pub fn new(records: &'r RecordSet, schema: Option<&Schema>) -> Corpus<'r> {
        let kinds = kinds::infer(records, schema);
        let mut vocabulary = Vocabulary::default();
        let mut columns: Vec<Column> = Vec::new();
        for (field, &kind) in kinds.iter().enumerate() {
            if kind != FieldKind::Ignored {
                columns.push(Column::new(records, field, kind, &mut vocabulary));
            }
        }
        let words = vocabulary.words;
        columns.par_iter_mut().for_each(|column| column.count(words.len()));
        let rarity = record_rarity(records.len(), &columns, words.len());
        let outlines = (0..words.len()).map(|w| Outline::of(words.get(w))).collect();
        Corpus { records, columns, words, rarity, outlines }
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

    /// The column of a field with one of these names (case ignored), the first name first.
    pub fn column_named(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.columns.iter().position(|c| c.name.eq_ignore_ascii_case(name)))
    }
}

impl Column {
    /// The folded value, `None` when missing or made of punctuation only.
    pub fn text(&self, record: RecordIndex) -> Option<&str> {
        Some(self.folded.get(record as usize)).filter(|t| !t.is_empty())
    }

    /// The words of a value.
    pub fn words(&self, record: RecordIndex) -> &[u32] {
        let at = record as usize;
        &self.words[self.word_starts[at] as usize..self.word_starts[at + 1] as usize]
    }

    fn new(records: &RecordSet, field: usize, kind: FieldKind, vocabulary: &mut Vocabulary) -> Column {
        let count = records.len() as RecordIndex;
        // Folding is most of the work and goes parallel in pieces; numbering words must follow record order.
        const PIECE: u32 = 65_536;
        let mut folded = StrArena::default();
        let mut words = Vec::new();
        let mut word_starts = vec![0_u32];
        let mut present = 0_usize;
        for start in (0..count).step_by(PIECE as usize) {
            let piece: Vec<String> = (start..count.min(start + PIECE))
                .into_par_iter()
                .map(|r| records.value(r, field).map(text::fold).unwrap_or_default())
                .collect();
            for value in piece {
                present += usize::from(!value.is_empty());
                words.extend(text::words(&value).map(|w| vocabulary.number(w)));
                word_starts.push(words.len() as u32);
                folded.push(&value);
            }
        }
        let coverage = present as f32 / count.max(1) as f32;
        let name = records.fields()[field].clone();
        Column { name, field, kind, folded, words, word_starts, rarity: Vec::new(), coverage }
    }

    fn count(&mut self, vocabulary: usize) {
        let mut frequency = vec![0_u32; vocabulary];
        let mut seen_values: FxHashSet<u64> = FxHashSet::default();
        let mut last_seen = vec![u32::MAX; vocabulary];
        for record in 0..self.word_starts.len() as u32 - 1 {
            let Some(value) = self.text(record) else { continue };
            if !seen_values.insert(text::fingerprint(value)) {
                continue;
            }
            for &word in self.words(record) {
                if last_seen[word as usize] != record {
                    last_seen[word as usize] = record;
                    frequency[word as usize] += 1;
                }
            }
        }
        let distinct = seen_values.len() as f32;
        self.rarity = frequency.iter().map(|&f| (1.0 + distinct / f.max(1) as f32).ln()).collect();
    }
}

/// Many short texts in one allocation.
#[derive(Debug, Clone)]
pub struct StrArena {
    text: String,
    ends: Vec<u32>,
}

impl Default for StrArena {
    fn default() -> StrArena {
        StrArena { text: String::new(), ends: vec![0] }
    }
}

impl StrArena {
    /// Adds a text at the end. Beyond four gigabytes texts are stored empty.
    pub fn push(&mut self, text: &str) {
        if self.text.len() + text.len() <= u32::MAX as usize {
            self.text.push_str(text);
        }
        self.ends.push(self.text.len() as u32);
    }

    /// The text at a position.
    pub fn get(&self, at: usize) -> &str {
        &self.text[self.ends[at] as usize..self.ends[at + 1] as usize]
    }

    /// How many texts.
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Default)]
struct Vocabulary {
    numbers: FxHashMap<Box<str>, u32>,
    words: StrArena,
}

impl Vocabulary {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(&known) = self.numbers.get(word) {
            return known;
        }
        let number = self.words.len() as u32;
        self.numbers.insert(word.into(), number);
        self.words.push(word);
        number
    }
}

fn record_rarity(records: usize, columns: &[Column], vocabulary: usize) -> Vec<f32> {
    let mut frequency = vec![0_u32; vocabulary];
    let mut last_seen = vec![u32::MAX; vocabulary];
    for record in 0..records as u32 {
        for &word in columns.iter().flat_map(|c| c.words(record)) {
            if last_seen[word as usize] != record {
                last_seen[word as usize] = record;
                frequency[word as usize] += 1;
            }
        }
    }
    frequency.iter().map(|&f| (1.0 + records as f32 / f.max(1) as f32).ln()).collect()
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
            set.push_named(id, &[("title", title)]);
        }
        let corpus = Corpus::new(&set, None);
        let column = &corpus.columns[0];
        assert_eq!(column.words(0), column.words(1));
        assert_eq!(column.text(4), None);
        let (the, tree) = (column.words(0)[0], column.words(0)[1]);
        assert!(column.rarity[tree as usize] > column.rarity[the as usize]);
        // Two records say "tree" but they are one distinct value among three.
        assert!((column.rarity[tree as usize] - 4.0_f32.ln()).abs() < 1e-6);
        assert_eq!(corpus.word(tree), "tree");
    }
}
