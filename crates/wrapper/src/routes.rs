//! Independent ways to a value. The template is the one that is read; the others are witnesses: they say how sure a
//! column is, and where its values went when the template does not find them any more.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unsite_dom::{NodeId, Tree, collapse};

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
    paths: Vec<String>,
    texts: Vec<(NodeId, Cow<'t, str>)>,
}

/// Elements that are looked at for their paths: those of a very long page repeat.
const MAX_ELEMENTS: usize = 20_000;

/// The longest text that is taken for a label.
const LONGEST_LABEL: usize = 60;

impl<'t> RouteFinder<'t> {
    /// Prepares a page.
    pub fn new(tree: &'t Tree, classes: &ClassMap) -> Self {
        let mut steps: rustc_hash::FxHashMap<u64, String> = rustc_hash::FxHashMap::default();
        let mut signer: Signer<'_> = classes.signer(tree);
        let mut paths: Vec<String> = Vec::with_capacity(tree.len().min(MAX_ELEMENTS));
        for node in tree.nodes().take(MAX_ELEMENTS) {
            let above =
                tree.parent(node).and_then(|parent| paths.get(parent.index())).cloned().unwrap_or_default();
            if !tree.is_element(node) {
                paths.push(above);
                continue;
            }
            let step = steps.entry(signer.signature(node)).or_insert_with(|| step_name(tree, node, classes));
            paths.push(if above.is_empty() { step.clone() } else { above + "/" + step });
        }
        let texts = tree.texts().map(|text| (text.node, text.text)).collect();
        RouteFinder { tree, paths, texts }
    }

    /// The ways that lead to a node, apart from the template.
    pub fn anchors(&self, node: NodeId) -> Vec<Anchor> {
        let mut anchors = Vec::new();
        let element = if self.tree.is_element(node) { Some(node) } else { self.tree.parent(node) }
            .unwrap_or(NodeId::DOCUMENT);
        anchors.extend(
            self.paths.get(element.index()).filter(|path| !path.is_empty()).cloned().map(Anchor::Path),
        );
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
            Anchor::Path(path) => {
                let node = self.paths.iter().position(|known| known == path).map(|at| NodeId(at as u32))?;
                self.value(node)
            }
            Anchor::Label(label) => {
                let at = self.texts.iter().position(|(_, text)| text.as_ref() == label)?;
                self.texts.get(at + 1).map(|(_, text)| Cow::Borrowed(text.as_ref()))
            }
            Anchor::Property(name) => {
                let mut nodes = self.tree.nodes().filter(|&node| self.tree.is_element(node));
                let node = nodes.find(|&node| self.property(node).as_deref() == Some(name))?;
                self.value(node)
            }
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

/// The node at a path such as `html/body/div[2]/h1`, as [`Tree::indexed_path`] writes it.
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

fn step_name(tree: &Tree, node: NodeId, classes: &ClassMap) -> String {
    let mut step = tree.name(node).to_owned();
    for name in classes.names(tree, node) {
        if !name.starts_with('#') {
            step.push('.');
        }
        step += &name;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn every_route_leads_to_the_value() {
        let html = b"<body><dl><dt>Height</dt><dd class=v itemprop=height>12 m</dd></dl>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let classes = ClassMap { known: vec!["v".to_owned()].into(), ..ClassMap::default() };
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
