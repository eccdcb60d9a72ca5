//! Experts: each looks at one trace that a template leaves on its pages and says how alike two pages are.
//!
//! An expert is one file and one line in [`EXPERTS`]. To write one, copy `tag_signature.rs`, the shortest: a function
//! that reads a page once into [`Features`], and one that compares two pages' features under the site's [`Weights`].
//! Nothing else knows it: training, switching, explaining and clustering go through the registry.

mod blocks;
mod embedded;
mod features;
mod fourier;
mod heading;
mod in_links;
mod key_paths;
mod layout;
mod list;
mod page_view;
mod path_set;
mod table;
mod tag_signature;
mod template;
mod url;
mod url_shape;

pub use features::{Feature, Features, Weights};
pub(crate) use page_view::paths as node_paths;
pub use page_view::{InLink, PageView, hash, mix};
pub(crate) use url_shape::{PAGERS, site};

/// One expert.
pub struct Expert {
    /// What `--only` and `--without` call it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Reads off a page what the expert needs; everything else about the page is forgotten.
    pub read: fn(&PageView<'_>) -> Features,
    /// What the features of many pages of the site say about each feature.
    pub weigh: fn(&[&Features]) -> Weights,
    /// What one feature counts on this site, kept in [`Feature::weight`]; `None` for one that says nothing and is forgotten.
    pub weight: fn(&Weights, &Feature) -> Option<f64>,
    /// How alike two pages are, 0 to 1; `None` is no opinion.
    pub score: fn(&Weights, &Features, &Features) -> Option<f64>,
}

/// All experts. The order is that of every list of scores.
pub const EXPERTS: &[Expert] = &[
    url::EXPERT,
    template::EXPERT,
    layout::EXPERT,
    list::EXPERT,
    table::EXPERT,
    tag_signature::EXPERT,
    path_set::EXPERT,
    blocks::EXPERT,
    key_paths::EXPERT,
    fourier::EXPERT,
    in_links::EXPERT,
    heading::EXPERT,
    embedded::EXPERT,
];

/// The place of an expert in [`EXPERTS`].
pub fn position(name: &str) -> Option<usize> {
    EXPERTS.iter().position(|expert| expert.name == name)
}
