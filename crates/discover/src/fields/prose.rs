//! Running text: paragraphs and inline tags that are one value.

use unsite_dom::Tree;
use unsite_wrapper::View;

use super::grow::Instance;

/// Running text has at least this many characters on the mean: names, prices and labels are shorter.
const LONG: usize = 120;

/// Inline elements do not break a text.
const INLINE: [&str; 36] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr", "center",
];

/// Are these instances running text with inline markup? A text alone is not: it needs no regrouping.
pub(crate) fn is_prose(views: &[View], instances: &[Instance]) -> bool {
    let mut pieces = 0usize;
    let mut characters = 0usize;
    let mut broken = 0usize;
    for instance in instances {
        let view = &views[instance.page as usize];
        let texts = view.texts_in(instance.node);
        if texts.is_empty() {
            continue;
        }
        pieces += 1;
        broken += usize::from(texts.len() > 1);
        characters += view.texts[texts].iter().map(|text| text.value.len()).sum::<usize>();
        if view.tree.descendants(instance.node).any(|node| is_block(view.tree, node)) {
            return false;
        }
    }
    pieces > 0 && broken > 0 && characters >= LONG * pieces
}

/// Nearly every instance shows exactly one text: what is wrapped around it does not matter.
const SINGLE: f64 = 0.98;

/// Does each of these instances hold a single text?
pub(crate) fn is_single_text(views: &[View], instances: &[Instance]) -> bool {
    let (mut shown, mut single) = (0usize, 0usize);
    for instance in instances {
        let texts = views[instance.page as usize].texts_in(instance.node).len();
        shown += usize::from(texts > 0);
        single += usize::from(texts == 1);
    }
    shown > 0 && single as f64 >= SINGLE * shown as f64
}

fn is_block(tree: &Tree, node: unsite_dom::NodeId) -> bool {
    tree.is_element(node) && !INLINE.contains(&tree.name(node))
}
