//! From keys to pairs, within a budget.

use rayon::prelude::*;

use super::BlockingConfig;
use crate::corpus::Corpus;
use crate::record::RecordIndex;

/// A key and a record that has it.
pub(super) type Keyed = (u64, RecordIndex);

/// Blocks that did not fit the budget.
pub(super) struct Exploded {
    pub(super) blocks: usize,
    pub(super) largest: usize,
    /// With how many neighbours their records were compared.
    pub(super) window: usize,
    example: RecordIndex,
}

impl Exploded {
    /// A record of the largest block, for the message.
    pub(super) fn example_of(&self, corpus: &Corpus<'_>) -> String {
        format!("for example record `{}`", corpus.records.id(self.example))
    }
}

/// Pairs of records with equal keys. Smallest blocks first; what exceeds the budget is compared with neighbours only.
pub(super) fn from_blocks(
    keys: &[Keyed],
    budget: usize,
    config: &BlockingConfig,
    order: &[u32],
) -> (Vec<u64>, Option<Exploded>) {
    let mut keys = keys.to_vec();
    keys.par_sort_unstable();
    keys.dedup();
    let mut blocks: Vec<&[Keyed]> =
        keys.chunk_by(|a, b| a.0 == b.0).filter(|block| block.len() > 1).collect();
    blocks.sort_by_key(|block| block.len());
    let mut left = budget;
    let mut fitting = blocks.len();
    for (i, block) in blocks.iter().enumerate() {
        let cost = block.len() * (block.len() - 1) / 2;
        if cost > left {
            fitting = i;
            break;
        }
        left -= cost;
    }
    let mut list = Vec::with_capacity(budget.saturating_sub(left));
    for block in &blocks[..fitting] {
        for (i, a) in block.iter().enumerate() {
            list.extend(block[i + 1..].iter().filter_map(|b| pack(a.1, b.1, config)));
        }
    }
    // A record may be in several large blocks, in the more the more records there are; without this limit the pairs of each
    // record would grow with their number.
    let crowded: usize = blocks[fitting..].iter().map(|block| block.len()).sum();
    let window = config.neighbours.min(budget / crowded.max(1)).max(1);
    for block in &blocks[fitting..] {
        let mut members: Vec<RecordIndex> = block.iter().map(|k| k.1).collect();
        members.sort_by_key(|&r| order[r as usize]);
        list.extend(neighbours(&members, window, config));
    }
    let exploded = blocks[fitting..].last().map(|largest| Exploded {
        blocks: blocks.len() - fitting,
        largest: largest.len(),
        window,
        example: largest[0].1,
    });
    (list, exploded)
}

/// Each record with the next few of a sorted list.
pub(super) fn neighbours<'a>(
    sorted: &'a [RecordIndex],
    window: usize,
    config: &'a BlockingConfig,
) -> impl Iterator<Item = u64> + 'a {
    sorted
        .iter()
        .enumerate()
        .flat_map(move |(i, &a)| sorted[i + 1..].iter().take(window).filter_map(move |&b| pack(a, b, config)))
}

/// Unites sorted lists; each pair keeps the bits of all lists that had it.
pub(super) fn merge(lists: Vec<(Vec<u64>, u8)>) -> (Vec<u64>, Vec<u8>) {
    let (mut pairs, mut masks): (Vec<u64>, Vec<u8>) = (Vec::new(), Vec::new());
    for (list, bit) in lists {
        let mut new_pairs = Vec::with_capacity(pairs.len() + list.len());
        let mut new_masks = Vec::with_capacity(pairs.len() + list.len());
        let (mut i, mut j) = (0, 0);
        while i < pairs.len() || j < list.len() {
            let old = pairs.get(i).copied().unwrap_or(u64::MAX);
            let new = list.get(j).copied().unwrap_or(u64::MAX);
            new_pairs.push(old.min(new));
            new_masks.push(if old <= new { masks[i] } else { 0 } | if new <= old { bit } else { 0 });
            i += usize::from(old <= new);
            j += usize::from(new <= old);
        }
        (pairs, masks) = (new_pairs, new_masks);
    }
    (pairs, masks)
}

pub(super) fn unpack(packed: u64) -> (RecordIndex, RecordIndex) {
    ((packed >> 32) as u32, packed as u32)
}

fn pack(a: RecordIndex, b: RecordIndex, config: &BlockingConfig) -> Option<u64> {
    let (a, b) = (a.min(b), a.max(b));
    let crosses = config.second_source.is_none_or(|second| a < second && b >= second);
    (a != b && crosses).then_some(u64::from(a) << 32 | u64::from(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_the_bits() {
        let (pairs, masks) = merge(vec![(vec![1, 5], 1), (vec![2, 5, 9], 2), (vec![], 4)]);
        assert_eq!(pairs, [1, 2, 5, 9]);
        assert_eq!(masks, [1, 2, 3, 2]);
    }

    #[test]
    fn large_blocks_fall_back_to_neighbours() {
        let keys: Vec<Keyed> = (0..1000).map(|r| (7, r)).chain([(8, 1), (8, 5)]).collect();
        let order: Vec<u32> = (0..1000).collect();
        let config = BlockingConfig { neighbours: 3, ..BlockingConfig::default() };
        let (list, exploded) = from_blocks(&keys, 4_000, &config, &order);
        assert_eq!(list.len(), 1 + 3 * 1000 - 6);
        // Less is left for them when they are many.
        assert_eq!(from_blocks(&keys, 100, &config, &order).0.len(), 1 + 1000 - 1);
        assert_eq!(exploded.map(|e| (e.blocks, e.largest)), Some((1, 1000)));
    }

    #[test]
    fn linking_crosses_the_border_only() {
        let config = BlockingConfig { second_source: Some(2), ..BlockingConfig::default() };
        let keys: Vec<Keyed> = (0..4).map(|r| (1, r)).collect();
        let (list, _) = from_blocks(&keys, 100, &config, &[0, 1, 2, 3]);
        let pairs: Vec<_> = list.into_iter().map(unpack).collect();
        assert_eq!(pairs, [(0, 2), (0, 3), (1, 2), (1, 3)]);
    }
}
