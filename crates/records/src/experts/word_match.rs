//! Which words of one value stand for which words of the other.

use crate::corpus::Corpus;
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
pub(super) fn overlap(corpus: &Corpus<'_>, a: &[u32], b: &[u32], rarity: &[f32], leniency: Leniency) -> Overlap {
    let (mut rest_a, mut rest_b) = (Vec::new(), Vec::new());
    let mut out = Overlap::default();
    let weigh = |words: &[u32]| words.iter().map(|&w| rarity[w as usize]).sum::<f32>();
    (out.first, out.second) = (weigh(a), weigh(b));
    // Multisets: a word said twice is matched by one said twice.
    let mut taken = [false; 64];
    for (i, &word) in a.iter().enumerate() {
        match (0..b.len().min(64)).find(|&j| !taken[j] && b[j] == word) {
            Some(j) => {
                taken[j] = true;
                out.first_shared += rarity[word as usize];
                out.second_shared += rarity[word as usize];
            }
            None if b.len() > 64 && b[64..].contains(&word) => {
                out.first_shared += rarity[word as usize];
                out.second_shared += rarity[word as usize];
            }
            None => rest_a.push(i),
        }
    }
    rest_b.extend((0..b.len()).filter(|&j| if j < 64 { !taken[j] } else { !a.contains(&b[j]) }));
    out.equal = rest_a.is_empty() && rest_b.is_empty();
    if rest_a.is_empty() || rest_b.is_empty() || rest_a.len() > LEFTOVER || rest_b.len() > LEFTOVER {
        return out;
    }
    match_leftovers(corpus, (a, b), (&rest_a, &rest_b), rarity, leniency, &mut out);
    out
}

fn match_leftovers(
    corpus: &Corpus<'_>,
    (a, b): (&[u32], &[u32]),
    (rest_a, rest_b): (&[usize], &[usize]),
    rarity: &[f32],
    leniency: Leniency,
    out: &mut Overlap,
) {
    let mut used_a = vec![false; rest_a.len()];
    let mut used_b = vec![false; rest_b.len()];
    joined(corpus, (a, b), (rest_a, rest_b), rarity, (&mut used_a, &mut used_b), out);
    let (other, shared) = (&mut used_b, &mut *out);
    let mut found: Vec<(u32, usize, usize)> = Vec::new();
    for (x, &i) in rest_a.iter().enumerate().filter(|(x, _)| !used_a[*x]) {
        for (y, &j) in rest_b.iter().enumerate().filter(|(y, _)| !other[*y]) {
            let worth = word_worth(corpus.word(a[i]), corpus.word(b[j]), leniency);
            if worth > 0.0 {
                found.push(((worth * 1000.0) as u32, x, y));
            }
        }
    }
    // The best match first; ties by weight of the words, so that the result does not depend on the side.
    let mass = |x: usize, y: usize| rarity[a[rest_a[x]] as usize] + rarity[b[rest_b[y]] as usize];
    found.sort_by(|p, q| q.0.cmp(&p.0).then_with(|| mass(q.1, q.2).total_cmp(&mass(p.1, p.2))));
    for (worth, x, y) in found {
        if used_a[x] || other[y] {
            continue;
        }
        (used_a[x], other[y]) = (true, true);
        let worth = worth as f32 / 1000.0;
        shared.first_shared += worth * rarity[a[rest_a[x]] as usize];
        shared.second_shared += worth * rarity[b[rest_b[y]] as usize];
    }
}

/// Two neighbouring leftovers of one side written together on the other ("back propagation").
fn joined(
    corpus: &Corpus<'_>,
    (a, b): (&[u32], &[u32]),
    (rest_a, rest_b): (&[usize], &[usize]),
    rarity: &[f32],
    (used_a, used_b): (&mut [bool], &mut [bool]),
    out: &mut Overlap,
) {
    let is_join = |whole: &str, left: &str, right: &str| {
        whole.len() == left.len() + right.len() && whole.starts_with(left) && whole.ends_with(right)
    };
    for pass in 0..2 {
        let (long, long_rest, short, short_rest) = if pass == 0 { (a, rest_a, b, rest_b) } else { (b, rest_b, a, rest_a) };
        for (x, &i) in long_rest.iter().enumerate() {
            let whole = corpus.word(long[i]);
            for (y, pair) in short_rest.windows(2).enumerate() {
                let (used_long, used_short) =
                    if pass == 0 { (&mut *used_a, &mut *used_b) } else { (&mut *used_b, &mut *used_a) };
                if used_long[x] || used_short[y] || used_short[y + 1] || pair[1] != pair[0] + 1 {
                    continue;
                }
                if is_join(whole, corpus.word(short[pair[0]]), corpus.word(short[pair[1]])) {
                    (used_long[x], used_short[y], used_short[y + 1]) = (true, true, true);
                    let two = rarity[short[pair[0]] as usize] + rarity[short[pair[1]] as usize];
                    let one = rarity[long[i] as usize];
                    let (first, second) = if pass == 0 { (one, two) } else { (two, one) };
                    out.first_shared += first;
                    out.second_shared += second;
                }
            }
        }
    }
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
        let corpus = Corpus::new(&set, Some(&crate::kinds::Schema { kinds: vec![("t".into(), crate::kinds::FieldKind::Text)] }));
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
