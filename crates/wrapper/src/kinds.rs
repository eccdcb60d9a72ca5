//! The elements of one page by tag, class and id: pages use few combinations, many times each.

use std::hash::Hasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64;

/// Which combination of tag, class and id each node has; what depends on these alone is worked out once for each.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    /// By node; 0 for texts and the document.
    of: Vec<u32>,
    all: Vec<Kind>,
}

/// A combination of tag, class and id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// The first element that has it.
    pub(crate) first: NodeId,
    /// The hash of the tag.
    pub(crate) tag: u64,
    /// The hash of class and id; `None` without them.
    pub(crate) names: Option<u64>,
}

/// Room for the kinds of an ordinary page.
const USUAL_KINDS: usize = 224;

impl Kinds {
    /// Reads the page once.
    pub fn of(tree: &Tree) -> Self {
        let names = tree.two_attr_names("class", "id");
        let mut all = vec![Kind { first: NodeId::DOCUMENT, tag: 0, names: None }];
        let mut tags: Vec<Tag> = Vec::new();
        let mut named: FxHashMap<u64, u32> = FxHashMap::with_capacity_and_hasher(USUAL_KINDS, FxBuildHasher);
        let mut written: Vec<Written> = vec![Written::default(); tree.attr_places()];
        let mut of = Vec::with_capacity(tree.len());
        for node in tree.nodes() {
            if !tree.is_element(node) {
                of.push(0);
                continue;
            }
            let at = usize::from(tree.name_id(node));
            if at >= tags.len() {
                tags.resize(at + 1, Tag::default());
            }
            let tag = &mut tags[at];
            if tag.hash == 0 {
                tag.hash = xxh3_64(tree.name(node).as_bytes());
            }
            let (place, count) = tree.attr_place(node);
            let alike = &mut written[place];
            let (name, count) = (at as u16, count as u16);
            if alike.kind != 0 && (alike.name, alike.count) == (name, count) {
                of.push(alike.kind);
                continue;
            }
            let (class, id) = tree.two_attrs(node, names);
            let kind = if class.is_none() && id.is_none() {
                if tag.plain == 0 {
                    tag.plain = all.len() as u32;
                    all.push(Kind { first: node, tag: tag.hash, names: None });
                }
                tag.plain
            } else {
                let mut hasher = FxHasher::default();
                hasher.write_u64(tag.hash);
                hasher.write(class.unwrap_or_default().as_bytes());
                hasher.write(id.unwrap_or_default().as_bytes());
                *named.entry(hasher.finish()).or_insert_with(|| {
                    all.push(Kind { first: node, tag: tag.hash, names: Some(names_key(class, id)) });
                    all.len() as u32 - 1
                })
            };
            *alike = Written { kind, name, count };
            of.push(kind);
        }
        Kinds { of, all }
    }

    /// The kinds, that of texts and the document first.
    pub(crate) fn all(&self) -> &[Kind] {
        &self.all
    }

    /// The kind of each node, as a place in [`Kinds::all`].
    pub(crate) fn by_node(&self) -> &[u32] {
        &self.of
    }
}

/// What is known of the elements with one tag.
#[derive(Debug, Clone, Copy, Default)]
struct Tag {
    /// 0 until it is asked for.
    hash: u64,
    /// The kind of those without class and id; 0 before the first.
    plain: u32,
}

/// The last element with its attributes at one place: one that is written like it is of its kind.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    /// 0 before the first.
    kind: u32,
    name: u16,
    /// No element has more attributes than this can count.
    count: u16,
}

/// The hash of class and id.
pub(crate) fn names_key(class: Option<&str>, id: Option<&str>) -> u64 {
    let key = xxh3_64(class.unwrap_or_default().as_bytes());
    id.map_or(key, |id| key.rotate_left(17) ^ xxh3_64(id.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn elements_of_a_kind_share_tag_class_and_id() {
        let html = b"<p>a<p>b<p class=x>c<p class=x>d<p id=x>e<i class=x>f</i><p class=x id=x>g";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let kinds = Kinds::of(&tree);
        let body = tree.elements("body").next().unwrap();
        let found: Vec<u32> = tree.children(body).map(|node| kinds.by_node()[node.index()]).collect();
        assert_eq!(found, [4, 4, 5, 5, 6, 8]);
        assert_eq!(kinds.by_node()[0], 0);
        assert_eq!(kinds.by_node().len(), tree.len());
    }
}
