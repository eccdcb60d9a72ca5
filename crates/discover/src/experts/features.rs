//! What experts remember of a page, and what the site says about it.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

/// One thing that an expert saw on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// What it is: a hash that is equal on all pages of a site.
    pub key: u64,
    /// What it hangs on: the parent path, the slot of an address; 0 for nothing.
    pub above: u64,
    /// How much of it there is.
    pub value: f32,
    /// What it counts on this site; 0 until [`Features::settle`].
    pub weight: f32,
}

impl Feature {
    /// A feature that hangs on nothing.
    pub fn new(key: u64, value: f32) -> Self {
        Feature { key, above: 0, value, weight: 0.0 }
    }

    /// The same, hanging on something.
    pub fn below(self, above: u64) -> Self {
        Feature { above, ..self }
    }
}

/// The features of one page, sorted by key, each key once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features {
    sorted: Vec<Feature>,
    /// The sum of the weights, and of their squares; 0 until [`Features::settle`].
    weight: f64,
    squares: f64,
}

impl Features {
    /// From features in any order; the values of equal keys are added.
    pub fn new(mut features: Vec<Feature>) -> Self {
        features.sort_unstable_by_key(|feature| (feature.key, feature.above, feature.value.to_bits()));
        features.dedup_by(|next, kept| {
            let same = next.key == kept.key;
            if same {
                kept.value += next.value;
            }
            same
        });
        features.shrink_to_fit();
        Features { sorted: features, ..Features::default() }
    }

    /// From keys in any order, each counted as often as it comes.
    pub fn of_keys(keys: impl IntoIterator<Item = u64>) -> Self {
        Self::new(keys.into_iter().map(|key| Feature::new(key, 1.0)).collect())
    }

    /// The same without all but the `most` smallest keys: a sample that is the same on every page.
    pub fn sketched(mut self, most: usize) -> Self {
        self.sorted.truncate(most);
        self.sorted.shrink_to_fit();
        self
    }

    /// Gives every feature its weight on this site, once, so that comparing pages looks nothing up, and forgets those
    /// without one.
    pub fn settle(&mut self, weight: impl Fn(&Feature) -> Option<f64>) {
        self.sorted.retain_mut(|feature| {
            let own = weight(feature);
            feature.weight = own.unwrap_or_default() as f32;
            own.is_some()
        });
        self.sorted.shrink_to_fit();
        let weights = || self.sorted.iter().map(|feature| f64::from(feature.weight));
        (self.weight, self.squares) = (weights().sum(), weights().map(|weight| weight * weight).sum());
    }

