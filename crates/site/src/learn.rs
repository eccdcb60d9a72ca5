//! From pages to what is known about their site.

use thiserror::Error;
use unsite_discover::page_types;
use unsite_discover::{induce, remember};
use unsite_dom::{Limits, RawPage};
use unsite_methods::page_types::{METHODS, Method, cluster};
use unsite_wrapper::{Provenance, SavedWrapper, Seen};

use crate::sample::{LEARNED_NODES, Sample};
use crate::wrapper::Wrapper;

/// The seed of a run that names none.
pub const DEFAULT_SEED: u64 = 42;

/// Pages that discovery learns from unless told otherwise. Every page is still extracted. Chosen so that the learned
/// part stays below a gigabyte on ordinary sites; no labelled site has more pages.
pub const DEFAULT_SAMPLE: usize = 2000;

/// How a site is learned.
#[derive(Clone)]
pub struct Settings {
    /// What random choices start from.
    pub seed: u64,
    /// Pages that are learned from.
    pub sample: usize,
    /// How much of hostile pages is looked at.
    pub limits: Limits,
    /// How page types are found.
    pub method: &'static Method,
    /// What that way is told. Its seed is not used.
    pub page_types: page_types::Options,
    /// What the pages are called where it is told what was learned from them.
    pub name: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: DEFAULT_SEED,
            sample: DEFAULT_SAMPLE,
            limits: Limits::default(),
            method: &METHODS[0],
            page_types: page_types::Options::default(),
            name: "pages".to_owned(),
        }
    }
}

/// A page as a program has it.
#[derive(Debug, Clone, Copy)]
pub struct Page;

impl Page {
    /// A page with an address and what stands at it. The address also names it in its source.
    #[allow(clippy::new_ret_no_self, reason = "pages of programs and of sources are of one type")]
    pub fn new(url: impl Into<String>, html: impl Into<Vec<u8>>) -> RawPage {
        let url = url.into();
        RawPage { reference: url.clone(), url, bytes: html.into(), ..RawPage::default() }
    }
}

/// There was no page to learn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("there are no pages to learn from; give at least a few of each kind")]
pub struct NoPages;

/// A site that was learned.
#[derive(Debug, Clone)]
pub struct Site {
    wrapper: Wrapper,
}

impl Site {
    /// Learns the site that pages are from. Of many pages a sample is kept; it depends on the pages, not on their order.
    pub fn learn(pages: impl IntoIterator<Item = RawPage>, settings: &Settings) -> Result<Site, NoPages> {
        let mut sample = Sample::new(settings.seed, settings.sample);
        pages.into_iter().for_each(|page| sample.offer(page));
        let total = sample.total();
        if total == 0 {
            return Err(NoPages);
        }
        Ok(Site { wrapper: Wrapper::new(learn_sample(sample.into_pages(), total, settings)) })
    }

    /// What was learned.
    pub fn wrapper(&self) -> &Wrapper {
        &self.wrapper
    }
}

/// How much of a page is learned from: of huge ones only the beginning.
pub fn learning_limits(limits: &Limits) -> Limits {
    Limits { nodes: limits.nodes.min(LEARNED_NODES), ..*limits }
}

/// Learns from a sample of a site that has so many pages in all.
pub fn learn_sample(pages: Vec<RawPage>, total: usize, settings: &Settings) -> SavedWrapper {
    let provenance = provenance(&settings.name, total, pages.len(), settings.seed, settings.method);
    let site = unsite_discover::Site::parse(pages, &learning_limits(&settings.limits));
    let told = page_types::Options { seed: settings.seed, ..settings.page_types.clone() };
    let types = cluster(&site, settings.method, &told);
    let wrapper = induce(&site, types);
    let mut saved = remember(&site, wrapper, provenance);
    saved.seen = seen(&site).into_iter().collect();
    saved
}

/// From when to when the pages of a site were captured, if anybody knows.
pub fn seen(site: &unsite_discover::Site) -> Option<Seen> {
    let moments = || site.pages.iter().filter_map(|page| page.raw.captured);
    Some(Seen { first: moments().min()?.to_string(), last: moments().max()?.to_string() })
}

/// Where a wrapper comes from.
pub fn provenance(name: &str, pages: usize, learned_from: usize, seed: u64, method: &Method) -> Provenance {
    Provenance {
        program: format!("unsite {}", env!("CARGO_PKG_VERSION")),
        source: name.to_owned(),
        pages,
        learned_from,
        seed,
        method: method.name.into(),
        history: Vec::new(),
    }
}
