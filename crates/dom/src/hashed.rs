//! Words as numbers, for those who compare and count them and never show them.

use std::cell::RefCell;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::language::Language;
use crate::terms::Terms;

/// How many words each thread remembers. A word of the language comes again within a few pages; the table fits into the
/// cache of a core.
const REMEMBERED: usize = 8192;

/// A word as numbers that are the same on every page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HashedWord {
    /// The hash of the word in lower case; an odd one when it has a digit.
    pub spelled: u64,
    /// The hash of its term, see [`Terms::terms`]; `None` for a stop word.
    pub term: Option<u64>,
}

thread_local! {
    /// Words by the hash of what stands on the page and its language. Stemming is what is dear about a term.
    static MEMORY: RefCell<Vec<(u64, HashedWord)>> = const { RefCell::new(Vec::new()) };
}

impl Terms {
    /// Calls `each` for every word of a text in order, see [`Terms::words`].
    ///
    /// ```
    /// use unsite_dom::{Language, Terms};
    /// let terms = Terms::new();
    /// let mut words = Vec::new();
    /// terms.hashed_words("Books: the book", Language::from_tag("en"), |word| words.push(word));
    /// assert_eq!(words[0].term, words[2].term);
    /// assert_ne!(words[0].spelled, words[2].spelled);
    /// assert_eq!(words[1].term, None);
    /// ```
    pub fn hashed_words(&self, text: &str, language: Option<Language>, mut each: impl FnMut(HashedWord)) {
        let seed = language.map_or(0, |language| language.index() as u64 + 1);
        self.words(text, |word| {
            // Never 0, which is a place that is free.
            let key = xxh3_64_with_seed(word.as_bytes(), seed) | 1;
            let place = (key >> 1) as usize % REMEMBERED;
            let known = MEMORY.with_borrow(|memory| memory.get(place).copied());
            each(match known {
                Some((known, hashed)) if known == key => hashed,
                _ => {
                    let hashed = self.hashed(word, language);
                    MEMORY.with_borrow_mut(|memory| {
                        memory.resize(REMEMBERED, Default::default());
                        memory[place] = (key, hashed);
                    });
                    hashed
                }
            });
        });
    }

    fn hashed(&self, word: &str, language: Option<Language>) -> HashedWord {
        let has_digit = word.chars().any(char::is_numeric);
        HashedWord {
            spelled: xxh3_64(word.to_lowercase().as_bytes()) & !1 | u64::from(has_digit),
            term: self.term(word, language).map(|term| xxh3_64(term.as_bytes())),
        }
    }
}
