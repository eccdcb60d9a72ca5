//! Two attributes of an element at once, for those who look at every element.

use crate::tree::{DOCUMENT, NodeId, Tree};

/// The names of two attributes, looked up once; they hold for one page.
#[derive(Debug, Clone, Copy)]
pub struct TwoAttrNames {
    first: Option<u16>,
    second: Option<u16>,
}

impl Tree {
    /// The names of two attributes on this page, see [`Tree::two_attrs`].
    pub fn two_attr_names(&self, first: &str, second: &str) -> TwoAttrNames {
        TwoAttrNames { first: self.names.find(first), second: self.names.find(second) }
    }

    /// The values of two attributes, found in one go.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<p id=b class=a>1<p id=c>2", None, &Limits::default());
    /// let names = tree.two_attr_names("class", "id");
    /// let both: Vec<_> = tree.elements("p").map(|p| tree.two_attrs(p, names)).collect();
    /// assert_eq!(both, [(Some("a"), Some("b")), (None, Some("c"))]);
    /// ```
    #[inline]
    pub fn two_attrs(&self, node: NodeId, names: TwoAttrNames) -> (Option<&str>, Option<&str>) {
        let (mut first, mut second) = (None, None);
        let node = &self.nodes[node.index()];
        if node.name >= DOCUMENT || node.len == 0 {
            return (None, None);
        }
        for attr in &self.attrs[node.start as usize..(node.start + node.len) as usize] {
            let value = || &self.text[attr.start as usize..(attr.start + attr.len) as usize];
            if Some(attr.name) == names.first && first.is_none() {
                first = Some(value());
            } else if Some(attr.name) == names.second && second.is_none() {
                second = Some(value());
            }
        }
        (first, second)
    }
}
