//! Which words of one value stand for which words of the other.

use crate::corpus::{Corpus, Outline};
use crate::edit::one_slip;

/// Words of one value looked at beyond exact matches; longer leftovers are compared exactly only.
const LEFTOVER: usize = 24;
/// A word of at least this many letters may differ by one slip.
const SLIP_LETTERS: usize = 4;
/// A word cut short keeps at least this many letters.
const STEM_LETTERS: usize = 3;
/// What a word with a slip is worth against an equal one.
const SLIP_WORTH: f32 = 0.9;
/// What a word cut short ("proc" for "proceedings") is worth.
const STEM_WORTH: f32 = 0.8;
/// What a single letter for a word ("P" for "Paul") is worth.
const INITIAL_WORTH: f32 = 0.7;

/// The weights of the words on both sides and of what they share.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Overlap {
    /// Weight of all words of the first value.
    pub(super) first: f32,
    /// Weight of all words of the second value.
    pub(super) second: f32,
    /// Weight of the first value's words that the second has.
    pub(super) first_shared: f32,
    /// Weight of the second value's words that the first has.
    pub(super) second_shared: f32,
    /// Every word of both has an equal word in the other.
    pub(super) equal: bool,
}

impl Overlap {
    /// Shared weight over all weight.
    pub(super) fn dice(&self) -> f32 {
        ratio(self.first_shared + self.second_shared, self.first + self.second)
    }

    /// Shared weight over the weight of the value that has less: 1 when one value contains the other.
    pub(super) fn containment(&self) -> f32 {
        ratio(self.first_shared, self.first).max(ratio(self.second_shared, self.second))
    }
}

fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}

/// How to compare what does not match exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leniency {
    /// Slips, cut words and words written together or apart.
    Words,
    /// Also single letters for words that begin with them.
    Initials,
}

/// Matches the words of two values; `rarity` gives each word's weight.
pub(super) fn overlap(
    corpus: &Corpus<'_>,
    a: &[u32],
    b: &[u32],
    rarity: &[f32],
    leniency: Leniency,
) -> Overlap {
    // Greedy matching could depend on the side; one order makes the result the same both ways.
    if a > b {
        let out = overlap(corpus, b, a, rarity, leniency);
        return Overlap {
            first: out.second,
            second: out.first,
            first_shared: out.second_shared,
            second_shared: out.first_shared,
            equal: out.equal,
        };
    }
    let weigh = |words: &[u32]| words.iter().map(|&w| rarity[w as usize]).sum::<f32>();
    let mut out = Overlap { first: weigh(a), second: weigh(b), ..Overlap::default() };
    // Multisets: a word said twice is matched by one said twice, within the first 64 words.
    let mut taken = 0_u64;
    let mut rest_a: Vec<Leftover> = Vec::new();
    for (at, &word) in a.iter().enumerate() {
        let partner =
            b.iter().enumerate().position(|(j, &other)| other == word && (j >= 64 || taken & (1 << j) == 0));
        match partner {
            Some(j) => {
                taken |= if j < 64 { 1 << j } else { 0 };
                out.first_shared += rarity[word as usize];
                out.second_shared += rarity[word as usize];
            }
            None => rest_a.push(Leftover::new(corpus, at, word, rarity)),
        }
    }
    let unmatched = |j: usize| if j < 64 { taken & (1 << j) == 0 } else { !a.contains(&b[j]) };
    let mut rest_b: Vec<Leftover> =
        (0..b.len()).filter(|&j| unmatched(j)).map(|j| Leftover::new(corpus, j, b[j], rarity)).collect();
    out.equal = rest_a.is_empty() && rest_b.is_empty();
    if rest_a.is_empty() || rest_b.is_empty() || rest_a.len() > LEFTOVER || rest_b.len() > LEFTOVER {
        return out;
    }
    let (whole, parts) = match_joined(corpus, &mut rest_a, &mut rest_b);
    out.first_shared += whole;
    out.second_shared += parts;
    let (whole, parts) = match_joined(corpus, &mut rest_b, &mut rest_a);
    out.first_shared += parts;
    out.second_shared += whole;
    match_alike(corpus, &mut rest_a, &mut rest_b, leniency, &mut out);
    out
}

/// A word without an equal one on the other side.
struct Leftover {
    at: usize,
    word: u32,
    outline: Outline,
    weight: f32,
    used: bool,
}

impl Leftover {
    fn new(corpus: &Corpus<'_>, at: usize, word: u32, rarity: &[f32]) -> Leftover {
        Leftover {
            at,
            word,
            outline: corpus.outlines[word as usize],
            weight: rarity[word as usize],
            used: false,
        }
    }

