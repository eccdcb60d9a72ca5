//! String templates: what several documents have in common, and the slots between.
//!
//! CHEX and CONFHEX compare URLs (by character) and pages (by tag, word and punctuation mark) through the template
//! of a pair: its constants are *stripes*, what varies lies in *slots*.

mod automaton;
mod tokens;

use automaton::Automaton;
use std::ops::Range;

pub(crate) use tokens::{PageTokens, page_tokens};

/// A run that stands exactly once in every document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stripe {
    /// Where it starts in each document.
    pub(crate) starts: Vec<usize>,
    /// How many tokens it has.
    pub(crate) len: usize,
}

/// A document that templates are made with.
pub(crate) struct Indexed {
    automaton: Automaton,
    len: usize,
}

/// For every place of a document the length from which on the run that ends there is the only one of its kind.
pub(crate) struct Uniqueness(Vec<u32>);

impl Indexed {
    /// Indexes a token sequence.
    pub(crate) fn new(tokens: &[u64]) -> Self {
        Indexed { automaton: Automaton::new(tokens), len: tokens.len() }
    }

    /// Which runs of the document itself occur once.
    pub(crate) fn uniqueness(&self, tokens: &[u64]) -> Uniqueness {
        let mut at = self.automaton.start();
        let mut lengths = Vec::with_capacity(tokens.len());
        for &token in tokens {
            at = self.automaton.read(at, token);
            lengths.push(self.automaton.unique_from(at).unwrap_or(u32::MAX));
        }
        Uniqueness(lengths)
    }
}

/// The template of documents: its stripes in the order in which they stand.
///
/// # What it does
/// Takes the longest run of tokens that occurs exactly once in each whole document, then does the same with what lies
/// left and right of it; among equals the leftmost of the first document. Linear in the tokens but for the stripes.
/// # Assumes
/// Constants of a template are unique on a page and stand in the same order on all.
/// # When it fails
/// A constant that is repeated (the label of a list's rows) is never a stripe; a value that happens to stand once on
/// every document is one.
/// # Paper
/// Gazen 2008 (CHEX) uses it without printing it; reconstructed and checked on the printed URL coverages.
pub(crate) fn stripes(first: &[u64], unique: &Uniqueness, others: &[&Indexed]) -> Vec<Stripe> {
    let aligned = alignments(first, unique, others);
    let ends: Vec<usize> = std::iter::once(first.len()).chain(others.iter().map(|other| other.len)).collect();
    let mut found = Vec::new();
    // Each piece is the same stretch of every document, and the alignments that reach into it.
    let all: Vec<usize> = (0..aligned.runs.len()).collect();
    let mut pieces: Vec<(Vec<Range<usize>>, Vec<usize>)> =
        vec![(ends.iter().map(|&end| 0..end).collect(), all)];
    while let Some((piece, runs)) = pieces.pop() {
        let clipped: Vec<(usize, usize, usize)> = runs
            .iter()
            .filter_map(|&run| aligned.clip(run, &piece).map(|(start, len)| (run, start, len)))
            .collect();
        let best = clipped.iter().max_by(|a, b| a.2.cmp(&b.2).then(b.1.cmp(&a.1)));
        let Some(&(run, start, len)) = best else { continue };
        let starts = aligned.starts(run, start);
        let left = piece.iter().zip(&starts).map(|(range, &at)| range.start..at).collect();
        let right = piece.iter().zip(&starts).map(|(range, &at)| at + len..range.end).collect();
        let rest: Vec<usize> = clipped.iter().map(|c| c.0).filter(|&other| other != run).collect();
        pieces.push((left, rest.clone()));
        pieces.push((right, rest));
        found.push(Stripe { starts, len });
    }
    found.sort_by_key(|stripe| stripe.starts[0]);
    found
}

/// The template of two strings, character by character.
pub(crate) fn string_stripes(a: &str, b: &str) -> Vec<Stripe> {
    let (a, b) = (characters(a), characters(b));
    stripes(&a, &Indexed::new(&a).uniqueness(&a), &[&Indexed::new(&b)])
}

