//! A bounded sample of pages that depends on the seed and on the set of pages, not on their order or on who holds them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unsite_dom::{Moment, RawPage};
use unsite_wrapper::fingerprint;

/// Bytes of raw pages that a sample may hold.
pub const SAMPLE_BYTES: usize = 512 << 20;

/// Nodes that the pages of a sample may have in all, about: discovery takes some hundreds of bytes for each. The largest
/// labelled site has 1.7 million.
pub const SAMPLE_NODES: usize = 3_000_000;

/// Nodes of one page that are learned from: a list shows what its rows are on far fewer. A page with more is huge; huge
/// pages have half as much room, of their own, because a few of them must not push all others out.
pub const LEARNED_NODES: usize = 150_000;

/// About how many nodes a page has: a tag and the text behind it are at most two, and most elements have two tags.
pub fn nodes(page: &[u8]) -> usize {
    page.iter().filter(|&&byte| byte == b'<').count()
}

/// What pages are sorted by: a hash of the seed, the address and the content, then what tells equal hashes apart. The
/// page's name in its source comes late since in some sources (line numbers) it depends on the order of pages; captures that
/// agree in all of that are told apart by their moments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    place: u64,
    url: String,
    content: u64,
    reference: String,
    /// Seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    captured: Option<i64>,
}

impl Key {
    /// The key of a page under a seed.
    pub fn of(seed: u64, page: &RawPage) -> Key {
        let content = fingerprint(&page.bytes);
        let place = fingerprint(format!("{seed}\n{content:x}\n{}", page.url).as_bytes());
        let captured = page.captured.map(Moment::unix);
        Key { place, url: page.url.clone(), content, reference: page.reference.clone(), captured }
    }
}

/// Two samples that were not taken in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("samples can be put together only when they have the same seed and the same size")]
pub struct NotMergeable;

/// How much a sample may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Pages.
    pub pages: usize,
    /// Bytes of its ordinary pages.
    pub bytes: usize,
    /// Nodes of its ordinary pages, about.
    pub nodes: usize,
    /// Nodes of a page from which on it is huge; no more of it are counted.
    pub page_nodes: usize,
}

impl Bounds {
    /// So many pages, and no more than fit into memory.
    pub fn of(pages: usize) -> Self {
        Bounds { pages, bytes: SAMPLE_BYTES, nodes: SAMPLE_NODES, page_nodes: LEARNED_NODES }
    }

    /// What huge pages may take.
    fn of_huge(self) -> Self {
        Bounds { bytes: self.bytes / 2, nodes: self.nodes / 2, ..self }
    }
}

/// What a page takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Size {
    bytes: usize,
    nodes: usize,
}

/// Which pages a sample holds, without the pages: the ones with the smallest keys, as many as fit. Ordinary and huge pages have
/// a room each; of both together the smallest are taken.
///
/// # What it does
/// Parts of the pages may be looked at by different machines and their states merged in any order; the result is that of one
/// machine that saw all pages.
/// # Assumes
/// Pages with equal keys are the same page.
/// # When it fails
/// Never; but a plain union of partial samples would be wrong where bytes or nodes run out before pages do, which is why the
/// smallest key that did not fit into a room is part of the state.
/// # Paper
/// Ours: a bottom-k sketch (Cohen and Kaplan 2007) with two more bounds, on bytes and nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleState {
    seed: u64,
    bounds: Bounds,
    ordinary: Room,
    huge: Room,
    /// Pages that were offered.
    total: usize,
}

impl SampleState {
    /// An empty sample of at most so many pages.
    pub fn new(seed: u64, most: usize) -> Self {
        SampleState::bounded(seed, Bounds::of(most))
    }

    /// An empty sample that holds no more than that.
    pub fn bounded(seed: u64, bounds: Bounds) -> Self {
        let bounds = Bounds { pages: bounds.pages.max(1), ..bounds };
        SampleState { seed, bounds, ordinary: Room::default(), huge: Room::default(), total: 0 }
    }

    /// Looks at a page. Its key comes back if there is room for it for now.
    pub fn offer(&mut self, page: &RawPage) -> Option<Key> {
        let key = Key::of(self.seed, page);
        self.total += 1;
        let nodes = nodes(&page.bytes);
        let size = Size { bytes: page.bytes.len(), nodes: nodes.min(self.bounds.page_nodes) };
        let (room, bounds) = match nodes > self.bounds.page_nodes {
            true => (&mut self.huge, self.bounds.of_huge()),
            false => (&mut self.ordinary, self.bounds),
        };
        room.keep(key.clone(), size);
        room.settle(bounds);
        room.kept.contains_key(&key).then_some(key)
    }

    /// Puts another part of the pages to these.
    pub fn merge(&mut self, other: &SampleState) -> Result<(), NotMergeable> {
        if (self.seed, self.bounds) != (other.seed, other.bounds) {
            return Err(NotMergeable);
        }
        self.total += other.total;
        self.ordinary.merge(&other.ordinary, self.bounds);
        self.huge.merge(&other.huge, self.bounds.of_huge());
        Ok(())
    }

