//! InfoDiscoverer: which blocks of the pages of one kind inform, and which are redundant.

use rayon::prelude::*;
use unsite_dom::{Interner, NodeId, Terms, Tree, collapse};
use unsite_learn::entropy::{FeatureEntropy, informative_threshold, is_informative};

use super::main_text::main_blocks;
use crate::roles::blocks;

/// A block of one page with the verdict on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The element of the block; the document where text stands outside all blocks.
    pub node: NodeId,
    /// Its visible text, that of blocks inside it left out.
    pub text: String,
    /// The mean entropy of its terms over the pages of its kind; `None` where there is only one page.
    pub entropy: Option<f64>,
    /// Whether it informs; it is redundant otherwise.
    pub is_informative: bool,
}

/// What was learned about the blocks of pages of one kind.
///
/// # What it does
/// Cuts pages into blocks (tables, lists, sections, `div`s with several of those), takes the entropy of every term over the
/// pages, `E(T) = -sum_j w_j log_n w_j`, gives each block the mean over the occurrences of its terms, and finds the
/// threshold below which blocks inform, see [`informative_threshold`]. A term that the learned pages do not have stands on
/// one page, so its entropy is 0. On a single page entropies say nothing: there a block informs when at least half of
/// its text is [`main_text`](super::main_text).
/// # Assumes
/// Pages of one kind. Ten to forty of them are enough: more raise the threshold, and recall stays as it is.
/// # When it fails
/// Lists of related pages have a text of their own on every page and count as informative.
/// # Paper
/// Lin, Ho: Discovering informative content blocks from Web documents (SIGKDD 2002); Kao, Lin, Ho, Chen (LAMIS).
#[derive(Debug)]
pub struct InformativeSet {
    names: Interner,
    entropies: FeatureEntropy,
    threshold: Option<f64>,
}

impl InformativeSet {
    /// Learns from pages of one kind. Linear in their text.
    pub fn learn(pages: &[&Tree], terms: &Terms) -> Self {
        let mut names = Interner::default();
        if pages.len() < 2 {
            return InformativeSet { names, entropies: FeatureEntropy::default(), threshold: None };
        }
        let cut: Vec<Vec<CutBlock>> = pages.par_iter().map(|tree| cut(tree, terms)).collect();
        let mut features: Vec<Vec<u32>> = Vec::new();
        let mut counts: Vec<(u32, u32, f64)> = Vec::new();
        for (page, blocks) in (0u32..).zip(&cut) {
            for block in blocks {
                let ids: Vec<u32> = block.terms.iter().map(|term| names.intern(term)).collect();
                counts.extend(ids.iter().map(|&id| (page, id, 1.0)));
                features.push(ids);
            }
        }
        let entropies = FeatureEntropy::new(pages.len(), counts);
        let measured: Vec<(f64, &[u32])> = features
            .iter()
            .filter_map(|ids| Some((entropies.mean(ids.iter().copied())?, ids.as_slice())))
            .collect();
        let threshold = Some(informative_threshold(measured));
        InformativeSet { names, entropies, threshold }
    }

    /// Blocks with at most this entropy inform; `None` where there was a single page to learn from.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// The blocks of a page of this kind that have a text of their own, in document order.
    pub fn regions(&self, tree: &Tree, terms: &Terms) -> Vec<Region> {
        self.regions_with_text(tree, terms, &[])
    }

    /// The same for a page whose main text is known: a block that consists of it informs, whatever its words. Pages that
    /// are all written with few words (notices, weather, results) would be redundant by entropy alone. `main` are its
    /// text nodes, ascending.
    pub(super) fn regions_with_text(&self, tree: &Tree, terms: &Terms, main: &[NodeId]) -> Vec<Region> {
        let blocks = cut(tree, terms);
        let Some(threshold) = self.threshold else { return alone(tree, blocks) };
        let judge = |block: CutBlock| {
            let entropy = self.entropy(&block.terms);
            let is_informative = is_informative(entropy, threshold) || is_mostly(tree, &block.texts, main);
            Region { node: block.node, text: block.text, entropy: Some(entropy), is_informative }
        };
        blocks.into_iter().map(judge).collect()
    }

    /// The mean entropy over the occurrences of terms. Text without any term (marks, stop words) is template.
    fn entropy(&self, terms: &[String]) -> f64 {
        let of = |term: &String| self.names.find(term).and_then(|id| self.entropies.get(id)).unwrap_or(0.0);
        if terms.is_empty() { 1.0 } else { terms.iter().map(of).sum::<f64>() / terms.len() as f64 }
    }
}

