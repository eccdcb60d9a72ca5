//! The page as the sequence of its start and end tags.

use crate::tree::{NodeId, Tree};

/// A start or an end tag of the [skeleton](Tree::skeleton).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SkeletonTag {
    /// The element that it opens or closes.
    pub node: NodeId,
    /// True for an end tag.
    pub end: bool,
    /// How many elements are open where it stands: an end tag counts its own, so it lies one deeper
    /// than its start tag.
    pub level: u32,
}

impl Tree {
    /// Start and end tags in document order, as the Fourier view of a page wants them. Every element
    /// gives both, void ones too; texts give none.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<p>a<br>b", None, &Limits::default());
    /// let tags: Vec<String> = tree
    ///     .skeleton()
    ///     .map(|tag| format!("{}{}", if tag.end { "/" } else { "" }, tree.name(tag.node)))
    ///     .collect();
    /// assert_eq!(tags.join(" "), "html head /head body p br /br /p /body /html");
    /// ```
    pub fn skeleton(&self) -> impl Iterator<Item = SkeletonTag> + '_ {
        let mut open: Vec<NodeId> = Vec::new();
        let mut next = 1u32;
        std::iter::from_fn(move || {
            while next as usize <= self.len() {
                if let Some(node) = open.pop_if(|node| self.end(*node).0 <= next) {
                    return Some(SkeletonTag { node, end: true, level: open.len() as u32 + 1 });
                }
                if next as usize == self.len() {
                    return None;
                }
                let node = NodeId(next);
                next += 1;
                if self.is_element(node) {
                    open.push(node);
                    return Some(SkeletonTag { node, end: false, level: open.len() as u32 - 1 });
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Tree};

    #[test]
    fn levels_follow_the_nesting() {
        // The book of the Fourier paper, below the html and body that the parser adds.
        let html =
            b"<body><book a=b><t>x</t><author>y</author><author>z</author><publisher>w</publisher></book>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let book = tree.elements("book").next().unwrap();
        let levels: Vec<_> =
            tree.skeleton().filter(|tag| tag.node >= book).map(|tag| tag.level - 2).collect();
        assert_eq!(levels, [0, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
    }

    #[test]
    fn every_element_opens_and_closes_once() {
        let (tree, _) = Tree::parse(b"<ul><li>1<li>2<ul><li>3</ul></ul><p>", None, &Limits::default());
        let elements = tree.nodes().filter(|&node| tree.is_element(node)).count();
        let tags: Vec<_> = tree.skeleton().collect();
        assert_eq!(tags.len(), 2 * elements);
        assert_eq!(tags.iter().filter(|tag| tag.end).count(), elements);
        let (empty, _) = Tree::parse(b"", None, &Limits::default());
        assert_eq!(empty.skeleton().count(), 6);
        assert_eq!(Tree::default().skeleton().count(), 0);
    }
}
