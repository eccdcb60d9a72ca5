//! Words that run through several inline tags: `<b>£</b><i>12.50</i>` says `£12.50`.

use unsite_dom::NodeId;

use crate::view::View;

/// Elements that a word runs through.
const INLINE: [&str; 17] = [
    "a", "abbr", "b", "bdi", "code", "data", "em", "font", "i", "ins", "mark", "small", "span", "strong",
    "sub", "sup", "u",
];

/// Signs that a word does not run over.
const ENDS: &[char] = &['(', ')', '[', ']', '{', '}', ',', ';', '|', '<', '>'];

/// Signs that join the parts of a word.
const JOINTS: &[char] = &['.', '/', '-', '_', '@'];

/// Pieces of one word; more are no word.
const MOST_PIECES: usize = 8;

/// The whole word that the one text of a node begins, when that goes on behind the node.
pub(crate) fn word(view: &View, node: NodeId) -> Option<String> {
    let texts = view.texts_in(node);
    let first = texts.start;
    if texts.len() != 1 || !is_inline(view, node) || (first > 0 && touch(view, first - 1)) {
        return None;
    }
    let mut word = view.texts[first].value.to_string();
    if word.contains([' ', '\n']) || word.contains(ENDS) {
        return None;
    }
    let mut pieces = 1;
    for at in first.. {
        if pieces == MOST_PIECES || !touch(view, at) {
            break;
        }
        let more = view.texts[at + 1].value.as_ref();
        let end = more.find(|c: char| c.is_whitespace() || ENDS.contains(&c)).unwrap_or(more.len());
        if !belong_together(&word, &more[..end]) {
            break;
        }
        word.push_str(&more[..end]);
        pieces += 1;
        if end < more.len() {
            break;
        }
    }
    (pieces > 1).then_some(word)
}

/// The texts of a node on one line, a space between them but inside amounts (`£` and `12`, `12` and `.50`).
pub(crate) fn line(view: &View, node: NodeId) -> String {
    let mut line = String::new();
    for at in view.texts_in(node) {
        let text = view.texts[at].value.as_ref();
        let goes_on = !line.is_empty() && is_amount(&line, text) && touch(view, at - 1);
        line.push_str(if line.is_empty() || goes_on { "" } else { " " });
        line.push_str(text);
    }
    line
}

/// Whether the last word of a line and a text make one amount.
fn is_amount(line: &str, text: &str) -> bool {
    let last = line.rsplit(' ').next().unwrap_or_default();
    let is_sign = !last.contains(char::is_alphanumeric) && !last.ends_with(ENDS);
    let is_number = last.ends_with(char::is_numeric);
    let fraction = text.strip_prefix(['.', ',']);
    (is_sign && text.starts_with(char::is_numeric))
        || (is_number && fraction.is_some_and(|rest| rest.starts_with(char::is_numeric)))
}

/// A sign and the number it stands before (`£` and `12`), or two words with a joint between them (`a.` and `b`).
fn belong_together(left: &str, right: &str) -> bool {
    let starts = |text: &str| text.starts_with(char::is_alphanumeric);
    let joint = |c: char| JOINTS.contains(&c);
    match left.ends_with(char::is_alphanumeric) {
        true => right.strip_prefix(joint).is_some_and(starts),
        false if left.contains(char::is_alphanumeric) => left.ends_with(joint) && starts(right),
        false => right.starts_with(char::is_numeric),
    }
}

/// Does the text behind this one go on without a gap, in the same line?
fn touch(view: &View, at: usize) -> bool {
    let Some(next) = view.texts.get(at + 1) else { return false };
    let (left, right) = (view.texts[at].node, next.node);
    let tree = view.tree;
    !tree.text(left).ends_with(char::is_whitespace)
        && !tree.text(right).starts_with(char::is_whitespace)
        && line_of(view, left) == line_of(view, right)
        && (left.0 + 1..right.0).map(NodeId).all(|between| match tree.is_element(between) {
            true => INLINE.contains(&tree.name(between)),
            false => !tree.is_text(between) || tree.text(between).is_empty(),
        })
}

fn is_inline(view: &View, node: NodeId) -> bool {
    view.tree.is_text(node) || INLINE.contains(&view.tree.name(node))
}

/// The element whose line a text stands in.
fn line_of(view: &View, text: NodeId) -> Option<NodeId> {
    let mut at = view.tree.parent(text);
    while let Some(node) = at.filter(|&node| INLINE.contains(&view.tree.name(node))) {
        at = view.tree.parent(node);
    }
    at
}

#[cfg(test)]
mod tests {
    use unsite_dom::{Limits, Tree};

    use super::*;
    use crate::classes::ClassMap;

    #[test]
    fn a_line_keeps_amounts_together() {
        let says = |html: &str| {
            let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
            let view = View::new(&tree, &ClassMap::default());
            line(&view, tree.elements("s").next().expect("is there"))
        };
        assert_eq!(says("<s><b>£</b><i>12</i><sup>.50</sup></s>"), "£12.50");
        assert_eq!(says("<s><b>Was</b><i>£</i><i>12</i></s>"), "Was £12");
        assert_eq!(says("<s><b>Was</b><i>12</i><i>(3)</i></s>"), "Was 12 (3)");
        assert_eq!(says("<s><b>£</b> <i>12</i></s>"), "£ 12");
    }

    #[test]
    fn a_word_goes_through_tags_and_ends_at_gaps_signs_and_lines() {
        let says = |html: &str| {
            let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
            let view = View::new(&tree, &ClassMap::default());
            let first = tree.elements("b").next().expect("is there");
            word(&view, first)
        };
        assert_eq!(says("<p><b>£</b><i>12</i>.50</p>").as_deref(), Some("£12.50"));
        assert_eq!(says("<p><b>a.b.</b><span><i>c</i></span><i>(</i>d)</p>").as_deref(), Some("a.b.c"));
        assert_eq!(says("<p><b>£</b>12 or more</p>").as_deref(), Some("£12"));
        assert_eq!(says("<p><b>£</b> 12</p>"), None);
        assert_eq!(says("<p><b>£</b><br>12</p>"), None);
        assert_eq!(says("<p><i>x</i><b>£</b>12</p>"), None);
        assert_eq!(says("<p><b>two words</b>12</p>"), None);
        assert_eq!(says("<div><b>£</b><p>12</p></div>"), None);
    }
}
