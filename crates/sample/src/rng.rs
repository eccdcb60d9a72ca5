//! A small seeded generator, so that a site depends on its knobs and on nothing else.

/// SplitMix64 (Steele, Lea, Flood 2014): one addition and three mixes a draw, plenty for choosing words.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A stream of its own for each `label`: a draw added for one page leaves all other pages as they were.
    pub(crate) fn new(seed: u64, label: &str) -> Self {
        let mut rng = Rng(seed ^ hash(label));
        rng.next();
        rng
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number in `0..bound`; 0 when `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True with the given probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) / ((1u64 << 53) as f64) < probability
    }

    /// One of the items; `None` only when there are none.
    pub(crate) fn pick_from<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the words; empty when there are none.
    pub(crate) fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.pick_from(words).copied().unwrap_or_default()
    }

    /// Up to `count` different numbers of `0..bound`, in random order.
    pub(crate) fn sample(&mut self, bound: usize, count: usize) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(count);
        // Drawing with retries stays linear because no caller asks for more than a fraction of a large range.
        let mut tries = 0;
        while chosen.len() < count.min(bound) && tries < count * 20 {
            let n = self.below(bound);
            if !chosen.contains(&n) {
                chosen.push(n);
            }
            tries += 1;
        }
        chosen
    }
}

/// FNV-1a, finished by SplitMix64's mixer: a stable hash of a string, the same on every machine.
pub(crate) fn hash(text: &str) -> u64 {
    let mut h = 0xCBF2_9CE4_8422_2325u64;
    for byte in text.bytes() {
        h = (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    mix(h)
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_independent() {
        let draw = |seed, label| Rng::new(seed, label).next();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
    }

    #[test]
    fn draws_stay_in_range() {
        let mut rng = Rng::new(7, "range");
        for _ in 0..1000 {
            assert!(rng.below(3) < 3);
            assert!((2..=5).contains(&rng.between(2, 5)));
        }
        assert_eq!(rng.below(0), 0);
        assert!(!rng.chance(0.0));
        assert!(rng.chance(1.0));
        let mut few = rng.sample(4, 10);
        few.sort_unstable();
        assert_eq!(few, [0, 1, 2, 3]);
    }
}
