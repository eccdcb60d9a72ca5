//! How surely a page is an index page, from what it shows and what its type showed while learning.

use crate::traits::{PageTraits, TRAITS};

/// The weight of each trait in the log-odds of an index page.
pub const INDEX_WEIGHTS: [f64; TRAITS] = [0.0; TRAITS];

/// The log-odds without any trait.
pub const INDEX_BIAS: f64 = 0.0;

/// The weight of the type's mean rank by LAMIS, from -1 (last of the site) to 1 (first).
pub const LAMIS_WEIGHT: f64 = 0.0;

/// How much the type counts against the page itself. Types are mostly pure, single pages are noisy (a list with one
/// entry).
const TYPE_SHARE: f64 = 0.7;

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
