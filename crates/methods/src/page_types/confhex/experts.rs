//! CONFHEX's six page experts: how alike are two pages, from 0 to 1?

use crate::minhash::shingle_hash;
use rustc_hash::FxHashSet;
use unsite_dom::{NodeId, PathStyle, Tree};
use unsite_learn::edit::lcs_similarity;
use unsite_learn::tfidf::SparseVec;
use xxhash_rust::xxh3::xxh3_64;

use crate::templates::{Indexed, Uniqueness, coverage, page_tokens, stripes};
use unsite_discover::SitePage;

/// The experts in the order of their scores.
pub const EXPERTS: [&str; 6] = ["url", "base-url", "template", "layout", "list", "table"];

/// Rows of a table and items of a list that the table expert looks at (the thesis: the first few).
const ROWS: u32 = 3;

/// URLs are compared up to here, in bytes.
const URL_BYTES: usize = 512;

/// Everything that the experts want to know of one page.
pub(super) struct View {
    url: Vec<u8>,
    base_url: Vec<u8>,
    layout: SparseVec,
    /// The page for the template, list and table experts.
    documents: [Document; 3],
}

struct Document {
    tokens: Vec<u64>,
    unique: Uniqueness,
}

/// The documents of a page, ready to be compared with many others.
pub(super) struct IndexedView([Indexed; 3]);

impl View {
    pub(super) fn of(page: &SitePage) -> Self {
        let tree = &page.tree;
        let url = &page.raw.url.as_bytes()[..page.raw.url.len().min(URL_BYTES)];
        let base = url.split(|&byte| byte == b'?' || byte == b'#').next().unwrap_or_default();
        let repeated = repeated_siblings(tree);
        let places = tree.sibling_places();
        let row = |node: NodeId| matches!(tree.name(node), "tr" | "li" | "dt" | "dd" | "option");
        View {
            url: url.to_vec(),
            base_url: base.to_vec(),
            layout: layout(page),
            documents: [
                Document::new(page_tokens(tree, |_| true).tokens),
                Document::new(page_tokens(tree, |node| !repeated.contains(&node)).tokens),
                Document::new(page_tokens(tree, |node| !row(node) || places[node.index()] <= ROWS).tokens),
            ],
        }
    }

    pub(super) fn indexed(&self) -> IndexedView {
        IndexedView([0, 1, 2].map(|at| Indexed::new(&self.documents[at].tokens)))
    }

    /// The scores of two pages, in the order of [`EXPERTS`].
    pub(super) fn scores(&self, other: &View, other_index: &IndexedView) -> [f64; 6] {
        let shared = |at: usize| {
            let (first, second) = (&self.documents[at], &other.documents[at]);
            let common = stripes(&first.tokens, &first.unique, &[&other_index.0[at]]);
            coverage(&common, first.tokens.len(), second.tokens.len())
        };
        [
            lcs_similarity(&self.url, &other.url),
            lcs_similarity(&self.base_url, &other.base_url),
            shared(0),
            self.layout.cosine(&other.layout),
            shared(1),
            shared(2),
        ]
    }
}

impl Document {
    fn new(tokens: Vec<u64>) -> Self {
        let unique = Indexed::new(&tokens).uniqueness(&tokens);
        Document { tokens, unique }
    }
}

/// How many texts stand at each x coordinate, as in the thesis, on pages that a browser rendered. Without one, how many
/// stand at each path of tags: texts at one path without indices mostly start at one x.
fn layout(page: &SitePage) -> SparseVec {
    let tree = &page.tree;
    if let Some(layout) = &page.raw.layout {
        let boxes = layout.boxes(tree);
        let drawn = tree.visible_texts().filter_map(|(node, _)| boxes.get(&node));
        return SparseVec::new(drawn.map(|place| (place.x as u32, 1.0)).collect());
    }
    let hashes = tree.path_hashes(PathStyle::Tags);
    let column = |node: NodeId| hashes[node.index()] as u32;
    SparseVec::new(tree.visible_texts().map(|(node, _)| (column(node), 1.0)).collect())
}

/// Elements that look like the sibling before them: name, class and which names their children have. What is left is a
/// page whose lists have one row each.
fn repeated_siblings(tree: &Tree) -> FxHashSet<NodeId> {
    let signature = |node: NodeId| {
        let name = |node: NodeId| xxh3_64(tree.name(node).as_bytes());
        let mut children: Vec<u64> =
            tree.children(node).filter(|&child| tree.is_element(child)).map(name).collect();
        children.sort_unstable();
        children.dedup();
        let class = xxh3_64(tree.attr(node, "class").unwrap_or_default().as_bytes());
        children.extend([name(node), class]);
        shingle_hash(&children, 0)
    };
    let mut repeated = FxHashSet::default();
    for parent in tree.nodes() {
        let mut before = None;
        for child in tree.children(parent).filter(|&child| tree.is_element(child)) {
            let own = Some(signature(child));
            if own == before {
                repeated.insert(child);
            }
            before = own;
        }
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    fn page(url: &str, html: &str) -> SitePage {
        let (tree, cuts) = Tree::parse(html.as_bytes(), None, &Limits::default());
        SitePage { raw: RawPage { url: url.into(), bytes: html.into(), ..RawPage::default() }, tree, cuts }
    }

    fn scores(a: &SitePage, b: &SitePage) -> [f64; 6] {
        let (a, b) = (View::of(a), View::of(b));
        a.scores(&b, &b.indexed())
    }

    #[test]
    fn golden_url_scores() {
        let u1 = page("http://www.bookpool.com/ss?qs=clustering&x=0&y=0", "<p>1");
        let u2 = page("http://www.bookpool.com/ss?qs=learning&x=0&y=0", "<p>2");
        let u3 = page("http://www.bookpool.com/sm/1590598296", "<p>3");
        assert!((scores(&u1, &u2)[0] - 0.9362).abs() < 5e-5);
        assert!((scores(&u1, &u3)[0] - 0.6118).abs() < 5e-5);
        assert_eq!(scores(&u1, &u2)[1], 1.0, "the same base URL");
    }

    #[test]
    fn lists_of_different_length_are_alike_to_the_list_and_table_experts() {
        let list = |items: usize| {
            let rows: String = (0..items).map(|i| format!("<li><a href=#>item {i}</a></li>")).collect();
            page("http://a/", &format!("<h1>Books</h1><ul>{rows}</ul><p>end of page</p>"))
        };
        let [_, _, template, layout, rows, table] = scores(&list(4), &list(40));
        assert!(template < 0.3 && table > 0.9 && rows > 0.9, "{template} {table} {rows}");
        assert!(layout > 0.9 && layout < 1.0);
    }

    #[test]
    fn every_score_is_a_share_and_identical_pages_are_alike() {
        let pages =
            ["", "<p>x", "<table><tr><td>1<td>2<tr><td>3</table>", "\u{0}<<<&&"].map(|html| page("", html));
        for a in &pages {
            for b in &pages {
                assert!(scores(a, b).iter().all(|score| (0.0..=1.0).contains(score)));
            }
        }
        let same = scores(&pages[2], &pages[2]);
        assert!(same.iter().all(|&score| score > 0.999), "{same:?}");
    }
}