    /// Whether a page that was offered is in the sample.
    pub fn holds(&self, page: &RawPage) -> bool {
        let key = Key::of(self.seed, page);
        let is_huge = nodes(&page.bytes) > self.bounds.page_nodes;
        let room = if is_huge { &self.huge } else { &self.ordinary };
        room.has_room(&key) && self.cut().is_none_or(|cut| key < *cut)
    }

    /// The smallest key that is one too many of both rooms together.
    fn cut(&self) -> Option<&Key> {
        if self.ordinary.kept.len() + self.huge.kept.len() <= self.bounds.pages {
            return None;
        }
        let (mut ordinary, mut huge) =
            (self.ordinary.kept.keys().peekable(), self.huge.kept.keys().peekable());
        let smaller = || match (ordinary.peek(), huge.peek()) {
            (Some(one), Some(other)) if other < one => huge.next(),
            (None, _) => huge.next(),
            _ => ordinary.next(),
        };
        std::iter::from_fn(smaller).nth(self.bounds.pages)
    }

    /// The state without its keys: all that [`SampleState::holds`] needs, small enough to send anywhere.
    #[must_use]
    pub fn bound(&self) -> Self {
        let cut = self.cut();
        SampleState { ordinary: self.ordinary.bound(cut), huge: self.huge.bound(cut), ..*self }
    }

    /// How many pages are in it.
    pub fn len(&self) -> usize {
        (self.ordinary.kept.len() + self.huge.kept.len()).min(self.bounds.pages)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
}

/// Room for pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Room {
    #[serde(with = "pairs")]
    kept: BTreeMap<Key, Size>,
    used: Size,
    /// The smallest key that did not fit. Nothing behind it may come in later, or the order of pages would matter.
    end: Option<Key>,
}

impl Room {
    fn has_room(&self, key: &Key) -> bool {
        self.end.as_ref().is_none_or(|end| key < end)
    }

    fn keep(&mut self, key: Key, size: Size) {
        if !self.has_room(&key) {
            return;
        }
        self.used.bytes += size.bytes;
        self.used.nodes += size.nodes;
        if let Some(same) = self.kept.insert(key, size) {
            self.free(same);
        }
    }

    fn free(&mut self, size: Size) {
        self.used.bytes -= size.bytes;
        self.used.nodes -= size.nodes;
    }

    fn merge(&mut self, other: &Room, bounds: Bounds) {
        self.end = bound(self.end.take(), other.end.as_ref());
        for (key, size) in &other.kept {
            self.keep(key.clone(), *size);
        }
        self.settle(bounds);
    }

    /// Drops what does not fit, and what stands behind that.
    fn settle(&mut self, bounds: Bounds) {
        while let Some((last, _)) = self.kept.last_key_value() {
            let is_large = self.used.bytes > bounds.bytes || self.used.nodes > bounds.nodes;
            let is_over = self.kept.len() > bounds.pages || (is_large && self.kept.len() > 1);
            let is_late = !self.has_room(last);
            if !is_over && !is_late {
                return;
            }
            let Some((key, size)) = self.kept.pop_last() else { return };
            self.free(size);
            if !is_late {
                self.end = Some(key);
            }
        }
    }

    fn bound(&self, cut: Option<&Key>) -> Room {
        Room { end: bound(self.end.clone(), cut), ..Room::default() }
    }
}

/// The smaller of two ends.
fn bound(one: Option<Key>, other: Option<&Key>) -> Option<Key> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other.clone())),
        (one, other) => one.or_else(|| other.cloned()),
    }
}

/// The keys as a list: JSON wants text for the keys of an object.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Key, Size};

    pub(super) fn serialize<S: Serializer>(kept: &BTreeMap<Key, Size>, to: S) -> Result<S::Ok, S::Error> {
        kept.iter().collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Key, Size>, D::Error> {
        Ok(Vec::<(Key, Size)>::deserialize(from)?.into_iter().collect())
    }
}

/// A sample with its pages.
#[derive(Debug)]
pub struct Sample {
    state: SampleState,
    ordinary: BTreeMap<Key, RawPage>,
    huge: BTreeMap<Key, RawPage>,
}

impl Sample {
    /// An empty sample of at most so many pages.
    pub fn new(seed: u64, most: usize) -> Self {
        Sample::of_state(SampleState::new(seed, most))
    }

    fn of_state(state: SampleState) -> Self {
        Sample { state, ordinary: BTreeMap::new(), huge: BTreeMap::new() }
    }

    /// Looks at a page and keeps it for as long as it is in the sample.
    pub fn offer(&mut self, page: RawPage) {
        if let Some(key) = self.state.offer(&page) {
            let is_huge = self.state.huge.kept.contains_key(&key);
            let pages = if is_huge { &mut self.huge } else { &mut self.ordinary };
            pages.insert(key, page);
        }
        // A page that has no room for itself may still have taken that of others behind it.
        let rooms = [(&self.state.ordinary, &mut self.ordinary), (&self.state.huge, &mut self.huge)];
        for (room, pages) in rooms {
            while pages.last_key_value().is_some_and(|(last, _)| !room.has_room(last)) {
                pages.pop_last();
            }
        }
    }

