//! Which pages are of one kind? The published methods that this is held against are a crate of their own.

pub mod auto;
mod naming;
pub mod neighbours;
mod search_log;
mod strangers;
mod templates;

use std::sync::Arc;

use unsite_wrapper::ClassMap;

use crate::evidence::Model;
use crate::experts::{EXPERTS, node_paths};
use crate::site::Site;
use crate::vocabulary::class_map;

use naming::{NamedType, name_types};
pub use search_log::{Click, LogProblem, SEARCH_PARAMETERS, SearchLog};

/// What a clustering is asked for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What random choices start from.
    pub seed: u64,
    /// The number of types, for methods that take one; `None` finds it.
    pub k: Option<usize>,
    /// Which queries led to which pages, for methods that can use it.
    pub search_log: Option<Arc<SearchLog>>,
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
        EXPERTS.iter().map(|expert| self.hears(expert.name)).collect()
    }

    /// Whether the expert of that name is heard.
    pub fn hears(&self, expert: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|one| one == expert);
        (self.only.is_empty() || named(&self.only)) && !named(&self.without)
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
    /// For each type, the type whose template its pages share: itself, mostly.
    pub template_of: Vec<usize>,
    /// The addresses of the site tell its types: what they divide is no accident.
    pub addresses_tell: bool,
    /// How surely the pages of each type belong together and apart from others, 0 to 1.
    pub confidence: Vec<f64>,
    /// Pages of each type that are most like the others of it, best first.
    pub typical: Vec<Vec<usize>>,
    /// Pages of each type that are least surely of it, worst first.
    pub doubtful: Vec<Vec<usize>>,
}

/// Groups the pages of a site.
pub fn cluster(site: &Site, options: &Options) -> PageTypes {
    let typing = auto::Typing::of(site, options);
    let mut types = PageTypes::numbered(site, &typing.type_of);
    let members = types.members();
    let summary = |pages: &Vec<usize>| Some(typing.types[typing.type_of[*pages.first()?]].clone());
    types.addresses_tell = typing.addresses_tell;
    types.template_of = template_of(&typing, &types.type_of, &members);
    types.describe(members.iter().filter_map(summary).collect());
    types
}

impl PageTypes {
    /// Types that something else found: a label for each page, equal labels are one type. Labels come without reasons,
    /// so that names come from the addresses, and how like the others each page is from the paths that they share.
    pub fn of_labels(site: &Site, labels: &[usize]) -> Self {
        let mut types = PageTypes::numbered(site, labels);
        let summaries = summarised_by_paths(site, &types.members(), &types.classes);
        types.describe(summaries);
        types
    }

    /// Types without a description.
    fn numbered(site: &Site, labels: &[usize]) -> Self {
        let trees: Vec<&unsite_dom::Tree> = site.pages.iter().map(|page| &page.tree).collect();
        let (type_of, count) = renumber(labels);
        PageTypes {
            type_of,
            count,
            classes: class_map(&trees),
            names: Vec::new(),
            patterns: Vec::new(),
            template_of: (0..count).collect(),
            addresses_tell: false,
            confidence: Vec::new(),
            typical: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    /// The pages of each type.
    fn members(&self) -> Vec<Vec<usize>> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.count];
        for (page, &page_type) in self.type_of.iter().enumerate() {
            members[page_type].push(page);
        }
        members
    }

    fn describe(&mut self, summaries: Vec<auto::TypeSummary>) {
        for summary in summaries {
            self.names.push(summary.name);
            self.patterns.push(summary.url_pattern);
            self.confidence.push(summary.confidence);
            self.typical.push(summary.typical);
            self.doubtful.push(summary.doubtful);
        }
    }
}

/// Which types share a template, in the numbers of the site.
fn template_of(typing: &auto::Typing, type_of: &[usize], members: &[Vec<usize>]) -> Vec<usize> {
    let shared = typing.template_of();
    let own = |at: usize| {
        let first = *members[at].first()?;
        let like = shared[typing.type_of[first]];
        let page = typing.type_of.iter().position(|&page_type| page_type == like)?;
        Some(type_of[page])
    };
    (0..members.len()).map(|at| own(at).unwrap_or(at)).collect()
}

/// What there is to say about types of which only the pages are known.
fn summarised_by_paths(site: &Site, members: &[Vec<usize>], classes: &ClassMap) -> Vec<auto::TypeSummary> {
    use rayon::prelude::*;
    let named = name_types(site, members, &Default::default());
    let summary = |(pages, named): (&Vec<usize>, NamedType)| {
        let likeness = likeness(site, pages, classes);
        let confidence = likeness.iter().sum::<f64>() / likeness.len().max(1) as f64;
        let (typical, doubtful) = auto::shown_pages(pages, &likeness);
        let NamedType { name, url_pattern } = named;
        auto::TypeSummary { name, url_pattern, pages: pages.len(), confidence, typical, doubtful }
    };
    members.par_iter().zip(named).map(summary).collect()
}

/// How like the others of its type each page is, 0 to 1: the Jaccard similarity of its paths and the type's, each path of
/// the type weighted by the share of pages that have it.
fn likeness(site: &Site, pages: &[usize], classes: &ClassMap) -> Vec<f64> {
    let path_set = |&page: &usize| {
        let mut paths = node_paths(&site.pages[page].tree, classes);
        paths.sort_unstable();
        paths.dedup();
        paths
    };
    let sets: Vec<Vec<u64>> = pages.iter().map(path_set).collect();
    let mut shares: rustc_hash::FxHashMap<u64, f64> = rustc_hash::FxHashMap::default();
    for &path in sets.iter().flatten() {
        *shares.entry(path).or_default() += 1.0 / pages.len() as f64;
    }
    // Each page's paths add up to its own number of them over all pages, so that the order does not matter.
    let all = sets.iter().map(|set| set.len() as f64).sum::<f64>() / pages.len().max(1) as f64;
    let of = |set: &Vec<u64>| {
        let both: f64 = set.iter().map(|path| shares[path]).sum();
        let either = all - both + set.len() as f64;
        if either > 0.0 { both / either } else { 1.0 }
    };
    sets.iter().map(of).collect()
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
