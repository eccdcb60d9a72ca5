//! Texts and words row by row: everything about one record lies together, because pairs jump between records and each
//! jump costs a trip to main memory once the records do not fit a cache.

use rayon::prelude::*;

use super::addresses::without_host;
use super::arena::{StrArena, Vocabulary};
use crate::record::{RecordIndex, RecordSet};
use crate::text;

/// One word of one value, with what comparisons need of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Token {
    /// The number of the word.
    pub word: u32,
    /// How rare it is among the distinct values of its column: `ln(1 + values / values with it)`.
    pub rarity: f32,
    /// How rare it is among all records: `ln(1 + records / records with it)`.
    pub overall: f32,
    /// Enough of its letters to rule out most other words.
    pub outline: Outline,
}

/// First letters, last letter and length of a word, to rule out most pairs of words without reading them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outline {
    /// The first bytes, zero where the word is shorter.
    pub head: [u8; 4],
    /// The last byte.
    pub last: u8,
    /// Bytes, at most 255.
    pub length: u8,
    /// Whether there is a digit in it.
    pub digits: bool,
}

impl Outline {
    fn of(word: &str) -> Outline {
        let bytes = word.as_bytes();
        Outline {
            head: std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0)),
            last: bytes.last().copied().unwrap_or(0),
            length: bytes.len().min(usize::from(u8::MAX)) as u8,
            digits: bytes.iter().any(u8::is_ascii_digit),
        }
    }
}

/// Folded texts and tokens of all records, record after record and in each column after column.
#[derive(Debug, Default)]
pub(super) struct Rows {
    columns: usize,
    records: usize,
    text: String,
    text_starts: Vec<usize>,
    tokens: Vec<Token>,
    token_starts: Vec<u32>,
}

/// Records that are folded together, in parallel; numbering words must follow record order.
const PIECE: usize = 16_384;
/// Bytes that come from main memory together.
const LINE: usize = 64;

impl Rows {
    /// Folds the values of these fields, those marked without the host of an address, and numbers their words.
    pub(super) fn read(records: &RecordSet, fields: &[(usize, bool)]) -> (Rows, StrArena) {
        let mut vocabulary = Vocabulary::default();
        let mut rows = Rows {
            columns: fields.len(),
            records: records.len(),
            text_starts: vec![0],
            token_starts: vec![0],
            ..Rows::default()
        };
        for start in (0..records.len()).step_by(PIECE) {
            let piece: Vec<Vec<String>> = (start..records.len().min(start + PIECE))
                .into_par_iter()
                .map(|record| {
                    let folded = |&(field, addresses): &(usize, bool)| {
                        let value = records.value(record as RecordIndex, field).unwrap_or("");
                        text::fold(if addresses { without_host(value) } else { value })
                    };
                    fields.iter().map(folded).collect()
                })
                .collect();
            for value in piece.iter().flatten() {
                rows.push(value, &mut vocabulary);
            }
        }
        (rows, vocabulary.words)
    }

    fn push(&mut self, value: &str, vocabulary: &mut Vocabulary) {
        self.tokens.extend(text::words(value).map(|word| Token {
            word: vocabulary.number(word),
            rarity: 0.0,
            overall: 0.0,
            outline: Outline::of(word),
        }));
        self.token_starts.push(self.tokens.len() as u32);
        self.text.push_str(value);
        self.text_starts.push(self.text.len());
    }

    /// Writes the rarities, of each column and overall, to the tokens.
    pub(super) fn weigh(&mut self, of_columns: &[Vec<f32>], overall: &[f32]) {
        let (columns, starts) = (self.columns, &self.token_starts);
        let mut pieces: Vec<(usize, &mut [Token])> = Vec::new();
        let mut rest = self.tokens.as_mut_slice();
        for first in (0..self.records).step_by(PIECE) {
            let last = self.records.min(first + PIECE);
            let size = (starts[last * columns] - starts[first * columns]) as usize;
            let (piece, others) = rest.split_at_mut(size);
            pieces.push((first, piece));
            rest = others;
        }
        pieces.into_par_iter().for_each(|(first, piece)| {
            let base = starts[first * columns];
            let mut cell = first * columns;
            for (at, token) in piece.iter_mut().enumerate() {
                while starts[cell + 1] - base <= at as u32 {
                    cell += 1;
                }
                token.rarity = of_columns[cell % columns][token.word as usize];
                token.overall = overall[token.word as usize];
            }
        });
    }

    /// How many records.
    pub(super) fn len(&self) -> usize {
        self.records
    }

    #[inline]
    pub(super) fn text(&self, record: RecordIndex, column: usize) -> &str {
        let cell = record as usize * self.columns + column;
        &self.text[self.text_starts[cell]..self.text_starts[cell + 1]]
    }

    #[inline]
    pub(super) fn tokens(&self, record: RecordIndex, column: usize) -> &[Token] {
        let cell = record as usize * self.columns + column;
        &self.tokens[self.token_starts[cell] as usize..self.token_starts[cell + 1] as usize]
    }

    /// Reads a little of every cache line of a record; the sum only keeps the reads from being optimised away.
    pub(super) fn touch(&self, record: RecordIndex) -> usize {
        let (first, last) = (record as usize * self.columns, (record as usize + 1) * self.columns);
        let text = &self.text.as_bytes()[self.text_starts[first]..self.text_starts[last]];
        let letters: usize = text.iter().step_by(LINE).map(|&byte| usize::from(byte)).sum();
        let words = self.all_tokens(record).iter().step_by(LINE / size_of::<Token>());
        letters + words.map(|token| token.word as usize).sum::<usize>()
    }

    pub(super) fn all_tokens(&self, record: RecordIndex) -> &[Token] {
        let cell = record as usize * self.columns;
        &self.tokens[self.token_starts[cell] as usize..self.token_starts[cell + self.columns] as usize]
    }
}
