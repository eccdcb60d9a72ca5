//! Questions to all bytes of a text, many at a time.

/// Bytes that are looked at in one step.
const BLOCK: usize = 16;

/// Whether any answer is yes. Answers that are written side by side and read as one number are worked out together.
#[inline]
fn any(answers: [u8; BLOCK]) -> bool {
    u128::from_ne_bytes(answers) != 0
}

/// Whether any byte is such. The answer must not be dear: all of them are asked.
#[inline]
pub(crate) fn any_byte(bytes: &[u8], is_such: impl Fn(u8) -> bool + Copy) -> bool {
    let in_block = |block: &[u8; BLOCK]| any(std::array::from_fn(|at| u8::from(is_such(block[at]))));
    match bytes.last_chunk::<BLOCK>() {
        // The last block overlaps the one before it, so that there is no rest to look at byte by byte.
        Some(last) => bytes.as_chunks::<BLOCK>().0.iter().any(in_block) || in_block(last),
        None => {
            let Some(&first) = bytes.first() else { return false };
            let mut block = [first; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            in_block(&block)
        }
    }
}

/// Whether any two neighbouring bytes are such.
#[inline]
pub(crate) fn any_pair(bytes: &[u8], is_such: impl Fn(u8, u8) -> bool + Copy) -> bool {
    let in_block = |one: &[u8; BLOCK], next: &[u8; BLOCK]| {
        any(std::array::from_fn(|at| u8::from(is_such(one[at], next[at]))))
    };
    let (Some((_, after)), Some((_, before))) = (bytes.split_first(), bytes.split_last()) else {
        return false;
    };
    match (before.last_chunk::<BLOCK>(), after.last_chunk::<BLOCK>()) {
        (Some(last), Some(last_after)) => {
            let (blocks, _) = before.as_chunks::<BLOCK>();
            let (blocks_after, _) = after.as_chunks::<BLOCK>();
            let mut pairs = blocks.iter().zip(blocks_after);
            pairs.any(|(one, next)| in_block(one, next)) || in_block(last, last_after)
        }
        _ => {
            let (Some(&one), Some(&next)) = (before.first(), after.first()) else { return false };
            let mut blocks = ([one; BLOCK], [next; BLOCK]);
            blocks.0[..before.len()].copy_from_slice(before);
            blocks.1[..after.len()].copy_from_slice(after);
            in_block(&blocks.0, &blocks.1)
        }
    }
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
                assert_eq!(any_pair(&one, |one, next| (one, next) == (b'a', b'x')), at > 0);
                assert_eq!(any_pair(&one, |one, next| (one, next) == (b'x', b'a')), at + 1 < length);
            }
        }
    }
}
