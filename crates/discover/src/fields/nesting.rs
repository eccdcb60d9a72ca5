//! Lists whose rows stand inside each other: answers inside comments, sections inside sections.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use unsite_dom::NodeId;
use unsite_wrapper::{ClassMap, View, similarity};

use super::grow::Instance;
use super::shapes::own_shape;
use super::siblings::{COMPLEX, Member};

/// Inner rows look like outer ones: they are built by the same template. Half of the features, because the inner
/// ones hold no further rows.
const ALIKE: f64 = 0.5;

/// Rows whose shapes are compared.
const LOOKED_AT: usize = 30;

/// Adds the rows that stand inside the rows of a list, and gives their kinds, sorted. An inner row has the tag of the
/// outer ones and shares a name with them; bare ones are of the very same kind.
pub(super) fn add_inner_rows(
    views: &[View],
    classes: &ClassMap,
    kind: u64,
    instances: &mut Vec<Instance>,
) -> Vec<u64> {
    let Some(sample) = instances.first().copied() else { return Vec::new() };
    let names = |row: &Instance| classes.names(views[row.page as usize].tree, row.node);
    let tag = views[sample.page as usize].tree.name(sample.node);
    let outer_names = names(&sample);
    let mut inner: BTreeMap<u64, Vec<Instance>> = BTreeMap::new();
    for outer in instances.iter() {
        let view = &views[outer.page as usize];
        for at in outer.node.index() + 1..view.tree.end(outer.node).index() {
            let node = NodeId(at as u32);
            if view.tree.name(node) == tag && view.has_content(node) {
                inner.entry(view.signatures[at]).or_default().push(Instance { page: outer.page, node });
            }
        }
    }
    inner.retain(|inner_kind, rows| {
        let kin = *inner_kind == kind || names(&rows[0]).iter().any(|name| outer_names.contains(name));
        kin && likeness(views, instances, rows) >= ALIKE
    });
    if inner.is_empty() {
        return Vec::new();
    }
    instances.extend(inner.values().flatten());
    instances.sort_unstable_by_key(|instance| (instance.page, instance.node));
    instances.dedup();
    inner.into_keys().collect()
}

/// Rows that stand directly inside each other this deep were never closed.
const CHAIN: usize = 3;

/// Do most of these elements hold one of their own kind beside other things, and that one again? A template that forgets to
/// close its rows puts each into the one before.
pub(super) fn is_chain(views: &[View], group: &[Member]) -> bool {
    let every = group.len().div_ceil(LOOKED_AT).max(1);
    let looked_at: Vec<&Member> = group.iter().step_by(every).collect();
    let long = looked_at.iter().filter(|member| {
        let view = &views[member.page as usize];
        let kind = view.signatures[member.node.index()];
        let mut node = member.node;
        (0..CHAIN).all(|_| {
            let mut inner =
                view.content_children(node).filter(|child| view.signatures[child.index()] == kind);
            let (only, others) = (inner.next(), view.content_children(node).count() > 1);
            let is_link = only.is_some() && inner.next().is_none() && others;
            node = only.unwrap_or(node);
            is_link && view.tree.is_element(node)
        })
    });
    2 * long.count() > looked_at.len()
}

/// How alike the usual rows of two sets are; 0 when they are too simple to tell.
fn likeness(views: &[View], outer: &[Instance], inner: &[Instance]) -> f64 {
    let usual = |rows: &[Instance]| {
        let mut counts: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        for row in rows.iter().step_by(rows.len().div_ceil(LOOKED_AT)) {
            *counts.entry(own_shape(&views[row.page as usize], row.node)).or_default() += 1;
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        most.map(|(shape, _)| shape).unwrap_or_default()
    };
    let (outer, inner) = (usual(outer), usual(inner));
    if outer.len() < COMPLEX || inner.len() < COMPLEX { 0.0 } else { similarity(&outer, &inner) }
}
