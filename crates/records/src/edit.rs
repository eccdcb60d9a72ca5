//! Edit distance by bit vectors: sixty-four cells of the table in one step.

/// The Levenshtein distance between two texts, in characters.
///
/// # What it does
/// Computes the dynamic-programming table column by column, sixty-four rows at a time as the bits of a word.
/// # Assumes
/// Nothing; texts that are not ASCII take the slower plain table.
/// # When it fails
/// Swapped letters cost two.
/// # Paper
/// Myers 1999, "A fast bit-vector algorithm for approximate string matching"; blocks as in Hyyrö 2003.
pub fn levenshtein(a: &str, b: &str) -> usize {
    if a == b {
        return 0;
    }
    if !(a.is_ascii() && b.is_ascii()) {
        return strsim::levenshtein(a, b);
    }
    // The shorter text is the pattern: fewer words of bits.
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let (pattern, text) = without_ends(pattern.as_bytes(), text.as_bytes());
    if pattern.is_empty() {
        return text.len();
    }
    if pattern.len() <= 64 { one_word(pattern, text) } else { many_words(pattern, text) }
}

/// `1 - distance / longer length`: 1 for equal texts, 0 for texts that share nothing. Two empty texts are equal.
pub fn similarity(a: &str, b: &str) -> f32 {
    let longer = if a.is_ascii() && b.is_ascii() {
        a.len().max(b.len())
    } else {
        a.chars().count().max(b.chars().count())
    };
    if longer == 0 { 1.0 } else { 1.0 - levenshtein(a, b) as f32 / longer as f32 }
}

/// Whether two words differ by at most one insertion, deletion, substitution or swap of neighbours.
pub fn one_slip(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if b.len() - a.len() > 1 {
        return false;
    }
    match without_ends(a, b) {
        ([], rest) => rest.len() <= 1,
        ([_], [_]) => true,
        ([p, q], [r, s]) => p == s && q == r,
        _ => false,
    }
}

/// Both without what they begin and end with alike: it costs nothing, and records that are compared have much of it.
fn without_ends<'t>(a: &'t [u8], b: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

fn one_word(pattern: &[u8], text: &[u8]) -> usize {
    let mut equal = [0_u64; 128];
    for (i, &c) in pattern.iter().enumerate() {
        equal[c as usize & 127] |= 1 << i;
    }
    let last = 1_u64 << (pattern.len() - 1);
    let (mut plus, mut minus, mut distance) = (u64::MAX, 0_u64, pattern.len());
    for &c in text {
        let eq = equal[c as usize & 127];
        let diagonal = ((eq & plus).wrapping_add(plus) ^ plus) | eq | minus;
        let mut up = minus | !(diagonal | plus);
        let mut down = plus & diagonal;
        if up & last != 0 {
            distance += 1;
        } else if down & last != 0 {
            distance -= 1;
        }
        up = (up << 1) | 1;
        down <<= 1;
        plus = down | !(diagonal | up);
        minus = up & diagonal;
    }
    distance
}

fn many_words(pattern: &[u8], text: &[u8]) -> usize {
    let blocks = pattern.len().div_ceil(64);
    let mut equal = vec![0_u64; blocks * 128];
    for (i, &c) in pattern.iter().enumerate() {
        equal[(i / 64) * 128 + (c as usize & 127)] |= 1 << (i % 64);
    }
    let last = 1_u64 << ((pattern.len() - 1) % 64);
    let mut plus = vec![u64::MAX; blocks];
    let mut minus = vec![0_u64; blocks];
    let mut distance = pattern.len();
    for &c in text {
        let (mut carry_up, mut carry_down) = (1_u64, 0_u64);
        for block in 0..blocks {
            let (p, m) = (plus[block], minus[block]);
            let eq = equal[block * 128 + (c as usize & 127)] | carry_down;
            let diagonal = ((eq & p).wrapping_add(p) ^ p) | eq | m;
            let up = m | !(diagonal | p);
            let down = p & diagonal;
            if block + 1 == blocks {
                if up & last != 0 {
                    distance += 1;
                } else if down & last != 0 {
                    distance -= 1;
                }
            }
            let shifted_up = (up << 1) | carry_up;
            let shifted_down = (down << 1) | carry_down;
            (carry_up, carry_down) = (up >> 63, down >> 63);
            plus[block] = shifted_down | !(diagonal | shifted_up);
            minus[block] = shifted_up & diagonal;
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_distances() {
        assert_eq!(levenshtein("12.49", "109.49"), 2);
        assert_eq!(levenshtein("kitten", "sitting"), 3);
        assert_eq!(levenshtein("", "abc"), 3);
        assert_eq!(levenshtein("é", "e"), 1);
    }

    #[test]
    fn agrees_with_the_plain_table() {
        // Texts of every length around the word boundaries, from a small generator.
        let mut state = 12345_u64;
        let mut text = |length: usize| -> String {
            (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (b'a' + ((state >> 33) % 4) as u8) as char
                })
                .collect()
        };
        for length in [0, 1, 5, 63, 64, 65, 127, 128, 129, 200] {
            for other in [0, 3, 64, 70, 130, 190] {
                let (a, b) = (text(length), text(other));
                let (around, behind) = (format!("{b}{a}"), format!("{a}{b}{a}"));
                for (a, b) in [(&a, &b), (&a, &behind), (&behind, &around)] {
                    assert_eq!(levenshtein(a, b), strsim::levenshtein(a, b), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn one_slip_is_one_slip() {
        for (a, b, expected) in [
            ("tree", "tree", true),
            ("tree", "trees", true),
            ("tree", "tere", true),
            ("tree", "trex", true),
            ("tree", "rtees", false),
            ("ab", "", false),
        ] {
            assert_eq!(one_slip(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }
}
