//! Where texts stand from left to right.
//!
//! # What it does
//! Cosine of how many texts stand in which column. On pages that a browser rendered a column is where texts start from
//! the left, in pixels. Without a browser it is approximated by the named blocks from the top, cell indexes in tables and
//! the depth of lists. Of a rendered page and one that was not, nothing can be said.
//! # Assumes
//! Rendered: all pages were laid out in a window of one width. Otherwise: blocks with names are what style sheets place.
//! # When it fails
//! Centred texts start anywhere. Without a browser: pages that style sheets lay out without names or tables; one column
//! everywhere.
//! # Paper
//! Gazen 2008 (CONFHEX), layout expert, which takes x coordinates from a browser.

use rustc_hash::FxHashMap;
use unsite_dom::{NodeId, TextBox};

use super::page_view::mix;
use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "layout",
    about: "how many texts stand in which column (by coordinates after --browser, else by tables, lists and blocks)",
    read,
    weigh: Weights::counted,
    weight: |weights, column| match column.key {
        RENDERED => Some(0.0),
        key => Some(f64::from(column.value + 1.0).ln() * weights.idf(key)),
    },
    score,
};

/// Named blocks from the top that are taken for columns of the page.
const COLUMN_DEPTH: u8 = 3;

/// Texts whose left edges differ by less, in pixels, stand in one column: indents and columns differ by more, rounding
/// and kerning by less.
const COLUMN_PIXELS: i32 = 4;

/// The mark of a rendered page among its features. It counts nothing.
const RENDERED: u64 = 0;

fn read(page: &PageView<'_>) -> Features {
    match &page.boxes {
        Some(boxes) => drawn_columns(page, boxes),
        None => likely_columns(page),
    }
}

/// The columns by where texts start from the left.
fn drawn_columns(page: &PageView<'_>, boxes: &FxHashMap<NodeId, TextBox>) -> Features {
    let drawn = page.texts.iter().filter_map(|(node, _)| boxes.get(node));
    let columns = drawn.map(|place| mix(1, i64::from(place.x.div_euclid(COLUMN_PIXELS)) as u64));
    Features::of_keys(columns.chain([RENDERED]))
}

/// A text's column: the named blocks it lies in, from the top, the cell index in each table and the depth of lists.
fn likely_columns(page: &PageView<'_>) -> Features {
    let tree = page.tree;
    let mut place: Vec<(u64, u8)> = Vec::with_capacity(tree.len());
    let mut cell: Vec<u64> = vec![0; tree.len()];
    for node in tree.nodes() {
        if tree.name(node) == "tr" {
            for (at, child) in tree.children(node).filter(|&child| tree.is_element(child)).enumerate() {
                cell[child.index()] = at as u64 + 1;
            }
        }
        let (above, depth) = tree.parent(node).map_or((0, 0), |above: NodeId| place[above.index()]);
        place.push(match tree.name(node) {
            "td" | "th" => (mix(above, cell[node.index()]), depth),
            "ul" | "ol" | "dl" | "dd" | "blockquote" => (mix(above, 0), depth),
            "div" | "section" | "aside" | "nav" | "main" | "header" | "footer" | "article"
                if depth < COLUMN_DEPTH
                    && (tree.attr(node, "class").is_some() || tree.attr(node, "id").is_some()) =>
            {
                (mix(above, page.paths[node.index()]), depth + 1)
            }
            _ => (above, depth),
        });
    }
    Features::new(page.texts.iter().map(|(node, _)| Feature::new(place[node.index()].0, 1.0)).collect())
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    (a.contains(RENDERED) == b.contains(RENDERED)).then(|| a.cosine(b)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Layout, Limits, PlacedText, Tree};
    use unsite_wrapper::ClassMap;

    /// The features of a page whose texts `0`, `1`, ... start at these places from the left.
    fn rendered(places: &[i32]) -> Features {
        let html: String = (0..places.len()).map(|at| format!("<p>{at}</p>")).collect();
        let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
        let text = |(at, &x): (usize, &i32)| PlacedText {
            text: at.to_string(),
            place: Some(TextBox { x, ..TextBox::default() }),
        };
        let layout = Layout { width: 1280, texts: places.iter().enumerate().map(text).collect() };
        let classes = ClassMap::default();
        read(&PageView::new("http://a.test/", &tree, &classes, &[]).with_layout(Some(&layout)))
    }

    fn plain(html: &str) -> Features {
        let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
        let classes = ClassMap::default();
        read(&PageView::new("http://a.test/", &tree, &classes, &[]))
    }

    fn scores(pages: Vec<Features>) -> Vec<Option<f64>> {
        let weights = Weights::counted(&pages.iter().collect::<Vec<_>>());
        let mut pages = pages;
        for page in &mut pages {
            page.settle(|feature| (EXPERT.weight)(&weights, feature));
        }
        pages[1..].iter().map(|other| score(&weights, &pages[0], other)).collect()
    }

    #[test]
    fn the_same_markup_is_told_apart_by_where_it_was_drawn() {
        let found = scores(vec![rendered(&[8, 8, 300]), rendered(&[9, 8, 301]), rendered(&[600, 600, 900])]);
        assert!(found[0].is_some_and(|alike| alike > 0.99), "{found:?}");
        assert_eq!(found[1], Some(0.0));
    }

    #[test]
    fn a_rendered_page_and_a_plain_one_are_not_compared() {
        let found = scores(vec![rendered(&[8, 8]), plain("<div class=a><p>0"), rendered(&[8, 8])]);
        assert_eq!(found[0], None);
        assert!(found[1].is_some());
    }
}
