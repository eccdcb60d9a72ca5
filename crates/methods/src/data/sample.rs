//! The samples of data clustering: the texts of the pages of one type, with everything experts ask about them.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::{ValueType, What, typed};

use super::shape::{pattern, steps};
use crate::templates::{Indexed, page_tokens, stripes};
use unsite_discover::experts::{hash, mix};
use unsite_discover::infer_type;

/// Letters of a text that are compared. The distance of longer ones is settled by then.
const LETTERS: usize = 120;

/// A text that stands on this share of the pages is a constant of the template.
const CONSTANT: f64 = 0.8;

/// Elements above a text where a name of microdata still means it.
const PROPERTY_REACH: usize = 3;

/// One text of a page.
pub(crate) struct Sample {
    /// Its page, by its place among those that were given.
    pub(crate) page: usize,
    pub(crate) node: NodeId,
    pub(crate) text: String,
    /// Whether it stands on most pages.
    pub(crate) is_constant: bool,
    /// Its first letters.
    pub(crate) letters: Vec<char>,
    /// The tokens of its shape.
    pub(crate) pattern: Vec<char>,
    pub(crate) is_date: bool,
    pub(crate) value_type: ValueType,
    /// The kinds of elements around, from the inside.
    pub(crate) path: Vec<u64>,
    /// The cells and lists around.
    pub(crate) layout: u64,
    /// The slot of the template of all pages.
    pub(crate) slot: usize,
    /// The places from the top, rows of lists without one.
    pub(crate) steps: Vec<u64>,
    /// The constant text in front, by its hash; 0 for none.
    pub(crate) label: u64,
    /// The same inside a row of a list or table.
    pub(crate) row_name: u64,
    /// The header of its column; 0 for none.
    pub(crate) header: u64,
    /// Its name in microdata or JSON-LD; 0 for none.
    pub(crate) property: u64,
    /// The folders that its link leads to; 0 for none.
    pub(crate) link: u64,
    /// Its place among the texts of its row or block.
    pub(crate) place: u32,
}

/// The texts of the pages, page by page in document order, white space alone left out; `most` of each page.
pub(crate) fn samples(trees: &[&Tree], most: usize) -> Vec<Sample> {
    let constants = constants(trees);
    let slots = slots(trees);
    let mut samples = Vec::new();
    for (page, tree) in trees.iter().enumerate() {
        let view = PageView::new(tree);
        let mut before: Option<(u64, NodeId)> = None;
        let mut places: FxHashMap<NodeId, u32> = FxHashMap::default();
        for (node, text) in tree.visible_texts().take(most) {
            let key = hash(&[&text]);
            let is_constant = constants.contains(&key);
            let row = view.row(node);
            let place = places.entry(row).or_default();
            let label = before.filter(|_| !is_constant);
            let in_row = label.filter(|(_, at)| view.row(*at) == row && row != NodeId::DOCUMENT);
            samples.push(Sample {
                page,
                node,
                is_constant,
                letters: text.chars().take(LETTERS).collect(),
                pattern: pattern(&text),
                is_date: [ValueType::Date, ValueType::DateTime, ValueType::Time]
                    .into_iter()
                    .any(|kind| typed(kind, &text).is_some()),
                value_type: infer_type(&What::Text, &[text.clone().into_owned()]).value_type,
                path: tree.ancestors(node).map(|above| hash(&[tree.name(above)])).collect(),
                layout: view.layout(node),
                slot: slots[page].get(&node).copied().unwrap_or(0),
                steps: steps(tree, node, &view.places, &view.is_row),
                label: label.map_or(0, |(text, _)| text),
                row_name: in_row.map_or(0, |(text, _)| text),
                header: view.header(node),
                property: view.property(node, &text),
                link: view.link(node),
                place: *place,
                text: text.into_owned(),
            });
            *place += 1;
            before = if is_constant { Some((key, node)) } else { None };
        }
    }
    samples
}

/// The texts that stand on most pages. On one page nothing is known to be constant.
fn constants(trees: &[&Tree]) -> FxHashSet<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for tree in trees {
        let own: FxHashSet<u64> = tree.visible_texts().map(|(_, text)| hash(&[&text])).collect();
        own.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    let enough = (trees.len() as f64 * CONSTANT).max(2.0);
    counts.into_iter().filter(|(_, count)| *count as f64 >= enough).map(|(text, _)| text).collect()
}

/// For each page the slot of each text: how many stripes of the template of all pages begin before it ends.
fn slots(trees: &[&Tree]) -> Vec<FxHashMap<NodeId, usize>> {
    let pages: Vec<_> = trees.iter().map(|tree| page_tokens(tree, |_| true)).collect();
    let Some(first) = pages.first() else { return Vec::new() };
    let indexed: Vec<Indexed> = pages[1..].iter().map(|page| Indexed::new(&page.tokens)).collect();
    let unique = Indexed::new(&first.tokens).uniqueness(&first.tokens);
    let common = stripes(&first.tokens, &unique, &indexed.iter().collect::<Vec<_>>());
    let slot = |page: usize, end: usize| common.partition_point(|stripe| stripe.starts[page] < end);
    pages
        .iter()
        .enumerate()
        .map(|(at, page)| page.texts.iter().map(|&(node, _, end)| (node, slot(at, end))).collect())
        .collect()
}

