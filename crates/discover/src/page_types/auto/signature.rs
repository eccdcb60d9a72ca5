//! Pages that are structurally equal are judged once.

use super::readings::{Reading, Readings, read_page};
use crate::experts::{EXPERTS, Feature, PageView, Weights, position};
use crate::site::SitePage;
use unsite_wrapper::ClassMap;

/// Experts whose features make a signature: what the page is built from, and what names its kind.
const SIGNING: [&str; 4] = ["path-set", "heading", "embedded", "url"];

/// Experts that are read as fast and need no texts; where they agree, the others need not be asked.
const QUICK: [&str; 2] = ["tag-signature", "blocks"];

/// A page of whose paths more than this share stand on no other page of the sample is like no other, and has no
/// signature. Chosen so that a comment or a table more does not count; other values were not measured.
const UNKNOWN: f64 = 0.1;

/// Words of addresses that come at least so often, and on this share of pages, may name a kind of page.
const ROUTE_PAGES: f64 = 2.0;
const ROUTE_SHARE: f64 = 0.02;

/// What signatures are made from on one site. Pages with equal signatures have the same template paths, the same
/// words around titles and headings, the same names for themselves and the same route: no expert that tells types apart
/// could tell them apart.
pub(super) struct Signatures {
    /// The signing experts that are on; without paths there are no signatures.
    signing: Vec<bool>,
    /// These and the quick ones.
    pub(super) quick: Vec<bool>,
    paths: Option<usize>,
    url: Option<usize>,
}

impl Signatures {
    pub(super) fn new(on: &[bool]) -> Self {
        let heard = |name| position(name).filter(|&at| on[at]);
        let among = |names: &[&str]| {
            EXPERTS.iter().zip(on).map(|(expert, &on)| on && names.contains(&expert.name)).collect()
        };
        Signatures {
            signing: among(&SIGNING),
            quick: among(&[&SIGNING[..], &QUICK[..]].concat()),
            paths: heard("path-set"),
            url: heard("url"),
        }
    }

    /// The signature of a page that was read; `None` for a page that must be judged by itself.
    pub(super) fn of_reading(&self, readings: &Readings, reading: &Reading) -> Option<u64> {
        let paths = self.paths?;
        let is_known = |path: &&Feature| readings.weights[paths].count(path.key) >= 2.0;
        let all = reading[paths].iter().count();
        let known = reading[paths].iter().filter(is_known).count();
        if (all - known) as f64 > UNKNOWN * all as f64 {
            return None;
        }
        let mut signature = 0u64;
        for (at, features) in reading.iter().enumerate().filter(|(at, _)| self.signing[*at]) {
            let weights = &readings.weights[at];
            let tells = |feature: &&Feature| match at {
                _ if at == paths => is_known(feature),
                _ if Some(at) == self.url => is_route(weights, feature),
                _ => true,
            };
            let keys = features.iter().filter(tells).map(|feature| feature.key);
            signature = keys.fold(step(signature, at as u64), step);
        }
        Some(signature)
    }

    /// What the quick experts read off a page, and its signature.
    pub(super) fn of_page(
        &self,
        readings: &Readings,
        page: &SitePage,
        classes: &ClassMap,
    ) -> (Reading, Option<u64>) {
        let view = PageView::without_texts(&page.raw.url, &page.tree, classes);
        let reading = readings.settled(read_page(&view, &self.quick));
        let signature = self.of_reading(readings, &reading);
        (reading, signature)
    }
}

fn is_route(weights: &Weights, word: &Feature) -> bool {
    weights.count(word.key) >= ROUTE_PAGES && weights.share(word.key) >= ROUTE_SHARE
}

/// One more key of an ordered list.
fn step(hash: u64, key: u64) -> u64 {
    (hash.rotate_left(5) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
