//! How well an extracted main text agrees with the true one: precision and recall over runs of four words.

use super::Prf;
use super::text_match::is_word;
use rustc_hash::FxHashMap;

/// Words in a run.
const RUN_WORDS: usize = 4;

/// Shares of true positives, false positives and false negatives among the word runs of one document; they sum to 1
/// unless both texts have no word.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TextMatch {
    /// Runs in both texts.
    pub both: f64,
    /// Runs only in the extracted text.
    pub extra: f64,
    /// Runs only in the true text.
    pub missed: f64,
}

impl TextMatch {
    /// Compares two texts by the bags of their runs of four words (letters, digits, underscore); a text of fewer words
    /// is one run.
    pub fn of(truth: &str, extracted: &str) -> Self {
        let (true_words, got_words) = (words(truth), words(extracted));
        let mut counts: FxHashMap<&[&str], (u64, u64)> = FxHashMap::default();
        runs(&true_words).for_each(|run| counts.entry(run).or_default().0 += 1);
        runs(&got_words).for_each(|run| counts.entry(run).or_default().1 += 1);
        // Whole numbers, so the order of the map does not matter.
        let (mut both, mut extra, mut missed) = (0u64, 0u64, 0u64);
        for &(t, g) in counts.values() {
            both += t.min(g);
            extra += g.saturating_sub(t);
            missed += t.saturating_sub(g);
        }
        let all = both + extra + missed;
        if all == 0 {
            return TextMatch::default();
        }
        let share = |n: u64| n as f64 / all as f64;
        TextMatch { both: share(both), extra: share(extra), missed: share(missed) }
    }

    /// Precision of this document, or `None` when nothing was extracted.
    pub fn precision(&self) -> Option<f64> {
        (self.both + self.extra > 0.0).then(|| self.both / (self.both + self.extra))
    }

    /// Recall of this document, or `None` when there was nothing to find.
    pub fn recall(&self) -> Option<f64> {
        (self.both + self.missed > 0.0).then(|| self.both / (self.both + self.missed))
    }

    /// True when the word runs are the same on both sides.
    pub fn is_exact(&self) -> bool {
        self.extra == 0.0 && self.missed == 0.0
    }
}

/// Precision and recall averaged over the documents that define them, and F1 of the two means.
///
/// # What it does
/// Each document has the same weight. A document where nothing was extracted counts for recall only, an empty true
/// text for precision only.
/// # Assumes
/// Words are separated by something; text without spaces is clumped into one word on both sides.
/// # When it fails
/// F1 is of the averages, so it is not the mean of the documents' F1.
/// # Paper
/// The open article extraction benchmark of Scrapinghub (2019).
pub fn main_text_score(documents: &[TextMatch]) -> Prf {
    let mean = |values: Vec<f64>| {
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    let precision = mean(documents.iter().filter_map(TextMatch::precision).collect());
    let recall = mean(documents.iter().filter_map(TextMatch::recall).collect());
    Prf::new(precision, recall)
}

/// Share of the documents whose word runs are exactly right.
pub fn exact_share(documents: &[TextMatch]) -> f64 {
    documents.iter().filter(|d| d.is_exact()).count() as f64 / documents.len().max(1) as f64
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c| !is_word(c)).filter(|w| !w.is_empty()).collect()
}

fn runs<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a [&'a str]> {
    let size = RUN_WORDS.min(words.len()).max(1);
    words.windows(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_extra_word() {
        // Truth has the runs abcd, bcde; the extraction also cdef.
        let m = TextMatch::of("a b c d e", "a b, c d e f!");
        assert!((m.both - 2.0 / 3.0).abs() < 1e-12 && (m.extra - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(m.recall(), Some(1.0));
        assert!((m.precision().unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert!(!m.is_exact());
    }

    #[test]
    fn short_empty_and_repeated_texts() {
        assert!(TextMatch::of("a b", "a  b").is_exact());
        assert_eq!(TextMatch::of("a b", "a").both, 0.0);
        assert_eq!(TextMatch::of("", ""), TextMatch::default());
        assert_eq!(TextMatch::of("a", "").precision(), None);
        assert_eq!(TextMatch::of("", "a").recall(), None);
        let m = TextMatch::of("x x x x x x", "x x x x");
        assert_eq!(m.recall(), Some(1.0 / 3.0));
    }

    #[test]
    fn averages_skip_undefined_documents() {
        let docs = [TextMatch::of("a b c d", "a b c d"), TextMatch::of("a b c d", "")];
        let score = main_text_score(&docs);
        assert_eq!((score.precision, score.recall), (1.0, 0.5));
        assert!((score.f1 - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(exact_share(&docs), 0.5);
        assert_eq!(main_text_score(&[]), Prf::default());
    }
}
