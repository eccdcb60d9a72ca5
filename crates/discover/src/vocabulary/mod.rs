//! Which class and id names a page type's template uses: those that recur, with families of data-made
//! names (`category-web`, `category-art`, ...) folded into one.

mod row_names;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Tree;
use unsite_wrapper::{ClassMap, Names, family, raw_names_of};

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
pub fn class_map(trees: &[&Tree]) -> ClassMap {
    let step = trees.len().div_ceil(LOOKED_AT).max(1);
    let trees: Vec<&Tree> = trees.iter().copied().step_by(step).collect();
    let pages_with = pages_with_names(&trees);
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
    let (mut known, mut families) = (Names::default(), Names::default());
    for (name, &count) in &pages_with {
        let frequent = count as f64 >= RARE * pages;
        if !frequent && is_family(name) {
            family(name).into_iter().for_each(|family| families.insert(family.to_owned()));
        } else if trees.len() < 3 || (count >= 2 && count as f64 >= RECURRING * pages) {
            known.insert(name.clone());
        }
    }
    ClassMap::new(known, families)
}

/// The same without the names that the data writes on the rows of lists.
pub(crate) fn class_map_of_template(trees: &[&Tree]) -> ClassMap {
    class_map(trees).without(&row_names::row_names(trees))
}

/// On how many pages each name stands.
fn pages_with_names(trees: &[&Tree]) -> FxHashMap<String, usize> {
    let spelled: Vec<Vec<Spelling<'_>>> = trees.par_iter().map(|tree| spellings(tree)).collect();
    // Pages of a site spell their names alike: each spelling is taken apart once.
    let mut names_of: FxHashMap<Spelling<'_>, Vec<usize>> = FxHashMap::default();
    let mut place: FxHashMap<String, usize> = FxHashMap::default();
    // For each name, on how many pages it stands and the last of them.
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for (page, spellings) in spelled.into_iter().enumerate() {
        for spelling in spellings {
            let names = names_of.entry(spelling).or_insert_with(|| {
                let names = raw_names_of(spelling.0, spelling.1);
                names
                    .map(|name| {
                        let next = place.len();
                        *place.entry(name).or_insert(next)
                    })
                    .collect()
            });
            for &mut name in names {
                if name >= counts.len() {
                    counts.resize(name + 1, (0, usize::MAX));
                }
                let (count, last) = &mut counts[name];
                *count += usize::from(*last != page);
                *last = page;
            }
        }
    }
    place.into_iter().map(|(name, at)| (name, counts[at].0)).collect()
}

/// The values of `class` and `id` of an element.
type Spelling<'a> = (Option<&'a str>, Option<&'a str>);

/// The different values of `class` and `id` on a page.
fn spellings(tree: &Tree) -> Vec<Spelling<'_>> {
    let mut seen: FxHashSet<Spelling<'_>> = FxHashSet::default();
    let elements = tree.nodes().filter(|&node| tree.is_element(node));
    let spelled = elements.map(|node| (tree.attr(node, "class"), tree.attr(node, "id")));
    spelled.filter(|spelling| *spelling != (None, None) && seen.insert(*spelling)).collect()
}
