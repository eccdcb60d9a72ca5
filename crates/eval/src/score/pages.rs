//! Page types and index pages.

use super::{EXAMPLES, Miss, TargetScore, key};
use crate::gold::GoldPage;
use crate::observed::Observed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use unsite_learn::measures::Prf;
use unsite_learn::measures::clustering::{PairCounts, clustering_entropy, dense_labels};
use unsite_learn::measures::ranking::by_score;

/// The label of a page whose class nobody knows; it is not scored.
const UNKNOWN: &str = "unknown";
/// The score of a page that was not read or has no score: behind all others.
const NO_SCORE: f64 = -1e9;

/// Pairwise precision, recall and F1 of the page types, with adjusted Rand and entropy. Pages that were not read are
/// together in a type of their own.
pub(super) fn types(observed: &Observed, gold: &[GoldPage]) -> TargetScore {
    let seen: FxHashMap<&str, Option<&str>> =
        observed.pages.iter().map(|page| (key(&page.reference), page.page_type.as_deref())).collect();
    let (mut found, mut classes, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for page in gold {
        if let Some(class) = page.page_type.as_deref().filter(|class| *class != UNKNOWN) {
            found.push(seen.get(key(&page.file)).copied().flatten());
            classes.push(class);
            files.push(key(&page.file));
        }
    }
    let counts = PairCounts::of(&found, &classes);
    let (rand, entropy) = (counts.adjusted_rand(), clustering_entropy(&found, &classes));
    let mut score = TargetScore::new("pairs", counts.prf());
    let (clusters, kinds) = (dense_labels(&found).1, dense_labels(&classes).1);
    score.note = format!("ARI {rand:.3} entropy {entropy:.3} k {clusters}/{kinds}");
    score.more = BTreeMap::from([("ari", rand), ("purity", 1.0 - entropy)]);
    score.misses = strays(&found, &classes, &files);
    score
}

/// The page types of sites that only tell articles from everything else.
const ARTICLE_OR_NOT: [&str; 2] = ["article", "non-article"];

/// The role of pages that are what one came for.
const ARTICLE: &str = "article";

/// The share of the pages that are rightly called articles or not, on a site whose labels tell just that.
pub(super) fn articles(observed: &Observed, gold: &[GoldPage]) -> Option<TargetScore> {
    let labelled = gold.iter().filter_map(|page| Some((key(&page.file), page.page_type.as_deref()?)));
    let told: Vec<(&str, &str)> = labelled.collect();
    if !told.iter().all(|(_, name)| ARTICLE_OR_NOT.contains(name)) {
        return None;
    }
    if told.is_empty() || gold.iter().any(|page| page.role.is_some()) {
        return None;
    }
    let seen: FxHashMap<&str, &str> = observed
        .pages
        .iter()
        .map(|page| (key(&page.reference), page.role.as_deref().unwrap_or("")))
        .collect();
    let role = |file: &str| seen.get(file).copied().unwrap_or("");
    let is_right = |(file, name): &(&str, &str)| (role(file) == ARTICLE) == (*name == ARTICLE);
    let right = told.iter().filter(|page| is_right(page)).count();
    let share = right as f64 / told.len() as f64;
    let mut score = TargetScore::new("accuracy", Prf { precision: share, recall: share, f1: share });
    score.note = format!("{right} of {} pages", told.len());
    let wrong = told.iter().filter(|page| !is_right(page)).take(EXAMPLES);
    score.misses = wrong.map(|(file, name)| Miss::new(file, [*name], [role(file)])).collect();
    Some(score)
}

/// R-precision of index pages: among as many top pages as there are index pages, the share that are.
pub(super) fn roles(observed: &Observed, gold: &[GoldPage]) -> Option<TargetScore> {
    let seen: FxHashMap<&str, f64> = observed
        .pages
        .iter()
        .map(|page| (key(&page.reference), page.index_score.unwrap_or(NO_SCORE)))
        .collect();
    let labelled: Vec<(&str, bool)> = gold
        .iter()
        .filter_map(|page| match page.role.as_deref() {
            Some("index") => Some((key(&page.file), true)),
            Some("article") => Some((key(&page.file), false)),
            _ => None,
        })
        .collect();
    let wanted: FxHashSet<&str> =
        labelled.iter().filter(|(_, index)| *index).map(|(file, _)| *file).collect();
    if wanted.is_empty() {
        return None;
    }
    // Adding 0 makes -0 and 0 one score.
    let scores: Vec<f64> =
        labelled.iter().map(|(file, _)| seen.get(file).copied().unwrap_or(NO_SCORE) + 0.0).collect();
    let order = by_score(&scores);
    let top: FxHashSet<&str> = order.iter().take(wanted.len()).map(|&i| labelled[i].0).collect();
    let share = wanted.intersection(&top).count() as f64 / wanted.len() as f64;
    let mut score = TargetScore::new("r-precision", Prf { precision: share, recall: share, f1: share });
    score.note = format!("{} index pages of {}", wanted.len(), labelled.len());
    score.misses = order
        .iter()
        .enumerate()
        .filter(|&(rank, &i)| (rank < wanted.len()) != labelled[i].1)
        .take(EXAMPLES)
        .map(|(rank, &i)| {
            let expected = if labelled[i].1 { "index" } else { "article" };
            let got = format!("rank {} with score {}", rank + 1, scores[i]);
            Miss::new(labelled[i].0, [expected], [got.as_str()])
        })
        .collect();
    Some(score)
}

/// Pages that are in the minority of the type they were put into.
fn strays(found: &[Option<&str>], classes: &[&str], files: &[&str]) -> Vec<Miss> {
    let mut counts: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
    for (&cluster, &class) in found.iter().zip(classes) {
        *counts.entry((cluster, class)).or_default() += 1;
    }
    let mut majority: BTreeMap<Option<&str>, (usize, &str)> = BTreeMap::new();
    for (&(cluster, class), &count) in &counts {
        let best = majority.entry(cluster).or_insert((0, class));
        if count > best.0 {
            *best = (count, class);
        }
    }
    (0..found.len())
        .filter(|&i| majority.get(&found[i]).is_some_and(|(_, class)| *class != classes[i]))
        .take(EXAMPLES)
        .map(|i| {
            let company = majority.get(&found[i]).map_or("", |(_, class)| class);
            let got = format!("{}, with pages of {company}", found[i].unwrap_or("no type"));
            Miss::new(files[i], [classes[i]], [got.as_str()])
        })
        .collect()
}
