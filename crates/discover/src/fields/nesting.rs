//! Lists whose rows stand inside each other: answers inside comments, sections inside sections.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use unsite_dom::NodeId;
use unsite_wrapper::{ClassMap, View, shape, similarity};

use super::grow::Instance;
use super::siblings::COMPLEX;

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

/// How alike the usual rows of two sets are; 0 when they are too simple to tell.
fn likeness(views: &[View], outer: &[Instance], inner: &[Instance]) -> f64 {
    let usual = |rows: &[Instance]| {
        let mut counts: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        for row in rows.iter().step_by(rows.len().div_ceil(LOOKED_AT)) {
            *counts.entry(shape(&views[row.page as usize], row.node)).or_default() += 1;
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        most.map(|(shape, _)| shape).unwrap_or_default()
    };
    let (outer, inner) = (usual(outer), usual(inner));
    if outer.len() < COMPLEX || inner.len() < COMPLEX { 0.0 } else { similarity(&outer, &inner) }
}
