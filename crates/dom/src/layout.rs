//! Where a browser put the texts of a page.

use rustc_hash::FxHashMap;

use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// How far apart a text of the tree and the same text of the browser may have drifted, in texts. Parsing a page that a
/// browser wrote moves few of them (content between table rows, a form inside a form).
const DRIFT: usize = 32;

/// The texts of a page as a browser laid them out, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// How wide the window was, in CSS pixels.
    pub width: u32,
    /// Every text that is not blank, those that were not drawn included.
    pub texts: Vec<PlacedText>,
}

/// A text and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedText {
    /// What it says, white space collapsed.
    pub text: String,
    /// The rectangle around all of it; `None` where nothing was drawn.
    pub place: Option<TextBox>,
}

/// A rectangle of the page in CSS pixels, from its top left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextBox {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// How wide.
    pub width: i32,
    /// How high.
    pub height: i32,
}

impl Layout {
    /// The rectangles of the tree's texts, for those that were drawn. The tree is that of the page which the browser
    /// wrote down; both are walked side by side, and a text that only one of them has is passed over.
    ///
    /// ```
    /// use unsite_dom::{Layout, Limits, PlacedText, TextBox, Tree};
    /// let place = Some(TextBox { x: 8, y: 20, width: 60, height: 16 });
    /// let layout = Layout { width: 800, texts: vec![PlacedText { text: "Larkspur".into(), place }] };
    /// let (tree, _) = Tree::parse(b"<p>Larkspur</p>", None, &Limits::default());
    /// let boxes = layout.boxes(&tree);
    /// assert_eq!(boxes.values().next().unwrap().x, 8);
    /// ```
    pub fn boxes(&self, tree: &Tree) -> FxHashMap<NodeId, TextBox> {
        let mut boxes = FxHashMap::default();
        let mut next = 0;
        for node in tree.nodes().filter(|&node| tree.is_text(node)) {
            let text = collapse(tree.text(node));
            if text.is_empty() {
                continue;
            }
            let ahead = self.texts.iter().skip(next).take(DRIFT);
            if let Some(at) = ahead.map(|placed| placed.text.as_str()).position(|other| other == text) {
                if let Some(place) = self.texts[next + at].place {
                    boxes.insert(node, place);
                }
                next += at + 1;
            }
        }
        boxes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Limits;

    fn placed(text: &str, x: Option<i32>) -> PlacedText {
        let place = x.map(|x| TextBox { x, ..TextBox::default() });
        PlacedText { text: text.into(), place }
    }

    fn read(html: &str, texts: Vec<PlacedText>) -> Vec<(String, i32)> {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let boxes = Layout { width: 800, texts }.boxes(&tree);
        let mut found: Vec<_> = boxes.into_iter().collect();
        found.sort();
        found.into_iter().map(|(node, place)| (tree.text(node).to_owned(), place.x)).collect()
    }

    #[test]
    fn equal_texts_keep_their_own_places() {
        let found = read("<p>a<p>a<p>b", vec![placed("a", Some(1)), placed("a", None), placed("b", Some(3))]);
        assert_eq!(found, [("a".to_owned(), 1), ("b".to_owned(), 3)]);
    }

    #[test]
    fn texts_that_one_side_lacks_are_passed_over() {
        let texts = vec![placed("x", Some(0)), placed("a", Some(1)), placed("b", Some(2))];
        assert_eq!(read("<p>new<p>a<p>b", texts), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
    }

    #[test]
    fn a_layout_of_another_page_says_nothing() {
        assert!(read("<p>a<p>b", vec![placed("c", Some(1))]).is_empty());
        assert!(read("", vec![placed("c", Some(1))]).is_empty());
    }
}
