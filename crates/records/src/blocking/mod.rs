//! Which pairs are worth comparing: a number that grows with the records, not with their square.

mod families;
mod pairs;

use rayon::prelude::*;

use crate::corpus::Corpus;
use crate::record::{Message, RecordIndex};

pub use families::FAMILIES;

/// Limits of blocking.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockingConfig {
    /// Pairs that all keys of one family may give, for each record.
    pub pairs_per_record: f64,
    /// The same limit never goes below this many pairs in all, so that small sets are compared almost completely.
    pub least_pairs: usize,
    /// In a block that is too large each record is compared with this many neighbours in alphabetical order, with fewer when
    /// all large blocks of a family together would otherwise exceed the family's limit.
    pub neighbours: usize,
    /// When linking: the index of the first record of the second source. Pairs inside a source are then left out.
    pub second_source: Option<RecordIndex>,
}

impl Default for BlockingConfig {
    fn default() -> BlockingConfig {
        // Measured on generated records: five families at six pairs each keep 99 % of the true pairs at 5 % noise and
        // a million records within the memory and time that the project allows itself.
        BlockingConfig { pairs_per_record: 6.0, least_pairs: 200_000, neighbours: 5, second_source: None }
    }
}

/// The pairs to compare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Smaller index first, sorted, no pair twice.
    pub pairs: Vec<(RecordIndex, RecordIndex)>,
    /// For each pair, which of [`FAMILIES`] found it, as bits.
    pub found_by: Vec<u8>,
    /// Blocks that were too large, and the like.
    pub messages: Vec<Message>,
}

/// Finds the candidate pairs.
///
/// # What it does
/// Every record gets keys of several families: whole values, rare words, short forms of two fields together, and its
/// neighbours in alphabetical order forwards and backwards. Records that share a key are a block; the smallest blocks are
/// compared completely until the family's share of pairs is used up, the others only with alphabetical neighbours.
/// # Assumes
/// Duplicates agree on something short: one rare word, the beginnings of two fields, the beginning or end of a value.
/// # When it fails
/// Records of one short value with a slip at both ends.
/// # Paper
/// Hernández and Stolfo 1995 (sorted neighbourhood); Christen 2012 for the survey of keys.
pub fn candidates(corpus: &Corpus<'_>, config: &BlockingConfig) -> Candidates {
    let order = alphabetical(corpus);
    let budget = ((corpus.len() as f64 * config.pairs_per_record) as usize).max(config.least_pairs);
    let mut found: Vec<(Vec<u64>, u8)> = Vec::new();
    let mut messages = Vec::new();
    for (bit, family) in FAMILIES.iter().enumerate() {
        let keys = (family.keys)(corpus);
        let mut list = match &keys {
            families::Keys::Blocks(keys) => {
                let (list, exploded) = pairs::from_blocks(keys, budget, config, &order);
                if let Some(e) = exploded {
                    messages.push(Message::new(format!(
                        "{}: {} keys shared by too many records (largest {}, {}); their records were compared with \
                         {} neighbours only",
                        family.name, e.blocks, e.largest, e.example_of(corpus), e.window
                    )));
                }
                list
            }
            families::Keys::Orders(orders) => {
                orders.iter().flat_map(|order| pairs::neighbours(order, config.neighbours, config)).collect()
            }
        };
        list.par_sort_unstable();
        list.dedup();
        found.push((list, 1 << bit));
    }
    let (packed, found_by) = pairs::merge(found);
    let pairs = packed.into_iter().map(pairs::unpack).collect();
    Candidates { pairs, found_by, messages }
}

/// An estimate of the share of true pairs that blocking kept, from how often the families agree.
///
/// # What it does
/// Chao's estimator of unseen species: with `f1` accepted pairs found by one family only and `f2` by exactly two, about
/// `f1² / 2 f2` pairs were found by none.
/// # Assumes
/// The families miss pairs for reasons of their own. They partly share them, so this is an optimistic estimate.
/// # When it fails
/// Few accepted pairs.
/// # Paper
/// Chao 1984; for record linkage Fienberg, Johnson and Junker 1999.
pub fn completeness_estimate(
    candidates: &Candidates,
    accepted: impl Fn(RecordIndex, RecordIndex) -> bool,
) -> f64 {
    let (mut once, mut twice, mut all) = (0_u64, 0_u64, 0_u64);
    for (&(a, b), mask) in candidates.pairs.iter().zip(&candidates.found_by) {
        if accepted(a, b) {
            all += 1;
            once += u64::from(mask.count_ones() == 1);
            twice += u64::from(mask.count_ones() == 2);
        }
    }
    if all == 0 {
        return 1.0;
    }
    let unseen = once as f64 * once.saturating_sub(1) as f64 / (2.0 * (twice as f64 + 1.0));
    all as f64 / (all as f64 + unseen)
}

/// The place of every record in alphabetical order of its text.
fn alphabetical(corpus: &Corpus<'_>) -> Vec<u32> {
    let sorted = families::sorted_by_text(corpus, None);
    let mut rank = vec![0_u32; corpus.len()];
    for (place, &record) in sorted.iter().enumerate() {
        rank[record as usize] = place as u32;
    }
    rank
}
