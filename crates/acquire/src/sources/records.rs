//! Some records of a WARC file, by where they start and how long they are: what an index of a crawl names.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use super::bounded;
use super::warc::WarcPages;

/// Ranges with less than this between them are read as one: passing over a few records costs less than another place to
/// read from, on disks and even more so behind networks.
const GAP: u64 = 256 << 10;

/// Ranges of bytes that are read as one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    start: u64,
    end: u64,
    /// The records in it that were asked for.
    wanted: Vec<(u64, u64)>,
}

/// Reads records at known places.
pub(super) struct RecordPages {
    path: PathBuf,
    name: String,
    limit: usize,
    stretches: VecDeque<Stretch>,
    current: Option<(Stretch, WarcPages)>,
}

impl RecordPages {
    pub(super) fn new(path: &Path, name: String, limit: usize, ranges: &[(u64, u64)]) -> Self {
        RecordPages { path: path.to_owned(), name, limit, stretches: coalesced(ranges).into(), current: None }
    }
}

/// Neighbouring ranges put together, in the order of the file.
fn coalesced(ranges: &[(u64, u64)]) -> Vec<Stretch> {
    let mut sorted: Vec<(u64, u64)> =
        ranges.iter().map(|&(start, length)| (start, start.saturating_add(length))).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut all: Vec<Stretch> = Vec::new();
    for (start, end) in sorted {
        match all.last_mut() {
            Some(last) if start <= last.end.saturating_add(GAP) => {
                last.end = last.end.max(end);
                last.wanted.push((start, end));
            }
            _ => all.push(Stretch { start, end, wanted: vec![(start, end)] }),
        }
    }
    all
}

impl Stretch {
    fn wants(&self, offset: u64) -> bool {
        let at = self.wanted.partition_point(|&(start, _)| start <= offset);
        at > 0 && offset < self.wanted[at - 1].1
    }
}

impl PageSource for RecordPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        loop {
            if let Some((stretch, pages)) = &mut self.current {
                let base = stretch.start;
                match pages.next_record() {
                    Some(Ok(mut page)) => {
                        page.offset = page.offset.map(|offset| offset + base);
                        if page.offset.is_none_or(|offset| stretch.wants(offset)) {
                            return Some(Ok(page));
                        }
                        continue;
                    }
                    Some(Err(mut problem)) => {
                        problem.offset = problem.offset.map(|offset| offset + base);
                        if problem.offset.is_none_or(|offset| stretch.wants(offset)) {
                            return Some(Err(problem));
                        }
                        continue;
                    }
                    None => self.current = None,
                }
            }
            let stretch = self.stretches.pop_front()?;
            let length = stretch.end - stretch.start;
            let open =
                WarcPages::open_section(&self.path, stretch.start, length, self.name.clone(), self.limit);
            match open {
                Ok(pages) => self.current = Some((stretch, pages)),
                Err(error) => {
                    let kind = match bounded::problem_kind(&error) {
                        ProblemKind::Limit => ProblemKind::Limit,
                        _ => ProblemKind::Unreadable,
                    };
                    return Some(Err(Problem {
                        kind,
                        reference: self.name.clone(),
                        url: None,
                        offset: Some(stretch.start),
                        message: format!("{} records cannot be read: {error}", stretch.wanted.len()),
                    }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_read_as_one() {
        let far = GAP + 100;
        let all = coalesced(&[(far, 10), (10, 20), (30, 5), (10, 20)]);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].start, all[0].end, &all[0].wanted), (10, 35, &vec![(10, 30), (30, 35)]));
        assert!(all[0].wants(10) && all[0].wants(34) && !all[0].wants(35) && !all[0].wants(9));
        assert_eq!(coalesced(&[(0, 10), (10 + GAP, 1)]).len(), 1);
    }
}
