//! Where something stands on a page that somebody pointed at, in a form that outlives the template.

use serde::{Deserialize, Serialize};
use unsite_dom::NodeId;

use crate::matching::{LONGEST_INLINE_LABEL, inline_label};
use crate::view::View;

/// Siblings of one tag that are noted.
const SIBLINGS: usize = 64;

/// The way from the document down to a node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trail(pub Vec<TrailStep>);

/// One step of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailStep {
    /// The tag; empty for a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// The element's class.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// The element's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The short text before it under the same parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its place among its siblings with the same tag that show something.
    #[serde(default)]
    pub place: usize,
    /// Class and id of each of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<[String; 2]>,
}

/// A value that somebody pointed at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleCell {
    /// What to call it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where it stands: from the document, or in a row from the row.
    pub trail: Trail,
    /// The attribute that is read; the text where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
}

impl Trail {
    /// The way down to a node of a page.
    pub fn of(view: &View<'_>, node: NodeId) -> Trail {
        Trail::from(view, NodeId::DOCUMENT, node)
    }

    /// The way from a node down to one below it.
    pub fn from(view: &View<'_>, top: NodeId, node: NodeId) -> Trail {
        let mut steps = Vec::new();
        let mut at = node;
        while at != top {
            steps.push(TrailStep::of(view, at));
            match view.tree.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        steps.reverse();
        Trail(steps)
    }

    /// The cells of a row that an element shows: its texts, links and pictures.
    pub fn cells(view: &View<'_>, row: NodeId) -> Vec<ExampleCell> {
        let mut cells: Vec<ExampleCell> = Vec::new();
        let tree = view.tree;
        let mut seen: Vec<String> = Vec::new();
        let mut name = |wanted: String| {
            let count = seen.iter().filter(|name| **name == wanted).count();
            seen.push(wanted.clone());
            if count == 0 { wanted } else { format!("{wanted}_{}", count + 1) }
        };
        for node in tree.descendants(row).take(MOST_NODES) {
            if cells.len() >= MOST_CELLS {
                break;
            }
            let cell = |name: String, at: NodeId, attribute: Option<&str>| ExampleCell {
                name,
                trail: Trail::from(view, row, at),
                attribute: attribute.map(str::to_owned),
            };
            if tree.is_text(node) && !view.texts[view.texts_in(node)].is_empty() {
                cells.push(cell(name(called(view, node)), node, None));
            } else if tree.name(node) == "a"
                && tree.attr(node, "href").is_some_and(|href| !href.starts_with('#'))
            {
                cells.push(cell(name("url".into()), node, Some("href")));
            } else if tree.name(node) == "img" && tree.attr(node, "src").is_some() {
                cells.push(cell(name("image".into()), node, Some("src")));
            }
        }
        cells
    }
}

/// Nodes of an example row that are looked at.
const MOST_NODES: usize = 400;

/// Cells of an example row.
const MOST_CELLS: usize = 40;

/// What a text of a row is called for want of anything better: the class of its element, or its tag.
fn called(view: &View<'_>, text: NodeId) -> String {
    let Some(parent) = view.tree.parent(text) else { return "text".into() };
    let class = view.tree.attr(parent, "class").and_then(|class| class.split_ascii_whitespace().next());
    let plain = |word: &str| {
        let kept: String = word.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        kept.trim_matches('_').to_lowercase()
    };
    let named = class.map(plain).filter(|name| name.starts_with(char::is_alphabetic));
    named.unwrap_or_else(|| match view.tree.name(parent) {
        "a" => "title".into(),
        tag if tag.len() > 2 => plain(tag),
        _ => "text".into(),
    })
}

impl TrailStep {
    fn of(view: &View<'_>, node: NodeId) -> TrailStep {
        let tree = view.tree;
        let attribute = |node: NodeId, name: &str| tree.attr(node, name).unwrap_or_default().to_owned();
        let is_text = tree.is_text(node);
        let tag = if is_text { String::new() } else { tree.name(node).to_owned() };
        let mut step = TrailStep { tag, ..TrailStep::default() };
        if !is_text {
            step.class = attribute(node, "class");
            step.id = attribute(node, "id");
        }
        let Some(parent) = tree.parent(node) else { return step };
        let mut before: Option<NodeId> = None;
        for child in view.content_children(parent) {
            let alike = tree.is_text(child) == is_text && (is_text || tree.name(child) == step.tag);
            if child == node {
                step.place = step.siblings.len();
                step.label = before.and_then(|before| short_text(view, before));
            }
            if alike && step.siblings.len() < SIBLINGS {
                step.siblings.push(match is_text {
                    true => Default::default(),
                    false => [attribute(child, "class"), attribute(child, "id")],
                });
            }
            before = Some(child);
        }
        if let Some(own) = view.texts[view.texts_in(node)].first().and_then(|text| inline_label(&text.value))
        {
            step.label = Some(own.to_owned());
        }
        step
    }
}

/// The text of a node if it has one and that is short: a label.
fn short_text(view: &View<'_>, node: NodeId) -> Option<String> {
    let [only] = &view.texts[view.texts_in(node)] else { return None };
    let is_label = only.value.len() <= LONGEST_INLINE_LABEL && only.value.chars().any(char::is_alphabetic);
    is_label.then(|| only.value.to_string())
}
