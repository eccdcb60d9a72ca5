//! The page types of the changed site, under their old names where pages are still at their addresses.

use std::collections::BTreeMap;

use unsite_wrapper::SavedWrapper;

use crate::naming::Namer;
use crate::page_types::PageTypes;

/// The page types of the changed site.
pub(super) struct Retyped {
    pub(super) types: PageTypes,
    /// For each of them, the old type it stands for.
    pub(super) old_of: Vec<Option<usize>>,
}

/// What pages are after the redesign: of an old type, of which part of it, or of a type that is new.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Old { old: usize, part: usize },
    New { cluster: usize },
}

/// Gives pages at known addresses their old types, and the others the old type of most pages of their cluster. An old type
/// that is to be split has a type for each cluster that its pages are in: a redesign may build them in several ways.
/// `known` are the old types of the pages.
pub(super) fn retype(
    known: &[Option<usize>],
    old: &SavedWrapper,
    found: &PageTypes,
    split: &[bool],
) -> Retyped {
    let mut votes: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); found.count];
    for (&cluster, known) in found.type_of.iter().zip(known) {
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
    let part = |old: usize, cluster: usize| if split.get(old) == Some(&true) { cluster } else { 0 };
    // Old types first, in their order, then clusters without any known page.
    let labels: Vec<Label> = found
        .type_of
        .iter()
        .zip(known)
        .map(|(&cluster, known)| match known.or(majority[cluster]) {
            Some(old) => Label::Old { old, part: part(old, cluster) },
            None => Label::New { cluster },
        })
        .collect();
    let mut pages: BTreeMap<Label, usize> = BTreeMap::new();
    for label in &labels {
        *pages.entry(*label).or_default() += 1;
    }
    // Of the parts of an old type the largest comes first.
    let mut order: Vec<Label> = pages.keys().copied().collect();
    order.sort_by_key(|label| match label {
        Label::Old { old, .. } => (0, *old, std::cmp::Reverse(pages[label]), *label),
        Label::New { cluster } => (1, *cluster, std::cmp::Reverse(0), *label),
    });
    let mut namer = Namer::default();
    let (mut names, mut patterns, mut old_of) = (Vec::new(), Vec::new(), Vec::new());
    for info in &old.wrapper.schema.page_types {
        namer.unique(&info.name);
    }
    let (mut confidence, mut typical, mut doubtful) = (Vec::new(), Vec::new(), Vec::new());
    for (place, label) in order.iter().enumerate() {
        // The pages that show an old type are those of the clusters that most of its pages are in.
        let shown = |pages: &[Vec<usize>]| -> Vec<usize> {
            let is_of = |cluster: &usize| match *label {
                Label::Old { old, part: this } => {
                    majority[*cluster] == Some(old) && part(old, *cluster) == this
                }
                Label::New { cluster: this } => *cluster == this,
            };
            (0..found.count).filter(is_of).flat_map(|cluster| pages[cluster].iter().copied()).collect()
        };
        typical.push(shown(&found.typical));
        doubtful.push(shown(&found.doubtful));
        match *label {
            Label::Old { old: at, .. } => {
                let info = &old.wrapper.schema.page_types[at];
                let is_first = place == 0 || old_of[place - 1] != Some(at);
                names.push(if is_first { info.name.clone() } else { namer.unique(&info.name) });
                confidence.push(info.confidence);
                patterns.push(info.url_pattern.clone());
                old_of.push(Some(at));
            }
            Label::New { cluster } => {
                names.push(namer.unique(&found.names[cluster]));
                patterns.push(found.patterns[cluster].clone());
                confidence.push(found.confidence[cluster]);
                old_of.push(None);
            }
        }
    }
    let place: BTreeMap<Label, usize> = order.iter().enumerate().map(|(at, label)| (*label, at)).collect();
    let types = PageTypes {
        template_of: Vec::new(),
        addresses_tell: false,
        type_of: labels.iter().map(|label| place[label]).collect(),
        count: order.len(),
        classes: found.classes.clone(),
        names,
        patterns,
        confidence,
        typical,
        doubtful,
    };
    Retyped { types, old_of }
}
