//! How a run is done.

use std::sync::Arc;

use unsite_discover::evidence::Model;
use unsite_discover::page_types::methods::{METHODS, Method};
use unsite_dom::Limits;
use unsite_store::Meta;

/// The seed of a run that names none.
pub const DEFAULT_SEED: u64 = 42;

/// Pages that discovery learns from unless told otherwise. Every page is still extracted. Chosen so that the learned
/// part stays below a gigabyte on ordinary sites; no labelled site has more pages.
pub const DEFAULT_SAMPLE: usize = 2000;

/// How a run is done.
#[derive(Clone)]
pub struct Options {
    /// What random choices start from.
    pub seed: u64,
    /// How much of hostile pages is looked at.
    pub limits: Limits,
    /// Pages that discovery learns from; all pages are extracted.
    pub sample: usize,
    /// How page types are found.
    pub method: &'static Method,
    /// What the page experts were trained on, if not the sites of the built-in model.
    pub page_model: Option<Arc<Model>>,
}

impl Default for Options {
    fn default() -> Self {
        let method = &METHODS[0];
        Options {
            seed: DEFAULT_SEED,
            limits: Limits::default(),
            sample: DEFAULT_SAMPLE,
            method,
            page_model: None,
        }
    }
}

impl Options {
    /// What `_meta` says about a run with these options.
    pub(crate) fn meta(&self, source: &str) -> Meta {
        Meta::new(env!("CARGO_PKG_VERSION"), self.seed)
            .with("source", source)
            .with("method", self.method.name)
            .with("sample", self.sample.to_string())
            .with("max_page_bytes", self.limits.page_bytes.to_string())
            .with("max_depth", self.limits.depth.to_string())
            .with("max_nodes", self.limits.nodes.to_string())
    }
}
