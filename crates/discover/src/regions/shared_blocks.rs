//! What stands at the same place on pages of several kinds: the blocks that belong to the template of the whole site.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, Tree};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::Site;

/// Pages that are looked at, and their nodes. A text of the template shows on far fewer.
const LOOKED_AT: usize = 240;
const LOOKED_AT_NODES: usize = 250_000;

/// A text at one place on this share of the pages of other types belongs to the template; the same share as makes a link
/// target part of the site's frame.
const SHARE: f64 = 0.3;

/// Fewer pages of other types say nothing.
const FEWEST: usize = 3;

/// The texts that pages of different types share, by place.
///
/// # What it does
/// Counts for every pair of path (tags from the root with their id and first class) and text on how many pages of each type it stands. For one page type
/// a text is template when it stands at the same place on many pages of *other* types.
/// # Assumes
/// Several page types with a common frame: navigation, footer, boxes at the side.
/// # When it fails
/// A block that moves in the tree from type to type. What only the pages of one type share is left to their comparison with
/// each other.
/// # Paper
/// InfoDiscoverer's redundancy, over the kinds of pages instead of within one, so that a page type with a single page has
/// template blocks too.
#[derive(Debug, Default)]
pub struct SharedBlocks {
    /// By place and text, and by place, text and type: pages.
    everywhere: FxHashMap<u64, u32>,
    in_type: FxHashMap<(u64, usize), u32>,
    pages: usize,
    pages_of_type: Vec<usize>,
}

impl SharedBlocks {
    /// Learns from a sample of a site. `type_of` is the type of each page.
    pub fn learn(site: &Site, type_of: &[usize], count: usize) -> Self {
        let all: Vec<usize> = (0..site.pages.len()).collect();
        let sample = site.sample(&all, LOOKED_AT, LOOKED_AT_NODES);
        let keys: Vec<Vec<u64>> = sample
            .par_iter()
            .map(|&page| {
                let mut keys: Vec<u64> =
                    PlacedTexts::of(&site.pages[page].tree).0.into_iter().map(|(_, key)| key).collect();
                keys.sort_unstable();
                keys.dedup();
                keys
            })
            .collect();
        let mut found =
            SharedBlocks { pages: sample.len(), pages_of_type: vec![0; count], ..SharedBlocks::default() };
        for (keys, &page) in keys.into_iter().zip(&sample) {
            let page_type = type_of[page];
            found.pages_of_type[page_type] += 1;
            for key in keys {
                *found.everywhere.entry(key).or_default() += 1;
                *found.in_type.entry((key, page_type)).or_default() += 1;
            }
        }
        found
    }

    /// How many of the texts of a subtree are template for pages of this type, and how many there are.
    pub fn share(&self, page_type: usize, texts: &PlacedTexts, tree: &Tree, node: NodeId) -> (usize, usize) {
        let inside = texts.within(tree, node);
        (inside.iter().filter(|(_, key)| self.is_template(page_type, *key)).count(), inside.len())
    }

    fn is_template(&self, page_type: usize, key: u64) -> bool {
        let own = self.in_type.get(&(key, page_type)).copied().unwrap_or(0) as usize;
        let all = self.everywhere.get(&key).copied().unwrap_or(0) as usize;
        let others = self.pages - self.pages_of_type.get(page_type).copied().unwrap_or(0);
        let (there, least) = (all.saturating_sub(own), (SHARE * others as f64).ceil() as usize);
        there >= least.max(FEWEST)
    }
}

/// The visible texts of a page, each with a hash of its place and what it says.
#[derive(Debug)]
pub struct PlacedTexts(Vec<(NodeId, u64)>);

impl PlacedTexts {
    /// Reads a page once.
    pub fn of(tree: &Tree) -> Self {
        let paths = tree.fold_paths(|node| step(tree, node));
        let key = |node: NodeId, text: &str| paths[node.index()].rotate_left(17) ^ xxh3_64(text.as_bytes());
        PlacedTexts(tree.visible_texts().map(|(node, text)| (node, key(node, &text))).collect())
    }

    fn within(&self, tree: &Tree, node: NodeId) -> &[(NodeId, u64)] {
        let from = self.0.partition_point(|(text, _)| *text < node);
        let until = self.0.partition_point(|(text, _)| *text < tree.end(node));
        &self.0[from..until.max(from)]
    }
}

/// One step of a path. The main list of a page and a box beside it often stand on the same tags; what `body` is called
/// differs from type to type, and numbers are those of single pages.
fn step(tree: &Tree, node: NodeId) -> u64 {
    let name = tree.name(node);
    if matches!(name, "html" | "body") {
        return xxh3_64(name.as_bytes());
    }
    let plain = |names: &str| !names.bytes().any(|b| b.is_ascii_digit());
    let id = tree.attr(node, "id").filter(|id| plain(id)).unwrap_or_default();
    let class = tree.attr(node, "class").and_then(|names| names.split_whitespace().next());
    let class = class.filter(|class| plain(class)).unwrap_or_default();
    xxh3_64(format!("{name}#{id}.{class}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    fn site(pages: &[String]) -> Site {
        let raw = |(at, html): (usize, &String)| RawPage {
            url: format!("http://s.test/{at}"),
            bytes: html.clone().into_bytes(),
            ..RawPage::default()
        };
        Site::parse(pages.iter().enumerate().map(raw).collect(), &Limits::default())
    }

    #[test]
    fn a_menu_is_template_on_a_page_that_is_alone() {
        let menu = "<nav><a>Home</a> <a>News</a></nav>";
        let mut pages: Vec<String> = (0..6).map(|at| format!("{menu}<p>text {at}</p>")).collect();
        pages.push(format!("{menu}<main><a>Home</a> <a>Rent</a></main>"));
        let site = site(&pages);
        let type_of = [0, 0, 0, 0, 0, 0, 1];
        let shared = SharedBlocks::learn(&site, &type_of, 2);
        let tree = &site.pages[6].tree;
        let texts = PlacedTexts::of(tree);
        let element = |name: &str| tree.elements(name).next().unwrap();
        assert_eq!(shared.share(1, &texts, tree, element("nav")), (2, 2));
        // The same word at another place is no template.
        assert_eq!(shared.share(1, &texts, tree, element("main")), (0, 2));
        // What only pages of one type share is not for this to judge.
        assert_eq!(shared.share(0, &texts, tree, element("nav")), (0, 2));
        assert_eq!(SharedBlocks::default().share(0, &texts, tree, element("nav")), (0, 2));
    }
}
