//! What stands over a list and differs from page to page (`Articles in the Games category`) says something about each row.

use unsite_wrapper::What;

use super::columns::Slot;
use super::grow::Grown;

/// How many steps above a text its heading element may stand.
const HEIGHT: usize = 2;

/// The slot of the heading over the page's main list, as an index, and that list. The main list is the one that says
/// most; its heading is the highest one before it, and of equal ones the nearest.
pub(super) fn heading_of_main_list(
    grown: &Grown,
    slots: &[Slot],
    list_of: &[usize],
) -> Option<(usize, usize)> {
    let of_page = |list: usize| list != 0 && list_of[grown.template.nodes[list].parent] == 0;
    let mut lists: Vec<(usize, usize)> = Vec::new();
    for slot in slots.iter().filter(|slot| of_page(slot.list)) {
        match lists.iter_mut().find(|(list, _)| *list == slot.list) {
            Some((_, values)) => *values += slot.values,
            None => lists.push((slot.list, slot.values)),
        }
    }
    let (list, _) = lists.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let start = slots.iter().filter(|slot| slot.list == list).map(Slot::mean_place).fold(1.0, f64::min);
    let mut headings: Vec<(usize, f64, usize)> = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        let varies = slot.examples.iter().any(|value| *value != slot.examples[0]);
        if slot.list == 0 && varies && slot.mean_place() < start && !slot.what.is_in_head() {
            headings.extend(level(grown, slot).map(|level| (level, -slot.mean_place(), at)));
        }
    }
    headings.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let &(_, _, whole) = headings.first()?;
    // Of a heading that is partly constant, what varies.
    let is_part = |slot: &Slot| matches!(&slot.what, What::Part(of, _) if slot.step == slots[whole].step && **of == slots[whole].what);
    let mut parts = slots.iter().enumerate().filter(|(_, slot)| is_part(slot));
    match (parts.next(), parts.next()) {
        (Some((part, _)), None) => Some((part, list)),
        _ => Some((whole, list)),
    }
}

/// Rows with at most this many values of their own are groups: what they say is the name of what they hold.
const NAME_OF_GROUP: usize = 3;

/// Lists whose rows are groups of the rows of another list, as the sections of a forum: the slot of the group's name and
/// the inner list.
pub(super) fn names_of_groups(grown: &Grown, slots: &[Slot], list_of: &[usize]) -> Vec<(usize, usize)> {
    let mut lists: Vec<usize> = slots.iter().map(|slot| slot.list).filter(|&list| list != 0).collect();
    lists.sort_unstable();
    lists.dedup();
    let of = |list: usize| slots.iter().enumerate().filter(move |(_, slot)| slot.list == list);
    let mut found = Vec::new();
    for &group in &lists {
        let mut inner = lists.iter().filter(|&&list| list_of[grown.template.nodes[list].parent] == group);
        let (Some(&rows), None) = (inner.next(), inner.next()) else { continue };
        let texts = of(group).filter(|(_, slot)| slot.is_line());
        let name = texts.min_by_key(|(at, slot)| (level(grown, slot).unwrap_or(usize::MAX), *at));
        if let Some((name, slot)) = name
            && of(group).count() <= NAME_OF_GROUP
            && of(rows).count() > of(group).count()
            && of(rows).any(|(_, row)| row.values > slot.values)
        {
            found.push((name, rows));
        }
    }
    found
}

/// The level of the heading that a text stands in.
fn level(grown: &Grown, slot: &Slot) -> Option<usize> {
    if !slot.is_line() {
        return None;
    }
    let level_at = |step: usize| ["h1", "h2", "h3", "h4"].iter().position(|tag| *tag == grown.tags[step]);
    let mut step = slot.step;
    for _ in 0..=HEIGHT {
        if level_at(step).is_some() || step == 0 {
            break;
        }
        step = grown.template.nodes[step].parent;
    }
    // What is wrapped around a single text may hold the heading.
    let inside = (slot.what == What::Prose).then(|| only_steps_below(grown, slot.step));
    let heading = inside.and_then(|mut below| below.find(|&below| level_at(below).is_some()));
    level_at(heading.unwrap_or(step))
}

/// The steps below one, as long as each has a single one.
fn only_steps_below(grown: &Grown, step: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(step), |&at| match grown.template.nodes[at].specs.as_slice() {
        [only] if only.node > at => Some(only.node),
        _ => None,
    })
    .skip(1)
}
