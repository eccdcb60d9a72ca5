//! How surely a page is an index page, from what it shows and what its type showed while learning.

use crate::traits::{PageTraits, TRAITS};

/// The weight of each trait in the log-odds of an index page.
///
/// Logistic regression on the labelled sites of `live`, `redesign` and `news-roles`, index against article pages, both roles
/// of a site weighing the same and the designs of one site the square root of their number: ridge .015 on standardised
/// traits, a part of each site's mean taken off, and traits left out that got a sign against their meaning
/// (`crates/eval/examples/roles_weights.rs`).
pub const INDEX_WEIGHTS: [f64; TRAITS] =
    [0.0, 0.0, 2.815, 0.0, -0.172, -0.329, 0.0, 1.506, 0.735, -1.301, 0.0, -0.103, 0.947];

/// The log-odds without any trait, from the same fit, for a site with average traits.
pub const INDEX_BIAS: f64 = 1.847;

/// The weight of the type's mean rank by LAMIS, from -1 (last of the site) to 1 (first), from the same fit.
pub const LAMIS_WEIGHT: f64 = 1.268;

/// What a page loses that leads nowhere outside the frame: it cannot be an index, whatever else it looks like. Not fitted,
/// since the videos of one labelled news site count as no articles; from .5 to 1 the left-out sites measure the same.
pub const LEADS_NOWHERE: f64 = 0.7;

/// How much the type counts against the page itself: types are mostly pure, single pages are noisy (a list with one entry).
/// The best of .5, .7, .8 and .9, each site measured with weights fitted without it.
const TYPE_SHARE: f64 = 0.9;

/// The log-odds of an index page from the page alone.
pub fn page_logit(traits: &PageTraits) -> f64 {
    let sum: f64 = traits.values.iter().zip(INDEX_WEIGHTS).map(|(value, weight)| value * weight).sum();
    let leads_nowhere = if traits.values[0] == 0.0 { LEADS_NOWHERE } else { 0.0 };
    INDEX_BIAS + sum - leads_nowhere
}

/// How surely a page is an index page, 0 to 1, given the mean log-odds of its type.
pub(crate) fn index_score(traits: &PageTraits, type_logit: f64) -> f64 {
    sigmoid(TYPE_SHARE * type_logit + (1.0 - TYPE_SHARE) * page_logit(traits))
}

/// Log-odds as a probability.
pub fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
