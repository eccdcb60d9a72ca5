//! Site-wide numbering: paths, terms and other repeated things become small dense integers.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::paths::mix;

/// Numbers strings 0, 1, 2, ... in the order of their first appearance, each stored once.
///
/// The numbers depend on the order of insertion alone: feed pages in their order, not as threads finish.
///
/// ```
/// let mut terms = unsite_dom::Interner::default();
/// assert_eq!(terms.intern("price"), 0);
/// assert_eq!(terms.intern("title"), 1);
/// assert_eq!(terms.intern("price"), 0);
/// assert_eq!(terms.get(1), "title");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interner {
    text: String,
    /// Where each string ends in `text`.
    ends: Vec<usize>,
    ids: FxHashMap<u64, u32>,
}

impl Interner {
    /// The number of a string, a new one if it was never seen.
    ///
    /// # Panics
    /// After four thousand million distinct strings.
    pub fn intern(&mut self, string: &str) -> u32 {
        let hash = match self.probe(string) {
            Ok(id) => return id,
            Err(free) => free,
        };
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 distinct strings");
        self.text.push_str(string);
        self.ends.push(self.text.len());
        self.ids.insert(hash, id);
        id
    }

    /// The number of a string that was seen before.
    pub fn find(&self, string: &str) -> Option<u32> {
        self.probe(string).ok()
    }

    /// The string of a number; empty for a number that was never given.
    pub fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends.get(id - 1).copied().unwrap_or(0) };
        self.ends.get(id).map_or("", |&end| &self.text[start..end])
    }

    /// How many distinct strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True before the first string.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Every string in the order of its number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(id))
    }

    /// The string's number, or the key under which it may be put. Strings of one hash take the next key.
    fn probe(&self, string: &str) -> Result<u32, u64> {
        let mut hash = xxh3_64(string.as_bytes());
        while let Some(&id) = self.ids.get(&hash) {
            if self.get(id) == string {
                return Ok(id);
            }
            hash = mix(hash, 1);
        }
        Err(hash)
    }
}

/// Numbers 64-bit hashes, such as those of [`Tree::path_hashes`](crate::Tree::path_hashes), like [`Interner`].
#[derive(Debug, Clone, Default)]
pub struct HashInterner {
    hashes: Vec<u64>,
    ids: FxHashMap<u64, u32>,
}

impl HashInterner {
    /// The number of a hash, a new one if it was never seen.
    ///
    /// # Panics
    /// After four thousand million distinct hashes.
    pub fn intern(&mut self, hash: u64) -> u32 {
        *self.ids.entry(hash).or_insert_with(|| {
            self.hashes.push(hash);
            u32::try_from(self.hashes.len() - 1).expect("fewer than 2^32 distinct hashes")
        })
    }

    /// The number of a hash that was seen before.
    pub fn find(&self, hash: u64) -> Option<u32> {
        self.ids.get(&hash).copied()
    }

    /// The hash of a number.
    pub fn get(&self, id: u32) -> Option<u64> {
        self.hashes.get(id as usize).copied()
    }

    /// How many distinct hashes there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// True before the first hash.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_lead_back() {
        let mut interner = Interner::default();
        for i in 0..1000 {
            assert_eq!(interner.intern(&format!("term {}", i % 300)), i % 300);
        }
        assert_eq!(interner.len(), 300);
        assert_eq!(interner.find("term 299"), Some(299));
        assert_eq!(interner.find("term 300"), None);
        assert_eq!(interner.get(7), "term 7");
        assert_eq!(interner.get(300), "");
        assert_eq!(interner.iter().next(), Some("term 0"));
        assert_eq!(interner.intern(""), 300);
        assert_eq!(interner.get(300), "");
    }

    #[test]
    fn hashes_are_numbered_too() {
        let mut interner = HashInterner::default();
        assert_eq!([9, 4, 9, 1].map(|hash| interner.intern(hash)), [0, 1, 0, 2]);
        assert_eq!(interner.get(1), Some(4));
        assert_eq!((interner.find(1), interner.find(5)), (Some(2), None));
    }
}