    /// Every kind of match keeps the first letter, except a slip in it, which keeps the last.
    fn may_match(&self, other: &Leftover) -> bool {
        let (a, b) = (self.outline, other.outline);
        a.first == b.first || (a.length.abs_diff(b.length) <= 1 && a.last == b.last)
    }
}

/// The best partners first; ties by weight of the words.
fn match_alike(
    corpus: &Corpus<'_>,
    rest_a: &mut [Leftover],
    rest_b: &mut [Leftover],
    leniency: Leniency,
    out: &mut Overlap,
) {
    let mut found: Vec<(f32, usize, usize)> = Vec::new();
    for (x, one) in rest_a.iter().enumerate().filter(|(_, l)| !l.used) {
        for (y, two) in rest_b.iter().enumerate().filter(|(_, l)| !l.used) {
            if !one.may_match(two) {
                continue;
            }
            let worth = word_worth(corpus.word(one.word), corpus.word(two.word), leniency);
            if worth > 0.0 {
                found.push((worth, x, y));
            }
        }
    }
    let mass = |&(_, x, y): &(f32, usize, usize)| rest_a[x].weight + rest_b[y].weight;
    found.sort_by(|p, q| q.0.total_cmp(&p.0).then_with(|| mass(q).total_cmp(&mass(p))));
    for (worth, x, y) in found {
        if !rest_a[x].used && !rest_b[y].used {
            (rest_a[x].used, rest_b[y].used) = (true, true);
            out.first_shared += worth * rest_a[x].weight;
            out.second_shared += worth * rest_b[y].weight;
        }
    }
}

/// A word of one side that the other writes as two ("back propagation"): the weights of the whole words and of the parts.
fn match_joined(corpus: &Corpus<'_>, whole: &mut [Leftover], parts: &mut [Leftover]) -> (f32, f32) {
    let (mut of_wholes, mut of_parts) = (0.0, 0.0);
    for word in whole.iter_mut().filter(|l| !l.used) {
        for at in 1..parts.len() {
            let (left, right) = (&parts[at - 1], &parts[at]);
            let free = !left.used && !right.used && right.at == left.at + 1;
            let fits = word.outline.first == left.outline.first
                && word.outline.last == right.outline.last
                && word.outline.length == left.outline.length.saturating_add(right.outline.length);
            let joined = || {
                let whole = corpus.word(word.word);
                whole.starts_with(corpus.word(left.word)) && whole.ends_with(corpus.word(right.word))
            };
            if free && fits && joined() {
                of_wholes += word.weight;
                of_parts += left.weight + right.weight;
                (word.used, parts[at - 1].used, parts[at].used) = (true, true, true);
                break;
            }
        }
    }
    (of_wholes, of_parts)
}

fn word_worth(a: &str, b: &str, leniency: Leniency) -> f32 {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let digits = |w: &str| w.bytes().any(|c| c.is_ascii_digit());
    if digits(short) || digits(long) {
        return 0.0;
    }
    if short.len() >= SLIP_LETTERS && one_slip(short.as_bytes(), long.as_bytes()) {
        return SLIP_WORTH;
    }
    if short.len() >= STEM_LETTERS && long.starts_with(short) {
        return STEM_WORTH;
    }
    // "Intl" for "International", "Conf" for "Conference": first letter and the rest in order.
    if (3..=5).contains(&short.len()) && long.len() >= 2 * short.len() && contracted(short, long) {
        return STEM_WORTH * 0.75;
    }
    if leniency == Leniency::Initials && short.chars().count() == 1 && long.starts_with(short) {
        return INITIAL_WORTH;
    }
    0.0
}

fn contracted(short: &str, long: &str) -> bool {
    let mut rest = long.bytes();
    short.as_bytes().first() == long.as_bytes().first() && short.bytes().all(|c| rest.any(|d| d == c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordSet;

    fn dice(a: &str, b: &str) -> f32 {
        let mut set = RecordSet::new(vec!["t".into()]);
        for (id, text) in [("1", a), ("2", b), ("3", "filler about other things altogether")] {
            set.push(id, [Some(text.to_owned())]);
        }
        let corpus = Corpus::new(
            &set,
            Some(&crate::kinds::Schema { kinds: vec![("t".into(), crate::kinds::FieldKind::Text)] }),
        );
        let column = &corpus.columns[0];
        overlap(&corpus, column.words(0), column.words(1), &column.rarity, Leniency::Words).dice()
    }

    #[test]
    fn words_written_apart_slipped_or_cut_still_match() {
        assert!((dice("back propagation nets", "backpropagation nets") - 1.0).abs() < 1e-5);
        assert!(dice("decision trees", "decison trees") > 0.9);
        assert!(dice("proc of the conference", "proceedings of the conf") > 0.75);
        assert!(dice("alpha beta", "gamma delta") < 1e-6);
        assert!(dice("volume 12", "volume 13") < 0.7);
    }
}
