//! The words that are asked for.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::DENSE_SCRIPTS;

/// Word lists by language: common words of many subjects, the little ones too, which most texts hold.
const LISTS: [(&str, &str); 11] = [
    ("en", include_str!("words/en.txt")),
    ("de", include_str!("words/de.txt")),
    ("es", include_str!("words/es.txt")),
    ("fr", include_str!("words/fr.txt")),
    ("it", include_str!("words/it.txt")),
    ("ja", include_str!("words/ja.txt")),
    ("nl", include_str!("words/nl.txt")),
    ("pl", include_str!("words/pl.txt")),
    ("pt", include_str!("words/pt.txt")),
    ("ru", include_str!("words/ru.txt")),
    ("zh", include_str!("words/zh.txt")),
];

/// The languages that there are words of.
pub fn probe_languages() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|(language, _)| *language)
}

/// Different words that are remembered from answers. A site's vocabulary goes on growing; what comes late is rare.
const MAX_HARVESTED: usize = 100_000;

/// Letters of a nonsense word: long enough that no text holds it, short enough for any field.
const NONSENSE_LETTERS: usize = 11;

/// Letters that hardly stand beside each other in any language.
const NONSENSE: &[u8] = b"bcdfghjkqvwxz";

/// Where a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordKind {
    /// One of the embedded lists.
    Dictionary,
    /// Made up, so that nothing can match.
    Nonsense,
    /// Read in an earlier answer.
    Harvested,
}

impl WordKind {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            WordKind::Dictionary => "dictionary",
            WordKind::Nonsense => "nonsense",
            WordKind::Harvested => "harvested",
        }
    }
}

/// Numbers that look random and depend on the seed alone (SplitMix64).
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }
}

/// Draws words, none of them twice.
pub(super) struct Words {
    dice: Dice,
    /// Words of the lists, drawn from the end.
    dictionary: Vec<&'static str>,
    asked: BTreeSet<String>,
    /// How many things that were found hold each word.
    harvested: BTreeMap<String, u32>,
}

impl Words {
    /// Words for a site in this language; English comes in where its own list ends, and for languages without one.
    pub(super) fn new(seed: u64, language: Option<&str>) -> Words {
        let mut dice = Dice::new(seed);
        let own = language.and_then(|language| LISTS.iter().find(|(code, _)| *code == language));
        let mut dictionary = Vec::new();
        for (at, (code, list)) in [&LISTS[0]].into_iter().chain(own).enumerate() {
            if at > 0 && *code == LISTS[0].0 {
                continue;
            }
            let mut words: Vec<&str> = list.split_whitespace().collect();
            words.sort_unstable();
            words.dedup();
            for last in (1..words.len()).rev() {
                words.swap(last, dice.below(last + 1));
            }
            dictionary.extend(words);
        }
        Words { dice, dictionary, asked: BTreeSet::new(), harvested: BTreeMap::new() }
    }

    /// A word of the lists that was not asked yet.
    pub(super) fn dictionary(&mut self) -> Option<String> {
        loop {
            let word = self.dictionary.pop()?.to_owned();
            if self.asked.insert(word.to_lowercase()) {
                return Some(word);
            }
        }
    }

    /// A word that nobody has written.
    pub(super) fn nonsense(&mut self) -> String {
        let word: String =
            (0..NONSENSE_LETTERS).map(|_| char::from(NONSENSE[self.dice.below(NONSENSE.len())])).collect();
        self.asked.insert(word.clone());
        word
    }

    /// The word that stands in most things found so far: where many that are known hold it, many that are not may too.
    pub(super) fn frequent(&mut self) -> Option<String> {
        let best = self.harvested.iter().filter(|(word, _)| !self.asked.contains(*word));
        let word = best.max_by_key(|(word, count)| (**count, std::cmp::Reverse(*word)))?.0.clone();
        self.asked.insert(word.clone());
        Some(word)
    }

    /// A word that stands in few things found so far, which may be the only ones.
    pub(super) fn rare(&mut self) -> Option<String> {
        let new = || self.harvested.iter().filter(|(word, _)| !self.asked.contains(*word));
        let least = new().map(|(_, count)| *count).min()?;
        let rare: Vec<&String> = new().filter(|(_, count)| **count == least).map(|(word, _)| word).collect();
        let word = rare[self.dice.below(rare.len())].clone();
        self.asked.insert(word.clone());
        Some(word)
    }

    /// Remembers the words of something that was found for the first time.
    pub(super) fn harvest(&mut self, text: &str) {
        let words: BTreeSet<String> = words_of(text).collect();
        for word in words {
            if self.harvested.len() < MAX_HARVESTED || self.harvested.contains_key(&word) {
                *self.harvested.entry(word).or_default() += 1;
            }
        }
    }

    /// Whether anything was harvested.
    pub(super) fn has_harvest(&self) -> bool {
        !self.harvested.is_empty()
    }
}

/// Words in lower case that can be searched for: three letters at least, one where letters are words. Numbers match too
/// much that they do not mean.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            let letters = word.chars().count();
            let dense = word.chars().any(|c| c as u32 >= DENSE_SCRIPTS);
            (3..=24).contains(&letters) || (dense && (1..=6).contains(&letters))
        })
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_a_hundred_words() {
        for (language, list) in LISTS {
            let words: BTreeSet<&str> = list.split_whitespace().collect();
            assert!(words.len() >= 100, "{language} has {}", words.len());
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_words_and_none_twice() {
        let draw = |seed| {
            let mut words = Words::new(seed, Some("de"));
            let drawn: Vec<String> = (0..150).filter_map(|_| words.dictionary()).collect();
            (drawn, words.nonsense())
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let all: BTreeSet<String> = draw(1).0.into_iter().collect();
        assert_eq!(all.len(), 150);
        assert!(all.contains("Wasser"));
    }

    #[test]
    fn harvested_words_come_by_how_often_they_stand_there() {
        let mut words = Words::new(1, None);
        for text in ["green tea of 2020", "green apple", "green tea"] {
            words.harvest(text);
        }
        assert_eq!(words.frequent().as_deref(), Some("green"));
        assert_eq!(words.rare().as_deref(), Some("apple"));
        assert_eq!(words.frequent().as_deref(), Some("tea"));
        assert_eq!(words.frequent(), None);
    }

    #[test]
    fn nonsense_is_no_word() {
        let mut words = Words::new(7, None);
        let nonsense = words.nonsense();
        assert_eq!(nonsense.len(), NONSENSE_LETTERS);
        assert!(LISTS.iter().all(|(_, list)| !list.contains(&nonsense)));
        assert_ne!(words.nonsense(), nonsense);
    }
}
