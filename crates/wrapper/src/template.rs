//! The learned shape of a page type: a tree of steps, laid over every page of the type from the top down.

use serde::{Deserialize, Serialize};

use crate::classes::{ClassMap, step_name};
use crate::hex;
use crate::parts::Part;
use crate::reading_order::Behind;

/// How the pages of one type are built.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// Which class and id names the template itself uses.
    pub classes: ClassMap,
    /// The steps; 0 stands for the document.
    pub nodes: Vec<TemplateNode>,
    /// What rows take over from the row they belong to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherits: Vec<Inherit>,
    /// What the kinds of elements that the steps speak of are called, sorted by signature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    /// Texts that stand once on the pages and cut them into stretches, sorted; see [`Behind`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landmarks: Vec<String>,
}

/// A kind of element by its names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The number that steps know it by.
    #[serde(with = "hex")]
    pub signature: u64,
    /// The tag.
    pub tag: String,
    /// Its class and id names as [`ClassMap::names`] gives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl Kind {
    /// As a step of a path: `div.main`, `section#top`.
    pub fn step_name(&self) -> String {
        step_name(&self.tag, &self.names)
    }
}

/// Rows under a heading are about what the heading says: each of them has its value too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inherit {
    /// The table of the rows.
    pub table: usize,
    /// Their column for the value.
    pub column: usize,
    /// The table that has the heading.
    pub from_table: usize,
    /// Its column there.
    pub from_column: usize,
}

impl Template {
    /// For each step, whether rows or values are read at it or below it; most steps only say how pages are built.
    pub(crate) fn read_steps(&self) -> Vec<bool> {
        /// Steps stand behind the one above them, so one pass from the last is enough; answers inside answers, which lead
        /// back to a step above, take another. A file that needs more is walked whole.
        const PASSES: usize = 4;
        let mut read: Vec<bool> =
            self.nodes.iter().map(|node| node.rows_of.is_some() || !node.reads.is_empty()).collect();
        for _ in 0..PASSES {
            let mut is_changed = false;
            for at in (0..read.len()).rev() {
                if !read[at] && self.nodes[at].specs.iter().any(|spec| read[spec.node]) {
                    (read[at], is_changed) = (true, true);
                }
            }
            if !is_changed {
                return read;
            }
        }
        vec![true; read.len()]
    }

    /// The steps from the document down to what is read, for people.
    pub fn selector(&self, step: usize, what: &What) -> String {
        let mut steps = Vec::new();
        let mut at = step;
        // Steps stand behind the one above them; a file that says otherwise ends the way up.
        while let Some(node) = self.nodes.get(at).filter(|node| at != 0 && node.parent < at) {
            steps.push(node.step.as_str());
            at = node.parent;
        }
        steps.reverse();
        let mut selector = steps.join(" > ");
        what.describe(&mut selector);
        selector
    }
}

/// One step of the template: a kind of element (or text) that stands at one place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TemplateNode {
    /// The step for people: `div.price`, `tr[Height]`, `li*` for the rows of a list.
    pub step: String,
    /// The step above.
    pub parent: usize,
    /// Constant texts that tell this step's children apart, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Kinds of elements that stand for each other here: layout variants, zebra rows. `(kind, the kind it counts as)`,
    /// sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "hex::pairs")]
    pub aliases: Vec<(u64, u64)>,
    /// Texts that stand once on a page, with the block below this step that they are in; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<(String, u32)>,
    /// The steps below, told apart; sorted by signature, label, block, shape and place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specs: Vec<Spec>,
    /// Each instance of this step is a row of this table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_of: Option<usize>,
    /// It does not open a row but goes on with the one that a sibling opened: records that span several siblings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
    /// It goes on with a row once. When it comes again it is a row of its own, below the same opening sibling: a heading
    /// with several records behind it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// The whole subtree is one value: a single text whatever is wrapped around it, or paragraphs and inline tags
    /// regrouped. Only attributes are read further below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub prose: bool,
    /// What is read here goes on with what the paragraph before said: running text without an element of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flows: bool,
    /// The values that are read here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
}

impl TemplateNode {
    /// The kind that an element of this kind counts as below this step.
    pub fn kind(&self, signature: u64) -> u64 {
        match self.aliases.binary_search_by_key(&signature, |alias| alias.0) {
            Ok(at) => self.aliases[at].1,
            Err(_) => signature,
        }
    }
}

/// Which children of a step belong to one of the steps below it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The kind of element.
    #[serde(with = "hex")]
    pub signature: u64,
    /// The constant text that introduces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The block of the layout that it is, see [`TemplateNode::blocks`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    /// What it looks like inside, where that tells equal-looking siblings apart: sorted features.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "hex::list")]
    pub shape: Vec<u64>,
    /// Its place among those that are alike in all of the above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// The step.
    pub node: usize,
}

/// A value that is read off a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// What is read.
    pub what: What,
    /// Index of the table.
    pub table: usize,
    /// Index of the column in it.
    pub column: usize,
}

/// What is read off a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The text, without the label that stands in front of it inside the same text.
    Text,
    /// The text of the whole subtree.
    Prose,
    /// What the head says: `title`, or the content of the `meta` of that name.
    Head(String),
    /// An attribute; links and pictures as absolute URLs.
    Attribute(String),
    /// A part of what another read gives.
    Part(Box<What>, Part),
    /// The first paragraph of what another read gives.
    Lead(Box<What>),
    /// The whole word that a text begins and texts behind it go on with.
    Word,
    /// The crumbs that lead to the page, as one value.
    Trail,
    /// The address of the page itself.
    Address,
    /// What the page says to machines, by type and path: `Product.offers.price`.
    Data(String),
    /// What stands behind a constant text in reading order; the document reads it.
    Behind(Behind),
}

impl What {
    /// Adds what is read to the selector of the step.
    pub fn describe(&self, selector: &mut String) {
        match self {
            What::Attribute(name) => selector.push_str(&format!(" @{name}")),
            What::Head(name) if name == "title" => selector.push_str("html > head > title"),
            What::Head(name) => selector.push_str(&format!("html > head > meta[name={name}]")),
            What::Text | What::Prose => {}
            What::Word => selector.push_str(" (whole word)"),
            What::Trail => selector.push_str(" (way to the page)"),
            What::Lead(whole) => {
                whole.describe(selector);
                selector.push_str(" (first paragraph)");
            }
            What::Address => selector.push_str("the page's own address"),
            What::Data(path) => selector.push_str(&format!("embedded data {path}")),
            What::Behind(Behind { landmark, tag, index }) => {
                let after = if landmark.is_empty() {
                    "from the top".to_owned()
                } else {
                    format!("behind \u{201c}{landmark}\u{201d}")
                };
                match tag.as_str() {
                    "" => selector.push_str(&format!("{after} in the same text")),
                    tag => selector.push_str(&format!("{after}: {tag} text {}", index + 1)),
                }
            }
            What::Part(whole, part) => {
                whole.describe(selector);
                let around = part.constants.iter().skip(part.index);
                let around: Vec<&str> = around.take(2).map(String::as_str).collect();
                selector.push_str(&format!(" \u{201c}{}\u{201d}", around.join(" … ")));
            }
        }
    }

    /// Does it belong to the page as a whole, whatever step reads it: its head, or its data for machines?
    pub fn is_in_head(&self) -> bool {
        match self {
            What::Head(_) | What::Data(_) => true,
            What::Part(whole, _) | What::Lead(whole) => whole.is_in_head(),
            What::Text
            | What::Prose
            | What::Word
            | What::Attribute(_)
            | What::Trail
            | What::Address
            | What::Behind(_) => false,
        }
    }
}