    /// All of them, sorted by key.
    pub fn iter(&self) -> std::slice::Iter<'_, Feature> {
        self.sorted.iter()
    }

    /// True when the expert saw nothing.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// True when the page has the key.
    pub fn contains(&self, key: u64) -> bool {
        self.sorted.binary_search_by_key(&key, |feature| feature.key).is_ok()
    }

    /// The features of two pages side by side, in the order of their keys.
    pub fn beside(&self, other: &Features, mut each: impl FnMut(Option<&Feature>, Option<&Feature>)) {
        let (mut left, mut right) = (self.sorted.as_slice(), other.sorted.as_slice());
        while let ([a, more_left @ ..], [b, more_right @ ..]) = (left, right) {
            match a.key.cmp(&b.key) {
                Ordering::Less => {
                    each(Some(a), None);
                    left = more_left;
                }
                Ordering::Greater => {
                    each(None, Some(b));
                    right = more_right;
                }
                Ordering::Equal => {
                    each(Some(a), Some(b));
                    (left, right) = (more_left, more_right);
                }
            }
        }
        left.iter().for_each(|a| each(Some(a), None));
        right.iter().for_each(|b| each(None, Some(b)));
    }

    /// Share of what both pages have in what either has, each key counted with its weight; `None` where neither has
    /// anything that counts.
    pub fn jaccard(&self, other: &Features) -> Option<f64> {
        let both = self.common(other, |weight, _| weight);
        let either = self.weight + other.weight - both;
        (either > 0.0).then(|| both / either)
    }

    /// Share of what both pages have in what the page with less has; `None` where a page has nothing that counts.
    pub fn overlap(&self, other: &Features) -> Option<f64> {
        let less = f64::min(self.weight, other.weight);
        (less > 0.0).then(|| self.common(other, |weight, _| weight) / less)
    }

    /// Cosine of the weights; `None` where a page has nothing that counts.
    pub fn cosine(&self, other: &Features) -> Option<f64> {
        let lengths = (self.squares * other.squares).sqrt();
        (lengths > 0.0).then(|| (self.common(other, |a, b| a * b) / lengths).clamp(0.0, 1.0))
    }

    /// The sum over the keys that both pages have. Without a branch in the loop: which key comes next is as good as random,
    /// and every pair of pages of a sample passes here.
    fn common(&self, other: &Features, of: impl Fn(f64, f64) -> f64) -> f64 {
        let (left, right) = (self.sorted.as_slice(), other.sorted.as_slice());
        let (mut a, mut b, mut sum) = (0, 0, 0.0);
        while let (Some(x), Some(y)) = (left.get(a), right.get(b)) {
            let each = of(f64::from(x.weight), f64::from(y.weight));
            sum += each * f64::from(u8::from(x.key == y.key));
            a += usize::from(x.key <= y.key);
            b += usize::from(y.key <= x.key);
        }
        sum
    }
}

/// What the pages of a site say about a feature.
#[derive(Debug, Clone, Default)]
pub struct Weights {
    /// How many pages were looked at.
    pub pages: f64,
    /// On how many of them a key stands; or whatever weight its expert gives it.
    pub of: FxHashMap<u64, f64>,
}

impl Weights {
    /// Counts the pages that have each key.
    pub fn counted(pages: &[&Features]) -> Self {
        let mut of: FxHashMap<u64, f64> = FxHashMap::default();
        for feature in pages.iter().flat_map(|features| features.iter()) {
            *of.entry(feature.key).or_default() += 1.0;
        }
        Weights { pages: pages.len() as f64, of }
    }

    /// On how many pages a key stands.
    pub fn count(&self, key: u64) -> f64 {
        self.of.get(&key).copied().unwrap_or(0.0)
    }

    /// On which share of the pages it stands.
    pub fn share(&self, key: u64) -> f64 {
        if self.pages > 0.0 { (self.count(key) / self.pages).min(1.0) } else { 0.0 }
    }

    /// THOR's inverse document frequency `ln((n + 1) / n_k)`.
    pub fn idf(&self, key: u64) -> f64 {
        ((self.pages + 1.0) / self.count(key).max(1.0)).ln()
    }

    /// What a piece of a template counts: nothing where one page alone has it, little where all have it.
    pub fn template(&self, key: u64) -> Option<f64> {
        (self.count(key) >= 2.0).then(|| 1.0 + FRAME_WEIGHT - self.share(key))
    }

    /// How much a key can mark a type: nothing for what stands on a few pages (data) or on all (frame).
    pub fn marking(&self, key: u64) -> Option<f64> {
        let share = self.share(key);
        let marks = self.count(key) >= MARKER_PAGES && (MARKER_SHARE..1.0).contains(&share);
        marks.then(|| (share / FULL_MARKER_SHARE).min(1.0) * (1.0 - share))
    }
}

/// What a piece on all pages still counts, so that pages of one template are alike and not without opinion.
const FRAME_WEIGHT: f64 = 0.05;

/// A word or class marks a type from this many pages on; below, it is data.
const MARKER_PAGES: f64 = 3.0;

/// The same as a share of the pages.
const MARKER_SHARE: f64 = 0.02;

/// From this share on a marker counts fully.
const FULL_MARKER_SHARE: f64 = 0.08;
