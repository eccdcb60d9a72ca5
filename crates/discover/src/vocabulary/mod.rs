//! Which class and id names a page type's template uses: those that recur, with families of data-made
//! names (`category-web`, `category-art`, ...) folded into one.

mod row_names;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Tree;
use unsite_wrapper::{ClassMap, family, raw_names};

/// A name on fewer pages than this share is written by the data rather than by the template.
const RECURRING: f64 = 0.02;

/// Names on fewer pages than this share may be members of a family. A template's own names mostly stand
/// on all of its pages.
const RARE: f64 = 0.3;

/// A family has at least this many rare members: fewer are optional parts of the template.
const FAMILY: usize = 6;

/// Pages that names are counted on, evenly spread: shares of some per cent need no more.
const LOOKED_AT: usize = 1000;

/// Learns the names from the pages of one type.
pub(crate) fn class_map(trees: &[&Tree]) -> ClassMap {
    let step = trees.len().div_ceil(LOOKED_AT).max(1);
    let trees: Vec<&Tree> = trees.iter().copied().step_by(step).collect();
    let names: Vec<FxHashSet<String>> = trees.par_iter().map(|tree| names_on(tree)).collect();
    let mut pages_with: FxHashMap<String, usize> = FxHashMap::default();
    for name in names.into_iter().flatten() {
        *pages_with.entry(name).or_default() += 1;
    }
    let pages = trees.len() as f64;
    let mut rare_members: FxHashMap<&str, usize> = FxHashMap::default();
    for (name, &count) in &pages_with {
        if (count as f64) < RARE * pages
            && let Some(family) = family(name)
        {
            *rare_members.entry(family).or_default() += 1;
        }
    }
    let is_family = |name: &str| {
        family(name).is_some_and(|family| rare_members.get(family).is_some_and(|&members| members >= FAMILY))
    };
    let mut map = ClassMap::default();
    for (name, &count) in &pages_with {
        let frequent = count as f64 >= RARE * pages;
        if !frequent && is_family(name) {
            map.families.extend(family(name).map(str::to_owned));
        } else if trees.len() < 3 || (count >= 2 && count as f64 >= RECURRING * pages) {
            map.known.insert(name.clone());
        }
    }
    map
}

/// The same without the names that the data writes on the rows of lists.
pub(crate) fn class_map_of_template(trees: &[&Tree]) -> ClassMap {
    let mut map = class_map(trees);
    for name in row_names::row_names(trees) {
        map.known.remove(&name);
    }
    map
}

/// The names on one page; an element written like one before is not looked at again.
fn names_on(tree: &Tree) -> FxHashSet<String> {
    let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
    let mut names = FxHashSet::default();
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        let attr = |name| tree.attr(node, name).unwrap_or_default();
        if seen.insert((attr("class"), attr("id"))) {
            names.extend(raw_names(tree, node));
        }
    }
    names
}