/// `2 * stripe tokens / (length 1 + length 2)`, in 0..1; 1 for two empty documents.
pub(crate) fn coverage(stripes: &[Stripe], first: usize, second: usize) -> f64 {
    let constant: usize = stripes.iter().map(|stripe| stripe.len).sum();
    if first + second == 0 { 1.0 } else { 2.0 * constant as f64 / (first + second) as f64 }
}

/// What lies between the stripes of two documents, before the first and behind the last: one more than the stripes.
pub(crate) fn slots(stripes: &[Stripe], ends: [usize; 2]) -> Vec<[Range<usize>; 2]> {
    let mut slots = Vec::with_capacity(stripes.len() + 1);
    let mut from = [0, 0];
    for stripe in stripes {
        slots.push([from[0]..stripe.starts[0], from[1]..stripe.starts[1]]);
        from = [stripe.starts[0] + stripe.len, stripe.starts[1] + stripe.len];
    }
    slots.push([from[0]..ends[0], from[1]..ends[1]]);
    slots
}

/// A string as tokens.
pub(crate) fn characters(text: &str) -> Vec<u64> {
    text.chars().map(u64::from).collect()
}

/// Longest common runs, each the same shift of every document against the first.
struct Alignments {
    runs: Vec<Run>,
    /// For every place of the first document, from which length on a run ending there is unique in all.
    unique_from: Vec<u32>,
}

struct Run {
    start: usize,
    end: usize,
    /// Place in each other document minus place in the first.
    shifts: Vec<isize>,
}

impl Alignments {
    /// The part of a run inside a piece, if that part is still unique: where it starts in the first document, how long.
    fn clip(&self, run: usize, piece: &[Range<usize>]) -> Option<(usize, usize)> {
        let run = &self.runs[run];
        let (mut start, mut end) = (run.start.max(piece[0].start), run.end.min(piece[0].end));
        for (shift, range) in run.shifts.iter().zip(&piece[1..]) {
            start = start.max((range.start as isize - shift).max(0) as usize);
            end = end.min((range.end as isize - shift).max(0) as usize);
        }
        let len = end.checked_sub(start).filter(|&len| len > 0)?;
        (len >= self.unique_from[end - 1] as usize).then_some((start, len))
    }

    fn starts(&self, run: usize, start: usize) -> Vec<usize> {
        let shifted = |shift: &isize| (start as isize + shift) as usize;
        std::iter::once(start).chain(self.runs[run].shifts.iter().map(shifted)).collect()
    }
}

fn alignments(first: &[u64], unique: &Uniqueness, others: &[&Indexed]) -> Alignments {
    let mut readings: Vec<_> = others.iter().map(|other| other.automaton.start()).collect();
    let mut unique_from = Vec::with_capacity(first.len());
    let mut runs: Vec<Run> = Vec::new();
    for (at, &token) in first.iter().enumerate() {
        let mut from = unique.0[at];
        let mut len = at as u32 + 1;
        for (reading, other) in readings.iter_mut().zip(others) {
            *reading = other.automaton.read(*reading, token);
            from = from.max(other.automaton.unique_from(*reading).unwrap_or(u32::MAX));
            len = len.min(reading.len);
        }
        unique_from.push(from);
        if len < from {
            continue;
        }
        let end = at + 1;
        let start = end - len as usize;
        let shifts: Vec<isize> = readings
            .iter()
            .zip(others)
            .map(|(reading, other)| other.automaton.end(*reading) as isize - end as isize)
            .collect();
        match runs.last_mut() {
            Some(last) if last.end == at && last.start == start && last.shifts == shifts => last.end = end,
            _ => runs.push(Run { start, end, shifts }),
        }
    }
    Alignments { runs, unique_from }
}

#[cfg(test)]
mod tests {
    use super::*;

    const U1: &str = "http://www.bookpool.com/ss?qs=clustering&x=0&y=0";
    const U2: &str = "http://www.bookpool.com/ss?qs=learning&x=0&y=0";
    const U3: &str = "http://www.bookpool.com/sm/1590598296";
    const U4: &str = "http://www.bookpool.com/sm/0131882228";

    fn texts(a: &str, b: &str) -> Vec<String> {
        let of = |stripe: &Stripe| a.chars().skip(stripe.starts[0]).take(stripe.len).collect();
        string_stripes(a, b).iter().map(of).collect()
    }

