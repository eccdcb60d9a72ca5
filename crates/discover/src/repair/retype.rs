//! The page types of the changed site, under their old names where pages are still at their addresses.

use std::collections::BTreeMap;

use unsite_wrapper::SavedWrapper;

use crate::naming::Namer;
use crate::page_types::PageTypes;
use crate::site::Site;

/// The page types of the changed site.
pub(super) struct Retyped {
    pub(super) types: PageTypes,
    /// For each of them, the old type it stands for.
    pub(super) old_of: Vec<Option<usize>>,
}

/// Gives pages at known addresses their old types, and the others the old type of most pages of their cluster.
pub(super) fn retype(site: &Site, old: &SavedWrapper, found: PageTypes) -> Retyped {
    let known: Vec<Option<usize>> =
        site.pages.iter().map(|page| old.wrapper.training.type_at(&page.raw.url)).collect();
    let mut votes: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); found.count];
    for (&cluster, known) in found.type_of.iter().zip(&known) {
        if let Some(known) = known {
            *votes[cluster].entry(*known).or_default() += 1;
        }
    }
    let majority: Vec<Option<usize>> = votes
        .iter()
        .map(|votes| {
            votes.iter().max_by_key(|(old, count)| (**count, std::cmp::Reverse(**old))).map(|(old, _)| *old)
        })
        .collect();
    // Old types first, in their order, then clusters without any known page.
    let labels: Vec<(usize, usize)> = found
        .type_of
        .iter()
        .zip(&known)
        .map(|(&cluster, known)| known.or(majority[cluster]).map_or((1, cluster), |old| (0, old)))
        .collect();
    let mut order = labels.clone();
    order.sort_unstable();
    order.dedup();
    let mut namer = Namer::default();
    let (mut names, mut patterns, mut old_of) = (Vec::new(), Vec::new(), Vec::new());
    for info in &old.wrapper.schema.page_types {
        namer.unique(&info.name);
    }
    let (mut confidence, mut typical, mut doubtful) = (Vec::new(), Vec::new(), Vec::new());
    for &(new, at) in &order {
        // The pages that show an old type are those of the clusters that most of its pages are in.
        let shown = |pages: &[Vec<usize>]| -> Vec<usize> {
            let is_of =
                |cluster: &usize| if new == 0 { majority[*cluster] == Some(at) } else { *cluster == at };
            (0..found.count).filter(is_of).flat_map(|cluster| pages[cluster].iter().copied()).collect()
        };
        typical.push(shown(&found.typical));
        doubtful.push(shown(&found.doubtful));
        if new == 0 {
            let info = &old.wrapper.schema.page_types[at];
            confidence.push(info.confidence);
            names.push(info.name.clone());
            patterns.push(info.url_pattern.clone());
            old_of.push(Some(at));
        } else {
            names.push(namer.unique(&found.names[at]));
            patterns.push(found.patterns[at].clone());
            confidence.push(found.confidence[at]);
            old_of.push(None);
        }
    }
    let type_of = labels.iter().map(|label| order.binary_search(label).unwrap_or_default()).collect();
    let types = PageTypes {
        built_like: Vec::new(),
        type_of,
        count: order.len(),
        classes: found.classes,
        names,
        patterns,
        confidence,
        typical,
        doubtful,
    };
    Retyped { types, old_of }
}
