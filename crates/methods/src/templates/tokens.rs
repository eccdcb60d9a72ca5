//! A page as one sequence of tags, words and punctuation marks.

use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Pages are cut here. Nearly all pages are shorter; a template of two longer ones is settled by then.
pub(crate) const MAX_TOKENS: usize = 6_000;

/// Seeds that keep a start tag, an end tag and a word of the same letters apart.
const START: u64 = 1;
const END: u64 = 2;
const WORD: u64 = 3;

/// The tokens of a page and the texts among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageTokens {
    /// Hashes of tags, words and marks.
    pub(crate) tokens: Vec<u64>,
    /// For each text with something in it: its node, and where its tokens start and end.
    pub(crate) texts: Vec<(NodeId, usize, usize)>,
}

/// The tokens of the nodes for which `keep` holds; an element that is dropped takes its subtree with it.
/// Scripts and styles give their tags alone.
pub(crate) fn page_tokens(tree: &Tree, keep: impl Fn(NodeId) -> bool) -> PageTokens {
    let mut page = PageTokens::default();
    let mut open: Vec<NodeId> = Vec::new();
    let mut next = 1u32;
    while (next as usize) < tree.len() && page.tokens.len() < MAX_TOKENS {
        let node = NodeId(next);
        while let Some(closed) = open.pop_if(|above| tree.end(*above) <= node) {
            page.tokens.push(tag(tree, closed, END));
        }
        next += 1;
        if tree.is_text(node) {
            page.push_text(tree, node);
        } else if !keep(node) {
            next = tree.end(node).0;
        } else {
            page.tokens.push(tag(tree, node, START));
            open.push(node);
            if matches!(tree.name(node), "script" | "style" | "template" | "svg") {
                next = tree.end(node).0;
            }
        }
    }
    while let Some(closed) = open.pop() {
        page.tokens.push(tag(tree, closed, END));
    }
    page.tokens.truncate(MAX_TOKENS);
    page.texts.retain(|text| text.2 <= MAX_TOKENS);
    page
}

impl PageTokens {
    fn push_text(&mut self, tree: &Tree, node: NodeId) {
        let start = self.tokens.len();
        let mut rest = tree.text(node).trim_start();
        while let Some(c) = rest.chars().next() {
            let end = if c.is_alphanumeric() {
                rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())
            } else {
                c.len_utf8()
            };
            self.tokens.push(xxh3_64_with_seed(&rest.as_bytes()[..end], WORD));
            if self.tokens.len() >= MAX_TOKENS {
                break;
            }
            rest = rest[end..].trim_start();
        }
        if self.tokens.len() > start {
            self.texts.push((node, start, self.tokens.len()));
        }
    }
}

fn tag(tree: &Tree, node: NodeId, kind: u64) -> u64 {
    xxh3_64_with_seed(tree.name(node).as_bytes(), kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn tags_words_and_marks() {
        let html = b"<p>Price: 12.50</p><script>var x = 1</script><ul><li>a<li>b</ul>";
        let (tree, _) = Tree::parse(html, None, &Limits::default());
        let all = page_tokens(&tree, |_| true);
        // html, head, /head, body, p, five of the text, /p, script, /script, ul, li, a, /li, li, b, /li, /ul ...
        assert_eq!(all.tokens.len(), 4 + 1 + 5 + 1 + 2 + 8 + 2);
        assert_eq!((all.texts[0].1, all.texts[0].2), (5, 10));
        let without = page_tokens(&tree, |node| tree.name(node) != "ul");
        assert_eq!(without.tokens.len(), all.tokens.len() - 8);
        assert_ne!(all.tokens[0], all.tokens[all.tokens.len() - 1], "start and end tags differ");
    }

    #[test]
    fn long_pages_are_cut() {
        let (tree, _) = Tree::parse("<b>x</b> ".repeat(9_000).as_bytes(), None, &Limits::default());
        let page = page_tokens(&tree, |_| true);
        assert_eq!(page.tokens.len(), MAX_TOKENS);
        assert!(page.texts.iter().all(|text| text.2 <= MAX_TOKENS));
        assert!(page_tokens(&Tree::default(), |_| true).tokens.is_empty());
    }
}
