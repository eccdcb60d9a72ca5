//! Which paths hold what people searched for, and which of them are independent.

use crate::mwis::independent;

/// Weight of the recall position in the Borda score (KeyClus).
pub(super) const BETA: f64 = 0.3;

/// Paths of the ranking that the dependency graph is made of (KeyClus).
pub(super) const TOP_PATHS: usize = 100;

/// Two paths are dependent when this share of the rarer one's pages have both (KeyClus).
pub(super) const SAME_PAGES: f64 = 0.97;

/// A path on one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OnPage {
    /// The path's number.
    pub(super) path: u32,
    /// `|C(x,p)|`: terms below all its instances.
    pub(super) terms: u32,
    /// `|M(x,p)|`: those of them that the queries have too.
    pub(super) matched: u32,
}

/// A page as the ranking sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageFacts {
    /// `|Q(p)|`: terms of the queries that led here.
    pub(super) query_terms: u32,
    /// Its paths, sorted by number.
    pub(super) paths: Vec<OnPage>,
}

/// How well a path predicts queries.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Expected {
    /// `EP(x)`: expected precision.
    pub(super) precision: f64,
    /// `ER(x)`: expected recall.
    pub(super) recall: f64,
    /// Pages that have the path.
    pub(super) pages: u32,
}

/// `EP(x) = f(x)^g / N * sum over pages with x and queries of |M|/|C|`, `ER` the same with `|M|/|Q|`; `f(x)` is the share
/// of pages with x. `g = 0` is the plain expectation, `g = 1` the printed product.
pub(super) fn expected(pages: &[PageFacts], paths: usize, g: i32) -> Vec<Expected> {
    let mut all = vec![Expected::default(); paths];
    for page in pages {
        for on in &page.paths {
            let path = &mut all[on.path as usize];
            path.pages += 1;
            if page.query_terms > 0 && on.terms > 0 {
                path.precision += f64::from(on.matched) / f64::from(on.terms);
                path.recall += f64::from(on.matched) / f64::from(page.query_terms);
            }
        }
    }
    let n = pages.len().max(1) as f64;
    for path in &mut all {
        let scale = (f64::from(path.pages) / n).powi(g) / n;
        path.precision *= scale;
        path.recall *= scale;
    }
    all
}

/// The Borda ranking of the candidates: position by precision plus `BETA` times position by recall, ascending. Ties go to
/// the path on more pages, then to the one that stands earlier in `candidates`.
pub(super) fn borda(expected: &[Expected], candidates: &[u32]) -> Vec<(u32, f64)> {
    let by = |value: fn(&Expected) -> f64| {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        let of = |at: usize| &expected[candidates[at] as usize];
        order.sort_by(|&a, &b| {
            value(of(b)).total_cmp(&value(of(a))).then(of(b).pages.cmp(&of(a).pages)).then(a.cmp(&b))
        });
        let mut positions = vec![0.0; candidates.len()];
        order.iter().enumerate().for_each(|(position, &at)| positions[at] = position as f64 + 1.0);
        positions
    };
    let (precision, recall) = (by(|x| x.precision), by(|x| x.recall));
    let mut ranked: Vec<(usize, f64)> =
        (0..candidates.len()).map(|at| (at, precision[at] + BETA * recall[at])).collect();
    let pages = |at: usize| expected[candidates[at] as usize].pages;
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1).then(pages(b.0).cmp(&pages(a.0))).then(a.0.cmp(&b.0)));
    ranked.into_iter().map(|(at, score)| (candidates[at], score)).collect()
}

/// `H(x1,x2)`: the share of the rarer path's pages that have both. Page lists are sorted.
pub(super) fn overlap(a: &[u32], b: &[u32]) -> f64 {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let both = few.iter().filter(|page| many.binary_search(page).is_ok()).count();
    if few.is_empty() { 0.0 } else { both as f64 / few.len() as f64 }
}

/// The independent paths among the best of the ranking, in its order.
pub(super) fn key_paths(pages: &[PageFacts], ranked: &[(u32, f64)]) -> Vec<u32> {
    let top: Vec<u32> = ranked.iter().take(TOP_PATHS).map(|path| path.0).collect();
    let mut places: Vec<Vec<u32>> = vec![Vec::new(); top.len()];
    for (number, page) in pages.iter().enumerate() {
        for (place, path) in places.iter_mut().zip(&top) {
            if page.paths.binary_search_by_key(path, |on| on.path).is_ok() {
                place.push(number as u32);
            }
        }
    }
    let kept = independent(top.len(), |a, b| overlap(&places[a], &places[b]) >= SAME_PAGES);
    kept.into_iter().map(|at| top[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five golden pages: A, B, C, D, N are paths 0 to 4.
    fn five_pages() -> Vec<PageFacts> {
        let page = |query_terms, paths: &[(u32, u32, u32)]| PageFacts {
            query_terms,
            paths: paths.iter().map(|&(path, terms, matched)| OnPage { path, terms, matched }).collect(),
        };
        vec![
            page(2, &[(0, 2, 2), (1, 5, 2), (2, 1, 0)]),
            page(3, &[(0, 2, 2), (1, 4, 2)]),
            page(0, &[(0, 2, 0), (1, 4, 0), (2, 1, 0)]),
            page(1, &[(3, 2, 1), (4, 2, 0)]),
            page(0, &[(3, 2, 0), (4, 2, 0)]),
        ]
    }

    #[test]
    fn golden_expectations_and_ranking() {
        let all = expected(&five_pages(), 5, 0);
        let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-6, "{got} is not {want}");
        for (path, ep, er) in
            [(0, 0.4, 1.0 / 3.0), (1, 0.18, 1.0 / 3.0), (2, 0.0, 0.0), (3, 0.1, 0.2), (4, 0.0, 0.0)]
        {
            close(all[path].precision, ep);
            close(all[path].recall, er);
        }
        let ranked = borda(&all, &[0, 1, 2, 3, 4]);
        let order: Vec<u32> = ranked.iter().map(|path| path.0).collect();
        assert_eq!(order, [0, 1, 3, 2, 4], "A B D C N");
        for (got, want) in ranked.iter().zip([1.3, 2.6, 3.9, 5.2, 6.5]) {
            close(got.1, want);
        }
        assert_eq!(key_paths(&five_pages(), &ranked), [0, 3], "A and D");
    }

    #[test]
    fn golden_overlaps() {
        let (a, c, d) = (vec![0, 1, 2], vec![0, 2], vec![3, 4]);
        assert_eq!((overlap(&a, &a), overlap(&a, &c), overlap(&c, &a)), (1.0, 1.0, 1.0));
        assert_eq!((overlap(&d, &d), overlap(&a, &d), overlap(&[], &d)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn the_printed_product_favours_frequent_paths() {
        let all = expected(&five_pages(), 5, 1);
        assert!((all[0].precision - 0.4 * 0.6).abs() < 1e-9);
        assert!(expected(&[], 3, 1).iter().all(|path| path.pages == 0));
        assert!(borda(&[], &[]).is_empty());
    }
}
