//! Changes by hand on one half of a site: are they made on the other half, and after a repair for another theme?

use std::path::Path;

use unsite_discover::{Site, page_types};
use unsite_dom::{Limits, RawPage};
use unsite_wrapper::edits::{Edit, Step};
use unsite_wrapper::{Provenance, SavedWrapper, ValueType};

use super::{Outcome, load, saved, sites, theme_groups};

/// Edits of a site.
const MOST: usize = 50;

#[derive(Default)]
struct Tally {
    edits: usize,
    made: usize,
    /// Of those that are made, the ones whose target has the same label, place or name as the one that was meant.
    right: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.edits += other.edits;
        self.made += other.made;
        self.right += other.right;
    }

    fn print(&self, name: &str) {
        let share = self.made as f64 / self.edits.max(1) as f64;
        println!(
            "{name}: {} of {} edits made ({share:.3}), {} of them surely of the same thing",
            self.made, self.edits, self.right
        );
    }
}

/// Each on its own: renaming, retyping and dropping columns, renaming and dropping tables.
fn edits(saved: &SavedWrapper) -> Vec<Step> {
    let mut all = Vec::new();
    for table in saved.wrapper.stored_schema().tables.iter().filter(|table| table.is_shown()) {
        let name = || table.name.clone();
        all.push(Edit::RenameTable { table: name(), to: "by_hand".into() });
        all.push(Edit::DropTable { table: name() });
        for (at, column) in table.shown().iter().enumerate().filter(|(at, _)| table.key != Some(*at)) {
            let column = column.name.clone();
            all.push(match at % 3 {
                0 => Edit::RenameColumn { table: name(), column, to: "by_hand".into() },
                1 => Edit::RetypeColumn { table: name(), column, to: ValueType::Text },
                _ => Edit::DropColumn { table: name(), column },
            });
        }
    }
    let every = all.len().div_ceil(MOST).max(1);
    let chosen = all.into_iter().step_by(every);
    // The log keeps what the target looked like.
    let seen = |edit: Edit| {
        let mut one = saved.clone();
        one.edit(vec![edit.into()]).ok()?;
        one.edits.pop()
    };
    chosen.filter_map(seen).collect()
}

fn tally(steps: &[Step], old: &SavedWrapper, new: &SavedWrapper) -> Tally {
    let mut tally = Tally::default();
    for step in steps {
        let mut one = new.clone();
        one.edits = vec![step.clone()];
        let edited = one.edited();
        tally.edits += 1;
        if let Some(unmade) = edited.unmade.first() {
            println!("  lost: {} ({}; seen {:?})", step.edit, unmade.why, step.seen);
            continue;
        }
        tally.made += 1;
        tally.right += usize::from(is_right(step, old, new));
    }
    tally
}

/// Whether what the edit is about is there under its name with the same label or place, or is a table of that name.
fn is_right(step: &Step, old: &SavedWrapper, new: &SavedWrapper) -> bool {
    let target = match &step.edit {
        Edit::RenameColumn { table, column, .. }
        | Edit::RetypeColumn { table, column, .. }
        | Edit::DropColumn { table, column } => (table, Some(column)),
        Edit::RenameTable { table, .. } | Edit::DropTable { table } => (table, None),
        _ => return false,
    };
    let find = |saved: &SavedWrapper| {
        let schema = saved.wrapper.stored_schema();
        let table = schema.tables.iter().find(|info| info.name == *target.0)?.clone();
        match target.1 {
            None => Some(None),
            Some(name) => Some(Some(table.columns.iter().find(|info| info.name == *name)?.clone())),
        }
    };
    match (find(old), find(new)) {
        (Some(Some(was)), Some(Some(is))) => {
            was.label == is.label && was.label.is_some()
                || was.selector == is.selector
                || was.value_type == is.value_type
        }
        (Some(None), Some(None)) => true,
        _ => false,
    }
}

/// Learned again on the other half of each site of `live`.
pub(super) fn again(data: &Path, filter: &str) -> Outcome {
    let mut all = Tally::default();
    for path in sites(data, &["live"], filter)? {
        let gold = load(&path)?;
        let half = |which: usize| -> Vec<RawPage> {
            let pages = gold.pages.iter().enumerate().filter(|(at, _)| at % 2 == which);
            pages.map(|(_, (page, _))| page.clone()).collect()
        };
        let (old, new) = (saved(half(0)), saved(half(1)));
        let here = tally(&edits(&old), &old, &new);
        here.print(&gold.name);
        all.add(&here);
    }
    all.print("learned again");
    Ok(())
}

/// Repaired over all ordered pairs of themes.
pub(super) fn repaired(data: &Path, filter: &str) -> Outcome {
    let (mut all, mut refused, mut pairs) = (Tally::default(), 0, 0);
    for group in theme_groups(data, filter)? {
        for old in &group {
            let pages =
                |gold: &super::Gold| gold.pages.iter().map(|(page, _)| page.clone()).collect::<Vec<_>>();
            let learned = saved(pages(old));
            let steps = edits(&learned);
            for new in group.iter().filter(|new| new.name != old.name) {
                pairs += 1;
                let site = Site::parse(pages(new), &Limits::default());
                let options = page_types::Options { seed: 42, ..Default::default() };
                let repair = unsite_discover::repair(&site, &learned, &options, Provenance::default());
                if repair.refusal().is_some() {
                    refused += 1;
                    continue;
                }
                let here = tally(&steps, &learned, &repair.saved);
                here.print(&format!("{} to {}", old.name, new.name));
                all.add(&here);
            }
        }
    }
    all.print(&format!("{pairs} pairs, {refused} repairs refused"));
    Ok(())
}
