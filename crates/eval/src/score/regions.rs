//! The informative text of articles against their labelled bodies, by words.

use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::GoldPage;
use crate::observed::Observed;
use rustc_hash::FxHashMap;
use unsite_learn::measures::Prf;

/// Fields that hold the body of an article begin with this.
const BODY: &str = "body";

/// Precision and recall over the words of main texts, averaged over the articles with a labelled body: InfoDiscoverer's
/// measure, counting each word as often as it stands. A method that gives no main text scores 0.
pub(super) fn score(observed: &Observed, gold: &[GoldPage]) -> Option<TargetScore> {
    let found: FxHashMap<&str, &str> =
        observed.main_text.iter().flatten().map(|(page, text)| (key(page), text.as_str())).collect();
    let mut pages: Vec<(f64, f64, &str, String, &str)> = Vec::new();
    for page in gold.iter().filter(|page| page.role.as_deref() == Some("article")) {
        let bodies = page.fields.iter().filter(|(name, _)| name.starts_with(BODY));
        let truth: Vec<&str> =
            bodies.flat_map(|(_, values)| values.iter().map(|value| value.as_str())).collect();
        let truth = truth.join("\n");
        let file = key(&page.file);
        if words(&truth).is_empty() {
            continue;
        }
        let text = found.get(file).copied().unwrap_or_default();
        let (wanted, got) = (words(&truth), words(text));
        let both: usize =
            wanted.iter().map(|(word, count)| (*count).min(got.get(word).copied().unwrap_or(0))).sum();
        let share = |all: usize| if all == 0 { 0.0 } else { both as f64 / all as f64 };
        pages.push((share(got.values().sum()), share(wanted.values().sum()), file, truth, text));
    }
    if pages.is_empty() {
        return None;
    }
    let mean = |value: fn(&(f64, f64, &str, String, &str)) -> f64| {
        pages.iter().map(value).sum::<f64>() / pages.len() as f64
    };
    let mut score = TargetScore::new("body", Prf::new(mean(|page| page.0), mean(|page| page.1)));
    score.note = format!("{} articles", pages.len());
    pages.sort_by(|a, b| a.0.min(a.1).total_cmp(&b.0.min(b.1)));
    let worst = pages.iter().filter(|page| page.0.min(page.1) < 1.0).take(EXAMPLES);
    score.misses =
        worst.map(|(_, _, file, truth, text)| Miss::new(file, [truth.as_str()], [*text])).collect();
    Some(score)
}

/// How often each word stands in a text; a character of a script without spaces is a word.
fn words(text: &str) -> FxHashMap<String, usize> {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        let is_dense =
            matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}');
        if c.is_alphanumeric() && !is_dense {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            *counts.entry(std::mem::take(&mut word)).or_default() += 1;
        }
        if is_dense && c.is_alphanumeric() {
            *counts.entry(c.to_string()).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted() {
        let counts = words("One two, two 港口 2026");
        assert_eq!(counts.get("two"), Some(&2));
        assert_eq!((counts.get("港"), counts.get("口"), counts.get("2026")), (Some(&1), Some(&1), Some(&1)));
        assert_eq!(counts.len(), 5);
    }
}
