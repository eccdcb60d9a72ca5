//! Do pages look as a design has them?

use rayon::prelude::*;
use unsite_discover::Site;
use unsite_dom::Moment;
use unsite_wrapper::SavedWrapper;
use unsite_wrapper::drift::{Finding, Revisited, compare};
use unsite_wrapper::profile::Profiler;
use unsite_wrapper::structure::structure;

/// Pages on either side of a boundary that it takes to find one between them.
const FEWEST: usize = 5;

/// Of the pages on the newer side of a boundary so many are recognised, and of those on the older side so many are not.
const PURE: f64 = 0.9;

/// What of the pages is not as it was learned.
pub(super) fn findings(site: &Site, saved: &SavedWrapper) -> Vec<Finding> {
    let reader = saved.wrapper.reader();
    let seen: Vec<_> = site
        .pages
        .par_iter()
        .map(|page| {
            let record = reader.read_new(&page.raw, &page.tree, &page.cuts);
            let known = |mark: u64| saved.profile.knows(record.page_type, mark);
            let marks = structure(&page.tree, &saved.wrapper.classes, known);
            (record, marks)
        })
        .collect();
    let mut profiler = Profiler::against(&saved.wrapper, &saved.profile);
    let mut revisited = Revisited::default();
    for (record, marks) in &seen {
        revisited.page(&saved.wrapper.training, record);
        profiler.page(record, 0, 1);
        profiler.structure(record.page_type, marks, 0, 1);
    }
    compare(&saved.wrapper.schema, &saved.profile, &profiler.finish(), revisited)
}

/// The first moment from which on pages are recognised, where those before it are not: a redesign in the middle of a slice.
pub(super) fn boundary(site: &Site, saved: &SavedWrapper) -> Option<Moment> {
    let mut pages: Vec<(Moment, bool)> = site
        .pages
        .par_iter()
        .filter_map(|page| {
            Some((page.raw.captured?, saved.wrapper.recognise(&page.tree, &page.raw.url).is_some()))
        })
        .collect();
    pages.sort_unstable_by_key(|(captured, _)| *captured);
    best_split(&pages)
}

/// Pages in the order of time and whether they fit: where those that do not end.
fn best_split(pages: &[(Moment, bool)]) -> Option<Moment> {
    let fitting = pages.iter().filter(|(_, fits)| *fits).count();
    // Of the pages before a place, how many fit.
    let mut before = 0;
    let mut best: Option<(usize, usize, usize)> = None;
    for (at, (moment, fits)) in pages.iter().enumerate() {
        if at > 0 && pages[at - 1].0 < *moment {
            let wrong = before + (pages.len() - at - (fitting - before));
            if best.is_none_or(|(least, _, _)| wrong < least) {
                best = Some((wrong, at, before));
            }
        }
        before += usize::from(*fits);
    }
    let (_, at, fit_before) = best?;
    let behind = pages.len() - at;
    let is_pure = |right: usize, of: usize| of >= FEWEST && right as f64 >= PURE * of as f64;
    (is_pure(at - fit_before, at) && is_pure(fitting - fit_before, behind)).then(|| pages[at].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_has_strangers_before_it_and_none_behind() {
        let at = |n: i64| Moment::from_unix(n).unwrap();
        let pages = |fits: &dyn Fn(i64) -> bool| -> Vec<(Moment, bool)> {
            (0..40).map(|n| (at(n), fits(n))).collect()
        };
        assert_eq!(best_split(&pages(&|n| n >= 17)), Some(at(17)));
        // One page that is odd on either side changes nothing.
        assert_eq!(best_split(&pages(&|n| n >= 17 && n != 30 || n == 3)), Some(at(17)));
        assert_eq!(best_split(&pages(&|_| true)), None);
        assert_eq!(best_split(&pages(&|_| false)), None);
        assert_eq!(best_split(&pages(&|n| n % 2 == 0)), None);
        assert_eq!(best_split(&pages(&|n| n >= 38)), None);
        let one: Vec<(Moment, bool)> = (0..40).map(|n| (at(7), n >= 20)).collect();
        assert_eq!(best_split(&one), None);
        assert_eq!(best_split(&[]), None);
    }
}
