//! Questions to all bytes of a text, many at a time.

/// Bytes that are looked at in one step, of long texts and of short ones.
const BLOCK: usize = 16;
const HALF: usize = 8;

/// Whether any answer is yes. Answers that are written side by side and read as one number are worked out together.
#[inline]
fn any(answers: [u8; BLOCK]) -> bool {
    u128::from_ne_bytes(answers) != 0
}

#[inline]
fn any_of_half(answers: [u8; HALF]) -> bool {
    u64::from_ne_bytes(answers) != 0
}

/// Whether any byte is such. The answer must not be dear: all of them are asked.
#[inline]
pub(crate) fn any_byte(bytes: &[u8], is_such: impl Fn(u8) -> bool + Copy) -> bool {
    let in_block = |block: &[u8; BLOCK]| any(block.map(|byte| u8::from(is_such(byte))));
    // The last block overlaps the one before it, so that there is no rest to look at byte by byte.
    if let Some(last) = bytes.last_chunk::<BLOCK>() {
        return bytes.as_chunks::<BLOCK>().0.iter().any(in_block) || in_block(last);
    }
    match (bytes.first_chunk::<HALF>(), bytes.last_chunk::<HALF>()) {
        (Some(first), Some(last)) => {
            any_of_half(first.map(|byte| u8::from(is_such(byte))))
                || any_of_half(last.map(|byte| u8::from(is_such(byte))))
        }
        _ => bytes.iter().any(|&byte| is_such(byte)),
    }
}

/// Whether any two neighbouring bytes are such.
#[inline]
pub(crate) fn any_pair(bytes: &[u8], is_such: impl Fn(u8, u8) -> bool + Copy) -> bool {
    let in_block = |one: &[u8; BLOCK], next: &[u8; BLOCK]| {
        any(std::array::from_fn(|at| u8::from(is_such(one[at], next[at]))))
    };
    let in_half = |one: &[u8; HALF], next: &[u8; HALF]| {
        any_of_half(std::array::from_fn(|at| u8::from(is_such(one[at], next[at]))))
    };
    let (Some((_, after)), Some((_, before))) = (bytes.split_first(), bytes.split_last()) else {
        return false;
    };
    if let (Some(last), Some(last_after)) = (before.last_chunk::<BLOCK>(), after.last_chunk::<BLOCK>()) {
        let mut pairs = before.as_chunks::<BLOCK>().0.iter().zip(after.as_chunks::<BLOCK>().0);
        return pairs.any(|(one, next)| in_block(one, next)) || in_block(last, last_after);
    }
    match (before.first_chunk(), after.first_chunk(), before.last_chunk(), after.last_chunk()) {
        (Some(one), Some(next), Some(last), Some(last_after)) => {
            in_half(one, next) || in_half(last, last_after)
        }
        _ => before.iter().zip(after).any(|(&one, &next)| is_such(one, next)),
    }
}

/// Where the first two neighbouring bytes from a place on are such.
pub(crate) fn find_pair(bytes: &[u8], from: usize, is_such: impl Fn(u8, u8) -> bool + Copy) -> Option<usize> {
    let mut at = from;
    // Block by block, then within the first that has one.
    while let Some(block) = bytes.get(at..=at + BLOCK) {
        if any_pair(block, is_such) {
            break;
        }
        at += BLOCK;
    }
    let pairs = bytes.get(at..)?.windows(2);
    pairs.zip(at..).find(|(pair, _)| is_such(pair[0], pair[1])).map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_pair_is_seen() {
        for length in 0..70 {
            let plain = vec![b'a'; length];
            assert!(!any_byte(&plain, |byte| byte == b'x'));
            assert!(!any_pair(&plain, |one, next| one != next));
            assert_eq!(any_pair(&plain, |one, next| one == next), length > 1);
            for at in 0..length {
                let mut one = plain.clone();
                one[at] = b'x';
                assert!(any_byte(&one, |byte| byte == b'x'));
                for from in 0..length {
                    let found = find_pair(&one, from, |one, next| (one, next) == (b'x', b'a'));
                    assert_eq!(found, (from <= at && at + 1 < length).then_some(at));
                }
                assert_eq!(any_pair(&one, |one, next| (one, next) == (b'a', b'x')), at > 0);
                assert_eq!(any_pair(&one, |one, next| (one, next) == (b'x', b'a')), at + 1 < length);
            }
        }
    }
}
