//! The first pass over a source: a bounded sample of its pages, and what is wrong with the source.

use std::collections::BTreeMap;

use anyhow::Result;
use rustc_hash::FxHashSet;
use unsite_acquire::Source;
use unsite_dom::{Moment, Problem, ProblemKind, RawPage};
use unsite_wrapper::fingerprint;

use super::{Options, Progress};

/// Bytes of raw pages that the sample may hold.
const SAMPLE_BYTES: usize = 512 << 20;

/// Nodes that the pages of the sample may have in all, about: discovery takes some hundreds of bytes for each. The largest
/// labelled site has 1.7 million.
const SAMPLE_NODES: usize = 3_000_000;

/// Nodes of one page that are learned from: a list shows what its rows are on far fewer. A page with more is huge; huge
/// pages have half as much room, of their own, because a few of them must not push all others out.
pub(super) const LEARNED_NODES: usize = 150_000;

/// Duplicated URLs that get a line in `_problems` each. A source with more has another trouble than these.
const LISTED_DUPLICATES: usize = 10_000;

/// What was read for learning.
pub struct Sampled {
    /// The sample; all pages if there are few enough.
    pub pages: Vec<RawPage>,
    /// What could not be read, and which URLs stand on several pages.
    pub problems: Vec<Problem>,
    /// How many pages there are in all.
    pub total: usize,
}

/// Reads the source once and keeps a sample that depends on the seed and on the set of pages, not on their order:
/// the pages whose hashed address and content are smallest.
pub fn sample(source: &Source, options: &Options, progress: &mut dyn Progress) -> Result<Sampled> {
    progress.stage("reading", None);
    let mut smallest = Smallest::new(options.sample);
    let mut duplicates = Duplicates::default();
    let (mut total, mut problems) = (0, Vec::new());
    let mut pages = source.pages()?;
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => {
                total += 1;
                duplicates.note_capture(&page.url, page.captured);
                smallest.offer(options.seed, page);
                progress.advance(1);
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(duplicates.problems());
    Ok(Sampled { pages: smallest.into_pages(), problems, total })
}

/// What pages are sorted by: a hash of the seed, the address and the content, then what tells equal hashes apart. The
/// page's name in its source comes last since in some sources (line numbers) it depends on the order of pages.
type Key = (u64, String, u64, String);

/// The pages with the smallest keys, as many as fit.
pub(super) struct Smallest {
    most: usize,
    ordinary: Room,
    huge: Room,
}

impl Smallest {
    /// Keeps so many pages, and no more than fit into memory.
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        let ordinary = Room { most, bytes: SAMPLE_BYTES, nodes: SAMPLE_NODES, ..Room::default() };
        let huge = Room { most, bytes: SAMPLE_BYTES / 2, nodes: SAMPLE_NODES / 2, ..Room::default() };
        Smallest { most, ordinary, huge }
    }

    /// The pages that were kept.
    pub(super) fn into_pages(self) -> Vec<RawPage> {
        let mut kept = self.ordinary.kept;
        kept.extend(self.huge.kept);
        kept.into_values().map(|(page, _)| page).take(self.most).collect()
    }

    pub(super) fn offer(&mut self, seed: u64, page: RawPage) {
        let content = fingerprint(&page.bytes);
        let place = fingerprint(format!("{seed}\n{content:x}\n{}", page.url).as_bytes());
        let key = (place, page.url.clone(), content, page.reference.clone());
        let nodes = nodes(&page.bytes);
        let room = if nodes > LEARNED_NODES { &mut self.huge } else { &mut self.ordinary };
        room.offer(key, page, nodes.min(LEARNED_NODES));
    }
}

/// About how many nodes a page has: a tag and the text behind it are at most two, and most elements have two tags.
pub(super) fn nodes(page: &[u8]) -> usize {
    page.iter().filter(|&&byte| byte == b'<').count()
}

/// Room for pages.
#[derive(Default)]
struct Room {
    most: usize,
    bytes: usize,
    nodes: usize,
    kept: BTreeMap<Key, (RawPage, usize)>,
    used_bytes: usize,
    used_nodes: usize,
    /// The smallest key that did not fit. Nothing behind it may come in later, or the order of pages would matter.
    end: Option<Key>,
}

