//! Pages as signals: their tags become numbers, the numbers a series, and pages with like spectra are one type.

mod encoding;

use crate::minhash::shingle_hash;
use encoding::{EndTag, Tag, linear, multilevel, trivial};
use unsite_dom::{HashInterner, PathStyle, Tree};
use unsite_learn::dft::Spectrum;
use xxhash_rust::xxh3::xxh3_64;

use super::sample::cluster_by_distance;
use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Tags of a page that enter its series; what comes behind is not heard.
const MAX_TAGS: usize = 1 << 16;

/// Stands behind the last tag of a page in the pairwise order.
const BEHIND_THE_LAST: u64 = 0;

/// Which order the codes are taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Codes {
    /// Tag names.
    Direct,
    /// Paths of tag names.
    Nested,
    /// A tag and the one behind it; start and end tags of a name are different.
    Pairwise,
}

/// How codes become a series.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Series {
    Trivial,
    Linear,
    Multilevel,
}

/// Groups pages by the spectrum of their tag codes.
///
/// # What it does
/// Numbers the distinct tags 1, 2, ... in order of appearance; a page is the series of the numbers of its start tags, an
/// end tag is 0. The spectrum of each page is computed once on a grid of 1,024 frequencies (the fast mode: magnitudes
/// divided by the root of the length); the distance of two pages is that of their spectra. k-medoids over at most 400
/// pages into the given number or the one in 2..16 with the best silhouette; the others join the nearest medoid.
/// # Assumes
/// Pages of a type have the same rhythm of tags.
/// # When it fails
/// Lists of different length sound different. The numbering of tags is arbitrary and matters. A published survey
/// (Buttler 2004) found the Fourier distance the least accurate of those it compared.
/// # Paper
/// Flesca, Manco, Masciari, Pontieri, Pugliese (TKDE 2005 and its HTML follow-up): Direct tag encoding, Trivial document
/// encoding. The clustering is ours: the paper gives only the similarity.
pub(super) fn direct_trivial(site: &Site, options: &Options) -> Vec<usize> {
    cluster(site, options, Codes::Direct, Series::Trivial)
}

/// As [`direct_trivial`] with running sums of the codes.
///
/// # What it does
/// `S_i` is the sum of all codes up to the i-th tag.
/// # Assumes
/// As [`direct_trivial`].
/// # When it fails
/// With end tags of 0 the series only grows, so its length drowns everything else.
/// # Paper
/// As [`direct_trivial`]: Direct tag encoding, Linear document encoding.
pub(super) fn direct_linear(site: &Site, options: &Options) -> Vec<usize> {
    cluster(site, options, Codes::Direct, Series::Linear)
}

/// As [`direct_trivial`] with the codes of paths instead of names: the paper's best inside one category of sites.
///
/// # What it does
/// Numbers the distinct paths of tag names; a start tag counts the number of its path.
/// # Assumes
/// As [`direct_trivial`].
/// # When it fails
/// Paths that appear late have large numbers and drown the others.
/// # Paper
/// As [`direct_trivial`]: Nested tag encoding; the document encoding is not printed, Trivial is our choice.
pub(super) fn nested(site: &Site, options: &Options) -> Vec<usize> {
    cluster(site, options, Codes::Nested, Series::Trivial)
}

/// As [`direct_trivial`] with a digit for each level of nesting.
///
/// # What it does
/// A tag's number has the codes of all open tags as digits, the outermost first.
/// # Assumes
/// As [`direct_trivial`].
/// # When it fails
/// The outermost levels, which all pages share, weigh most; this is what the paper blames for its results too.
/// # Paper
/// As [`direct_trivial`]: Direct tag encoding, Multilevel document encoding.
pub(super) fn direct_multilevel(site: &Site, options: &Options) -> Vec<usize> {
    cluster(site, options, Codes::Direct, Series::Multilevel)
}

/// As [`direct_multilevel`] with the codes of pairs of neighbouring tags.
///
/// # What it does
/// Numbers the distinct pairs of a tag and the one behind it.
/// # Assumes
/// As [`direct_multilevel`].
/// # When it fails
/// As [`direct_multilevel`].
/// # Paper
/// As [`direct_trivial`]: Pairwise tag encoding, Multilevel document encoding.
pub(super) fn pairwise(site: &Site, options: &Options) -> Vec<usize> {
    cluster(site, options, Codes::Pairwise, Series::Multilevel)
}

