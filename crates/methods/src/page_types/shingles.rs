//! The comparisons of KeyClus: pages with the same shingle of paths or of pq-grams are one type.

use crate::minhash::{bottom_k, m_of_k, shingle_hash};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, PathStyle, Tree};
use xxhash_rust::xxh3::xxh3_64;

use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Smallest hashes that make a shingle. KeyClus tried 1 to 8 and found 1 enough.
const SHINGLE: usize = 1;

/// KeyClus's m/k shingles: six of eight.
const M: usize = 6;
const K: usize = 8;

/// A child or parent that is not there.
const NOBODY: u64 = 0;

/// Groups pages whose root-to-node paths have the same smallest hashes.
///
/// # What it does
/// A page is the set of its paths (tags with id and class, no sibling index). Its shingle is the seeded hash that is
/// smallest over the set; equal shingles are one type.
/// # Assumes
/// Pages of a type have nearly the same set of paths.
/// # When it fails
/// One optional element under the smallest hashes splits a type; one shared path under them lumps two. The seed decides.
/// # Paper
/// A comparison of KeyClus; after Buttler 2004 and Broder 1997.
pub(super) fn paths(site: &Site, options: &Options) -> Vec<usize> {
    let key = |tree: &Tree| bottom_k(&path_set(tree), SHINGLE, options.seed);
    by_key(site.pages.par_iter().map(|page| key(&page.tree)).collect())
}

/// Groups pages by the most common six of their eight smallest path hashes.
///
/// # What it does
/// As [`paths`] with eight hashes; a page belongs to the six of them that most pages have.
/// # Assumes
/// As [`paths`], with room for two paths that come and go.
/// # When it fails
/// More optional elements than that.
/// # Paper
/// A comparison of KeyClus (m = 6, k = 8).
pub(super) fn m_of_k_paths(site: &Site, options: &Options) -> Vec<usize> {
    let key = |tree: &Tree| bottom_k(&path_set(tree), K, options.seed);
    let shingles: Vec<Vec<u64>> = site.pages.par_iter().map(|page| key(&page.tree)).collect();
    m_of_k(&shingles, M).into_iter().map(|label| label as usize).collect()
}

/// Groups pages whose pq-grams (p = 2, q = 3) have the same smallest hash.
///
/// # What it does
/// A pq-gram is a node with its parent and three neighbouring children, missing ones filled up; a page is the set of its
/// pq-grams over tag names, its shingle as in [`paths`].
/// # Assumes
/// Types differ in local structure.
/// # When it fails
/// As [`paths`]; lists of different length share their grams, so it lumps more than it splits.
/// # Paper
/// A comparison of KeyClus; Augsten, Böhlen, Gamper 2005.
pub(super) fn pq_grams(site: &Site, options: &Options) -> Vec<usize> {
    let key = |tree: &Tree| bottom_k(&pq_gram_set(tree), SHINGLE, options.seed);
    by_key(site.pages.par_iter().map(|page| key(&page.tree)).collect())
}

/// The paths of a page's elements, sorted, each once.
pub(super) fn path_set(tree: &Tree) -> Vec<u64> {
    let hashes = tree.path_hashes(PathStyle::Attributes);
    sorted_set(tree.nodes().filter(|&node| tree.is_element(node)).map(|node| hashes[node.index()]).collect())
}

/// The pq-grams of a page's elements for p = 2 and q = 3, sorted, each once.
fn pq_gram_set(tree: &Tree) -> Vec<u64> {
    let mut names: FxHashMap<u16, u64> = FxHashMap::default();
    let mut label = |node: NodeId| {
        *names.entry(tree.name_id(node)).or_insert_with(|| xxh3_64(tree.name(node).as_bytes()))
    };
    let mut grams = Vec::new();
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        let parent = tree.parent(node).filter(|&above| tree.is_element(above)).map_or(NOBODY, &mut label);
        let anchor = label(node);
        let mut window = [NOBODY; 3];
        let mut children = 0;
        let shift = |window: &mut [u64; 3], child: u64| *window = [window[1], window[2], child];
        for child in tree.children(node).filter(|&child| tree.is_element(child)) {
            shift(&mut window, label(child));
            children += 1;
            grams.push(gram(parent, anchor, window));
        }
        // A leaf has one gram of nobodies; behind the last child stand two.
        for _ in 0..if children == 0 { 1 } else { 2 } {
            shift(&mut window, NOBODY);
            grams.push(gram(parent, anchor, window));
        }
    }
    sorted_set(grams)
}

fn gram(parent: u64, anchor: u64, children: [u64; 3]) -> u64 {
    shingle_hash(&[parent, anchor, children[0], children[1], children[2]], 0)
}

fn sorted_set(mut items: Vec<u64>) -> Vec<u64> {
    items.sort_unstable();
    items.dedup();
    items
}

/// Equal keys get equal labels, in the order of their first page.
pub(super) fn by_key(keys: Vec<Vec<u64>>) -> Vec<usize> {
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    keys.into_iter()
        .map(|key| {
            let next = numbers.len();
            *numbers.entry(key).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    #[test]
    fn pq_grams_of_a_small_tree() {
        // html: (*,html; *,*,head) (..; *,head,body) (..; head,body,*) (..; body,*,*); head: one; body: **p *pp pp* p**
        // and both p are one gram.
        assert_eq!(pq_gram_set(&tree("<p>1<p>2")).len(), 4 + 1 + 4 + 1);
        // A longer list adds only the window of three equal children.
        assert_eq!(pq_gram_set(&tree("<p>1<p>2<p>3<p>4<p>5")).len(), 4 + 1 + 5 + 1);
        assert!(pq_gram_set(&Tree::default()).is_empty());
    }

    #[test]
    fn sibling_places_do_not_matter_to_paths() {
        assert_eq!(path_set(&tree("<p>1<p>2")), path_set(&tree("<p>1")));
        assert_ne!(path_set(&tree("<p id=a>1")), path_set(&tree("<p>1")));
    }
}