impl Room {
    fn offer(&mut self, key: Key, page: RawPage, nodes: usize) {
        if self.end.as_ref().is_some_and(|end| key >= *end) {
            return;
        }
        self.used_bytes += page.bytes.len();
        self.used_nodes += nodes;
        if let Some(same) = self.kept.insert(key, (page, nodes)) {
            self.free(&same);
        }
        while self.is_over() {
            let Some((key, dropped)) = self.kept.pop_last() else { return };
            self.free(&dropped);
            self.end = Some(key);
        }
    }

    fn is_over(&self) -> bool {
        let too_large = self.used_bytes > self.bytes || self.used_nodes > self.nodes;
        self.kept.len() > self.most || too_large && self.kept.len() > 1
    }

    fn free(&mut self, (page, nodes): &(RawPage, usize)) {
        self.used_bytes -= page.bytes.len();
        self.used_nodes -= nodes;
    }
}

/// URLs that stand on several pages. Eight bytes are kept of every URL, whole only the duplicated ones.
#[derive(Default)]
pub(super) struct Duplicates {
    seen: FxHashSet<u64>,
    counts: BTreeMap<String, usize>,
}

impl Duplicates {
    /// Notes a page. Captures of different moments are no duplicates.
    pub(super) fn note_capture(&mut self, url: &str, captured: Option<Moment>) {
        match captured {
            Some(captured) => self.count(url, &format!("{captured} {url}")),
            None => self.count(url, url),
        }
    }

    fn count(&mut self, url: &str, place: &str) {
        if url.is_empty() || self.seen.insert(fingerprint(place.as_bytes())) {
            return;
        }
        *self.counts.entry(url.to_owned()).or_insert(1) += 1;
        if self.counts.len() > LISTED_DUPLICATES {
            self.counts.pop_last();
        }
    }

    pub(super) fn problems(self) -> impl Iterator<Item = Problem> {
        self.counts.into_iter().map(|(url, count)| Problem {
            kind: ProblemKind::Duplicate,
            reference: url.clone(),
            url: Some(url),
            offset: None,
            message: format!("{count} pages carry this URL; all of them are kept"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, size: usize) -> RawPage {
        RawPage { url: url.into(), reference: url.into(), bytes: vec![b'x'; size], ..RawPage::default() }
    }

    fn kept(pages: &[RawPage], most: usize, most_bytes: usize) -> Vec<String> {
        let mut smallest = Smallest::new(most);
        smallest.ordinary.bytes = most_bytes;
        for page in pages {
            smallest.offer(1, page.clone());
        }
        let room = &smallest.ordinary;
        assert_eq!(room.used_bytes, room.kept.values().map(|(page, _)| page.bytes.len()).sum::<usize>());
        smallest.into_pages().into_iter().map(|page| page.url).collect()
    }

    #[test]
    fn pages_with_many_nodes_are_few_and_leave_room_for_others() {
        let tags = |at: usize, count: usize| RawPage {
            bytes: "<p>".repeat(count).into_bytes(),
            ..page(&format!("http://a/{at}"), 0)
        };
        let huge = 3 * LEARNED_NODES;
        let mut smallest = Smallest::new(1000);
        for at in 0..200 {
            smallest.offer(1, tags(at, if at % 2 == 0 { huge } else { 10 }));
        }
        let nodes: Vec<usize> = smallest.into_pages().iter().map(|page| nodes(&page.bytes)).collect();
        assert_eq!(nodes.iter().filter(|&&nodes| nodes == 10).count(), 100);
        let kept = nodes.iter().filter(|&&nodes| nodes == huge).count();
        assert_eq!(kept, SAMPLE_NODES / 2 / LEARNED_NODES);
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

    #[test]
    fn duplicated_urls_are_counted_whatever_the_order() {
        let mut duplicates = Duplicates::default();
        for url in ["b", "a", "", "b", "c", "b", "", "a"] {
            duplicates.note_capture(url, None);
        }
        let told: Vec<String> =
            duplicates.problems().map(|p| format!("{} {}", p.reference, p.message)).collect();
        let tail = "pages carry this URL; all of them are kept";
        assert_eq!(told, [format!("a 2 {tail}"), format!("b 3 {tail}")]);
    }
}
