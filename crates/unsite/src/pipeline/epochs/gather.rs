//! Pages of several slices, those of the same addresses in each.

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::Source;
use unsite_dom::RawPage;
use unsite_wrapper::fingerprint;

use super::slices::Slice;
use crate::pipeline::{Progress, advance};

/// Bytes of pages that are held for all slices together.
const BYTES: usize = 512 << 20;

/// By what pages are chosen: a hash of the address, so that every slice has the same addresses; then what tells captures apart.
type Key = (u64, String, u64, String);

/// Of each slice as many pages as wanted, those whose addresses have the smallest hashes. Pages without a moment are left out.
pub(super) fn gather(
    source: &Source,
    slices: &[Slice],
    most: usize,
    seed: u64,
    progress: &mut dyn Progress,
) -> Result<Vec<Vec<RawPage>>> {
    let mut kept: Vec<Kept> = slices.iter().map(|_| Kept::default()).collect();
    let bytes = BYTES / slices.len().max(1);
    let mut pages = source.pages()?;
    while let Some(item) = pages.next_page() {
        let Ok(page) = item else { continue };
        advance(progress, 1)?;
        let Some(captured) = page.captured else { continue };
        let at = slices.partition_point(|slice| slice.last < captured);
        if slices.get(at).is_some_and(|slice| slice.first <= captured) {
            kept[at].offer(page, most, bytes, seed);
        }
    }
    Ok(kept.into_iter().map(|kept| kept.pages.into_values().collect()).collect())
}

#[derive(Default)]
struct Kept {
    pages: BTreeMap<Key, RawPage>,
    bytes: usize,
    /// The smallest key that did not fit: nothing behind it comes in later, whatever the order of pages.
    end: Option<Key>,
}

impl Kept {
    fn offer(&mut self, page: RawPage, most: usize, bytes: usize, seed: u64) {
        let address = fingerprint(format!("{seed}\n{}", page.url).as_bytes());
        let key = (address, page.url.clone(), fingerprint(&page.bytes), page.reference.clone());
        if self.end.as_ref().is_some_and(|end| key >= *end) {
            return;
        }
        self.bytes += page.bytes.len();
        if let Some(same) = self.pages.insert(key, page) {
            self.bytes -= same.bytes.len();
        }
        while self.pages.len() > most.max(1) || self.bytes > bytes && self.pages.len() > 1 {
            let Some((key, page)) = self.pages.pop_last() else { return };
            self.bytes -= page.bytes.len();
            self.end = Some(key);
        }
    }
}
