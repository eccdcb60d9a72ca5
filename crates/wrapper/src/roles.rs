//! How surely a page is an index page, from what it shows and what its type showed while learning.

use crate::traits::{PageTraits, TRAITS};

/// The weight of each trait in the log-odds of an index page.
///
/// Logistic regression (ridge .05 on standardised traits) on the labelled sites of `live`, `redesign` and `news-roles`, index
/// against article pages, both roles of a site weighing the same and the designs of one site the square root of their number.
pub const INDEX_WEIGHTS: [f64; TRAITS] =
    [-0.179, 0.261, 0.258, 0.943, -0.058, -0.161, -0.058, 1.019, 0.357, -0.759, 0.079, -0.158];

/// The log-odds without any trait, from the same fit.
pub const INDEX_BIAS: f64 = 1.307;

/// The weight of the type's mean rank by LAMIS, from -1 (last of the site) to 1 (first), from the same fit.
pub const LAMIS_WEIGHT: f64 = 1.543;

/// How much the type counts against the page itself: types are mostly pure, single pages are noisy (a list with one entry).
/// The best of .5, .7 and .9, each site measured with weights fitted without it.
const TYPE_SHARE: f64 = 0.9;

/// The log-odds of an index page from the page alone.
pub fn page_logit(traits: &PageTraits) -> f64 {
    INDEX_BIAS + traits.values.iter().zip(INDEX_WEIGHTS).map(|(value, weight)| value * weight).sum::<f64>()
}

/// How surely a page is an index page, 0 to 1, given the mean log-odds of its type.
pub(crate) fn index_score(traits: &PageTraits, type_logit: f64) -> f64 {
    sigmoid(TYPE_SHARE * type_logit + (1.0 - TYPE_SHARE) * page_logit(traits))
}

/// Log-odds as a probability.
pub fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}
