//! Running a method on gold sites and scoring it.

use crate::report::{Report, SiteScore};
use crate::{EvalError, GoldSite, Meta, MethodError, Observed, Scorer, Set};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs a method on gold sites and scores what it finds: one [`Report`] for each set, in the order of `sets`.
///
/// `gold` names gold sites and folders of them. The method runs once for each site however many sets there are; it
/// gets the path and what the site says about itself, never the labels. A method that fails on a site scores 0 there.
pub fn evaluate(
    gold: &[PathBuf],
    sets: &[Set],
    mut method: impl FnMut(&Path, &Meta) -> Result<Observed, MethodError>,
) -> Result<Vec<Report>, EvalError> {
    let mut scores: Vec<Vec<SiteScore>> = sets.iter().map(|_| Vec::new()).collect();
    for path in crate::gold_paths(gold)? {
        let site = GoldSite::load(&path)?;
        for (all, score) in scores.iter_mut().zip(evaluate_site(&site, sets, &mut method)) {
            all.extend(score);
        }
    }
    Ok(sets.iter().zip(scores).map(|(&set, sites)| Report::new(set, sites)).collect())
}

/// Runs a method on one gold site: for each set its score, or `None` when the site has no labels for it.
pub fn evaluate_site(
    site: &GoldSite,
    sets: &[Set],
    mut method: impl FnMut(&Path, &Meta) -> Result<Observed, MethodError>,
) -> Vec<Option<SiteScore>> {
    let start = Instant::now();
    let outcome = method(&site.path, &site.meta);
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Ok(observed) => {
            let columns = observed.columns();
            let scorer = Scorer::new(&site.pages, &observed);
            let score = |&set: &Set| {
                let targets = match (set, &site.schema) {
                    (Set::Schema, Some(schema)) => scorer.schema(schema),
                    _ => scorer.score(set),
                };
                (!targets.is_empty()).then(|| SiteScore {
                    effort: scorer.effort(set),
                    ..SiteScore::new(&site.meta, targets, columns, seconds)
                })
            };
            sets.iter().map(score).collect()
        }
        Err(error) => {
            // The whole chain, or "cannot open" would hide what could not be opened.
            let mut message = error.to_string();
            let mut cause = error.source();
            while let Some(inner) = cause {
                message.push_str(&format!(": {inner}"));
                cause = inner.source();
            }
            sets.iter().map(|_| Some(SiteScore::failed(&site.meta, &message, seconds))).collect()
        }
    }
}
