//! A small seeded random generator: every random choice of Unsite is reproducible from a seed.

/// SplitMix64 (Steele, Lea, Flood 2014): 64 bits of state, full period, good enough for sampling and restarts.
///
/// It is not for secrets. Independent streams come from [`Rng::fork`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

/// The odd constant closest to 2^64 divided by the golden ratio; consecutive states lie far apart.
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

impl Rng {
    /// A generator that always gives the same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0.0..1.0` with 53 random bits.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `0..bound`; 0 when `bound` is 0. The bias of the multiply-shift is below 2^-32 for any sample here.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.next_f64() < p
    }

    /// A generator for sub-task `stream`, independent of how far this one has run afterwards.
    pub fn fork(&self, stream: u64) -> Rng {
        let mut mixed = Rng::new(self.state ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Rng::new(mixed.next_u64())
    }

    /// Puts the items into a random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// `count` distinct indices of `0..n` in ascending order; all of them when `count >= n`.
    ///
    /// Selection sampling (Knuth, Algorithm S): linear in `n`, no memory beyond the answer.
    pub fn sample(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut wanted = count.min(n);
        let mut chosen = Vec::with_capacity(wanted);
        for i in 0..n {
            if wanted == 0 {
                break;
            }
            if wanted == n - i || self.below(n - i) < wanted {
                chosen.push(i);
                wanted -= 1;
            }
        }
        chosen
    }

    /// One of the items, or `None` when there is none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_values_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn samples_are_distinct_sorted_and_fair() {
        let mut hits = [0u32; 10];
        let mut rng = Rng::new(7);
        for _ in 0..10_000 {
            let picked = rng.sample(10, 3);
            assert_eq!(picked.len(), 3);
            assert!(picked.windows(2).all(|w| w[0] < w[1]));
            picked.iter().for_each(|&i| hits[i] += 1);
        }
        assert!(hits.iter().all(|&h| (2_800..3_200).contains(&h)), "{hits:?}");
        assert_eq!(rng.sample(4, 9), [0, 1, 2, 3]);
        assert!(rng.sample(0, 3).is_empty());
    }

    #[test]
    fn shuffle_permutes_and_floats_stay_in_range() {
        let mut rng = Rng::new(1);
        let mut items: Vec<u32> = (0..100).collect();
        rng.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        assert!((0..1_000).map(|_| rng.next_f64()).all(|x| (0.0..1.0).contains(&x)));
        assert_eq!(rng.below(0), 0);
    }
}
