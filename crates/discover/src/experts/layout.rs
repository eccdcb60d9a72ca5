//! Where texts stand from left to right.
//!
//! # What it does
//! Cosine of how many texts stand in which column. Nothing is rendered: a column is approximated by the named blocks
//! from the top, cell indexes in tables and the depth of lists.
//! # Assumes
//! Blocks with names are what style sheets place.
//! # When it fails
//! Pages that style sheets lay out without names or tables; one column everywhere.
//! # Paper
//! Gazen 2008 (CONFHEX), layout expert, which takes x coordinates from a browser.

use unsite_dom::NodeId;

use super::page_view::mix;
use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "layout",
    about: "how many texts stand in which column (approximated from tables, lists and blocks; nothing is rendered)",
    read,
    weigh: Weights::counted,
    weight: |weights, column| f64::from(column.value + 1.0).ln() * weights.idf(column.key),
    score,
};

/// Named blocks from the top that are taken for columns of the page.
const COLUMN_DEPTH: u8 = 3;

/// A text's column: the named blocks it lies in, from the top, the cell index in each table and the depth of lists.
fn read(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let mut place: Vec<(u64, u8)> = Vec::with_capacity(tree.len());
    let mut cell: Vec<u64> = vec![0; tree.len()];
    for node in tree.nodes() {
        if tree.name(node) == "tr" {
            for (at, child) in tree.children(node).filter(|&child| tree.is_element(child)).enumerate() {
                cell[child.index()] = at as u64 + 1;
            }
        }
        let (above, depth) = tree.parent(node).map_or((0, 0), |above: NodeId| place[above.index()]);
        place.push(match tree.name(node) {
            "td" | "th" => (mix(above, cell[node.index()]), depth),
            "ul" | "ol" | "dl" | "dd" | "blockquote" => (mix(above, 0), depth),
            "div" | "section" | "aside" | "nav" | "main" | "header" | "footer" | "article"
                if depth < COLUMN_DEPTH
                    && (tree.attr(node, "class").is_some() || tree.attr(node, "id").is_some()) =>
            {
                (mix(above, page.paths[node.index()]), depth + 1)
            }
            _ => (above, depth),
        });
    }
    Features::new(page.texts.iter().map(|(node, _)| Feature::new(place[node.index()].0, 1.0)).collect())
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    a.cosine(b)
}
