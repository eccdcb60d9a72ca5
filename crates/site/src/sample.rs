//! A bounded sample of pages that depends on the seed and on the set of pages, not on their order or on who holds them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unsite_dom::RawPage;
use unsite_wrapper::fingerprint;

/// Bytes of raw pages that a sample may hold.
pub const SAMPLE_BYTES: usize = 512 << 20;

/// What pages are sorted by: a hash of the seed, the address and the content, then what tells equal hashes apart. The
/// page's name in its source comes last since in some sources (line numbers) it depends on the order of pages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    place: u64,
    url: String,
    content: u64,
    reference: String,
}

impl Key {
    /// The key of a page under a seed.
    pub fn of(seed: u64, page: &RawPage) -> Key {
        let content = fingerprint(&page.bytes);
        let place = fingerprint(format!("{seed}\n{content:x}\n{}", page.url).as_bytes());
        Key { place, url: page.url.clone(), content, reference: page.reference.clone() }
    }
}

/// Two samples that were not taken in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("samples can be put together only when they have the same seed and the same size")]
pub struct NotMergeable;

/// Which pages a sample holds, without the pages: the ones with the smallest keys, as many as fit.
///
/// # What it does
/// Parts of the pages may be looked at by different machines and their states merged in any order; the result is that of one
/// machine that saw all pages.
/// # Assumes
/// Pages with equal keys are the same page.
/// # When it fails
/// Never; but a plain union of partial samples would be wrong where bytes run out before pages do, which is why the smallest
/// key that did not fit is part of the state.
/// # Paper
/// Ours: a bottom-k sketch (Cohen and Kaplan 2007) with a second bound, on bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleState {
    seed: u64,
    most: usize,
    most_bytes: usize,
    #[serde(with = "pairs")]
    kept: BTreeMap<Key, usize>,
    bytes: usize,
    /// The smallest key that did not fit. Nothing behind it may come in later, or the order of pages would matter.
    end: Option<Key>,
    /// Pages that were offered.
    total: usize,
}

impl SampleState {
    /// An empty sample of at most so many pages.
    pub fn new(seed: u64, most: usize) -> Self {
        SampleState::bounded(seed, most, SAMPLE_BYTES)
    }

    /// An empty sample of at most so many pages and bytes.
    pub fn bounded(seed: u64, most: usize, most_bytes: usize) -> Self {
        SampleState {
            seed,
            most: most.max(1),
            most_bytes,
            kept: BTreeMap::new(),
            bytes: 0,
            end: None,
            total: 0,
        }
    }

    /// Looks at a page. Its key comes back if it is in the sample for now.
    pub fn offer(&mut self, page: &RawPage) -> Option<Key> {
        let key = Key::of(self.seed, page);
        self.total += 1;
        self.keep(key.clone(), page.bytes.len());
        self.settle();
        self.kept.contains_key(&key).then_some(key)
    }

    /// Puts another part of the pages to these.
    pub fn merge(&mut self, other: &SampleState) -> Result<(), NotMergeable> {
        let how = |state: &SampleState| (state.seed, state.most, state.most_bytes);
        if how(self) != how(other) {
            return Err(NotMergeable);
        }
        self.total += other.total;
        if let Some(end) = &other.end
            && self.end.as_ref().is_none_or(|own| end < own)
        {
            self.end = Some(end.clone());
        }
        for (key, size) in &other.kept {
            self.keep(key.clone(), *size);
        }
        self.settle();
        Ok(())
    }

    /// Whether a page that was offered is in the sample.
    pub fn holds(&self, page: &RawPage) -> bool {
        self.end.as_ref().is_none_or(|end| Key::of(self.seed, page) < *end)
    }

    /// The state without its keys: all that [`SampleState::holds`] needs, small enough to send anywhere.
    #[must_use]
    pub fn bound(&self) -> Self {
        SampleState { kept: BTreeMap::new(), bytes: 0, ..self.clone() }
    }

    /// How many pages are in it.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many pages were offered.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// As text, to be sent or stored.
    pub fn to_text(&self) -> String {
        // Numbers and texts have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`SampleState::to_text`] wrote.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    fn keep(&mut self, key: Key, size: usize) {
        if self.end.as_ref().is_some_and(|end| key >= *end) {
            return;
        }
        self.bytes += size;
        if let Some(same) = self.kept.insert(key, size) {
            self.bytes -= same;
        }
    }

    /// Drops what does not fit, and what stands behind that.
    fn settle(&mut self) {
        let is_behind = |end: &Option<Key>, key: &Key| end.as_ref().is_some_and(|end| key >= end);
        while let Some((last, _)) = self.kept.last_key_value() {
            let is_over =
                self.kept.len() > self.most || (self.bytes > self.most_bytes && self.kept.len() > 1);
            let is_late = is_behind(&self.end, last);
            if !is_over && !is_late {
                return;
            }
            let Some((key, size)) = self.kept.pop_last() else { return };
            self.bytes -= size;
            if !is_late {
                self.end = Some(key);
            }
        }
    }
}

