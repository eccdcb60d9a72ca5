//! InfoDiscoverer: which blocks of the pages of one kind inform, and which are redundant.

use rayon::prelude::*;
use unsite_dom::{HashInterner, NodeId, Terms, Tree};
use unsite_learn::entropy::{FeatureEntropy, informative_threshold, is_informative};

use super::main_text::main_blocks;
use super::page_texts::{PageText, PageTexts};
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
    names: HashInterner,
    entropies: FeatureEntropy,
    threshold: Option<f64>,
}

impl InformativeSet {
    /// Learns from pages of one kind. Linear in their text.
    pub fn learn(pages: &[&Tree], terms: &Terms) -> Self {
        let texts: Vec<PageTexts> = pages.par_iter().map(|tree| PageTexts::of(tree, terms)).collect();
        let cut: Vec<CutBlocks> = texts.par_iter().map(CutBlocks::of).collect();
        InformativeSet::learn_cut(&texts.iter().zip(&cut).collect::<Vec<_>>())
    }

    /// The same from pages that were cut before.
    pub(super) fn learn_cut(pages: &[(&PageTexts, &CutBlocks)]) -> Self {
        let mut names = HashInterner::default();
        if pages.len() < 2 {
            return InformativeSet { names, entropies: FeatureEntropy::default(), threshold: None };
        }
        let mut features: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let mut counts: Vec<(u32, u32, f64)> = Vec::new();
        for (page, (texts, cut)) in (0u32..).zip(pages) {
            for block in cut.blocks() {
                for term in block.terms(texts) {
                    let id = names.intern(term);
                    features.push(id);
                    counts.push((page, id, 1.0));
                }
                ends.push(features.len());
            }
        }
        let entropies = FeatureEntropy::new(pages.len(), counts);
        let mut start = 0;
        let measured = ends.iter().filter_map(|&end| {
            let ids = &features[std::mem::replace(&mut start, end)..end];
            Some((entropies.mean(ids.iter().copied())?, ids))
        });
        let threshold = Some(informative_threshold(measured));
        InformativeSet { names, entropies, threshold }
    }

    /// Blocks with at most this entropy inform; `None` where there was a single page to learn from.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// The blocks of a page of this kind that have a text of their own, in document order.
    pub fn regions(&self, tree: &Tree, terms: &Terms) -> Vec<Region> {
        let texts = PageTexts::of(tree, terms);
        self.regions_of(&texts, &CutBlocks::of(&texts), &[])
    }

    /// The same for a page whose main text is known: a block that consists of it informs, whatever its words. Pages that
    /// are all written with few words (notices, weather, results) would be redundant by entropy alone. `main` are its
    /// text nodes, ascending.
    pub(super) fn regions_of(&self, texts: &PageTexts, cut: &CutBlocks, main: &[NodeId]) -> Vec<Region> {
        let alone: Vec<NodeId>;
        let main = match self.threshold {
            Some(_) => main,
            None => {
                alone = main_blocks(texts.tree).into_iter().flat_map(|block| block.texts).collect();
                &alone
            }
        };
        let judge = |block: CutBlock| {
            let entropy = self.threshold.map(|_| self.entropy(block.terms(texts)));
            let informs = entropy.zip(self.threshold).is_some_and(|(own, most)| is_informative(own, most));
            Region {
                node: block.node,
                text: block.text(texts),
                entropy,
                is_informative: informs || block.is_mostly(texts, main),
            }
        };
        let mut regions: Vec<Region> = cut.blocks().map(judge).collect();
        if !regions.iter().any(|region| region.is_informative) {
            inform_at_all(&mut regions, texts, cut);
        }
        regions
    }

    /// The mean entropy over the occurrences of terms. Text without any term (marks, stop words) is template.
    fn entropy(&self, terms: impl Iterator<Item = u64>) -> f64 {
        let of = |term| self.names.find(term).and_then(|id| self.entropies.get(id)).unwrap_or(0.0);
        let (count, sum) = terms.fold((0, 0.0), |(count, sum), term| (count + 1, sum + of(term)));
        if count == 0 { 1.0 } else { sum / f64::from(count) }
    }
}

