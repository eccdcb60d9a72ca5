//! CHEX on data: the clustering of texts under which the experts' hints are most probable.

use unsite_dom::{NodeId, Tree};

use super::Clustered;
use super::sample::samples;
use crate::page_types::chex;

/// Groups the texts of pages of one type by hints.
///
/// # What it does
/// Texts in one slot of the template of two pages, in one slot of a list's rows, or in one column are hinted to belong
/// together; leader-follower over the texts in document order, each joining the cluster that makes all hints so far
/// most probable, or opening one. Texts without any hint are constants and are left out.
/// # Assumes
/// All pages are of one type: that is CHEX's other problem, which `--method chex` solves.
/// # When it fails
/// The order matters, and an early mistake stays.
/// # Paper
/// Gazen, CMU-CS-08-154 (2008), CHEX. Items are whole text nodes instead of the union of all experts' boundaries.
pub(super) fn cluster(trees: &[&Tree]) -> Vec<Clustered> {
    let known = samples(trees, usize::MAX);
    let of = |page: usize, node: NodeId| {
        let at = known.binary_search_by_key(&(page, node), |sample| (sample.page, sample.node)).ok()?;
        known.get(at)
    };
    let texts = chex::texts(trees).into_iter();
    texts
        .filter_map(|(page, node, cluster)| {
            let sample = of(page, node)?;
            let (text, is_constant) = (sample.text.clone(), sample.is_constant);
            Some(Clustered { page, node, text, is_constant, cluster })
        })
        .collect()
}
