//! Breadcrumbs: the way from the site's first page down to this one, as one value.

use unsite_dom::NodeId;

use crate::view::View;

/// What stands between two crumbs of a value.
const BETWEEN: &str = " > ";

/// The crumbs below a node from the first to the one above the page itself, `Books > Fiction`. Signs between the crumbs are
/// left out, and so is the page's own name: the last crumb, when it is no link.
pub(crate) fn trail(view: &View, node: NodeId) -> String {
    let mut crumbs: Vec<(NodeId, String, bool)> = Vec::new();
    for text in &view.texts[view.texts_in(node)] {
        if !text.value.contains(char::is_alphanumeric) {
            continue;
        }
        let (item, linked) = item_of(view, text.node, node);
        match crumbs.last_mut().filter(|(last, ..)| *last == item) {
            Some((_, words, _)) => {
                words.push(' ');
                words.push_str(&text.value);
            }
            None => crumbs.push((item, text.value.to_string(), linked)),
        }
    }
    crumbs.pop_if(|(.., linked)| !*linked);
    crumbs.into_iter().map(|(_, words, _)| words).collect::<Vec<String>>().join(BETWEEN)
}

/// The link that a text stands in, or the item, or itself; and whether that is a link.
fn item_of(view: &View, text: NodeId, top: NodeId) -> (NodeId, bool) {
    let mut item = text;
    let mut at = view.tree.parent(text);
    while let Some(node) = at.filter(|&node| node != top) {
        match view.tree.name(node) {
            "a" => return (node, true),
            "li" => item = node,
            _ => {}
        }
        at = view.tree.parent(node);
    }
    (item, false)
}

#[cfg(test)]
mod tests {
    use unsite_dom::{Limits, Tree};

    use super::*;
    use crate::classes::ClassMap;

    #[test]
    fn the_way_to_a_page_ends_above_it() {
        let says = |html: &str| {
            let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
            let view = View::new(&tree, &ClassMap::default());
            let list = tree.elements("nav").next().expect("is there");
            trail(&view, list)
        };
        let items = "<li><a href=/>Home</a> / <li><a href=/b>Old <b>books</b></a> / ";
        assert_eq!(says(&format!("<nav><ol>{items}<li>Snow</ol></nav>")), "Home > Old books");
        assert_eq!(says(&format!("<nav><ol>{items}</ol></nav>")), "Home > Old books");
        assert_eq!(says("<nav><a href=/>Home</a> » <a href=/b>Books</a> » Snow</nav>"), "Home > Books");
        assert_eq!(says("<nav>Snow</nav>"), "");
    }
}