    fn covered(a: &str, b: &str) -> f64 {
        coverage(&string_stripes(a, b), a.chars().count(), b.chars().count())
    }

    #[test]
    fn golden_url_templates() {
        assert_eq!(texts(U1, U2), ["http://www.bookpool.com/ss?qs=", "e", "r", "ing&x=0&y=0"]);
        assert_eq!(texts(U1, U3), ["http://www.bookpool.com/s"]);
        assert_eq!(texts(U3, U4), ["http://www.bookpool.com/sm/", "0", "82"]);
        for (a, b, want) in [(U1, U2, 0.9149), (U1, U3, 0.5882), (U2, U3, 0.6024), (U3, U4, 0.8108)] {
            assert!((covered(a, b) - want).abs() < 5e-5, "{a} {b} {}", covered(a, b));
        }
    }

    /// The definition itself, without any index: cubic, for short strings.
    fn by_definition(a: &[u64], b: &[u64]) -> Vec<Stripe> {
        let count = |run: &[u64], text: &[u64]| text.windows(run.len()).filter(|w| *w == run).count();
        let mut found = Vec::new();
        let mut pieces = vec![(0..a.len(), 0..b.len())];
        while let Some((x, y)) = pieces.pop() {
            let mut best: Option<(usize, usize, usize)> = None;
            for i in x.clone() {
                for j in y.clone() {
                    let most = (x.end - i).min(y.end - j);
                    let len = (0..most).take_while(|&k| a[i + k] == b[j + k]).count();
                    // A part may be longer than another and not unique, so every length is tried.
                    for len in (1..=len).rev().filter(|&len| best.is_none_or(|b| len > b.2)) {
                        if count(&a[i..i + len], a) == 1 && count(&a[i..i + len], b) == 1 {
                            best = Some((i, j, len));
                            break;
                        }
                    }
                }
            }
            let Some((i, j, len)) = best else { continue };
            found.push(Stripe { starts: vec![i, j], len });
            pieces.push((x.start..i, y.start..j));
            pieces.push((i + len..x.end, j + len..y.end));
        }
        found.sort_by_key(|stripe| stripe.starts[0]);
        found
    }

    #[test]
    fn the_index_agrees_with_the_definition() {
        let mut rng = unsite_learn::rng::Rng::new(5);
        for round in 0..600 {
            let letters = 2 + round % 9;
            let mut draw = |n: usize| (0..n).map(|_| rng.below(letters) as u64).collect::<Vec<u64>>();
            let (a, b) = (draw(3 + round % 23), draw(2 + round % 17));
            let fast = stripes(&a, &Indexed::new(&a).uniqueness(&a), &[&Indexed::new(&b)]);
            assert_eq!(fast, by_definition(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn several_documents_and_their_slots() {
        let documents = ["<b>one</b> of 9", "<b>two</b> of 7", "<b>three</b> of 12"].map(characters);
        let others: Vec<Indexed> = documents[1..].iter().map(|d| Indexed::new(d)).collect();
        let first = &documents[0];
        let found =
            stripes(first, &Indexed::new(first).uniqueness(first), &others.iter().collect::<Vec<_>>());
        let lengths: Vec<usize> = found.iter().map(|stripe| stripe.len).collect();
        assert_eq!((lengths, found[1].starts.clone()), (vec![3, 8], vec![6, 6, 8]));
        let pair: Vec<Stripe> = string_stripes("<b>cat</b>", "<b>fox</b>");
        assert_eq!(slots(&pair, [10, 10])[1], [3..6, 3..6]);
    }

    #[test]
    fn degenerate_documents() {
        assert!(string_stripes("", "").is_empty());
        assert_eq!(coverage(&[], 0, 0), 1.0);
        assert!(string_stripes("aaaa", "aaa").is_empty(), "aaaa is not in the other");
        assert_eq!(covered("abc", "abc"), 1.0);
        assert_eq!(slots(&[], [2, 0]), [[0..2, 0..0]]);
        let long: Vec<u64> = (0..200_000).map(|i| i % 7).collect();
        let unique = Indexed::new(&long).uniqueness(&long);
        assert_eq!(stripes(&long, &unique, &[&Indexed::new(&long)])[0].len, 200_000);
    }
}
