//! Which page types share one template: tables belong to templates, types may be finer.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree};
use unsite_learn::agglomerative::{Linkage, agglomerative};
use unsite_learn::rng::Rng;
use unsite_wrapper::ClassMap;

use crate::experts::{hash, mix, node_paths};
use crate::site::{Site, spread};

/// Pages of a type that are looked at: a place on a quarter of the pages is then missed once in thirty times.
const SAMPLE: usize = 12;

/// Texts of a page that are looked at.
const MAX_TEXTS: usize = 800;

/// A type of fewer pages cannot tell its template from its data; what other types have found out speaks for it.
pub(super) const TELLING_PAGES: usize = 3;

/// Ways in which the pages of two types are dealt into two groups at random, to see how alike groups of one template are.
const DEALS: u64 = 3;

/// Types share a template when groups dealt at random would not be more than this much more alike: more of what varies is
/// shared than is not.
pub(super) const SHARED: f64 = 0.5;

/// The texts of some pages of each type, and which of them templates write.
///
/// # What it does
/// A text that stands at its path on half of the pages of a type is written by a template; the others are data. The place of
/// a data text is its path with the header of its column, and the last text before it that both templates write. Two types
/// share a template when data stands at the same places on the pages of both. How alike they can be at all is told by dealing
/// the same pages into two groups at random.
/// # Assumes
/// Pages of one template have data at mostly the same places.
/// # When it fails
/// Types of one page each, on a site that has no others.
/// # Paper
/// None; templates whose texts vary after EXALG and RoadRunner, which are told which pages share one.
pub(super) struct TypeTexts {
    /// For each type and each page looked at its texts in order: path, and path with text.
    types: Vec<Vec<Vec<(u64, u64)>>>,
    /// What templates write: path with text.
    template: FxHashSet<u64>,
    /// For each type, what its own template writes.
    own: Vec<FxHashSet<u64>>,
    /// For each type the paths that data stands at, sorted, with the share of pages that have it.
    paths: Vec<Vec<(u64, f64)>>,
}

impl TypeTexts {
    /// Reads some pages of each type.
    pub(super) fn of(site: &Site, classes: &ClassMap, members: &[Vec<usize>]) -> Self {
        let types: Vec<Vec<Vec<(u64, u64)>>> = members
            .par_iter()
            .map(|pages| {
                let chosen = spread(pages, SAMPLE);
                chosen.iter().map(|&page| texts(&site.pages[page].tree, classes)).collect()
            })
            .collect();
        let mut template: FxHashSet<u64> = FxHashSet::default();
        for pages in types.iter().filter(|pages| pages.len() >= TELLING_PAGES) {
            template.extend(on_half(pages));
        }
        let own = types
            .iter()
            .map(|pages| on_half(pages).into_iter().filter(|text| template.contains(text)).collect())
            .collect();
        let mut texts = TypeTexts { types, template, own, paths: Vec::new() };
        texts.paths = texts.types.par_iter().map(|pages| texts.data_paths(pages)).collect();
        texts
    }

