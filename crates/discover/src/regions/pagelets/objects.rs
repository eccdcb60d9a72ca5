//! The items of an answer: repeated children of the pagelet, or runs of them.

use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Tree};

use super::page::Page;
use super::turns::Turns;

/// Children of one tag are of one kind when the tags below them agree in this share: rows of headings differ from rows of
/// values, items with and without an optional part do not.
const SAME_KIND: f64 = 0.4;

/// What stands between two items belongs to them when it recurs at least this often for each item.
const RECURS: f64 = 0.5;

/// Items have one of the class names that this share of their kind has; what has none and is not of that kind (a pager in a
/// `div` as well) is no item.
const SAME_CLASS: f64 = 0.9;

/// How the items of a pagelet look, learned over the pages of a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ItemKind {
    /// The tag of the child that begins an item.
    tag: String,
    /// The tags below it, sorted.
    below: Vec<String>,
    /// Classes that items have, sorted.
    classes: Vec<String>,
    /// Tags of children that go on with an item, sorted.
    goes_on: Vec<String>,
    /// Where children of that tag take turns, which of them begins.
    turns: Option<Turns>,
}

/// Learns what the items in these pagelets look like: the most frequent kind of child, on any page at least twice.
pub(super) fn learn_items(pagelets: &[(&Page<'_>, NodeId)]) -> Option<ItemKind> {
    let mut kinds: FxHashMap<(String, Vec<String>), (usize, usize)> = FxHashMap::default();
    let mut tags: FxHashMap<String, usize> = FxHashMap::default();
    for (page, node) in pagelets {
        let tree = page.tree;
        let mut here: FxHashMap<(String, Vec<String>), usize> = FxHashMap::default();
        for child in page.content_children(*node) {
            *here.entry((tree.name(child).to_owned(), tags_below(tree, child))).or_default() += 1;
            *tags.entry(tree.name(child).to_owned()).or_default() += 1;
        }
        for (kind, count) in here {
            let known = kinds.entry(kind).or_default();
            *known = (known.0 + count, known.1.max(count));
        }
    }
    let repeated = kinds.into_iter().filter(|(_, (_, at_once))| *at_once >= 2);
    let ((tag, below), (count, _)) = repeated.max_by(|a, b| (a.1.0, &b.0).cmp(&(b.1.0, &a.0)))?;
    let mut goes_on: Vec<String> = tags
        .into_iter()
        .filter(|(other, recurs)| *other != tag && *recurs as f64 >= RECURS * count as f64)
        .map(|(other, _)| other)
        .collect();
    goes_on.sort_unstable();
    let classes = common_classes(pagelets, &tag, &below);
    let mut kind = ItemKind { tag, below, classes, goes_on, turns: None };
    kind.begin_at_first(pagelets);
    kind.turns = Turns::learn(pagelets, &kind.tag);
    Some(kind)
}

impl ItemKind {
    /// Of the kinds that take turns the one that stands first begins an item.
    fn begin_at_first(&mut self, pagelets: &[(&Page<'_>, NodeId)]) {
        if self.goes_on.is_empty() {
            return;
        }
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (page, node) in pagelets {
            let mut names = page.content_children(*node).map(|child| page.tree.name(child));
            let begins =
                names.find(|name| *name == self.tag || self.goes_on.iter().any(|other| other == name));
            if let Some(name) = begins {
                *first.entry(name).or_default() += 1;
            }
        }
        let Some((name, _)) = first.into_iter().max_by(|a, b| (a.1, b.0).cmp(&(b.1, a.0))) else { return };
        if name != self.tag {
            let name = name.to_owned();
            self.goes_on.retain(|other| *other != name);
            self.goes_on.push(std::mem::replace(&mut self.tag, name));
            self.goes_on.sort_unstable();
            // Nothing is known of what stands below the kind that begins.
            self.below.clear();
            self.classes.clear();
        }
    }

    /// The items of a pagelet: each a run of children.
    pub(super) fn items(&self, page: &Page<'_>, pagelet: NodeId) -> Vec<Vec<NodeId>> {
        let tree = page.tree;
        let mut items: Vec<Vec<NodeId>> = Vec::new();
        for child in page.content_children(pagelet) {
            let name = tree.name(child);
            let (begins, goes_on) = match &self.turns {
                Some(turns) if name == self.tag => (turns.begins(tree, child), true),
                _ => (self.is_item(tree, child), self.goes_on.iter().any(|other| other == name)),
            };
            if begins {
                items.push(vec![child]);
            } else if goes_on && let Some(item) = items.last_mut() {
                item.push(child);
            }
        }
        items
    }

    fn is_item(&self, tree: &Tree, child: NodeId) -> bool {
        if tree.name(child) != self.tag || self.below.is_empty() {
            return tree.name(child) == self.tag;
        }
        let below = tags_below(tree, child);
        let is_known = |name: &str| self.classes.iter().any(|known| known == name);
        let looks_so = self.classes.is_empty() || classes(tree, child).any(is_known);
        below == self.below || (agree(&below, &self.below) && looks_so)
    }
}

/// The classes that nearly all children of a kind have, sorted.
fn common_classes(pagelets: &[(&Page<'_>, NodeId)], tag: &str, below: &[String]) -> Vec<String> {
    let (mut all, mut counts) = (0usize, FxHashMap::<&str, usize>::default());
    for (page, node) in pagelets {
        let tree = page.tree;
        let is_kind = |child: &NodeId| tree.name(*child) == tag && tags_below(tree, *child) == below;
        for child in page.content_children(*node).filter(is_kind) {
            all += 1;
            classes(tree, child).for_each(|name| *counts.entry(name).or_default() += 1);
        }
    }
    let is_common = |count: usize| count as f64 >= SAME_CLASS * all as f64;
    let common = counts.into_iter().filter(|(_, count)| is_common(*count));
    let mut names: Vec<String> = common.map(|(name, _)| name.to_owned()).collect();
    names.sort_unstable();
    names
}

fn classes(tree: &Tree, node: NodeId) -> impl Iterator<Item = &str> {
    tree.attr(node, "class").unwrap_or_default().split_whitespace()
}

/// The distinct tags of the children of a node, sorted.
fn tags_below(tree: &Tree, node: NodeId) -> Vec<String> {
    let mut tags: Vec<String> = tree
        .children(node)
        .filter(|&child| tree.is_element(child))
        .map(|child| tree.name(child).to_owned())
        .collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

fn agree(a: &[String], b: &[String]) -> bool {
    let both = a.iter().filter(|tag| b.binary_search(tag).is_ok()).count();
    let all = a.len() + b.len() - both;
    all == 0 || both as f64 >= SAME_KIND * all as f64
}
