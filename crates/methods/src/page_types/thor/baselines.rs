//! THOR's comparisons that are not vectors: URL, size, chance.

use unsite_learn::edit::levenshtein;
use unsite_learn::rng::Rng;

use crate::page_types::sample::cluster_by_distance;
use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Clusters of the random assignment when no number is given: what THOR passes on with.
const RANDOM_TYPES: usize = 3;

/// URLs are compared up to here, in bytes.
const URL_BYTES: usize = 512;

/// Groups pages by the edit distance of their URLs.
///
/// # What it does
/// Levenshtein distance of the URLs, k-medoids with 10 starts on at most 400 pages, the others join the nearest medoid.
/// Without a given number, the one in 2..16 with the best silhouette.
/// # Assumes
/// Pages of a type have URLs of one pattern.
/// # When it fails
/// Long slugs differ by more than the directories that tell the types apart.
/// # Paper
/// A comparison of THOR's; how its centroids were made is not told, k-medoids is ours.
pub(in super::super) fn url(site: &Site, options: &Options) -> Vec<usize> {
    let bytes = |page: usize| {
        let url = site.pages[page].raw.url.as_bytes();
        &url[..url.len().min(URL_BYTES)]
    };
    let distance = |a: &&[u8], b: &&[u8]| levenshtein(a, b) as f64;
    cluster_by_distance(site.pages.len(), options, bytes, distance)
}

/// Groups pages by their size in bytes.
///
/// # What it does
/// `|bytes_i - bytes_j|`, clustered as in [`url`].
/// # Assumes
/// Pages of a type are about equally long.
/// # When it fails
/// Nearly always: long articles and short ones are one type.
/// # Paper
/// A comparison of THOR's.
pub(in super::super) fn size(site: &Site, options: &Options) -> Vec<usize> {
    let bytes = |page: usize| site.pages[page].raw.bytes.len() as f64;
    let distance = |a: &f64, b: &f64| (a - b).abs();
    cluster_by_distance(site.pages.len(), options, bytes, distance)
}

/// Puts pages into groups by chance: the floor of every comparison.
///
/// # What it does
/// Draws one of k groups (3 when none is given) for each page.
/// # Assumes
/// Nothing.
/// # When it fails
/// Always.
/// # Paper
/// A comparison of THOR's.
pub(in super::super) fn random(site: &Site, options: &Options) -> Vec<usize> {
    let mut rng = Rng::new(options.seed);
    site.pages.iter().map(|_| rng.below(options.k.unwrap_or(RANDOM_TYPES).max(1))).collect()
}
