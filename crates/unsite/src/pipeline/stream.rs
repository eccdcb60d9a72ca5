//! All pages of a source, read, worked on and handed over at the same time, in their order.

use std::sync::mpsc::sync_channel;
use std::thread;

use anyhow::Result;
use rayon::prelude::*;
use unsite_acquire::Source;
use unsite_dom::{Problem, RawPage};

use unsite_site::nodes;

use super::Options;

/// Pages that are worked on together: enough to keep all threads busy, little enough to stay in memory.
const BATCH: usize = 256;

/// Bytes of pages in one batch: a batch of very large pages is smaller.
const BATCH_BYTES: usize = 32 << 20;

/// Nodes of the pages of one batch, about: what is read off them is many times as large as they are.
pub(super) const BATCH_NODES: usize = 400_000;

/// Pages of a batch however large they are, so that more than one thread has something to do.
const FEWEST: usize = 2;

/// Batches that wait between two stages.
const WAITING: usize = 1;

/// A page that was worked on, or why there is none.
pub(super) type Item<T> = std::result::Result<T, Problem>;

/// Reads a source in one thread, does `work` on its pages on all cores, and hands the results to `take` in the order of
/// the source. Memory is bounded by a few batches.
pub(super) fn stream<T: Send>(
    source: &Source,
    options: &Options,
    work: impl Fn(&RawPage) -> T + Sync,
    mut take: impl FnMut(Vec<Item<T>>) -> Result<()>,
) -> Result<()> {
    let mut pages = source.pages()?;
    thread::scope(|scope| {
        let (send_pages, read) = sync_channel::<Vec<Item<RawPage>>>(WAITING);
        let (send_done, done) = sync_channel::<Vec<Item<T>>>(WAITING);
        scope.spawn(move || {
            loop {
                let (mut batch, mut bytes, mut sum) = (Vec::new(), 0, 0);
                while batch.len() < BATCH
                    && (batch.len() < FEWEST || bytes < BATCH_BYTES && sum < BATCH_NODES)
                    && let Some(item) = pages.next_page()
                {
                    bytes += item.as_ref().map_or(0, |page| page.bytes.len());
                    sum += item.as_ref().map_or(0, |page| nodes(&page.bytes));
                    batch.push(item);
                }
                // Nobody listens any more when the other side has failed.
                if batch.is_empty() || send_pages.send(batch).is_err() {
                    return;
                }
            }
        });
        scope.spawn(|| {
            let send_done = send_done;
            for batch in read {
                let work = |item: Item<RawPage>| item.map(|page| work(&page));
                let done = options.on_pool(|| batch.into_par_iter().map(work).collect());
                if send_done.send(done).is_err() {
                    return;
                }
            }
        });
        done.into_iter().try_for_each(&mut take)
    })
}
