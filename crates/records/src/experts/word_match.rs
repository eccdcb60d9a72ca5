//! Which words of one value stand for which words of the other.

use crate::corpus::{Corpus, Outline, Token};
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

/// Matches the words of two values; `weight` gives each word's worth.
pub(super) fn overlap(
    corpus: &Corpus<'_>,
    a: &[Token],
    b: &[Token],
    weight: impl Fn(&Token) -> f32 + Copy,
    leniency: Leniency,
) -> Overlap {
    // Greedy matching could depend on the side; one order makes the result the same both ways.
    if a.iter().map(|t| t.word).gt(b.iter().map(|t| t.word)) {
        let out = overlap(corpus, b, a, weight, leniency);
        return Overlap {
            first: out.second,
            second: out.first,
            first_shared: out.second_shared,
            second_shared: out.first_shared,
            equal: out.equal,
        };
    }
    let weigh = |tokens: &[Token]| tokens.iter().map(weight).sum::<f32>();
    let mut out = Overlap { first: weigh(a), second: weigh(b), ..Overlap::default() };
    // Multisets: a word said twice is matched by one said twice, within the first 64 words.
    let mut taken = 0_u64;
    let (mut rest_a, mut rest_b) = (Leftovers::new(a), Leftovers::new(b));
    for (at, token) in a.iter().enumerate() {
        let free = |j: usize| j >= 64 || taken & (1 << j) == 0;
        match b.iter().enumerate().position(|(j, other)| other.word == token.word && free(j)) {
            Some(j) => {
                taken |= if j < 64 { 1 << j } else { 0 };
                out.first_shared += weight(token);
                out.second_shared += weight(token);
            }
            None => rest_a.push(at),
        }
    }
    for (j, token) in b.iter().enumerate() {
        let matched = if j < 64 { taken & (1 << j) != 0 } else { a.iter().any(|t| t.word == token.word) };
        if !matched {
            rest_b.push(j);
        }
    }
    out.equal = rest_a.count == 0 && rest_b.count == 0;
    if rest_a.count == 0 || rest_b.count == 0 || rest_a.count > LEFTOVER || rest_b.count > LEFTOVER {
        return out;
    }
    let (whole, parts) = match_joined(corpus, &mut rest_a, &mut rest_b, weight);
    out.first_shared += whole;
    out.second_shared += parts;
    let (whole, parts) = match_joined(corpus, &mut rest_b, &mut rest_a, weight);
    out.first_shared += parts;
    out.second_shared += whole;
    match_alike(corpus, &mut rest_a, &mut rest_b, weight, leniency, &mut out);
    out
}

/// The words of one side without an equal one on the other. Kept on the stack: this runs for every pair of records.
struct Leftovers<'t> {
    tokens: &'t [Token],
    /// Their places in the value; those beyond [`LEFTOVER`] are only counted.
    places: [u16; LEFTOVER],
    count: usize,
    used: u32,
}

impl<'t> Leftovers<'t> {
    fn new(tokens: &'t [Token]) -> Leftovers<'t> {
        Leftovers { tokens, places: [0; LEFTOVER], count: 0, used: 0 }
    }

    fn push(&mut self, place: usize) {
        if let Some(slot) = self.places.get_mut(self.count) {
            *slot = place.min(usize::from(u16::MAX)) as u16;
        }
        self.count += 1;
    }

    fn token(&self, at: usize) -> &'t Token {
        &self.tokens[usize::from(self.places[at])]
    }

    fn is_free(&self, at: usize) -> bool {
        self.used & (1 << at) == 0
    }

    fn free(&self) -> impl Iterator<Item = usize> + use<'t> {
        let used = self.used;
        (0..self.count).filter(move |at| used & (1 << at) == 0)
    }
}

/// Whether two words may be a slip, a stem, a contraction or an initial of each other, by their outlines alone.
fn may_match(a: &Outline, b: &Outline) -> bool {
    if a.digits || b.digits {
        return false;
    }
    let near = a.length.abs_diff(b.length) <= 1;
    if a.head[0] != b.head[0] {
        // Only a slip in the first letter, which leaves the last one.
        return near && a.last == b.last;
    }
    let short = a.length.min(b.length);
    // One slip leaves the second letter or the last one as it is; a stem and its word share their second letter.
    a.head[1] == b.head[1] || (near && a.last == b.last) || short <= 5
}

/// The best partners first; ties by weight of the words.
fn match_alike(
    corpus: &Corpus<'_>,
    rest_a: &mut Leftovers<'_>,
    rest_b: &mut Leftovers<'_>,
    weight: impl Fn(&Token) -> f32,
    leniency: Leniency,
    out: &mut Overlap,
) {
    let mut found: Vec<(f32, usize, usize)> = Vec::new();
    for x in rest_a.free() {
        let one = rest_a.token(x);
        for y in rest_b.free() {
            let two = rest_b.token(y);
            if may_match(&one.outline, &two.outline) {
                let worth = word_worth(corpus.word(one.word), corpus.word(two.word), leniency);
                if worth > 0.0 {
                    found.push((worth, x, y));
                }
            }
        }
    }
    let mass = |&(_, x, y): &(f32, usize, usize)| weight(rest_a.token(x)) + weight(rest_b.token(y));
    found.sort_by(|p, q| q.0.total_cmp(&p.0).then_with(|| mass(q).total_cmp(&mass(p))));
    for (worth, x, y) in found {
        if rest_a.is_free(x) && rest_b.is_free(y) {
            rest_a.used |= 1 << x;
            rest_b.used |= 1 << y;
            out.first_shared += worth * weight(rest_a.token(x));
            out.second_shared += worth * weight(rest_b.token(y));
        }
    }
}

/// A word of one side that the other writes as two ("back propagation"): the weights of the whole words and of the parts.
fn match_joined(
    corpus: &Corpus<'_>,
    whole: &mut Leftovers<'_>,
    parts: &mut Leftovers<'_>,
    weight: impl Fn(&Token) -> f32,
) -> (f32, f32) {
    let (mut of_wholes, mut of_parts) = (0.0, 0.0);
    for at in whole.free() {
        let word = whole.token(at);
        for right in 1..parts.count {
            let left = right - 1;
            let (one, two) = (parts.token(left), parts.token(right));
            let fits = word.outline.head[0] == one.outline.head[0]
                && word.outline.last == two.outline.last
                && word.outline.length == one.outline.length.saturating_add(two.outline.length);
            let free =
                parts.is_free(left) && parts.is_free(right) && parts.places[right] == parts.places[left] + 1;
            let joined = || {
                let whole = corpus.word(word.word);
                whole.starts_with(corpus.word(one.word)) && whole.ends_with(corpus.word(two.word))
            };
            if fits && free && joined() {
                of_wholes += weight(word);
                of_parts += weight(one) + weight(two);
                whole.used |= 1 << at;
                parts.used |= (1 << left) | (1 << right);
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
        overlap(&corpus, column.tokens(0), column.tokens(1), |t| t.rarity, Leniency::Words).dice()
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
