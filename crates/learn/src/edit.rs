//! Edit distance and longest common subsequence over any symbols, and the normal forms that the specs use.

/// Sequences up to this length are held in one machine word, a bit a symbol.
const WORD: usize = 64;

/// Levenshtein distance: fewest insertions, deletions and replacements that turn `a` into `b`.
///
/// Common ends are cut off first. When the shorter rest has at most 64 symbols, a whole column is computed at once
/// (Myers 1999, in Hyyrö's form); else one row of memory and time proportional to the product of the rests, so cut text
/// of unknown length before or use [`levenshtein_within`].
pub fn levenshtein<T: Eq>(a: &[T], b: &[T]) -> usize {
    let (a, b) = without_common_ends(a, b);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if short.is_empty() {
        long.len()
    } else if short.len() <= WORD {
        levenshtein_bits(short, long)
    } else {
        levenshtein_rows(short, long)
    }
}

fn levenshtein_rows<T: Eq>(short: &[T], long: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=short.len()).collect();
    for (i, x) in long.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in short.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[short.len()]
}

/// Bit j of `up` (`down`) says that the distance grows (falls) by one from row j to row j + 1 of the current column.
fn levenshtein_bits<T: Eq>(short: &[T], long: &[T]) -> usize {
    let last = 1u64 << (short.len() - 1);
    let (mut up, mut down) = (u64::MAX, 0u64);
    let mut distance = short.len();
    for x in long {
        let equal = places_of(x, short);
        let diagonal = (((equal & up).wrapping_add(up)) ^ up) | equal | down;
        let right_up = down | !(diagonal | up);
        let right_down = diagonal & up;
        distance += usize::from(right_up & last != 0);
        distance -= usize::from(right_down & last != 0);
        let right_up = right_up << 1 | 1;
        up = (right_down << 1) | !(diagonal | right_up);
        down = right_up & diagonal;
    }
    distance
}

/// The places of a symbol in a sequence of at most 64, as bits.
fn places_of<T: Eq>(symbol: &T, sequence: &[T]) -> u64 {
    sequence.iter().enumerate().fold(0, |bits, (i, y)| bits | u64::from(symbol == y) << i)
}

/// Levenshtein distance if it is at most `limit`; visits only a band of that width, so a small limit makes it fast.
pub fn levenshtein_within<T: Eq>(a: &[T], b: &[T], limit: usize) -> Option<usize> {
    let (a, b) = without_common_ends(a, b);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > limit {
        return None;
    }
    let beyond = limit + 1;
    let mut row: Vec<usize> = (0..=short.len()).map(|j| j.min(beyond)).collect();
    for (i, x) in long.iter().enumerate() {
        let from = (i + 1).saturating_sub(limit).max(1);
        let to = (i + 1 + limit).min(short.len());
        let mut diagonal = row[from - 1];
        // The cell left of the band is the border column at first, later it is out of reach.
        row[from - 1] = if from == 1 { (i + 1).min(beyond) } else { beyond };
        let mut least = row[from - 1];
        for j in from..=to {
            let replaced = diagonal + usize::from(*x != short[j - 1]);
            // The last cell of the band has not been reached by the row before.
            let above = if j == i + 1 + limit { beyond } else { row[j] };
            diagonal = above;
            row[j] = replaced.min(above + 1).min(row[j - 1] + 1).min(beyond);
            least = least.min(row[j]);
        }
        if least > limit {
            return None;
        }
    }
    Some(row[short.len()]).filter(|&d| d <= limit)
}

/// Length of the longest common subsequence; costs as [`levenshtein`].
pub fn lcs_len<T: Eq>(a: &[T], b: &[T]) -> usize {
    let (prefix, suffix) = common_ends(a, b);
    let (a, b) = without_common_ends(a, b);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let inner = if short.len() <= WORD { lcs_bits(short, long) } else { lcs_rows(short, long) };
    prefix + suffix + inner
}

fn lcs_rows<T: Eq>(short: &[T], long: &[T]) -> usize {
    let mut row = vec![0usize; short.len() + 1];
    for x in long {
        let mut diagonal = 0;
        for (j, y) in short.iter().enumerate() {
            let longer = if x == y { diagonal + 1 } else { row[j + 1].max(row[j]) };
            diagonal = row[j + 1];
            row[j + 1] = longer;
        }
    }
    row[short.len()]
}

/// A zero bit j says that the length grows from row j to row j + 1 (Hyyrö 2004).
fn lcs_bits<T: Eq>(short: &[T], long: &[T]) -> usize {
    let mut flat = u64::MAX;
    for x in long {
        let matched = flat & places_of(x, short);
        flat = flat.wrapping_add(matched) | (flat - matched);
    }
    let used = if short.len() == WORD { u64::MAX } else { (1 << short.len()) - 1 };
    (!flat & used).count_ones() as usize
}

