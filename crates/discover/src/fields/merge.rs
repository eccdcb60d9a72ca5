//! Slots that are one column: the same value read twice, and the same field in two variants of a layout.

use rustc_hash::FxHashMap;
use unsite_wrapper::What;

use super::columns::Slot;
use super::grow::Grown;
use super::names::NameSource;

/// Variants of one field hardly ever stand in the same row.
const MEET: f64 = 0.02;

/// Merges the slots of one page type.
pub(super) fn merge(grown: &Grown, slots: Vec<Slot>) -> Vec<Slot> {
    join_variants(grown, drop_copies(slots))
}

/// Of slots that say the same in every row (the picture and the title link to one page) the first text stays, or the
/// first attribute.
fn drop_copies(slots: Vec<Slot>) -> Vec<Slot> {
    let is_attribute = |slot: &Slot| matches!(slot.what, What::Attribute(_) | What::Head(_) | What::Data(_));
    let mut best: FxHashMap<(usize, usize, u64), usize> = FxHashMap::default();
    for (at, slot) in slots.iter().enumerate() {
        let kept = best.entry((slot.list, slot.values, slot.content)).or_insert(at);
        if is_attribute(&slots[*kept]) && !is_attribute(slot) {
            *kept = at;
        }
    }
    let mut keep: Vec<usize> = best.into_values().collect();
    keep.sort_unstable();
    let mut next = keep.into_iter().peekable();
    let mut kept = Vec::new();
    for (at, slot) in slots.into_iter().enumerate() {
        if next.peek() == Some(&at) {
            next.next();
            kept.push(slot);
        }
    }
    kept
}

/// Slots with the same label, or with the same named end of their path, that never stand in one row are one column.
fn join_variants(grown: &Grown, slots: Vec<Slot>) -> Vec<Slot> {
    let mut joined: Vec<Slot> = Vec::new();
    let mut groups: FxHashMap<(usize, What, String), Vec<usize>> = FxHashMap::default();
    for slot in slots {
        let Some(key) = key(grown, &slot) else {
            joined.push(slot);
            continue;
        };
        let flows = grown.template.nodes[slot.step].flows;
        let candidates = groups.entry((slot.list, slot.what.clone(), key)).or_default();
        match candidates.iter().find(|&&at| flows || never_meet(&joined[at], &slot)) {
            Some(&at) => {
                let leader = &mut joined[at];
                leader.also.push(slot.step);
                leader.values += slot.values;
                leader.place += slot.place;
                leader.rows.extend(slot.rows);
                leader.examples.extend(slot.examples);
                leader.example_rows.extend(slot.example_rows);
            }
            None => {
                candidates.push(joined.len());
                joined.push(slot);
            }
        }
    }
    joined
}

fn never_meet(a: &Slot, b: &Slot) -> bool {
    let (small, large) = if a.rows.len() < b.rows.len() { (a, b) } else { (b, a) };
    let meet = small.rows.iter().filter(|row| large.rows.contains(row)).count();
    meet as f64 <= MEET * small.rows.len() as f64
}

/// What variants of a field have in common: the label, or the last step if people named it.
fn key(grown: &Grown, slot: &Slot) -> Option<String> {
    if grown.template.nodes[slot.step].flows {
        let label = grown.label_of[slot.step].as_deref().unwrap_or_default();
        return Some(format!("text {} {label}", grown.template.nodes[slot.step].parent));
    }
    if let Some(label) = NameSource::of(grown, slot.step, Some(&slot.what)).label {
        return Some(format!("label {}", label.trim_end_matches([':', '：', ' ']).to_lowercase()));
    }
    let mut step = slot.step;
    if grown.tags[step].is_empty() {
        step = grown.template.nodes[step].parent;
    }
    let name = &grown.template.nodes[step].step;
    name.contains(['.', '#']).then(|| format!("step {}", name.split(['[', ':', '*']).next().unwrap_or(name)))
}
