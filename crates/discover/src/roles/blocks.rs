//! The blocks of a page: what LAMIS ranks and InfoDiscoverer judges.

use unsite_dom::{NodeId, Tree};

/// For each node the innermost block around it, and the element of each block; block 0 is the page itself.
///
/// The paper's blocks are tables; pages of today are cut by sections, lists, and `div`s with several block children.
pub(crate) fn blocks(tree: &Tree) -> (Vec<u32>, Vec<NodeId>) {
    let kinds = tree.by_name(kind);
    let kinds: Vec<Kind> = tree.nodes().map(|node| kinds.of(node)).collect();
    let mut inner = vec![0u32; tree.len()];
    for node in tree.nodes() {
        if let Some(parent) = tree.parent(node)
            && kinds[node.index()] != Kind::Other
        {
            inner[parent.index()] += 1;
        }
    }
    let mut of_node = vec![0u32; tree.len()];
    let mut elements = vec![NodeId::DOCUMENT];
    for node in tree.nodes() {
        let starts = match kinds[node.index()] {
            Kind::Block => true,
            Kind::Div => inner[node.index()] >= 2,
            Kind::Other => false,
        };
        of_node[node.index()] = if starts {
            elements.push(node);
            elements.len() as u32 - 1
        } else {
            tree.parent(node).map_or(0, |parent| of_node[parent.index()])
        };
    }
    (of_node, elements)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Block,
    /// A block when it holds several.
    Div,
    Other,
}

fn kind(name: &str) -> Kind {
    match name {
        "table" | "ul" | "ol" | "nav" | "section" | "article" | "main" | "aside" | "header" | "footer" => {
            Kind::Block
        }
        "div" => Kind::Div,
        _ => Kind::Other,
    }
}
