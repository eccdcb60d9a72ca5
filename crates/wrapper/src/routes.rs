//! Independent ways to a value. The template is the one that is read; the others are witnesses: they say how sure a
//! column is, and where its values went when the template does not find them any more.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use unsite_dom::{NodeId, Tree, collapse};
use xxhash_rust::xxh3::xxh3_64;

use crate::classes::{ClassMap, Signer};

/// A way to the values of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// What it goes by.
    pub by: Anchor,
    /// The share of the pages looked at on which it gives what the template gives.
    pub agreement: f64,
}

/// What a route goes by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The steps of the template from the top down, with what stands beside them.
    Template(String),
    /// The path of elements with their template names: `html/body/div.main/h1`.
    Path(String),
    /// The text that stands before the value.
    Label(String),
    /// A property that the page itself names: `itemprop`, `property` or `name`.
    Property(String),
}

impl Anchor {
    /// The word for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Anchor::Template(_) => "template",
            Anchor::Path(_) => "path",
            Anchor::Label(_) => "label",
            Anchor::Property(_) => "property",
        }
    }

    /// What is looked for.
    pub fn text(&self) -> &str {
        match self {
            Anchor::Template(text) | Anchor::Path(text) | Anchor::Label(text) | Anchor::Property(text) => {
                text
            }
        }
    }
}

/// Routes of one page, looked up many times.
pub struct RouteFinder<'t> {
    tree: &'t Tree,
    /// By node: what its step is called, as a place in `names`; texts have none.
    steps: Vec<Option<u32>>,
    names: Vec<String>,
    /// The first element of each path, by the hash of its spelling.
    by_path: FxHashMap<u64, NodeId>,
    texts: Vec<(NodeId, Cow<'t, str>)>,
    /// The first text that says something, by its hash.
    by_text: FxHashMap<u64, usize>,
    by_property: FxHashMap<String, NodeId>,
}

/// Elements that are looked at for their paths: those of a very long page repeat.
const MAX_ELEMENTS: usize = 20_000;

/// The longest text that is taken for a label.
const LONGEST_LABEL: usize = 60;

impl<'t> RouteFinder<'t> {
    /// Prepares a page.
    pub fn new(tree: &'t Tree, classes: &ClassMap) -> Self {
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut signer: Signer<'_> = classes.signer(tree);
        let mut names: Vec<String> = Vec::new();
        let looked_at = tree.len().min(MAX_ELEMENTS);
        let (mut steps, mut hashes) = (Vec::with_capacity(looked_at), Vec::with_capacity(looked_at));
        let mut by_path = FxHashMap::default();
        for node in tree.nodes().take(looked_at) {
            let above = tree.parent(node).map_or(NO_PATH, |parent| hashes[parent.index()]);
            if !tree.is_element(node) {
                steps.push(None);
                hashes.push(above);
                continue;
            }
            let step = *known.entry(signer.signature(node)).or_insert_with(|| {
                names.push(classes.step_name(tree, node));
                names.len() as u32 - 1
            });
            let above = if above == NO_PATH { above } else { spelled_on(above, "/") };
            let hash = spelled_on(above, &names[step as usize]);
            steps.push(Some(step));
            hashes.push(hash);
            by_path.entry(hash).or_insert(node);
        }
        let texts: Vec<(NodeId, Cow<'t, str>)> = tree.texts().map(|text| (text.node, text.text)).collect();
        let mut by_text = FxHashMap::default();
        for (at, (_, text)) in texts.iter().enumerate() {
            by_text.entry(xxh3_64(text.as_bytes())).or_insert(at);
        }
        let mut finder =
            RouteFinder { tree, steps, names, by_path, texts, by_text, by_property: FxHashMap::default() };
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            if let Some(name) = finder.property(node) {
                finder.by_property.entry(name).or_insert(node);
            }
        }
        finder
    }

    /// The path of an element, where it was looked at.
    fn path(&self, element: NodeId) -> Option<String> {
        self.steps.get(element.index()).copied().flatten()?;
        let above = std::iter::once(element).chain(self.tree.ancestors(element));
        let mut steps: Vec<&str> = above
            .filter_map(|node| self.steps[node.index()])
            .map(|step| self.names[step as usize].as_str())
            .collect();
        steps.reverse();
        Some(steps.join("/"))
    }

