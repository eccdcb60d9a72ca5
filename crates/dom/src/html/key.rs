//! Short names as numbers: compared and hashed at once.

/// A name of at most sixteen bytes, without capitals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key(u128);

/// The longest name with a key, in bytes.
pub(super) const LONGEST: usize = 16;

impl Key {
    /// `None` for a name that is too long.
    pub(super) fn of(name: &[u8]) -> Option<Key> {
        (name.len() <= LONGEST).then(|| {
            let mut bytes = [0; LONGEST];
            bytes[..name.len()].copy_from_slice(name);
            Key(u128::from_le_bytes(bytes))
        })
    }

    /// The key of the first bytes of what is left of a page, the same as [`Key::of`] but read in one go.
    pub(super) fn at_start(rest: &[u8], length: usize) -> Option<Key> {
        match rest.first_chunk::<LONGEST>() {
            Some(chunk) if (1..=LONGEST).contains(&length) => {
                let unused = 8 * (LONGEST - length) as u32;
                Some(Key(u128::from_le_bytes(*chunk) << unused >> unused))
            }
            _ => Key::of(&rest[..length]),
        }
    }
}

/// An odd number without pattern: Knuth's, 2^64 divided by the golden ratio.
pub(super) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A place in a table of `slots` places, a power of two.
pub(super) fn slot(key: Key, slots: usize) -> usize {
    (fold(key.0).wrapping_mul(SPREAD) >> 40) as usize & (slots - 1)
}

/// Both halves of a number in one.
pub(super) fn fold(number: u128) -> u64 {
    number as u64 ^ (number >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_wherever_a_name_is_read() {
        for name in ["a", "div", "blockquote", "sixteen-letters!"] {
            let page = format!("{name} class='x' and more");
            assert_eq!(Key::at_start(page.as_bytes(), name.len()), Key::of(name.as_bytes()), "{name}");
            assert_eq!(Key::at_start(name.as_bytes(), name.len()), Key::of(name.as_bytes()), "{name}");
        }
        assert_eq!(Key::of(b"seventeen-letters"), None);
        assert_eq!(Key::at_start(b"seventeen-letters and more", 17), None);
    }
}
