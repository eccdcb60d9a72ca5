//! Words that begin or end titles and headings.
//!
//! # What it does
//! For both ends of title and top headings: share of common word runs that stand on 4 to 90 % of the pages ("Posts
//! about", "Category:").
//! # Assumes
//! Templates put words around the data of a heading.
//! # When it fails
//! Data that begins with few words: makes of cars, kinds of packages. Training gives it little weight.
//! # Paper
//! Ours.

use super::page_view::{hash, mix};
use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "heading",
    about: "words that begin or end titles and headings on many pages",
    read,
    weigh: Weights::counted,
    weight: |weights, end| marks(weights, end).then_some(1.0),
    score,
};

/// Headings looked at.
const MAX_HEADINGS: usize = 3;
/// Words, or pairs of characters of scripts without spaces, from either end.
const MAX_WORDS: usize = 4;
/// Words on fewer pages than this are data, even where they come often: "library", "development files".
const MARKER_SHARE: f64 = 0.04;
/// Words on more pages than this are the site's name.
const FRAME_SHARE: f64 = 0.9;

/// The first one, two, ... words of the title and of the first headings, and the last ones; each is a feature that
/// knows at which end of what it stands.
fn read(page: &PageView<'_>) -> Features {
    let mut ends = Vec::new();
    both_ends(1, &page.meta.title, &mut ends);
    let top = page.meta.headings.iter().map(|heading| heading.level).min().unwrap_or(1);
    for heading in page.meta.headings.iter().filter(|heading| heading.level == top).take(MAX_HEADINGS) {
        both_ends(3, &heading.text, &mut ends);
    }
    ends.sort_unstable_by_key(|end| end.key);
    ends.dedup_by_key(|end| end.key);
    Features::new(ends)
}

fn both_ends(slot: u64, text: &str, ends: &mut Vec<Feature>) {
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || "\"“”‘’'|·–—:".contains(c))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .flat_map(units)
        .collect();
    let (mut first, mut last) = (slot, slot + 1);
    for at in 0..MAX_WORDS.min(words.len()) {
        first = mix(first, hash(&[&words[at]]));
        last = mix(last, hash(&[&words[words.len() - 1 - at]]));
        ends.push(Feature::new(first, 1.0).below(slot));
        ends.push(Feature::new(last, 1.0).below(slot + 1));
    }
}

/// A word with digits folded; a run of a script without spaces as pairs of characters.
fn units(word: &str) -> Vec<String> {
    if word.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) {
        let chars: Vec<char> = word.chars().collect();
        return chars.chunks(2).map(|pair| pair.iter().collect()).collect();
    }
    let folded: String = word.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    vec![folded.to_lowercase()]
}

/// The mean, over the ends that are marked on both pages, of the share of common markers; nothing to say where an end
/// is all data on one of them.
fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    // For each of the four ends: markers of both pages, of the first, of the second.
    let mut ends = [(0.0f64, 0.0f64, 0.0f64); 5];
    a.beside(b, |x, y| {
        let Some(feature) = x.or(y) else { return };
        let Some(end) = ends.get_mut(feature.above as usize) else { return };
        end.0 += f64::from(u8::from(x.is_some() && y.is_some()));
        end.1 += f64::from(u8::from(x.is_some()));
        end.2 += f64::from(u8::from(y.is_some()));
    });
    let marked: Vec<f64> =
        ends.iter().filter(|end| end.1 > 0.0 && end.2 > 0.0).map(|end| end.0 / end.1.min(end.2)).collect();
    (!marked.is_empty()).then(|| marked.iter().sum::<f64>() / marked.len() as f64)
}

fn marks(weights: &Weights, end: &Feature) -> bool {
    let share = weights.share(end.key);
    weights.count(end.key) >= 3.0 && (MARKER_SHARE..=FRAME_SHARE).contains(&share)
}