    /// The paths that data stands at, sorted, with the share of pages that have it.
    fn data_paths(&self, pages: &[Vec<(u64, u64)>]) -> Vec<(u64, f64)> {
        let none = FxHashSet::default();
        let mut all: Vec<u64> = pages.iter().flat_map(|page| self.places(page, &none)).collect();
        all.sort_unstable();
        all.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64 / pages.len() as f64)).collect()
    }

    /// Whether two types have data at so different paths that they need not be compared: as labels only tell more places
    /// apart, they cannot be alike, unless even pages of one type were less than half alike.
    fn far_apart(&self, a: usize, b: usize) -> bool {
        let (mut both, mut either) = (0.0, 0.0);
        let (mut left, mut right) = (self.paths[a].as_slice(), self.paths[b].as_slice());
        while let (Some(&x), Some(&y)) = (left.first(), right.first()) {
            if x.0 == y.0 {
                both += x.1.min(y.1);
            }
            either += if x.0 == y.0 {
                x.1.max(y.1)
            } else if x.0 < y.0 {
                x.1
            } else {
                y.1
            };
            left = &left[usize::from(x.0 <= y.0)..];
            right = &right[usize::from(y.0 <= x.0)..];
        }
        either += left.iter().chain(right).map(|path| path.1).sum::<f64>();
        both < SHARED / 2.0 * either
    }

    /// How much of what varies stands at the same places on the pages of both types, as a share of what would if they were
    /// one; `None` where nothing varies.
    pub(super) fn likeness(&self, a: usize, b: usize) -> Option<f64> {
        let labels: FxHashSet<u64> = self.own[a].intersection(&self.own[b]).copied().collect();
        let pages: Vec<Vec<u64>> =
            self.types[a].iter().chain(&self.types[b]).map(|page| self.places(page, &labels)).collect();
        let first = self.types[a].len();
        let mut order: Vec<usize> = (0..pages.len()).collect();
        let told = overlap(&pages, &order, first)?;
        let mut dealt = 0.0;
        for deal in 0..DEALS {
            shuffle(&mut order, deal);
            dealt += overlap(&pages, &order, first)? / DEALS as f64;
        }
        (dealt > 0.0).then(|| told / dealt)
    }

    /// For each type, the first of those that share its template.
    pub(super) fn template_of(&self) -> Vec<usize> {
        let count = self.types.len();
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let alike: FxHashMap<(usize, usize), f64> = pairs
            .into_par_iter()
            .filter(|&(a, b)| !self.far_apart(a, b))
            .map(|(a, b)| ((a, b), self.likeness(a, b).unwrap_or(0.0)))
            .collect();
        let apart = |a: usize, b: usize| 1.0 - alike.get(&(a.min(b), a.max(b))).copied().unwrap_or(0.0);
        let labels = agglomerative(count, Linkage::Average, apart).cut(1.0 - SHARED);
        let first = |label: u32| labels.iter().position(|&other| other == label);
        labels.iter().enumerate().map(|(at, &label)| first(label).unwrap_or(at)).collect()
    }

    /// Where data stands on a page, each place once, sorted.
    fn places(&self, page: &[(u64, u64)], labels: &FxHashSet<u64>) -> Vec<u64> {
        let mut label = 0;
        let mut places: Vec<u64> = Vec::new();
        for &(path, text) in page {
            if labels.contains(&text) {
                label = text;
            } else if !self.template.contains(&text) {
                places.push(mix(path, label));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The texts of a page in order: path, and path with text. A picture counts as a text.
pub(super) fn texts(tree: &Tree, classes: &ClassMap) -> Vec<(u64, u64)> {
    let paths = node_paths(tree, classes);
    let headers = headers(tree);
    let place = |node: NodeId| match headers.get(node.index()) {
        Some(&header) if header != 0 => mix(paths[node.index()], header),
        _ => paths[node.index()],
    };
    let mut texts: Vec<(u32, u64, u64)> = tree
        .visible_texts()
        .take(MAX_TEXTS)
        .map(|(node, text)| (node.0, place(node), hash(&[&text])))
        .collect();
    let pictures = tree.elements("img").take(MAX_TEXTS);
    texts.extend(
        pictures.filter_map(|node| Some((node.0, paths[node.index()], hash(&[tree.attr(node, "src")?])))),
    );
    texts.sort_unstable();
    texts.into_iter().map(|(_, path, text)| (path, mix(path, text))).collect()
}

/// For each node the header of the column that it stands in, hashed; 0 for none. Empty where no table has headers.
fn headers(tree: &Tree) -> Vec<u64> {
    let mut rows_of: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for row in tree.elements("tr") {
        let above = tree.ancestors(row).take(2).find(|&above| tree.name(above) == "table");
        if let Some(table) = above {
            rows_of.entry(table).or_default().push(row);
        }
    }
    let cells = |row: NodeId| tree.children(row).filter(|&cell| matches!(tree.name(cell), "td" | "th"));
    let mut header_of: FxHashMap<NodeId, u64> = FxHashMap::default();
    for rows in rows_of.values() {
        let Some((&first, rows)) = rows.split_first() else { continue };
        let are_heads = cells(first).all(|cell| tree.name(cell) == "th") && cells(first).count() > 1;
        if are_heads {
            let names: Vec<u64> = cells(first).map(|cell| hash(&[&tree.visible_text(cell)])).collect();
            for &row in rows {
                header_of.extend(cells(row).zip(&names).map(|(cell, &name)| (cell, name)));
            }
        }
    }
    if header_of.is_empty() {
        return Vec::new();
    }
    let mut headers: Vec<u64> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        let above = tree.parent(node).map_or(0, |parent| headers[parent.index()]);
        headers.push(header_of.get(&node).copied().unwrap_or(above));
    }
    headers
}

/// What stands on at least half of the pages.
pub(super) fn on_half(pages: &[Vec<(u64, u64)>]) -> Vec<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for page in pages {
        let mut seen: Vec<u64> = page.iter().map(|text| text.1).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    counts.into_iter().filter(|&(_, count)| 2 * count >= pages.len().max(2)).map(|(text, _)| text).collect()
}

/// The share of places that the first pages, in this order, and the others have in common, by how many of them have it.
fn overlap(pages: &[Vec<u64>], order: &[usize], first: usize) -> Option<f64> {
    let mut counts: FxHashMap<u64, (f64, f64)> = FxHashMap::default();
    let (left, right) = (1.0 / first.max(1) as f64, 1.0 / (order.len() - first).max(1) as f64);
    for (at, &page) in order.iter().enumerate() {
        for &place in &pages[page] {
            let count = counts.entry(place).or_default();
            *(if at < first { &mut count.0 } else { &mut count.1 }) += if at < first { left } else { right };
        }
    }
    // Sorted, so that sums do not depend on the order of a map.
    let mut shares: Vec<(f64, f64)> = counts.into_values().map(|(a, b)| (a.min(b), a.max(b))).collect();
    shares.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let (both, either) = shares.into_iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    (either > 0.0).then(|| both / either)
}

/// Another order, the same on every run.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut rng = Rng::new(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    const MENU: &str = "<nav><a href=/>Home</a><a href=/about>About</a></nav>";

    fn product(brand: &str, n: usize) -> String {
        let reviews = if n.is_multiple_of(3) {
            format!("<div><h3>Reviews</h3><p>good {n}</p></div>")
        } else {
            String::new()
        };
        format!(
            "{MENU}<h1>{brand} {n}</h1><b>{brand}</b><table><tr><td>Price<td>{n}.99<tr><td>Weight<td>{} g</table>\
             <p>About number {n}</p>{reviews}",
            n * 7
        )
    }

    fn list(n: usize) -> String {
        let row = |at: usize| format!("<li><a href=/p/{n}{at}>Thing {n}{at}</a><i>{at}.99</i></li>");
        format!("{MENU}<h1>Things {n}</h1><ul>{}</ul>", (0..4).map(row).collect::<String>())
    }

    /// The templates of groups of pages.
    fn template_of(groups: &[Vec<String>]) -> Vec<usize> {
        let mut members = Vec::new();
        let mut pages = Vec::new();
        for group in groups {
            members.push((pages.len()..pages.len() + group.len()).collect());
            for html in group {
                let url = format!("http://a.test/{:04}", pages.len());
                pages.push(RawPage { url, bytes: html.clone().into_bytes(), ..RawPage::default() });
            }
        }
        let site = Site::parse(pages, &Limits::default());
        TypeTexts::of(&site, &ClassMap::default(), &members).template_of()
    }

    #[test]
    fn brands_share_a_template_and_lists_have_their_own() {
        let groups = [
            (0..8).map(|n| product("Canon", n)).collect(),
            (8..16).map(list).collect(),
            (20..26).map(|n| product("Nikon", n)).collect(),
        ];
        assert_eq!(template_of(&groups), [0, 1, 0]);
    }

    #[test]
    fn a_single_page_goes_with_its_template() {
        let groups = [
            (0..8).map(|n| product("Canon", n)).collect(),
            (8..16).map(list).collect(),
            vec![product("Nikon", 40)],
        ];
        assert_eq!(template_of(&groups), [0, 1, 0]);
    }

    #[test]
    fn pages_without_data_share_nothing() {
        let still = |words: &str| vec![format!("{MENU}<p>{words}</p>"); 3];
        assert_eq!(template_of(&[still("Imprint"), still("Privacy")]), [0, 1]);
        assert_eq!(template_of(&[]), Vec::<usize>::new());
    }
}
