//! When pages were captured, cut into slices in which a site has hardly changed.

use anyhow::Result;
use rustc_hash::FxHashSet;
use unsite_acquire::Source;
use unsite_dom::{Moment, Problem};
use unsite_wrapper::fingerprint;

use crate::pipeline::{Progress, advance};

/// Rounds of captures are at least an hour apart ...
const SHORTEST_PAUSE: i64 = 3600;

/// ... and so many times as far as two captures of a round usually are: where captures come at random, a pause as long as this
/// comes once in a million.
const PAUSE: i64 = 20;

/// A round with more captures than this for each of its addresses is several.
const CAPTURES_A_ROUND: f64 = 1.5;

/// Fewer pages tell nothing of a design: they go to the slice that is nearer.
const FEWEST: usize = 10;

/// Slices that are looked at; of more those are joined that are nearest.
const MOST: usize = 64;

/// A stretch of time with the pages that were captured in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) first: Moment,
    pub(super) last: Moment,
    pub(super) pages: usize,
}

/// The slices of a source, the oldest first.
pub(super) struct Slices {
    pub(super) slices: Vec<Slice>,
    pub(super) problems: Vec<Problem>,
    pub(super) pages: usize,
}

impl Slices {
    /// Goes through the source once; sixteen bytes are kept of each page.
    pub(super) fn of(source: &Source, progress: &mut dyn Progress) -> Result<Slices> {
        progress.stage("looking at the days of captures", None);
        let (mut captures, mut problems, mut total) = (Vec::new(), Vec::new(), 0);
        let mut pages = source.pages()?;
        while let Some(item) = pages.next_page() {
            match item {
                Ok(page) => {
                    total += 1;
                    captures.extend(page.captured.map(|at| (at, fingerprint(page.url.as_bytes()))));
                    advance(progress, 1)?;
                }
                Err(problem) => problems.push(problem),
            }
        }
        Ok(Slices { slices: cut(captures), problems, pages: total })
    }
}

/// Cuts captures, each with its address, into slices.
fn cut(mut captures: Vec<(Moment, u64)>) -> Vec<Slice> {
    captures.sort_unstable();
    let gap = |at: usize| captures[at].0.unix() - captures[at - 1].0.unix();
    let mut gaps: Vec<i64> = (1..captures.len()).map(gap).collect();
    gaps.sort_unstable();
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or(0);
    let pause = SHORTEST_PAUSE.max(PAUSE.saturating_mul(usual));
    let rounds = captures.chunk_by(|before, after| after.0.unix() - before.0.unix() < pause);
    let mut slices: Vec<Slice> = rounds.flat_map(parts).collect();
    while let Some(at) = worst(&slices) {
        let next = slices.remove(at + 1);
        let slice = &mut slices[at];
        (slice.last, slice.pages) = (next.last, slice.pages + next.pages);
    }
    slices
}

/// A round, or the equal parts of several that run into each other.
fn parts(round: &[(Moment, u64)]) -> Vec<Slice> {
    let addresses: FxHashSet<u64> = round.iter().map(|(_, address)| *address).collect();
    let times = round.len() as f64 / addresses.len().max(1) as f64;
    let parts = if times > CAPTURES_A_ROUND { times.ceil() as usize } else { 1 };
    let mut slices: Vec<Slice> = Vec::new();
    for part in round.chunks(round.len().div_ceil(parts).max(1)) {
        let (Some((first, _)), Some((last, _))) = (part.first(), part.last()) else { continue };
        match slices.last_mut() {
            // One moment is never in two slices.
            Some(slice) if slice.last == *first => {
                (slice.last, slice.pages) = (*last, slice.pages + part.len());
            }
            _ => slices.push(Slice { first: *first, last: *last, pages: part.len() }),
        }
    }
    slices
}

/// The slice that is to be joined with the next one, if any has to be.
fn worst(slices: &[Slice]) -> Option<usize> {
    let gap = |at: usize| slices[at + 1].first.unix() - slices[at].last.unix();
    let few = (0..slices.len()).filter(|&at| slices[at].pages < FEWEST).min_by_key(|&at| slices[at].pages);
    match few {
        _ if slices.len() < 2 => None,
        Some(0) => Some(0),
        Some(at) if at + 1 == slices.len() => Some(at - 1),
        Some(at) => Some(if gap(at) < gap(at - 1) { at } else { at - 1 }),
        None if slices.len() > MOST => (0..slices.len() - 1).min_by_key(|&at| gap(at)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn at(seconds: i64) -> Moment {
        Moment::from_unix(1_500_000_000 + seconds).unwrap()
    }

    #[test]
    fn rounds_are_slices() {
        let round = |day: i64, pages: i64| (0..pages).map(move |n| (at(day * DAY + n), n as u64));
        let all: Vec<_> = round(200, 40).chain(round(0, 40)).chain(round(100, 40)).collect();
        let slices = cut(all);
        assert_eq!(slices.iter().map(|slice| slice.pages).collect::<Vec<_>>(), [40, 40, 40]);
        assert_eq!((slices[0].first, slices[2].last), (at(0), at(200 * DAY + 39)));
        // A few late pages belong to the round that is nearer.
        let late: Vec<_> = round(0, 40).chain(round(100, 40)).chain(round(101, 3)).collect();
        assert_eq!(cut(late).iter().map(|slice| slice.pages).collect::<Vec<_>>(), [40, 43]);
        assert_eq!(cut(Vec::new()), []);
        assert_eq!(cut(round(0, 3).collect()).len(), 1);
    }

    #[test]
    fn captures_at_random_are_cut_by_their_number() {
        let all: Vec<_> = (0..400).map(|n| (at(n * n % 997 * DAY), (n % 40) as u64)).collect();
        let slices = cut(all.clone());
        assert_eq!(slices.iter().map(|slice| slice.pages).sum::<usize>(), 400);
        assert!((5..=MOST).contains(&slices.len()), "{}", slices.len());
        assert!(slices.windows(2).all(|pair| pair[0].last < pair[1].first));
        let mut turned = all;
        turned.reverse();
        assert_eq!(cut(turned), slices);
    }
}