/// A page that is there says something, also where all of it stands on others too (lists of few things): what it would
/// say if there were no other pages, or else the block that others say least of.
fn inform_at_all(regions: &mut [Region], texts: &PageTexts, cut: &CutBlocks) {
    let main: Vec<NodeId> = main_blocks(texts.tree).into_iter().flat_map(|block| block.texts).collect();
    for (region, block) in regions.iter_mut().zip(cut.blocks()) {
        region.is_informative = block.is_mostly(texts, &main);
    }
    if !regions.iter().any(|region| region.is_informative) {
        let entropy = |region: &Region| region.entropy.unwrap_or(0.0);
        let least = regions
            .iter_mut()
            .min_by(|a, b| entropy(a).total_cmp(&entropy(b)).then_with(|| b.text.len().cmp(&a.text.len())));
        if let Some(region) = least {
            region.is_informative = true;
        }
    }
}

/// The blocks of a page that have a text of their own.
pub(super) struct CutBlocks {
    /// By block, in document order; then the text's place on the page.
    texts: Vec<(NodeId, usize)>,
}

/// One of them.
struct CutBlock<'c> {
    node: NodeId,
    /// Never empty.
    texts: &'c [(NodeId, usize)],
}

impl CutBlocks {
    pub(super) fn of(page: &PageTexts) -> Self {
        let (block_of, elements) = blocks(page.tree);
        let block = |text: &PageText| elements[block_of[text.node.index()] as usize];
        let mut texts: Vec<(NodeId, usize)> = page.texts.iter().map(block).zip(0..).collect();
        texts.sort_unstable();
        CutBlocks { texts }
    }

    fn blocks(&self) -> impl Iterator<Item = CutBlock<'_>> {
        self.texts.chunk_by(|a, b| a.0 == b.0).map(|texts| CutBlock { node: texts[0].0, texts })
    }
}

impl CutBlock<'_> {
    fn own<'p, 't>(&self, page: &'p PageTexts<'t>) -> impl Iterator<Item = &'p PageText<'t>> {
        self.texts.iter().map(|(_, at)| &page.texts[*at])
    }

    fn terms(&self, page: &PageTexts) -> impl Iterator<Item = u64> {
        self.own(page).flat_map(|text| &page.words[text.words.clone()]).filter_map(|word| word.term)
    }

    fn text(&self, page: &PageTexts) -> String {
        let bytes = self.own(page).map(|text| text.text.len() + 1).sum();
        let mut all = String::with_capacity(bytes);
        for text in self.own(page) {
            all.push_str(if all.is_empty() { "" } else { " " });
            all.push_str(&text.text);
        }
        all
    }

    /// Whether at least half of its texts are among the main ones, which are given in order.
    fn is_mostly(&self, page: &PageTexts, main: &[NodeId]) -> bool {
        let (mut inside, mut all) = (0, 0);
        for text in self.own(page) {
            let bytes = page.tree.text(text.node).trim().len();
            all += bytes;
            inside += if main.binary_search(&text.node).is_ok() { bytes } else { 0 };
        }
        2 * inside >= all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn trees(pages: &[&str]) -> Vec<Tree> {
        pages.iter().map(|html| Tree::parse(html.as_bytes(), None, &Limits::default()).0).collect()
    }

    #[test]
    fn a_page_whose_blocks_all_stand_elsewhere_says_something() {
        let list =
            "<nav>zhome znews zabout</nav><main><ul><li>zbook zone</li><li>zbook ztwo</li></ul></main>";
        let pages = trees(&[list, list, list, list]);
        let terms = Terms::new();
        let set = InformativeSet::learn(&pages.iter().collect::<Vec<_>>(), &terms);
        for page in &pages {
            let regions = set.regions(page, &terms);
            let informs: Vec<&str> =
                regions.iter().filter(|region| region.is_informative).map(|r| r.text.as_str()).collect();
            assert!(informs.iter().any(|text| text.contains("zbook")), "{informs:?}");
            assert!(!informs.iter().any(|text| text.contains("zabout")), "{informs:?}");
        }
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