fn cluster(site: &Site, options: &Options, codes: Codes, series: Series) -> Vec<usize> {
    let order = Order::of(site, codes);
    let spectrum = |page: usize| Spectrum::of(&order.series(&site.pages[page].tree, series));
    cluster_by_distance(site.pages.len(), options, spectrum, Spectrum::distance)
}

/// The codes of a site, numbered by first appearance over the pages in their canonical order.
struct Order {
    codes: Codes,
    numbers: HashInterner,
}

impl Order {
    fn of(site: &Site, codes: Codes) -> Self {
        let mut order = Order { codes, numbers: HashInterner::default() };
        for page in &site.pages {
            for key in order.keys(&page.tree) {
                order.numbers.intern(key.0);
            }
        }
        order
    }

    fn series(&self, tree: &Tree, series: Series) -> Vec<f64> {
        let number = |key: u64| self.numbers.find(key).map_or(0, |id| id + 1);
        let tags: Vec<Tag> = self
            .keys(tree)
            .into_iter()
            .map(|(key, end, level)| Tag { code: number(key), end, level })
            .collect();
        let ends = if self.codes == Codes::Pairwise { EndTag::Own } else { EndTag::Null };
        match series {
            Series::Trivial => trivial(&tags, ends),
            Series::Linear => linear(&tags, ends),
            Series::Multilevel => multilevel(&tags, ends, self.numbers.len() as f64 + 1.0),
        }
    }

    /// For each tag what its code is the number of, whether it is an end tag, and its level.
    fn keys(&self, tree: &Tree) -> Vec<(u64, bool, u32)> {
        let paths = match self.codes {
            Codes::Nested => tree.path_hashes(PathStyle::Tags),
            _ => tree.fold_paths(|_| 0),
        };
        let name = |node| xxh3_64(tree.name(node).as_bytes());
        let mut keys: Vec<(u64, bool, u32)> = tree
            .skeleton()
            .take(MAX_TAGS)
            .map(|tag| match self.codes {
                Codes::Direct => (name(tag.node), tag.end, tag.level),
                Codes::Nested => (paths[tag.node.index()], tag.end, tag.level),
                Codes::Pairwise => (shingle_hash(&[name(tag.node)], u64::from(tag.end)), tag.end, tag.level),
            })
            .collect();
        if self.codes == Codes::Pairwise {
            for at in 0..keys.len() {
                let behind = keys.get(at + 1).map_or(BEHIND_THE_LAST, |key| key.0);
                keys[at].0 = shingle_hash(&[keys[at].0, behind], 0);
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    /// The golden "book" below the html, head and body that the parser adds.
    const BOOK: &str =
        "<book x=y><title-x>a</title-x><author>b</author><author>c</author><publisher>d</publisher></book>";

    fn site() -> Site {
        Site::parse(vec![RawPage { bytes: BOOK.into(), ..RawPage::default() }], &Limits::default())
    }

    fn series(codes: Codes, kind: Series) -> Vec<i64> {
        let site = site();
        let series = Order::of(&site, codes).series(&site.pages[0].tree, kind);
        series.iter().map(|x| x.round() as i64).collect()
    }

    #[test]
    fn golden_pairwise_and_nested_codes() {
        // html head /head body are codes 1 to 3 here, so the book's own codes start with 4, its pairs with 5.
        let pairs: Vec<i64> = series(Codes::Pairwise, Series::Trivial)[4..14].iter().map(|x| x - 3).collect();
        assert_eq!(pairs, [2, 3, 4, 5, 6, 5, 7, 8, 9, 10]);
        let nested: Vec<i64> = series(Codes::Nested, Series::Trivial)[4..14].to_vec();
        assert_eq!(nested, [4, 5, 0, 6, 0, 6, 0, 7, 0, 0]);
        assert_eq!(series(Codes::Direct, Series::Trivial), series(Codes::Nested, Series::Trivial));
    }

    #[test]
    fn a_name_in_two_places_is_one_code_direct_and_two_nested() {
        let raw = RawPage { bytes: b"<p>1</p><div><p>2</p></div>".to_vec(), ..RawPage::default() };
        let site = Site::parse(vec![raw], &Limits::default());
        let order = |codes| Order::of(&site, codes).numbers.len();
        assert_eq!((order(Codes::Direct), order(Codes::Nested)), (5, 6));
    }
}
