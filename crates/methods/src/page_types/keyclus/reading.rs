//! One page: its paths, what stands below them, and what of that was searched for.

use crate::minhash::shingle_hash;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Terms, Tree};
use unsite_wrapper::ClassMap;
use xxhash_rust::xxh3::xxh3_64;

use super::queries::term_hashes;

/// A path of a page and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathContent {
    /// The path with the template's ids and classes.
    pub(super) path: u64,
    /// Its first instance.
    pub(super) node: NodeId,
    /// Terms below all instances, without template text.
    pub(super) terms: u32,
    /// Terms that the queries share, as bags.
    pub(super) matched: u32,
    /// A hash of all text below all instances; 0 when there is none.
    pub(super) content: u64,
    /// Bytes of that text.
    pub(super) bytes: usize,
}

/// The step of a text below its element.
const TEXT_STEP: u64 = 1;

/// The path of every node: tags with those ids and classes that the template wrote. Names that the data wrote, such as
/// the `postid-17` that WordPress puts on the body, would give every page paths of its own.
pub(super) fn path_hashes(tree: &Tree, names: &ClassMap) -> Vec<u64> {
    let mut signer = names.signer(tree);
    tree.fold_paths(|node| if tree.is_element(node) { signer.signature(node) } else { TEXT_STEP })
}

/// What is the same on many pages.
#[derive(Debug, Clone, Default)]
pub(super) struct Constants {
    /// Ids and classes of the template.
    pub(super) names: ClassMap,
    /// Texts at paths that many pages have, as [`text_marks`].
    pub(super) template: FxHashSet<u64>,
    /// Paths that hold the name of a tab: repeated, but telling.
    pub(super) tabs: FxHashSet<u64>,
}

impl Constants {
    fn holds(&self, tree: &Tree, hashes: &[u64], node: NodeId, text: &str) -> bool {
        let tab = tree.parent(node).is_some_and(|parent| self.tabs.contains(&hashes[parent.index()]));
        !tab && self.template.contains(&mark(hashes[node.index()], text))
    }
}

/// The texts of a page's body: parent path and text in one hash, for template detection.
pub(super) fn text_marks(tree: &Tree, names: &ClassMap) -> FxHashSet<u64> {
    let paths = path_hashes(tree, names);
    tree.visible_texts().map(|(node, text)| mark(paths[node.index()], &text)).collect()
}

/// The paths of a page with their texts, sorted. Only the body counts: every page has a title at the same path.
pub(super) fn contents(tree: &Tree, names: &ClassMap) -> Vec<PathContent> {
    let mut found = paths(tree, &path_hashes(tree, names)).0;
    found.sort_unstable_by_key(|path| path.path);
    found
}

/// As [`contents`] with the terms below each path and those that were searched for.
pub(super) fn read(
    tree: &Tree,
    query: &FxHashMap<u64, u32>,
    constant: &Constants,
    terms: &Terms,
) -> Vec<PathContent> {
    let hashes = path_hashes(tree, &constant.names);
    let (mut found, place_of) = paths(tree, &hashes);
    let mut matched: FxHashMap<(usize, u64), u32> = FxHashMap::default();
    for (node, text) in tree.visible_texts() {
        let words = term_hashes(terms, &text);
        let constant = constant.holds(tree, &hashes, node, &text);
        let sought: Vec<u64> = words.iter().filter(|word| query.contains_key(word)).copied().collect();
        for above in tree.ancestors(node) {
            let place = place_of[above.index()];
            let Some(path) = found.get_mut(place) else { continue };
            if !constant {
                path.terms += words.len() as u32;
                sought.iter().for_each(|&word| *matched.entry((place, word)).or_default() += 1);
            }
        }
    }
    for ((place, word), count) in matched {
        found[place].matched += count.min(query[&word]);
    }
    found.sort_unstable_by_key(|path| path.path);
    found
}

/// The distinct paths with a hash of what stands below them, and for every node the place of its path.
fn paths(tree: &Tree, hashes: &[u64]) -> (Vec<PathContent>, Vec<usize>) {
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut found: Vec<PathContent> = Vec::new();
    let mut place_of: Vec<usize> = vec![usize::MAX; tree.len()];
    for node in body(tree) {
        let path = hashes[node.index()];
        place_of[node.index()] = *places.entry(path).or_insert_with(|| {
            found.push(PathContent { path, node, terms: 0, matched: 0, content: 0, bytes: 0 });
            found.len() - 1
        });
    }
    for (node, text) in tree.visible_texts() {
        let hash = xxh3_64(text.as_bytes());
        for above in tree.ancestors(node) {
            if let Some(path) = found.get_mut(place_of[above.index()]) {
                path.content = shingle_hash(&[path.content, hash], 0);
                path.bytes += text.len();
            }
        }
    }
    (found, place_of)
}

/// The elements below the body, itself included.
pub(super) fn body(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    let body = tree.elements("body").next().unwrap_or(NodeId::DOCUMENT);
    let end = if tree.is_empty() { 0 } else { tree.end(body).0 };
    (body.0..end).map(NodeId).filter(|&node| tree.is_element(node))
}

fn mark(path: u64, text: &str) -> u64 {
    shingle_hash(&[path, xxh3_64(text.as_bytes())], 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn bags_below_paths() {
        let html = b"<title>no</title><div class=p><h1>Acme phone</h1><b>buy</b> phone</div><div class=p>phone</div>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let terms = Terms::new();
        let query: FxHashMap<u64, u32> =
            [(xxh3_64(b"acme"), 1), (xxh3_64(b"phone"), 2)].into_iter().collect();
        let facts = |constant: &Constants, name: &str| {
            let node = tree.elements(name).next().unwrap();
            let all = read(&tree, &query, constant, &terms);
            let hash = path_hashes(&tree, &ClassMap::default())[node.index()];
            let at = all.iter().find(|path| path.path == hash).unwrap();
            (at.terms, at.matched)
        };
        let none = Constants::default();
        assert_eq!(facts(&none, "h1"), (2, 2));
        assert_eq!(facts(&none, "div"), (5, 3), "phone stands three times and was asked for twice");
        let b = tree.elements("b").next().unwrap();
        let text = path_hashes(&tree, &ClassMap::default())[b.index() + 1];
        let mut template = Constants { template: [mark(text, "buy")].into_iter().collect(), ..none.clone() };
        assert_eq!(facts(&template, "div"), (4, 3));
        assert_eq!(facts(&template, "b"), (0, 0));
        template.tabs.insert(path_hashes(&tree, &ClassMap::default())[b.index()]);
        assert_eq!(facts(&template, "b"), (1, 0), "a tab is no template");
        let (empty, _) = Tree::parse(b"", None, &Limits::default());
        assert_eq!(read(&empty, &query, &none, &terms).len(), 1, "the body");
        assert!(text_marks(&tree, &ClassMap::default()).contains(&mark(text, "buy")));
    }
}