/// A block with its own text and terms.
struct CutBlock {
    node: NodeId,
    text: String,
    terms: Vec<String>,
    /// Its text nodes.
    texts: Vec<NodeId>,
}

/// The blocks of a page that have a text of their own, in document order.
fn cut(tree: &Tree, terms: &Terms) -> Vec<CutBlock> {
    let language = terms.language(tree);
    let (block_of, elements) = blocks(tree);
    let mut cut: Vec<CutBlock> = elements
        .into_iter()
        .map(|node| CutBlock { node, text: String::new(), terms: Vec::new(), texts: Vec::new() })
        .collect();
    for (node, text) in tree.visible_texts() {
        let block = &mut cut[block_of[node.index()] as usize];
        if !block.text.is_empty() {
            block.text.push(' ');
        }
        block.text.push_str(&collapse(&text));
        block.terms.extend(terms.terms(&text, language));
        block.texts.push(node);
    }
    cut.retain(|block| !block.text.is_empty());
    cut
}

/// The verdict on the blocks of a page that is the only one of its kind.
fn alone(tree: &Tree, blocks: Vec<CutBlock>) -> Vec<Region> {
    let main: Vec<NodeId> = main_blocks(tree).into_iter().flat_map(|block| block.texts).collect();
    let judge = |block: CutBlock| {
        let is_informative = is_mostly(tree, &block.texts, &main);
        Region { node: block.node, text: block.text, entropy: None, is_informative }
    };
    blocks.into_iter().map(judge).collect()
}

/// Whether at least half of these texts are among the main ones, which are given in order.
fn is_mostly(tree: &Tree, texts: &[NodeId], main: &[NodeId]) -> bool {
    let bytes = |node: &NodeId| tree.text(*node).trim().len();
    let inside: usize = texts.iter().filter(|node| main.binary_search(node).is_ok()).map(bytes).sum();
    2 * inside >= texts.iter().map(bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn trees(pages: &[&str]) -> Vec<Tree> {
        pages.iter().map(|html| Tree::parse(html.as_bytes(), None, &Limits::default()).0).collect()
    }

    /// The three pages of the golden example: every page has the navigation and one article.
    #[test]
    fn golden_three_pages() {
        let pages = trees(&[
            "<nav>zhome znews</nav><section>zquake ztoday</section><p hidden>x</p><aside>zquake zquake znews</aside>",
            "<nav>zhome znews</nav><section>zvote ztoday znews</section>",
            "<nav>zhome znews</nav><section>zcup zcup zcup zcup</section>",
        ]);
        let terms = Terms::new();
        let set = InformativeSet::learn(&pages.iter().collect::<Vec<_>>(), &terms);
        let first = set.regions(&pages[0], &terms);
        assert_eq!(first.len(), 3);
        assert!(!first[0].is_informative && first[1].is_informative, "{first:?}");
        assert!(first[1].entropy < first[0].entropy);
        // Terms of a page that was not learned from stand on that page alone.
        let new = trees(&["<nav>zhome</nav><section>zstorm</section>"]);
        let regions = set.regions(&new[0], &terms);
        assert_eq!((regions[1].entropy, regions[1].is_informative), (Some(0.0), true));
        assert_eq!((regions[0].entropy, regions[0].is_informative), (Some(1.0), false));
    }

    #[test]
    fn a_single_page_is_judged_by_itself() {
        let text =
            "The harbour was quiet that morning, and nobody on the pier expected the ferry before noon.";
        let pages = trees(&[&format!(
            "<nav><a href=/>Home</a> <a href=/n>News</a></nav><article><h1>Ferry</h1><p>{text}</p><p>{text}</p></article>"
        )]);
        let terms = Terms::new();
        let set = InformativeSet::learn(&[&pages[0]], &terms);
        assert_eq!(set.threshold(), None);
        let verdicts: Vec<bool> = set.regions(&pages[0], &terms).iter().map(|r| r.is_informative).collect();
        assert_eq!(verdicts, [false, true]);
    }

    #[test]
    fn odd_pages_do_no_harm() {
        let pages = trees(&["", "<p>", "<table><tr><td>&nbsp;</table>"]);
        let terms = Terms::new();
        let set = InformativeSet::learn(&pages.iter().collect::<Vec<_>>(), &terms);
        assert!(pages.iter().all(|page| set.regions(page, &terms).is_empty()));
        assert!(InformativeSet::learn(&[], &terms).threshold().is_none());
    }
}
