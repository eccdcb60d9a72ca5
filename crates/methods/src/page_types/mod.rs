//! The registry of page clustering methods, the default of the program and the published ones: one file or folder each,
//! one line here.
//!
//! A published method is what its paper says, so that it can be reproduced and compared; where a paper is silent the
//! docs of the method say what we chose. Methods that compare all pairs of pages do so on a bounded sample and give every
//! other page the type of the nearest.

pub(crate) mod chex;
pub mod confhex;
mod fourier;
pub mod keyclus;
mod sample;
mod shingles;
pub mod thor;

use unsite_discover::Site;
use unsite_discover::page_types::auto::Typing;
use unsite_discover::page_types::{self, Options, PageTypes};

/// A way to group pages.
pub struct Method {
    /// What `--method` calls it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// A label for each page of the site; equal labels are one type.
    pub cluster: fn(&Site, &Options) -> Vec<usize>,
}

/// All methods, the default first.
pub const METHODS: &[Method] = &[
    Method { name: "auto", about: "whatever measures best", cluster: default },
    Method { name: "thor", about: "THOR: k-means over TFIDF tag signatures", cluster: thor::tags },
    Method { name: "raw-tags", about: "THOR's comparison: bare tag counts", cluster: thor::raw_tags },
    Method { name: "content", about: "THOR's comparison: TFIDF of terms", cluster: thor::content },
    Method { name: "raw-content", about: "THOR's comparison: bare term counts", cluster: thor::raw_content },
    Method { name: "url", about: "THOR's comparison: edit distance of URLs", cluster: thor::url },
    Method { name: "size", about: "THOR's comparison: page size in bytes", cluster: thor::size },
    Method { name: "random", about: "THOR's comparison: chance", cluster: thor::random },
    Method {
        name: "path-shingles",
        about: "KeyClus's comparison: smallest hash of the paths",
        cluster: shingles::paths,
    },
    Method {
        name: "shingles-m-of-k",
        about: "KeyClus's comparison: six of the eight smallest hashes of the paths",
        cluster: shingles::m_of_k_paths,
    },
    Method {
        name: "pq-grams",
        about: "KeyClus's comparison: smallest hash of the pq-grams",
        cluster: shingles::pq_grams,
    },
    Method {
        name: "keyclus",
        about: "KeyClus: paths that hold what people search for",
        cluster: keyclus::cluster,
    },
    Method { name: "chex", about: "CHEX: hints on pages and their texts together", cluster: chex::cluster },
    Method {
        name: "confhex",
        about: "CONFHEX: evidence of six trained experts on pairs of pages",
        cluster: confhex::cluster,
    },
    Method { name: "fourier", about: "spectra of tag sequences, nested encoding", cluster: fourier::nested },
    Method { name: "fourier-trivial", about: "spectra of tag codes", cluster: fourier::direct_trivial },
    Method {
        name: "fourier-linear",
        about: "spectra of running sums of tag codes",
        cluster: fourier::direct_linear,
    },
    Method {
        name: "fourier-multilevel",
        about: "spectra of tag codes with a digit for each level",
        cluster: fourier::direct_multilevel,
    },
    Method {
        name: "fourier-pairwise",
        about: "spectra of the codes of tag pairs with a digit for each level",
        cluster: fourier::pairwise,
    },
];

impl Method {
    /// Whether it is the one that is used when none is asked for.
    pub fn is_default(&self) -> bool {
        self.name == METHODS[0].name
    }
}

fn default(site: &Site, options: &Options) -> Vec<usize> {
    Typing::of(site, options).type_of
}

/// Groups the pages of a site with a method.
pub fn cluster(site: &Site, method: &Method, options: &Options) -> PageTypes {
    match method.is_default() {
        true => page_types::cluster(site, options),
        false => PageTypes::of_labels(site, &(method.cluster)(site, options)),
    }
}

/// The method of that name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
