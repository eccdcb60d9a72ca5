//! Of several captures of an address the newest.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use unsite_dom::{Moment, PageSource, Problem, RawPage};
use xxhash_rust::xxh3::xxh3_64;

/// When the newest capture of each address was made: sixteen bytes an address.
#[derive(Debug, Default)]
pub(crate) struct Newest {
    moments: HashMap<u64, Option<Moment>>,
}

impl Newest {
    /// Goes through all pages once.
    pub(crate) fn of(pages: &mut dyn PageSource) -> Newest {
        let mut newest = Newest::default();
        while let Some(item) = pages.next_page() {
            let Ok(page) = item else { continue };
            match newest.moments.entry(key(&page)) {
                Entry::Occupied(mut known) => {
                    let moment = (*known.get()).max(page.captured);
                    known.insert(moment);
                }
                Entry::Vacant(new) => drop(new.insert(page.captured)),
            }
        }
        newest
    }

    fn is_newest(&self, page: &RawPage) -> bool {
        page.url.is_empty() || self.moments.get(&key(page)).is_none_or(|moment| *moment == page.captured)
    }
}

fn key(page: &RawPage) -> u64 {
    xxh3_64(page.url.as_bytes())
}

/// The pages that are the newest of their addresses; pages without a moment of an address without any stay all.
pub(crate) struct LatestPages {
    pub(crate) pages: Box<dyn PageSource>,
    pub(crate) newest: Arc<Newest>,
}

impl PageSource for LatestPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        loop {
            match self.pages.next_page()? {
                Ok(page) if !self.newest.is_newest(&page) => {}
                item => return Some(item),
            }
        }
    }
}
