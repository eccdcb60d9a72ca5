//! Short names as numbers: compared and hashed at once.

/// A name of at most eight bytes, without capitals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key(u64);

/// The longest name with a key, in bytes.
const LONGEST: usize = 8;

impl Key {
    /// `None` for a name that is too long.
    pub(super) const fn of(name: &[u8]) -> Option<Key> {
        if name.len() > LONGEST {
            return None;
        }
        let (mut key, mut at) = (0, 0);
        while at < name.len() {
            key |= (name[at] as u64) << (8 * at);
            at += 1;
        }
        Some(Key(key))
    }

    /// How many small letters the rest of a page starts with, and their key; `None` where there may be more than a key
    /// has room for.
    pub(super) fn of_letters(rest: &[u8]) -> Option<(usize, Key)> {
        /// What small letters (and five signs that end no name) have in common.
        const LETTERS: u64 = u64::from_le_bytes([0x60; 8]);
        const COMMON: u64 = u64::from_le_bytes([0xE0; 8]);
        let word = u64::from_le_bytes(*rest.first_chunk()?);
        let others = (word & COMMON) ^ LETTERS;
        let length = others.trailing_zeros() as usize / 8;
        (length < LONGEST).then(|| (length, Key(word & ((1 << (8 * length)) - 1))))
    }

    /// Are they the same? As `==`, but where constants are made.
    pub(super) const fn is(self, other: Key) -> bool {
        self.0 == other.0
    }

    /// A place in a table of `slots` places, a power of two.
    pub(super) const fn slot(self, slots: usize) -> usize {
        (self.0.wrapping_mul(SPREAD) >> 40) as usize & (slots - 1)
    }
}

/// An odd number without pattern: Knuth's, 2^64 divided by the golden ratio.
pub(super) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_wherever_a_name_is_read() {
        for name in ["a", "div", "article"] {
            let found = Key::of(name.as_bytes()).map(|key| (name.len(), key));
            for after in [" class='x' and more", ">and more", "/>and more", "3 and more", "X and more"] {
                let page = format!("{name}{after}");
                assert_eq!(Key::of_letters(page.as_bytes()), found, "{page}");
            }
        }
        assert_eq!(Key::of_letters(b"fieldset and more"), None);
        assert_eq!(Key::of_letters(b"td>"), None);
        assert_eq!(Key::of_letters(b"Td and more"), Some((0, Key::default())));
        assert_eq!(Key::of("éa".as_bytes()).map(|key| key.is(Key::default())), Some(false));
        assert_eq!(Key::of_letters("aé and more".as_bytes()).map(|(length, _)| length), Some(1));
        assert_eq!(Key::of(b"nineteen9"), None);
    }
}
