//! Redesigns that the site generator makes: every kind of change alone, and all of them together.

use std::collections::BTreeSet;

use unsite_dom::RawPage;
use unsite_eval::GoldPage;
use unsite_sample::{Change, Family, Knobs, Site};

use super::repair::{Learned, Tally};
use super::{Gold, Outcome, drift};

pub(super) fn synthetic(filter: &str) -> Outcome {
    let mut all = Tally::default();
    let (mut redesigns, mut noticed) = (0, 0);
    let mut changes: Vec<BTreeSet<Change>> =
        Change::ALL.iter().map(|&change| BTreeSet::from([change])).collect();
    changes.push(Change::ALL.into());
    for family in Family::ALL {
        let old = generated(family, &BTreeSet::new())?;
        let learned = Learned::of(&old);
        let mut here = Tally::default();
        for redesign in &changes {
            let new = generated(family, redesign)?;
            if !new.name.contains(filter) {
                continue;
            }
            let pages: Vec<RawPage> = new.pages.iter().map(|(page, _)| page.clone()).collect();
            let changed =
                pages.iter().zip(&old.pages).filter(|(new, (old, _))| new.bytes != old.bytes).count();
            if changed == 0 {
                println!("{:28} changes no page", new.name);
                continue;
            }
            let findings = drift::check(&learned.saved, &pages);
            redesigns += 1;
            noticed += usize::from(!findings.is_empty());
            println!(
                "{:28} {changed} of {} pages changed, {} findings",
                new.name,
                pages.len(),
                findings.len()
            );
            learned.repair(&new, &mut [&mut here, &mut all]);
        }
        here.print();
    }
    println!("{noticed} of {redesigns} redesigns noticed");
    all.print();
    Ok(())
}

fn generated(family: Family, redesign: &BTreeSet<Change>) -> Result<Gold, Box<dyn std::error::Error>> {
    let knobs = Knobs { family, redesign: redesign.clone(), ..Knobs::default() };
    let site = Site::generate(&knobs);
    let name = match redesign.len() {
        0 => format!("{family:?}"),
        1 => format!("{family:?} {:?}", redesign.iter().next()),
        _ => format!("{family:?} everything"),
    };
    let mut gold = Gold { name, pages: Vec::new(), labels: Default::default() };
    for (page, label) in site.pages.iter().zip(&site.gold) {
        let label: GoldPage = serde_json::from_value(serde_json::to_value(label)?)?;
        let file = label.file.rsplit('/').next().unwrap_or_default().to_owned();
        gold.pages.push((
            RawPage {
                url: page.url.clone(),
                reference: file.clone(),
                bytes: page.html.clone().into_bytes(),
                ..RawPage::default()
            },
            label.page_type.clone(),
        ));
        gold.labels.insert(file, label);
    }
    Ok(gold)
}
