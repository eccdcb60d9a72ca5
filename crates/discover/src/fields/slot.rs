//! What could be read at a step, with the values that it has on the pages.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::What;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::unlabelled;

/// How many example values of a column are looked at for its type.
const TYPE_SAMPLE: usize = 200;

/// A value that could be read at a step.
pub(super) struct Slot {
    pub(super) step: usize,
    /// Further steps where the same column stands on other pages.
    pub(super) also: Vec<usize>,
    pub(super) what: What,
    /// The list step that its rows come from; 0 for the page.
    pub(super) list: usize,
    pub(super) values: usize,
    /// The rows that have a value: page and number of the row on it.
    pub(super) rows: FxHashSet<(u32, u32)>,
    /// The same for equal values in equal rows, whatever the order.
    pub(super) content: u64,
    distinct: FxHashMap<u64, usize>,
    pub(super) examples: Vec<String>,
    /// The row of each example.
    pub(super) example_rows: Vec<(u32, u32)>,
    /// Where its values stand on their pages, added up: the place of the node over the number of nodes.
    pub(super) place: f64,
}

impl Slot {
    pub(super) fn new(step: usize, what: What, list: usize) -> Self {
        Slot {
            step,
            also: Vec::new(),
            what,
            list,
            values: 0,
            rows: FxHashSet::default(),
            content: 0,
            distinct: FxHashMap::default(),
            examples: Vec::new(),
            example_rows: Vec::new(),
            place: 0.0,
        }
    }

    /// Takes note of a value, its row and where it stands on the page. Gives the hash of the value.
    pub(super) fn see(&mut self, row: (u32, u32), value: String, place: f64) -> u64 {
        let hash = xxh3_64(value.as_bytes());
        self.values += 1;
        self.place += place;
        self.rows.insert(row);
        let at = u64::from(row.0) << 32 | u64::from(row.1);
        self.content = self.content.wrapping_add(xxh3_64_with_seed(&hash.to_le_bytes(), at));
        *self.distinct.entry(hash).or_default() += 1;
        if self.examples.len() < TYPE_SAMPLE {
            self.examples.push(value);
            self.example_rows.push(row);
        }
        hash
    }

    /// Does it say a line or a paragraph of the page, with its label or without?
    pub(super) fn is_line(&self) -> bool {
        match &self.what {
            What::Part(whole, part) => unlabelled::label_of(part).is_some() && **whole == What::Text,
            what => matches!(what, What::Text | What::Prose),
        }
    }

    /// How many different values it has.
    pub(super) fn distinct_values(&self) -> usize {
        self.distinct.len()
    }

    /// The hashes of its different values.
    pub(super) fn distinct_hashes(&self) -> impl Iterator<Item = u64> + '_ {
        self.distinct.keys().copied()
    }

    /// How often it says what it says most often.
    pub(super) fn most_frequent(&self) -> usize {
        self.distinct.values().copied().max().unwrap_or(0)
    }

    /// Where its values stand on the mean, from 0 to 1.
    pub(super) fn mean_place(&self) -> f64 {
        self.place / self.values.max(1) as f64
    }

    /// The slot of a part of this one's values, which `share` of them have.
    pub(super) fn part(
        &self,
        what: What,
        examples: Vec<String>,
        example_rows: Vec<(u32, u32)>,
        share: f64,
    ) -> Self {
        let also = self.also.clone();
        let values = (self.values as f64 * share).round() as usize;
        let place = self.place * share;
        Slot { also, values, examples, example_rows, place, ..Slot::new(self.step, what, self.list) }
    }
}
