//! Which pages are of one kind? Every published method under its own name, and the default.

pub mod auto;
pub mod methods;
mod naming;

use std::sync::Arc;

use unsite_wrapper::{ClassMap, path_set};

use crate::evidence::Model;
use crate::experts::EXPERTS;
use crate::fields::class_map;
use crate::site::Site;

pub(crate) use naming::{type_names, url_pattern};

/// What a clustering is asked for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What random choices start from.
    pub seed: u64,
    /// The number of types, for methods that take one; `None` finds it.
    pub k: Option<usize>,
    /// Which queries led to which pages, for methods that can use it.
    pub search_log: Option<methods::keyclus::SearchLog>,
    /// The only experts that the default method hears, by name; empty for all.
    pub only: Vec<String>,
    /// Experts that it does not hear.
    pub without: Vec<String>,
    /// What experts' scores mean; `None` for the model that comes with the program.
    pub model: Option<Arc<Model>>,
}

impl Options {
    /// For each expert of the registry, whether it is heard.
    pub fn experts_on(&self) -> Vec<bool> {
        let named = |list: &[String], name: &str| list.iter().any(|one| one == name);
        EXPERTS
            .iter()
            .map(|expert| {
                (self.only.is_empty() || named(&self.only, expert.name)) && !named(&self.without, expert.name)
            })
            .collect()
    }
}

/// The page types of a site.
pub struct PageTypes {
    /// For each page of the site, its type.
    pub type_of: Vec<usize>,
    /// How many types there are.
    pub count: usize,
    /// Site-wide template names.
    pub classes: ClassMap,
    /// For each page, its sorted path set.
    pub path_sets: Vec<Vec<u64>>,
}

/// Groups the pages of a site with a method.
pub fn cluster(site: &Site, method: &methods::Method, options: &Options) -> PageTypes {
    use rayon::prelude::*;
    let trees: Vec<&unsite_dom::Tree> = site.pages.iter().map(|page| &page.tree).collect();
    let classes = class_map(&trees);
    let path_sets: Vec<Vec<u64>> = trees.par_iter().map(|tree| path_set(tree, &classes)).collect();
    let (type_of, count) = renumber(&(method.cluster)(site, options));
    PageTypes { type_of, count, classes, path_sets }
}

/// Labels as 0, 1, 2, ... in the order in which they first appear.
fn renumber(labels: &[usize]) -> (Vec<usize>, usize) {
    let mut numbers = rustc_hash::FxHashMap::default();
    let renumbered = labels
        .iter()
        .map(|label| {
            let next = numbers.len();
            *numbers.entry(*label).or_insert(next)
        })
        .collect();
    (renumbered, numbers.len())
}
