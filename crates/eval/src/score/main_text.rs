//! The body of articles, by runs of four words.

use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::GoldPage;
use crate::observed::Observed;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use unsite_learn::measures::main_text::{TextMatch, exact_share, main_text_score};

/// Precision and recall averaged over the labelled pages; the worst pages are the examples. A method that gives no
/// main text scores 0.
pub(super) fn score(observed: &Observed, gold: &[GoldPage]) -> Option<TargetScore> {
    let found: FxHashMap<&str, &str> =
        observed.main_text.iter().flatten().map(|(page, text)| (key(page), text.as_str())).collect();
    let mut documents: Vec<(TextMatch, &str, &str, &str)> = Vec::new();
    for page in gold {
        if let Some(truth) = &page.main_text {
            let file = key(&page.file);
            let text = found.get(file).copied().unwrap_or_default();
            documents.push((TextMatch::of(truth, text), file, truth, text));
        }
    }
    if documents.is_empty() {
        return None;
    }
    let matches: Vec<TextMatch> = documents.iter().map(|document| document.0).collect();
    let exact = exact_share(&matches);
    let mut score = TargetScore::new("main text", main_text_score(&matches));
    score.note = format!("{exact:.3} of {} pages exact", documents.len());
    score.more = BTreeMap::from([("exact", exact)]);
    documents.sort_by(|a, b| a.0.both.total_cmp(&b.0.both));
    score.misses = documents
        .iter()
        .filter(|document| !document.0.is_exact())
        .take(EXAMPLES)
        .map(|(_, file, truth, text)| Miss::new(file, [*truth], [*text]))
        .collect();
    Some(score)
}
