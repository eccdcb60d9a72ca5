//! What an answer says, in a form that answers can be compared in.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use unsite_dom::{NodeId, PathStyle, Tree};

/// Texts of one answer that are looked at; longer pages repeat themselves.
const MAX_TEXTS: usize = 20_000;

/// A text of a page: where it stands and what it says, the query and all numbers masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    pub(super) path: u64,
    pub(super) text: u64,
    pub(super) node: NodeId,
}

/// The texts of an answer to a word. The word is masked wherever it is echoed, and so are numbers, which count and
/// measure (`12 results in 0.3 s`).
pub(super) fn leaves(tree: &Tree, word: &str) -> Vec<Leaf> {
    let paths = tree.path_hashes(PathStyle::Attributes);
    let word = word.to_lowercase();
    tree.visible_texts()
        .take(MAX_TEXTS)
        .filter_map(|(node, text)| {
            let masked = masked(&text, &word);
            // What is nothing but the query or a number says nothing.
            let says = masked.chars().any(char::is_alphanumeric);
            says.then(|| Leaf { path: paths[node.index()], text: hash(&masked), node })
        })
        .collect()
}

fn masked(text: &str, word: &str) -> String {
    let lower = text.to_lowercase();
    let without = if word.is_empty() { lower } else { lower.replace(word, "\u{1}") };
    let mut masked = String::with_capacity(without.len());
    for c in without.chars() {
        if !c.is_numeric() {
            masked.push(c);
        } else if !masked.ends_with('\u{2}') {
            masked.push('\u{2}');
        }
    }
    masked
}

pub(super) fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Elements under one parent that hold what is new on an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The path of tags to the elements.
    pub(super) path: u64,
    /// The elements in document order.
    pub(super) elements: Vec<NodeId>,
    /// How many new texts they hold together.
    pub(super) texts: usize,
}

/// All groups of elements that hold these texts: for every parent, its children of one name.
pub(super) fn groups(tree: &Tree, texts: &[NodeId]) -> Vec<Group> {
    let paths = tree.path_hashes(PathStyle::Tags);
    let mut held: BTreeMap<NodeId, usize> = BTreeMap::new();
    for &text in texts {
        for above in tree.ancestors(text).filter(|&above| tree.is_element(above)) {
            *held.entry(above).or_default() += 1;
        }
    }
    let mut groups: BTreeMap<(NodeId, u16), Group> = BTreeMap::new();
    for (&element, &count) in &held {
        let Some(parent) = tree.parent(element) else { continue };
        let empty = || Group { path: paths[element.index()], elements: Vec::new(), texts: 0 };
        let group = groups.entry((parent, tree.name_id(element))).or_insert_with(empty);
        group.elements.push(element);
        group.texts += count;
    }
    groups.into_values().map(|group| of_one_kind(tree, group)).collect()
}

/// The elements that are built like most of the group: headings between rows (`tr` of `th`) are not rows.
fn of_one_kind(tree: &Tree, mut group: Group) -> Group {
    if group.elements.len() < 2 {
        return group;
    }
    let kinds = |element: NodeId| -> BTreeSet<u16> {
        tree.children(element)
            .filter(|&child| tree.is_element(child))
            .map(|child| tree.name_id(child))
            .collect()
    };
    let all: Vec<BTreeSet<u16>> = group.elements.iter().map(|&element| kinds(element)).collect();
    let mut counts: BTreeMap<&BTreeSet<u16>, (usize, usize)> = BTreeMap::new();
    for (kinds, &element) in all.iter().zip(&group.elements) {
        let entry = counts.entry(kinds).or_default();
        *entry = (entry.0 + 1, entry.1.max(tree.children(element).count()));
    }
    // Where two are equally many, the richer one: a row has more in it than its heading.
    let Some((most, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return group };
    let most = most.clone();
    let mut keep = all.iter().map(|kinds| most.is_empty() || !kinds.is_disjoint(&most));
    group.elements.retain(|_| keep.next().unwrap_or(true));
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    fn texts(html: &str, word: &str) -> Vec<(u64, u64)> {
        leaves(&tree(html), word).iter().map(|leaf| (leaf.path, leaf.text)).collect()
    }

    #[test]
    fn echoes_and_numbers_make_no_difference() {
        let a = texts("<p>12 results for Tea in 0.31 s</p><b>tea</b><i>7</i>", "tea");
        let b = texts("<p>7 results for rum in 1.2 s</p><b>rum</b><i>9</i>", "rum");
        assert_eq!(a.len(), 1);
        assert_eq!(a, b);
        assert_ne!(a, texts("<p>No results for rum</p>", "rum"));
    }

    #[test]
    fn rows_are_counted_without_the_headings_between_them() {
        let tree = tree(
            "<table><tbody><tr><th>bugs<tr><td>a<td>b<tr><td>c<td>d<tr><th>wishes<tr><td>e<td>f</table>",
        );
        let all: Vec<NodeId> = tree.texts().map(|text| text.node).collect();
        let rows =
            groups(&tree, &all).into_iter().max_by_key(|group| (group.texts, group.elements.len())).unwrap();
        assert_eq!(rows.elements.len(), 3);
        assert_eq!(rows.texts, 8);
    }

    #[test]
    fn a_single_row_below_its_heading_is_one() {
        let tree = tree("<table><tbody><tr><td>a<td>b<td>c<tr><th>bugs</table>");
        let all: Vec<NodeId> = tree.texts().map(|text| text.node).collect();
        let rows = groups(&tree, &all).into_iter().max_by_key(|group| group.texts).unwrap();
        let names: Vec<String> = rows.elements.iter().map(|&row| tree.visible_text(row)).collect();
        assert_eq!(names, ["a b c"]);
    }
}