    /// The ways that lead to a node, apart from the template.
    pub fn anchors(&self, node: NodeId) -> Vec<Anchor> {
        let mut anchors = Vec::new();
        let element = if self.tree.is_element(node) { Some(node) } else { self.tree.parent(node) }
            .unwrap_or(NodeId::DOCUMENT);
        anchors.extend(self.path(element).map(Anchor::Path));
        if let Some(label) = self.text_before(node) {
            anchors.push(Anchor::Label(label.to_owned()));
        }
        let near = std::iter::once(element).chain(self.tree.ancestors(element)).take(3);
        anchors.extend(near.filter_map(|node| self.property(node)).next().map(Anchor::Property));
        anchors
    }

    /// The first value that a route gives on this page.
    pub fn find(&self, anchor: &Anchor) -> Option<Cow<'_, str>> {
        match anchor {
            Anchor::Template(_) => None,
            Anchor::Path(path) => self.value(*self.by_path.get(&spelled_on(NO_PATH, path))?),
            Anchor::Label(label) => {
                let at = *self.by_text.get(&xxh3_64(label.as_bytes()))?;
                self.texts.get(at + 1).map(|(_, text)| Cow::Borrowed(text.as_ref()))
            }
            Anchor::Property(name) => self.value(*self.by_property.get(name)?),
        }
    }

    fn value(&self, node: NodeId) -> Option<Cow<'_, str>> {
        if let Some(content) = self.tree.attr(node, "content").filter(|content| !content.trim().is_empty()) {
            return Some(collapse(content));
        }
        let first = self.texts.partition_point(|(text, _)| *text < node);
        let end = self.tree.end(node);
        let mut below =
            self.texts[first..].iter().take_while(|(text, _)| *text < end).map(|(_, text)| text.as_ref());
        let one = below.next()?;
        let rest: Vec<&str> = below.collect();
        Some(if rest.is_empty() {
            Cow::Borrowed(one)
        } else {
            Cow::Owned(format!("{one} {}", rest.join(" ")))
        })
    }

    fn text_before(&self, node: NodeId) -> Option<&str> {
        let at = self.texts.partition_point(|(text, _)| *text < node);
        let (_, text) = self.texts.get(at.checked_sub(1)?)?;
        (text.len() <= LONGEST_LABEL && text.chars().any(char::is_alphabetic)).then_some(text)
    }

    fn property(&self, node: NodeId) -> Option<String> {
        let name = ["itemprop", "property"].iter().find_map(|attribute| self.tree.attr(node, attribute));
        let name =
            name.or_else(|| self.tree.attr(node, "name").filter(|_| self.tree.name(node) == "meta"))?;
        Some(name.trim().to_lowercase()).filter(|name| !name.is_empty())
    }
}

/// The hash of no path: FNV-1a, which goes on where it stopped, so that a path is hashed step by step.
const NO_PATH: u64 = 0xcbf2_9ce4_8422_2325;

fn spelled_on(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The node at a path such as `html/body/div[2]/h1`, as [`unsite_dom::IndexedPaths`] writes it.
pub fn node_at(tree: &Tree, path: &str) -> Option<NodeId> {
    let mut node = NodeId::DOCUMENT;
    for step in path.split('/') {
        let (name, place) = match step.split_once('[') {
            Some((name, place)) => (name, place.trim_end_matches(']').parse::<usize>().ok()?),
            None => (step, 1),
        };
        node = tree.children(node).filter(|&child| tree.name(child) == name).nth(place.checked_sub(1)?)?;
    }
    Some(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn every_route_leads_to_the_value() {
        let html = b"<body><dl><dt>Height</dt><dd class=v itemprop=height>12 m</dd></dl>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let classes = ClassMap::new(vec!["v".to_owned()].into(), Vec::new().into());
        let finder = RouteFinder::new(&tree, &classes);
        let node = node_at(&tree, "html/body/dl/dd").unwrap();
        let anchors = finder.anchors(node);
        assert_eq!(
            anchors,
            [
                Anchor::Path("html/body/dl/dd.v".into()),
                Anchor::Label("Height".into()),
                Anchor::Property("height".into())
            ]
        );
        assert!(anchors.iter().all(|anchor| finder.find(anchor).as_deref() == Some("12 m")));
        assert_eq!(node_at(&tree, "html/body/dl[2]"), None);
        assert_eq!(node_at(&tree, "html/body/dl[0]"), None);
    }
}
