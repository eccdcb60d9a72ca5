//! The default method.

use unsite_wrapper::path_set;

use super::Options;
use crate::fields::class_map;
use crate::site::Site;

/// Pages whose path sets overlap less than this start a type of their own.
const SAME_TYPE: f64 = 0.4;

/// A label for each page.
pub(super) fn cluster(site: &Site, _: &Options) -> Vec<usize> {
    use rayon::prelude::*;
    let trees: Vec<&unsite_dom::Tree> = site.pages.iter().map(|page| &page.tree).collect();
    let classes = class_map(&trees);
    let path_sets: Vec<Vec<u64>> = trees.par_iter().map(|tree| path_set(tree, &classes)).collect();
    let mut leaders: Vec<usize> = Vec::new();
    let mut type_of = Vec::with_capacity(path_sets.len());
    for (page, paths) in path_sets.iter().enumerate() {
        let best = leaders
            .iter()
            .map(|&leader| unsite_wrapper::similarity(&path_sets[leader], paths))
            .enumerate()
            .rev()
            .max_by(|a, b| a.1.total_cmp(&b.1));
        match best {
            Some((at, likeness)) if likeness >= SAME_TYPE => type_of.push(at),
            _ => {
                type_of.push(leaders.len());
                leaders.push(page);
            }
        }
    }
    type_of
}