/// What is known about the places of one page.
struct PageView<'a> {
    tree: &'a Tree,
    places: Vec<u32>,
    /// Whether an element is one of a run of alike siblings.
    is_row: Vec<bool>,
    headers: FxHashMap<NodeId, u64>,
    leaves: FxHashMap<Cow<'a, str>, u64>,
}

impl<'a> PageView<'a> {
    fn new(tree: &'a Tree) -> Self {
        let mut headers = FxHashMap::default();
        for table in tree.tables() {
            let mut of_column: FxHashMap<u32, u64> = FxHashMap::default();
            for cell in &table.cells {
                let text = hash(&[&tree.visible_text(cell.node)]);
                if cell.header && cell.row == 0 {
                    of_column.insert(cell.column, text);
                } else if let Some(header) = of_column.get(&cell.column) {
                    headers.insert(cell.node, *header);
                }
            }
        }
        let mut leaves = FxHashMap::default();
        for leaf in tree.json_ld() {
            let name = hash(&[&leaf.type_name, &leaf.path]);
            leaves.entry(Cow::Owned(leaf.value)).or_insert(name);
        }
        PageView { tree, places: tree.sibling_places(), is_row: super::shape::rows(tree), headers, leaves }
    }

    /// The nearest row or block around.
    fn row(&self, node: NodeId) -> NodeId {
        let is_block = |above: &NodeId| {
            self.is_row[above.index()]
                || matches!(self.tree.name(*above), "tr" | "li" | "dl" | "article" | "section" | "body")
        };
        self.tree.ancestors(node).find(is_block).unwrap_or(NodeId::DOCUMENT)
    }

    fn layout(&self, node: NodeId) -> u64 {
        let mut key = 0;
        for above in self.tree.ancestors(node) {
            match self.tree.name(above) {
                "td" | "th" => key = mix(key, u64::from(self.places[above.index()]) + 1),
                name @ ("ul" | "ol" | "dd" | "blockquote" | "aside" | "nav") => key = mix(key, hash(&[name])),
                _ => {}
            }
        }
        key
    }

    fn header(&self, node: NodeId) -> u64 {
        self.tree.ancestors(node).find_map(|above| self.headers.get(&above).copied()).unwrap_or(0)
    }

    fn property(&self, node: NodeId, text: &str) -> u64 {
        let named = |above: NodeId| {
            ["itemprop", "property"]
                .into_iter()
                .find_map(|name| self.tree.attr(above, name))
                .map(|name| hash(&[name]))
        };
        let near = self.tree.ancestors(node).take(PROPERTY_REACH).find_map(named);
        near.or_else(|| self.leaves.get(text).copied()).unwrap_or(0)
    }

    fn link(&self, node: NodeId) -> u64 {
        let href = self.tree.ancestors(node).find_map(|above| match self.tree.name(above) {
            "a" => self.tree.attr(above, "href"),
            _ => None,
        });
        let Some(href) = href else { return 0 };
        let (address, query) =
            href.split('#').next().unwrap_or_default().split_once('?').unwrap_or((href, ""));
        let folder = address.rsplit_once('/').map_or("", |(folder, _)| folder);
        let names = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
        names.fold(hash(&["link", folder]), |key, name| mix(key, hash(&[name])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn the_weather_of_the_paper_gives_six_samples() {
        let html = "<div>Current conditions as of 3:53 pm PDT</div><h3>Fair</h3>
            <dl><dt>Feels Like:</dt><dd>68 deg sign</dd><dt>Barometer:</dt><dd>29.91 in and falling</dd></dl>";
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let found = samples(&[&tree], 100);
        let texts: Vec<&str> = found.iter().map(|sample| sample.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Current conditions as of 3:53 pm PDT",
                "Fair",
                "Feels Like:",
                "68 deg sign",
                "Barometer:",
                "29.91 in and falling"
            ]
        );
    }

    #[test]
    fn constants_introduce_what_follows() {
        let page = |price: usize| {
            format!("<ul><li>Price <b>{price}</b></li><li>Tax <b>{}</b></li></ul>", price / 10)
        };
        let trees: Vec<Tree> = [170, 230, 910]
            .map(|price| Tree::parse(page(price).as_bytes(), None, &Limits::default()).0)
            .into();
        let found = samples(&trees.iter().collect::<Vec<_>>(), 100);
        let first: Vec<(&str, bool)> = found[..4].iter().map(|s| (s.text.as_str(), s.is_constant)).collect();
        assert_eq!(first, [("Price", true), ("170", false), ("Tax", true), ("17", false)]);
        assert!(found[1].row_name != 0 && found[1].row_name != found[3].row_name);
        assert_eq!(found[1].label, found[5].label);
        assert_ne!(found[1].slot, found[3].slot);
        assert_eq!(found[1].slot, found[5].slot);
    }
}
