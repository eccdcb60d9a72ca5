//! Many short texts in few allocations.

use rustc_hash::FxHashMap;

/// Many short texts in one allocation.
#[derive(Debug, Clone)]
pub struct StrArena {
    text: String,
    ends: Vec<usize>,
}

impl Default for StrArena {
    fn default() -> StrArena {
        StrArena { text: String::new(), ends: vec![0] }
    }
}

impl StrArena {
    /// Adds a text at the end.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// The text at a position.
    #[inline]
    pub fn get(&self, at: usize) -> &str {
        &self.text[self.ends[at]..self.ends[at + 1]]
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

/// Words and their numbers, in order of first appearance.
#[derive(Default)]
pub(super) struct Vocabulary {
    numbers: FxHashMap<Box<str>, u32>,
    pub(super) words: StrArena,
}

impl Vocabulary {
    /// The number of a word; a new one gets the next.
    pub(super) fn number(&mut self, word: &str) -> u32 {
        if let Some(&known) = self.numbers.get(word) {
            return known;
        }
        let number = self.words.len() as u32;
        self.numbers.insert(word.into(), number);
        self.words.push(word);
        number
    }
}
