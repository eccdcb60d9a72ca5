//! What a page says to machines, JSON-LD and microdata, as values with a name.

use std::collections::BTreeMap;

use unsite_dom::{EmbeddedKind, Leaf, Tree};

/// A value that a page gives machines once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Datum {
    /// The type of the thing and the way to the value: `Product.offers.price`.
    pub path: String,
    /// The value, white space collapsed.
    pub value: String,
}

/// The values of a page, sorted by path. A path that stands there several times is a list of its own making (crumbs, all
/// offers) and is left out: which of its values is meant does not show.
pub(crate) fn embedded_data(tree: &Tree) -> Vec<Datum> {
    let mut leaves = tree.json_ld();
    if tree.elements("meta").chain(tree.elements("link")).any(|node| tree.attr(node, "itemprop").is_some()) {
        leaves.extend(tree.microdata_leaves());
    }
    // The type of a thing is that of its own properties.
    let mut types: BTreeMap<(EmbeddedKind, u32), &str> = BTreeMap::new();
    for leaf in leaves.iter().filter(|leaf| !leaf.path.contains('.')) {
        types.entry((leaf.kind, leaf.item)).or_insert(&leaf.type_name);
    }
    let mut found: BTreeMap<String, Option<&Leaf>> = BTreeMap::new();
    for leaf in leaves.iter().filter(|leaf| !leaf.path.starts_with('@') && !leaf.path.contains(".@")) {
        let thing = types.get(&(leaf.kind, leaf.item)).copied().unwrap_or_default();
        let path = if thing.is_empty() { leaf.path.clone() } else { format!("{thing}.{}", leaf.path) };
        found.entry(path).and_modify(|there| *there = None).or_insert(Some(leaf));
    }
    let once = found.into_iter().filter_map(|(path, leaf)| Some((path, leaf?)));
    once.map(|(path, leaf)| Datum { path, value: leaf.value.clone() }).collect()
}
