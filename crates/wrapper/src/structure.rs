//! How the pages of a type are built: which elements stand where, and in what order.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use unsite_dom::{NodeId, Tree};

use crate::classes::ClassMap;
use crate::hex;
use crate::profile::{Counts, PARTS};

/// Marks on fewer of a type's pages than this are content, and are not kept.
pub const KEPT: f64 = 0.1;

/// Marks of one type that are counted at most. What most pages have is met on the first few.
const MOST_MARKS: usize = 20_000;

/// The signature of all texts.
const TEXT: u64 = 1;

/// One thing about how a page is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureMark {
    /// Equal on all pages that are built so.
    pub hash: u64,
    /// What it is called, where that is not known yet: `div.main > h1`, `h1 + p.intro`.
    pub name: Option<String>,
}

/// How many pages of a type are built so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkCount {
    /// The mark.
    #[serde(with = "hex")]
    pub mark: u64,
    /// What it is called.
    pub name: String,
    /// Pages without it and with it.
    pub counts: Counts,
}

/// The marks of a page, each once: every path of elements with the names that the template knows, every place of a text,
/// and every two siblings that follow each other. `known` says which need no name.
pub fn structure(tree: &Tree, classes: &ClassMap, known: impl Fn(u64) -> bool) -> Vec<StructureMark> {
    let mut signer = classes.signer(tree);
    let signatures: Vec<u64> = tree
        .nodes()
        .map(|node| match () {
            () if tree.is_element(node) && !is_machinery(tree.name(node)) => signer.signature(node),
            () if tree.is_text(node) && !tree.text(node).trim().is_empty() => TEXT,
            () => 0,
        })
        .collect();
    let paths = tree.fold_paths(|node| signatures[node.index()]);
    let step =
        |node: NodeId| if tree.is_text(node) { "text".to_owned() } else { classes.step_name(tree, node) };
    let mut found: FxHashMap<u64, Option<String>> = FxHashMap::default();
    let Some(body) = tree.elements("body").next() else { return Vec::new() };
    let mut open = vec![body];
    while let Some(above) = open.pop() {
        let mut before: Option<(NodeId, u64)> = None;
        for node in tree.children(above).filter(|node| signatures[node.index()] != 0) {
            let here = paths[node.index()];
            let name = |what: String| (!known(here)).then_some(what);
            found.entry(here).or_insert_with(|| name(format!("{} > {}", step(above), step(node))));
            let inside = inside(tree, node, &paths);
            if let Some((before, inside_before)) = before {
                let name = |hash: u64| (!known(hash)).then(|| format!("{} + {}", step(before), step(node)));
                let order = then(paths[before.index()], here);
                found.entry(order).or_insert_with(|| name(order));
                // Blocks that are called alike are told apart by what they hold.
                let order = then(then(order, inside_before), inside);
                found.entry(order).or_insert_with(|| name(order));
            }
            before = Some((node, inside));
            if tree.is_element(node) {
                open.push(node);
            }
        }
    }
    let mut marks: Vec<StructureMark> =
        found.into_iter().map(|(hash, name)| StructureMark { hash, name }).collect();
    marks.sort_unstable_by_key(|mark| mark.hash);
    marks
}

/// Two hashes in this order.
fn then(first: u64, second: u64) -> u64 {
    (first.rotate_left(17) ^ second).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What stands directly inside a node, whatever its order and number.
fn inside(tree: &Tree, node: NodeId, paths: &[u64]) -> u64 {
    let mut below: Vec<u64> = tree.children(node).map(|child| paths[child.index()]).collect();
    below.sort_unstable();
    below.dedup();
    below.into_iter().fold(0, then)
}

/// Elements that show nothing and come and go with what a site embeds.
fn is_machinery(name: &str) -> bool {
    matches!(name, "script" | "style" | "noscript" | "template" | "link" | "meta" | "iframe")
}

/// Counts the marks of the pages of one type.
#[derive(Debug, Clone, Default)]
pub(crate) struct StructureCounter {
    pages: [u32; PARTS],
    marks: BTreeMap<u64, (String, [u32; PARTS])>,
}

impl StructureCounter {
    /// With marks whose names are known.
    pub(crate) fn expecting(known: &[MarkCount]) -> Self {
        let marks = known.iter().map(|known| (known.mark, (known.name.clone(), [0; PARTS])));
        StructureCounter { marks: marks.collect(), ..Default::default() }
    }

    /// Notes a page that stands in this part of the site.
    pub(crate) fn page(&mut self, marks: &[StructureMark], part: usize) {
        self.pages[part] += 1;
        for mark in marks {
            if let Some((_, counts)) = self.marks.get_mut(&mark.hash) {
                counts[part] += 1;
            } else if let Some(name) = mark.name.as_ref().filter(|_| self.marks.len() < MOST_MARKS) {
                let mut counts = [0; PARTS];
                counts[part] = 1;
                self.marks.insert(mark.hash, (name.clone(), counts));
            }
        }
    }

    /// What is found on enough of the pages.
    pub(crate) fn finish(self) -> Vec<MarkCount> {
        let pages: u32 = self.pages.iter().sum();
        if pages == 0 {
            return Vec::new();
        }
        let often = f64::from(pages) * KEPT;
        self.marks
            .into_iter()
            .filter(|(_, (_, counts))| f64::from(counts.iter().sum::<u32>()) >= often)
            .map(|(mark, (name, counts))| {
                let parts = self.pages.iter().zip(counts).map(|(&all, with)| vec![all - with, with]);
                MarkCount { mark, name, counts: Counts::of_parts(parts.collect()) }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn names(html: &str) -> Vec<String> {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let marks = structure(&tree, &ClassMap::default(), |_| false);
        let mut names: Vec<String> = marks.into_iter().filter_map(|mark| mark.name).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn a_page_is_its_paths_and_the_order_of_its_siblings() {
        let page = "<body><h1>T</h1><script>x</script><p>a<b>c</b></p>";
        assert_eq!(
            names(page),
            ["b > text", "body > h1", "body > p", "h1 + p", "h1 > text", "p > b", "p > text", "text + b"]
        );
        assert_ne!(names("<p>1</p><h1>2</h1>"), names("<h1>2</h1><p>1</p>"));
    }

    #[test]
    fn only_what_many_pages_have_is_kept() {
        let mut counter = StructureCounter::default();
        for page in 0..20 {
            let mark = |hash: u64| StructureMark { hash, name: Some(hash.to_string()) };
            counter.page(&[mark(7), mark(100 + page)], 0);
        }
        let kept = counter.finish();
        assert_eq!(kept.iter().map(|kept| (kept.mark, kept.counts.of(1))).collect::<Vec<_>>(), [(7, 20)]);
    }
}
