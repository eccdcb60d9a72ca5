//! The first pass over a source: a bounded sample of its pages, and what is wrong with the source.

use std::collections::BTreeMap;

use anyhow::Result;
use rustc_hash::FxHashSet;
use unsite_acquire::Source;
use unsite_dom::{Moment, Problem, ProblemKind, RawPage};
use unsite_site::Sample;
use unsite_wrapper::fingerprint;

use super::{Cancelled, Options, Progress};

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
    let mut kept = Sample::new(options.seed, options.sample);
    let mut duplicates = Duplicates::default();
    let (mut total, mut problems) = (0, Vec::new());
    let mut pages = source.pages()?;
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => {
                total += 1;
                duplicates.note_capture(&page.url, page.captured);
                kept.offer(page);
                progress.advance(1);
                if progress.is_cancelled() {
                    return Err(Cancelled.into());
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(duplicates.problems());
    Ok(Sampled { pages: kept.into_pages(), problems, total })
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
