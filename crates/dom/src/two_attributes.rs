//! Two attributes of an element at once, for those who look at every element.

use crate::tree::{NodeId, Tree};

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
        for attr in self.node_attrs(node) {
            if Some(attr.name) == names.first && first.is_none() {
                first = Some(self.slice(attr.start, attr.len));
            } else if Some(attr.name) == names.second && second.is_none() {
                second = Some(self.slice(attr.start, attr.len));
            }
        }
        (first, second)
    }
}