/// Levenshtein distance divided by the longer length, in 0..1 (THOR's path term); 0 for two empty sequences.
pub fn distance_by_longer<T: Eq>(a: &[T], b: &[T]) -> f64 {
    ratio(levenshtein(a, b) as f64, a.len().max(b.len()))
}

/// Levenshtein distance divided by the sum of the lengths (CONFHEX's content experts); 0 for two empty sequences.
pub fn distance_by_sum<T: Eq>(a: &[T], b: &[T]) -> f64 {
    ratio(levenshtein(a, b) as f64, a.len() + b.len())
}

/// `2 LCS / (len a + len b)`, in 0..1 (CONFHEX's URL expert); 1 for two empty sequences.
pub fn lcs_similarity<T: Eq>(a: &[T], b: &[T]) -> f64 {
    if a.is_empty() && b.is_empty() { 1.0 } else { ratio(2.0 * lcs_len(a, b) as f64, a.len() + b.len()) }
}

fn ratio(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Lengths of the common prefix and of the common suffix behind it.
fn common_ends<T: Eq>(a: &[T], b: &[T]) -> (usize, usize) {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let suffix = a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(|(x, y)| x == y).count();
    (prefix, suffix)
}

fn without_common_ends<'a, T: Eq>(a: &'a [T], b: &'a [T]) -> (&'a [T], &'a [T]) {
    let (prefix, suffix) = common_ends(a, b);
    (&a[prefix..a.len() - suffix], &b[prefix..b.len() - suffix])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn golden_distances() {
        assert_eq!(levenshtein(b"cat", b"cake"), 2);
        assert_eq!(levenshtein(b"he", b"het"), 1);
        assert!((distance_by_longer(b"he", b"het") - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(levenshtein(b"12.49", b"109.49"), 2);
        assert!((distance_by_sum(b"12.49", b"109.49") - 0.181818).abs() < 1e-6);
        assert_eq!(levenshtein::<u8>(&[], &[]), 0);
        assert_eq!(distance_by_longer::<u8>(&[], &[]), 0.0);
    }

    #[test]
    fn golden_url_subsequences() {
        let u1 = b"http://www.bookpool.com/ss?qs=clustering&x=0&y=0";
        let u2 = b"http://www.bookpool.com/ss?qs=learning&x=0&y=0";
        let u3 = b"http://www.bookpool.com/sm/1590598296";
        assert_eq!((u1.len(), u2.len(), u3.len()), (48, 46, 37));
        assert_eq!(lcs_len(u1, u2), 44);
        assert!((lcs_similarity(u1, u2) - 0.9362).abs() < 5e-5);
        assert_eq!(lcs_len(u1, u3), 26);
        assert!((lcs_similarity(u1, u3) - 0.6118).abs() < 5e-5);
        assert_eq!(lcs_similarity::<u8>(&[], &[]), 1.0);
    }

    #[test]
    fn thor_shape_distance_from_its_parts() {
        // The path term of the golden shape distances (codes hbt, hbt and hbdt); the rest is plain arithmetic.
        let gap = |a: f64, b: f64| (a - b).abs() / a.max(b);
        let near =
            (distance_by_longer(b"hbt", b"hbt") + gap(10.0, 8.0) + gap(3.0, 3.0) + gap(120.0, 100.0)) / 4.0;
        assert!((near - 0.0916666667).abs() < 1e-9);
        let far =
            (distance_by_longer(b"hbt", b"hbdt") + gap(10.0, 2.0) + gap(3.0, 4.0) + gap(120.0, 30.0)) / 4.0;
        assert!((far - 0.5125).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn laws(a in "[abc]{0,12}", b in "[abc]{0,12}", limit in 0usize..14) {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let d = levenshtein(a, b);
            prop_assert_eq!(d, levenshtein(b, a));
            prop_assert_eq!(levenshtein_within(a, b, limit), (d <= limit).then_some(d));
            let common = lcs_len(a, b);
            prop_assert!(d >= a.len().max(b.len()) - common && d <= a.len() + b.len() - 2 * common);
            prop_assert_eq!(lcs_len(a, a), a.len());
        }

        #[test]
        fn bits_agree_with_rows(a in "[abc]{1,90}", b in "[abc]{1,90}") {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            prop_assert_eq!(levenshtein(a, b), levenshtein_rows(short, long));
            prop_assert_eq!(lcs_len(a, b), lcs_rows(short, long));
        }
    }
}
