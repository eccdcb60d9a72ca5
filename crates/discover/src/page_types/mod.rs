//! Which pages are of one kind? Every published method under its own name, and the default.

pub mod auto;
pub mod methods;
mod naming;
pub mod neighbours;

use std::sync::Arc;

use unsite_wrapper::ClassMap;

use crate::evidence::Model;
use crate::experts::EXPERTS;
use crate::site::Site;
use crate::vocabulary::class_map;

use naming::{type_names, url_pattern};

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
    /// A name for each type that people understand, unique in the site.
    pub names: Vec<String>,
    /// The URLs of each type with `*` for what varies.
    pub patterns: Vec<String>,
}

/// Groups the pages of a site with a method.
pub fn cluster(site: &Site, method: &methods::Method, options: &Options) -> PageTypes {
    let trees: Vec<&unsite_dom::Tree> = site.pages.iter().map(|page| &page.tree).collect();
    let classes = class_map(&trees);
    // The default has its own names; for the others they come from the URLs.
    let typing = (method.name == methods::METHODS[0].name).then(|| auto::Typing::of(site, options));
    let labels =
        typing.as_ref().map_or_else(|| (method.cluster)(site, options), |typing| typing.type_of.clone());
    let (type_of, count) = renumber(&labels);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (page, &page_type) in type_of.iter().enumerate() {
        members[page_type].push(page);
    }
    let urls = site.urls();
    let (mut names, mut patterns) = (Vec::new(), Vec::new());
    for pages in &members {
        let summary =
            typing.as_ref().zip(pages.first()).map(|(typing, &page)| &typing.types[typing.type_of[page]]);
        let addresses: Vec<&str> = pages.iter().map(|&page| urls[page]).collect();
        patterns.push(summary.map_or_else(|| url_pattern(&addresses), |summary| summary.url_pattern.clone()));
        names.extend(summary.map(|summary| summary.name.clone()));
    }
    if typing.is_none() {
        let sizes: Vec<usize> = members.iter().map(Vec::len).collect();
        names = type_names(&patterns, &sizes);
    }
    PageTypes { type_of, count, classes, names, patterns }
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
