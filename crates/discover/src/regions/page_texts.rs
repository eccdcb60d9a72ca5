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
        let read = |(node, text)| PageText { node, text, words: 0..0 };
        let mut texts: Vec<PageText> = tree.visible_texts().map(read).collect();
        let language = terms.language_of_texts(tree, texts.iter().map(|text| &*text.text));
        let mut words: Vec<HashedWord> = Vec::new();
        for text in &mut texts {
            let start = words.len();
            terms.hashed_words(&text.text, language, |word| words.push(word));
            text.words = start..words.len();
        }
        PageTexts { tree, language, texts, words }
    }

    /// The place of a text node, looked for from `from` on.
    pub(super) fn place(&self, node: NodeId, from: usize) -> usize {
        from + self.texts[from..].partition_point(|text| text.node < node)
    }
}
