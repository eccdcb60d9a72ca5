//! Types that nothing but their routes tells apart: lists of a category and answers of a search in one template.
//!
//! # What it does
//! However alike two pages are built, they are of two types where both their addresses and what links to them say so. Likeness of
//! markup is evidence for one template, and types of one template share its tables whether they are divided or not. So the sets of
//! pages of a type come apart where both experts take most pairs of them for different, and each has a route that names it: what
//! differs in data alone stays together.
//! # Assumes
//! Addresses tell types on this site.
//! # When it fails
//! Menus that link to the same kind of page in two ways, under two routes.
//! # Paper
//! Ours.

use unsite_learn::agglomerative::{Linkage, agglomerative};
use unsite_learn::correlation::renumber;

use super::DIVIDED;
use super::grouping::{PairOfSets, Sets};

/// Fewer pages are odd ones, and no type.
const FEWEST: usize = 3;

/// Pairs of which more than this share is divided belong apart.
const MOSTLY: f64 = 0.5;

/// The types of the sets, divided where both of two experts say so. `route` gives the words that name the addresses of pages.
pub(super) fn divided(
    sets: &Sets,
    pairs: &[PairOfSets],
    types: &[u32],
    experts: [usize; 2],
    route: impl Fn(&[usize]) -> Vec<String>,
) -> Vec<u32> {
    let count = sets.pages.len();
    let mut apart = vec![0.0; count * count];
    for pair in pairs {
        let says_so = |&expert: &usize| {
            let told: Vec<f64> = pair.judged.iter().filter_map(|scores| scores[expert]).collect();
            !told.is_empty() && told.iter().sum::<f64>() < DIVIDED * told.len() as f64
        };
        if experts.iter().all(says_so) {
            let (a, b) = (pair.a as usize, pair.b as usize);
            (apart[a * count + b], apart[b * count + a]) = (1.0, 1.0);
        }
    }
    let kinds = types.iter().max().map_or(0, |&last| last + 1);
    let mut labels: Vec<u32> = types.to_vec();
    let mut next = kinds;
    for kind in 0..kinds {
        let members: Vec<usize> = (0..count).filter(|&set| types[set] == kind).collect();
        let groups =
            agglomerative(members.len(), Linkage::Average, |a, b| apart[members[a] * count + members[b]]);
        let group_of = groups.cut(MOSTLY);
        let mut pages: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
        for (&set, &group) in members.iter().zip(&group_of) {
            pages[group as usize].extend(&sets.pages[set]);
        }
        let largest = (0..pages.len()).max_by_key(|&group| (pages[group].len(), pages.len() - group));
        let Some(usual) = largest.map(|group| route(&pages[group])).filter(|words| !words.is_empty()) else {
            continue;
        };
        for group in (0..pages.len()).filter(|&group| pages[group].len() >= FEWEST) {
            let own = route(&pages[group]);
            if own.is_empty() || own == usual {
                continue;
            }
            for (&set, _) in members.iter().zip(&group_of).filter(|(_, of)| **of as usize == group) {
                labels[set] = next;
            }
            next += 1;
        }
    }
    renumber(&labels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experts::EXPERTS;

    /// Eight sets of one page in one type; what the two experts say of pairs of the first four and the last four.
    fn types(address: f64, links: f64) -> Vec<u32> {
        let sets = Sets::of(&[None; 8]);
        let pairs = (0..8u32).flat_map(|b| (0..b).map(move |a| (a, b)));
        let judged = pairs.map(|(a, b)| {
            let across = (a < 4) != (b < 4);
            let mut scores = vec![None; EXPERTS.len()];
            scores[0] = Some(if across { address } else { 1.0 });
            scores[1] = Some(if across { links } else { 1.0 });
            PairOfSets { a, b, judged: vec![scores] }
        });
        let route = |pages: &[usize]| vec![if pages[0] < 4 { "category" } else { "search" }.to_owned()];
        divided(&sets, &judged.collect::<Vec<_>>(), &[0; 8], [0, 1], route)
    }

    #[test]
    fn both_have_to_say_so() {
        assert_eq!(types(0.1, 0.2), [0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(types(0.1, 0.9), [0; 8]);
        assert_eq!(types(0.9, 0.2), [0; 8]);
    }
}
