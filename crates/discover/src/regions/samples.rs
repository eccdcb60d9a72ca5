//! Which pages are learned from.

use crate::site::spread;

/// Pages of one type that are learned from. InfoDiscoverer takes 10; between 20 and 80 the thresholds of the labelled sites
/// stay as they are, and the time grows.
const LEARNED_FROM: usize = 40;

/// For each type some of its pages, evenly spread.
pub(super) fn samples(type_of: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (page, &at) in type_of.iter().enumerate() {
        if let Some(members) = members.get_mut(at) {
            members.push(page);
        }
    }
    members.iter().map(|members| spread(members, LEARNED_FROM)).collect()
}