/// The keys as a list: JSON wants text for the keys of an object.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Key;

    pub(super) fn serialize<S: Serializer>(kept: &BTreeMap<Key, usize>, to: S) -> Result<S::Ok, S::Error> {
        kept.iter().collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Key, usize>, D::Error> {
        Ok(Vec::<(Key, usize)>::deserialize(from)?.into_iter().collect())
    }
}

/// A sample with its pages.
#[derive(Debug)]
pub struct Sample {
    state: SampleState,
    pages: BTreeMap<Key, RawPage>,
}

impl Sample {
    /// An empty sample of at most so many pages.
    pub fn new(seed: u64, most: usize) -> Self {
        Sample::of_state(SampleState::new(seed, most))
    }

    fn of_state(state: SampleState) -> Self {
        Sample { state, pages: BTreeMap::new() }
    }

    /// Looks at a page and keeps it for as long as it is in the sample.
    pub fn offer(&mut self, page: RawPage) {
        if let Some(key) = self.state.offer(&page) {
            self.pages.insert(key, page);
        }
        while let (Some((last, _)), Some(end)) = (self.pages.last_key_value(), &self.state.end)
            && last >= end
        {
            self.pages.pop_last();
        }
    }

    /// How many pages were offered.
    pub fn total(&self) -> usize {
        self.state.total
    }

    /// The pages that were kept, by their keys.
    pub fn into_pages(self) -> Vec<RawPage> {
        self.pages.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(url: &str, size: usize) -> RawPage {
        RawPage { url: url.into(), reference: url.into(), bytes: vec![b'x'; size], ..RawPage::default() }
    }

    fn kept(pages: &[RawPage], most: usize, most_bytes: usize) -> Vec<String> {
        let mut sample = Sample::of_state(SampleState::bounded(1, most, most_bytes));
        for page in pages {
            sample.offer(page.clone());
        }
        let state = sample.state.clone();
        assert_eq!(state.bytes, sample.pages.values().map(|page| page.bytes.len()).sum::<usize>());
        assert_eq!((state.len(), state.total), (sample.pages.len(), pages.len()));
        assert!(
            pages
                .iter()
                .all(|page| state.bound().holds(page) == sample.pages.contains_key(&Key::of(1, page)))
        );
        sample.into_pages().into_iter().map(|page| page.url).collect()
    }

    #[test]
    fn the_sample_does_not_depend_on_the_order() {
        let pages: Vec<RawPage> = (0..60).map(|i| page(&format!("http://a/{i}"), 1 + i * i % 97)).collect();
        for (most, most_bytes) in [(7, 1 << 20), (1000, 300), (20, 500), (1, 1)] {
            let want = kept(&pages, most, most_bytes);
            assert!(!want.is_empty() && want.len() < 60);
            for turn in 1..60 {
                let mut other = pages.clone();
                other.rotate_left(turn);
                if turn % 2 == 0 {
                    other.reverse();
                }
                assert_eq!(kept(&other, most, most_bytes), want);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// However the pages are dealt out and in whatever order the parts are merged, the sample is that of all of them.
        #[test]
        fn merged_parts_are_the_whole(
            sizes in prop::collection::vec((1usize..60, 0usize..5), 1..40),
            most in 1usize..30,
            most_bytes in 1usize..400,
            reversed in any::<bool>(),
        ) {
            let pages: Vec<(RawPage, usize)> =
                sizes.iter().enumerate().map(|(at, &(size, part))| (page(&format!("u{at}"), size), part)).collect();
            let empty = || SampleState::bounded(1, most, most_bytes);
            let mut whole = empty();
            let mut parts = vec![empty(); 5];
            for (page, part) in &pages {
                whole.offer(page);
                parts[*part].offer(page);
            }
            if reversed {
                parts.reverse();
            }
            let mut merged = empty();
            for part in &parts {
                merged.merge(&SampleState::from_text(&part.to_text()).unwrap()).unwrap();
            }
            prop_assert_eq!(&merged.kept, &whole.kept);
            prop_assert_eq!(merged.total, pages.len());
            for (page, _) in &pages {
                prop_assert_eq!(merged.holds(page), whole.kept.contains_key(&Key::of(1, page)));
            }
        }
    }

    #[test]
    fn samples_of_different_kinds_are_not_mergeable() {
        let mut one = SampleState::new(1, 5);
        assert_eq!(one.merge(&SampleState::new(2, 5)), Err(NotMergeable));
        assert_eq!(one.merge(&SampleState::new(1, 6)), Err(NotMergeable));
        assert_eq!(one.merge(&SampleState::new(1, 5)), Ok(()));
    }
}
