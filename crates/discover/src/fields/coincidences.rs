//! Texts that recur as labels do and are none: names and categories that several lists have an entry of.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{View, shape, similarity};

use super::labels::{Labels, candidates};
use super::siblings::Member;
use super::variants::SAME_ROWS;

/// The first texts of a list are labels if this share of them are.
const MOSTLY_LABELS: f64 = 0.5;

/// A row of names and values has a name and a value; a record says more.
const RECORD_TEXTS: usize = 3;

/// Members whose shapes are looked at to find the usual one.
const LOOKED_AT: usize = 30;

/// Drops labels that stand among members which mostly have none: two threads have a reader in common, and many lists an
/// entry of the same category. Where there are `few` parents the members may be anything. Else a label makes its member look
/// otherwise than those without; where it does not, in rows that say more than a name and a value, it is one of the values that rows
/// say in this place. What stands behind
/// a value names it only where other values are named so.
pub(super) fn drop(views: &[View], members: &[(u64, Vec<Member>)], few: bool, labels: &mut Labels) {
    let mut kept: FxHashSet<&str> = FxHashSet::default();
    for (_, group) in members {
        let known = |text: &&str| labels.known.contains(*text);
        let is_labelled = |member: &&Member| candidates(views, member).any(|text| known(&text));
        let (labelled, others): (Vec<&Member>, Vec<&Member>) = group.iter().partition(is_labelled);
        let mostly = |labelled: usize| labelled as f64 >= MOSTLY_LABELS * group.len() as f64;
        let says_more =
            |member: &&Member| views[member.page as usize].texts_in(member.node).len() > RECORD_TEXTS;
        let records = || 2 * group.iter().filter(says_more).count() > group.len();
        let keep = mostly(labelled.len()) || !(few || records() && are_alike(views, &labelled, &others));
        let behind = group.iter().filter_map(|member| last_of_several(views, member)).filter(known).count();
        for member in labelled {
            let last = last_of_several(views, member).filter(|_| !mostly(behind));
            let found = candidates(views, member).filter(known);
            kept.extend(found.filter(|text| {
                text.ends_with([':', '：']) || (keep && last.is_none_or(|last| last != *text))
            }));
        }
    }
    let kept: FxHashSet<String> = kept.into_iter().map(str::to_owned).collect();
    labels.known = kept;
}

/// The last text of a member with several.
fn last_of_several<'v>(views: &'v [View], member: &Member) -> Option<&'v str> {
    let view = &views[member.page as usize];
    let texts = view.texts_in(member.node);
    (texts.len() > 1).then(|| view.texts[texts.end - 1].value.as_ref())
}

/// Are the usual ones of some members and of some others built alike?
fn are_alike(views: &[View], some: &[&Member], others: &[&Member]) -> bool {
    let usual = |members: &[&Member]| {
        let mut counts: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        for member in members.iter().step_by(members.len().div_ceil(LOOKED_AT).max(1)) {
            *counts.entry(shape(&views[member.page as usize], member.node)).or_default() += 1;
        }
        let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        most.map(|(shape, _)| shape)
    };
    match (usual(some), usual(others)) {
        (Some(some), Some(others)) => similarity(&some, &others) >= SAME_ROWS,
        _ => false,
    }
}
