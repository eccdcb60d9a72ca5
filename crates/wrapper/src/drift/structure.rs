//! Are the pages still built as they were?

use super::{ALARM, Aspect, Finding, NOTICEABLE, fisher_exact};
use crate::output::Schema;
use crate::profile::{Counts, SiteProfile, TypeProfile};
use crate::structure::KEPT;

/// What is told of one page type: how much came and went.
const EXAMPLES: usize = 3;

/// One finding at most for each page type whose pages are built in another way, the surest change of it first.
pub(super) fn compare(schema: &Schema, before: &SiteProfile, now: &SiteProfile) -> Vec<Finding> {
    let types: Vec<Vec<Change>> =
        before.types.iter().zip(&now.types).map(|(before, now)| changes(before, now)).collect();
    let comparisons = types.iter().map(Vec::len).sum::<usize>() as f64;
    let mut findings: Vec<Finding> = Vec::new();
    for ((at, changes), now) in types.into_iter().enumerate().zip(&now.types) {
        let mut changes: Vec<Change> = changes
            .into_iter()
            .map(|change| Change { chance: (change.chance * comparisons).min(1.0), ..change })
            .filter(|change| change.noticeable && change.chance < ALARM)
            .collect();
        changes.sort_by(|a, b| a.chance.total_cmp(&b.chance).then(b.moved().total_cmp(&a.moved())));
        let named = |gone: bool| {
            let mut names: Vec<String> = Vec::new();
            for change in changes.iter().filter(|change| (change.now < change.before) == gone) {
                if names.len() < EXAMPLES && !names.contains(&change.name) {
                    names.push(change.name.clone());
                }
            }
            names
        };
        let Some(surest) = changes.first() else { continue };
        findings.push(Finding {
            aspect: Aspect::Structure,
            page_type: schema.page_types.get(at).map(|info| info.name.clone()),
            table: None,
            column: None,
            class: surest.told(),
            before: surest.before,
            now: surest.now,
            pages: (surest.pages, now.pages),
            chance: surest.chance,
            examples_before: named(true),
            examples_now: named(false),
        });
    }
    findings.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    findings
}

/// The share of pages that are built so, before and now.
struct Change {
    name: String,
    before: f64,
    now: f64,
    pages: u32,
    chance: f64,
    noticeable: bool,
    /// What was not kept when the site was learned; `before` is then the most that it can have been.
    is_new: bool,
}

impl Change {
    fn told(&self) -> String {
        if self.is_new { format!("{} (new, at most so often before)", self.name) } else { self.name.clone() }
    }

    fn moved(&self) -> f64 {
        (self.before - self.now).abs()
    }
}

/// All comparisons of one type: what was known, and what is new on enough pages.
fn changes(before: &TypeProfile, now: &TypeProfile) -> Vec<Change> {
    if before.structure.is_empty() || now.structure.is_empty() {
        return Vec::new();
    }
    let none_of = |pages: u32| Counts::new(vec![pages, 0]);
    // What was not kept may have stood on this many pages.
    let unkept = (f64::from(before.pages) * KEPT) as u32;
    let rare = Counts::new(vec![before.pages - unkept.min(before.pages), unkept.min(before.pages)]);
    let mut changes = Vec::new();
    for was in &before.structure {
        let is = now.structure.binary_search_by_key(&was.mark, |is| is.mark);
        let is = is.map_or_else(|_| none_of(now.pages), |at| now.structure[at].counts.clone());
        changes.push(change(&was.name, &was.counts, &is));
    }
    for is in &now.structure {
        if before.structure.binary_search_by_key(&is.mark, |was| was.mark).is_err() {
            changes.push(Change { is_new: true, ..change(&is.name, &rare, &is.counts) });
        }
    }
    changes
}

fn change(name: &str, was: &Counts, is: &Counts) -> Change {
    let (before, now) = (was.share(1), is.share(1));
    // What many pages had and none has any more is a change however much it varied.
    let gone = is.of(1) == 0;
    Change {
        name: name.to_owned(),
        before,
        now,
        pages: was.total(),
        chance: fisher_exact(was.of(1), was.total(), is.of(1), is.total()),
        noticeable: (before - now).abs() >= NOTICEABLE + if gone { 0.0 } else { was.volatile },
        is_new: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::MarkCount;

    /// A site of one type; each mark with how many of the pages have it.
    fn site(pages: u32, marks: &[(u64, u32)]) -> SiteProfile {
        let count = |&(mark, with): &(u64, u32)| MarkCount {
            mark,
            name: format!("mark {mark}"),
            counts: Counts::new(vec![pages - with, with]),
        };
        let structure = marks.iter().map(count).collect();
        SiteProfile {
            pages,
            types: vec![TypeProfile { pages, structure, ..Default::default() }],
            ..Default::default()
        }
    }

    #[test]
    fn what_went_and_what_came_is_told_once_for_each_type() {
        let before = site(40, &[(1, 40), (2, 38), (3, 6)]);
        let told = compare(&Schema::default(), &before, &site(40, &[(2, 37), (3, 4), (9, 40)]));
        let [finding] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!(finding.aspect, Aspect::Structure);
        assert_eq!((finding.before, finding.now, finding.pages), (1.0, 0.0, (40, 40)));
        assert_eq!(finding.examples_before, ["mark 1"]);
        assert_eq!(finding.examples_now, ["mark 9"]);
    }

    #[test]
    fn pages_that_vary_and_few_pages_are_no_change() {
        let before = site(40, &[(1, 40), (2, 30)]);
        for now in [site(40, &[(1, 40), (2, 22)]), site(3, &[(9, 3)]), site(40, &[])] {
            assert_eq!(compare(&Schema::default(), &before, &now), []);
        }
    }
}