    /// How many pages were offered.
    pub fn total(&self) -> usize {
        self.state.total
    }

    /// The pages that were kept, by their keys.
    pub fn into_pages(self) -> Vec<RawPage> {
        let mut pages = self.ordinary;
        pages.extend(self.huge);
        pages.into_values().take(self.state.bounds.pages).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pages of more nodes than this are huge in these tests.
    const PAGE_NODES: usize = 20;

    fn page(url: &str, size: usize, nodes: usize) -> RawPage {
        let bytes = [vec![b'x'; size], vec![b'<'; nodes]].concat();
        RawPage { url: url.into(), reference: url.into(), bytes, ..RawPage::default() }
    }

    fn bounds(pages: usize, bytes: usize, nodes: usize) -> Bounds {
        Bounds { pages, bytes, nodes, page_nodes: PAGE_NODES }
    }

    fn kept(pages: &[RawPage], bounds: Bounds) -> Vec<String> {
        let mut sample = Sample::of_state(SampleState::bounded(1, bounds));
        for page in pages {
            sample.offer(page.clone());
        }
        let state = sample.state.clone();
        for (room, pages) in [(&state.ordinary, &sample.ordinary), (&state.huge, &sample.huge)] {
            assert!(room.kept.keys().eq(pages.keys()));
            assert_eq!(room.used.bytes, pages.values().map(|page| page.bytes.len()).sum::<usize>());
        }
        let kept = sample.into_pages();
        assert_eq!((state.len(), state.total), (kept.len(), pages.len()));
        for page in pages {
            let is_kept = kept.iter().any(|kept| kept.url == page.url);
            assert_eq!((state.holds(page), state.bound().holds(page)), (is_kept, is_kept));
        }
        kept.into_iter().map(|page| page.url).collect()
    }

    #[test]
    fn the_sample_does_not_depend_on_the_order() {
        let size = |i: usize| (1 + i * i % 97, if i.is_multiple_of(5) { 2 * PAGE_NODES } else { i % 7 });
        let made = |i: usize| page(&format!("http://a/{i}"), size(i).0, size(i).1);
        let pages: Vec<RawPage> = (0..60).map(made).collect();
        let room = 1 << 20;
        for (most, bytes, nodes) in [
            (7, room, room),
            (1000, 300, room),
            (20, 500, room),
            (1, 1, room),
            (1000, room, 50),
            (20, 900, 90),
        ] {
            let want = kept(&pages, bounds(most, bytes, nodes));
            assert!(!want.is_empty() && want.len() < 60);
            for turn in 1..60 {
                let mut other = pages.clone();
                other.rotate_left(turn);
                if turn % 2 == 0 {
                    other.reverse();
                }
                assert_eq!(kept(&other, bounds(most, bytes, nodes)), want);
            }
        }
    }

    #[test]
    fn pages_with_many_nodes_are_few_and_leave_room_for_others() {
        let huge = 3 * LEARNED_NODES;
        let mut sample = Sample::new(1, 1000);
        for at in 0..200 {
            sample.offer(page(&format!("http://a/{at}"), 0, if at % 2 == 0 { huge } else { 10 }));
        }
        let kept: Vec<usize> = sample.into_pages().iter().map(|page| nodes(&page.bytes)).collect();
        assert_eq!(kept.iter().filter(|&&nodes| nodes == 10).count(), 100);
        assert_eq!(kept.iter().filter(|&&nodes| nodes == huge).count(), SAMPLE_NODES / 2 / LEARNED_NODES);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// However the pages are dealt out and in whatever order the parts are merged, the sample is that of all of them.
        #[test]
        fn merged_parts_are_the_whole(
            sizes in prop::collection::vec((1usize..60, 0usize..2 * PAGE_NODES, 0usize..5), 1..40),
            most in 1usize..30,
            most_bytes in 1usize..600,
            most_nodes in 1usize..300,
            reversed in any::<bool>(),
        ) {
            let made = |(at, &(size, nodes, part)): (usize, &(usize, usize, usize))| {
                (page(&format!("u{at}"), size, nodes), part)
            };
            let pages: Vec<(RawPage, usize)> = sizes.iter().enumerate().map(made).collect();
            let empty = || SampleState::bounded(1, bounds(most, most_bytes, most_nodes));
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
            prop_assert_eq!(&merged, &whole);
            prop_assert_eq!(merged.total, pages.len());
            let raw: Vec<RawPage> = pages.iter().map(|(page, _)| page.clone()).collect();
            let of_one = kept(&raw, bounds(most, most_bytes, most_nodes));
            for page in &raw {
                prop_assert_eq!(merged.bound().holds(page), of_one.contains(&page.url));
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
