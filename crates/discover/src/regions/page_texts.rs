//! The visible texts of a page with their words, read once for all that is found out about its parts.

use std::borrow::Cow;
use std::ops::Range;

use unsite_dom::{HashedWord, Language, NodeId, Terms, Tree};

/// The visible texts of a page.
pub(super) struct PageTexts<'t> {
    pub tree: &'t Tree,
    pub language: Option<Language>,
    /// In document order.
    pub texts: Vec<PageText<'t>>,
    /// The words of all texts.
    pub words: Vec<HashedWord>,
}

/// One text node.
pub(super) struct PageText<'t> {
    pub node: NodeId,
    /// What it says, white space collapsed.
    pub text: Cow<'t, str>,
    /// Its words among those of the page.
    pub words: Range<usize>,
}

impl<'t> PageTexts<'t> {
    pub(super) fn of(tree: &'t Tree, terms: &Terms) -> Self {
        let language = terms.language(tree);
        let mut page = PageTexts { tree, language, texts: Vec::new(), words: Vec::new() };
        for (node, text) in tree.visible_texts() {
            let start = page.words.len();
            terms.hashed_words(&text, language, |word| page.words.push(word));
            page.texts.push(PageText { node, text, words: start..page.words.len() });
        }
        page
    }

    /// The place of a text node, looked for from `from` on.
    pub(super) fn place(&self, node: NodeId, from: usize) -> usize {
        from + self.texts[from..].partition_point(|text| text.node < node)
    }
}
