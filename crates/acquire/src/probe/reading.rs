//! What an answer says, in a form that answers can be compared in.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use unsite_dom::{NodeId, PathStyle, Tree};

/// Texts of one answer that are looked at; longer pages repeat themselves.
const MAX_TEXTS: usize = 20_000;

/// From here on scripts write without spaces between words.
pub(super) const DENSE_SCRIPTS: u32 = 0x2e80;

/// How far above a text a control of a form may stand that the text belongs to.
const CONTROL_ANCESTORS: usize = 4;

/// A text of a page: where it stands and what it says, the query and all numbers masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    pub(super) path: u64,
    pub(super) text: u64,
    /// The same with the query unmasked, which may be a word of the page's frame.
    pub(super) plain: u64,
    pub(super) node: NodeId,
}

/// The texts of an answer to a word. The word is masked wherever it is echoed, and so are numbers, which count and
/// measure (`12 results in 0.3 s`).
pub(super) fn leaves(tree: &Tree, word: &str) -> Vec<Leaf> {
    let paths = tree.path_hashes(PathStyle::Attributes);
    let word = word.to_lowercase();
    tree.visible_texts()
        .take(MAX_TEXTS)
        .filter(|(node, _)| !is_control(tree, *node))
        .filter_map(|(node, text)| {
            let text = text.to_lowercase();
            let masked = numbers_masked(&word_masked(&text, &word));
            // What is nothing but the query or a number says nothing.
            let says = masked.chars().any(char::is_alphanumeric);
            let (path, plain) = (paths[node.index()], hash(&numbers_masked(&text)));
            says.then(|| Leaf { path, text: hash(&masked), plain, node })
        })
        .collect()
}

/// What can be chosen and pressed is no answer: pages with results offer ways to sort and group them.
fn is_control(tree: &Tree, text: NodeId) -> bool {
    tree.ancestors(text)
        .take(CONTROL_ANCESTORS)
        .any(|above| matches!(tree.name(above), "select" | "button" | "label" | "legend" | "datalist"))
}

/// The text with the word masked where it stands for itself; in scripts without spaces, wherever it stands.
fn word_masked(text: &str, word: &str) -> String {
    if word.is_empty() {
        return text.to_owned();
    }
    let joins = |c: char| c.is_alphanumeric() && (c as u32) < DENSE_SCRIPTS;
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let is_part = (before.ends_with(joins) || (before.is_empty() && masked.ends_with(joins)))
            && word.starts_with(joins)
            || word.ends_with(joins) && after.starts_with(joins);
        masked.push_str(before);
        masked.push_str(if is_part { word } else { "\u{1}" });
        rest = after;
    }
    masked.push_str(rest);
    masked
}

fn numbers_masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for c in text.chars() {
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
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The path of tags to the elements.
    pub(super) path: u64,
    /// The elements in document order.
    pub(super) members: Vec<Member>,
}

/// One of them.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) node: NodeId,
    /// The names of its children: rows of cells are another thing than the headings between them.
    pub(super) kind: BTreeSet<String>,
    /// How many new texts it holds.
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
    for (&node, &texts) in &held {
        let Some(parent) = tree.parent(node) else { continue };
        let children = tree.children(node).filter(|&child| tree.is_element(child));
        let kind = children.map(|child| tree.name(child).to_owned()).collect();
        let empty = || Group { path: paths[node.index()], members: Vec::new() };
        let group = groups.entry((parent, tree.name_id(node))).or_insert_with(empty);
        group.members.push(Member { node, kind, texts });
    }
    groups.into_values().collect()
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
    fn what_can_be_chosen_is_no_answer() {
        let html =
            "<p>tea</p><label>Sort by <select><optgroup><option>price<option>name</select></label><button>Go";
        assert_eq!(texts(html, "x").len(), 1);
    }

    #[test]
    fn parts_of_words_are_no_echo() {
        assert_eq!(word_masked("sea search, sea", "sea"), "\u{1} search, \u{1}");
        assert_eq!(word_masked("teatea tea", "tea"), "teatea \u{1}");
        assert_eq!(word_masked("日本茶", "茶"), "日本\u{1}");
    }

    #[test]
    fn siblings_are_grouped_with_what_they_are_made_of() {
        let tree = tree("<table><tbody><tr><th>bugs<tr><td>a<td>b<tr><td>c<td>d</table>");
        let all: Vec<NodeId> = tree.texts().map(|text| text.node).collect();
        let groups = groups(&tree, &all);
        let rows = groups.iter().find(|group| group.members.len() == 3).unwrap();
        let shown: Vec<String> = rows
            .members
            .iter()
            .map(|row| format!("{} {:?}", row.texts, row.kind.iter().collect::<Vec<_>>()))
            .collect();
        assert_eq!(shown, ["1 [\"th\"]", "2 [\"td\"]", "2 [\"td\"]"]);
    }
}
