//! THOR: pages by the tags they are made of. With the comparisons of its paper: other vectors, sizes, URLs, chance.

mod baselines;
mod vectors;

pub(super) use baselines::{random, size, url};

use unsite_discover::Site;
use unsite_discover::page_types::Options;
use vectors::{Bags, cluster_vectors, term_counts};
pub use vectors::{SignatureTypes, tag_counts};

/// Groups pages by TFIDF tag signatures.
///
/// # What it does
/// Each page is the vector of its tags with weights `log(tf + 1) * log((n + 1) / n_k)`, divided by its length; k-means
/// by cosine from 10 random starts, the start with the best mean cosine wins. Without a given number of types, the one
/// in 2..16 with the best simplified silhouette, or one type when that is below 0.5. More than 2,000 pages: centres from
/// a sample, then one pass.
/// # Assumes
/// Types differ in which tags they use and how often.
/// # When it fails
/// Types built from the same tags (a list of posts by tag and one by author); one type whose pages differ in length by
/// orders of magnitude. k-means cuts a large type before it finds a small one.
/// # Paper
/// Caverlee, Liu, Buttler: Probe, cluster, and discover (ICDE 2004). How k is found is ours.
pub(super) fn tags(site: &Site, options: &Options) -> Vec<usize> {
    cluster_vectors(Bags::of_tags(&tag_counts(site)), true, options)
}

/// As [`tags`] with the bare counts of tags.
///
/// # What it does
/// k-means by cosine over tag counts.
/// # Assumes
/// As [`tags`], and that frequent tags tell the types apart.
/// # When it fails
/// Tags of every page (`a`, `div`) drown the rare ones that mark a type.
/// # Paper
/// A comparison of THOR's.
pub(super) fn raw_tags(site: &Site, options: &Options) -> Vec<usize> {
    cluster_vectors(Bags::of_tags(&tag_counts(site)), false, options)
}

/// Groups pages by what they say: TFIDF of stemmed terms.
///
/// # What it does
/// Visible text, lower case, split at everything that is neither letter nor digit, Porter stems; weights and k-means as
/// in [`tags`], the centres from at most 300 pages.
/// # Assumes
/// Types differ in words.
/// # When it fails
/// It finds topics, not types: two books about gardens are closer than a book and its author's page.
/// # Paper
/// A comparison of THOR's.
pub(super) fn content(site: &Site, options: &Options) -> Vec<usize> {
    cluster_vectors(Bags::of_terms(&term_counts(site)), true, options)
}

/// As [`content`] with the bare counts of terms.
///
/// # What it does
/// k-means by cosine over term counts.
/// # Assumes
/// As [`content`].
/// # When it fails
/// As [`content`]; stop words and menus count most.
/// # Paper
/// A comparison of THOR's.
pub(super) fn raw_content(site: &Site, options: &Options) -> Vec<usize> {
    cluster_vectors(Bags::of_terms(&term_counts(site)), false, options)
}
