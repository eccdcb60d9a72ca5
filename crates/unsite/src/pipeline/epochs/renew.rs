//! What is known of a design, as its pages say it now: prices change, and only what was read last can prove a repair.

use std::collections::BTreeMap;

use anyhow::Result;
use rustc_hash::FxHashMap;
use unsite_acquire::Source;
use unsite_discover::{Site, read_all};
use unsite_dom::{Moment, RawPage, Tree};
use unsite_wrapper::{KnownPage, PageRecord, SavedWrapper};

use crate::pipeline::stream::{Item, stream};
use crate::pipeline::{Options, Progress, advance};

/// Takes over what pages at known addresses say, where they are still of their type.
pub(super) fn renew(saved: &mut SavedWrapper, site: &Site) {
    let records = read_all(site, &saved.wrapper);
    take_over(saved, records.iter());
}

/// The same for all pages of a source, and how long the design has been seen; of several captures the newest counts.
/// Whether anything is different.
pub(in crate::pipeline) fn renewed(
    source: &Source,
    saved: &SavedWrapper,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Option<SavedWrapper>> {
    progress.stage("remembering", None);
    let known: FxHashMap<&str, ()> = saved.known.iter().map(|page| (page.url.as_str(), ())).collect();
    let designs = saved.designs();
    let read = |page: &RawPage| {
        let is_known = known.contains_key(page.url.as_str());
        let record = is_known.then(|| {
            let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
            designs.read(page, &tree, &cuts)
        });
        (page.captured, record)
    };
    let mut newest: BTreeMap<String, PageRecord> = BTreeMap::new();
    let mut last: Option<Moment> = None;
    stream(source, options, read, |batch: Vec<Item<_>>| {
        advance(progress, batch.len())?;
        for (captured, record) in batch.into_iter().flatten() {
            last = last.max(captured);
            let Some((0, record)) = record else { continue };
            let there = newest.get(&record.url).is_some_and(|there| there.captured > record.captured);
            if !there {
                newest.insert(record.url.clone(), record);
            }
        }
        Ok(())
    })?;
    let mut fresh = saved.clone();
    take_over(&mut fresh, newest.values());
    if let (Some(seen), Some(last)) = (fresh.seen.iter_mut().max(), last) {
        seen.last = last.to_string().max(seen.last.clone());
    }
    Ok((fresh != *saved).then_some(fresh))
}

fn take_over<'r>(saved: &mut SavedWrapper, records: impl Iterator<Item = &'r PageRecord>) {
    let places: FxHashMap<String, usize> =
        saved.known.iter().enumerate().map(|(at, page)| (page.url.clone(), at)).collect();
    for record in records {
        let Some(&at) = places.get(&record.url) else { continue };
        let Some(fresh) = KnownPage::of(&saved.wrapper.schema, record) else { continue };
        let known = &mut saved.known[at];
        if fresh.page_type == known.page_type {
            known.rows = fresh.rows;
        }
    }
}
