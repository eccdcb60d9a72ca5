//! Drift alarms: none between halves of a site, one between its themes.

use std::path::Path;

use unsite_dom::{Limits, RawPage, Tree};
use unsite_learn::rng::Rng;
use unsite_wrapper::SavedWrapper;
use unsite_wrapper::drift::{Finding, Revisited, compare};
use unsite_wrapper::profile::Profiler;
use unsite_wrapper::structure::structure;

use super::{Outcome, load, saved, sites, theme_groups};

/// What a check of these pages finds.
pub(super) fn check(saved: &SavedWrapper, pages: &[RawPage]) -> Vec<Finding> {
    let mut profiler = Profiler::against(&saved.wrapper, &saved.profile);
    let mut revisited = Revisited::default();
    for page in pages {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default());
        let page_type = saved.wrapper.classify(page, &tree);
        let record = saved.wrapper.read(page, &tree, &cuts, page_type);
        let known = |mark: u64| saved.profile.knows(page_type, mark);
        profiler.structure(page_type, &structure(&tree, &saved.wrapper.classes, known), 0, 1);
        revisited.page(&saved.wrapper.training, &record);
        profiler.page(&record, 0, 1);
    }
    compare(&saved.wrapper.schema, &saved.profile, &profiler.finish(), revisited)
}

fn told(findings: &[Finding]) -> String {
    let one = |f: &Finding| {
        format!(
            "{:?} {}.{} {} {:.2}->{:.2} {:?} {:.0e}",
            f.aspect,
            f.table.as_deref().unwrap_or("-"),
            f.column.as_deref().unwrap_or("-"),
            f.class,
            f.before,
            f.now,
            f.pages,
            f.chance
        )
    };
    findings.iter().take(3).map(one).collect::<Vec<_>>().join("; ")
}

pub(super) fn halves(data: &Path, filter: &str) -> Outcome {
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let (mut checks, mut alarms) = (0, 0);
    for path in sites(data, &["swde", "live", "redesign"], filter)? {
        let gold = load(&path)?;
        let mut here = 0;
        for round in 0..rounds {
            let mut rng = Rng::new(round + 1);
            let mut pages: Vec<&RawPage> = gold.pages.iter().map(|(page, _)| page).collect();
            for at in (1..pages.len()).rev() {
                pages.swap(at, rng.below(at + 1));
            }
            let (one, other) = pages.split_at(pages.len() / 2);
            let saved = saved(one.iter().map(|page| (*page).clone()).collect());
            let other: Vec<RawPage> = other.iter().map(|page| (*page).clone()).collect();
            let findings = check(&saved, &other);
            checks += 1;
            if !findings.is_empty() {
                here += 1;
                println!("    {} round {round}: {}", gold.name, told(&findings));
            }
        }
        alarms += here;
        println!("{:30} {here} alarms in {rounds} halves", gold.name);
    }
    println!("{alarms} alarms in {checks} checks");
    Ok(())
}

pub(super) fn themes(data: &Path, filter: &str) -> Outcome {
    let (mut pairs, mut noticed) = (0, 0);
    for group in theme_groups(data, filter)? {
        for old in &group {
            let saved = saved(old.pages.iter().map(|(page, _)| page.clone()).collect());
            for new in group.iter().filter(|new| new.name != old.name) {
                let pages: Vec<RawPage> = new.pages.iter().map(|(page, _)| page.clone()).collect();
                let findings = check(&saved, &pages);
                pairs += 1;
                noticed += usize::from(!findings.is_empty());
                println!(
                    "{:30} -> {:30} {:3} findings: {}",
                    old.name,
                    new.name,
                    findings.len(),
                    told(&findings)
                );
            }
        }
    }
    println!("{noticed} of {pairs} redesigns noticed");
    Ok(())
}
