//! Values known by what stands before them as people read the page, wherever in the tree that is.
//!
//! # What it does
//! Constant texts that stand once on the pages of a type (`Director:`, `Customer reviews`) are landmarks: they cut the
//! page into stretches. A value is the so-manieth text in elements of one tag behind its landmark, or what follows the
//! landmark inside the same text.
//! # Assumes
//! Landmarks come in the same order as what they introduce, whatever tables or wrappers the page is laid out with.
//! # When it fails
//! Values without a landmark nearby, behind a list whose length varies.
//! # Paper
//! None; it is how the known baselines for sites of one template find values (path, preceding constant text, position).

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use unsite_dom::NodeId;

use crate::matching::inline_label;
use crate::view::View;

/// Where a value stands behind a landmark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Behind {
    /// The landmark; empty for the beginning of the page.
    pub landmark: String,
    /// The tag of the element that holds the value; empty for the rest of the landmark's own text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// How many texts in elements of that tag stand between the landmark and the value.
    #[serde(default)]
    pub index: u32,
}

/// What stands between one landmark and the next.
#[derive(Debug, Clone)]
pub struct Stretch<'v> {
    /// The landmark; empty for the beginning of the page.
    pub landmark: &'v str,
    /// The landmark's own text where a value follows inside it: its place in [`View::texts`].
    pub inside: Option<usize>,
    /// The texts behind it, as places in [`View::texts`].
    pub texts: Range<usize>,
}

/// Cuts a page at its landmarks. Hidden texts are nobody's landmarks.
pub fn stretches<'v>(view: &'v View, is_landmark: impl Fn(&str) -> bool) -> Vec<Stretch<'v>> {
    let mut found = vec![Stretch { landmark: "", inside: None, texts: 0..view.texts.len() }];
    for (at, text) in view.texts.iter().enumerate().filter(|(_, text)| !text.hidden) {
        let value = text.value.as_ref();
        let (landmark, inside) = if is_landmark(value) {
            (value, None)
        } else if let Some(label) = inline_label(value).filter(|label| is_landmark(label)) {
            (label, Some(at))
        } else {
            continue;
        };
        if let Some(before) = found.last_mut() {
            before.texts.end = at;
        }
        found.push(Stretch { landmark, inside, texts: at + 1..view.texts.len() });
    }
    found
}

/// The tag of the element that holds a text.
pub fn holder<'v>(view: &'v View, text: usize) -> &'v str {
    view.tree.parent(view.texts[text].node).map_or("", |parent| view.tree.name(parent))
}

/// The landmarks of one page, where they stand, for reading many values.
pub(crate) struct Landmarks<'v> {
    stretches: Vec<Stretch<'v>>,
    /// The first stretch behind each landmark.
    first: FxHashMap<&'v str, usize>,
}

impl<'v> Landmarks<'v> {
    /// Finds the landmarks of a page; `known` are sorted.
    pub(crate) fn of(view: &'v View, known: &[String]) -> Self {
        let is_known = |text: &str| known.binary_search_by(|known| known.as_str().cmp(text)).is_ok();
        let stretches = stretches(view, is_known);
        let mut first = FxHashMap::default();
        for (at, stretch) in stretches.iter().enumerate() {
            first.entry(stretch.landmark).or_insert(at);
        }
        Landmarks { stretches, first }
    }

    /// The value behind a landmark and its node.
    pub(crate) fn read(&self, view: &'v View, behind: &Behind) -> Option<(NodeId, &'v str)> {
        let stretch = &self.stretches[*self.first.get(behind.landmark.as_str())?];
        if behind.tag.is_empty() {
            let text = &view.texts[stretch.inside?];
            let rest = text.value.get(stretch.landmark.len()..)?.trim_start();
            return Some((text.node, rest));
        }
        let mut alike =
            stretch.texts.clone().filter(|&at| !view.texts[at].hidden && holder(view, at) == behind.tag);
        let text = &view.texts[alike.nth(behind.index as usize)?];
        Some((text.node, text.value.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::ClassMap;
    use unsite_dom::{Limits, Tree};

    #[test]
    fn values_are_found_behind_their_landmarks_in_any_layout() {
        let known: Vec<String> = ["Cast", "Price:", "Year"].map(str::to_owned).to_vec();
        let pages = [
            "<h1>Jaws</h1><p>Year <b>1975</b><p>Cast <a>Roy</a>, <a>Lee</a><p>Price: 9",
            "<table><tr><td><table><tr><td><h1>Jaws</h1></table><tr><td>Year<td><b>1975</b><tr><td>Cast<td><a>Roy</a><td>\
             <a>Lee</a><tr><td>Price: 9</table>",
        ];
        for page in pages {
            let (tree, _) = Tree::parse(page.as_bytes(), None, &Limits::default());
            let view = View::new(&tree, &ClassMap::default());
            let landmarks = Landmarks::of(&view, &known);
            let read = |landmark: &str, tag: &str, index| {
                let behind = Behind { landmark: landmark.into(), tag: tag.into(), index };
                landmarks.read(&view, &behind).map(|(_, value)| value)
            };
            assert_eq!(read("", "h1", 0), Some("Jaws"));
            assert_eq!(read("Year", "b", 0), Some("1975"));
            assert_eq!(read("Cast", "a", 1), Some("Lee"));
            assert_eq!(read("Price:", "", 0), Some("9"));
            // The next landmark ends the stretch of the one before.
            assert_eq!(read("Year", "a", 0), None);
        }
    }
}
