//! Names that the data writes on the rows of a list: `tag-perl` on one post, `tag-games` on the next, `alt-row` on
//! every second one.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::raw_names;

/// Siblings that share a name are rows from this many on; two are as likely a pair of different things
/// (`price old`, `price new`).
const ROWS: usize = 3;

/// An element with fewer nodes below it is a value and not a row; its names tell values apart.
const ROW_NODES: usize = 4;

/// A name that stands so in at least this share of its places is written by the data.
const MOSTLY: f64 = 0.5;

/// A name that stands on several rows of this share of its lists is no place in a fixed layout.
const SEVERAL: f64 = 0.2;

/// On fewer pages than this, names that stand once are not told from those that recur.
const FEW_PAGES: usize = 3;

/// Layouts have a handful of blocks that are called the same but for their ids.
const MANY: usize = 12;

#[derive(Default)]
struct Use {
    /// On how many elements the name stands.
    everywhere: usize,
    /// On how many rows whose neighbours do without it.
    on_some_rows: usize,
    /// In how many lists, and in how many of them on several rows.
    lists: usize,
    lists_with_several: usize,
    /// The lists that the neighbours make up, this name or not.
    lists_of_kin: usize,
}

/// The names that stand on some rows of lists and not on others, irregularly.
pub(super) fn row_names(trees: &[&Tree]) -> FxHashSet<String> {
    let mut uses: FxHashMap<String, Use> = FxHashMap::default();
    let mut lists_by_kin: FxHashMap<String, usize> = FxHashMap::default();
    let mut kin_of: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    for tree in trees {
        for node in tree.nodes().filter(|&node| tree.is_element(node)) {
            for name in raw_names(tree, node) {
                uses.entry(name).or_default().everywhere += 1;
            }
            for (kin, rows) in rows_below(tree, node) {
                *lists_by_kin.entry(kin.clone()).or_default() += 1;
                let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
                for name in rows.iter().flatten() {
                    *counts.entry(name).or_default() += 1;
                }
                for (name, count) in counts {
                    if count == rows.len() {
                        continue;
                    }
                    let seen = uses.entry(name.to_owned()).or_default();
                    seen.on_some_rows += count;
                    seen.lists += 1;
                    seen.lists_with_several += usize::from(count > 1);
                    kin_of.entry(name.to_owned()).or_default().insert(kin.clone());
                }
            }
        }
    }
    for (name, kin) in &kin_of {
        if let Some(seen) = uses.get_mut(name) {
            seen.lists_of_kin = kin.iter().map(|kin| lists_by_kin[kin]).sum();
        }
    }
    // On a page or two nothing shows whether an id recurs; among rows it is the name of one of them.
    let few = trees.len() < FEW_PAGES;
    uses.retain(|name, seen| seen.is_data(few && name.starts_with('#')));
    let mut found: FxHashSet<String> = uses.into_keys().collect();
    if few {
        trees.iter().for_each(|tree| found.extend(ids_of_many(tree)));
    }
    found
}

/// The ids of elements of which a page has many, the same but for the id: wherever they stand, they are in rows.
fn ids_of_many(tree: &Tree) -> Vec<String> {
    let mut ids: FxHashMap<(&str, &str), FxHashSet<String>> = FxHashMap::default();
    for node in tree.nodes().filter(|&node| tree.is_element(node)) {
        let id = raw_names(tree, node).find(|name| name.starts_with('#'));
        if let (Some(class), Some(id)) = (tree.attr(node, "class"), id) {
            ids.entry((tree.name(node), class)).or_default().insert(id);
        }
    }
    ids.into_values().filter(|ids| ids.len() >= MANY).flatten().collect()
}

impl Use {
    fn is_data(&self, names_one: bool) -> bool {
        let several = self.lists_with_several as f64 >= SEVERAL * self.lists as f64;
        let rare = (self.lists as f64) < MOSTLY * self.lists_of_kin as f64;
        self.lists > 0
            && self.on_some_rows as f64 >= MOSTLY * self.everywhere as f64
            && (several || rare || names_one)
    }
}

/// The rows below a node: children with the same tag and the name that most of them share, which makes them kin.
fn rows_below(tree: &Tree, node: NodeId) -> Vec<(String, Vec<Vec<String>>)> {
    let mut by_tag: Vec<(&str, Vec<NodeId>)> = Vec::new();
    for child in tree.children(node).filter(|&child| tree.is_element(child)) {
        if tree.end(child).index() - child.index() <= ROW_NODES || tree.attr(child, "class").is_none() {
            continue;
        }
        let tag = tree.name(child);
        match by_tag.iter_mut().find(|(known, _)| *known == tag) {
            Some((_, rows)) => rows.push(child),
            None => by_tag.push((tag, vec![child])),
        }
    }
    let mut found = Vec::new();
    for (tag, rows) in by_tag.into_iter().filter(|(_, rows)| rows.len() >= ROWS) {
        let named: Vec<Vec<String>> = rows.iter().map(|&row| raw_names(tree, row).collect()).collect();
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for name in named.iter().flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
        if let Some((kin, count)) = most.filter(|(_, count)| *count >= ROWS) {
            let kin = kin.to_owned();
            let rows: Vec<Vec<String>> = named.iter().filter(|names| names.contains(&kin)).cloned().collect();
            debug_assert_eq!(rows.len(), count);
            found.push((format!("{tag}.{kin}"), rows));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn ids_of_many_alike_are_data_on_few_pages() {
        let page = |count: usize| {
            let talks: String = (0..count)
                .map(|k| format!("<a href=/{k}><div class=talk id=x{}>t</div></a>", "y".repeat(k)))
                .collect();
            let html = format!("<div id=menu class=bar>m</div>{talks}");
            Tree::parse(html.as_bytes(), None, &Limits::default()).0
        };
        let names = |trees: &[Tree]| row_names(&trees.iter().collect::<Vec<_>>());
        let many = names(&[page(MANY), page(MANY)]);
        assert!(many.contains("#xyy") && !many.contains("#menu"));
        assert!(names(&[page(MANY - 1), page(3)]).is_empty());
        assert!(names(&[page(MANY), page(MANY), page(MANY)]).is_empty());
    }
}
