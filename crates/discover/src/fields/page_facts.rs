//! What pages say about themselves outside of what people see: the head, and data for machines.

use rustc_hash::FxHashMap;
use unsite_wrapper::View;

/// What the heads of at least two pages say, by name.
pub(super) fn head_names(views: &[View]) -> Vec<String> {
    on_several_pages(views, |view| view.head().iter().map(|(name, _)| name.as_str()).collect())
}

/// What at least two pages say to machines, by path.
pub(super) fn data_paths(views: &[View]) -> Vec<String> {
    on_several_pages(views, |view| view.data().iter().map(|datum| datum.path.as_str()).collect())
}

fn on_several_pages<'v>(views: &'v [View], named: impl Fn(&'v View<'_>) -> Vec<&'v str>) -> Vec<String> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for name in views.iter().flat_map(named) {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| *count > 1 || views.len() == 1)
        .map(|(name, _)| name.to_owned())
        .collect();
    names.sort_unstable();
    names
}
