//! The pages that a wrapper was learned from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unsite_dom::RawPage;

use crate::recognise::fingerprint;

/// Fingerprints of the pages that a wrapper was learned from, with their types. Such a page keeps its type when it is
/// read again: discovery knew who links to it, which no single page tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// By fingerprints of address and content.
    #[serde(with = "fingerprints")]
    types: BTreeMap<(u64, u64), usize>,
}

impl Training {
    /// Notes the pages; of two that are equal in address and content the first counts.
    pub fn new<'p>(pages: impl IntoIterator<Item = (&'p RawPage, usize)>) -> Self {
        let mut training = Training::default();
        for (page, page_type) in pages {
            training.types.entry(key(page)).or_insert(page_type);
        }
        training
    }

    /// The type of a page that was learned from.
    pub fn page_type(&self, page: &RawPage) -> Option<usize> {
        self.types.get(&key(page)).copied()
    }

    /// The same of a page by its address and the fingerprint of its bytes.
    pub fn type_of(&self, url: &str, content: u64) -> Option<usize> {
        self.types.get(&(fingerprint(url.as_bytes()), content)).copied()
    }

    /// The type that the page at an address had, whatever it says now; `None` where pages of several types stood there.
    pub fn type_at(&self, url: &str) -> Option<usize> {
        let mut types = self.range_at(url);
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    /// The types that pages at an address had, sorted: several, where a redesign was learned beside what was there before.
    pub fn types_at(&self, url: &str) -> Vec<usize> {
        let mut types: Vec<usize> = self.range_at(url).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    fn range_at(&self, url: &str) -> impl Iterator<Item = usize> + '_ {
        let address = fingerprint(url.as_bytes());
        self.types.range((address, 0)..=(address, u64::MAX)).map(|(_, page_type)| *page_type)
    }

    /// Takes in the pages of another, which give way to those that are there.
    pub fn add(&mut self, other: Training) {
        for (key, page_type) in other.types {
            self.types.entry(key).or_insert(page_type);
        }
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// True without any page.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The highest type that a page has.
    pub(crate) fn highest(&self) -> Option<usize> {
        self.types.values().max().copied()
    }

    /// The pages with other numbers for their types; those whose type has none are forgotten.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(usize) -> Option<usize>) -> Self {
        Training { types: self.types.iter().filter_map(|(&key, &old)| Some((key, number(old)?))).collect() }
    }
}

fn key(page: &RawPage) -> (u64, u64) {
    (fingerprint(page.url.as_bytes()), fingerprint(&page.bytes))
}

/// The fingerprints of each type as one text, `address:content` each.
mod fingerprints {
    use std::collections::BTreeMap;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    type Types = BTreeMap<(u64, u64), usize>;

    pub(super) fn serialize<S: Serializer>(types: &Types, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lists: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for ((address, content), page_type) in types {
            lists.entry(*page_type).or_default().push(format!("{address:x}:{content:x}"));
        }
        serializer
            .collect_map(lists.into_iter().map(|(page_type, keys)| (page_type.to_string(), keys.join(" "))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Types, D::Error> {
        let lists: BTreeMap<usize, String> = BTreeMap::deserialize(deserializer)?;
        let mut types = BTreeMap::new();
        for (page_type, keys) in lists {
            for text in keys.split_ascii_whitespace() {
                let hash = |text: &str| u64::from_str_radix(text, 16).ok();
                let key = text
                    .split_once(':')
                    .and_then(|(address, content)| Some((hash(address)?, hash(content)?)));
                let key = key.ok_or_else(|| D::Error::custom(format!("{text:?} is not a fingerprint")))?;
                types.insert(key, page_type);
            }
        }
        Ok(types)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_been_of_several_types() {
        let page = |url: &str, bytes: &str| RawPage {
            url: url.into(),
            bytes: bytes.as_bytes().to_vec(),
            ..RawPage::default()
        };
        let (old, new, other) =
            (page("http://a/1", "old"), page("http://a/1", "new"), page("http://a/2", "x"));
        let training = Training::new([(&old, 3), (&new, 1), (&other, 3)]);
        assert_eq!((training.types_at("http://a/1"), training.type_at("http://a/1")), (vec![1, 3], None));
        assert_eq!((training.types_at("http://a/2"), training.type_at("http://a/2")), (vec![3], Some(3)));
        assert!(training.types_at("http://a/3").is_empty());
    }
}
